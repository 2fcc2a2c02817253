package shellname_test

import (
	"slices"
	"testing"

	"github.com/heedsh/heed/internal/shell/shellname"
)

func TestOf(t *testing.T) {
	t.Parallel()
	for program, want := range map[string]string{
		"bash": "bash", "rbash": "bash", "heed-sh": "bash", "sh": "sh", "dash": "sh", "ash": "sh", "busybox": "sh", "ksh": "mksh", "mksh": "mksh", "zsh": "zsh",
		"tcsh": "csh", "fish": "fish", "pwsh": "powershell", "cmd.exe": "cmd", "rc": "rc",
		"": "", "python": "", "bash5": "", "/bin/sh": "", "powershell_ise": "",
	} {
		got, ok := shellname.Of(program)
		if got != want || ok != (want != "") || shellname.Is(program) != ok {
			t.Errorf("%q reads %q, %v", program, got, ok)
		}
		if ok && !slices.Contains(shellname.Programs(got), program) {
			t.Errorf("%q is not among the programs of %q", program, got)
		}
	}
}

func TestReadsSh(t *testing.T) {
	t.Parallel()
	for program, want := range map[string]bool{"sh": true, "dash": true, "bash": true, "heed-sh": true, "ksh": true, "zsh": true, "fish": false, "csh": false, "pwsh": false, "python": false, "": false} {
		if shellname.ReadsSh(program) != want {
			t.Errorf("%q: %v", program, !want)
		}
	}
}

// TestNamesAreOfOneLanguage: no shell is named twice.
func TestNamesAreOfOneLanguage(t *testing.T) {
	t.Parallel()
	list := shellname.Programs("sh")
	list[0] = "changed"
	for _, language := range []string{"bash", "sh", "mksh", "zsh", "csh", "fish", "nu", "elvish", "xonsh", "rc", "powershell", "cmd"} {
		programs := shellname.Programs(language)
		if len(programs) == 0 {
			t.Errorf("nobody reads %q", language)
		}
		for _, p := range programs {
			if got, _ := shellname.Of(p); got != language {
				t.Errorf("%q reads %q and %q", p, language, got)
			}
		}
	}
	if shellname.Programs("python") != nil {
		t.Error("Python is the language of a shell")
	}
}
