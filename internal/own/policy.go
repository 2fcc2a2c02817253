package own

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/internal/policy/rulefile"
	"github.com/heedsh/heed/internal/service"
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
// heed's preset, root's file, the person's, and those of workspaces.
func Policy(env []string) service.Policy {
	return func(roots []string) (*policy.Set, string) {
		return PolicyRules(ManagedPolicy, UserPolicy(env), roots), Today()
	}
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
		set.Dialog = set.Dialog || f.Dialog
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
