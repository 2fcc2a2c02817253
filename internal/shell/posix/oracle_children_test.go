package posix_test

// childRows are about code that becomes of data, and the shells that are started for it.
func childRows() []row {
	return []row{
		{script: `eval 'show a' b`},
		{script: `eval "x='q r'"; show "$x"`},
		{script: `c='show a b'; $c`, shells: "bash sh mksh"},
		{script: `s=sho; ${s}w x`},
		{script: `sh -c 'show "$0" "$1"' zero one`},
		{script: `echo 'show piped' | sh`},
		{script: `sh <<EOF
show heredoc
EOF`},
		{script: `printf 'show "%s"\n' script > s.sh; sh s.sh`},
		{script: `echo a b | xargs show`},
		{script: `printf 'a\0b c\0' | xargs -0 show`},
		{script: `printf '1\n2\n' | xargs -n1 show`},
		{script: `printf '1\n2\n' | xargs -I{} show x{}y`},
		{script: `env A=1 show a; nice show b; timeout 5 show c; command show d`},
		{script: `cd sub; show *; cd ..; show $(basename "$PWD")`},
		{script: `cd sub && show * && cd - >/dev/null && show *.txt`},
		{script: `set -- a b; for x; do show $x; done`},
		{script: `alias ll='show alias'
ll x`, shells: "sh mksh"},
		{script: `: "${undefined:?no}"; show no`},
		{script: `set -u; show $undefined; show no`},
		{script: `x=abc; show "${x:-$(show inner)}"`},
		{script: `show ~ "~" a~ | cat >/dev/null; x=~/y; show $x`},
		{script: `show =a`, shells: "bash sh mksh"},
		{script: `noglob show *.txt`, shells: "zsh"},
		{script: `x='a b'; show ${=x}`, shells: "zsh"},
		{script: `x=/a/b.c; show ${x:h} ${x:t} ${x:r} ${x:e}`, shells: "zsh"},
		{script: `x=lower; show ${(U)x}`, shells: "zsh"},
		{script: `eval; show $?; eval ''; show a; eval 'show' '"b c"' d`},
		{script: `eval 'x=1; f() { show f; }'; show $x; f`},
		{script: `eval 'false' || show failed; eval 'return 2>/dev/null; show no'; show after`, shells: "bash"},
		{script: `x='show a; show b'; eval $x; eval "$x"`},
		{script: `x='show $y'; y='p q'; eval "$x"; eval $x`},
		{script: `cmd=show; $cmd a; "$cmd" b; ${cmd} c; c2="show d"; $c2`, shells: "bash sh mksh"},
		{script: `command show a; command -- show b; command -p true && show c; command -v show >/dev/null; show d`},
		{script: `show() { command show in "$@"; }; show a`},
		{script: `builtin echo x > f; show "$(cat f)"; builtin cd sub; show *`, shells: "bash mksh zsh"},
		{script: `exec show a; show no`},
		{script: `(exec show a); show b`},
		{script: `exec -a n show a`, shells: "bash zsh"},
		{script: `printf 'show $1\n' > s; set -- p; . ./s q; show $1`, shells: "bash mksh zsh"},
		{script: `printf 'return\nshow no\n' > s; . ./s; show yes`},
		{script: `printf 'x=in\n' > s; (. ./s; show $x); show ${x-unset}; source ./s; show $x`, shells: "bash mksh zsh"},
		{script: `export x=1 y; show $x; sh -c 'show $x'; y=2; sh -c 'show $y'`},
		{script: `x=1; sh -c 'show ${x-none}'; export x; sh -c 'show ${x-none}'; export -n x; sh -c 'show ${x-none}'`, shells: "bash"},
		{script: `x=1; sh -c 'show ${x-none}'; x=2 sh -c 'show $x'; show $x`},
		{script: `set -a; x=1; sh -c 'show ${x-none}'`},
		{script: `alias s='show al'
s x
unalias s
s x 2>/dev/null`, shells: "sh mksh zsh", differs: []difference{
			{shells: "zsh", real: ``, heed: `"al" "x"`, why: `aliases are expanded or not, as the shell was started: both readings are told`},
		}},
		{script: `shopt -s expand_aliases
alias s='show al'
s x`, shells: "bash"},
		{script: `printf -v a '%d-%s' 3 x; show $a; printf -v 'b[1]' y; show ${b[1]}`, shells: "bash"},
		{script: `x=$(printf '%s,' a b c); show ${x%,}`},
		{script: `x=$(echo -n a; echo b); show $x; show "$(echo -e 'a\tb')"`, shells: "bash mksh zsh"},
		{script: `type show >/dev/null; show a; command -V show > /dev/null; show b`},
		{script: `env A=1 sh -c 'show $A'; A=2 env sh -c 'show $A'`},
		{script: `bash -c 'show ${1^^}' x ab; bash -O extglob -c 'show @(a|b).txt'`},
		{script: `sh -c 'exit 3' || show failed; sh -c 'exit 0' && show ok; sh -c true && show t`},
		{script: `nohup show a >/dev/null 2>&1; nice -n 5 show b; setsid show c; timeout 1 show d; stdbuf -o0 show e`},
		{script: `echo show a b > s; sh ./s; chmod +x s; ./s`},
		{script: `printf '#!/bin/sh\nshow "$0" "$1"\n' > s; chmod +x s; ./s q`},
		{script: `x=1; sh -c 'show ${x-none}'; export x; sh -c 'show $x'`},
		{script: `x=1; export x; unset x; x=2; sh -c 'show ${x-none}'`},
		{script: `set -a; x=1; set +a; y=2; sh -c 'show ${x-none} ${y-none}'`},
		{script: `show() { :; }; sh -c 'show a'`},
		{script: `f() { show f $1; }; export -f f; bash -c 'f a'`, shells: "bash"},
		{script: `export x=1; export -n x; sh -c 'show ${x-none}'`, shells: "bash"},
		{script: `printf 'show "$1"\n' > s.sh; set -- own; . ./s.sh; sh s.sh arg`},
		{script: `echo 'show $1 $# $0' > s; sh -s p q < s; sh s p; set -- r; . ./s`, shells: "bash sh mksh"},
		{script: `sh -c 'show $1 $#' x a b; sh -c 'show "$@"' x 'a b'`},
		{script: `printf 'x=2\nshow in $1\n' > s; set -- p; . ./s; show $x; (. ./s)`},
	}
}
