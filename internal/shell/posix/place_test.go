package posix_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/shell/posix"
)

// inPlaces are commands that run touch where a name or a number is taken, or
// where a word is hidden in the grammar, each by the dialect whose shell was seen
// to run it.
var inPlaces = map[string][]string{
	"zsh": {
		"x=(1); printf '%d\\n' 'x[$P]'", "x=(1); f() { return 'x[$P]'; }; f", "x=(1); shift 'x[$P]'", "x=(1); let 'x[$P]'",
		"x=(1);y='x[$P]'; echo $((y))", "x=(1);integer n; n='x[$P]'", "x=(1);SECONDS='x[$P]'", "typeset 'x[$P]=1'",
		"x=(1);repeat 'x[$P]' ls", "x=(1);[[ -v 'x[$P]' ]]", "set -A 'x[$P]' 1", "zmodload zsh/zutil; zparseopts -a 'x[$P]' q",
		"x=(1);read -t 'x[$P]' y", "a=abc; echo ${a:s/b/$P/}", "a=abc; echo $a:s/b/$P/", "a=abc; echo ${(l:$P:)a}",
		"private 'x[$P]=1'", "zstyle -s a b 'x[$P]'", "zmodload zsh/datetime; strftime -s 'x[$P]' %Y 0", "zmodload zsh/stat; zstat -A 'x[$P]' .",
		": *(e:'touch m':)", ": ${~:-*(e:'touch m':)}", "x='*(e:touch m:)'; : $~x", ": ~[$P]", "case a in $P) ;; esac", "[[ a == $P ]]",
		"echo =(touch m)", "echo $~x[$P]", "setopt promptsubst; print -P '$P'", "PS4='$P'; setopt promptsubst xtrace; :", "x='$P'; : ${(e)x}",
		"x='`touch m`'; : ${(e)x}", "a[1]=$P", "typeset -A a; a[$P]=1", ": $(( x[$P] ))", ": ${x:$P}", ": ${#:-$P}", "getopts a 'x[$P]' -a",
		"printf -v 'x[$P]' a", "functions -M f 1 1 g; g(){ touch m }; : $((f(1)))", "() { touch m }", "function { touch m }",
		"alias -g G='; touch m'; eval 'echo G'", "alias -s txt='touch m; :'; eval 'a.txt'", "TRAPZERR(){ touch m }; false", "zshexit(){ touch m }",
		"command_not_found_handler(){ touch m }; qqq", "echo 'touch m' > ff; fpath=(. $fpath); autoload ff; ff",
		"echo 'touch m' > ff; FPATH=. ; autoload ff; ff", "trap 'touch m' ZERR; false", "eval {touch,m}", "noglob touch m",
		"dis_functions[f]='touch m'; enable -f f; f", "echo ${x[$P]}", "echo $x[(r)$P]", "print -v 'x[$P]' y", "read 'x[$P]' <<< y",
		"export 'x[$P]=1'", "functions[ls]='touch m'; ls", "aliases[ls]='touch m;'; eval ls", "zstyle -e ':x' y 'touch m'; zstyle -t ':x' y",
		"TRAPDEBUG() { touch m }; :", "TRAPEXIT() { touch m } >/dev/null", "chpwd() { touch m }; cd sub", "h() { touch m }; chpwd_functions=(h); cd sub", "h() { touch m }; echo *(+h)",
		"setopt promptsubst; x='$P'; echo ${(%%)x}", "echo ${(e):-'$P'}", "h() { touch m }; chpwd_functions+=(h); cd sub",
		"TRAPEXIT() { touch m }", "functions+=(ls 'touch m'); ls", "emulate sh -c 'touch m'", "x=ls; functions[$x]='touch m'; $x",
	},
	"bash": {
		"RANDOM='x[$P]'", "OPTIND='x[$P]'", "declare -n r='x[$P]'; r=1", "typeset -i x='y[$P]'", "declare -i 'n=y[$P]'", "exec {x[$P]}>/dev/null",
		"[[ x -eq 'x[$P]' ]]", "a='x[$P]'; : ${y[a]}", "a='x[$P]'; y[a]=1", "declare -A y; k='$P'; unset \"y[$k]\"",
		"declare -A y; k='$P'; test -v \"y[$k]\"", "a='$P'; : ${a@P}", "compgen -W '$P'", "shopt -s extglob\n: @($P)", "shopt -s extglob\n[[ a == @($P) ]]",
		"shopt -s extglob\ncase a in @($P)) ;; esac", "shopt -s extglob\nx=a; : ${x#@($P)}", "shopt -s extglob\nx=a; : ${x/@($P)/}",
		"local() { touch m; }; local", "trap 'touch m' ERR; false", "trap 'touch m' RETURN; f(){ :; }; set -T; f", "trap 'touch m' DEBUG; :",
		"BASH_ALIASES[ls]=touch; shopt -s expand_aliases\nls m", "set -k; env X=1 touch m",
		"declare -i a; mapfile a <<<'y[$P]'", "declare -ai a; mapfile -t a <<<'y[$P]'", "declare -i a; read a <<<'y[$P]'",
		"declare -i OPTARG; getopts a: o -a 'y[$P]'", "declare -i REPLY; read <<<'y[$P]'", "declare -i a=(y[$P])", "declare -ai a=('y[$P]')",
		"declare -ai a; a+=('y[$P]')", "a[1]='y[$P]'; declare -i a; a[2]='y[$P]'", "declare -i a; : ${a:='y[$P]'}", "let a='y[$P]'", "echo $[y[$P]]",
		": {1..$P}", "cat <<-E\n${y[$P]}\nE\n", "function x { touch m; }; x", "time touch m", "coproc touch m; wait", "x=1 y[$P]=3", "y=([$P]=1)",
		"y+=([0]=$P)", ": ${!y[$P]}", ": ${y[$P]:-a}", ": ${y[$P]+a}", "y=1; unset 'y[$P]'", "test -v 'a[$P]'", "[ -v 'a[$P]' ]", "x='a[$P]'; [[ -v $x ]]",
		"read -r 'list[$P]' <<< x", "printf -v 'list[$P]' %s x", "declare 'list[$P]=1'", "f() { local 'list[$P]=1'; }; f", "declare -n ref='l[$P]'; echo $ref",
		"declare -i n; for n in 'l[$P]'; do :; done", "n='l[$P]'; echo ${HOME:n}", "wait -n -p 'l[$P]'", "echo ${missing:?$P}", "x='l[$P]'; echo ${!x}",
		"f() { touch m; }; compgen -F f", "compgen -C 'touch m'", "HOME=x; echo ${HOME:?$P}$P", "a=1; echo ${a:$P}", "for ((i=a[$P];i<0;i++)); do :; done",
		"cat <<< $((a[$P]))", "echo ${a[$P]}", "echo ${a[$(( b[$P] ))]}", "[[ -v a[$P] ]]", "x=(a b); echo \"${x[@]:$P:1}\"", "k='b[$P]'; echo ${@:k}",
		"k='$P'; eval \"$k\"", "declare \"x=$P\"", "x=`touch m`", "echo ${x^^$P}", "echo ${x//$P/b}", "x=a; echo ${x//a/$P}", "case $P in esac", "cat < $P",
		"cat > /dev/null 2> $P", "f() { :; } > $P; f", "if [[ -f $P ]]; then :; fi", "while [[ -f $P ]]; do :; done", "select x in $P; do :; done < /dev/null",
		"echo \"${x:-${y:-$P}}\"", "trap \"$P\" EXIT", "coproc X { touch m; }", "(( $P ))", "let \"x = $P\"", "export \"A=$P\"", "exec 3< <(touch m)",
		"a+=$P", "echo $'x'$P", "echo $\"x$P\"", "[[ a =~ $P ]]", "[[ $P -ef a ]]", "unset \"a$P\"", "set -- $P", "! touch m", "{ touch m; } 2>&1",
	},
	"mksh": {
		"x[$P]=1", "read 'x[$P]' <<<a", "unset 'x[$P]'", "typeset 'x[$P]=1'", "export 'x[$P]=1'", "getopts a 'x[$P]' -a", "[[ x[$P] -eq 0 ]]",
		"[ 'x[$P]' -eq 0 ]", "shift 'x[$P]'", "let 'x[$P]'", "y='x[$P]'; : $((y))", "ulimit -n 'x[$P]'", "typeset -n r='x[$P]'; : $r",
		"nameref r='x[$P]'; r=1", "[[ -v x[$P] ]]", "test -v 'x[$P]'", "SECONDS='x[$P]'", "RANDOM='x[$P]'", "COLUMNS='x[$P]'", "TMOUT='x[$P]'",
		"for x[$P] in 1; do :; done", "PS4='$P'; set -x; :", "typeset -i2 n='x[$P]'", "alias ls='touch m'\nls", "set -A y 'x[$P]'; : $((y[0]))",
		"set -A y -- a; : ${y[x[$P]]}", "global x=${ touch m;}", "function f { touch m; }; f", "cat <<<${|touch m;}", "echo ${ touch m;}",
		"typeset -i n; n='x[$P]'", "echo ${x[$P]}", "function x.get { touch m; }; : $x",
	},
	"sh": {
		": ${x:?$P}", ": ${x:=$P}", "x=$P", "cat <<E\n$P\nE\n", "for i in $P; do :; done", "case $P in *) ;; esac", "echo \"$(echo \"$P\")\"", ": $(($P))",
		"set -u; echo ${x-$P}", "cat <<E\n${x:-$P}\nE\n", "x=a; : ${x#$P}", "PS4='$P'; set -x; :", "a=1 b=$P c", ". $P", "exec 3> $P", "trap '$P' EXIT",
	},
}

// TestPlaces: what runs there is told, or that something is not understood.
func TestPlaces(t *testing.T) {
	t.Parallel()
	for dialect, scripts := range inPlaces {
		for _, script := range scripts {
			script = strings.ReplaceAll(script, "$P", "$(touch m)")
			r := &recorder{}
			if err := posix.Eval(r, session(t, dialect), script, nil, nil); err != nil {
				continue // nobody can say what it does
			}
			if !slices.ContainsFunc(r.log, told) {
				t.Errorf("%s: %s: %q", dialect, script, r.log)
			}
		}
	}
}

// told reports whether a line of a recorder's log tells of what a hidden
// substitution runs, or that there is something that is not known.
func told(line string) bool {
	return strings.HasPrefix(line, "run touch m") || strings.HasPrefix(line, "unknown p") || strings.HasPrefix(line, "unknown c") || strings.HasPrefix(line, "code ") ||
		strings.HasPrefix(line, "effect exec.") || strings.HasPrefix(line, "run env touch m")
}
