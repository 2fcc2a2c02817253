package shellargs_test

import (
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/heedsh/heed/internal/wrap/shellargs"
)

type line = shellargs.Line

func TestParse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		shell, words string // words are separated by one space
		want         line
	}{
		{"bash", "-c ls", line{Text: "ls"}},
		{"bash", "-c ls a -b", line{Text: "ls", Args: []string{"a", "-b"}}},
		{"bash", "-lc ls", line{Text: "ls", Login: true}},
		{"bash", "-xec ls", line{Text: "ls", Trace: true, Set: []string{"-x", "-e"}}},
		{"bash", "-euo pipefail -c ls", line{Text: "ls", Set: []string{"-e", "-u", "-o", "pipefail"}}},
		{"bash", "-oc pipefail ls", line{Text: "ls", Set: []string{"-o", "pipefail"}}},
		{"bash", "-c -o pipefail ls", line{Text: "ls", Set: []string{"-o", "pipefail"}}},
		{"bash", "-oo errexit pipefail -c ls", line{Text: "ls", Set: []string{"-o", "errexit", "-o", "pipefail"}}},
		{"bash", "-c -- ls", line{Text: "ls"}},
		{"bash", "-c - ls", line{Text: "ls"}},
		{"bash", "+x -c ls", line{Text: "ls", Set: []string{"+x"}}},
		{"bash", "-O extglob +O dotglob -c ls", line{Text: "ls", Shopt: []string{"-s", "extglob", "-u", "dotglob"}}},
		{"bash", "--norc --noprofile -c ls", line{Text: "ls", NoRC: true, NoProfile: true}},
		{"bash", "-norc -c ls", line{Text: "ls", NoRC: true}},
		{"bash", "-login -c ls", line{Text: "ls", Login: true}},
		{"bash", "--rcfile f -ic ls", line{Text: "ls", RCFile: "f", Interactive: true}},
		{"bash", "-init-file f", line{Mode: shellargs.Stdin, RCFile: "f"}},
		{"bash", "-nc ls", line{Text: "ls", NoExec: true}},
		{"bash", "-nic ls", line{Text: "ls", Interactive: true}},
		{"bash", "-o noexec -c ls", line{Text: "ls", NoExec: true}},
		{"bash", "-Dc ls", line{Text: "ls", NoExec: true}},
		{"bash", "-pc ls", line{Text: "ls", Privileged: true}},
		{"bash", "--posix -c ls", line{Text: "ls", Set: []string{"-o", "posix"}}},
		{"bash", "-sc ls a", line{Text: "ls", Args: []string{"a"}}},
		{"bash", "script -c ls", line{Mode: shellargs.Script, Script: "script", Args: []string{"-c", "ls"}}},
		{"bash", "-e -- -script", line{Mode: shellargs.Script, Script: "-script", Set: []string{"-e"}}},
		{"bash", "- -c", line{Mode: shellargs.Script, Script: "-c"}},
		{"bash", "-s a", line{Mode: shellargs.Stdin, Args: []string{"a"}}},
		{"bash", "", line{Mode: shellargs.Stdin}},
		{"bash", "-i", line{Mode: shellargs.Stdin, Interactive: true}},
		{"bash", "--version", line{Mode: shellargs.Info}},
		{"bash", "--help -c ls", line{Mode: shellargs.Info, Args: []string{"ls"}}},
		{"sh", "-c ls", line{Text: "ls"}},
		{"sh", "-ec ls", line{Text: "ls", Set: []string{"-e"}}},
		{"sh", "-l -c ls", line{Text: "ls", Login: true}},
		{"zsh", "-fc ls", line{Text: "ls", NoRC: true, NoProfile: true}},
		{"zsh", "-ilc ls", line{Text: "ls", Interactive: true, Login: true}},
		{"mksh", "-ec ls", line{Text: "ls", Set: []string{"-e"}}},
	} {
		var words []string
		if c.words != "" {
			words = strings.Split(c.words, " ")
		}
		c.want.Shell = c.shell
		got, err := shellargs.Parse(c.shell, words)
		if err != nil {
			t.Errorf("%s %s: %v", c.shell, c.words, err)
			continue
		}
		if len(got.Args) == 0 {
			got.Args = nil
		}
		if d := cmp.Diff(&c.want, got); d != "" {
			t.Errorf("%s %s (-want +got):\n%s", c.shell, c.words, d)
		}
	}
}

func TestRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		shell, words string
		usage        bool
	}{
		{"bash", "-c", true},
		{"bash", "--rcfile", true},
		{"bash", "+c ls", false},
		{"bash", "+s", false},
		{"bash", "+n -c ls", false},
		{"bash", "+ ls", false},
		{"bash", "-Zc ls", false},
		{"bash", "-kc ls", false},
		{"bash", "-tc ls", false},
		{"bash", "-e --norc -c ls", false},
		{"bash", "--frob -c ls", false},
		{"bash", "--debugger -c ls", false},
		{"bash", "-o", false},
		{"bash", "-o frob -c ls", false},
		{"bash", "-o keyword -c ls", false},
		{"bash", "-O", false},
		{"bash", "-O frob -c ls", false},
		{"bash", "-Oextglob -c ls", false},
		{"bash", "-O extglob script", false},
		{"bash", "-c \x00", false},
		{"sh", "-norc -c ls", false},
		{"sh", "-O extglob -c ls", false},
		{"sh", "--rcfile f -c ls", false},
		{"zsh", "-yc ls", false},
		{"zsh", "-sc ls", false},
		{"zsh", "--emulate sh -c ls", false},
		{"zsh", "-o shwordsplit -c ls", false},
		{"zsh", "-bc ls", false},
		{"mksh", "-T x -c ls", false},
		{"fish", "-c ls", false},
		{"", "", false},
	} {
		l, err := shellargs.Parse(c.shell, strings.Split(c.words, " "))
		var form *shellargs.Error
		if !errors.As(err, &form) || form.Usage != c.usage {
			t.Errorf("%s %q: %+v, %v", c.shell, c.words, l, err)
		}
	}
}

