package rules

import (
	_ "embed"
	"sync"

	"github.com/heedsh/heed/internal/detect/sigma"
)

//go:generate go run ./internal/generate

//go:embed pack.bin
var blob string

// Pack returns the compiled rules. They are opened once; the set may be shared.
func Pack() (*sigma.Set, error) { return open() }

var open = sync.OnceValues(func() (*sigma.Set, error) { return sigma.DecodeOwn(blob) })
