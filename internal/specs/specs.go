package specs

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/hooks"
	"github.com/heedsh/heed/internal/detect/pattern"
	"github.com/heedsh/heed/internal/workspace"
	"github.com/heedsh/heed/internal/world"
)

// WorkspaceDir is where the specs of a workspace are, below its root.
const WorkspaceDir = ownFolder + "/specs"

// ownFolder is heed's folder in a workspace.
const ownFolder = ".heed"

// maxSets is how many combinations of specs are kept compiled.
const maxSets = 16

// maxRoots is how many roots of a session are looked into for specs.
const maxRoots = 16

// A Set is the knowledge of programs that one request is judged with.
type Set struct {
	// Catalog is what heed and the person who asks say.
	Catalog *catalog.Catalog
	// Tight is Catalog and what the workspace says; nil if that says nothing.
	Tight *catalog.Catalog
	// Digest identifies all of it, for the record.
	Digest string
	// Patterns are the pattern rules of the person who asks and of the
	// workspace, and PatternDigest identifies them; empty if there are none.
	Patterns      []pattern.Rule
	PatternDigest string
	// Problems are the specs and rules that were left out.
	Problems []Problem
}

// A Problem is a spec or a file of rules that could not be read, or a part of
// one.
type Problem struct {
	Text string // begins with the file's name and, where it is known, the line
	Own  bool   // it is the person's own, and not the workspace's
	Rule bool   // it is a file of pattern rules, and not a spec
}

// A Loader finds and compiles specs. It is safe for concurrent use; it keeps
// what it compiled, by its contents.
type Loader struct {
	base   *catalog.Catalog
	digest string // of base
	dirs   []string
	mu     sync.Mutex
	kept   map[string]*Set
	// rules are the pattern rules, by the contents of their files.
	rules map[string]*patterns
}

// New returns a loader over the embedded catalog. dirs are the absolute
// directories of a person's own specs; later ones win. The directory patterns
// beside each holds the person's pattern rules.
func New(dirs ...string) *Loader {
	base := catalog.New(hooks.Find)
	return &Loader{base: base, digest: base.Digest(), dirs: dirs}
}

// Dirs returns the directories of the person's own specs.
func (l *Loader) Dirs() []string { return l.dirs }

// Load returns what holds in a world for a session that works in roots. Where
// there are no specs it costs one look at each place that could have some.
func (l *Loader) Load(w *world.World, roots []string) *Set {
	set := l.specs(w, roots)
	set.addPatterns(l, w, roots)
	return set
}

// specs is Load without pattern rules.
func (l *Loader) specs(w *world.World, roots []string) *Set {
	own, theirs := places(w, l.dirs, roots, WorkspaceDir)
	if len(own) == 0 && len(theirs) == 0 {
		return l.None()
	}
	var files []source
	var problems []Problem
	for _, dir := range own {
		found, bad := readDir(w.FS, dir, true)
		files, problems = append(files, found...), append(problems, bad...)
	}
	for _, dir := range theirs {
		found, bad := readDir(w.FS, dir, false)
		files, problems = append(files, found...), append(problems, bad...)
	}
	set := *l.compiled(files)
	set.Problems = slices.Concat(problems, set.Problems)
	return &set
}

// maxUp is how many directories above the session's own are looked at before
// the answer is that there may be specs.
const maxUp = 40

// Any reports whether there may be specs for a session in dir: it looks for the
// folders by name, without asking which workspace dir belongs to. Where it says
// no, Load would find none.
func (l *Loader) Any(w *world.World, dir, home string, workspaces []string) bool {
	for _, own := range l.dirs {
		for _, dir := range []string{own, patternDir(own)} {
			if i, err := w.FS.Lstat(dir); err != nil || i.Kind != world.Missing {
				return true
			}
		}
	}
	for _, root := range workspaces {
		if folder(w, path.Clean(root)) {
			return true
		}
	}
	if len(workspaces) > 0 || !path.IsAbs(dir) {
		return false
	}
	n := 0
	for d := path.Clean(dir); d != "/" && d != home; d = path.Dir(d) { // neither of which is ever a workspace
		if n++; n > maxUp || folder(w, d) {
			return true
		}
	}
	return false
}

// folder reports whether a directory has a folder of heed's, or is a link to
// who knows where.
func folder(w *world.World, dir string) bool {
	if i, err := w.FS.Lstat(dir); err != nil || i.Kind == world.Symlink {
		return true
	}
	i, err := w.FS.Lstat(strings.TrimSuffix(dir, "/") + "/" + ownFolder)
	return err != nil || i.Kind != world.Missing
}

