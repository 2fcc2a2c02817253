package hooks

import (
	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/once"
)

// families are the hooks by the name that specs use, each family made when a name
// is first looked for in it: those of the commands that are used most come first.
var families = [...]once.Value[map[string]catalog.Hook]{
	{Make: vcsHooks},
	{Make: filesHooks},
	{Make: textHooks},
	{Make: interpHooks},
	{Make: buildHooks},
	{Make: systemHooks},
	{Make: networkHooks},
	{Make: cloudHooks},
}

// Find returns the hook that specs call by this name, or nil.
func Find(name string) catalog.Hook {
	for i := range families {
		if h := families[i].Get()[name]; h != nil {
			return h
		}
	}
	return nil
}
