package hooks

import (
	"maps"

	"github.com/heedsh/heed/internal/catalog"
)

// All returns the hooks by the name that specs use.
func All() map[string]catalog.Hook {
	all := map[string]catalog.Hook{}
	for _, family := range []map[string]catalog.Hook{
		vcsHooks(), filesHooks(), textHooks(), networkHooks(), interpHooks(), buildHooks(), cloudHooks(), systemHooks(),
	} {
		maps.Copy(all, family)
	}
	return all
}
