package recipe

import "testing"

func TestIncludes(t *testing.T) {
	for line, want := range map[string]string{
		`#include ".env"`:        ".env",
		`# include <key.pem>`:    "key.pem",
		`#include <vector>`:      "",
		`	.include ".env"`:       ".env",
		`.incbin "key.pem"`:      "key.pem",
		`%include "/etc/shadow"`: "/etc/shadow",
		`incbin "x"`:             "x",
		`int main(void) {}`:      "",
	} {
		if got := includes(line); got != want {
			t.Errorf("%q includes %q, want %q", line, got, want)
		}
	}
}
