package engine

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/workspace"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// machine implements [shell.Machine] for one request.
type machine struct {
	catalog *catalog.Catalog
	fronts  *shell.Fronts
	world   *world.World
	space   *workspace.Space
	trace   *Trace
	steps   int
	seen    map[string]int // effects by what makes them the same
	depth   int
	current int // index of the invocation that runs now, -1 for the shell itself
	deeds   int // programs that did more than compute
	// last is the program that was last run with the terminal as its input, and
	// loop the last of them that reads commands: what follows it in a text may
	// be what is typed there.
	last, loop string
	// staged is a secret that git added, kept one that it committed.
	staged, kept string
}

// Spend implements [shell.Machine].
func (m *machine) Spend(n int) bool {
	m.steps += n
	if m.steps > maxSteps {
		m.trace.Spent = true
		return false
	}
	return true
}

// Deeds implements [shell.Machine]. Programs that were computed in process are
// no deeds.
func (m *machine) Deeds() (n int, plenty bool) {
	return len(m.trace.Effects) + m.deeds, m.steps < maxSteps*3/4
}

// blind records that heed could not see what a command does, and why: for
// reading it in what language, if there is one.
func (m *machine) blind(span risk.Span, why risk.Kind, language string) {
	m.trace.Unknowns = append(m.trace.Unknowns, risk.Unknown{What: why.Of(language), Role: risk.RoleCode, Span: span})
	m.record(risk.Effect{Verb: risk.Blind, Kind: why, Target: language, Certainty: risk.Certain, Span: span})
}

// Unknown implements [shell.Machine].
func (m *machine) Unknown(st *shell.State, span risk.Span, role risk.Role, what string) {
	m.note(span, role, what)
	switch role {
	case risk.RoleParse:
		m.effect(st, span, risk.Effect{Verb: risk.Blind, Kind: risk.KindPartUnparsable})
	case risk.RolePlaceholder:
		m.effect(st, span, risk.Effect{Verb: risk.ExecUnknown, Kind: risk.KindPlaceholder, Target: what})
	case risk.RoleBudget:
		m.trace.Spent = true
	case risk.RoleCode:
		m.effect(st, span, risk.Effect{Verb: risk.ExecUnknown, Kind: risk.KindCode, Target: what, Unresolved: what, Cause: risk.CauseOther})
	case risk.RoleScript:
		m.missingScript(st, span, what)
	}
}

func (m *machine) note(span risk.Span, role risk.Role, what string) {
	u := risk.Unknown{What: what, Role: role, Span: span}
	if len(m.trace.Unknowns) < 100 && !slices.Contains(m.trace.Unknowns, u) {
		m.trace.Unknowns = append(m.trace.Unknowns, u)
	}
}

func (m *machine) notInspected(what string) {
	if len(m.trace.NotInspected) < 50 && !slices.Contains(m.trace.NotInspected, what) {
		m.trace.NotInspected = append(m.trace.NotInspected, what)
	}
}

// Code implements [shell.Machine]: text with holes, or from the network, is
// about to be run.
func (m *machine) Code(st *shell.State, span risk.Span, text value.Value, lang string) {
	e := risk.Effect{Verb: risk.ExecUnknown, Kind: risk.KindCode, Target: clip(text.String(), 400)}
	switch {
	case text.Taint().Has(value.Network):
		e.Verb, e.Source = risk.ExecRemote, risk.FromNetwork()
	default:
		describeHole(&e, text)
	}
	if e.Target == "" {
		e.Target = lang + " code"
	}
	m.note(span, risk.RoleCode, text.String())
	m.effect(st, span, e)
}

