package confine

import "testing"

// TestUnexpected: what is kept of a refusal can be read back, whatever was tried, and
// nothing else can.
func TestUnexpected(t *testing.T) {
	t.Parallel()
	for _, d := range deeds() {
		for _, path := range []string{"", "/a b", "~/x tried to write y; this command was not expected to"} {
			want := Refusal{Deed: d, Path: path, Program: "tokio worker"}
			if got, ok := ReadUnexpected(Unexpected(Told(want.Program, want.Tried()))); !ok || got != want {
				t.Errorf("%+v is read as %+v, %t", want, got, ok)
			}
		}
	}
	for _, text := range []string{
		"", "rm tried to write /a", "rm tried to fly; this command was not expected to", "rm tried to writes /a; this command was not expected to",
		"rm; this command was not expected to", "rm tried to write /a; the profile does not let it", "rm tried to write /a; that is not let, while observing either",
	} {
		if got, ok := ReadUnexpected(text); ok {
			t.Errorf("%q is read as %+v", text, got)
		}
	}
}
