package flow

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/workspace"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// A Scene is where deeds are done: the machine as it is, the places that a
// session has, and what has been told so far.
type Scene struct {
	*Record
	World *world.World
	Space *workspace.Space
	// Spend takes steps from the budget and reports whether any are left.
	Spend func(n int) bool

	// staged is a secret that version control added, kept one that it committed.
	staged, kept string
	// added are directories of which it took up all, keptOf those that it committed.
	added, keptOf []addedBelow
	// intended is set when it was only told that it will be given the secret.
	intended bool
	// found is a secret that a search or a listing finds.
	found string
	// pipes are those that were made under names which are not known.
	pipes []string
}

// LookUp fills in what the repository that a command works in says about an
// effect on it; at is a directory of the repository, "" the current one, rev the
// revision that is pushed, if one is.
func (sc *Scene) LookUp(st *shell.State, e *risk.Effect, at, rev string) {
	if st.Context.Host != "" || sc.World.Git == nil || !workspace.Asks(e.Verb) {
		return
	}
	dir, ok := st.Dir.Known()
	if at != "" {
		dir, ok = at, true
	}
	if !ok || !sc.Spend(20) {
		return
	}
	repo, err := sc.World.Git.Find(dir)
	if err != nil || repo == nil {
		e.Reversible = risk.Lost
		return
	}
	w := workspace.Work{Repo: repo, Dir: dir, Rev: rev, Stale: (e.Verb == risk.VCSForce || e.Verb == risk.VCSPush) && sc.rewound(repo), Place: func(written string) workspace.Place {
		if !path.IsAbs(written) && at != "" {
			written = path.Join(at, written)
		}
		return sc.Place(st, value.Lit(written), true)
	}}
	w.LookUp(e)
	if e.Verb == risk.VCSRewrite && (e.Kind == risk.KindReflog || e.Kind == risk.KindGc) && e.Reversible == risk.Restorable && sc.rewound(repo) {
		e.Reversible, e.Counts = risk.Lost, nil
	}
	if e.Verb == risk.VCSDiscard && e.Kind == risk.KindStash && e.Reversible == risk.Restorable && sc.rewound(repo) { // what was stashed just now
		e.Reversible, e.Counts = risk.Lost, nil
	}
	if w.Stale {
		e.Counts = nil
	}
}

// rewound reports whether what was done before in the command may have changed what
// a repository keeps, so that nothing is known of that now.
func (sc *Scene) rewound(repo world.Repo) bool {
	return slices.ContainsFunc(sc.Trace.Effects, func(e risk.Effect) bool {
		switch {
		case e.By.Process == sc.Current: // what it does itself besides
			return false
		case e.Verb == risk.VCSRewrite && (e.Kind == risk.KindReflog || e.Kind == risk.KindGc):
			return e.Reversible != risk.Restorable
		case strings.HasPrefix(string(e.Verb), "vcs."), strings.HasPrefix(string(e.Verb), "exec."), e.Verb == risk.PkgInstall:
			return true
		}
		held := func(dir string) bool { return strings.HasPrefix(dir+"/", strings.TrimSuffix(e.Target, "/")+"/") }
		return strings.Contains(e.Target, "/.git") || e.Unresolved != "" || e.Recursive && (held(repo.GitDir()) || held(repo.CommonDir()))
	})
}

// Place locates a target as far as it is known: a hole in it is taken at its
// Worst.
func (sc *Scene) Place(st *shell.State, target value.Value, follow bool) workspace.Place {
	name := Worst(st, target)
	if st.Context.Host != "" || st.Context.Container != "" {
		where := risk.IsRemote
		if st.Context.Container == shell.Image {
			where = risk.InImage
		}
		return workspace.Place{Path: name, Written: name, Scope: where}
	}
	if !strings.HasPrefix(name, "/") {
		return workspace.Place{Path: name, Written: name, Scope: risk.ScopeUnknown, Unread: true}
	}
	if _, ok := Descriptor(name); ok {
		return workspace.Place{Path: name, Written: name, Scope: risk.IsNull}
	}
	if trailing := strings.HasSuffix(name, "/"); trailing && name != "/" {
		return sc.Space.Locate(st.FS, name+".", true)
	}
	return sc.Space.Locate(st.FS, name, follow)
}

