package hooks

import "github.com/heedsh/heed/internal/catalog"

// interpHooks are the hooks of shells, interpreters and programs that run others.
func interpHooks() map[string]catalog.Hook {
	return map[string]catalog.Hook{}
}