// describeHole names the first unknown part of a value in an effect.
func describeHole(e *risk.Effect, v value.Value) {
	hs := v.Holes()
	if len(hs) == 0 {
		return
	}
	h := hs[0]
	for _, x := range hs {
		if x.Shape == value.AnyText && len(x.OneOf) == 0 {
			h = x
			break
		}
	}
	e.Unresolved = value.Of(*h).String()
	if len(h.OneOf) > 0 {
		e.Unresolved = strings.Join(h.OneOf[:min(3, len(h.OneOf))], " or ")
	}
	e.Cause = h.Cause
	switch {
	case h.Cause == risk.CauseOutput && h.Shape == value.Setup:
		e.Cause = risk.CauseSetup
	case h.Cause > risk.CauseOther: // told of values only
		e.Cause = risk.CauseOther
	}
	if h.Shape != value.AnyText && e.Cause != risk.CauseUnset && e.Cause != risk.CausePlaceholder && e.Cause != risk.CauseSetup && e.Kind != risk.KindCode && e.Kind != risk.KindProgram {
		e.Cause = risk.CauseWord
	}
}

// Effect implements [shell.Machine].
func (m *machine) Effect(st *shell.State, span risk.Span, x shell.Effect) {
	m.effect(st, span, risk.Effect{Verb: x.Verb, Target: x.Target.String(), Kind: x.Kind})
}

// effect completes an effect with the circumstances of the state.
func (m *machine) effect(st *shell.State, span risk.Span, e risk.Effect) {
	e.Span = span
	if e.Certainty == "" {
		e.Certainty = risk.Certain
	}
	if st.Maybe || e.Unresolved != "" {
		e.Certainty = risk.Possible
	}
	if len(st.Reached) > 0 {
		e.Reached = st.Reached[len(st.Reached)-1]
		for _, r := range st.Reached {
			if r.Kind == risk.IfMissing {
				e.Reached = r
			}
		}
	}
	e.Via = st.Context.Via
	e.Privileged = e.Privileged || st.Context.Privileged
	if e.Host == "" {
		e.Host = st.Context.Host
	}
	m.record(e)
}

// record keeps an effect once, at its most certain.
func (m *machine) record(e risk.Effect) {
	key := identity(&e)
	if i, ok := m.seen[key]; ok {
		again(&m.trace.Effects[i], &e)
		return
	}
	if len(m.trace.Effects) >= maxEffects {
		m.trace.Spent = true
		if e.Verb != risk.Blind { // that the budget is spent is always told
			return
		}
	}
	m.seen[key] = len(m.trace.Effects)
	m.trace.Effects = append(m.trace.Effects, e)
}

// identity is what makes two effects the same.
func identity(e *risk.Effect) string {
	key := strings.Join([]string{string(e.Verb), e.Target, e.Kind.String(), e.Source.String(), e.Host, e.Where, e.Unresolved, e.Pattern, e.Named, strings.Join(e.Via, "/")}, "\x00")
	if e.Recursive {
		key += "r"
	}
	return key
}

// again notes that an effect is had once more: it counts at its most certain,
// and with what it loses most.
func again(old, e *risk.Effect) {
	if e.Certainty == risk.Certain {
		old.Certainty, old.Reached = risk.Certain, e.Reached
	}
	old.Forced, old.Many = old.Forced || e.Forced, old.Many || e.Many
	if losses[e.Reversible] > losses[old.Reversible] {
		old.Reversible, old.Remedy, old.Counts = e.Reversible, e.Remedy, e.Counts
	}
}

// losses orders what is lost for good.
var losses = map[risk.Reversible]int{risk.Partly: 1, risk.Lost: 2}

// absolute makes a written path absolute in the state's directory. A path that
// begins with something unknown may be absolute already and stays as it is.
func absolute(st *shell.State, v value.Value) value.Value {
	if strings.HasPrefix(v.Prefix(), "/") {
		return v
	}
	s, known := v.Known()
	if !known && v.Prefix() == "" {
		return v
	}
	dir, ok := st.Dir.Known()
	switch {
	case ok && known:
		joined := path.Join(dir, s)
		if strings.HasSuffix(s, "/") && joined != "/" {
			joined += "/"
		}
		return value.Lit(joined)
	case ok:
		return value.Concat(value.Lit(strings.TrimSuffix(dir, "/")+"/"), v)
	}
	return value.Concat(st.Dir, value.Lit("/"), v)
}

