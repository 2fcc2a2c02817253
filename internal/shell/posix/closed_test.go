package posix

import "testing"

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
