package strictyaml_test

import (
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/strictyaml"
	"go.yaml.in/yaml/v4"
)

// TestPlaced: the line of a fault stands in front.
func TestPlaced(t *testing.T) {
	t.Parallel()
	type doc struct{ A int }
	for text, want := range map[string]string{
		"a: 1\nb: 2\n":   `2: unknown key "b"`,
		"a: x\n":         "1: ",
		"a: 1\n  b: [\n": "this is no YAML",
	} {
		l, err := yaml.NewLoader(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		var n yaml.Node
		if err = l.Load(&n); err == nil {
			var d doc
			err = n.Load(&d, yaml.WithKnownFields())
		}
		if err == nil || !strings.Contains(strictyaml.Placed(err).Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// TestLineOf finds a key, and falls back to the mapping.
func TestLineOf(t *testing.T) {
	t.Parallel()
	var n yaml.Node
	if err := yaml.Unmarshal([]byte("\na: 1\nb: 2\n"), &n); err != nil {
		t.Fatal(err)
	}
	body := n.Content[0]
	if got := strictyaml.LineOf(body, "b"); got != 3 {
		t.Errorf("b stands in line %d, want 3", got)
	}
	if got := strictyaml.LineOf(body, "c"); got != 2 {
		t.Errorf("a key that is not there: line %d, want 2", got)
	}
}
