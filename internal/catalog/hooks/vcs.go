package hooks

import "github.com/heedsh/heed/internal/catalog"

// vcsHooks are the hooks of version control.
func vcsHooks() map[string]catalog.Hook {
	return map[string]catalog.Hook{
		"git": git,
	}
}
