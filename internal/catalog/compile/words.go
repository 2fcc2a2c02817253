package compile

import (
	"maps"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/risk"
	"go.yaml.in/yaml/v4"
)

// oneOf lists the words that an error asks for.
func oneOf[T any](words map[string]T) string {
	return strings.Join(slices.Sorted(maps.Keys(words)), ", ")
}

func verbs() string {
	var words []string
	for _, v := range risk.Verbs() {
		words = append(words, string(v))
	}
	return strings.Join(words, ", ")
}

func (c *compiler) verb(n *yaml.Node, s string) risk.Verb {
	if !slices.Contains(risk.Verbs(), risk.Verb(s)) {
		c.errorf(n, "unknown verb %q: want one of %s", s, verbs())
	}
	return risk.Verb(s)
}

// kind reads a declared word for what is touched or how.
func (c *compiler) kind(n *yaml.Node, word string) risk.Kind {
	k, ok := risk.KindOf(word)
	if !ok {
		c.errorf(n, "detail: %.60q is no declared word: take one of docs/words.md, or leave it out", word)
	}
	return k
}

// target reads what an effect acts on. A literal of several words is shown as
// heed's own, so it is a declared one or a path.
func (c *compiler) target(n *yaml.Node, target string) string {
	literal, ok := strings.CutPrefix(target, "=")
	if ok && strings.Contains(literal, " ") && !strings.Contains(literal, "/") && !risk.IsNoun(literal) {
		c.errorf(n, "target: %.60q is no declared noun: take one of docs/words.md, or a single word", literal)
	}
	return target
}

func (c *compiler) trait(n *yaml.Node, word string) catalog.Trait {
	t, ok := catalog.TraitNames()[word]
	if !ok {
		c.errorf(n, "unknown trait %q: want %s", word, oneOf(catalog.TraitNames()))
	}
	return t
}
