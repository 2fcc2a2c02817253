package learn

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"unicode/utf8"

	"github.com/heedsh/heed/internal/confine"
	"github.com/heedsh/heed/internal/confine/grant"
	"github.com/heedsh/heed/internal/confine/profile"
	"github.com/heedsh/heed/internal/workspace"
)

const (
	// Runs is how many runs are observed before anything is proposed.
	Runs = 3
	// enough is how many of them have to need something.
	enough = 2
	// mostNames is how many single paths are learned.
	mostNames = 50
)

// A Left is what is not granted, and why.
type Left struct{ What, Why string }

// Begin is the profile that learning begins with where there is none: that of builds,
// without what it writes and reaches.
func Begin(program string) (*profile.Profile, error) {
	text, err := profile.Text("build")
	if err != nil {
		return nil, err
	}
	p, err := profile.Parse("build.yaml", text)
	if err != nil {
		return nil, err
	}
	p.Summary, p.Write, p.Net, p.Hosts, p.Sockets, p.Signals = "Learned from "+path.Base(program), nil, string(grant.NoNet), nil, false, false
	return p, nil
}

// A counted is a need and the number of runs that had it.
type counted struct {
	Need
	runs, made int
}

// A proposal is a profile in the making.
type proposal struct {
	p     *profile.Profile
	has   grant.Grant
	where grant.Where
	isDir func(string) bool
	runs  int
	left  []Left
	names int
}

// Propose adds to a profile what enough runs needed and may be learned. What is left out
// comes sorted, each with its reason. isDir reports whether a directory stands at a path.
func Propose(base *profile.Profile, runs []Run, w grant.Where, isDir func(string) bool) (*profile.Profile, []Left, error) {
	next := *base
	next.Write, next.Names = slices.Clone(base.Write), slices.Clone(base.Names)
	has, err := base.Grant(w)
	if err != nil {
		return nil, nil, err
	}
	x := &proposal{p: &next, has: has, where: w, isDir: isDir, runs: len(runs)}
	var hosts []counted
	for _, n := range count(runs) {
		switch n.Kind {
		case Host:
			hosts = append(hosts, n)
		case Tree:
			x.tree(&n)
		case Name:
			x.name(&n)
		case Socket:
			x.socket(&n)
		case Secret:
			x.leave(&n, "read "+n.What, "a secret is never learned")
		case Refused:
			x.leave(&n, confine.Refusal{Deed: n.Deed, Path: n.What}.Tried(), x.why(&n))
		}
	}
	x.network(hosts)
	for _, r := range runs {
		if r.More > 0 {
			x.left = append(x.left, Left{fmt.Sprintf("%d more needs of one run", r.More), "more than a profile could say"})
		}
	}
	return x.p, x.left, nil
}

// count counts in how many runs each need is, in the order of their words.
func count(runs []Run) []counted {
	at := map[Need]int{}
	var all []counted
	for _, r := range runs {
		for _, n := range r.Needs {
			key := Need{Kind: n.Kind, What: n.What}
			if n.Kind == Refused {
				key.Deed = n.Deed
			}
			i, known := at[key]
			if !known {
				i = len(all)
				at[key] = i
				all = append(all, counted{Need: n})
			}
			all[i].runs++
			if n.Made {
				all[i].made++
			}
		}
	}
	slices.SortFunc(all, func(a, b counted) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.What, b.What), cmp.Compare(a.Deed, b.Deed))
	})
	return all
}

func (x *proposal) leave(n *counted, what, why string) {
	x.left = append(x.left, Left{fmt.Sprintf("%s (%s)", what, n.By), why})
}

// rare says that too few runs had a need.
func (x *proposal) rare() string { return fmt.Sprintf("seen in one of %d runs only", x.runs) }

func (x *proposal) tree(n *counted) {
	granted := false
	switch n.What {
	case "workspace":
		granted = slices.ContainsFunc(x.p.Write, func(w string) bool { return w == "workspace" })
	default:
		granted = grant.Covers(x.has.Write, long(n.What, x.where.Home))
	}
	switch {
	case granted:
	case !x.learnable(n.What):
		x.leave(n, "write "+n.What, "it is no tree that is learned")
	case n.runs < enough:
		x.leave(n, "write "+n.What, x.rare())
	default:
		x.p.Write = append(x.p.Write, n.What)
	}
}

