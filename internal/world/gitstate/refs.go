package gitstate

import (
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/world"
)

const (
	// maxSymref is SYMREF_MAXDEPTH of git's refs.c.
	maxSymref = 5
	// maxRefFile admits a FETCH_HEAD of thousands of branches.
	maxRefFile = 1 << 20
	// maxLooseRefs and maxRefDepth bound the walk over loose refs.
	maxLooseRefs = 100_000
	maxRefDepth  = 64
)

var (
	errRef      = errors.New("not a ref")
	errReftable = errors.New("refs in reftable format are not read")
)

// A refFile is what a file says in the place of a ref: another ref or an id.
type refFile struct {
	sym   string
	hexID string
}

// parseRef reads the first line of a ref (gitrepository-layout(5), "HEAD").
func parseRef(data []byte) (refFile, error) {
	s := string(data)
	if rest, ok := strings.CutPrefix(s, "ref:"); ok {
		name := strings.Trim(rest, " \t\r\n")
		if !validRefName(name) {
			return refFile{}, errRef
		}
		return refFile{sym: name}, nil
	}
	n := 0
	for n < len(s) && isHex(s[n]) {
		n++
	}
	if (n != sha1Algo.hexSize() && n != sha256Algo.hexSize()) || (n < len(s) && !isConfigSpace(s[n])) {
		return refFile{}, errRef
	}
	return refFile{hexID: asciiLower(s[:n])}, nil
}

func isHex(c byte) bool { return isDigit(c) || 'a' <= lower(c) && lower(c) <= 'f' }

// refFile reads a loose ref. A symbolic link to "refs/..." is a symbolic ref of
// the old form.
func (g *Git) refFile(name string) (refFile, error) {
	info, err := g.lstat(name)
	if err != nil {
		return refFile{}, err
	}
	if info.Kind == world.Symlink {
		text, err := g.fs.Readlink(name)
		if err != nil {
			return refFile{}, err
		}
		if strings.HasPrefix(text, "refs/") && validRefName(text) {
			return refFile{sym: text}, nil
		}
		if _, info, err = g.follow(name); err != nil {
			return refFile{}, err
		}
	}
	return loadInfo(g, kindRef, name, info, maxRefFile, parseRef)
}

