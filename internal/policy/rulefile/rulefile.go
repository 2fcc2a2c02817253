package rulefile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/internal/strictyaml"
	"github.com/heedsh/heed/risk"
	"go.yaml.in/yaml/v4"
)

// How much one file may hold.
const (
	maxRules    = 1000
	maxList     = 200
	maxText     = 500
	maxExamples = 50
)

// A File is what a file of rules says.
type File struct {
	// Preset is the preset that it asks for, "" if none.
	Preset string
	// Bands is what is done where no rule speaks; only presets say so.
	Bands *policy.Preset
	// AskAlways switches every automatic yes off; only a managed file may say so.
	AskAlways bool
	// Dialog lets a click in the agent's own dialog do for REVIEW.
	Dialog bool
	// Confine are the bands that run within what their assessment says.
	Confine []risk.Band
	// ConfineAgents are the agents whose SAFE lines are rewritten to run confined.
	ConfineAgents []string
	// LogOff switches the log off; only a managed file may say so.
	LogOff bool
	// Daemon names the account whose daemon keeps requests, PINs and logs; "" if the
	// person's own account does. Only a managed file may say so.
	Daemon string
	Rules  []policy.Rule
}

// The words of a file.
type (
	fileText struct {
		Preset    string      `yaml:"preset"`
		Bands     *bandsText  `yaml:"bands"`
		AskAlways bool        `yaml:"ask-always"`
		Dialog    bool        `yaml:"review-in-dialog"`
		Confine   words       `yaml:"confine"`
		Agents    words       `yaml:"confine-agents"`
		LogOff    bool        `yaml:"log-off"`
		Daemon    string      `yaml:"daemon"`
		Rules     []yaml.Node `yaml:"rules"`
	}
	ruleText struct {
		ID       string       `yaml:"id"`
		Action   string       `yaml:"action"`
		Match    matchText    `yaml:"match"`
		Except   *matchText   `yaml:"except"`
		Confine  bool         `yaml:"confine"`
		Reason   string       `yaml:"reason"`
		Owner    string       `yaml:"owner"`
		Until    string       `yaml:"until"`
		Examples examplesText `yaml:"examples"`
	}
	examplesText struct {
		Match words `yaml:"match"`
		Not   words `yaml:"not"`
	}
	matchText struct {
		Program    words `yaml:"program"`
		Subcommand words `yaml:"subcommand"`
		Option     words `yaml:"option"`
		Verb       words `yaml:"verb"`
		Kind       words `yaml:"kind"`
		Scope      words `yaml:"scope"`
		Target     words `yaml:"target"`
		Host       words `yaml:"host"`
		Branch     words `yaml:"branch"`
		Cluster    words `yaml:"cluster"`
		Reversible words `yaml:"reversible"`
		Tier       words `yaml:"tier"`
		Level      words `yaml:"level"`
		Provenance words `yaml:"provenance"`
		Agent      words `yaml:"agent"`
	}
	bandsText struct {
		Safe     bandText `yaml:"safe"`
		CautionA bandText `yaml:"caution-a"`
		CautionB bandText `yaml:"caution-b"`
		Review   bandText `yaml:"review"`
	}
	bandText struct {
		Agent string `yaml:"agent"`
		Run   string `yaml:"run"`
		Alone string `yaml:"alone"` // as run, if it says nothing
	}
	// words are one word or several.
	words []string
)

// UnmarshalYAML takes a word for a list of one.
func (w *words) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		*w = words{n.Value}
		return nil
	}
	var all []string
	if err := n.Load(&all); err != nil {
		return err
	}
	*w = all
	return nil
}

