package hooks

import "github.com/heedsh/heed/internal/catalog"

// filesHooks are the hooks of files, search and wrappers.
func filesHooks() map[string]catalog.Hook {
	return map[string]catalog.Hook{
		"sudo": sudo,
	}
}
