package policy

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/risk"
)

// A Layer is where a rule comes from.
type Layer uint8

// The layers, in the order of who overrules whom where no rule denies.
const (
	BuiltIn   Layer = iota
	Managed         // root's: /etc/heed
	User            // ~/.config/heed
	Workspace       // .heed of a workspace: only tightens
	OfSession       // given for one session
)

var layers = [...]string{"built in", "managed", "user", "workspace", "session"}

// String names the layer.
func (l Layer) String() string { return layers[l] }

// A Rule says what is done about commands that mean something.
type Rule struct {
	ID     string
	Layer  Layer
	Action Action // Allow, Ask or Deny
	Match  Match
	// Except is what the rule does not speak of, though Match does; nil if nothing.
	Except *Match
	// Confine says that what it allows runs within what its assessment says, where heed runs
	// it.
	Confine bool
	Reason  string
	Owner   string
	Until   string // the last day on which it holds, YYYY-MM-DD; "" for ever
	// Examples are commands that it must and must not speak of.
	Examples Examples
	File     string // where it stands
	Line     int
}

// Examples are commands by which a rule is checked.
type Examples struct {
	Match []string
	Not   []string
}

// holds reports whether a rule is in force on a day (YYYY-MM-DD). An unknown day
// ends only what loosens.
func (r *Rule) holds(today string) bool {
	if r.Until == "" {
		return true
	}
	if today == "" {
		return r.Action != Allow
	}
	return today <= r.Until
}

// A Match is what a rule speaks of. Every key that is given must hold, by any of
// its words. Words are globs: * stands for any text.
type Match struct {
	Program    []string // the program's name, without its directory
	Subcommand []string // "push", "remote add"
	Option     []string // an option that was given, by any of its names
	Verb       []string // of an effect, as in the record: fs.delete, remote.*
	Kind       []string // the effect's detail
	Scope      []string
	Target     []string // the effect's target: a path, URL or name
	Host       []string // the machine or service that is talked to
	Branch     []string // the branch of a repository that is changed
	Cluster    []string // the context, profile, project or workspace that it belongs to
	Reversible []string
	Tier       []string // of the program's effects
	Level      []string // of the program's effects
	Provenance []string // of the request
	Agent      []string // who asks
}

// A keyed is a key of a match with its words.
type keyed struct {
	key   string
	words []string
}

// of the whole command.
func (m *Match) ofRequest() []keyed {
	return []keyed{{"provenance", m.Provenance}, {"agent", m.Agent}}
}

// of one program.
func (m *Match) ofProgram() []keyed {
	return []keyed{{"program", m.Program}, {"subcommand", m.Subcommand}, {"option", m.Option}}
}

// of one effect.
func (m *Match) ofEffect() []keyed {
	return []keyed{
		{"verb", m.Verb},
		{"kind", m.Kind},
		{"scope", m.Scope},
		{"target", m.Target},
		{"host", m.Host},
		{"branch", m.Branch},
		{"cluster", m.Cluster},
		{"reversible", m.Reversible},
		{"tier", m.Tier},
		{"level", m.Level},
	}
}

// Empty reports whether it speaks of everything.
func (m *Match) Empty() bool {
	return !given(m.ofRequest()) && !given(m.ofProgram()) && !given(m.ofEffect())
}

func given(keys []keyed) bool {
	return slices.ContainsFunc(keys, func(k keyed) bool { return len(k.words) > 0 })
}

// A deed is what one program would do.
type deed struct {
	process int // the index of its invocation; -1 for the shell itself
	inv     *risk.Invocation
	effects []*risk.Effect
}

// name is how its program is called, without a directory.
func (d *deed) name() string {
	if d.inv == nil || len(d.inv.Argv) == 0 {
		return ""
	}
	return d.inv.Argv[0][strings.LastIndexByte(d.inv.Argv[0], '/')+1:]
}

// onlyCalled reports whether an effect runs a file that has the program's name and
// lies where anybody puts files: a yes to git is none to /tmp/x/git. What PATH finds
// in the home is the person's.
func (d *deed) onlyCalled(e *risk.Effect) bool {
	if e.Verb != risk.ExecProject && e.Verb != risk.ExecUnknown || !strings.HasSuffix(e.Target, "/"+d.name()) {
		return false
	}
	if strings.Contains(d.inv.Argv[0], "/") {
		return e.Scope != risk.InSystem
	}
	return e.Scope == risk.InWorkspace || e.Scope == risk.InTemp
}

