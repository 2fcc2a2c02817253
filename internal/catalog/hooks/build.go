package hooks

import "github.com/heedsh/heed/internal/catalog"

// buildHooks are the hooks of package managers, build tools and test runners.
func buildHooks() map[string]catalog.Hook {
	return map[string]catalog.Hook{}
}
