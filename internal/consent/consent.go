package consent

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/mask"
	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/internal/policy/rulefile"
	"github.com/heedsh/heed/risk"
)

// Format names the form of the JSON. Later forms that older readers would take
// wrongly have another number.
const Format = "heed-consent/1"

// A Consent is what a person is asked to agree to.
type Consent struct {
	Format string `json:"format"`
	// ID names the request; "" where none is kept. It is the digest that a yes is
	// bound to, in hexadecimal digits.
	ID   string    `json:"id,omitempty"`
	Tier risk.Tier `json:"tier"`
	// ReviewLevel is A, B or C: nothing, a click, or a typed word or the PIN.
	ReviewLevel risk.Level `json:"reviewLevel"`
	// RequiresPin says that a yes takes the PIN.
	RequiresPin bool `json:"requiresPin"`
	// Explanation is the badge's sentence.
	Explanation string   `json:"explanation"`
	Why         []string `json:"why"`
	Command     string   `json:"command"`
	// Masked says that secrets were taken out of the command.
	Masked     bool            `json:"masked,omitempty"`
	Shell      string          `json:"shell,omitempty"`
	Dir        string          `json:"dir,omitempty"`
	Agent      string          `json:"agent,omitempty"`
	Session    string          `json:"session,omitempty"`
	Provenance risk.Provenance `json:"provenance,omitempty"`
	// Asks says in words who asks.
	Asks         string            `json:"asks"`
	Consequences risk.Consequences `json:"consequences"`
	// Irreversible are the things that nothing known brings back.
	Irreversible []string     `json:"irreversible"`
	Safer        []risk.Safer `json:"safer"`
	ASI          []string     `json:"asi"`
	ATTACK       []string     `json:"attack"`
	Decision     string       `json:"decision"` // leave, allow, ask or deny
	Rule         string       `json:"rule,omitempty"`
	Layer        string       `json:"layer,omitempty"`
	Reason       string       `json:"reason,omitempty"` // of the rule's owner
	// Final says that no yes lets it run.
	Final bool `json:"final,omitempty"`
	// Parts are the programs, in the order in which they start.
	Parts []Part `json:"parts"`
	// Steps are the commands of the line's top level, where it has several; none where they
	// cannot be told apart.
	Steps []Step `json:"steps,omitempty"`
	// Narrow are the narrowest rules by which it would run unasked from now on, in lines as a
	// file of rules has them; none for what is REVIEW, or where no rule is narrow.
	Narrow []string `json:"narrow,omitempty"`
	// Follows says, of the rest of a line, what of it was let run before.
	Follows *Follows `json:"follows,omitempty"`
	// Spans are where, in the command as it is shown, what decided stands: offsets in
	// bytes.
	Spans   []risk.Span `json:"spans"`
	Confirm Confirm     `json:"confirm"`
}

// A Part is what one program of the command would do.
type Part struct {
	Command  string    `json:"command"`
	Tier     risk.Tier `json:"tier"`
	Does     []string  `json:"does"` // its effects, the worst first
	Decision string    `json:"decision"`
	Rule     string    `json:"rule"`
	Layer    string    `json:"layer"`
}

// A Confirm is what a yes takes.
type Confirm struct {
	By   string `json:"by"`             // none, click, word or pin
	What string `json:"what,omitempty"` // what the word is: branch, path, cluster, database, host, program
	Word string `json:"word,omitempty"`
}

// A Follows is what the rest of a line follows.
type Follows struct {
	Command string `json:"command"`
	// Succeeded says that the rest was to run only if that ended well.
	Succeeded bool `json:"succeeded,omitempty"`
}

// Text says it in a line.
func (f *Follows) Text() string {
	if f.Succeeded {
		return f.Command + "  (and was to run only if that ended well)"
	}
	return f.Command
}

// What a yes takes, in Confirm.
const (
	ByNothing = "none"
	ByClick   = "click"
	ByWord    = "word"
	ByPin     = "pin"
)

