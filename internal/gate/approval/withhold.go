package approval

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/heedsh/heed/internal/ownfile"
	"github.com/heedsh/heed/internal/world/record"
)

// Withhold takes the command out of facts, which holds a secret, and leaves what tells
// it from others: its HMAC with the store's own key. masked is the command without its
// secrets.
func (s *Store) Withhold(f *Facts, masked string) error {
	root, err := s.open(true)
	if err != nil {
		return fmt.Errorf("keeping the request: %w", err)
	}
	defer root.Close() //nolint:errcheck // closing a directory loses nothing
	key, err := ownfile.Read(root, keyFile, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		fresh := make([]byte, sha256.Size)
		_, _ = rand.Read(fresh) // it never fails
		if err = ownfile.KeepNew(root, keyFile, fresh); err == nil || errors.Is(err, fs.ErrExist) {
			key, err = ownfile.Read(root, keyFile, maxFile)
		}
	}
	if err == nil && len(key) != sha256.Size {
		err = errors.New("its key is damaged: remove " + filepath.Join(s.dir, keyFile))
	}
	if err != nil {
		return fmt.Errorf("keeping the request: %w", err)
	}
	mac := hmac.New(sha256.New, key)
	text, err := json.Marshal(record.Escape([]any{f.Command, f.Job.Argv, f.Job.Script}))
	if err != nil {
		return fmt.Errorf("keeping the request: %w", err)
	}
	mac.Write(text)
	f.MAC, f.Command, f.Job.Argv, f.Job.Script = hex.EncodeToString(mac.Sum(nil)), masked, nil, ""
	return nil
}