// learnable reports whether a word stands for a tree that may be learned: what was kept
// of a run can have been changed since.
func (x *proposal) learnable(word string) bool {
	return word == "workspace" || slices.Contains(temps(), word) || profile.Cache(long(word, x.where.Home), x.where.Home) == word
}

func (x *proposal) name(n *counted) {
	p := long(n.What, x.where.Home)
	if grant.Covers(slices.Concat(x.has.Write, x.has.Names), p) {
		return
	}
	if why := x.unfit(n, p); why != "" {
		x.leave(n, confine.Refusal{Deed: n.Deed, Path: n.What}.Tried(), why)
		return
	}
	x.names++
	x.has.Names = append(x.has.Names, p)
	x.p.Names = append(x.p.Names, n.What)
}

// unfit says why a single path is not learned, "" if it is. Beside a name others can be
// made, and below one everything.
func (x *proposal) unfit(n *counted, p string) string {
	dir := path.Dir(p)
	switch {
	case !utf8.ValidString(p):
		return "its name is no text"
	case !path.IsAbs(p) || path.Clean(p) != p:
		return "it is no path"
	case workspace.Guarded(p, x.where.Home) != "":
		return never
	case n.runs < enough:
		return x.rare()
	case dir == "/" || dir == x.where.Home:
		return "beside it, in " + short(dir, x.where.Home) + ", files could be made that are run later"
	case workspace.OwnPlace(dir) || workspace.OwnPlace(p):
		return "programs stand there that are run later"
	case x.leads(p):
		return "below it are start-up files or settings"
	case x.names >= mostNames:
		return fmt.Sprintf("there are %d single paths already", mostNames)
	}
	if n.made < enough && x.isDir(p) {
		return "it is a directory that the command did not make in two runs, and all below it would be granted"
	}
	return ""
}

// never is why some paths are never learned.
const never = "start-up files, hooks, secrets and settings of agents and heed are never learned"

// leads reports whether something that is never learned lies below a path.
func (x *proposal) leads(p string) bool {
	for _, q := range slices.Concat(workspace.Guards(x.where.Home, x.where.Workspaces), x.where.Secrets) {
		if grant.Below(q, p) {
			return true
		}
	}
	return false
}

func short(p, home string) string {
	if p == home {
		return "the home"
	}
	return p
}

func (x *proposal) socket(n *counted) {
	switch {
	case x.p.Sockets:
	case n.runs < enough:
		x.leave(n, "use the Unix socket "+n.What, x.rare())
	default:
		x.p.Sockets = true
	}
}

// network lets all of the network be reached only where every host was reached by enough
// runs: it does not learn hosts one by one.
func (x *proposal) network(hosts []counted) {
	if x.p.Net == string(grant.AnyNet) || x.p.Net == string(grant.Hosts) { // a person said which
		return
	}
	var rare []counted
	often, local := false, false
	for _, h := range hosts {
		switch {
		case h.What == loopback && h.runs >= enough:
			local = true
		case h.What == loopback:
			x.leave(&h, "use the network of this machine", x.rare())
		case h.runs >= enough:
			often = true
		default:
			rare = append(rare, h)
		}
	}
	for _, h := range rare {
		x.leave(&h, "reach "+h.What, x.rare())
	}
	switch {
	case often && len(rare) == 0:
		x.p.Net = string(grant.AnyNet)
	case often:
		x.left = append(x.left, Left{"net: any", "it would let the hosts be reached, too, that were seen in one run only"})
		if local {
			x.p.Net = string(grant.Loopback)
		}
	case local:
		x.p.Net = string(grant.Loopback)
	}
}

// why says why something is refused while observing as well.
func (x *proposal) why(n *counted) string {
	p := long(n.What, x.where.Home)
	switch n.Deed {
	case confine.Signal:
		return "signals to what it did not start are never learned"
	case confine.Socket:
		return "a socket of others is never learned"
	case confine.Write, confine.Make, confine.Delete, confine.Move, confine.Metadata:
		if workspace.Guarded(p, x.where.Home) != "" || grant.Covers(slices.Concat(x.has.Keep, workspace.Guards(x.where.Home, x.where.Workspaces)), p) {
			return never
		}
		return "outside of the home, the workspace and temp nothing is learned"
	}
	return "no profile lets it"
}
