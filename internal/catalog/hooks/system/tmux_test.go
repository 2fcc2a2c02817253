package system

import (
	"testing"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
)

func FuzzTmux(f *testing.F) {
	f.Add("new -d x", "a;b")
	f.Add("set-hook -g x { run-shell {", "#(")
	f.Fuzz(func(_ *testing.T, text, extra string) {
		s := &catalog.Site{}
		r := &catalog.Result{}
		tmuxText(s, r, value.Lit(text+" "+extra), 0)
		var command []value.Value
		for _, word := range site.QuotedWords(text) {
			command = append(command, value.Lit(word))
		}
		screenCommand(r, command, 0)
	})
}
