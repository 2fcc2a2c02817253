package catalog

import (
	"testing"

	"github.com/heedsh/heed/internal/value"
)

func TestIsAddress(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"https://h.test/a": true, "FTP://h.test/a": true, "s3+x://b/k": true, "docker://a/b:1": true,
		"file:///etc/passwd": false, "a/b://c": false, "://x": false, "a.txt": false, "": false, "C:/x": false,
	} {
		if got := IsAddress(value.Lit(text)); got != want {
			t.Errorf("IsAddress(%q) = %v, want %v", text, got, want)
		}
	}
}
