package posix

import (
	"maps"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// Secrets that the shell itself holds, and prints: in its listings of variables,
// in the trace of `set -x`, in its messages of errors.

const secret = value.Secret | value.Credential

// lastWord is the variable with the last word of the commands before, if it held a
// secret: $_ is that word.
const lastWord = "\x00last"

// remember keeps the last word of a command for $_.
func (e *evaluator) remember(st *shell.State, inv *shell.Invocation) {
	if w := inv.Argv[len(inv.Argv)-1].Value; w.Taint().Has(secret) {
		st.Vars.Set(lastWord, shell.Var{Value: w})
	}
}

// quiet reports whether a builtin prints none of its words, not even in its
// messages (bash(1), "SHELL BUILTIN COMMANDS"). The others say what they cannot
// use.
func quiet(name string) bool {
	switch name {
	case ":", "true", "false", "eval", "exec", "set", "export", "readonly", "declare", "typeset", "local", "integer", "float",
		"trap", "command", "builtin", "noglob", "nocorrect", "-", "foreach", "time":
		return true
	}
	return false
}

// utter tells of the secrets among the words of a builtin that prints them.
func (e *evaluator) utter(st *shell.State, name string, inv *shell.Invocation) {
	switch name {
	case "read", "mapfile", "readarray", "unset", "getopts", "wait": // names that are not known, with their subscripts
		for _, w := range inv.Argv[1:] {
			if !w.Value.IsKnown() {
				e.place(st, w.Value, inv.Span)
			}
		}
	}
	if quiet(name) && !optionsOf(st).trace && (name != "set" || !setsOption(inv.Argv)) {
		return
	}
	for i, w := range inv.Argv {
		if name == "alias" && strings.Contains(w.Value.Prefix(), "=") { // others are looked up, and named where they are none
			continue
		}
		if t := w.Value.Taint(); i > 0 && t.Has(secret) && (optionsOf(st).trace || name != "test" && name != "[" || comparesNumbers(inv.Argv)) {
			e.m.Show(st, inv.Span, w.Value)
			return
		}
	}
}

// setsOption reports whether set is given the name of an option, of which it says
// that there is none.
func setsOption(words []shell.Word) bool {
	return len(words) > 2 && slices.ContainsFunc(words[1:2], func(w shell.Word) bool {
		s, _ := w.Value.Known()
		return s == "-o" || s == "+o"
	})
}

// comparesNumbers reports whether a test compares integers, and says so of what
// is none.
func comparesNumbers(words []shell.Word) bool {
	return slices.ContainsFunc(words, func(w shell.Word) bool {
		s, _ := w.Value.Known()
		return slices.Contains([]string{"-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-t"}, s)
	})
}

// trace tells of the secrets among the words of a program that `set -x` prints.
func (e *evaluator) trace(st *shell.State, inv *shell.Invocation) {
	if !optionsOf(st).trace {
		return
	}
	for _, w := range inv.Argv {
		if w.Value.Taint().Has(secret) {
			e.m.Show(st, inv.Span, w.Value)
			return
		}
	}
}

// list prints variables, as `set`, `export -p` and `declare -p` do: those with
// these names, or all.
func (e *evaluator) list(st *shell.State, at risk.Span, by string, names []string, io ioctx) {
	hole := value.Hole{Cause: risk.CauseOutput, Name: by}
	taint := st.Sourced.Taint() & secret
	if len(names) == 0 { // the environment is among them
		hole.Lists, taint = value.Listing{Of: value.OfEnvironment}, taint|value.Private
	}
	listing := value.Of(hole).With(taint)
	if len(names) == 0 && by != "export" && by != "readonly" && io.out == nil {
		// A shell's own variables, which a session before this command has set, stand
		// in no environment: what they hold is not known here.
		e.m.Effect(st, at, shell.Effect{Verb: risk.SecretRead, Kind: risk.KindVariablesOfTheShell})
	}
	all := st.Vars.All()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if t := all[name].Taints() & secret; t != 0 && (len(names) == 0 || slices.Contains(names, name)) {
			listing = value.Unknown(risk.CauseUnknown, name).With(t | listing.Taint())
		}
	}
	if listing.Taint() != 0 {
		e.emit(st, at, listing, io)
	}
}

// anySecret are the secrets among all variables: a name that is not known may be
// that of each.
func anySecret(st *shell.State) (t value.Taint) {
	for _, v := range st.Vars.All() {
		t |= v.Taints() & secret
	}
	return t | st.Sourced.Taint()&secret
}

// listed are the names that a declaration prints instead of setting them; ok is
// false if it sets.
func listed(inv *shell.Invocation) (names []string, ok bool) {
	for _, w := range inv.Argv[1:] {
		s, known := w.Value.Known()
		switch {
		case known && strings.HasPrefix(s, "-"):
			ok = ok || strings.Contains(s, "p")
		case !known || strings.Contains(s, "="):
			return nil, false
		default:
			names = append(names, s)
		}
	}
	return names, ok || len(names) == 0
}

// secretFiles are the descriptors beside standard input that lead to secrets.
func (e *evaluator) secretFiles(io *ioctx) map[string]value.Value {
	fds := e.openNow(io)
	var files map[string]value.Value
	for fd, t := range fds {
		if !t.hasIn || !t.in.Taint().Has(secret) {
			continue
		}
		if files == nil {
			files = map[string]value.Value{}
		}
		files[fd] = t.in
	}
	return files
}