func TestSource(t *testing.T) {
	t.Parallel()
	script := "read x\n"
	for _, c := range []struct {
		words  []string
		script *string
		want   string
	}{
		{[]string{"-c", "ls"}, nil, "/bin/bash -c ls"},
		{[]string{"-c", "it's", "n", ""}, nil, `/bin/bash -c 'it'\''s' n ''`},
		{[]string{"-eO", "extglob", "-c", "ls"}, nil, "/bin/bash -c 'set -e\nshopt -s extglob\nls'"},
		{[]string{"-xlc", "ls"}, nil, "/bin/bash -x -l -c 'set -x\nls'"},
		{[]string{"--rcfile", "f", "-ic", "ls"}, nil, "/bin/bash --rcfile f -i -c ls"},
		{[]string{"--rcfile", "f", "-c", "ls"}, nil, "/bin/bash -c ls"},
		{[]string{"s", "-x"}, nil, "/bin/bash -- s -x"},
		{[]string{"-s", "a"}, &script, "/bin/bash -c 'read x\n' /bin/bash a"},
		{[]string{"-i"}, nil, "/bin/bash -i -s --"},
		{[]string{"--help", "x"}, nil, "/bin/bash --version"},
	} {
		l, err := shellargs.Parse("bash", c.words)
		if err != nil {
			t.Fatal(err)
		}
		if got := l.Source("/bin/bash", c.script); got != c.want {
			t.Errorf("%q: %s, want %s", c.words, got, c.want)
		}
	}
}

// TestAgreesWithShells asks real shells what they understand: where a command
// line is accepted, the text and its parameters must be those that run.
func TestAgreesWithShells(t *testing.T) {
	t.Parallel()
	pieces := []string{"-c", "-e", "-l", "-ec", "-s", "--", "-", "-o", "pipefail", "errexit", "+x", "-u", "--norc", "-norc", "--posix", "-x", "-xc", "+c", "-lc", "-O", "extglob", "-i", "x", ""}
	const text = `printf '<%s>' "$0" "$@" >&3`
	for _, shell := range []string{"bash", "dash", "mksh", "zsh"} {
		t.Run(shell, func(t *testing.T) {
			t.Parallel()
			file, err := exec.LookPath(shell)
			switch {
			case err != nil && os.Getenv("REQUIRE_SHELLS") == "1":
				t.Fatalf("%v, and REQUIRE_SHELLS=1", err)
			case err != nil:
				t.Skip(err)
			}
			rapid.Check(t, func(t *rapid.T) {
				words := append(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 5).Draw(t, "before"), text)
				words = append(words, rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 2).Draw(t, "after")...)
				l, err := shellargs.Parse(shellargs.DialectOf(shell), words)
				if err != nil || l.Interactive || slices.Contains(words, "-i") {
					return
				}
				want := ""
				if l.Mode == shellargs.Text && l.Text == text && !l.NoExec {
					zero := file
					if len(l.Args) > 0 {
						zero = l.Args[0]
						want = "<" + strings.Join(l.Args[1:], "><") + ">"
						if len(l.Args) == 1 {
							want = ""
						}
					}
					want = "<" + zero + ">" + want
				}
				c := exec.Command("/bin/sh", append([]string{"-c", `exec "$@" 3>&1 >/dev/null 2>/dev/null </dev/null`, "sh", file}, words...)...)
				c.Dir = "/"
				out, runErr := c.Output()
				// A shell may refuse what is understood here; it must not run more.
				if string(out) != want && !(runErr != nil && len(out) == 0) {
					t.Fatalf("%s %q wrote %q, want %q", shell, words, out, want)
				}
			})
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"-c\x01ls", "-euo\x01pipefail\x01-c\x01x\x01y", "--rcfile\x01f\x01-i", "-", "+", "-O"} {
		f.Add("bash", s)
		f.Add("sh", s)
	}
	f.Fuzz(func(t *testing.T, shell, words string) {
		l, err := shellargs.Parse(shell, strings.Split(words, "\x01"))
		if err != nil {
			return
		}
		if l.Mode == shellargs.Text && !strings.Contains(words, l.Text) {
			t.Errorf("%q is no part of %q", l.Text, words)
		}
		// What is written must be read again as the same.
		src := l.Source("/bin/sh", nil)
		if strings.Count(src, "'")%2 != 0 && !strings.Contains(src, `\'`) {
			t.Errorf("unbalanced quotes: %s", src)
		}
	})
}

func FuzzQuote(f *testing.F) {
	for _, s := range []string{"", "a", "it's", "$x `y` \"z\"", "\n", "~", "a=b", "{a,b}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, word string) {
		quoted := shellargs.Quote(word)
		if inner, ok := strings.CutPrefix(quoted, "'"); ok {
			inner, _ = strings.CutSuffix(inner, "'")
			quoted = strings.ReplaceAll(inner, `'\''`, "'")
		}
		if quoted != word {
			t.Errorf("%q became %q", word, quoted)
		}
	})
}
