package catalog

import (
	"iter"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/value"
)

// A Need is what must hold for a program to do its work.
type Need struct {
	Kind  NeedKind
	Names []string // of arguments, or of files, by the kind
	Of    string   // the file, or the list of a repository, that an entry is in; patterns of the words; places of files
	Else  string   // why it does not do its work otherwise: a phrase
	Or    Outcome  // what it does then
	First bool     // the words are looked for from where the program starts, before it goes where an option says
	All   bool     // where one of the words fails the need, nothing is done of the others
	When  Cond
}

// NeedKind is what is needed.
type NeedKind uint8

// What can be needed.
const (
	NeedsThere      NeedKind = iota // the words of the arguments are files that exist
	NeedsAbsent                     // they are names that do not exist yet
	NeedsHere                       // one of the files is in the directory where it works
	NeedsUpwards                    // there, or in a directory above
	NeedsEntry                      // the words are entries of the file Of
	NeedsRef                        // they are commits, branches or tags of the repository
	NeedsRepository                 // a repository is where it works
	NeedsTerminal                   // a terminal to ask at
	NeedsRoot                       // root's rights
	NeedsSocket                     // a service that listens at one of the files
	NeedsInput                      // something on standard input that is no terminal
	NeedsGiven                      // one of the arguments is given
	NeedsFree                       // the words are no entries of the list Of yet
	NeedsPathspec                   // they are paths that exist or that git knows
	NeedsFile                       // they are no directories
	NeedsStaged                     // something is staged
	NeedsChanges                    // tracked files have changes, staged or not
	NeedsStash                      // something is in the stash
	NeedsCommit                     // the branch that is checked out has a commit
	NeedsParent                     // the directories that the words are in exist
	NeedsEmpty                      // they are directories with nothing in them
	NeedsUnchanged                  // git has nothing but what is committed of them
	NeedsAmong                      // they are some of the words, or match a pattern, in Of
	NeedsFound                      // they are called like a file that is in one of the places Of
	NeedsRemote                     // a remote of the repository is, or may be, a host of the service; or a variable says which
	NeedsTracked                    // they are paths, and git tracks them or something below them
	NeedsUnderway                   // what is stopped half-way: one of the files is in the directory of the repository
	NeedsClean                      // no tracked file has changes
	NeedsUnused                     // they are branches, and not the one that is checked out
	NeedsAccount                    // they are users, or groups, of this machine: Of
	NeedsListed                     // they are names of this machine, or of a client's settings: Of
	NeedsUnmanaged                  // the Python that it installs into is not the system's own, which only the system's packages may change (PEP 668)
)

// NotRoot is why something is not done that takes root's rights, where its spec has no words
// of its own that tell what that is.
const NotRoot = "you are not root"

// NeedNames maps the words of specs to what is needed.
func NeedNames() map[string]NeedKind {
	return map[string]NeedKind{
		"there": NeedsThere, "absent": NeedsAbsent, "here": NeedsHere, "upwards": NeedsUpwards, "entry": NeedsEntry, "ref": NeedsRef,
		"repository": NeedsRepository, "terminal": NeedsTerminal, "root": NeedsRoot, "socket": NeedsSocket, "input": NeedsInput,
		"given": NeedsGiven, "free": NeedsFree, "pathspec": NeedsPathspec, "file": NeedsFile,
		"staged": NeedsStaged, "changes": NeedsChanges, "stash": NeedsStash, "commit": NeedsCommit,
		"parent": NeedsParent, "empty": NeedsEmpty, "unchanged": NeedsUnchanged,
		"among": NeedsAmong, "found": NeedsFound, "remote": NeedsRemote, "tracked": NeedsTracked, "underway": NeedsUnderway, "clean": NeedsClean, "unused": NeedsUnused,
		"account": NeedsAccount, "listed": NeedsListed, "unmanaged": NeedsUnmanaged,
	}
}

// OfArgument reports whether the names of such a need are those of arguments.
func (k NeedKind) OfArgument() bool {
	switch k {
	case NeedsThere, NeedsAbsent, NeedsEntry, NeedsRef, NeedsGiven, NeedsFree, NeedsPathspec, NeedsFile, NeedsParent, NeedsEmpty, NeedsUnchanged,
		NeedsAmong, NeedsFound, NeedsTracked, NeedsUnused, NeedsAccount, NeedsListed:
		return true
	}
	return false
}

// Aside reports whether it is told beside what is done that such a need is not met, and not
// as the program's end: a service is made and a remote set where heed may not look.
func (k NeedKind) Aside() bool { return k == NeedsFound || k == NeedsRemote }

// Last reports whether such a need is looked at after all others: whether somebody is let do
// what could be done.
func (k NeedKind) Last() bool { return k == NeedsRoot || k == NeedsUnmanaged }

