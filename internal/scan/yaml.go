package scan

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"
)

// maxAliases is how many aliases are followed one behind the other.
const maxAliases = 10

// yamlText is a YAML file as nodes, with the places of their text.
type yamlText struct {
	found *Found
	text  string
	lines *Lines
	root  *yaml.Node
	last  struct{ line, column, at int } // the last place that was looked for
}

// readYAML parses a file; nil if it cannot be read, which is told.
func (f *Found) readYAML(text string) *yamlText {
	y := &yamlText{found: f, text: text, lines: NewLines(text)}
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		f.problem(0, "", fmt.Sprintf("it cannot be read as YAML: %v", err))
		return nil
	}
	if len(doc.Content) == 0 {
		return nil
	}
	y.root = follow(doc.Content[0])
	if y.root == nil || y.root.Kind != yaml.MappingNode {
		f.problem(0, "", "it is no mapping")
		return nil
	}
	return y
}

// follow returns what an alias stands for.
func follow(n *yaml.Node) *yaml.Node {
	for i := 0; n != nil && n.Kind == yaml.AliasNode; i++ {
		if i == maxAliases {
			return nil
		}
		n = n.Alias
	}
	return n
}

// get returns the value of a key of a mapping, or nil. Keys that are merged in
// (<<) count less than those that are written.
func get(n *yaml.Node, key string) *yaml.Node { return getIn(n, key, 0) }

func getIn(n *yaml.Node, key string, depth int) *yaml.Node {
	if n = follow(n); n == nil || n.Kind != yaml.MappingNode || depth > maxAliases {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key && n.Content[i].Kind == yaml.ScalarNode {
			return follow(n.Content[i+1])
		}
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value != "<<" {
			continue
		}
		merged := follow(n.Content[i+1])
		if merged != nil && merged.Kind == yaml.SequenceNode {
			for _, m := range merged.Content {
				if v := getIn(m, key, depth+1); v != nil {
					return v
				}
			}
			continue
		}
		if v := getIn(merged, key, depth+1); v != nil {
			return v
		}
	}
	return nil
}

// str returns the text of a scalar, or "".
func str(n *yaml.Node) string {
	if n = follow(n); n == nil || n.Kind != yaml.ScalarNode {
		return ""
	}
	return n.Value
}

// pairs calls do for the keys and values of a mapping, in their order.
func pairs(n *yaml.Node, do func(key, value *yaml.Node)) {
	if n = follow(n); n == nil || n.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		do(n.Content[i], follow(n.Content[i+1]))
	}
}

// offset returns where a node begins in the file.
func (y *yamlText) offset(n *yaml.Node) int {
	if n.Line != y.last.line || n.Column < y.last.column {
		y.last.line, y.last.column, y.last.at = n.Line, 1, y.lines.start(n.Line)
	}
	at := y.last.at
	for ; y.last.column < n.Column && at < len(y.text) && y.text[at] != '\n'; y.last.column++ {
		at++
		for at < len(y.text) && y.text[at]&0xc0 == 0x80 { // columns are characters
			at++
		}
	}
	y.last.at = at
	return at
}

// copy writes the text of a scalar with the place in the file of each of its
// words. They are found one after the other, which is right for every style of
// scalar: between words of the value the file has nothing but blanks,
// indentation and quotes. A word that is written with escapes keeps the place
// of the one before it.
func (y *yamlText) copy(w *writer, n *yaml.Node) {
	value, at := n.Value, y.offset(n)
	if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 { // the text begins with the next line
		at = y.lines.start(n.Line + 1)
	}
	for value != "" {
		i := strings.IndexAny(value, " \t\n")
		if i < 0 {
			i = len(value)
		}
		if i > 0 {
			word := value[:i]
			window := y.text[at:min(len(y.text), at+len(word)+maxGap)]
			if j := strings.Index(window, word); j >= 0 {
				w.copy(word, at+j)
				at += j + len(word)
			} else {
				w.put(word, min(at, len(y.text)))
			}
		}
		j := i
		for j < len(value) && strings.IndexByte(" \t\n", value[j]) >= 0 {
			j++
		}
		w.put(value[i:j], min(at, len(y.text)))
		value = value[j:]
	}
}

// maxGap is how far apart two words of a scalar can be in the file.
const maxGap = 400
