package compile

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/heedsh/heed/internal/catalog"
	"go.yaml.in/yaml/v4"
)

// A Spec is a compiled program together with the cases it must pass.
type Spec struct {
	File     string
	Program  *catalog.Program
	Cases    []Case
	Examples []Example

	part   string   // of which program this is a part, before it was joined
	parts  []string // the files of its parts
	claims []claim
	// Where the lint finds options, subcommands and reasons; see [Spec.Lint].
	places  map[placeKey]place
	reasons []reason
}

// A Case is an example command line and all that it must do.
type Case struct {
	File   string
	Line   int
	Run    string
	Expect []string
}

// File compiles every document of a spec file. Parts of a program stand in one
// file with it.
func File(name string, text []byte) ([]*Spec, error) {
	specs, err := documents(name, text)
	if err != nil {
		return nil, err
	}
	return join(specs)
}

// documents compiles those of a file one by one.
func documents(name string, text []byte) ([]*Spec, error) {
	dec := yaml.NewDecoder(strings.NewReader(string(text)))
	var specs []*Spec
	for {
		var doc yaml.Node
		err := dec.Decode(&doc)
		switch {
		case errors.Is(err, io.EOF) && len(specs) > 0:
			return specs, nil
		case errors.Is(err, io.EOF):
			return nil, fmt.Errorf("%s:1: nothing is described here: a spec begins with `program: NAME`", name)
		case err != nil:
			return nil, notYAML(name, err)
		case len(doc.Content) == 0:
			return nil, fmt.Errorf("%s:%d: a document is empty: take the `---` before it away", name, max(doc.Line, 1))
		}
		c := &compiler{file: name, parts: map[string]string{}}
		spec := c.program(doc.Content[0])
		if len(c.errs) > 0 {
			return nil, errors.Join(c.errs...)
		}
		specs = append(specs, spec)
	}
}

// notYAML names the line of an error of the YAML reader as the errors of the
// compiler do.
func notYAML(name string, err error) error {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	line := 1
	if n, err := fmt.Sscanf(text, "line %d: ", &line); n == 1 && err == nil {
		_, text, _ = strings.Cut(text, ": ")
	}
	return fmt.Errorf("%s:%d: this is no YAML: %s", name, line, text)
}

type compiler struct {
	file   string
	errs   []error
	path   []string // the subcommands around what is compiled
	claims []claim
	parts  map[string]string // of phrases, by the names that the file gives them

	places  map[placeKey]place
	reasons []reason
}

func (c *compiler) errorf(n *yaml.Node, format string, args ...any) {
	c.errs = append(c.errs, fmt.Errorf("%s:%d: %s", c.file, n.Line, fmt.Sprintf(format, args...)))
}

// fields calls f for every key of a mapping, in order.
func (c *compiler) fields(n *yaml.Node, f func(key string, k, v *yaml.Node)) {
	if n.Kind != yaml.MappingNode {
		c.errorf(n, "expected a mapping")
		return
	}
	seen := make(map[string]bool, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if seen[key.Value] {
			c.errorf(key, "%q is given twice: join the two", key.Value)
		}
		seen[key.Value] = true
		f(key.Value, key, n.Content[i+1])
	}
}

// list returns the strings of a sequence, or the words of a scalar.
func (c *compiler) list(n *yaml.Node) []string {
	switch n.Kind {
	case yaml.ScalarNode:
		return strings.Fields(n.Value)
	case yaml.SequenceNode:
		var out []string
		for _, k := range n.Content {
			if k.Kind != yaml.ScalarNode {
				c.errorf(k, "expected a string")
			}
			out = append(out, k.Value)
		}
		return out
	}
	c.errorf(n, "expected a string or a list of strings")
	return nil
}

func (c *compiler) program(n *yaml.Node) *Spec {
	s := &Spec{File: c.file, Program: &catalog.Program{}}
	rest := &yaml.Node{Kind: yaml.MappingNode, Line: n.Line}
	c.fields(n, func(key string, k, v *yaml.Node) {
		switch key {
		case "program":
			s.Program.Names = c.list(v)
		case "part":
			s.part = v.Value
		case "source":
			s.Program.Source = v.Value
		case "cases":
			s.Cases = c.cases(v)
		case "examples":
			s.Examples = c.examples(v)
		default:
			rest.Content = append(rest.Content, k, v)
		}
	})
	c.head(s, n, rest)
	if len(s.Program.Names) == 0 {
		return s
	}
	s.Program.Command = c.command(s.Program.Names[0], rest)
	s.claims, s.places, s.reasons = c.claims, c.places, c.reasons
	return s
}

// head checks what a document says of itself.
func (c *compiler) head(s *Spec, n, rest *yaml.Node) {
	switch {
	case s.part != "":
		if len(s.Program.Names) > 0 || !partial(rest) {
			c.errorf(n, "part: a part of a program says source, subcommands, reasons, cases and examples")
		}
		s.Program.Names = []string{s.part}
	case len(s.Program.Names) == 0:
		c.errorf(n, "program: its names are missing")
		return
	}
	for _, name := range s.Program.Names {
		if !plainName(name) {
			c.errorf(n, "program: %q is no name of a program: write it without blanks, slashes and control characters", name)
		}
	}
	if s.Program.Source == "" {
		c.errorf(n, "source: say which manual this was written from")
	}
	if len(s.Cases) == 0 {
		c.errorf(n, "cases: a spec needs at least one")
	}
}

// partial reports whether a part says nothing of the program as a whole.
func partial(rest *yaml.Node) bool {
	subcommands := false
	for i := 0; i < len(rest.Content); i += 2 {
		key := rest.Content[i].Value
		subcommands = subcommands || key == "subcommands"
		if key != "subcommands" && key != "reasons" {
			return false
		}
	}
	return subcommands
}

// plainName reports whether a word can be the name of a program.
func plainName(name string) bool {
	odd := func(r rune) bool {
		return r == '/' || r == utf8.RuneError || !unicode.IsGraphic(r) || unicode.IsSpace(r)
	}
	return name != "" && !strings.ContainsFunc(name, odd)
}

func (c *compiler) cases(n *yaml.Node) []Case {
	var out []Case
	c.fields(n, func(key string, k, v *yaml.Node) {
		out = append(out, Case{File: c.file, Line: k.Line, Run: key, Expect: c.list(v)})
	})
	return out
}

func (c *compiler) examples(n *yaml.Node) []Example {
	var out []Example
	c.fields(n, func(key string, k, v *yaml.Node) {
		out = append(out, Example{File: c.file, Line: k.Line, Run: key, Says: v.Value})
	})
	return out
}