// None is what holds where there are no specs.
func (l *Loader) None() *Set { return &Set{Catalog: l.base, Digest: l.digest} }

// places returns the directories that are there: the person's own, and those
// of the workspace, which are below its roots. A directory of the person's that lies in the workspace is
// the workspace's: whoever writes there could write it.
func places(w *world.World, dirs, roots []string, below string) (own, theirs []string) {
	for _, dir := range dirs {
		if !path.IsAbs(dir) {
			continue
		}
		if i, err := w.FS.Lstat(dir); err == nil && i.Kind == world.Missing {
			continue
		}
		resolved, _ := world.Resolve(w.FS, dir, true)
		if slices.ContainsFunc(roots, func(r string) bool { return workspace.Inside(resolved, r) }) {
			theirs = append(theirs, resolved)
		} else {
			own = append(own, resolved)
		}
	}
	for _, root := range roots[:min(len(roots), maxRoots)] {
		dir := path.Join(root, below)
		if i, err := w.FS.Lstat(dir); (err != nil || i.Kind != world.Missing) && !slices.Contains(theirs, dir) {
			theirs = append(theirs, dir)
		}
	}
	return own, theirs
}

// A source is the text of one spec file.
type source struct {
	name string
	text []byte
	own  bool
}

// keyOf identifies files with their names and texts.
func keyOf(files []source) string {
	sum := sha256.New()
	for i := range files {
		fmt.Fprintf(sum, "%q %v %x\n", files[i].name, files[i].own, sha256.Sum256(files[i].text))
	}
	return string(sum.Sum(nil))
}

// compiled returns the set of these files, compiling it if it is new.
func (l *Loader) compiled(files []source) *Set {
	key := keyOf(files)
	l.mu.Lock()
	set := l.kept[key]
	l.mu.Unlock()
	if set != nil {
		return set
	}
	set = l.compile(files)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.kept == nil || len(l.kept) >= maxSets {
		l.kept = make(map[string]*Set)
	}
	l.kept[key] = set
	return set
}

// compile makes a set. Which files are in force, and in which order, is what
// its digest tells; their names do not count.
func (l *Loader) compile(files []source) *Set {
	set := &Set{Catalog: l.base, Digest: l.digest}
	var own, theirs []*catalog.Program
	digest := sha256.New()
	digest.Write([]byte(set.Digest))
	ownDigest := set.Digest
	for i := range files {
		f := &files[i]
		programs, err := f.programs()
		if err == nil {
			err = alreadyDescribed(f, programs, map[bool][]*catalog.Program{true: own, false: theirs}[f.own])
		}
		if err != nil {
			set.Problems = append(set.Problems, Problem{Text: oneLine(err), Own: f.own})
			continue
		}
		fmt.Fprintf(digest, " %v %x", f.own, sha256.Sum256(f.text))
		set.Digest = "sha256:" + hex.EncodeToString(digest.Sum(nil))
		if f.own {
			own, ownDigest = append(own, programs...), set.Digest
		} else {
			theirs = append(theirs, programs...)
		}
	}
	if len(own) > 0 {
		set.Catalog = l.base.With(own, ownDigest)
	}
	if len(theirs) > 0 {
		set.Tight = set.Catalog.Tightened(theirs, set.Digest)
	}
	return set
}

// alreadyDescribed refuses a file that describes a program of another file: of
// two descriptions by one hand neither is plainly the right one.
func alreadyDescribed(f *source, programs, before []*catalog.Program) error {
	for _, p := range programs {
		for _, q := range before {
			for _, n := range p.Names {
				if slices.Contains(q.Names, n) {
					return fmt.Errorf("%s:1: %q is described by another file too: keep one of them", f.name, n)
				}
			}
		}
	}
	return nil
}

// oneLine is the first line of an error, cut to what a note holds.
func oneLine(err error) string {
	text, more, _ := strings.Cut(err.Error(), "\n")
	if len(text) > maxProblem {
		text = strings.ToValidUTF8(text[:maxProblem], "") + "…"
	}
	if n := strings.Count(more, "\n"); more != "" {
		text += fmt.Sprintf(" (+%d more)", n+1)
	}
	return text
}

// maxProblem is how long a problem's text is at most, in bytes.
const maxProblem = 300

// errLink says why a workspace's specs are not read.
var errLink = errors.New("it is a link or no ordinary file: what a workspace says is not followed elsewhere")
