//go:build linux || darwin

package prompt

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/heedsh/heed/internal/ownfile"
)

// TestShells drives each shell in tmux, as a person would.
func TestShells(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		only string // the shell that it is about; "" for all
		env  []string
		do   func(w *window)
	}{
		"safe": {do: func(w *window) {
			w.line("echo one-two")
			w.wait(`(?m)^one-two$`)
			w.settled()
			w.without("[SAFE]")
			w.without("[")
			if n := strings.Count(w.shown(), "p>"); n != 2 {
				w.t.Errorf("%d prompts:\n%s", n, w.shown())
			}
		}},
		"caution": {do: func(w *window) {
			w.line("mkdir out")
			w.wait(`(?m)^p> mkdir out\n\[CAUTION\] .*\np>`)
			w.until("it is made", func() bool { return w.there("out") })
		}},
		"review left": {do: func(w *window) {
			w.line("rm -rf keep")
			w.wait(`(?s)p> rm -rf keep\n\[REVIEW\] Deletes .*Ctrl-X o runs it`)
			for range 4 {
				w.keys("Enter")
				time.Sleep(300 * time.Millisecond)
			}
			time.Sleep(time.Second)
			w.wait(`Ctrl-X o runs it`)
			w.keys("C-c")
			time.Sleep(time.Second) // fish draws its prompt anew, and drops what comes before
			w.line("echo after")
			w.wait(`(?m)^after$`)
			if !w.there("keep/file") {
				w.t.Error("it ran")
			}
		}},
		"review confirmed": {do: func(w *window) {
			w.line("rm -rf keep")
			w.wait(`Ctrl-X o runs it`)
			w.confirm()
			w.until("it is gone", func() bool { return !w.there("keep") })
			w.line("echo after")
			w.wait(`(?m)^after$`)
			w.until("the log says who", func() bool { return strings.Contains(w.kept(), `"by":"person"`) })
		}},
		"review edited": {do: func(w *window) {
			w.line("rm -rf keep")
			w.wait(`Ctrl-X o runs it`)
			time.Sleep(500 * time.Millisecond) // nobody reads faster; what comes before is dropped, as in "too early"
			w.keys("/", "f", "i", "l", "e")
			w.wait(`keep/file`)
			w.confirm() // another line than the one that was shown
			time.Sleep(300 * time.Millisecond)
			if !w.there("keep/file") {
				w.t.Error("it ran")
			}
		}},
		"preview": {env: []string{"PREVIEWS=1"}, do: func(w *window) {
			if w.shell == "fish" {
				return // whose lines no other shell is given
			}
			w.keys("C-x", "p")
			w.wait(`nothing waits for this key`)
			w.keys("C-u")
			w.line("rm -rf keep")
			w.wait(`Ctrl-X p shows what it would change`)
			time.Sleep(500 * time.Millisecond) // what comes before is dropped
			w.keys("C-x", "p")
			w.wait(`previewed .*"-c" "rm -rf keep"`)
			w.wait(`apply\?`)
			w.line("not-now")
			w.wait(`answered not-now`)
			if !w.there("keep/file") {
				w.t.Error("it ran")
			}
			time.Sleep(500 * time.Millisecond)
			w.confirm() // it waits as before
			w.until("it is gone", func() bool { return !w.there("keep") })
		}},
		"too early": {only: "zsh", do: func(w *window) {
			w.paste("rm -rf keep\n\x18o", false)
			w.wait(`Ctrl-X o runs it`)
			time.Sleep(500 * time.Millisecond)
			if !w.there("keep/file") {
				w.t.Errorf("it ran:\n%s", w.shown())
			}
		}},
		"more lines": {do: func(w *window) {
			if w.shell == "fish" {
				w.line("for i in 1 2")
				w.line("echo n$i")
				w.line("end")
			} else {
				w.line("for i in 1 2")
				w.line("do echo n$i; done")
			}
			w.wait(`(?m)^n1\nn2$`)
			if w.shell == "fish" {
				return
			}
			w.line("if true")
			w.line("then rm -rf keep")
			w.line("fi")
			w.wait(`Ctrl-X o runs it`)
			w.confirm()
			w.until("it is gone", func() bool { return !w.there("keep") })
			w.line("cat <<X")
			w.line("rm -rf /")
			w.line("X")
			w.wait(`(?m)^rm -rf /\np>`)
		}},
		"paste": {do: func(w *window) {
			w.paste("echo first-line\necho second-line", true)
			time.Sleep(300 * time.Millisecond)
			w.keys("Enter")
			w.wait(`(?m)^first-line\n(p>.*\n)?second-line$`)
			w.settled()
			w.paste("rm -rf keep\nrm -rf keep\n", true)
			time.Sleep(300 * time.Millisecond)
			w.keys("Enter")
			w.wait(`Ctrl-X o runs it`)
			if !w.there("keep/file") {
				w.t.Error("it ran")
			}
		}},
		"paste without brackets": {do: func(w *window) {
			w.paste("rm -rf keep\necho second-line\n\n\n", false)
			w.wait(`Ctrl-X o runs it`)
			time.Sleep(500 * time.Millisecond)
			if !w.there("keep/file") {
				w.t.Errorf("it ran:\n%s", w.shown())
			}
		}},
		"history": {do: func(w *window) {
			w.line("echo again-$USER")
			w.wait(`(?m)^again-`)
			w.settled()
			w.keys("Up")
			w.wait(`(?s)p> echo again-\$USER.*p> echo again-\$USER`)
			w.keys("Enter")
			w.until("it ran twice", func() bool { return strings.Count(w.shown(), "\nagain-") == 2 })
			if w.shell == "fish" {
				return
			}
			w.line("!!")
			w.until("it ran three times", func() bool { return strings.Count(w.shown(), "\nagain-") == 3 })
			w.line("echo keep")
			w.wait(`(?m)^keep$`)
			w.line("rm -rf !$") // what it comes to is judged
			w.wait(`(?s)\[REVIEW\] Deletes .*keep`)
		}},
		"search": {do: func(w *window) {
			w.line("echo look-for-this")
			w.wait(`(?m)^look-for-this$`)
			w.settled()
			w.keys("C-r")
			w.typed("look-for")
			time.Sleep(300 * time.Millisecond)
			w.keys("Enter")
			if w.shell == "fish" {
				time.Sleep(300 * time.Millisecond)
				w.keys("Enter") // the first takes it from the list
			}
			w.until("it ran twice", func() bool { return strings.Count(w.shown(), "\nlook-for-this") == 2 })
		}},
		"vi": {do: func(w *window) {
			w.line(map[string]string{"bash": "set -o vi", "zsh": "bindkey -v", "fish": "fish_vi_key_bindings"}[w.shell])
			if w.shell == "fish" {
				w.wait(`CAUTION`)
			}
			time.Sleep(300 * time.Millisecond)
			w.line("echo insert-mode")
			w.wait(`(?m)^insert-mode$`)
			w.typed("echo Xommand-mode")
			w.keys("Escape")
			time.Sleep(200 * time.Millisecond)
			w.keys("0", "f", "X", "r", "c")
			w.wait(`echo command-mode`)
			w.keys("Enter")
			w.wait(`(?m)^command-mode$`)
			time.Sleep(200 * time.Millisecond)
			if w.shell == "fish" {
				w.keys("i") // it stays in the mode that it was in
			}
			w.typed("rm -rf keep")
			w.keys("Escape")
			time.Sleep(200 * time.Millisecond)
			w.keys("Enter")
			w.wait(`Ctrl-X o runs it`)
			w.confirm()
			w.until("it is gone", func() bool { return !w.there("keep") })
		}},
		"helper killed": {do: func(w *window) {
			pid, err := strconv.Atoi(w.helper())
			if err != nil {
				w.t.Fatal(err)
			}
			if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
				w.t.Fatal(err)
			}
			w.line("rm -rf keep")
			w.wait(`Ctrl-X o runs it`)
			w.confirm()
			w.until("it is gone", func() bool { return !w.there("keep") })
			w.until("there is another", func() bool { return w.helper() != strconv.Itoa(pid) })
			w.line("mkdir out")
			w.wait(`(?m)^\[CAUTION\] Creates`)
		}},
		"helper silent": {do: func(w *window) {
			pid, err := strconv.Atoi(w.helper())
			if err != nil {
				w.t.Fatal(err)
			}
			if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
				w.t.Fatal(err)
			}
			w.line("rm -rf keep") // one process says it in its place
			w.wait(`Ctrl-X o runs it`)
			w.keys("C-c")
			w.until("there is another", func() bool {
				w.keys("e", "c", "h", "o", "Enter")
				time.Sleep(time.Second)
				return w.helper() != "" && w.helper() != strconv.Itoa(pid)
			})
			w.line("mkdir out")
			w.wait(`(?m)^\[CAUTION\] Creates`)
		}},
		"helper stopped in an answer": {do: func(w *window) {
			pid := w.helper()
			w.write(filepath.Join(w.home, "stop"), "")
			w.line("rm -rf keep")
			w.wait(`Ctrl-X o runs it`)
			if _, err := os.Stat(filepath.Join(w.home, "stop")); err == nil {
				w.t.Error("it was not stopped")
			}
			w.confirm()
			w.until("it is gone", func() bool { return !w.there("keep") })
			w.until("there is another", func() bool {
				w.keys("e", "c", "h", "o", "Enter")
				time.Sleep(time.Second)
				return w.helper() != "" && w.helper() != pid
			})
			if n, err := strconv.Atoi(pid); err != nil || runs(n) {
				w.t.Errorf("the one that was stopped, %s, is still there: %v", pid, err)
			}
		}},
		"no answer": {do: func(w *window) {
			if pid, err := strconv.Atoi(w.helper()); err == nil {
				_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended
			}
			if err := os.Remove(w.heed); err != nil {
				w.t.Fatal(err)
			}
			w.write(w.heed, "#!/bin/sh\nexec sleep 60\n")
			if err := os.Chmod(w.heed, 0o700); err != nil {
				w.t.Fatal(err)
			}
			w.line("echo ran-$TERM")
			w.wait(`\[CAUTION\] heed did not answer`)
			w.without("ran-screen")
			time.Sleep(400 * time.Millisecond)
			w.keys("Enter")
			w.wait(`(?m)^ran-screen$`)
			w.paste("echo not-$TERM\n\n\n", false) // no Enter that was pasted counts
			w.wait(`(?s)ran-screen.*heed did not answer`)
			time.Sleep(time.Second)
			w.without("not-screen")
		}},
		"heed missing": {do: func(w *window) {
			if err := os.Remove(w.heed); err != nil {
				w.t.Fatal(err)
			}
			if w.shell != "fish" {
				w.line("echo works-$((1+1))")
			} else {
				w.line("echo")
			}
			if w.shell == "fish" {
				w.settled()
				w.line("echo works-2")
			}
			w.wait(`is gone: lines run and are not judged`)
			w.wait(`(?m)^works-2$`)
			w.line("mkdir out")
			w.until("it is made", func() bool { return w.there("out") })
		}},
		"interrupted": {do: func(w *window) {
			w.typed("echo half of a")
			w.keys("C-c")
			time.Sleep(200 * time.Millisecond)
			w.line("sleep 60")
			time.Sleep(500 * time.Millisecond)
			w.keys("C-c")
			time.Sleep(200 * time.Millisecond)
			w.line("echo after")
			w.wait(`(?m)^after$`)
			w.line("rm -rf keep")
			w.wait(`Ctrl-X o runs it`)
		}},
		"interrupted while it is judged": {do: func(w *window) {
			if pid, err := strconv.Atoi(w.helper()); err == nil {
				_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended
			}
			heed := w.heed + "-real"
			if err := os.Rename(w.heed, heed); err != nil {
				w.t.Fatal(err)
			}
			w.write(w.heed, "#!/bin/sh\nexec sleep 60\n")
			if err := os.Chmod(w.heed, 0o700); err != nil {
				w.t.Fatal(err)
			}
			w.typed("rm -rf keep")
			w.keys("Enter")
			time.Sleep(900 * time.Millisecond)
			w.keys("C-c")
			w.settled() // the line is gone, as it is in a shell without heed
			if err := os.Rename(heed, w.heed); err != nil {
				w.t.Fatal(err)
			}
			w.confirm() // nothing waits for it
			time.Sleep(300 * time.Millisecond)
			w.until("there is another helper", func() bool {
				w.keys("C-u", "e", "c", "h", "o", "Enter")
				time.Sleep(time.Second)
				return w.helper() != ""
			})
			w.line("echo after")
			w.wait(`(?m)^after$`)
			if !w.there("keep/file") {
				w.t.Error("it ran")
			}
		}},
		"interrupted at any moment": {do: func(w *window) {
			for i := range 8 {
				w.line("rm -rf keep")
				time.Sleep(time.Duration(i*i) * 4 * time.Millisecond)
				w.keys("C-c")
				time.Sleep(700 * time.Millisecond)
				w.keys("C-c") // fish takes none while it draws its prompt
				time.Sleep(300 * time.Millisecond)
				w.keys("C-l")
				w.settled()
				w.line(fmt.Sprint("echo after-", i))
				w.wait(fmt.Sprint(`(?m)^after-`, i, `$`))
			}
			if !w.there("keep/file") {
				w.t.Error("it ran")
			}
		}},
		"hidden": {do: func(w *window) {
			w.line(` \mkdir out`)
			w.until("it is made", func() bool { return w.there("out") })
			w.settled()
			w.without("CAUTION")
			w.until("it is logged", func() bool { return strings.Contains(w.kept(), `typed.hidden`) })
			w.line(` \rm -rf keep`)
			w.wait(`\[REVIEW\] Deletes`)
		}},
		"an agent hides nothing": {env: []string{"CLAUDECODE=1"}, do: func(w *window) {
			if w.shell == "fish" {
				return
			}
			w.line(` \mkdir out`)
			w.wait(`\[CAUTION\] Creates`)
			w.until("it is made", func() bool { return w.there("out") })
			w.line("rm -rf keep")
			w.wait(`It is not run: only a person may do this, and Claude Code is at work here`)
			w.confirm()
			time.Sleep(300 * time.Millisecond)
			if !w.there("keep/file") {
				w.t.Error("an agent confirmed it")
			}
		}},
		"what the shell has": {do: func(w *window) {
			if w.shell == "fish" {
				w.line("function whoami; touch made; end")
				w.settled()
				w.line("whoami")
				w.wait(`(?m)^p> whoami\n\[CAUTION\] Runs fish code`)
				w.settled()
				w.line("set D keep")
				w.settled()
				w.line("rm -rf $D")
				w.wait(`(?s)\[REVIEW\] Deletes .*keep`)
				return
			}
			w.line("alias gone='rm -rf' ; see() { ls -a \"$@\"; } ; D=keep")
			w.settled()
			w.keys("C-l")
			w.line("see keep")
			w.wait(`(?m)^p> see keep\n\.`)
			w.line("gone $D")
			w.wait(`(?s)\[REVIEW\] Deletes .*keep`)
		}},
		"an abbreviation": {only: "fish", do: func(w *window) {
			w.line("abbr -a gone 'rm -rf keep'")
			w.settled()
			w.typed("gone")
			w.keys("Enter") // which makes it longer
			w.wait(`p> rm -rf keep`)
			w.keys("Enter")
			w.wait(`(?s)\[REVIEW\] Deletes .*keep`)
			if !w.there("keep/file") {
				w.t.Error("it ran")
			}
		}},
		"other ways to accept": {do: func(w *window) {
			for i, keys := range [][]string{{"C-j"}, {"C-o"}, {"Escape", "a"}} {
				if w.shell == "fish" && i > 0 || w.shell == "bash" && i > 1 {
					continue
				}
				w.typed("rm -rf keep")
				w.keys(keys...)
				w.wait(`Ctrl-X o runs it`)
				time.Sleep(300 * time.Millisecond)
				w.keys("C-c")
				time.Sleep(300 * time.Millisecond)
				w.keys("C-l")
				w.settled()
			}
			if !w.there("keep/file") {
				w.t.Error("it ran")
			}
		}},
		"reading a line": {only: "bash", do: func(w *window) {
			w.line("read -e -p 'say: ' X; echo got-$X")
			w.wait(`(?m)^say:`)
			w.line("rm -rf keep")
			w.wait(`(?m)^got-rm -rf keep$`)
		}},
		"the last word": {only: "bash", do: func(w *window) {
			w.line("echo one two")
			w.wait(`(?m)^one two$`)
			w.line("echo last-$_")
			w.wait(`(?m)^last-two$`)
			w.line("false")
			w.settled()
			w.line("echo code-$?")
			w.wait(`(?m)^code-1$`)
		}},
		"strict options": {do: func(w *window) {
			if w.shell == "fish" {
				return
			}
			w.line(map[string]string{"bash": "unset PROMPT_COMMAND; set -eu; IFS=e", "zsh": "setopt err_exit no_unset ksh_arrays sh_word_split; IFS=e"}[w.shell])
			w.settled()
			w.line("mkdir out")
			w.wait(`(?m)^\[CAUTION\] Creates`)
			w.line("rm -rf keep")
			w.wait(`Ctrl-X o runs it`)
			w.confirm()
			w.until("it is gone", func() bool { return !w.there("keep") })
			w.line("echo after")
			w.wait(`(?m)^after$`)
		}},
		"no editing": {only: "bash", env: []string{"HEED_TEST_ARGS=--noediting"}, do: func(w *window) {
			w.keys(strings.Split("echo Space one", " ")...)
			w.keys("Enter")
			w.wait(`(?m)^one$`)
			w.without("CAUTION")
			w.line("mkdir out")
			w.wait(`(?m)^\[CAUTION\] Creates`)
			w.until("it is made", func() bool { return w.there("out") })
			w.line("echo one two")
			w.wait(`(?m)^one two$`)
			w.line("(rm -rf keep); echo also-$_")
			w.wait(`Type run-\d+ to run it:\s*\z`)
			w.keys("Enter")
			w.wait(`(?m)^also-two$`)
			if !w.there("keep/file") {
				w.t.Fatalf("it ran:\n%s", w.shown())
			}
			w.line("f() { rm -rf keep; }")
			w.line("for i in 1; do f; done")
			w.wait(`(?s)also-.*Type run-\d+ to run it:\s*\z`)
			time.Sleep(settles + 100*time.Millisecond)
			s := w.shown()
			at := strings.LastIndex(s, "Type run-")
			w.line(strings.Fields(s[at+len("Type "):])[0])
			w.until("it is gone", func() bool { return !w.there("keep") })
			w.write(filepath.Join(w.work, "out/file"), "x\n")
			w.line("clear")
			w.wait(`\Ap>\s*\z`)
			w.paste("rm -rf out\necho second-line\n\n", false)
			w.wait(`(?s)rm -rf out.*Type run-\d+ to run it:`)
			time.Sleep(500 * time.Millisecond)
			if !w.there("out/file") {
				w.t.Errorf("it ran:\n%s", w.shown())
			}
		}},
		"comments": {only: "zsh", do: func(w *window) {
			w.line("echo a # ; rm -rf keep") // zsh reads no comments at a prompt
			w.wait(`\[REVIEW\] Deletes`)
		}},
		"another process has the helper's number": {do: func(w *window) {
			pid, err := strconv.Atoi(w.helper())
			if err != nil {
				w.t.Fatal(err)
			}
			if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
				w.t.Fatal(err)
			}
			other := exec.Command("sleep", "600")
			if err := other.Start(); err != nil {
				w.t.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() { ended <- other.Wait() }()
			files, err := filepath.Glob(filepath.Join(w.home, ".local/state/heed/shell-*/pid"))
			if err != nil || len(files) != 1 {
				w.t.Fatal(files, err)
			}
			text, err := os.ReadFile(files[0])
			if err != nil {
				w.t.Fatal(err)
			}
			w.write(files[0], strings.ReplaceAll(string(text), strconv.Itoa(pid), strconv.Itoa(other.Process.Pid)))
			w.line("rm -rf keep")
			w.wait(`Ctrl-X o runs it`)
			w.confirm()
			w.until("it is gone", func() bool { return !w.there("keep") })
			w.until("there is another", func() bool {
				w.keys("e", "c", "h", "o", "Enter")
				time.Sleep(time.Second)
				return w.helper() != "" && w.helper() != strconv.Itoa(other.Process.Pid)
			})
			select {
			case err := <-ended:
				w.t.Errorf("it was ended: %v", err)
			default:
				_ = other.Process.Kill() // it is there
			}
		}},
	} {
		for _, shell := range shells() {
			if c.only != "" && c.only != shell {
				continue
			}
			t.Run(name+"/"+shell, func(t *testing.T) {
				t.Parallel()
				w := open(t, shell, c.env...)
				c.do(w)
			})
		}
	}
}