// validRefName applies git-check-ref-format(1), one-level names allowed. It also
// keeps every name inside the git directory.
func validRefName(name string) bool {
	if name == "" || name == "@" || len(name) > maxPath || strings.HasSuffix(name, ".") ||
		strings.Contains(name, "..") || strings.Contains(name, "@{") {
		return false
	}
	for elem := range strings.SplitSeq(name, "/") {
		if elem == "" || elem[0] == '.' || strings.HasSuffix(elem, ".lock") {
			return false
		}
	}
	for i := range len(name) {
		if c := name[i]; c <= ' ' || c == 0x7f || strings.IndexByte(`~^:?*[\`, c) >= 0 {
			return false
		}
	}
	return true
}

// rootRef reports whether a name outside refs/ may be a ref: HEAD, FETCH_HEAD …
func rootRef(name string) bool {
	for i := range len(name) {
		if c := name[i]; (c < 'A' || c > 'Z') && c != '_' && c != '-' {
			return false
		}
	}
	return name != ""
}

// refPath is the file of a loose ref; ok is false for what cannot be a ref.
// Outside refs/, and for bisect, worktree and rewritten, each work tree has its
// own (gitrepository-layout(5)).
func (r *repo) refPath(name string) (file string, ok bool) {
	if !validRefName(name) {
		return "", false
	}
	if rest, cut := strings.CutPrefix(name, "main-worktree/"); cut {
		return join(r.commonDir, rest), rootRef(rest) || strings.HasPrefix(rest, "refs/")
	}
	if rest, cut := strings.CutPrefix(name, "worktrees/"); cut {
		_, ref, _ := strings.Cut(rest, "/")
		return join(r.commonDir, name), rootRef(ref) || perWorktree(ref)
	}
	if !strings.HasPrefix(name, "refs/") {
		return join(r.gitDir, name), rootRef(name)
	}
	if perWorktree(name) {
		return join(r.gitDir, name), true
	}
	return join(r.commonDir, name), true
}

func perWorktree(name string) bool {
	return strings.HasPrefix(name, "refs/bisect/") || strings.HasPrefix(name, "refs/worktree/") ||
		strings.HasPrefix(name, "refs/rewritten/")
}

// readRef reads one ref, loose before packed.
func (r *repo) readRef(name string) (refFile, bool) {
	if r.reftable {
		return refFile{}, false
	}
	file, ok := r.refPath(name)
	if !ok {
		return refFile{}, false
	}
	v, err := r.g.refFile(file)
	switch {
	case err == nil:
		return v, true
	case !errors.Is(err, world.ErrNotExist) && !errors.Is(err, errNotRegular):
		return refFile{}, false // broken: the packed one is older
	}
	if packed, err := r.packedRefs(); err == nil {
		if id, ok := packed.find(name); ok {
			return refFile{hexID: id.hex()}, true
		}
	}
	return refFile{}, false
}

// resolve follows symbolic refs and returns the id and the last ref's name; id is
// empty if the ref does not exist, name if it is no ref at all.
func (r *repo) resolve(name string) (id oid, final string) {
	for range maxSymref {
		v, ok := r.readRef(name)
		if !ok {
			return "", name
		}
		if v.sym == "" {
			id, ok := r.algo.parse(v.hexID)
			if !ok || id.isNull() {
				return "", name
			}
			return id, name
		}
		name = v.sym
	}
	return "", ""
}

// Head returns the current branch and commit.
func (r *repo) Head() (branch, commit string) {
	id, final := r.head()
	return strings.TrimPrefix(final, "refs/heads/"), id.hex()
}

// head resolves HEAD; branch is the full name of the ref it points at, if any.
func (r *repo) head() (id oid, branch string) {
	id, final := r.resolve("HEAD")
	if final == "HEAD" {
		final = ""
	}
	return id, final
}

func (r *repo) currentBranch() string {
	v, _ := r.readRef("HEAD")
	if b, ok := strings.CutPrefix(v.sym, "refs/heads/"); ok {
		return b
	}
	return ""
}

// Refs lists refs by full name.
func (r *repo) Refs(prefix string, limit int) ([]world.Ref, error) {
	if r.reftable {
		return nil, errReftable
	}
	packed, err := r.packedRefs()
	if err != nil {
		return nil, err
	}
	names := r.looseNames(prefix)
	names = append(names, packed.names(prefix)...)
	slices.Sort(names)
	var out []world.Ref
	for _, name := range slices.Compact(names) {
		if len(out) >= limit {
			break
		}
		if id, _ := r.resolve(name); id != "" {
			out = append(out, world.Ref{Name: name, ID: id.hex()})
		}
	}
	return out, nil
}

// looseNames lists the loose refs under prefix.
func (r *repo) looseNames(prefix string) []string {
	w := refWalk{g: r.g, prefix: prefix, budget: maxLooseRefs}
	w.dir(r.commonDir, "refs/", 0)
	if r.gitDir != r.commonDir {
		w.names = slices.DeleteFunc(w.names, perWorktree)
		for _, own := range []string{"refs/bisect/", "refs/worktree/", "refs/rewritten/"} {
			w.dir(r.gitDir, own, 0)
		}
	}
	return w.names
}

type refWalk struct {
	g      *Git
	prefix string
	names  []string
	budget int
}

// dir lists below base the refs of a directory whose name ends in a slash.
func (w *refWalk) dir(base, rel string, depth int) {
	if depth > maxRefDepth || w.budget <= 0 || !(strings.HasPrefix(rel, w.prefix) || strings.HasPrefix(w.prefix, rel)) {
		return
	}
	entries, err := w.g.fs.ReadDir(path.Join(base, rel), w.budget)
	if err != nil && !errors.Is(err, world.ErrTooLarge) {
		return
	}
	w.budget -= len(entries)
	for _, e := range entries {
		name := rel + e.Name
		switch {
		case !validRefName(name):
		case e.Kind == world.Dir:
			w.dir(base, name+"/", depth+1)
		case strings.HasPrefix(name, w.prefix):
			w.names = append(w.names, name)
		}
	}
}
