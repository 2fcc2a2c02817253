package rules

import (
	_ "embed"

	"github.com/heedsh/heed/internal/detect/sigma"
	"github.com/heedsh/heed/internal/once"
)

//go:generate go run ./internal/generate

//go:embed pack.bin
var blob string

// Pack returns the compiled rules. They are opened once; the set may be shared.
func Pack() (*sigma.Set, error) {
	p := pack.Get()
	return p.set, p.err
}

type opened struct {
	set *sigma.Set
	err error
}

var pack = once.Value[opened]{Make: func() opened {
	set, err := sigma.DecodeOwn(blob)
	return opened{set, err}
}}