// runs reports whether a process is there and not one that has ended and that its parent,
// which no test has a hand in, has not looked after.
func runs(pid int) bool {
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	return alive(pid) && (err != nil || !strings.Contains(string(stat), ") Z "))
}

// TestHelperGone: a helper that dies after a shell has found it there, and before it is asked.
func TestHelperGone(t *testing.T) {
	t.Parallel()
	for shell, rc := range map[string]string{
		"bash": `eval "_was$(declare -f _heed_lives)"; _heed_lives() { _was_heed_lives && kill -9 $_heed_pid && sleep 0.2; }`,
		"zsh":  `functions -c _heed-lives _was; _heed-lives() { _was && kill -9 $_heed_pid && sleep 0.2; }`,
		"fish": `functions -c _heed_lives _was; function _heed_lives; _was; and command kill -9 (head -n 1 $_heed_dir/pid); and command sleep 0.2; end`,
	} {
		t.Run(shell, func(t *testing.T) {
			t.Parallel()
			w := open(t, shell, "HEED_TEST_RC="+rc)
			pid, err := strconv.Atoi(w.helper())
			if err != nil {
				t.Fatal(err)
			}
			w.line("rm -rf keep")
			w.wait(`Ctrl-X o runs it`)
			if runs(pid) {
				t.Error("it did not die")
			}
			w.confirm()
			w.until("it is gone", func() bool { return !w.there("keep") })
		})
	}
}

