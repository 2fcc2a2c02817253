package cli

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestOwnSpec holds heed's own spec against its command line: each verb and option
// is in both.
func TestOwnSpec(t *testing.T) {
	t.Parallel()
	program, ok := catalog.New(nil).Lookup("heed")
	if !ok {
		t.Fatal("no spec of heed")
	}
	root := newRoot(Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard})
	root.InitDefaultCompletionCmd()
	var verbs []string
	var walk func(c *cobra.Command, words []value.Value)
	walk = func(c *cobra.Command, words []value.Value) {
		if len(words) > 0 {
			verbs = append(verbs, strings.TrimPrefix(c.CommandPath(), "heed "))
			m := program.Match(words)
			if c.Parent().Name() != "completion" && (len(m.Chain) != len(words)+1 || m.Node().Name == "*") {
				t.Errorf("the spec does not name heed's verb %s", c.CommandPath())
			}
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			word := "--" + f.Name
			if f.NoOptDefVal == "" {
				word += "=x"
			}
			if m := program.Match(append(slices.Clone(words), value.Lit(word))); len(m.Unknown) > 0 {
				t.Errorf("the spec does not name the option %s of %s", word, c.CommandPath())
			}
		})
		for _, sub := range c.Commands() {
			if sub.Name() != "help" {
				walk(sub, append(slices.Clone(words), value.Lit(sub.Name())))
			}
		}
	}
	walk(root, nil)
	verbs = append(verbs, "help")
	var names func(c *catalog.Command, above string)
	names = func(c *catalog.Command, above string) {
		for _, s := range c.Sub {
			for name := range strings.FieldsSeq(s.Name) {
				if verb := strings.TrimSpace(above + " " + name); name != "*" && !slices.Contains(verbs, verb) {
					t.Errorf("the spec names heed %s, which there is not", verb)
				}
			}
			names(s.Command(), strings.TrimSpace(above+" "+s.Name))
		}
	}
	names(&program.Command, "")
}
