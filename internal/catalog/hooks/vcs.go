package hooks

import "github.com/heedsh/heed/internal/catalog"

// vcsHooks are the hooks of version control.
func vcsHooks() map[string]catalog.Hook {
	return map[string]catalog.Hook{
		"gh-api":   ghAPI,
		"gh-clone": ghClone,
		"git":      git,
		"hg":       hg,
		"hub":      hub,
		"jj":       jj,
		"svn":      svn,
	}
}
