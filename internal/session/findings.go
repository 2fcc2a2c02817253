package session

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/detect"
	"github.com/heedsh/heed/internal/mask"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/risk"
)

// The ids of findings.
const (
	RunsFetched = "session.runs-fetched"     // runs what an earlier call fetched
	MayFetched  = "session.may-run-fetched"  // runs what may be that
	Executable  = "session.makes-executable" // makes it executable
	AfterSecret = "session.send-after-secret"
	SecretFile  = "session.secret-in-file" // shows, sends or publishes a secret that an earlier call wrote
	Carried     = "session.carried"        // does more with the variables or the directory that it may find
	NotKnown    = "session.not-known"      // anything may have been done before
)

// Findings says what an assessment means after what was done before in the session.
// They only raise.
func (s *State) Findings(a *risk.Assessment) []risk.Finding {
	if s == nil {
		return nil
	}
	found := append(s.runs(a), s.sends(a)...)
	if len(found) > maxFindings {
		slices.SortStableFunc(found, func(x, y risk.Finding) int { return cmp.Compare(severity(y.Severity), severity(x.Severity)) })
		found = found[:maxFindings]
	}
	return found
}

// maxFindings is how many findings a command gets at most.
const maxFindings = 8

func severity(s risk.Severity) int {
	return slices.Index([]risk.Severity{risk.Low, risk.Medium, risk.High, risk.Critical}, s)
}

// raising is the severity of a finding that raises to a level; none below B, where
// nobody is asked either way.
func raising(l risk.Level) (risk.Severity, bool) {
	switch l {
	case risk.B:
		return risk.High, true
	case risk.C:
		return risk.Critical, true
	}
	return "", false
}

// More is a finding where an assessment is lower than with, the one of the same
// request among what [State.Left] tells; dir is the directory that it was made in,
// if that is another.
func (s *State) More(a, with *risk.Assessment, dir string) (risk.Finding, bool) {
	if s == nil || with.Level <= a.Level {
		return risk.Finding{}, false
	}
	severe, ok := raising(with.Level)
	e, idle := s.decided(a, with, dir)
	if !ok || e == nil && idle {
		return risk.Finding{}, false
	}
	f := risk.Finding{ID: Carried, Layer: detect.Session, Severity: severe, Span: risk.Span{End: len(a.Command)}}
	set, names := s.variables(a.Command)
	f.Title, f.Evidence = told("With "+set+" from an earlier command", with), names
	if dir != "" {
		f.Title, f.Evidence = told("In "+cut(dir, 40)+", where an earlier command went", with), "in "+cut(dir, 60)+", "+s.ago(s.DirWhen)
	}
	if e == nil { // a layer above the effects
		f.ATTACK, f.ASI = slices.Clone(with.ATTACK), slices.Clone(with.ASI)
		return f, true
	}
	if e.Span.End <= len(a.Command) { // and not in a function of an earlier call
		f.Span = e.Span
	}
	f.ATTACK, f.ASI = detect.Techniques(e)
	file := s.fileOf(with, e)
	switch {
	case e.Verb == risk.SecretSend, e.Verb == risk.SecretRead:
		f.ID, f.Title = SecretFile, told("With a secret that an earlier command wrote to a file", with)
		if file == nil && s.Kept.Path != "" {
			f.Title, f.Evidence = told("With a secret that an earlier command committed", with), cut(s.Kept.Path, 60)+": committed, "+s.ago(s.Kept.When)
		}
	case e.Verb == risk.ExecRemote, e.Source == risk.FromNetwork(), file != nil && strings.HasPrefix(string(e.Verb), "exec."):
		f.ID, f.Title = RunsFetched, "Runs what an earlier command fetched."
		if file != nil {
			name := file.Path
			if isBelow(e.Target, name) {
				name = e.Target
			}
			f.Title = fmt.Sprintf("Runs %s, which an earlier command %s.", shown(name, a.Dir), file.got())
		}
	}
	if file != nil {
		f.Evidence = s.evidence(file)
	}
	f.Evidence = detect.Evidence(f.Evidence)
	return f, true
}

// told is a whole sentence: what an assessment says, and what it depends on.
func told(on string, a *risk.Assessment) string {
	text := a.Summary
	if len(text) > 1 && text[0] >= 'A' && text[0] <= 'Z' && (text[1] < 'A' || text[1] > 'Z') {
		text = string(text[0]+'a'-'A') + text[1:]
	}
	return on + ": " + text
}

