// Package attacks holds the labelled attacks of this repository, for those parts of
// heed that must never be in favour of one.
//
// In goes nothing; out come commands that must be stopped (adversarial), and commands
// that act where it does not show (pairs), by their ids. Nothing of it is ever run.
package attacks

import (
	"embed"
	"encoding/json"
	"fmt"
	"path"
	"strings"
)

//go:embed adversarial/*.jsonl pairs/*.jsonl
var files embed.FS

// An Attack is one command.
type Attack struct {
	ID, Command, Shell string
}

// All reads the attacks, in the order of their files.
func All() ([]Attack, error) {
	var out []Attack
	for _, dir := range []string{"adversarial", "pairs"} {
		names, err := files.ReadDir(dir)
		if err != nil {
			return nil, fmt.Errorf("reading the attacks: %w", err)
		}
		for _, name := range names {
			text, err := files.ReadFile(path.Join(dir, name.Name()))
			if err != nil {
				return nil, fmt.Errorf("reading the attacks: %w", err)
			}
			for line := range strings.Lines(string(text)) {
				var c struct{ ID, Cmd, Shell, Class, Harm string }
				if err := json.Unmarshal([]byte(line), &c); err != nil {
					return nil, fmt.Errorf("reading the attacks of %s: %w", name.Name(), err)
				}
				switch {
				case c.Harm != "":
					out = append(out, Attack{c.ID, c.Harm, c.Shell})
				case c.Class == "must-stop":
					out = append(out, Attack{c.ID, c.Cmd, c.Shell})
				}
			}
		}
	}
	return out, nil
}