// band is where the deed stands on the scale by itself.
func (d *deed) band() risk.Band {
	band := risk.BandSafe
	for _, e := range d.effects {
		band = max(band, bandOfEffect(e))
	}
	return band
}

func bandOfEffect(e *risk.Effect) risk.Band {
	band := risk.BandSafe
	for band < risk.BandReview && (band.Tier() < e.Tier || band.Level() < e.Level) {
		band++
	}
	return band
}

// request reports whether the keys of the whole command hold.
func (m *Match) request(s *Session) bool {
	return oneOf(m.Provenance, string(s.Provenance)) && oneOf(m.Agent, s.Agent)
}

// program reports whether the keys of a program hold.
func (m *Match) program(d *deed) bool {
	if !given(m.ofProgram()) {
		return true
	}
	if d.inv == nil || len(d.inv.Argv) == 0 {
		return false
	}
	return oneOf(m.Program, d.name()) && (len(m.Subcommand) == 0 || under(m.Subcommand, d.inv.Subcommand)) &&
		(len(m.Option) == 0 || slices.ContainsFunc(d.inv.Options, func(o string) bool { return oneOf(m.Option, o) }))
}

// under reports whether subcommands are those that a pattern names, or below.
func under(patterns, called []string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		words := strings.Fields(p)
		return len(words) <= len(called) && slices.EqualFunc(words, called[:len(words)], Glob)
	})
}

// effect reports whether the keys of an effect hold. What an effect says is looked up only
// where the match has words for it: few have any, and each rule is held against each effect.
func (m *Match) effect(e *risk.Effect) bool {
	return (len(m.Verb) == 0 || oneOf(m.Verb, string(e.Verb))) &&
		(len(m.Kind) == 0 || oneOf(m.Kind, e.Kind.String())) &&
		(len(m.Scope) == 0 || oneOf(m.Scope, string(e.Scope))) &&
		(len(m.Target) == 0 || oneOf(m.Target, e.Target)) &&
		(len(m.Host) == 0 || oneOf(m.Host, Host(e))) &&
		(len(m.Branch) == 0 || oneOf(m.Branch, Branch(e))) &&
		(len(m.Cluster) == 0 || oneOf(m.Cluster, Cluster(e))) &&
		(len(m.Reversible) == 0 || oneOf(m.Reversible, string(e.Reversible))) &&
		(len(m.Tier) == 0 || oneOf(m.Tier, e.Tier.String())) &&
		(len(m.Level) == 0 || oneOf(m.Level, bandOfEffect(e).Level().String()))
}

// speaks reports whether a match speaks of a deed: of any of its effects, if it
// names effects.
func (m *Match) speaks(d *deed, s *Session) bool {
	if !m.request(s) || !m.program(d) {
		return false
	}
	return !given(m.ofEffect()) || slices.ContainsFunc(d.effects, m.effect)
}

// covers reports whether a match speaks of all of a deed that anybody would be
// asked about. REVIEW is covered only where the match names that tier or level.
func (m *Match) covers(d *deed, s *Session) bool {
	if !m.request(s) || !m.program(d) {
		return false
	}
	if given(m.ofEffect()) && !slices.ContainsFunc(d.effects, m.effect) {
		return false
	}
	byName := len(m.Program) > 0 && !given(m.ofEffect())
	named := slices.Contains(m.Tier, risk.Review.String()) || slices.Contains(m.Level, risk.C.String())
	for _, e := range d.effects {
		band := bandOfEffect(e)
		switch {
		case e.Verb == risk.Blind, band == risk.BandReview && !named, byName && d.onlyCalled(e):
			return false
		case band <= risk.BandCautionA:
		case !m.effect(e):
			return false
		}
	}
	return true
}

// oneOf reports whether a text is one of some globs; no globs hold always.
func oneOf(globs []string, text string) bool {
	return len(globs) == 0 || slices.ContainsFunc(globs, func(g string) bool { return Glob(g, text) })
}

// Glob reports whether a text matches a pattern in which * stands for any text,
// also for none and for slashes.
func Glob(pattern, text string) bool {
	first, rest, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == text
	}
	if !strings.HasPrefix(text, first) {
		return false
	}
	text = text[len(first):]
	for {
		piece, more, again := strings.Cut(rest, "*")
		if !again {
			return strings.HasSuffix(text, rest)
		}
		i := strings.Index(text, piece)
		if i < 0 {
			return false
		}
		text, rest = text[i+len(piece):], more
	}
}