// idle reports whether an effect comes to nothing if the shell is where, and has what,
// earlier calls left: a program or a file that is not there, a variable that a program
// is not known to obey.
func (s *State) idle(e *risk.Effect, dir string) bool {
	switch {
	case e.Kind == risk.KindMissing:
		return true
	case e.Verb == risk.FSDelete && dir != "":
		return e.Reversible == risk.NothingThere
	case e.Kind == risk.KindNotUnderstood:
		return slices.ContainsFunc(s.Vars, func(v Var) bool { return e.Target == "$"+v.Name })
	}
	return false
}

// decided is the effect for which the second assessment is higher than the first.
// idle says that there are only such as come to nothing.
func (s *State) decided(a, with *risk.Assessment, dir string) (best *risk.Effect, idle bool) {
	for i := range with.Effects {
		e := &with.Effects[i]
		switch {
		case e.Level <= a.Level:
		case s.idle(e, dir):
			idle = true
		case best == nil || e.Level > best.Level:
			best = e
		}
	}
	return best, idle
}

// fileOf is the file that an effect of the second assessment is about, or that a
// program beside it reads.
func (s *State) fileOf(with *risk.Assessment, e *risk.Effect) *File {
	if f := s.among(e.Target); f != nil {
		return f
	}
	if from, ok := e.Source.Named(); ok {
		if f := s.among(from); f != nil {
			return f
		}
	}
	for i := range with.Effects {
		if o := &with.Effects[i]; o.Verb == risk.FSRead && o.By.Statement == e.By.Statement {
			if f := s.among(o.Target); f != nil {
				return f
			}
		}
	}
	for i := range with.Effects {
		if f := s.among(with.Effects[i].Target); f != nil {
			return f
		}
	}
	return nil
}

// among is the file of the session that a path is, or that it lies in.
func (s *State) among(name string) *File {
	var best *File
	for i := range s.Files {
		f := &s.Files[i]
		if f.Some || f.Path != name && (!f.Tree || !isBelow(name, f.Path)) {
			continue
		}
		if best == nil || len(f.Path) > len(best.Path) {
			best = f
		}
	}
	return best
}

// runs finds the running, or making executable, of what may have come from elsewhere.
func (s *State) runs(a *risk.Assessment) []risk.Finding {
	var found []risk.Finding
	add := func(id, title, evidence string, e *risk.Effect) {
		if slices.ContainsFunc(found, func(f risk.Finding) bool { return f.ID == id }) {
			return
		}
		f := risk.Finding{ID: id, Layer: detect.Session, Title: title, Severity: risk.High, Span: e.Span, Evidence: detect.Evidence(evidence), ATTACK: []string{"T1059", "T1105"}, ASI: []string{"ASI05"}}
		if id == Executable {
			f.ATTACK = []string{"T1105", "T1222"}
		}
		found = append(found, f)
	}
	for i := range a.Effects {
		e := &a.Effects[i]
		switch e.Verb {
		case risk.FSAttr:
			if f := s.among(e.Target); f != nil && f.Network && e.Kind == risk.KindExecutable && e.Host == "" {
				add(Executable, fmt.Sprintf("Makes %s executable, which an earlier command %s.", shown(f.Path, a.Dir), f.got()), s.evidence(f), e)
			}
		case risk.ExecProject, risk.ExecUnknown:
			if e.Host != "" || !path.IsAbs(e.Target) {
				continue
			}
			if f := s.perhaps(e.Target); f != nil {
				add(MayFetched, fmt.Sprintf("May run what an earlier command %s", f.got()), s.evidence(f), e)
			}
			if s.lost() {
				add(NotKnown, "Runs a file, and what was done before in this session is not known", "", e)
			}
		}
	}
	if carries(s.Agent).vars != mayKeep {
		return found
	}
	for i := range a.Invocations {
		inv := &a.Invocations[i]
		if inv.Host != "" || len(inv.Argv) == 0 {
			continue
		}
		if j := slices.IndexFunc(s.Funcs, func(f Func) bool { return f.Open && f.Name == inv.Argv[0] }); j >= 0 {
			f := &s.Funcs[j]
			add(Carried, fmt.Sprintf("Runs %s, which an earlier command may have made another function", cut(f.Name, 40)), f.Name+", "+s.ago(f.When), &risk.Effect{Span: inv.Span})
		}
	}
	if s.SomeVar != 0 {
		for i := range a.Effects {
			if e := &a.Effects[i]; e.Cause == risk.CauseUnset {
				add(Carried, "Uses a variable that an earlier command of this session may have set", e.Unresolved, e)
			}
		}
	}
	return found
}