// New says what a person is asked about a request. pin says that this person has a
// PIN. id is the digest that a yes is bound to, or "".
func New(req *risk.Request, a *risk.Assessment, d *policy.Decision, id string, pin bool) *Consent {
	secrets := mask.For(req.Command, req.Env)
	show := func(text string) string { return explain.Visible(secrets.Text(text)) }
	c := &Consent{
		Format: Format, ID: id, Tier: a.Tier, ReviewLevel: a.Level, Explanation: secrets.Text(a.Summary), Why: why(a.Reasons, secrets.Text),
		Masked: secrets.Masks(req.Command), Command: show(req.Command), Shell: a.Shell, Dir: show(req.Dir), Agent: show(req.Agent), Session: show(req.Session),
		Provenance: req.Provenance, Asks: who(req),
		Consequences: risk.Consequences{Direct: notNil(a.Consequences.Direct, secrets.Text), Indirect: notNil(a.Consequences.Indirect, secrets.Text)},
		Irreversible: irreversible(a.Effects, secrets.Text),
		ASI:          notNil(a.ASI, nil), ATTACK: notNil(a.ATTACK, nil),
		Decision: d.Action.String(), Rule: show(d.Rule), Layer: d.Layer.String(), Reason: show(d.Reason), Final: d.Final,
		Safer: []risk.Safer{}, Parts: []Part{}, Spans: []risk.Span{},
	}
	for _, s := range a.Safer {
		c.Safer = append(c.Safer, risk.Safer{Command: show(s.Command), Why: secrets.Text(s.Why)})
	}
	c.parts(a, d, show)
	if !c.Masked {
		c.spans(a, req.Command) // what was taken out has moved the rest
	}
	c.confirm(a, d, id, pin, secrets)
	c.narrow(a, d)
	c.divide(req.Command, req.Shell, a, d, secrets)
	return c
}

// notNil copies texts, so that their JSON is never null.
func notNil(all []string, clean func(string) string) []string {
	out := make([]string, 0, len(all))
	for _, s := range all {
		if clean != nil {
			s = clean(s)
		}
		out = append(out, s)
	}
	return out
}

// why are the reasons without the words that rules go by, each once.
func why(reasons []string, clean func(string) string) []string {
	out := []string{}
	for _, r := range reasons {
		if _, text, ok := strings.Cut(r, ": "); ok {
			r = text
		}
		if r = clean(r); !slices.Contains(out, r) && len(out) < maxLines {
			out = append(out, r)
		}
	}
	return out
}

// who says who asks.
func who(req *risk.Request) string {
	name := "somebody"
	if req.Agent != "" {
		name = explain.Cut(explain.Visible(req.Agent), 40)
	}
	switch req.Provenance {
	case risk.LocalUser:
		return "you, at this machine"
	case risk.WebRemoteUser:
		return name + ", for a person on the web"
	case risk.ModelSuggestion:
		return name + ", on its own idea"
	case risk.WorkspaceFile:
		return name + ", after reading a file of the workspace"
	case risk.WebContent:
		return name + ", after reading a web page"
	case risk.ToolOutput:
		return name + ", after reading what a tool printed"
	}
	if req.Agent != "" {
		return name
	}
	return "not known"
}

// maxLines bounds the lists that people read.
const maxLines = 12

// irreversible lists what nothing known brings back.
func irreversible(effects []risk.Effect, clean func(string) string) []string {
	out := []string{}
	for i := range effects {
		e := &effects[i]
		text := ""
		switch {
		case e.Remedy == risk.RemedyMade:
		case e.Reversible == risk.Lost:
			text = "there is no other copy of it"
		case e.Reversible == risk.Partly:
			text = "only a part of it is in git"
		case e.Verb == risk.RemoteDestroy || e.Verb == risk.DBDestroy:
			text = "what it holds is gone"
		case e.Verb == risk.SecretSend || e.Verb == risk.NetSend && e.Tier == risk.Review:
			text = "what was sent cannot be taken back"
		case e.Verb == risk.PkgPublish:
			text = "what is published stays published"
		case e.Verb == risk.DiskWrite:
			text = "what the disk held is gone"
		}
		if text == "" {
			continue
		}
		line := explain.Cut(explain.Visible(clean(e.Target)), 60) + ": " + text
		if !slices.Contains(out, line) {
			out = append(out, line)
		}
		if len(out) == maxLines {
			break
		}
	}
	return out
}

