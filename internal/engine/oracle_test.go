package engine_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/heedsh/heed/internal/assess"
	"github.com/heedsh/heed/internal/host"
	"github.com/heedsh/heed/risk"
)

// oracleCase is a script whose calls of `show` heed must foresee, word for
// word, as the real shells make them.
type oracleCase struct {
	script string
	// shells are those that the script is meant for; none: all four.
	shells string
	// differs names shells in which heed is known to answer differently, and
	// why, in the comment beside the case.
	differs string
}

// binaries maps heed's dialects to the programs they are checked against.
var binaries = map[string]string{"bash": "bash", "sh": "dash", "mksh": "mksh", "zsh": "zsh"}

var oracle = []oracleCase{
	// Quoting.
	{script: `show 'a b' "c d" e\ f`},
	{script: `show "a\"b" 'a\b' "a\$b" "a\\b" "a\nb"`},
	{script: `show a"b"'c'd`},
	{script: `show "" ''`},
	{script: `show \-\r`},
	{script: `show $'a\tb' $'\x41\102\u0043' $'it\'s'`, shells: "bash mksh zsh"},
	{script: "show a\\\nb"},
	{script: `show "a
b"`},
	{script: `show # comment`},
	{script: `show a#b '#' "#"`},
	// Variables and splitting.
	{script: `x='a  b'; show $x "$x"`, differs: "zsh"}, // zsh: checked in the next case
	{script: `x='a  b'; show $x "$x"`, shells: "zsh"},
	{script: `x=; show $x "$x" end`},
	{script: `show $unset "$unset" ${unset:-default} "${unset-d e}"`, differs: "bash sh mksh zsh"}, // an unset variable stays a hole
	{script: `x=1; show ${x:+yes} ${x:-no} ${y:+no} end`},
	{script: `: ${x:=set}; show $x`},
	{script: `x=a.b.c; show ${x#*.} ${x##*.} ${x%.*} ${x%%.*}`},
	{script: `x=/usr/lib/x.so; show ${x##*/} ${x%/*}`},
	{script: `x=hello; show ${#x}`},
	{script: `x=hello; show ${x:1:3} ${x:2} ${x: -2}`, shells: "bash mksh zsh"},
	{script: `x=aXbX; show ${x/X/-} ${x//X/-}`, shells: "bash mksh zsh"},
	{script: `x=aXbX; show ${x/#a/-} ${x/%X/-}`, shells: "bash mksh zsh"},
	{script: `x=hello; show ${x^} ${x^^} ${x^^[el]}`, shells: "bash", differs: "bash"}, // a pattern after ^^ is not looked at
	{script: `x=HELLO; show ${x,,} ${x,}`, shells: "bash"},
	{script: `x=Hello; show ${x~} ${x~~}`, shells: "bash"},
	{script: `x=y; y=z; show ${!x}`, shells: "bash"},
	{script: `x='a b'; show "${x@Q}"`, shells: "bash"},
	{script: `x='$(echo hi)'; show "${x@P}"`, shells: "bash"},
	{script: "show \"$(cat <<EOF\na $((1+1))\nEOF\n)\"; while read -r l; do show \"$l\"; done <<'END'\nleft open\n", differs: "mksh"}, // mksh refuses it, and so does heed
	{script: `x='\140echo hi\140 \044((1+2)) \\140a \n\q'; show "${x@P}"`, shells: "bash"},
	{script: `show "${v=a\140b}" ${w=a\140b} "${z=\$\}}"`},
	{script: `show "${x="c\d"}" ${y="c\d"} "${z="a  b"}"`},
	{script: `show "${v='x  y'}" "${w=a "b  c" d}"`},
	{script: `x='a\tb'; show "${x@E}"`, shells: "bash"},
	{script: `IFS=:; x=a:b::c; show $x`, shells: "bash sh mksh"},
	{script: `IFS=; x='a b'; show $x`},
	{script: `set -- a 'b c' d; show $# "$@"`},
	{script: `set -- a 'b c' d; show "$*" "$1" "${2}"`},
	{script: `set -- a 'b c'; show x"$@"y`},
	{script: `set --; show "$@" end`},
	{script: `set -- a b c; shift; show "$@"`},
	{script: `set -- a b c; shift 2; show "$1" $#`},
	{script: `x=1; x=2 show $x`},
	{script: `x=a; x+=b; show $x`, shells: "bash mksh zsh"},
	{script: `readonly r=1; show $r`},
	{script: `export E=1; show $E`},
	{script: `x=1; unset x; show "${x-gone}"`},
	{script: `a=b; eval "$a=5"; show $b`},
	// Braces.
	{script: `show a{b,c}d`, shells: "bash mksh zsh"},
	{script: `show {1..4} {a..c}`, shells: "bash zsh"},
	{script: `show {01..03} {5..1..2}`, shells: "bash"},
	{script: `show a{b,{c,d}}e`, shells: "bash mksh zsh"},
	{script: `show {a} {} a{,b}`, shells: "bash mksh"},
	{script: `show "{a,b}" '{a,b}' \{a,b\}`},
	{script: `show {a,b}`, shells: "sh"},
	{script: `x=1; show {$x,2}`, shells: "bash zsh"},
	// Globs.
	{script: `show *.txt`},
	{script: `show "*.txt" \*.txt`},
	{script: `show [ab].txt ?.txt`},
	{script: `show *.none`, shells: "bash sh mksh"},
	{script: `show sub/*`},
	{script: `show */`},
	{script: `show .h*`},
	{script: `x='*.txt'; show $x "$x"`, shells: "bash sh mksh"},
	{script: `set -f; show *.txt`, differs: "zsh"}, // zsh: -f is another option
	{script: `shopt -s nullglob; show *.none end`, shells: "bash"},
	{script: `shopt -s extglob
show @(a|b).txt !(a|b|c).txt`, shells: "bash"},
	{script: `shopt -s dotglob; show *`, shells: "bash"},
	{script: `shopt -s globstar; show **/*.txt`, shells: "bash"},
	// Command substitution.
	{script: `show $(echo a b) "$(echo a b)"`},
	{script: "show `echo x`"},
	{script: `show "$(printf 'a\n\n')"`},
	{script: `show $(printf '%s-' a b c)`},
	{script: `show $(echo $(echo deep))`},
	{script: `show "$(cat a.txt)"`},
	{script: `show "$(<a.txt)"`, shells: "bash mksh zsh"},
	{script: `show $(basename /x/y.txt .txt) $(dirname /x/y)`},
	{script: `show $(echo aGk= | base64 -d)`},
	{script: `show $(echo abc | tr a-c A-C | rev)`},
	{script: `show $(echo a:b:c | cut -d: -f2)`},
	{script: `show $(printf '%d' 0x1f) $(printf '%03d' 7) $(printf '\101')`, differs: "zsh"}, // zsh's printf takes 0x1f as an expression
	{script: `show $(echo 'a b c' | awk '{print $2}')`},
	{script: `show $(echo hello | sed 's/l/L/g')`},
	{script: `show $(seq 3)`},
	{script: `x=$(echo 1; echo 2); show $x "$x"`, shells: "bash sh mksh"},
	// Arithmetic.
	{script: `show $((1+2*3)) $((7/2)) $((7%3)) $((-7/2))`},
	{script: `show $((1<<4)) $((0x10)) $((010)) $((5>3)) $((1&&0))`, differs: "zsh mksh"}, // zsh and mksh read 010 as decimal
	{script: `x=5; show $((x+1)) $(($x*2))`},
	{script: `x=1; : $((x+=4)); show $x`},
	{script: `i=0; show $((i++)) $i $((++i))`, shells: "bash mksh zsh"},
	{script: `show $((3>2?10:20)) $(( (1+2)*3 ))`},
	{script: `x=y; y=7; show $((x))`, shells: "bash mksh zsh"},
	{script: `((x=3)); show $x; let y=x+1; show $y`, shells: "bash mksh zsh"},
	{script: `show $[2+3]`, shells: "bash zsh", differs: "zsh"}, // the parser does not know it in zsh
	{script: `declare -i n; n=2+3; show $n`, shells: "bash"},
	// Arrays.
	{script: `a=(x 'y z' w); show "${a[@]}" ${#a[@]}`, shells: "bash mksh zsh"},
	{script: `a=(x y z); show ${a[1]} "${a[*]}"`, shells: "bash mksh"},
	{script: `a=(x y z); show ${a[1]} ${a[-1]}`, shells: "zsh"},
	{script: `a=(1 2); a+=(3); show "${a[@]}"`, shells: "bash mksh zsh"},
	{script: `a[3]=d; show "${a[3]}"`, shells: "bash mksh"},
	{script: `declare -A m; m[k]=v; show "${m[k]}"`, shells: "bash"},
	{script: `a=(x y z); show "${a[@]:1:2}"`, shells: "bash"},
	{script: `a=(x y z); show "${!a[@]}"`, shells: "bash"},
	// Control flow.
	{script: `true && show a; false && show b; false || show c`},
	{script: `! false && show a`},
	{script: `if true; then show a; else show b; fi`},
	{script: `if false; then show a; elif true; then show b; fi`},
	{script: `for i in a b c; do show $i; done`},
	{script: `for i in *.txt; do show "$i"; done`},
	{script: `for ((i=0;i<3;i++)); do show $i; done`, shells: "bash zsh"},
	{script: `for i in 1 2 3; do if [ $i = 2 ]; then continue; fi; show $i; done`},
	{script: `for i in 1 2 3; do [ $i = 2 ] && break; show $i; done; show end`},
	{script: `case abc in a*) show yes;; *) show no;; esac`},
	{script: `case b in a|b) show ab;; c) show c;; esac`},
	{script: `case x in "*") show star;; [x-z]) show range;; esac`},
	{script: `case a in a) show 1;& b) show 2;; esac`, shells: "bash zsh"},
	{script: `{ show a; show b; }`},
	{script: `(x=1; show $x); show "${x-unset}"`},
	{script: `x=1; (x=2); show $x`},
	{script: `f() { show "$1" $#; }; f a b`},
	{script: `f() { local x=in; show $x; }; x=out; f; show $x`},
	{script: `f() { return; show no; }; f; show yes`},
	{script: `f() { set -- q; }; set -- p; f; show $1`},
	{script: `exit; show no`},
	{script: `set -e; false; show no`},
	{script: `set -e; false || true; show yes`},
	{script: `set -e; if false; then :; fi; show yes`},
	{script: `trap 'show bye' EXIT; show hi`},
	{script: `x='a b'; case $x in 'a b') show same;; esac`},
	{script: `while read -r l; do show "$l"; done <<EOF
one
two words
EOF`},
	{script: `printf 'a\nb\n' | while read x; do show $x; done`},
	{script: `echo 'k v w' | { read a b; show "$a" "$b"; }`},
	{script: `[[ abc == a* ]] && show yes; [[ abc == "a*" ]] || show no`, shells: "bash mksh zsh"},
	{script: `[[ -f a.txt && -d sub ]] && show both`, shells: "bash mksh zsh"},
	{script: `[ -f a.txt ] && show file; test -d sub && show dir`},
	{script: `[ 3 -gt 2 ] && show gt; [ a = a -a b = b ] && show and`},
	{script: `x=; [ -z "$x" ] && show empty; [ -n "a" ] && show full`},
	// Here-documents and redirections.
	{script: `x=1; cat <<EOF | while read l; do show "$l"; done
v=$x \$x $(echo sub)
EOF`},
	{script: `cat <<'EOF' | while read -r l; do show "$l"; done
v=$x \$x $(no)
EOF`},
	{script: `read x <<< 'here string'; show "$x"`, shells: "bash mksh zsh"},
	{script: `echo data > new; show "$(cat new)"`},
	{script: `echo a > n; echo b >> n; show "$(cat n)"`},
	{script: `cat <(echo proc) | { read x; show $x; }`, shells: "bash zsh"},
	{script: `printf -v x '%s-' a b; show $x`, shells: "bash"},
	// Code from data.
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
	{script: `printf 'show "$1"\n' > s.sh; . ./s.sh; sh s.sh arg`, differs: "bash sh mksh zsh"}, // an unset parameter stays a hole
	{script: `echo a b | xargs show`},
	{script: `printf 'a\0b c\0' | xargs -0 show`},
	{script: `printf '1\n2\n' | xargs -n1 show`},
	{script: `printf '1\n2\n' | xargs -I{} show x{}y`},
	{script: `env A=1 show a; nice show b; timeout 5 show c; command show d`},
	{script: `env -u HOME sh -c 'show ${HOME-none}'`, differs: "bash sh mksh zsh"},          // variables that env unsets are not modelled
	{script: `cd sub; show *; cd ..; show $(basename "$PWD")`, differs: "bash sh mksh zsh"}, // the directory's name is that of the test
	{script: `cd sub && show * && cd - >/dev/null && show *.txt`},
	{script: `set -- a b; for x; do show $x; done`},
	{script: `alias ll='show alias'
ll x`, shells: "sh mksh"},
	{script: `show "$(cd sub && ls)"`, differs: "bash sh mksh zsh"}, // ls is not computed
	{script: `: "${undefined:?no}"; show no`},
	{script: `set -u; show $undefined; show no`},
	{script: `x=abc; show "${x:-$(show inner)}"`},
	{script: `show ~ "~" a~ | cat >/dev/null; x=~/y; show $x`, differs: "bash sh mksh zsh"}, // HOME is that of the test
	{script: `show =a`, shells: "bash sh mksh"},
	{script: `noglob show *.txt`, shells: "zsh"},
	{script: `repeat 2 show r`, shells: "zsh", differs: "zsh"}, // a zsh loop that the parser does not know
	{script: `x='a b'; show ${=x}`, shells: "zsh"},
	{script: `x=/a/b.c; show ${x:h} ${x:t} ${x:r} ${x:e}`, shells: "zsh"},
	{script: `x=lower; show ${(U)x}`, shells: "zsh"},
}