// perhaps is the place of a file of which one only knows the directory that it lies
// in, if a path is in that.
func (s *State) perhaps(name string) *File {
	for i := range s.Files {
		if f := &s.Files[i]; f.Some && f.Network && isBelow(name, f.Path) {
			return f
		}
	}
	return nil
}

// sends finds what leaves the machine after a secret was read: who has read it can
// have put it anywhere.
func (s *State) sends(a *risk.Assessment) []risk.Finding {
	if len(s.Secrets) == 0 && !s.lost() {
		return nil
	}
	var best *risk.Finding
	for i := range a.Effects {
		e := &a.Effects[i]
		severe := s.send(a, e)
		if severe == "" {
			continue
		}
		if best != nil && severity(best.Severity) >= severity(severe) {
			continue
		}
		best = &risk.Finding{
			ID: AfterSecret, Layer: detect.Session, Title: s.sent(severe), Severity: severe, Span: e.Span,
			Evidence: detect.Evidence(s.secrets()), ATTACK: []string{"T1552", "T1041"}, ASI: []string{"ASI02", "ASI03"},
		}
		if len(s.Secrets) == 0 {
			best.ID = NotKnown
		}
	}
	if best == nil {
		return nil
	}
	return []risk.Finding{*best}
}

func (s *State) sent(severe risk.Severity) string {
	switch {
	case len(s.Secrets) == 0:
		return "Sends data, and what was read before in this session is not known"
	case severe == risk.Critical:
		return "May send the secret that this session has read"
	}
	return "Sends data after this session has read a secret"
}

// send is how severe it is that an effect follows on the reading of a secret: "" if
// nothing leaves the machine with it that the reader chose.
func (s *State) send(a *risk.Assessment, e *risk.Effect) risk.Severity {
	if e.Scope == risk.IsLoopback {
		return ""
	}
	severe := risk.High
	switch e.Verb {
	case risk.NetSend, risk.PkgPublish:
		if e.Host == "" && (e.Verb == risk.PkgPublish || open(a, e, true)) { // else it has the files of another machine
			severe = risk.Critical
		}
	case risk.VCSPush, risk.VCSForce:
		if e.Kind == risk.KindDelete {
			return ""
		}
		if s.committed(a) {
			severe = risk.Critical
		}
	case risk.RemoteChange:
		if !open(a, e, false) {
			return ""
		}
		severe = risk.Critical
	case risk.NetConnect:
		if literal(a, e) || !slices.ContainsFunc(a.Effects, func(o risk.Effect) bool { return o.By.Process != e.By.Process && beside(&o, e) }) {
			return ""
		}
		severe = risk.Critical
	default:
		return ""
	}
	if len(s.Secrets) == 0 { // it is not known that there was one
		return risk.High
	}
	return severe
}

// committed reports whether commits were made since the first secret was read.
func (s *State) committed(a *risk.Assessment) bool {
	for i := range s.Secrets {
		if s.Committed >= s.Secrets[i].When {
			return true
		}
	}
	return slices.ContainsFunc(a.Effects, func(e risk.Effect) bool { return e.Verb == risk.VCSLocal && commits(&e) })
}

// open reports whether what an effect sends is not all in the words that a person
// reads: it comes from a file, from a program, out of a variable; or the words look
// like a secret.
func open(a *risk.Assessment, e *risk.Effect, piped bool) bool {
	if e.Kind == risk.KindInWords || e.Unresolved != "" || !e.Source.IsZero() || !literal(a, e) || mask.Text(a.Command) != a.Command {
		return true
	}
	return slices.ContainsFunc(a.Effects, func(o risk.Effect) bool {
		return (piped || o.By.Process == e.By.Process) && beside(&o, e)
	})
}

// beside reports whether an effect is one of reading, or of running what may print
// anything, in the statement that another belongs to.
func beside(o, e *risk.Effect) bool {
	switch o.Verb {
	case risk.FSRead, risk.ExecProject, risk.ExecUnknown, risk.ExecRemote, risk.SecretRead, risk.DBRead:
		return o.By.Statement == e.By.Statement
	}
	return false
}

