package approval

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/heedsh/heed/internal/ownfile"
)

// A pass says that a hook has answered for a command, and did not refuse it: whoever
// stands behind it, as a second net, need not ask again. It names the command and its
// directory by a hash, is used once, and lapses. Like an answer it is a file of the
// account, no more: it lets pass what a person was asked about, and nothing else.
const passDir = "passes"

// passes is how long a pass is good: from the hook's answer, through the agent's own
// dialog, to the shell.
const passes = 10 * time.Minute

// Pass lets a command through a second net, once.
func (s *Store) Pass(command, dir string) error {
	root, err := ownfile.Dir(s.passDir(), true)
	if err != nil {
		return fmt.Errorf("letting a command through the second net: %w", err)
	}
	defer root.Close() //nolint:errcheck // closing a directory loses nothing
	s.lapse(root)
	return ownfile.Put(root, passName(command, dir), nil)
}

// Passed uses up the pass of a command, and reports whether there was one.
func (s *Store) Passed(command, dir string) bool {
	root, err := ownfile.Dir(s.passDir(), false)
	if err != nil {
		return false
	}
	defer root.Close() //nolint:errcheck // closing a directory loses nothing
	name := passName(command, dir)
	f, i, err := ownfile.Open(root, name, os.O_RDONLY)
	if err != nil {
		return false
	}
	_ = f.Close() // nothing was read
	// Whoever removes it has it.
	return root.Remove(name) == nil && s.now().Sub(i.ModTime()) < passes
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

// passDir stands beside the requests: passes come and go with every command.
func (s *Store) passDir() string { return filepath.Join(filepath.Dir(s.dir), passDir) }

func passName(command, dir string) string {
	sum := sha256.Sum256([]byte(dir + "\x00" + command))
	return hex.EncodeToString(sum[:])
}