// TestReplace: of those that have a lock only the one that signed it is ended, and only
// where its shell has given up on it.
func TestReplace(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		pid   string // in the file of that name
		since string // in the lock; "" for the right one
		ends  bool
	}{
		"given up":         {ends: true},
		"asked":            {pid: "1234\n"},
		"another's number": {since: "1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			other := exec.Command("sleep", "600")
			if err := other.Start(); err != nil {
				t.Fatal(err)
			}
			ended := make(chan struct{})
			go func() { other.Wait(); close(ended) }()
			defer other.Process.Kill()
			dir := t.TempDir()
			root, err := ownfile.Dir(filepath.Join(dir, "x"), true)
			if err != nil {
				t.Fatal(err)
			}
			defer root.Close()
			var locks [2]*os.File // flock(2): they count as two processes'
			for i := range locks {
				if locks[i], _, err = ownfile.Open(root, lockName, os.O_RDWR|os.O_CREATE); err != nil {
					t.Fatal(err)
				}
				defer locks[i].Close()
			}
			if taken, err := ownfile.TryLock(locks[0], false); err != nil || !taken {
				t.Fatal(taken, err)
			}
			since := c.since
			if since == "" {
				since = started(other.Process.Pid)
			}
			if _, err := fmt.Fprintf(locks[0], "%d %s", other.Process.Pid, since); err != nil {
				t.Fatal(err)
			}
			if err := ownfile.Put(root, pidName, []byte(c.pid)); err != nil {
				t.Fatal(err)
			}
			if c.ends {
				go func() { <-ended; locks[0].Close() }()
			}
			taken, err := replace(root, locks[1])
			if err != nil || taken != c.ends {
				t.Errorf("taken: %v, %v", taken, err)
			}
			select {
			case <-ended:
				if !c.ends {
					t.Error("it was ended")
				}
			default:
				if c.ends {
					t.Error("it was not ended")
				}
			}
		})
	}
}

