package bracket

import (
	"strings"
	"testing"
)

func TestClassLen(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]int{
		"[:alpha:]]": 8, "[.-.]x": 4, "[=a=]": 4,
		"": 0, "[": 0, "[a]": 0, "[:alpha]": 0, "[:" + strings.Repeat("x", 40) + ":]": 0,
	} {
		if got := ClassLen(s); got != want {
			t.Errorf("%q: %d, want %d", s, got, want)
		}
	}
}
