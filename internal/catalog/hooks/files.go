package hooks

import "github.com/heedsh/heed/internal/catalog"

// filesHooks are the hooks of files, search and wrappers.
func filesHooks() map[string]catalog.Hook {
	return map[string]catalog.Hook{
		"chmod":    chmod,
		"cp":       cp,
		"dash":     dash,
		"dd":       dd,
		"env":      env,
		"fd":       fd,
		"find":     find,
		"flock":    flock,
		"install":  installFiles,
		"joined":   joinedText,
		"ln":       ln,
		"mknod":    mknod,
		"mktemp":   mktemp,
		"mv":       mv,
		"newmode":  newMode,
		"pee":      pee,
		"printenv": printenv,
		"script":   script,
		"setarch":  setarch,
		"shred":    shred,
		"xargs":    xargs,
		"sudo":     sudo,
	}
}
