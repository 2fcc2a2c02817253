package hooks

import (
	"github.com/heedsh/heed/internal/catalog"
)

// Find returns the hook that specs call by this name, or nil.
func Find(name string) catalog.Hook {
	for _, family := range []map[string]catalog.Hook{
		vcsHooks(), filesHooks(), textHooks(), networkHooks(), interpHooks(), buildHooks(), cloudHooks(), systemHooks(),
	} {
		if h := family[name]; h != nil {
			return h
		}
	}
	return nil
}
