package site

import "github.com/heedsh/heed/internal/catalog"

// Hook returns the hook that specs call by this name, or nil. A switch costs a
// start nothing; a map would be built each time.
func Hook(name string) catalog.Hook {
	switch name {
	case "chmod":
		return chmod
	case "stdin-to-host":
		return SendsStdin
	}
	return nil
}
