package hooks

import (
	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/hooks/cloud"
	"github.com/heedsh/heed/internal/catalog/hooks/db"
	"github.com/heedsh/heed/internal/catalog/hooks/git"
	"github.com/heedsh/heed/internal/catalog/hooks/net"
	"github.com/heedsh/heed/internal/catalog/hooks/recipe"
	"github.com/heedsh/heed/internal/catalog/hooks/site"
	"github.com/heedsh/heed/internal/catalog/hooks/system"
	"github.com/heedsh/heed/internal/catalog/hooks/text"
)

// Find returns the hook that specs call by this name, or nil.
func Find(name string) catalog.Hook {
	for _, family := range families() {
		if h := family(name); h != nil {
			return h
		}
	}
	return nil
}

func families() [8]catalog.Hooks {
	return [...]catalog.Hooks{cloud.Hook, db.Hook, git.Hook, net.Hook, recipe.Hook, site.Hook, system.Hook, text.Hook}
}
