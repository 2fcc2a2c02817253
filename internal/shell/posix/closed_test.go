package posix

import (
	"testing"

	"github.com/heedsh/heed/internal/shell"
)

// TestClosed holds that no arithmetic ends where the text does not close it: in zsh the
// parser takes what stands behind a period for the end.
func TestClosed(t *testing.T) {
	for _, c := range []struct {
		text string
		ok   bool
	}{
		{`echo "$(( rm -rf .. ) >/dev/null; echo x)"`, false},
		{`echo "$(( 1 .. ) ; x)"`, false},
		{`echo "$(( ls ./x ) ; x)"`, false},
		{`echo $(( (1 .. ) + 2 ))`, false},
		{`echo $(( 1 + 2. ))`, true},
		{`(( a = (1 + 2) * 3 ))`, true},
		{`for (( i = 0; i < 3; i++ )); do echo; done`, true},
		{"echo \"$(( 1 \\\n + 2 ))\"", true},
	} {
		if _, err := Parse(c.text, "zsh"); (err == nil) != c.ok {
			t.Errorf("%s: error %v", c.text, err)
		}
	}
}

// TestHandedOver holds that a text is read no further than where it surely ends the shell.
func TestHandedOver(t *testing.T) {
	for _, c := range []struct {
		text string
		ok   bool
	}{
		{"exec wish \"$0\" \"$@\"\nif {$a} { puts )", true},
		{"echo a\nexit 0\nnot ( shell", true},
		{"exit() { :; }\nexit\nnot ( shell", false},
		{"shopt -s execfail\nexec nosuch\nnot ( shell", false},
		{"alias exit=:\nexit\nnot ( shell", false},
		{"eval \"$x\"\nexit\nnot ( shell", false},
		{"if a; then exit; fi\nnot ( shell", false},
		{"exec > out\nnot ( shell", false},
	} {
		if _, err := Parse(c.text, "bash"); (err == nil) != c.ok {
			t.Errorf("%q: error %v", c.text, err)
		}
	}
}

// TestHandedOverMeans holds that such a text is not read where its end may be none.
func TestHandedOverMeans(t *testing.T) {
	src, err := Parse("exit\nnot ( shell", "bash")
	if err != nil {
		t.Fatal(err)
	}
	for what, st := range map[string]*shell.State{
		"a function": {Vars: shell.NewVars(nil), Funcs: map[string]*shell.Func{"exit": {}}},
		"an alias":   {Vars: shell.NewVars(nil), Aliases: map[string]string{"exec": ":"}},
		"a variable": {Vars: shell.NewVars(map[string]string{"BASH_FUNC_exit%%": "() { :; }"})},
	} {
		if src.fits(st) == nil {
			t.Errorf("%s: the text is read as if the word meant itself", what)
		}
	}
	if err := src.fits(&shell.State{Vars: shell.NewVars(nil)}); err != nil {
		t.Errorf("nothing redefined: %v", err)
	}
}