// literal reports whether all words of the program that makes an effect stand in the
// command as they are; a variable of the environment is told by its name.
func literal(a *risk.Assessment, e *risk.Effect) bool {
	if e.By.Process < 0 || e.By.Process >= len(a.Invocations) {
		return false
	}
	text := bare(a.Command)
	for _, w := range a.Invocations[e.By.Process].Argv {
		if !strings.Contains(text, bare(w)) {
			return false
		}
	}
	return true
}

// bare is a text without what quotes, or holds the names of variables together.
func bare(text string) string {
	return strings.NewReplacer(`\`, "", `"`, "", `'`, "", "{", "", "}", "").Replace(text)
}

// got says how a file came: "downloaded from example.org".
func (f *File) got() string {
	from := cut(f.From, 40)
	switch {
	case f.How == shell.Decoded, f.How == shell.OfSecret:
		return string(f.How)
	case from == "" && f.How != shell.Downloaded && f.How != shell.Cloned:
		return string(f.How) + " the network"
	case from == "":
		return string(f.How)
	case f.How == shell.Downloaded, f.How == shell.Cloned:
		return string(f.How) + " from " + from
	}
	return string(f.How) + " " + from
}

// shown is a file's path as it is told.
func shown(name, dir string) string {
	if rest, ok := strings.CutPrefix(name, strings.TrimSuffix(dir, "/")+"/"); ok && dir != "" {
		name = "./" + rest
	}
	return cut(name, 40)
}

func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return "…" + strings.ToValidUTF8(s[len(s)-n:], "")
}

// evidence names a file, how it came and when.
func (s *State) evidence(f *File) string {
	where := f.Path
	if f.Some || f.Tree {
		where = "below " + where
	}
	got := f.got()
	if f.How == shell.OfSecret {
		got = "a secret was written there"
	}
	return fmt.Sprintf("%s: %s, %s", cut(where, 60), got, s.ago(f.When))
}

// secrets names the secrets that were read, the last first.
func (s *State) secrets() string {
	last := -1
	for i := range s.Secrets {
		if last < 0 || s.Secrets[i].When > s.Secrets[last].When {
			last = i
		}
	}
	if last < 0 {
		return ""
	}
	x := &s.Secrets[last]
	text := fmt.Sprintf("%s was read %s", cut(cmp.Or(x.Path, "a secret"), 60), s.ago(x.When))
	if n := len(s.Secrets) - 1; n > 0 {
		text += fmt.Sprintf(", and %d more before", n)
	}
	return text
}

// maxNamed is how many variables are named.
const maxNamed = 3

// variables names those that earlier calls set and that a command speaks of, or else
// the last, and says when that was.
func (s *State) variables(command string) (set, evidence string) {
	named := slices.Clone(s.Vars)
	slices.SortStableFunc(named, func(a, b Var) int { return cmp.Compare(b.When, a.When) })
	if spoken := slices.DeleteFunc(slices.Clone(named), func(v Var) bool { return !strings.Contains(command, v.Name) }); len(spoken) > 0 {
		named = spoken
	}
	var words, when []string
	for i := range s.Funcs {
		if f := &s.Funcs[i]; strings.Contains(command, f.Name) && len(words) < maxNamed {
			words, when = append(words, "the function "+cut(f.Name, 40)), append(when, f.Name+"(), "+s.ago(f.When))
		}
	}
	if len(words) > 0 && !slices.ContainsFunc(named, func(v Var) bool { return strings.Contains(command, v.Name) }) {
		named = nil
	} else if len(words)+len(named) == 0 {
		return "what came", ""
	}
	for i := range named[:min(len(named), maxNamed)] {
		v := &named[i]
		text := "$" + cut(v.Name, 40)
		if len(v.Values) == 1 && !v.Open && !v.Hidden {
			text += "=" + cut(v.Values[0], 40)
		}
		words, when = append(words, text), append(when, text+", "+s.ago(v.When))
	}
	return strings.Join(words, " and "), strings.Join(when, "; ")
}

// ago says how long ago something was.
func (s *State) ago(when int64) string {
	n := max(s.Now-when, 0)
	switch {
	case n < 60:
		return "less than a minute ago"
	case n < 120:
		return "a minute ago"
	case n < 2*60*60:
		return fmt.Sprintf("%d minutes ago", n/60)
	}
	return fmt.Sprintf("%d hours ago", n/3600)
}