// HasOf reports whether such a need says of which file or list.
func (k NeedKind) HasOf() bool {
	return k == NeedsEntry || k == NeedsFree || k == NeedsAmong || k == NeedsFound || k == NeedsAccount || k == NeedsListed
}

// RepositoryLists maps the lists of a repository that entries may be of to where their
// refs are; "" for those that are no refs.
func RepositoryLists() map[string]string {
	return map[string]string{"remotes": "", "branches": "refs/heads/", "tags": "refs/tags/"}
}

// NameLists maps the lists of names that the machine, or a client, keeps to what is said
// where a name is none of them: before and behind it.
func NameLists() map[string][2]string {
	return map[string][2]string{
		"interfaces":            {"there is no network interface ", " on this machine"},
		"docker-contexts":       {"there is no Docker context ", " here"},
		"kube-contexts":         {"the kubeconfig has no context ", ""},
		"aws-profiles":          {"there is no AWS profile ", " here"},
		"gcloud-configurations": {"there is no gcloud configuration ", " here"},
	}
}

// KeepsNetwork reports whether what a wrapper runs, by its label, has the network interfaces
// that the wrapper has.
func KeepsNetwork(label string) bool {
	name, _, _ := strings.Cut(label, " ")
	return slices.Contains([]string{"sudo", "doas", "su", "runuser", "pkexec", "run0", "env", "timeout", "nice", "nohup", "time"}, name)
}

// ActsAsRoot reports whether what a wrapper runs, by its label, may be root in namespaces of
// its own, or be told that it is.
func ActsAsRoot(label string) bool {
	name, _, _ := strings.Cut(label, " ")
	return slices.Contains([]string{"unshare", "nsenter", "bwrap", "fakeroot", "fakeroot-ng", "proot", "rootlesskit", "podman", "buildah", "lxc-usernsexec", "systemd-nspawn"}, name)
}

// OfFile reports whether the names of such a need are those of files.
func (k NeedKind) OfFile() bool {
	return k == NeedsHere || k == NeedsUpwards || k == NeedsSocket || k == NeedsRemote || k == NeedsUnderway
}

// Outcome is how an invocation ends where a need is not met.
type Outcome uint8

// The outcomes.
const (
	Fails       Outcome = iota // it fails, with an error
	DoesNothing                // it ends well and has done nothing
	Waits                      // it waits for input
	Asks                       // it stops and asks
)

// OutcomeNames maps the words of specs to outcomes.
func OutcomeNames() map[string]Outcome {
	return map[string]Outcome{"fails": Fails, "nothing": DoesNothing, "waits": Waits, "asks": Asks}
}

// Needs returns what this invocation needs: that of the program before that of
// its subcommand.
func (r *Result) Needs() iter.Seq[*Need] {
	return func(yield func(*Need) bool) {
		for _, c := range r.Match.Chain {
			needs := c.Notes().Needs
			for i := range needs {
				if n := &needs[i]; n.When.surely(r.Match, r) && !yield(n) {
					return
				}
			}
		}
	}
}

// Needed returns the words of the arguments that a need is about: neither a
// default nor the word - for standard input.
func (m *Match) Needed(n *Need) []value.Value {
	var out []value.Value
	if n.Kind.OfArgument() {
		for i := range m.Args {
			b := &m.Args[i]
			if text, known := b.Value.Known(); b.Default || known && (text == "-" || text == "") || !m.needed(n, i) {
				continue
			}
			if text, known := b.Value.Known(); n.Kind == NeedsThere && n.Of != "" && !(known && Glob(n.Of, text)) {
				continue
			}
			out = append(out, b.Value)
		}
	}
	return out
}

// needed reports whether a need is of a word: all of an argument, or the one that stands
// at its place among them (operand:2).
func (m *Match) needed(n *Need, word int) bool {
	arg := m.Args[word].Arg.Name
	return slices.ContainsFunc(n.Names, func(name string) bool {
		if name == arg {
			return true
		}
		rest, ok := strings.CutPrefix(name, arg)
		if !ok || rest[0] != ':' {
			return false
		}
		nth := 0
		for i := range m.Args[:word+1] {
			if m.Args[i].Arg.Name == arg {
				nth++
			}
		}
		_, only := Ordinal(name)
		return only == nth
	})
}

// Without says why the program does not do its work: missing are the words that
// failed the need, of the arguments that it names.
func (r *Result) Without(n *Need, missing []value.Value, show Show) (string, bool) {
	if r.Match == nil {
		return "", false
	}
	t, err := ParseTemplate(n.Else)
	if err != nil {
		return "", false
	}
	f := filling{r: r, show: show, over: map[string][]value.Value{}}
	if n.Kind.OfArgument() {
		for _, name := range n.Names {
			f.over[name] = slices.Clip(missing)
		}
	}
	said, ok := f.fill(t)
	return said.Text, ok
}