// Descriptor recognises the names of a process's own open files. Where such a
// link leads for heed's process says nothing about the command's.
func Descriptor(name string) (fd string, ok bool) {
	if !strings.Contains(name, "dev/") && !strings.Contains(name, "proc/") {
		return "", false // as most
	}
	switch name = path.Clean(name); name {
	case "/dev/stdin":
		return "0", true
	case "/dev/stdout":
		return "1", true
	case "/dev/stderr":
		return "2", true
	}
	for _, dir := range []string{"/dev/fd/", "/proc/self/fd/", "/proc/thread-self/fd/"} {
		if fd, ok = strings.CutPrefix(name, dir); ok && fd != "" && !strings.ContainsAny(fd, "/*?[") {
			return fd, true
		}
	}
	return "", false
}

// Absolute makes a written path absolute in the state's directory. A path that
// begins with something unknown may be absolute already and stays as it is.
//
// The element .. is the parent of what stands before it, which may be a link: no
// path is cleaned before it is resolved (path_resolution(7)). So is the
// directory of a shell, whose own name for it may lead through links.
func Absolute(st *shell.State, v value.Value) value.Value {
	s, known := v.Known()
	if strings.HasPrefix(v.Prefix(), "/") {
		if known && hasParent(s) {
			return value.Lit(parents(st, s))
		}
		return v
	}
	if !known && v.Prefix() == "" {
		return v
	}
	dir, ok := st.Dir.Known()
	switch {
	case ok && known:
		if clean(s) && strings.HasPrefix(dir, "/") && len(dir) > 1 && dir[len(dir)-1] != '/' && clean(dir[1:]) {
			return value.Lit(dir + "/" + s) // as nearly all are written
		}
		joined := path.Join(dir, s)
		if hasParent(s) {
			joined = strings.TrimSuffix(parents(st, strings.TrimSuffix(dir, "/")+"/"+s), "/")
			joined = cmp.Or(joined, "/")
		}
		if strings.HasSuffix(s, "/") && joined != "/" {
			joined += "/"
		}
		return value.Lit(joined)
	case ok:
		return value.Concat(value.Lit(strings.TrimSuffix(dir, "/")+"/"), v)
	}
	return value.Concat(st.Dir, value.Lit("/"), v)
}

// clean reports whether a path without a slash in front is as [path.Clean] would leave it:
// no element is empty or begins with a dot, which only . and .. must not.
func clean(s string) bool {
	return s != "" && s[0] != '/' && s[0] != '.' && s[len(s)-1] != '/' && !strings.Contains(s, "//") && !strings.Contains(s, "/.")
}

// hasParent reports whether a path has an element that is "..".
func hasParent(s string) bool {
	return strings.Contains(s, "..") && (s == ".." || strings.HasPrefix(s, "../") || strings.HasSuffix(s, "/..") || strings.Contains(s, "/../"))
}

// parents returns an absolute path whose last .. and all before it is resolved.
// On another machine it is only cleaned.
func parents(st *shell.State, name string) string {
	if st.Context.Host != "" || st.Context.Container != "" || len(name) > maxName {
		return path.Clean(name)
	}
	end := strings.LastIndex(name+"/", "/../") + len("/..")
	head, tail := name[:end], name[end:]
	resolved, ok := world.Resolve(st.FS, head, true)
	if !ok {
		return path.Clean(name)
	}
	if tail == "" || tail == "/" {
		return resolved + tail
	}
	return strings.TrimSuffix(resolved, "/") + tail
}

// maxName is the longest path that the kernel takes (PATH_MAX, limits.h).
const maxName = 4096

// Worst is the path that a target leads to when every unknown part of it is
// as short as it can be.
func Worst(st *shell.State, v value.Value) string {
	name := Absolute(st, v).Worst()
	if strings.HasPrefix(name, "/") {
		return name
	}
	dir := st.Dir.Worst()
	if name == "" {
		return dir
	}
	return path.Join(dir, name)
}

// Reveal tells what a text was decoded to that is run now: somebody who reads the
// line does not see it (ATT&CK T1140, Deobfuscate/Decode Files or Information).
func (sc *Scene) Reveal(st *shell.State, span risk.Span, text value.Value) {
	if known, ok := text.Known(); ok && text.Taint().Has(value.Decoded) && strings.TrimSpace(known) != "" {
		sc.Effect(st, span, risk.Effect{Verb: risk.ExecKnown, Target: Clip(strings.TrimSpace(known), 400), Kind: risk.KindConcealedCommand})
	}
}

