package scan

import (
	"strings"
	"testing"
)

func TestShellWords(t *testing.T) {
	t.Parallel()
	for template, want := range map[string]string{
		"":                                  "",
		"bash -e {0}":                       "bash -e {0}",
		"msys2 {0}":                         "bash {0}",
		`script -q -e -c "bash {0}"`:        `bash {0}"`,
		`script -qec 'sh -e {0}' /dev/null`: "sh -e {0}' /dev/null",
		"script -q":                         "script -q",
		"pwsh -command \". '{0}'\"":         "pwsh -command \". '{0}'\"",
	} {
		if got := strings.Join(shellWords(template), " "); got != want {
			t.Errorf("%s: %s, want %s", template, got, want)
		}
	}
}