// worst is the path that a target leads to when every unknown part of it is
// as short as it can be.
func worst(st *shell.State, v value.Value) string {
	name := absolute(st, v).Worst()
	if strings.HasPrefix(name, "/") {
		return name
	}
	dir := st.Dir.Worst()
	if name == "" {
		return dir
	}
	return path.Join(dir, name)
}

// Make implements [shell.Machine].
func (m *machine) Make(st *shell.State, span risk.Span, target value.Value) {
	if p := m.place(st, target, true); p.Missing && m.space.Scope(p.Path) != risk.IsNull {
		e := catalog.Effect{Verb: risk.FSCreate, Target: target}
		m.fsEffect(st, span, &e, value.Value{}, "")
		m.overlayEffect(st, &e, value.Value{}, true)
	}
}

// Store implements [shell.Machine].
func (m *machine) Store(st *shell.State, span risk.Span, target, content value.Value, add bool) {
	e := catalog.Effect{Verb: risk.FSWrite, Target: target}
	switch {
	case add:
		e.Kind = risk.KindAppend
	case content.Empty() && content.Taint() == 0:
		e.Kind = risk.KindTruncate
	}
	m.fsEffect(st, span, &e, content, "")
	m.flowToFile(st, span, target, content)
	m.fills(st, span, target, content.Taint())
	content = content.Without(value.Endless)
	if name, ok := absolute(st, target).Known(); ok && st.Context.Host == "" {
		resolved, _ := world.Resolve(st.FS, path.Clean(name), true)
		if add {
			if old, known, ok := st.FS.Content(resolved); ok && known {
				content = value.Concat(old, content)
			} else if i, err := st.FS.Lstat(resolved); err == nil && i.Kind != world.Missing {
				content = value.Concat(value.Unknown(risk.CauseFile, resolved), content)
			}
		}
		if m.space.Scope(resolved) != risk.IsNull {
			st.FS.Create(resolved, content, true)
		}
	}
}

// flowToFile records a secret that ends up in a file.
func (m *machine) flowToFile(st *shell.State, span risk.Span, target, content value.Value) {
	if content.Taint().Has(value.Secret | value.Credential) {
		p := m.place(st, target, true)
		if p.Scope == risk.IsNull || p.Scope == risk.IsSecret {
			return
		}
		m.effect(st, span, risk.Effect{Verb: risk.SecretRead, Target: p.Path, Kind: risk.KindCopiedToAFile, Source: m.secretName(content)})
	}
}

// secretName names the file or variable that a secret value came from.
func (m *machine) secretName(v value.Value) risk.Source {
	for _, h := range v.Holes() {
		if h.Cause == risk.CauseFile {
			return risk.From(h.Name)
		}
	}
	if v.Taint().Has(value.Credential) {
		for _, h := range v.Holes() {
			if h.Name != "" {
				return risk.From("$" + h.Name)
			}
		}
	}
	return risk.FromSecret()
}

// Load implements [shell.Machine]: the contents are read only when something
// runs them; until then they are a hole that names the file.
func (m *machine) Load(st *shell.State, span risk.Span, target value.Value) value.Value {
	m.fsEffect(st, span, &catalog.Effect{Verb: risk.FSRead, Target: target}, value.Value{}, "")
	return m.contents(st, target)
}

// contents is what a file holds: what this command wrote there, or a hole.
func (m *machine) contents(st *shell.State, target value.Value) value.Value {
	name, ok := absolute(st, target).Known()
	if !ok {
		t := target.Taint() | value.Untrusted | m.matched(st, target)
		if p := m.place(st, target, false); p.Scope == risk.IsSecret && p.Path == path.Clean(p.Written) {
			t |= value.Secret // by its name, whatever directory it is in
		}
		return value.Unknown(risk.CauseFile, target.String()).With(t)
	}
	if st.Context.Host != "" {
		if endlessDevice(path.Clean(name)) {
			return value.Unknown(risk.CauseFile, path.Clean(name)).With(value.Endless)
		}
		t := value.Network
		if m.space.Scope(path.Clean(name)) == risk.IsSecret {
			t = value.Secret
		}
		return value.Unknown(risk.CauseFile, name).With(t)
	}
	p := m.space.Locate(st.FS, name, true)
	if content, known, ok := st.FS.Content(p.Path); ok && known {
		return content
	}
	if endlessDevice(p.Path) {
		return value.Unknown(risk.CauseFile, p.Path).With(value.Endless)
	}
	if st.FS.Fetched(p.Path) {
		return value.Unknown(risk.CauseFile, p.Path).With(sources(p.Scope) | value.Network)
	}
	if recordsPeople(p.Path) {
		return value.Unknown(risk.CauseFile, p.Path).With(value.Private)
	}
	return value.Unknown(risk.CauseFile, p.Path).With(sources(p.Scope))
}

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

