package cloud

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
)

// awsHook recognises "help" as the only word behind a command or an operation
// of the AWS client, which then shows its manual and does nothing. Behind an
// option of an operation the word is a value (awscli/argparser.py).
func awsHook(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	awsWhere(m, s, r)
	words := 0
	for i := 0; i < len(s.Args); i++ {
		text, known := s.Args[i].Known()
		name, _, attached := strings.Cut(text, "=")
		switch {
		case !known:
			return
		case !strings.HasPrefix(text, "-"):
			words++
			if text == "help" && i == len(s.Args)-1 && words <= len(m.Chain) {
				m.Help = true
				*r = catalog.Result{Match: m, Summary: "Shows help for aws"}
			}
		case slices.Contains([]string{
			"--profile", "--region", "--output", "--query", "--endpoint-url", "--color", "--ca-bundle", "--cli-read-timeout", "--cli-connect-timeout", "--cli-binary-format",
		}, name):
			if !attached {
				i++
			}
		case !slices.Contains([]string{"--debug", "--no-verify-ssl", "--no-paginate", "--no-sign-request", "--no-cli-pager", "--no-cli-auto-prompt", "--cli-auto-prompt"}, name):
			return
		}
	}
}
