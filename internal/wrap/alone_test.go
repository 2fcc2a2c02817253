package wrap

import "testing"

// TestAlone: what changes the shell that it is written for, or asks it for what others do
// not know, is not run in another one.
func TestAlone(t *testing.T) {
	t.Parallel()
	env := map[string]string{"HOME": "/h", "X": "y"}
	for text, want := range map[string]bool{
		"ls": true, "ls -l src": true, "git log | head -3": true, "cat a && cat b; wc -l c": true, "LC_ALL=C sort a": true, "echo hi >/dev/null 2>&1": true,
		"(ls)": true, "{ ls; }": true, "if [ -f a ]; then cat a; fi": true, "while false; do ls; done": true, "ls $HOME": true, `cat "${X}"`: true, "cat <(ls)": true,
		"echo $(git rev-parse HEAD)": true, "! grep -q x a": true, "case $X in y) ls;; esac": true, "cat <<E\n$HOME\nE": true, "/bin/ls": true, "./tool": true,
		"": false, "# nothing": false, "ls (": false,
		"cd src": false, "cd src && ls": false, "(cd src && ls)": false, "pushd /": false, "export A=1": false, "A=1": false, "A=1; ls": false, "declare -x A=1": false,
		"source env.sh": false, ". ./env.sh": false, "alias l=ls": false, "set -e; ls": false, "shopt -s nullglob": false, "setopt nullglob": false, "trap ls EXIT": false,
		"sleep 9 &": false, "ls & wait": false, "(sleep 9 &)": false, "coproc ls": false, "f() { ls; }": false, "exec ls": false, "eval ls": false, "command cd /": false,
		"builtin cd /": false, "read x <a": false, "printf -v x y": false, "umask 0": false, "exit": false, "ls; exit 3": false, "kill %1": false, "jobs": false, "history": false,
		"let x=1": false, "((x=1))": false, "echo $((x=1))": false, "echo ${x:=1}": false, "echo ${X:=1}": false, "for f in a; do cat $f; done": false,
		"echo $?": false, "echo $unset": false, "echo $1": false, "$X": false, "\\cd /": false, "'cd' /": false, `c"d" /`: false, "type ls": false, "unset X": false, "ls {fd}>a": false,
		"time cd /": false, "ls | read x": false, "echo `cd /`": false, "test -f a || . b": false,
	} {
		if got := Alone(text, "bash", env); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
	if !Alone("ls", "zsh", env) || Alone("cd /", "zsh", env) || Alone("ls", "fish", env) {
		t.Error("other shells")
	}
}