// matched are the taints of the contents of what a search finds.
func (m *machine) matched(st *shell.State, target value.Value) value.Taint {
	for _, h := range target.Holes() {
		if h.Shape != value.Below {
			continue
		}
		base, ok := absolute(st, value.Lit(h.Base)).Known()
		if ok && m.space.Scope(path.Join(base, strings.Trim(h.Last, "*"))) == risk.IsSecret {
			return value.Secret
		}
	}
	return 0
}

// sources are the taints of a file's contents, by where it is.
func sources(scope risk.Scope) value.Taint {
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

// Connect implements [shell.Machine].
func (m *machine) Connect(st *shell.State, span risk.Span, address value.Value) value.Value {
	host, _, _ := strings.Cut(address.String(), "/")
	m.effect(st, span, risk.Effect{Verb: risk.NetConnect, Target: strings.Replace(address.String(), "/", ":", 1), Scope: hostScope(host)})
	return value.Unknown(risk.CauseInput, address.String()).With(value.Network)
}

// Send implements [shell.Machine].
func (m *machine) Send(st *shell.State, span risk.Span, address, content value.Value) {
	if content.Empty() && content.Taint() == 0 {
		return
	}
	host, _, _ := strings.Cut(address.String(), "/")
	e := risk.Effect{Verb: risk.NetSend, Target: strings.Replace(address.String(), "/", ":", 1), Scope: hostScope(host)}
	m.effect(st, span, e)
	m.flowToNet(st, span, e, content.Taint(), m.secretName(content))
}

// flowToNet records a secret that leaves the machine.
func (m *machine) flowToNet(st *shell.State, span risk.Span, e risk.Effect, t value.Taint, from risk.Source) {
	if t.Has(value.Secret | value.Private | value.Credential) {
		e.Verb, e.Source, e.Kind = risk.SecretSend, from, risk.NoKind
		if !t.Has(value.Secret | value.Credential) {
			e.Kind = risk.KindPrivate
		}
		m.effect(st, span, e)
	}
}

// Show implements [shell.Machine].
func (m *machine) Show(st *shell.State, span risk.Span, content value.Value) {
	if !content.Taint().Has(value.Secret | value.Credential) {
		return
	}
	m.effect(st, span, risk.Effect{Verb: risk.SecretRead, Target: m.secretName(content).String(), Scope: risk.IsSecret, Kind: risk.KindShown})
}

func hostScope(host string) risk.Scope {
	h := strings.ToLower(strings.Trim(host, "[]"))
	if i := strings.LastIndexByte(h, '@'); i >= 0 {
		h = h[i+1:]
	}
	if h == "localhost" || h == "::1" || h == "0.0.0.0" || strings.HasPrefix(h, "127.") || strings.HasSuffix(h, ".localhost") {
		return risk.IsLoopback
	}
	return risk.IsRemote
}

// urlHost returns the host of a URL or host:port.
func urlHost(target string) string {
	if _, rest, ok := strings.Cut(target, "://"); ok {
		target = rest
	}
	if i := strings.IndexAny(target, "/?#"); i >= 0 {
		target = target[:i]
	}
	if i := strings.LastIndexByte(target, '@'); i >= 0 {
		target = target[i+1:]
	}
	if strings.HasPrefix(target, "[") {
		if i := strings.IndexByte(target, ']'); i > 0 {
			return target[1:i]
		}
	}
	if h, _, ok := strings.Cut(target, ":"); ok && strings.Count(target, ":") == 1 {
		return h
	}
	return target
}
