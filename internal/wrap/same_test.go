package wrap

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// A sameCase is a command line of bash. in is its standard input; empty means
// the null device.
type sameCase struct {
	args []string
	in   string
	env  []string
}

// TestSameAsBash runs command lines with bash and with heed-sh in its place:
// both streams and the wait status must be the same, byte for byte.
func TestSameAsBash(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/bin/bash"); err != nil {
		t.Skip("needs /bin/bash")
	}
	cases := sameCases()
	if len(cases) < 200 {
		t.Errorf("only %d commands are compared", len(cases))
	}
	for i, c := range cases {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			run := func(file string) outcome {
				if err := os.RemoveAll(p.work); err != nil {
					t.Fatal(err)
				}
				if err := os.Mkdir(p.work, 0o700); err != nil {
					t.Fatal(err)
				}
				p.write(t, "script.sh", "echo script $0 \"$@\"; exit 9\n")
				p.write(t, "three", "one\ntwo\nthree\n")
				return p.startAs(t, file, c.in, c.env, append([]string{"/bin/bash"}, c.args...)...)
			}
			want := run("/bin/bash")
			got := run(p.sh())
			if got != want {
				t.Errorf("bash %q\n got %d %.300q %.300q\nwant %d %.300q %.300q", c.args, got.status, got.out, got.err, want.status, want.out, want.err)
			}
		})
	}
}

func text(args ...string) sameCase { return sameCase{args: append([]string{"-c"}, args...)} }

// sameCases are the command lines. All are harmless, and none is refused.
func sameCases() []sameCase {
	var all []sameCase
	for _, line := range strings.Split(strings.TrimSpace(sameTexts), "\n") {
		all = append(all, text(strings.ReplaceAll(line, "⏎", "\n")))
	}
	for _, code := range []int{0, 1, 2, 3, 5, 7, 42, 64, 77, 99, 100, 120, 125, 126, 127, 128, 129, 130, 137, 143, 200, 254, 255} {
		all = append(all, text(fmt.Sprintf("exit %d", code)), text(fmt.Sprintf("(exit %d)", code)))
	}
	return append(all, lineCases()...)
}

// lineCases are about the command line itself and what comes from outside.
func lineCases() []sameCase {
	return []sameCase{
		text("echo $0 $1 $2 $#", "name", "a", "b c"),
		text("echo \"$@\"", "n", "", "*", "$x", "-e", "--", "ü", "a\nb"),
		text("printf '%s|' \"$0\" \"$@\"", "-x", "-y"),
		{args: []string{"-ec", "false; echo no"}},
		{args: []string{"-uc", "echo $nothing_of_this_name; echo no"}},
		{args: []string{"-xc", "echo traced; v=1; echo $v"}},
		{args: []string{"-xec", "echo a; false; echo b"}},
		{args: []string{"-euo", "pipefail", "-c", "false | true; echo no"}},
		{args: []string{"-eu", "-o", "pipefail", "-c", "echo $-"}},
		{args: []string{"-fc", "echo *"}},
		{args: []string{"+B", "-c", "echo {a,b}"}},
		{args: []string{"-vc", "echo verbose"}},
		{args: []string{"-nc", "echo never"}},
		{args: []string{"-ac", "v=exported; env | grep ^v="}},
		{args: []string{"-Cc", "echo x > new; echo y > new; cat new"}},
		{args: []string{"-O", "extglob", "-c", "echo !(three)"}},
		{args: []string{"-O", "nullglob", "-c", "echo none*"}},
		{args: []string{"-O", "dotglob", "-c", "touch .hidden; echo *"}},
		{args: []string{"-c", "-e", "false; echo no"}},
		{args: []string{"-c", "--", "echo after dashes"}},
		{args: []string{"-c", "-", "echo after a dash"}},
		{args: []string{"-lc", "echo $0 $-; shopt -q login_shell && echo login"}},
		{args: []string{"-l", "-c", "echo $1", "n", "x"}},
		{args: []string{"--login", "-c", "echo login"}},
		{args: []string{"--norc", "--noprofile", "-c", "echo plain"}},
		{args: []string{"--noprofile", "-lc", "echo no profile"}},
		{args: []string{"--posix", "-c", "set -o | grep posix"}},
		{args: []string{"-posix", "-c", "set -o | grep posix"}},
		{args: []string{"-o", "posix", "-c", "set -o | grep posix"}},
		{args: []string{"-oc", "pipefail", "false | true; echo $?"}},
		{args: []string{"--verbose", "-c", "echo v"}},
		{args: []string{"--version"}},
		{args: []string{"--help"}},
		{args: []string{"script.sh", "a", "b c"}},
		{args: []string{"-e", "script.sh"}},
		{args: []string{"./script.sh", "-x"}},
		{args: []string{"--", "script.sh", "-c"}},
		{args: []string{"-", "script.sh"}},
		{args: []string{"missing.sh"}},
		{args: []string{"-x", "script.sh"}},
		{args: []string{"-s"}, in: "echo $0 $#; exit 5\n"},
		{args: []string{"-s", "a", "b"}, in: "echo $0 $# $1 $2"},
		{args: []string{"-s", "--", "-a"}, in: "echo $1"},
		{args: nil, in: "echo from standard input\nexit 6"},
		{args: nil, in: "cat\nthis is data\nand more"},
		{args: nil, in: "read x\nvalue\necho \"[$x]\""},
		{args: nil, in: "head -n 1\nfirst\necho second"},
		{args: nil, in: "cat <<'E'\nhere\nE\necho end"},
		{args: nil, in: "(exit 3)\necho $?\nkill -TERM $$"},
		{args: nil, in: "echo " + strings.Repeat("long-", 12000) + "\necho end"},
		{args: nil, in: "test -p /dev/stdin && echo pipe; ls /proc/self/fd | wc -l"},
		{args: []string{"-e"}, in: "echo a\nfalse\necho b"},
		{args: []string{"-x", "-s", "p"}, in: "echo $1"},
		{args: []string{"-c", "cat; echo end"}, in: "given\x00\xff\n"},
		{args: []string{"-c", "read a; read b; echo \"$b-$a\""}, in: "1\n2\n3\n"},
		{args: []string{"-c", "wc -c"}, in: strings.Repeat("x", 1<<20)},
		{args: []string{"-c", "read x; cat"}, in: "first\nthe rest\nstays\n"},
		{args: []string{"-c", "sort | uniq -c"}, in: "b\na\nb\n"},
		{args: []string{"-c", "true"}, in: "nobody reads this"},
		{args: []string{"-c", "printf 'echo made' > x.sh; sh x.sh; eval \"$(echo ZWNobyBkZWNvZGVkCg== | base64 -d)\""}, in: "nobody reads this"},
		{args: []string{"-c", "echo $V; env | grep ^V="}, env: []string{"V=a b\nc"}},
		{args: []string{"-c", "f 1 2"}, env: []string{"BASH_FUNC_f%%=() {  echo function $1 $2\n}"}},
		{args: []string{"-c", "env | sort | grep -v ^_="}},
		{args: []string{"-c", "echo $BASH_ENV"}, env: []string{"BASH_ENV=./script-that-is-not-there"}},
		{args: []string{"-xc", "echo ps4"}, env: []string{"PS4=>> "}},
		{args: []string{"-c", "echo $SHLVL"}, env: []string{"SHLVL=3"}},
		{args: []string{"-c", "shopt -o errexit; false; echo no"}, env: []string{"SHELLOPTS=errexit"}},
		{args: []string{"-c", "cd sub; pwd"}, env: []string{"CDPATH=/nowhere"}},
	}
}