// Parse reads a file. name names it in errors, of which there is one a fault.
func Parse(name string, text []byte, layer policy.Layer) (*File, error) {
	l, err := yaml.NewLoader(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var doc yaml.Node
	switch err := l.Load(&doc); {
	case errors.Is(err, io.EOF):
		return &File{}, nil
	case err != nil:
		return nil, fmt.Errorf("%s:%w", name, strictyaml.Placed(err))
	}
	var more yaml.Node
	if err := l.Load(&more); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s:%d: a second document; a file of rules is one", name, max(more.Line, 1))
	}
	body := &doc
	for body.Kind == yaml.DocumentNode && len(body.Content) == 1 {
		body = body.Content[0]
	}
	if body.Kind == yaml.DocumentNode || body.Kind == yaml.ScalarNode && body.Value == "" {
		return &File{}, nil
	}
	var ft fileText
	if err := body.Load(&ft, yaml.WithKnownFields()); err != nil {
		return nil, fmt.Errorf("%s:%w", name, strictyaml.Placed(err))
	}
	f := &File{Preset: ft.Preset, AskAlways: ft.AskAlways, Dialog: ft.Dialog, ConfineAgents: ft.Agents, LogOff: ft.LogOff, Daemon: ft.Daemon}
	for _, word := range ft.Confine {
		band, ok := map[string]risk.Band{"safe": risk.BandSafe, "caution-a": risk.BandCautionA}[word]
		if !ok {
			return nil, fmt.Errorf("%s:%d: confine: %.40q: want safe, caution-a or both", name, strictyaml.LineOf(body, "confine"), word)
		}
		f.Confine = append(f.Confine, band)
	}
	if ft.Bands != nil {
		if layer != policy.BuiltIn {
			return nil, fmt.Errorf("%s:%d: bands: only presets have them; name one under the key preset", name, strictyaml.LineOf(body, "bands"))
		}
		p, err := ft.Bands.preset()
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, strictyaml.LineOf(body, "bands"), err)
		}
		f.Bands = p
	}
	if key, err := f.check(layer); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", name, strictyaml.LineOf(body, key), err)
	}
	if len(ft.Rules) > maxRules {
		return nil, fmt.Errorf("%s:%d: more than %d rules", name, strictyaml.LineOf(body, "rules"), maxRules)
	}
	var errs []error
	for i := range ft.Rules {
		r, err := rule(&ft.Rules[i], layer)
		if err == nil && slices.ContainsFunc(f.Rules, func(o policy.Rule) bool { return o.ID == r.ID }) {
			err = fmt.Errorf("%d: the id %s is taken", r.Line, r.ID)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s:%w", name, err))
			continue
		}
		r.File = name
		f.Rules = append(f.Rules, r)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return f, nil
}

// check says what is wrong with the settings of a file, and at which key.
func (f *File) check(layer policy.Layer) (key string, err error) {
	switch {
	case f.Preset != "" && layer == policy.Workspace:
		return "preset", errors.New("preset: a workspace can only add rules that ask or deny")
	case f.Preset != "" && !slices.Contains(Presets(), f.Preset):
		return "preset", fmt.Errorf("preset: there is no %.40q, want %s", f.Preset, strings.Join(Presets(), ", "))
	case f.Dialog && layer == policy.Workspace:
		return "review-in-dialog", errors.New("review-in-dialog: a workspace can only add rules that ask or deny")
	case len(f.ConfineAgents) > 0 && layer == policy.Workspace:
		return "confine-agents", errors.New("confine-agents: a workspace changes no command")
	case len(f.ConfineAgents) > maxList || slices.Contains(f.ConfineAgents, ""):
		return "confine-agents", errors.New("confine-agents: want names of agents, as claude-code")
	case f.LogOff && layer != policy.Managed:
		return "log-off", errors.New("log-off: only for the managed file, /etc/heed/policy.yaml")
	case f.Daemon != "" && layer != policy.Managed:
		return "daemon", errors.New("daemon: only for the managed file, /etc/heed/policy.yaml")
	case f.AskAlways && layer != policy.Managed:
		return "ask-always", errors.New("ask-always: only for the managed file, /etc/heed/policy.yaml")
	}
	return "", nil
}

// rule reads one rule. Its error begins with the line.
func rule(body *yaml.Node, layer policy.Layer) (policy.Rule, error) {
	var t ruleText
	if body.Kind != yaml.MappingNode {
		return policy.Rule{}, fmt.Errorf("%d: a rule is a map with id, action and match", body.Line)
	}
	if err := body.Load(&t, yaml.WithKnownFields()); err != nil {
		return policy.Rule{}, strictyaml.Placed(err)
	}
	r := policy.Rule{
		ID: t.ID, Layer: layer, Match: t.Match.match(), Confine: t.Confine, Reason: t.Reason, Owner: t.Owner, Until: t.Until,
		Examples: policy.Examples{Match: t.Examples.Match, Not: t.Examples.Not}, Line: body.Line,
	}
	if t.Except != nil {
		m := t.Except.match()
		r.Except = &m
	}
	if key, err := check(&r, t.Action); err != nil {
		return r, fmt.Errorf("%d: %w", strictyaml.LineOf(body, key), err)
	}
	return r, nil
}

