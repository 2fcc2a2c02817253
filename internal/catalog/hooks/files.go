package hooks

import "github.com/heedsh/heed/internal/catalog"

// filesHooks are the hooks of files, search and wrappers.
func filesHooks() map[string]catalog.Hook {
	return map[string]catalog.Hook{
		"bind":      bind,
		"bwrap":     bwrap,
		"capsh":     capsh,
		"chmod":     chmod,
		"chpst":     chpst,
		"startstop": startStop,
		"cp":        cp,
		"cpio":      cpio,
		"compgen":   compgen,
		"dash":      dash,
		"dd":        dd,
		"env":       env,
		"fd":        fd,
		"find":      find,
		"flock":     flock,
		"install":   installFiles,
		"joined":    joinedText,
		"ln":        ln,
		"mknod":     mknod,
		"mktemp":    mktemp,
		"split":     split,
		"mv":        mv,
		"newmode":   newMode,
		"or-shell":  orShell,
		"parallel":  parallel,
		"pee":       pee,
		"printenv":  printenv,
		"rename":    rename,
		"rsync":     rsync,
		"script":    script,
		"setarch":   setarch,
		"sg":        sg,
		"shred":     shred,
		"xargs":     xargs,
		"strace":    strace,
		"su":        su,
		"sudo":      sudo,
	}
}
