// Command generate compiles the rules below pack into the blob that package
// rules embeds. It refuses rules that are not in form or fail their events. It
// runs in the directory of package rules.
package main

import (
	"fmt"
	"os"

	"github.com/heedsh/heed/internal/detect/rules/internal/compile"
	"github.com/heedsh/heed/internal/detect/sigma"
	"github.com/heedsh/heed/internal/generate"
)

func main() {
	generate.Main("go generate ./internal/detect/rules", files)
}

func files() (map[string][]byte, error) {
	dir := os.DirFS("pack")
	pack, err := compile.Dir(dir)
	if err != nil {
		return nil, err
	}
	events, err := compile.Events(dir)
	if err != nil {
		return nil, err
	}
	if err := pack.Try(events); err != nil {
		return nil, err
	}
	blob, err := sigma.Encode(pack.Set)
	if err != nil {
		return nil, fmt.Errorf("encoding the rules: %w", err)
	}
	return map[string][]byte{"pack.bin": blob}, nil
}