// narrow says which rules would let it run.
func (c *Consent) narrow(a *risk.Assessment, d *policy.Decision) {
	if c.Confirm.By != ByClick || c.Tier == risk.Review || c.Masked || d.Final { // a rule would hold the secret
		return
	}
	var lines []string
	for _, r := range policy.Narrowest(a, d, "") {
		for line := range strings.Lines(rulefile.Text(&r)) {
			line = strings.TrimRight(line, "\n")
			if explain.Visible(line) != line {
				return // it cannot be shown as it is
			}
			lines = append(lines, line)
		}
	}
	c.Narrow = lines
}

// parts says what each program does.
func (c *Consent) parts(a *risk.Assessment, d *policy.Decision, show func(string) string) {
	for _, p := range d.Parts {
		part := Part{Command: "(the shell itself)", Decision: p.Action.String(), Rule: show(p.Rule), Layer: p.Layer.String(), Does: []string{}}
		if p.Process >= 0 && p.Process < len(a.Invocations) {
			part.Command = explain.Cut(show(strings.Join(a.Invocations[p.Process].Argv, " ")), 200)
		}
		for i := range a.Effects {
			e := &a.Effects[i]
			if !of(e, p.Process, len(a.Invocations)) {
				continue
			}
			part.Tier = max(part.Tier, e.Tier)
			if len(part.Does) < maxLines {
				part.Does = append(part.Does, doing(e, show))
			}
		}
		slices.SortStableFunc(part.Does, func(x, y string) int { return severity(y) - severity(x) })
		c.Parts = append(c.Parts, part)
	}
}

func severity(line string) int {
	switch {
	case strings.HasPrefix(line, "["+risk.Review.String()):
		return 2
	case strings.HasPrefix(line, "["+risk.Caution.String()):
		return 1
	}
	return 0
}

// of reports whether an effect is of a process; -1 is the shell itself.
func of(e *risk.Effect, process, processes int) bool {
	by := e.By.Process
	if by < 0 || by >= processes {
		by = -1
	}
	return by == process
}

// spans marks where the programs stand that decided, in the command as it is shown.
func (c *Consent) spans(a *risk.Assessment, command string) {
	for i := range a.Effects {
		e := &a.Effects[i]
		if e.Tier != a.Tier || a.Tier == risk.Safe || e.By.Process < 0 || e.By.Process >= len(a.Invocations) {
			continue
		}
		s := a.Invocations[e.By.Process].Span
		if s.Start < 0 || s.End > len(command) || s.Start >= s.End {
			continue
		}
		before, upTo := explain.Visible(command[:s.Start]), explain.Visible(command[:s.End])
		if !strings.HasPrefix(c.Command, upTo) || !strings.HasPrefix(upTo, before) {
			continue // it begins or ends inside of something that is shown in another way
		}
		if s = (risk.Span{Start: len(before), End: len(upTo)}); slices.Contains(c.Spans, s) {
			continue
		}
		c.Spans = append(c.Spans, s)
	}
	slices.SortFunc(c.Spans, func(x, y risk.Span) int { return x.Start - y.Start })
}

// confirm says what a yes takes. What needs nothing needs no PIN either.
func (c *Consent) confirm(a *risk.Assessment, d *policy.Decision, id string, pin bool, secrets *mask.Masker) {
	switch {
	case d.Action == policy.Allow:
		c.Confirm.By = ByNothing
	case d.Consent == policy.Click:
		c.Confirm.By = ByClick
	case pin:
		c.Confirm.By, c.RequiresPin = ByPin, true
	default:
		c.Confirm.By = ByWord
		c.Confirm.What, c.Confirm.Word = decisive(a, id, secrets)
	}
}