// TestOracle runs every case in the real shells and in heed, and compares the
// words that `show` is called with.
func TestOracle(t *testing.T) {
	t.Parallel()
	assessor := assess.New()
	tools := showDir(t)
	for shell, binary := range binaries {
		path, err := exec.LookPath(binary)
		if err != nil {
			if os.Getenv("REQUIRE_SHELLS") == "1" {
				t.Errorf("%s is not installed", binary)
			}
			continue
		}
		t.Run(shell, func(t *testing.T) {
			t.Parallel()
			for _, c := range oracle {
				if c.shells != "" && !slices.Contains(strings.Fields(c.shells), shell) {
					continue
				}
				want := realCalls(t, tools, path, c.script)
				got := foreseen(t, assessor, shell, c.script)
				same := cmp.Equal(want, got)
				known := slices.Contains(strings.Fields(c.differs), shell)
				if !same && !known {
					t.Errorf("%s: %s\n(-real +heed)\n%s", shell, c.script, cmp.Diff(want, got))
				}
				if same && known && c.shells != "" {
					t.Errorf("%s: %s: marked as different, and is not", shell, c.script)
				}
			}
		})
	}
}

// showDir makes a directory that holds the program show. A child writes it: a
// process that forks at the same time would keep the file open for writing in
// its children for a moment, and what is open so cannot be run (execve(2),
// ETXTBSY; go.dev/issue/22315).
func showDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	c := exec.Command("sh", "-c", `cat > "$1" && chmod 755 "$1"`, "sh", filepath.Join(dir, "show"))
	c.Stdin = strings.NewReader("#!/bin/sh\n{ for w; do printf '%s\\037' \"$w\"; done; printf '\\036'; } >> \"$SHOW_LOG\"\n")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("writing show: %v\n%s", err, out)
	}
	return dir
}