// SecretName names the file or variable that a secret value came from.
func (sc *Scene) SecretName(v value.Value) risk.Source {
	for _, h := range v.Holes() {
		if h.Cause == risk.CauseFile {
			return risk.From(h.Name)
		}
	}
	if v.Taint().Has(value.Credential) {
		for _, h := range v.Holes() {
			if h.Name != "" && h.Cause != risk.CauseOutput {
				return risk.From("$" + h.Name)
			}
		}
		return risk.FromEnvironment()
	}
	return risk.FromSecret()
}

// Contents is what a file holds: what this command wrote there, or a hole.
func (sc *Scene) Contents(st *shell.State, target value.Value) value.Value {
	if here, at, ok := mounted(st, target, false); ok {
		return sc.Contents(here, at)
	}
	name, ok := Absolute(st, target).Known()
	if !ok && none(target) && sc.searchesNothing(st, target) {
		return value.Unknown(risk.CauseFile, target.String()).With(target.Taint() | value.Untrusted)
	}
	if !ok && slices.Contains(sc.pipes, Absolute(st, target).String()) {
		return value.Unknown(risk.CauseInput, "a pipe").With(value.Network)
	}
	if !ok {
		t := target.Taint() | value.Untrusted | sc.matched(st, target)
		if p := sc.Place(st, target, false); p.Scope == risk.IsSecret && p.Path == path.Clean(p.Written) {
			t |= value.Secret // by its name, whatever directory it is in
		}
		if all, ok := target.Candidates(maxCandidates); ok && !target.IsKnown() {
			for _, one := range all {
				t |= sc.Contents(st, value.Lit(one)).Taint() & value.Secret
			}
		}
		return value.Unknown(risk.CauseFile, target.String()).With(t)
	}
	if st.Context.Host != "" {
		if endlessDevice(path.Clean(name)) {
			return value.Unknown(risk.CauseFile, path.Clean(name)).With(value.Endless)
		}
		t := value.Network
		if sc.Space.Scope(path.Clean(name)) == risk.IsSecret {
			t = value.Secret
		}
		return value.Unknown(risk.CauseFile, name).With(t)
	}
	p := sc.Space.Locate(st.FS, name, true)
	if content, known, ok := st.FS.Content(p.Path); ok && known {
		return content
	}
	if p.Path == "/dev/null" {
		return value.Lit("")
	}
	if endlessDevice(p.Path) {
		return value.Unknown(risk.CauseFile, p.Path).With(value.Endless)
	}
	if st.FS.Fetched(p.Path) {
		return value.Unknown(risk.CauseFile, p.Path).With(Sources(p.Scope) | value.Network)
	}
	if recordsPeople(p.Path) {
		return value.Unknown(risk.CauseFile, p.Path).With(value.Private)
	}
	if from := st.FS.CopyOf(p.Path); from != "" {
		return value.Unknown(risk.CauseFile, from).With(Sources(p.Scope) | Sources(sc.Space.Scope(from)))
	}
	return value.Unknown(risk.CauseFile, p.Path).With(Sources(p.Scope))
}

// searchesNothing reports whether a target is what a search finds below a place
// for secrets that is not there: that it is asked for is told all the same.
func (sc *Scene) searchesNothing(st *shell.State, target value.Value) bool {
	hs := target.Holes()
	if len(hs) != 1 || hs[0].Base == "" {
		return false
	}
	p := sc.Place(st, value.Lit(hs[0].Base), true)
	return p.Missing && p.Scope == risk.IsSecret
}

// maxCandidates is how many files that a target can be are looked at.
const maxCandidates = 64

// recordsPeople reports whether a device gives what somebody types, says or
// does before the machine (Linux "Input Subsystem", "ALSA", "V4L2": device
// names), or what all programs hold in memory (mem(4)).
func recordsPeople(p string) bool {
	for _, d := range []string{"/dev/input/", "/dev/snd/", "/dev/video", "/dev/hidraw", "/dev/fb", "/dev/mem", "/dev/kmem"} {
		if strings.HasPrefix(p, d) {
			return true
		}
	}
	return false
}

// Sources are the taints of a file's contents, by where it is.
func Sources(scope risk.Scope) value.Taint {
	switch scope {
	case risk.IsSecret:
		return value.Secret
	case risk.InWorkspace, risk.InTemp:
		return value.Untrusted
	case risk.IsAccounts, risk.InOtherHome:
		return value.Outside | value.Private
	case risk.InHome, risk.InSystem, risk.InOtherRepo:
		return value.Outside
	}
	return 0
}

