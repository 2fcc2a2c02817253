package learn

import (
	"errors"
	"net/netip"
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/confine"
	"github.com/heedsh/heed/internal/confine/grant"
	"github.com/heedsh/heed/internal/confine/profile"
	"github.com/heedsh/heed/internal/workspace"
)

// mostNeeds is how many different needs of one run are kept.
const mostNeeds = 500

// A Kind is what sort of thing a run needs.
type Kind string

// The kinds.
const (
	Tree    Kind = "tree"    // to write in a tree that is the workspace, a cache or temp
	Name    Kind = "name"    // to change a single path elsewhere
	Host    Kind = "host"    // to reach a host; "loopback" is this machine, and listening
	Socket  Kind = "socket"  // to use a Unix socket
	Secret  Kind = "secret"  // to read a secret
	Refused Kind = "refused" // what is refused while observing as well
)

// loopback stands for this machine among hosts.
const loopback = "loopback"

// A Need is one thing that a run needs, in the words of a profile.
type Need struct {
	Kind Kind   `json:"kind"`
	What string `json:"what"`
	// By is the program that needed it first.
	By string `json:"by"`
	// Deed is what it did, or tried.
	Deed confine.Deed `json:"deed"`
	// Made is whether it made what is named: what is below is its own then.
	Made bool `json:"made,omitempty"`
}

// A Run is what one run of a command needed.
type Run struct {
	Needs []Need `json:"needs"`
	// More is how many needs were too many to be kept.
	More int `json:"more,omitempty"`
}

// temps are the directories for temporary files that may be learned.
func temps() []string { return []string{"/tmp", "/var/tmp"} }

// Grant is what an observed command may do, besides what its profile grants so far:
// write in the workspaces, the home and temp but for what is never learned, and reach the
// network. It fails where a workspace holds the home: nothing could be told apart.
func Grant(base grant.Grant, w grant.Where) (grant.Grant, error) {
	if w.Home == "" || w.Home == "/" {
		return base, errors.New("there is no home, whose files could be told from others")
	}
	for _, root := range w.Workspaces {
		if grant.Below(w.Home, root) {
			return base, errors.New("the workspace is the home or holds it: go to the directory of a project")
		}
	}
	base.Write = slices.Concat(base.Write, w.Workspaces, []string{w.Home}, temps())
	base.Keep = slices.Concat(base.Keep, workspace.Guards(w.Home, w.Workspaces), workspace.Secrets(w.Home))
	base.Net, base.Sockets = grant.AnyNet, true
	return base, nil
}

// A Recorder keeps what one run needs.
type Recorder struct {
	where grant.Where
	at    map[Need]int // of a need without By and Made, where it stands
	run   Run
}

// NewRecorder makes the recorder of a run there.
func NewRecorder(w grant.Where) *Recorder {
	return &Recorder{where: w, at: map[Need]int{}}
}

// Run is what was recorded.
func (r *Recorder) Run() Run { return r.run }

// Keeps reports whether a path outside of workspace, caches and temp is never learned.
func (r *Recorder) Keeps(p string) bool {
	return r.tree(p) == "" && workspace.Guarded(p, r.where.Home) != ""
}

// Saw records what was let through.
func (r *Recorder) Saw(f confine.Refusal) {
	n := Need{What: r.short(f.Path), By: f.Program, Deed: f.Deed}
	switch f.Deed {
	case confine.Network:
		n.Kind, n.What = Host, host(f.Path)
	case confine.Socket:
		n.Kind = Socket
	case confine.Read:
		n.Kind = Secret
	default:
		n.Kind, n.Made = Name, f.Deed == confine.Make
		if word := r.tree(f.Path); word != "" {
			n.Kind, n.What, n.Made = Tree, word, false
		}
	}
	r.add(n)
}

// Refuse records what was refused.
func (r *Recorder) Refuse(f confine.Refusal) {
	r.add(Need{Kind: Refused, What: r.short(f.Path), By: f.Program, Deed: f.Deed})
}

func (r *Recorder) add(n Need) {
	key := Need{Kind: n.Kind, What: n.What}
	if n.Kind == Refused {
		key.Deed = n.Deed
	}
	if i, known := r.at[key]; known {
		r.run.Needs[i].Made = r.run.Needs[i].Made || n.Made
		return
	}
	if len(r.run.Needs) >= mostNeeds {
		r.run.More++
		return
	}
	r.at[key] = len(r.run.Needs)
	r.run.Needs = append(r.run.Needs, n)
}

// host is the word for an address.
func host(addr string) string {
	a, err := netip.ParseAddr(addr)
	if addr == "" || err == nil && (a.IsLoopback() || a.IsUnspecified()) {
		return loopback
	}
	return addr
}

// tree is the word for the tree that a path lies in, if all of it may be learned: the
// workspace, one cache, temp.
func (r *Recorder) tree(p string) string {
	if grant.Covers(r.where.Workspaces, p) {
		return "workspace"
	}
	if word := profile.Cache(p, r.where.Home); word != "" {
		return word
	}
	for _, t := range temps() {
		if grant.Below(p, t) && !grant.Below(p, r.where.Home) {
			return t
		}
	}
	return ""
}

// short is a path as a profile has it.
func (r *Recorder) short(p string) string {
	if rest, ok := strings.CutPrefix(p, r.where.Home+"/"); ok {
		return "~/" + rest
	}
	return p
}

// long is the path of a word that stands for one.
func long(word, home string) string {
	if rest, ok := strings.CutPrefix(word, "~/"); ok {
		return path.Join(home, rest)
	}
	return word
}
