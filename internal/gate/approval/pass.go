package approval

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/heedsh/heed/internal/ownfile"
)

// passDir holds the passes, beside the requests: they come and go with every command.
const passDir = "passes"

// passes is how long a pass is good: from the hook's answer, through the agent's own
// dialog, to the shell.
const passes = 10 * time.Minute

// maxPass is how long a pass is at most, in bytes.
const maxPass = 1 << 20

// A Pass says that a hook has answered for a command, and did not refuse it: whoever
// stands behind it, as a second net, need not refuse it again. It is used once, and
// lapses. Like an answer it is a file of the account, no more.
type Pass struct {
	Command string `json:"command"`
	Dir     string `json:"dir"`
}

// Pass lets a command through a second net, once.
func (s *Store) Pass(p Pass) error {
	root, err := ownfile.Dir(s.passDir(), true)
	if err != nil {
		return fmt.Errorf("letting a command through the second net: %w", err)
	}
	defer root.Close() //nolint:errcheck // closing a directory loses nothing
	text, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("letting a command through the second net: %w", err)
	}
	s.lapse(root)
	return ownfile.Put(root, p.name(), text)
}

// Passes are the passes for a directory that are good now, the youngest first.
func (s *Store) Passes(dir string) (all []Pass) {
	root, err := ownfile.Dir(s.passDir(), false)
	if err != nil {
		return nil
	}
	defer root.Close() //nolint:errcheck // closing a directory loses nothing
	files, err := list(root)
	if err != nil {
		return nil
	}
	for _, i := range files {
		var p Pass
		text, err := ownfile.Read(root, i.Name(), maxPass)
		if err == nil && s.now().Sub(i.ModTime()) < passes && json.Unmarshal(text, &p) == nil && p.Dir == dir && p.name() == i.Name() {
			all = append(all, p)
		}
	}
	return all
}

// UsePass uses a pass up, and reports whether it was there to be used.
func (s *Store) UsePass(p Pass) bool {
	root, err := ownfile.Dir(s.passDir(), false)
	if err != nil {
		return false
	}
	defer root.Close()                  //nolint:errcheck // closing a directory loses nothing
	return root.Remove(p.name()) == nil // whoever removes it has it
}

// lapse removes passes that nobody has used.
func (s *Store) lapse(root *os.Root) {
	files, err := list(root)
	if err != nil {
		return // they are removed another time, and do not count
	}
	for _, i := range files {
		if s.now().Sub(i.ModTime()) >= passes {
			_ = root.Remove(i.Name()) // likewise
		}
	}
}

func (s *Store) passDir() string { return filepath.Join(filepath.Dir(s.dir), passDir) }

func (p Pass) name() string {
	sum := sha256.Sum256([]byte(p.Dir + "\x00" + p.Command))
	return hex.EncodeToString(sum[:])
}
