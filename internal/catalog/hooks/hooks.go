package hooks

import (
	"maps"

	"github.com/heedsh/heed/internal/catalog"
)

// All returns the hooks by the name that specs use.
func All() map[string]catalog.Hook {
	families := []map[string]catalog.Hook{
		vcsHooks(), filesHooks(), textHooks(), networkHooks(), interpHooks(), buildHooks(), cloudHooks(), systemHooks(),
	}
	n := 0
	for _, family := range families {
		n += len(family)
	}
	all := make(map[string]catalog.Hook, n)
	for _, family := range families {
		maps.Copy(all, family)
	}
	return all
}
