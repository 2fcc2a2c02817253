package strictyaml

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v4"
)

// LineOf is the line of a key of a mapping, or of the mapping.
func LineOf(body *yaml.Node, key string) int {
	for i := 0; i+1 < len(body.Content); i += 2 {
		if body.Content[i].Value == key {
			return body.Content[i].Line
		}
	}
	return body.Line
}

// Placed puts the line of an error of package yaml in front of it, where a
// compiler has it. The package writes "line 3: …" about values and "… at
// L3.C1-L3.C5: …" about syntax.
func Placed(err error) error {
	text := strings.TrimPrefix(strings.TrimPrefix(err.Error(), "yaml: "), "construct errors:")
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	line := "1"
	if m := regexp.MustCompile(`^line (\d+)(?:, column \d+)?: (.*)$`).FindStringSubmatch(text); m != nil {
		line, text = m[1], m[2]
	} else if m := regexp.MustCompile(`\bL(\d+)\.C\d+\S*:? (.*)$`).FindStringSubmatch(text); m != nil {
		line, text = m[1], "this is no YAML: "+m[2]
	}
	if m := regexp.MustCompile(`^field (.*) not found in type `).FindStringSubmatch(text); m != nil {
		text = fmt.Sprintf("unknown key %.40q", m[1])
	}
	return errors.New(line + ": " + text)
}
