package compile

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"go.yaml.in/yaml/v4"
)

// A placeKey names an option of a command, or with "" the command itself, by
// the subcommands that lead to it.
type placeKey struct{ path, name string }

// A place is a line of a spec.
type place struct {
	file string
	line int
}

// A reason says why a word of a spec means less than its name says.
type reason struct {
	place
	path  string
	names []string // options, subcommands, or a topic of the lint
	used  map[string]bool
}

// pathKey is what leads to a command, in one string.
func pathKey(path []string) string { return strings.Join(path, "\n") }

// place notes where a command or one of its options stands, the first time.
func (c *compiler) place(name string, n *yaml.Node) {
	if c.places == nil {
		c.places = map[placeKey]place{}
	}
	key := placeKey{pathKey(c.path), name}
	if _, ok := c.places[key]; !ok {
		c.places[key] = place{c.file, n.Line}
	}
}

// reason compiles a mapping from reasons to the words that they are for.
func (c *compiler) reason(cmd *catalog.Command, n *yaml.Node) {
	path, line := pathKey(c.path), n.Line
	c.fields(n, func(why string, k, v *yaml.Node) {
		names := c.list(v)
		if len(strings.Fields(why)) < 2 {
			c.errorf(k, "reasons: %q is no reason: say in words why they mean less than their names say", why)
		}
		c.reasons = append(c.reasons, reason{place: place{c.file, max(line, k.Line)}, path: path, names: names, used: map[string]bool{}})
		c.claim(v, func(s *scope) error { return named(s.chain[len(s.chain)-1], names) })
	})
}

// named refuses a reason for what the command does not have.
func named(c *catalog.Command, names []string) error {
	known := map[string]bool{}
	for _, t := range topics {
		known[t] = true
	}
	for i := range c.Options {
		for _, n := range c.Options[i].Names {
			known[n] = true
		}
	}
	for _, s := range c.Sub {
		for n := range strings.FieldsSeq(s.Name) {
			known[n] = true
		}
	}
	for _, n := range names {
		if !known[n] {
			return fmt.Errorf("reasons: %q is no option or subcommand of %s, and none of %s", n, c.Name, strings.Join(slices.Sorted(maps.Keys(topicSet())), ", "))
		}
	}
	return nil
}

// topics are what a reason can be for besides options and subcommands.
var topics = []string{"unattended"}

func topicSet() map[string]bool {
	set := map[string]bool{}
	for _, t := range topics {
		set[t] = true
	}
	return set
}