// Env looks up an environment variable of an invocation.
func Env(st *shell.State, inv *shell.Invocation, name string) (v value.Value, set, changed bool) {
	for _, a := range inv.Assign {
		if a.Name == name {
			return a.Value, true, true
		}
	}
	if x := st.Vars.Get(name); x != nil && (x.Exported || x.Changed) {
		return x.Value, true, x.Changed
	}
	return value.Value{}, false, false
}

// EnvKept reports whether the command has set no variable that an invocation could
// have.
func EnvKept(st *shell.State, inv *shell.Invocation) bool {
	for range st.Vars.Changed() {
		return false
	}
	return len(inv.Assign) == 0
}

// ReadFile reads a file for its contents to be computed with. Secrets are not
// read, and neither is anything large.
func (sc *Scene) ReadFile(st *shell.State, name string) ([]byte, value.Taint, error) {
	p := sc.Space.Locate(st.FS, name, true)
	if content, known, ok := st.FS.Content(p.Path); ok && known {
		if s, whole := content.Known(); whole {
			return []byte(s), content.Taint(), nil
		}
		return nil, content.Taint(), world.ErrNotRead
	}
	if p.Scope == risk.IsSecret || p.Scope == risk.IsDevice || st.Context.Host != "" || st.Context.Container != "" {
		return nil, Sources(p.Scope), world.ErrNotRead
	}
	b, err := st.FS.ReadFile(p.Path, 64<<10)
	if err == nil && p.Scope != risk.InSystem && len(b) <= maxShape && secretShape(string(b)) {
		return nil, Sources(p.Scope) | value.Secret, world.ErrNotRead
	}
	return b, Sources(p.Scope), err
}

// Held reads a file for a comparison of which nothing but its outcome is kept: what may
// be a secret as well, as the last command has left it.
func (sc *Scene) Held(st *shell.State, name string) ([]byte, error) {
	b, taint, err := sc.ReadFile(st, name)
	if err == nil || !taint.Has(value.Secret) {
		return b, err
	}
	p := sc.Space.Locate(st.FS, name, true)
	if p.Info.Kind != world.Regular || st.FS.Touched(p.Path) || st.Context.Host != "" || st.Context.Container != "" {
		return nil, err
	}
	return st.FS.ReadFile(p.Path, 64<<10)
}

// Resolved replaces a lone hole that stands for a file's contents by those
// Contents, where they may be read.
func (sc *Scene) Resolved(st *shell.State, v value.Value) value.Value {
	hs := v.Holes()
	if len(hs) != 1 || len(v.Parts()) != 1 || hs[0].Cause != risk.CauseFile || !strings.HasPrefix(hs[0].Name, "/") {
		return v
	}
	b, t, err := sc.ReadFile(st, hs[0].Name)
	if err != nil {
		return v
	}
	return value.Lit(string(b)).With(v.Taint() | t)
}

// HoldsSecrets reports whether a path is a directory in which credentials are
// kept: one made for them, a home, or all homes.
func (sc *Scene) HoldsSecrets(st *shell.State, target value.Value) bool {
	if here, at, ok := mounted(st, target, false); ok {
		return sc.HoldsSecrets(here, at)
	}
	p := sc.Place(st, target, true)
	if st.Context.Host != "" {
		return false
	}
	switch p.Path {
	case "/", "/home", "/root", "/Users", "/etc":
		return true
	}
	return sc.Space.OwnHome(p.Path) || workspace.SecretDir(p.Path)
}

// ShownSecret names the secret that was read last.
func (sc *Scene) ShownSecret() string {
	for i := len(sc.Trace.Effects) - 1; i >= 0; i-- {
		if e := &sc.Trace.Effects[i]; e.Verb == risk.FSRead && e.Scope == risk.IsSecret {
			return e.Target
		}
	}
	return cmp.Or(sc.found, "a secret")
}

// Known is where a target is, or "" if that is not known.
func (sc *Scene) Known(st *shell.State, target value.Value) string {
	name, ok := Absolute(st, target).Known()
	if !ok || len(name) > MaxPath {
		return ""
	}
	resolved, _ := world.Resolve(st.FS, path.Clean(name), true)
	return resolved
}