// TestNu drives nushell, where a badge is shown when a line starts, and nothing waits.
// npm has nushell as a package of that name.
func TestNu(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("nu"); err != nil {
		t.Skip("nu is missing")
	}
	for name, do := range map[string]func(w *window){
		"safe": func(w *window) {
			w.line("echo one-two")
			w.wait(`(?m)^one-two$`)
			w.line("ls")
			w.wait(`keep.*dir`)
			w.settled()
			w.without("[")
		},
		"caution": func(w *window) {
			w.line("mkdir out")
			w.wait(`(?m)^p> mkdir out\n\[CAUTION\] Creates .*\np>`)
			w.until("it is made", func() bool { return w.there("out") })
		},
		"review": func(w *window) {
			w.line("rm -rf keep")
			w.wait(`(?s)p> rm -rf keep\n\[REVIEW\] Deletes \./keep and all in it.*It runs: nu waits for nobody`)
			w.until("it is gone", func() bool { return !w.there("keep") })
			w.without("Ctrl-X")
			w.until("the log says that it began", func() bool { return strings.Contains(w.kept(), `"started"`) })
			if strings.Contains(w.kept(), `"asked"`) {
				w.t.Errorf("nobody was asked: %s", w.kept())
			}
		},
		"a program": func(w *window) {
			w.line("^rm -rf keep")
			w.wait(`\[REVIEW\] Deletes \./keep and all in it`)
		},
		"names of a person's own": func(w *window) {
			w.line("def git [x] { $x }")
			w.wait(`p> def .*\n\[CAUTION\] Runs nu code`)
			w.line("git status")
			w.wait(`p> git status\n\[CAUTION\] Runs nu code`)
			w.line("alias whoami = ^rm -rf")
			w.line("whoami keep")
			w.wait(`p> whoami keep\n\[CAUTION\] Runs nu code`)
		},
		"no answer": func(w *window) {
			if err := os.Remove(w.heed); err != nil {
				w.t.Fatal(err)
			}
			w.write(w.heed, "#!/bin/sh\nexec sleep 60\n")
			if err := os.Chmod(w.heed, 0o700); err != nil {
				w.t.Fatal(err)
			}
			w.line("mkdir out")
			w.wait(`\[CAUTION\] heed did not answer`)
			w.until("it is made", func() bool { return w.there("out") })
		},
		"heed missing": func(w *window) {
			if err := os.Remove(w.heed); err != nil {
				w.t.Fatal(err)
			}
			w.line("mkdir out")
			w.until("it is made", func() bool { return w.there("out") })
			w.without("[")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			do(open(t, "nu"))
		})
	}
}
