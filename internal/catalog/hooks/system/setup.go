package system

import (
	"slices"

	"github.com/heedsh/heed/internal/catalog"
)

// setupHook says that a program prints shell code of its own making: unless it
// runs a command, or shows a file, instead. Of programs that do several things
// those count that an option asks to print code (the flag "setup").
func setupHook(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	shown := slices.ContainsFunc(r.Effects, func(e catalog.Effect) bool { return e.Shown })
	if len(r.Runs) > 0 || shown || m.Has("help") {
		return
	}
	switch s.Name {
	case "resize", "gpg-agent", "ssh-agent", "lesspipe", "lesspipe.sh", "keychain", "register-python-argcomplete":
	default:
		if !m.Has("setup") {
			return
		}
	}
	r.Prints = catalog.PrintsSetup
}