// sameTexts are texts for -c, one a line; ⏎ stands for a new line.
const sameTexts = `
echo hello
echo -n no newline
echo -e 'a\tb\\c'
printf '%s\n' a b c
printf '\0\1\377'
printf 'no newline at the end'
echo to stderr >&2
echo out; echo err >&2; echo out again
true
false
! true
true && false
false || echo or
false; echo $?
(exit 300); echo $?
nosuchcommand_of_heed
./nosuchfile
/
echo $((1 + 2 * 3))
echo $((16#ff)) $((2**10))
let x=5+5; echo $x
x=5; ((x++)); echo $x
((0))
[[ abc == a* ]]
[[ abc =~ b(c) ]] && echo ${BASH_REMATCH[1]}
[ 1 -gt 2 ]
test -e three && echo there
echo {a,b}{1,2}
echo {1..10..3}
echo *
echo ?hree
ls
ls nosuchfile
cat three
cat < three
cat three | head -n 1
cat three | tail -n 1 | tr a-z A-Z
head -n 2 three; echo $?
wc -l three
sort -r three
grep t three
grep -c nothing three
grep nothing three; echo $?
sed s/o/0/g three
awk '{print NR": "$0}' three
cut -c1 three
rev three
paste -sd, three
tr -d '\n' < three
seq 1 5
seq 100000 | tail -n 1
seq 1 100000
yes | head -n 3
yes | head -c 100000 | wc -c
head -c 300000 /dev/zero
head -c 100000 /dev/zero | cksum
false | true; echo ${PIPESTATUS[@]}
true | false
set -o pipefail; false | true
set -e; false; echo no
set -e; false || true; echo yes
set -u; echo $not_set_anywhere; echo no
set -f; echo *
set -x; echo traced
set -- a b c; echo $# $2
shopt -s nullglob; echo none*
x=1; y=$x; echo "$y$x"
x='a  b'; echo $x; echo "$x"
x=abcdef; echo ${x:2:3} ${#x} ${x/b/B} ${x^^}
echo ${nothing:-default}
echo ${nothing:?message}
a=(1 2 3); echo ${a[1]} ${#a[@]}
declare -A m; m[k]=v; echo ${m[k]}
readonly r=1; r=2; echo no
local x
export V=exported; env | grep ^V=
V=one env | grep ^V=
unset HOME; echo "[$HOME]"
echo "$HOME" | wc -l
f() { echo in f $1; return 3; }; f x; echo $?
f() { local x=1; echo $x; }; f; echo "[$x]"
f() { f2; }; f2() { echo ${FUNCNAME[1]}; }; f
for i in 1 2 3; do echo $i; done
for ((i=0;i<3;i++)); do echo $i; done
i=0; while [ $i -lt 3 ]; do echo $i; i=$((i+1)); done
until true; do echo no; done
for i in 1 2 3; do [ $i = 2 ] && continue; echo $i; done
for i in 1 2 3; do [ $i = 2 ] && break; echo $i; done
case abc in a*) echo yes;; *) echo no;; esac
case x in a) echo a;; esac
if false; then echo a; elif true; then echo b; fi
echo $(echo sub)
echo "$(printf 'a\nb\n\n')"
echo ~ | wc -l
cat <<E⏎here $((1+1))⏎E
cat <<'E'⏎not $expanded⏎E
cat <<-E⏎	tabs⏎	E
cat <<< here-string
cat <(echo process substitution)
diff <(echo a) <(echo b)
echo a > out; cat out
echo a > out; echo b >> out; cat out
echo a >&2 2>&1
{ echo a; echo b >&2; } 2>&1
{ echo a; echo b >&2; } 2>/dev/null
exec 3>&1; echo three >&3
exec 3< three; read x <&3; echo $x
exec 4<> three; cat <&4
echo closed >&-
cat <&-
echo x >&9
exec 2>&1; echo x >&2
exec > out; echo x; cat out >&2
exec echo replaced
exec nosuchcommand_of_heed
trap 'echo bye' EXIT; exit 4
trap 'echo bye' EXIT; echo hi
trap 'echo got' USR1; kill -USR1 $$; echo after
trap 'echo term; exit 3' TERM; kill -TERM $$; sleep 1; echo no
trap '' TERM; kill -TERM $$; echo still here
trap 'echo err' ERR; false; true
trap 'echo int' INT; kill -INT $$; echo on
trap -p
kill -TERM $$
kill -KILL $$
kill -HUP $$
kill -INT $$
kill -USR1 $$
kill -ALRM $$
kill -SEGV $$
kill -PIPE $$
kill -ABRT $$
(kill -TERM $BASHPID); echo $?
sleep 0.01 & wait; echo waited
sleep 0.01 & wait $!; echo $?
(exit 7) & wait $!; echo $?
echo bg & wait
jobs
{ sleep 0.01; echo late; } & echo early; wait
coproc cat; echo x >&${COPROC[1]}; read y <&${COPROC[0]}; echo $y
umask
umask 077; touch f; stat -c %a f
umask 022; mkdir d; stat -c %a d
ulimit -n
ulimit -c 0; ulimit -c
ulimit -f 1; ulimit -f
ulimit -a
pwd | wc -l
cd /; pwd
cd nosuchdir
mkdir a; cd a && cd ..; basename $PWD
mkdir -p a/b/c; find a | sort
touch x; mv x y; ls
cp three four; cmp three four
ln -s three l; readlink l
pushd / > /dev/null; popd > /dev/null; basename $PWD
echo $0
echo $-
echo $BASH_EXECUTION_STRING
echo $BASH
echo $BASH_SUBSHELL; (echo $BASH_SUBSHELL)
echo ${BASH_VERSINFO[0]}
echo $SHELLOPTS
echo $BASHOPTS
echo $SHELL
echo $SHLVL
echo $IFS | od -c
echo $OPTIND $PPID | wc -w
echo $LINENO⏎echo $LINENO
caller; echo $?
type cd; type -t ls; command -v cat
hash; echo $?
alias; echo $?
getopts ab: o -a -b x; echo $o
IFS=: read a b <<< 1:2; echo $b $a
mapfile -t lines < three; echo ${lines[2]}
printf -v v %03d 7; echo $v
select x in a b; do echo $x; break; done < /dev/null
time -p true 2>/dev/null
times > /dev/null; echo $?
date -u -d @0 +%Y
expr 1 + 1
expr 1 = 2
basename /a/b/c .c
dirname /a/b/c
echo a b c | xargs -n1 echo item
echo cGxhaW4= | base64 -d
echo x | tee copy; cat copy
env -i A=1 env
nice -n 5 nice
timeout 1 true; echo $?
timeout 0.05 sleep 1; echo $?
command echo command
builtin echo builtin
eval 'echo evaluated'
. ./script.sh a
source ./script.sh; echo no
bash -c 'echo nested $0 $1' n x
bash script.sh nested
sh -c 'echo sh'
sh -c 'exit 8'; echo $?
echo 'echo piped' | bash
echo "ünïcödé" '日本'
echo a	tab
# only a comment
   
:
echo 'if' then fi
`
