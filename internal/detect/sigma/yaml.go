package sigma

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v4"
)

// documents splits a file into its YAML documents. What follows a document that
// is no YAML is lost; the error says why.
func documents(data []byte) ([]*yaml.Node, error) {
	if len(data) > maxFile {
		return nil, fmt.Errorf("the file has more than %d bytes", maxFile)
	}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var docs []*yaml.Node
	for len(docs) < maxDocs {
		var n yaml.Node
		err := dec.Decode(&n)
		if errors.Is(err, io.EOF) {
			return docs, nil
		}
		if err != nil {
			return docs, fmt.Errorf("no valid YAML: %s", strings.TrimPrefix(err.Error(), "yaml: "))
		}
		if n.Kind == yaml.DocumentNode && len(n.Content) == 1 {
			docs = append(docs, n.Content[0])
		}
	}
	return docs, fmt.Errorf("the file has more than %d documents", maxDocs)
}

// tree reads the nodes of one document, following aliases, within a budget.
type tree struct {
	left int
}

func (t *tree) errorf(n *yaml.Node, format string, args ...any) error {
	return &lineError{n.Line, fmt.Sprintf(format, args...)}
}

// follow spends one node of the budget and resolves an alias.
func (t *tree) follow(n *yaml.Node) (*yaml.Node, error) {
	if t.left--; t.left < 0 {
		return nil, t.errorf(n, "more than %d YAML nodes", maxNodes)
	}
	if n.Kind == yaml.AliasNode {
		if n.Alias == nil || n.Alias.Kind == yaml.AliasNode {
			return nil, t.errorf(n, "alias to nothing")
		}
		return n.Alias, nil
	}
	return n, nil
}

// pair is one entry of a map, its value with aliases followed.
type pair struct {
	key   string
	line  int
	value *yaml.Node
}

// pairs returns the entries of a map. Keys must be scalars and differ: YAML 1.2,
// 3.2.1.3, wants them unique, and readers that take the last (or first) of two
// would disagree on what the rule says.
func (t *tree) pairs(n *yaml.Node, what string) ([]pair, error) {
	if n.Kind != yaml.MappingNode {
		return nil, t.errorf(n, "%s is not a map", what)
	}
	seen := make(map[string]bool, len(n.Content)/2)
	out := make([]pair, 0, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, err := t.follow(n.Content[i])
		if err != nil {
			return nil, err
		}
		if k.Kind != yaml.ScalarNode {
			return nil, t.errorf(k, "a key of %s is not a scalar", what)
		}
		if k.Tag == "!!merge" {
			return nil, t.errorf(k, "merge keys (<<) are not supported")
		}
		if seen[k.Value] {
			return nil, t.errorf(k, "%s has the key %q twice", what, k.Value)
		}
		seen[k.Value] = true
		v, err := t.follow(n.Content[i+1])
		if err != nil {
			return nil, err
		}
		out = append(out, pair{k.Value, k.Line, v})
	}
	return out, nil
}

// text returns a scalar's text; null is the empty string.
func (t *tree) text(n *yaml.Node, what string) (string, error) {
	if n.Kind != yaml.ScalarNode {
		return "", t.errorf(n, "%s is not a scalar", what)
	}
	if n.Tag == "!!null" {
		return "", nil
	}
	return n.Value, nil
}

// texts returns a list of scalars; a single scalar is a list of one.
func (t *tree) texts(n *yaml.Node, what string) ([]string, error) {
	if n.Kind == yaml.ScalarNode {
		s, err := t.text(n, what)
		if s == "" || err != nil {
			return nil, err
		}
		return []string{s}, nil
	}
	if n.Kind != yaml.SequenceNode {
		return nil, t.errorf(n, "%s is not a list", what)
	}
	out := make([]string, 0, len(n.Content))
	for _, c := range n.Content {
		c, err := t.follow(c)
		if err != nil {
			return nil, err
		}
		s, err := t.text(c, what)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

// scalarOf reads a value. The text of a number is kept as written: 0x17 is
// compared as "0x17", which is how logs have it.
func scalarOf(n *yaml.Node) scalar {
	switch n.Tag {
	case "!!null":
		return scalar{kind: scalarNull}
	case "!!int", "!!float":
		return scalar{n.Value, scalarNumber}
	case "!!bool":
		return scalar{n.Value, scalarBool}
	}
	return scalar{text: n.Value}
}