// WithPIN is the consent as it is for somebody who has a PIN now, or has none any more.
// The word that a PIN stood for is not kept: the beginning of the digest is asked for.
func (c Consent) WithPIN(pin bool) *Consent {
	switch {
	case pin && c.Confirm.By == ByWord:
		c.RequiresPin = true
	case !pin && c.Confirm.By == ByPin:
		c.RequiresPin = false
	}
	c.Confirm = c.Confirm.withPIN(pin, c.ID)
	c.Steps = slices.Clone(c.Steps)
	for i := range c.Steps {
		c.Steps[i].Confirm = c.Steps[i].Confirm.withPIN(pin, c.ID)
	}
	return &c
}

// ByPINOnly is the consent where every yes takes the PIN, whatever it says of itself.
func (c Consent) ByPINOnly() *Consent {
	c.Confirm, c.RequiresPin = Confirm{By: ByPin}, true
	c.Steps = slices.Clone(c.Steps)
	for i := range c.Steps {
		c.Steps[i].Confirm = c.Confirm
	}
	return &c
}

func (c Confirm) withPIN(pin bool, id string) Confirm {
	switch {
	case pin && c.By == ByWord:
		return Confirm{By: ByPin}
	case !pin && c.By == ByPin:
		what, word := digestWord(id)
		return Confirm{By: ByWord, What: what, Word: word}
	}
	return c
}

// maxWord is the longest word that people are asked to type, in bytes.
const maxWord = 40

// decisive is the word that this command turns on, and what it is: the branch, the
// cluster, the path. Where nothing can be typed it is the beginning of the digest.
func decisive(a *risk.Assessment, id string, secrets *mask.Masker) (what, word string) {
	fit := func(word string) bool { return typeable(word) && !secrets.Masks(word) }

	for _, tier := range []risk.Tier{risk.Review, risk.Caution} {
		for i := range a.Effects {
			if e := &a.Effects[i]; e.Tier == tier {
				if what, word := token(e); fit(word) {
					return what, word
				}
			}
		}
	}
	for i := range a.Invocations {
		if argv := a.Invocations[i].Argv; len(argv) > 0 && fit(base(argv[0])) {
			return "program", base(argv[0])
		}
	}
	return digestWord(id)
}

// digestWord is the word where nothing else of a command can be typed.
func digestWord(id string) (what, word string) {
	if len(id) >= wordDigits {
		return "beginning of the digest", id[:wordDigits]
	}
	return "word", "yes, run it"
}

// wordDigits is how much of a digest people type.
const wordDigits = 4

// token is what an effect turns on.
func token(e *risk.Effect) (what, word string) {
	switch e.Verb {
	case risk.VCSPush, risk.VCSForce, risk.VCSRewrite:
		return "branch", policy.Branch(e)
	case risk.RemoteChange, risk.RemoteDestroy:
		if cluster := policy.Cluster(e); cluster != "" {
			return "cluster", cluster
		}
		return "name", base(e.Target)
	case risk.DBChange, risk.DBDestroy:
		return "database", base(e.Target)
	case risk.NetSend, risk.NetConnect, risk.NetFetch, risk.SecretSend, risk.ExecRemote:
		return "host", policy.Host(e)
	case risk.PkgInstall, risk.PkgRemove, risk.PkgPublish:
		return "package", e.Target
	case risk.DiskWrite:
		return "disk", base(e.Target)
	}
	if e.Target == "/" {
		return "path", "/"
	}
	return "path", base(e.Target)
}

// base is the last part of a path or name.
func base(s string) string {
	s = strings.TrimRight(s, "/")
	return s[strings.LastIndexByte(s, '/')+1:]
}

// typeable reports whether people can type a word as they see it.
func typeable(word string) bool {
	if word == "" || len(word) > maxWord || strings.TrimSpace(word) != word {
		return false
	}
	for i := range len(word) {
		if word[i] <= ' ' || word[i] > '~' {
			return false
		}
	}
	return explain.Visible(word) == word
}