// playground makes the directory that the scripts see, and a home.
func playground(t *testing.T) (dir, home string) {
	t.Helper()
	dir, home = t.TempDir(), t.TempDir()
	for name, text := range map[string]string{"a.txt": "alpha\n", "b.txt": "beta\n", "sub/x": "", "sub/y": "", ".hidden": ""} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir, home
}

// realCalls runs a script and returns the words of each call of show.
func realCalls(t *testing.T, tools, shell, script string) [][]string {
	t.Helper()
	dir, home := playground(t)
	log := filepath.Join(home, "log")
	args := []string{"-c", script}
	if strings.HasSuffix(shell, "zsh") {
		args = []string{"-f", "-c", script}
	}
	cmd := exec.Command(shell, args...)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + tools + ":/usr/bin:/bin", "HOME=" + home, "SHOW_LOG=" + log, "LC_ALL=C.UTF-8"}
	_ = cmd.Run() // some scripts fail on purpose
	text, _ := os.ReadFile(log)
	calls := [][]string{}
	for call := range strings.SplitSeq(strings.TrimSuffix(string(text), "\x1e"), "\x1e") {
		if len(text) == 0 {
			break
		}
		words := []string{}
		if call != "" {
			words = strings.Split(strings.TrimSuffix(call, "\x1f"), "\x1f")
		}
		calls = append(calls, words)
	}
	return calls
}

// foreseen returns the words of each call of show that heed sees.
func foreseen(t *testing.T, a *assess.Assessor, shell, script string) [][]string {
	t.Helper()
	dir, home := playground(t)
	req := risk.Request{Command: script, Shell: shell, Dir: dir, Env: map[string]string{"PATH": "/usr/bin:/bin", "HOME": home, "LC_ALL": "C.UTF-8"}}
	out, _, _ := a.Assess(t.Context(), host.New(home, "user").View(&req), req)
	if out.Error != "" {
		t.Errorf("%s: %s", script, out.Error)
	}
	calls := [][]string{}
	for _, inv := range out.Invocations {
		if inv.Argv[0] == "show" {
			calls = append(calls, append([]string{}, inv.Argv[1:]...))
		}
	}
	return calls
}
