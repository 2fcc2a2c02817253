package catalog

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// commands says that what comes in on standard input is run, for a program that reads
// commands of its own there and whose grammar says no more of them.
func (r *Result) commands(s *Site) {
	if !r.Traits.Has(Commands) || r.Help || !s.HasStdin || s.Stdin.IsKnown() && s.Stdin.Empty() {
		return
	}
	if slices.ContainsFunc(r.Runs, func(run Run) bool { return run.Stdin }) {
		return
	}
	r.Runs = append(r.Runs, Run{Kind: RunCode, Lang: s.Name, Stdin: true})
	r.ReadsStdin = true
}

// onlyFiles are the traits of programs that open files by their names and know no
// address.
const onlyFiles = Searches | Filters | Verbatim | Echoes | Talks | Checkout | ShellWord

// addresses says of the words that stand in the place of a file and are addresses
// that they are fetched, or sent to: of programs that take them, operands that mean
// nothing else too. Of a program that nobody has asked about it, it is not known.
func (r *Result) addresses(m *Match) {
	if r.Help || r.Traits.Has(onlyFiles) {
		return
	}
	takes := r.Traits.Has(Fetches)
	for i := range r.Effects {
		e := &r.Effects[i]
		if !IsAddress(e.Target) {
			continue
		}
		switch e.Verb {
		case risk.FSRead, risk.FSWrite, risk.FSCreate:
		default:
			continue
		}
		switch {
		case !takes:
			r.Unknowns = append(r.Unknowns, risk.Unknown{What: e.Target.String(), Role: risk.RoleOperand})
		case e.Verb == risk.FSRead || e.Kind == risk.KindEditor:
			e.Verb, e.Kind, e.Shown = risk.NetFetch, risk.NoKind, false
		default:
			e.Verb, e.Kind = risk.NetSend, risk.NoKind
		}
	}
	if !takes {
		return
	}
	for i := range m.Args {
		b := &m.Args[i]
		named := func(e Effect) bool { return e.Target.String() == b.Value.String() }
		if b.Arg.Role == Data && m.IsOperand(b) && IsAddress(b.Value) && !slices.ContainsFunc(r.Effects, named) {
			r.Effects = append(r.Effects, Effect{Verb: risk.NetFetch, Target: b.Value, Arg: b.Arg.Name, Rule: "spec"})
		}
	}
}

// IsAddress reports whether a word is an address that leads elsewhere: a scheme, and
// what follows it after two slashes (RFC 3986, "Syntax Components"). file: leads nowhere.
func IsAddress(v value.Value) bool {
	scheme, _, ok := strings.Cut(v.Prefix(), "://")
	if !ok || scheme == "" || strings.EqualFold(scheme, "file") {
		return false
	}
	return strings.IndexFunc(scheme, func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '+' && c != '-' && c != '.'
	}) < 0
}
