package pattern

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/detect"
	"github.com/heedsh/heed/risk"
)

// Layer names this layer in findings.
const Layer = "pattern"

// A Rule is one pattern with all that is said of it.
type Rule struct {
	ID          string        `yaml:"id"`
	Title       string        `yaml:"title"`
	Description string        `yaml:"description"`
	Severity    risk.Severity `yaml:"severity"`
	ATTACK      []string      `yaml:"attack"` // ATT&CK technique ids, current ones
	ASI         []string      `yaml:"asi"`    // OWASP ASI ids
	Match       []Match       `yaml:"match"`  // one of them is enough
	// Positive and Negative are commands that the rule must and must not match.
	Positive []string `yaml:"positive"`
	Negative []string `yaml:"negative"`
	// Line is where the rule begins in its file; 0 for heed's own.
	Line int `yaml:"-"`
}

// A Match is a condition on one program or one effect: all that is given must
// hold. With both, the effect must be the program's.
type Match struct {
	Program []string `yaml:"program"` // names, as the catalog or the command spells them
	Flags   []string `yaml:"flags"`   // what its options set, in the words of its spec: all of them
	Words   []string `yaml:"words"`   // globs: each matches one of its words
	Effect  *Effect  `yaml:"effect"`
}

// An Effect is a condition on an effect. A list holds if one of it does; globs
// know * (any text) only.
type Effect struct {
	Verb       []risk.Verb  `yaml:"verb"`
	Scope      []risk.Scope `yaml:"scope"`
	Kind       []risk.Kind  `yaml:"detail"`
	Without    []risk.Kind  `yaml:"without"` // kinds that it does not have
	Target     []string     `yaml:"target"`  // globs
	Source     []string     `yaml:"source"`
	Root       bool         `yaml:"root"`       // a root directory
	Many       bool         `yaml:"many"`       // recursive, or more than one
	Privileged bool         `yaml:"privileged"` // with other rights
}

// Find returns what the rules find, each rule once.
func Find(ctx *detect.Context, rules []Rule) []risk.Finding {
	var found []risk.Finding
	for i := range rules {
		r := &rules[i]
		for j := range r.Match {
			if at, evidence, ok := r.Match[j].find(ctx); ok {
				found = append(found, r.finding(at, evidence))
				break
			}
		}
	}
	return found
}

func (r *Rule) finding(at risk.Span, evidence string) risk.Finding {
	return risk.Finding{
		ID: r.ID, Layer: Layer, Title: r.Title, Severity: r.Severity,
		ATTACK: r.ATTACK, ASI: r.ASI, Span: at, Evidence: detect.Evidence(evidence),
	}
}

// find returns where a match holds first.
func (m *Match) find(ctx *detect.Context) (at risk.Span, evidence string, ok bool) {
	if m.onProcess() {
		for i := range ctx.Processes {
			p := &ctx.Processes[i]
			if !m.holds(p) {
				continue
			}
			if m.Effect == nil {
				return p.Span, p.Line(), true
			}
			for j := range ctx.Effects {
				e := &ctx.Effects[j]
				if m.Effect.holds(e) && e.By.Process == i {
					return e.Span, string(e.Verb) + " " + e.Target, true
				}
			}
		}
		return at, "", false
	}
	if m.Effect == nil {
		return at, "", false
	}
	for j := range ctx.Effects {
		if e := &ctx.Effects[j]; m.Effect.holds(e) {
			return e.Span, string(e.Verb) + " " + e.Target, true
		}
	}
	return at, "", false
}

func (m *Match) onProcess() bool { return len(m.Program)+len(m.Flags)+len(m.Words) > 0 }

func (m *Match) holds(p *detect.Process) bool {
	if len(m.Program) > 0 && !slices.Contains(m.Program, p.Program) && !slices.Contains(m.Program, base(p.Path)) {
		return false
	}
	for _, f := range m.Flags {
		if !slices.Contains(p.Flags, f) {
			return false
		}
	}
	for _, w := range m.Words {
		if !slices.ContainsFunc(p.Argv[1:], func(s string) bool { return glob(w, s) }) {
			return false
		}
	}
	return true
}

// holds reports whether an effect meets the condition. What happens in an image
// that is being built happens to nobody, unless the condition asks for it.
func (m *Effect) holds(e *risk.Effect) bool {
	if e.Scope == risk.InImage && !slices.Contains(m.Scope, e.Scope) {
		return false
	}
	return in(m.Verb, e.Verb) && !slices.Contains(m.Without, e.Kind) && in(m.Scope, e.Scope) && in(m.Kind, e.Kind) && in(m.Source, e.Source.String()) &&
		(!m.Root || e.Root) && (!m.Many || e.Many || e.Recursive) && (!m.Privileged || e.Privileged) &&
		(len(m.Target) == 0 || slices.ContainsFunc(m.Target, func(g string) bool { return glob(g, e.Target) }))
}

// in reports whether a list is empty or has x.
func in[T comparable](list []T, x T) bool { return len(list) == 0 || slices.Contains(list, x) }

func base(p string) string { return p[strings.LastIndexByte(p, '/')+1:] }

// glob reports whether all of s matches a pattern in which * stands for any
// text. Each star takes the shortest text that fits, which is enough where
// nothing but stars is special.
func glob(pattern, s string) bool {
	head, rest, starred := strings.Cut(pattern, "*")
	if !starred {
		return s == pattern
	}
	if !strings.HasPrefix(s, head) {
		return false
	}
	s = s[len(head):]
	for {
		piece, more, starred := strings.Cut(rest, "*")
		if !starred {
			return strings.HasSuffix(s, piece)
		}
		at := strings.Index(s, piece)
		if at < 0 {
			return false
		}
		s, rest = s[at+len(piece):], more
	}
}

// String tells the condition in words.
func (m *Match) String() string {
	var parts []string
	add := func(what string, words []string) {
		if len(words) > 0 {
			parts = append(parts, what+" "+strings.Join(words, " or "))
		}
	}
	add("the program", m.Program)
	if len(m.Flags) > 0 {
		parts = append(parts, "options that set "+strings.Join(m.Flags, " and "))
	}
	if len(m.Words) > 0 {
		parts = append(parts, "words like "+strings.Join(m.Words, " and "))
	}
	if e := m.Effect; e != nil {
		add("the effect", texts(e.Verb))
		add("on", texts(e.Scope))
		add("detail", quoted(e.Kind))
		add("detail not", quoted(e.Without))
		add("target", e.Target)
		add("from", e.Source)
		for _, flag := range []struct {
			set  bool
			what string
		}{{e.Root, "a root directory"}, {e.Many, "many or recursive"}, {e.Privileged, "with other rights"}} {
			if flag.set {
				parts = append(parts, flag.what)
			}
		}
	}
	return strings.Join(parts, ", ")
}

func texts[S ~string](list []S) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = string(s)
	}
	return out
}

// quoted makes the empty word seen.
func quoted(list []risk.Kind) []string {
	out := make([]string, len(list))
	for i, k := range list {
		if out[i] = k.String(); k == risk.NoKind {
			out[i] = `""`
		}
	}
	return out
}
