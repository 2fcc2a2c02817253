package hooks

import "github.com/heedsh/heed/internal/catalog"

// networkHooks are the hooks of network clients and databases.
func networkHooks() map[string]catalog.Hook {
	return map[string]catalog.Hook{}
}