func (m *matchText) match() policy.Match {
	return policy.Match{
		Program: m.Program, Subcommand: m.Subcommand, Option: m.Option, Verb: m.Verb, Kind: m.Kind, Scope: m.Scope, Target: m.Target, Host: m.Host,
		Branch: m.Branch, Cluster: m.Cluster, Reversible: m.Reversible, Tier: m.Tier, Level: m.Level, Provenance: m.Provenance, Agent: m.Agent,
	}
}

// check says what is wrong with a rule, and at which key.
func check(r *policy.Rule, action string) (key string, err error) {
	switch action {
	case "allow":
		r.Action = policy.Allow
	case "ask":
		r.Action = policy.Ask
	case "deny":
		r.Action = policy.Deny
	default:
		return "action", fmt.Errorf("action: %.40q: want allow, ask or deny", action)
	}
	switch {
	case !regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,79}$`).MatchString(r.ID):
		return "id", errors.New("id: want small letters, digits, dots and dashes, like no-prod-deletes")
	case r.Confine && r.Action != policy.Allow:
		return "confine", errors.New("confine: only for a rule that allows: what is agreed to runs as without it")
	case strings.HasPrefix(r.ID, "builtin.") || strings.HasPrefix(r.ID, "managed."):
		return "id", errors.New("id: builtin.… and managed.… are for heed's own")
	case r.Action == policy.Allow && r.Layer == policy.Workspace:
		return "action", errors.New("action: a workspace can only add rules that ask or deny")
	case r.Match.Empty():
		return "match", errors.New("match: it speaks of every command: name a program, an effect, a scope … (docs/policy.md)")
	case r.Except != nil && r.Except.Empty():
		return "except", errors.New("except: it takes every command out: name a program, an effect, a scope …")
	case r.Until != "" && !regexp.MustCompile(`^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$`).MatchString(r.Until):
		return "until", errors.New("until: want a day as 2027-01-31")
	case len(r.Reason) > maxText || len(r.Owner) > maxText:
		return "reason", fmt.Errorf("reason, owner: at most %d bytes", maxText)
	case len(r.Examples.Match)+len(r.Examples.Not) > maxExamples:
		return "examples", fmt.Errorf("examples: more than %d", maxExamples)
	}
	if err := checkMatch(&r.Match); err != nil {
		return "match", err
	}
	if r.Except != nil {
		if err := checkMatch(r.Except); err != nil {
			return "except", err
		}
	}
	return "", nil
}

// A key is a key of a match.
type key struct {
	key    string
	words  []string
	closed []string // all there are; nil if any text may stand there
}

// keys are the keys of a match, in the order in which they are written.
func keys(m *policy.Match) []key {
	return []key{
		{"program", m.Program, nil},
		{"subcommand", m.Subcommand, nil},
		{"option", m.Option, nil},
		{"verb", m.Verb, texts(risk.Verbs())},
		{"kind", m.Kind, kinds()},
		{"scope", m.Scope, texts(risk.Scopes())},
		{"target", m.Target, nil},
		{"host", m.Host, nil},
		{"branch", m.Branch, nil},
		{"cluster", m.Cluster, nil},
		{"reversible", m.Reversible, texts(risk.Reversibles())},
		{"tier", m.Tier, []string{"SAFE", "CAUTION", "REVIEW"}},
		{"level", m.Level, []string{"A", "B", "C"}},
		{"provenance", m.Provenance, texts(risk.Provenances())},
		{"agent", m.Agent, nil},
	}
}

// checkMatch refuses words that no command can have.
func checkMatch(m *policy.Match) error {
	for _, k := range keys(m) {
		if len(k.words) > maxList {
			return fmt.Errorf("%s: more than %d words", k.key, maxList)
		}
		for _, w := range k.words {
			switch {
			case w == "":
				return fmt.Errorf("%s: an empty word", k.key)
			case len(w) > maxText || strings.Count(w, "*") > 10:
				return fmt.Errorf("%s: %.40q: too long, or too many stars", k.key, w)
			case k.closed != nil && !slices.ContainsFunc(k.closed, func(c string) bool { return policy.Glob(w, c) }):
				return fmt.Errorf("%s: there is no %.40q (docs/policy.md)", k.key, w)
			}
		}
	}
	return nil
}

func texts[T ~string](all []T) []string {
	out := make([]string, len(all))
	for i, t := range all {
		out[i] = string(t)
	}
	return out
}

func kinds() (all []string) {
	for _, k := range risk.Kinds() {
		all = append(all, k.String())
	}
	return all
}
