package git

import "github.com/heedsh/heed/internal/catalog"

// Hook returns the hook that specs call by this name, or nil. A switch costs a
// start nothing; a map would be built each time.
func Hook(name string) catalog.Hook {
	switch name {
	case "gh-api":
		return ghAPI
	case "gh-clone":
		return ghClone
	case "git":
		return git
	case "bzr":
		return elsewhere
	case "hg":
		return hg
	case "hub":
		return hub
	case "jj":
		return jj
	case "svn":
		return svn
	}
	return nil
}
