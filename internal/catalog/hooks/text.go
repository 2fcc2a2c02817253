package hooks

import "github.com/heedsh/heed/internal/catalog"

// textHooks are the hooks of text, archives, pagers and editors.
func textHooks() map[string]catalog.Hook {
	return map[string]catalog.Hook{
		"dos2unix": dos2unix,
		"search":   search,
		"sed":      sed,
		"tar":      tar,
	}
}
