package wrap

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/confine"
	"github.com/heedsh/heed/internal/confine/grant"
	"github.com/heedsh/heed/internal/confine/profile"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/risk"
)

// Confined says within what a command runs.
type Confined struct {
	// Profile makes the grant of a profile; nil if the assessment's own is wanted.
	Profile func(grant.Where) (grant.Grant, error)
	// Policy is whether a policy wants it, and no flag.
	Policy bool
	// More are grants that the person adds, as heed run --grant takes them.
	More []string
	// Observer is told what the command needs; nil where nobody wants to know.
	Observer *confine.Observer
	// Refused is told what the kernel refused; it may be nil.
	Refused func(confine.Refusal)
	// Ended is told how the command ended, before this process ends as it did; it may be nil.
	Ended func(confine.End)
}

// Where is what a grant has to know of this session.
func (s *Session) Where() grant.Where {
	home := s.getenv("HOME")
	if !filepath.IsAbs(home) {
		home = ""
	}
	w := grant.Where{Home: home, Workspaces: s.Workspaces, Secrets: confine.Secrets(home)}
	if len(w.Workspaces) == 0 && s.Dir != "" {
		w.Workspaces = []string{Worktree(s.Dir)}
	}
	return w
}

// Worktree is the git work tree around a directory, or else the directory.
func Worktree(dir string) string {
	for in := dir; in != "/"; in = filepath.Dir(in) {
		if _, err := os.Lstat(filepath.Join(in, ".git")); err == nil {
			return in
		}
	}
	return dir
}

// byPolicy confines the session's command because a policy says so. The error says why
// that cannot be; then the command runs like any other, if a person agrees.
func (s *Session) byPolicy() error {
	if c := s.Confined; c != nil {
		if (c.Profile != nil || len(c.More) > 0) && s.front() != policy.Run {
			return errors.New("--profile and --grant let it do more, and that is for a person at a terminal")
		}
		return nil
	}
	s.Confined = &Confined{Policy: true}
	g, err := s.granted()
	if err == nil {
		err = confine.Possible(&g)
	}
	if err != nil {
		s.Confined = nil
	}
	return err
}

// prepare begins to make the box of a command that will be confined, while it is judged: for
// what a profile grants, or for what SAFE is.
func (s *Session) prepare() {
	if s.Confined == nil || s.Confined.Observer != nil || s.DryRun {
		return
	}
	w := s.Where()
	g := grant.Least(w)
	var err error
	if s.Confined.Profile != nil {
		g, err = s.Confined.Profile(w)
	}
	for _, text := range s.Confined.More {
		err = errors.Join(err, confine.Add(&g, text, s.Dir))
	}
	if err == nil { // or it is said by who needs it
		s.ready = confine.Prepare(&g, w.Home)
	}
}

// unready lets go of what was prepared.
func (s *Session) unready() {
	s.ready.Close()
	s.ready = nil
}

// granted is what the session's command may do.
func (s *Session) granted() (grant.Grant, error) {
	var g grant.Grant
	w := s.Where()
	switch {
	case s.Confined.Profile != nil:
		var err error
		if g, err = s.Confined.Profile(w); err != nil {
			return g, err
		}
	case s.judged == nil:
		return g, fmt.Errorf("%w: heed could not judge the command, so nothing follows that it needs; a profile says what it may do: heed run --profile build", confine.ErrNotConfined)
	default:
		var open []risk.Effect
		if g, open = grant.Of(s.judged, w); len(open) > 0 {
			e := &open[0]
			return g, fmt.Errorf("%w: what it needs does not follow from its effect %s %s; a profile says what it may do: heed run --profile build", confine.ErrNotConfined, e.Verb, e.Target)
		}
	}
	for _, text := range s.Confined.More {
		if err := confine.Add(&g, text, s.Dir); err != nil {
			return g, fmt.Errorf("--grant %w", err)
		}
	}
	return g, nil
}

// makeCaches makes the caches of package managers that are installed, where the grant lets
// them be written and they are not there yet: the kernel can grant only what is there, and
// the first build in a home makes them. The function that it returns removes those again of
// which nothing was made use.
func (s *Session) makeCaches(g *grant.Grant) (unmake func()) {
	var made []string
	for _, c := range profile.CacheDirs(s.Where().Home) {
		if c.Program == "" || !slices.Contains(g.Write, c.Path) {
			continue
		}
		if _, err := os.Lstat(c.Path); err == nil {
			continue
		}
		if _, err := findProgram(c.Program, s.getenv("PATH"), s.Dir); err != nil {
			continue
		}
		var missing []string
		for p := c.Path; ; p = filepath.Dir(p) {
			if _, err := os.Lstat(p); err == nil {
				break
			}
			missing = append(missing, p)
		}
		for _, p := range slices.Backward(missing) {
			if os.Mkdir(p, 0o700) != nil {
				break // what cannot be made is refused to the command as well, and told
			}
			made = append(made, p)
		}
	}
	return func() {
		for _, p := range slices.Backward(made) {
			os.Remove(p) //nolint:errcheck // what is used is not empty, and stays
		}
	}
}

// refused tells what the kernel refused, and keeps it. What was granted by a profile is
// no prediction of heed's.
func (s *Session) refused(r confine.Refusal) string {
	what := explain.Visible(r.Tried())
	if home := s.getenv("HOME"); home != "" && home != "/" {
		what = strings.ReplaceAll(what, home+"/", "~/")
	}
	text := confine.Told(explain.Visible(r.Program), what)
	if s.Confined.Observer != nil {
		return confine.Observed(text)
	}
	if s.Confined.Profile != nil {
		return text + "; the profile does not let it"
	}
	return confine.Unexpected(text)
}
