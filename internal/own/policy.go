package own

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/heedsh/heed/internal/ownfile"
	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/internal/policy/rulefile"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/internal/wholefile"
)

// Files of policy rules.
const (
	// ManagedPolicy is root's.
	ManagedPolicy = "/etc/heed/policy.yaml"
	// WorkspacePolicy is a workspace's, below its root; it can only tighten.
	WorkspacePolicy = ".heed/policy.yaml"
	maxPolicyFile   = 1 << 20
)

// UserPolicy is the file of the rules of the person of an environment; "" if there
// is no home.
func UserPolicy(env []string) string {
	dir := below(env, "XDG_CONFIG_HOME", ".config")
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "policy.yaml")
}

// Policy returns what finds the rules in force for the person of an environment:
// heed's preset, root's file, the person's, and those of workspaces; and, for what a
// person runs at a terminal, those that he gave for this terminal's session.
func Policy(env []string) service.Policy {
	return func(front policy.Front, roots []string) (*policy.Set, string) {
		set := PolicyRules(ManagedPolicy, UserPolicy(env), roots)
		if front != policy.Run {
			return set, Today()
		}
		if name := SessionPolicy(env); name != "" {
			f, err := readPolicy(name, policy.OfSession)
			if err != nil {
				set.Broken = append(set.Broken, err.Error())
			} else {
				set.Rules = append(set.Rules, f.Rules...)
			}
		}
		return set, Today()
	}
}

// SessionPolicy is the file of the rules that hold for the session of this process's
// terminal; "" if there is none, or it cannot be told from others.
func SessionPolicy(env []string) string {
	id := terminalSession()
	if id == "" {
		return ""
	}
	dir, err := ownfile.State(Getenv(env), "terminals")
	if err != nil {
		return ""
	}
	return filepath.Join(dir, id+".yaml")
}

// Today is the day by the clock of this machine, YYYY-MM-DD.
func Today() string { return time.Now().Format(time.DateOnly) }

// PolicyRules reads the rules in force from these files, of which none has to be there.
// What cannot be read stands in the set: nothing is then allowed unasked.
func PolicyRules(managed, user string, roots []string) *policy.Set {
	set := &policy.Set{}
	preset := rulefile.Presets()[1]
	read := func(name string, layer policy.Layer) {
		f, err := readPolicy(name, layer)
		if err != nil {
			set.Broken = append(set.Broken, err.Error())
			return
		}
		set.Rules = append(set.Rules, f.Rules...)
		set.Asks = set.Asks || f.AskAlways
		set.ConfineAgents = append(set.ConfineAgents, f.ConfineAgents...)
		set.Dialog = set.Dialog || f.Dialog
		for _, band := range f.Confine {
			set.Confine[band] = true
		}
		if f.Preset != "" {
			preset = f.Preset
		}
	}
	if user != "" {
		read(user, policy.User)
	}
	read(managed, policy.Managed) // root's preset counts before the person's
	for _, root := range slices.Compact(slices.Sorted(slices.Values(roots))) {
		read(filepath.Join(root, WorkspacePolicy), policy.Workspace)
	}
	p, rules, err := rulefile.Preset(preset)
	if err != nil {
		set.Broken = append(set.Broken, err.Error())
		return set
	}
	set.Preset, set.Rules = p, append(rules, set.Rules...)
	return set
}

// readPolicy reads one file. One that is not there says nothing.
func readPolicy(name string, layer policy.Layer) (*rulefile.File, error) {
	f, err := os.Open(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &rulefile.File{}, nil
	case err != nil:
		return nil, fmt.Errorf("%s:1: reading the rules: %w", name, err)
	}
	defer f.Close()
	i, err := f.Stat()
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s:1: reading the rules: %w", name, err)
	case !i.Mode().IsRegular():
		return nil, fmt.Errorf("%s:1: this is no regular file", name)
	case layer == policy.Managed && !rootsOnly(i):
		return nil, fmt.Errorf("%s:1: anybody but root can change this file: chown it to root and take away the others' right to write", name)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxPolicyFile+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s:1: reading the rules: %w", name, err)
	case len(text) > maxPolicyFile:
		return nil, fmt.Errorf("%s:1: more than %d bytes", name, maxPolicyFile)
	}
	return rulefile.Parse(name, text, layer)
}

// AddRule adds a rule to a file of rules of a layer, which is made if there is none yet:
// behind the last one, with a comment above it, and every other byte as it was. A link
// stays a link.
func AddRule(name string, layer policy.Layer, r *policy.Rule, comment []string) error {
	return change(name, func(name string, old []byte) ([]byte, error) {
		return rulefile.Append(name, old, layer, r, comment)
	})
}

// AddRules is AddRule for several, of which those whose ids are there are left out; the
// comment stands above each. It returns how many were added.
func AddRules(name string, layer policy.Layer, rules []policy.Rule, comment []string) (added int, err error) {
	err = change(name, func(name string, text []byte) ([]byte, error) {
		for i := range rules {
			with, err := rulefile.Append(name, text, layer, &rules[i], comment)
			switch {
			case errors.Is(err, rulefile.ErrThere):
			case err != nil:
				return nil, err
			default:
				text, added = with, added+1
			}
		}
		return text, nil
	})
	return added, err
}

// change writes a file of rules anew, if nobody else does meanwhile.
func change(name string, edit func(name string, old []byte) ([]byte, error)) error {
	if to, err := filepath.EvalSymlinks(name); err == nil {
		name = to
	}
	mode, old := fs.FileMode(0o600), []byte(nil)
	switch i, err := os.Stat(name); {
	case err == nil && !i.Mode().IsRegular():
		return fmt.Errorf("%s: this is no regular file", name)
	case err == nil:
		mode = i.Mode().Perm()
		if old, err = os.ReadFile(name); err != nil {
			return fmt.Errorf("reading the rules: %w", err)
		}
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("reading the rules: %w", err)
	}
	text, err := edit(name, old)
	if err != nil || bytes.Equal(text, old) {
		return err
	}
	if len(text) > maxPolicyFile {
		return fmt.Errorf("%s: it would hold more than %d bytes", name, maxPolicyFile)
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return fmt.Errorf("making the directory of the rules: %w", err)
	}
	unchanged := func() error {
		now, err := os.ReadFile(name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("reading the rules: %w", err)
		}
		if !bytes.Equal(now, old) {
			return fmt.Errorf("%s: somebody else changed it: try again", name)
		}
		return nil
	}
	if err := wholefile.Write(name, text, mode, unchanged); err != nil {
		return fmt.Errorf("writing the rules: %w", err)
	}
	return nil
}
