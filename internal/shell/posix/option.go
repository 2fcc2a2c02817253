package posix

import (
	"strings"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
	"mvdan.cc/sh/v3/syntax"
)

func (e *evaluator) set(st *shell.State, inv *shell.Invocation, io ioctx) {
	st.Status = shell.OK
	args := inv.Argv[1:]
	if len(args) == 0 {
		e.list(st, inv.Span, "set", nil, io)
	}
	for i := 0; i < len(args); i++ {
		s, known := args[i].Value.Known()
		if !known || len(s) < 2 || s[0] != '-' && s[0] != '+' || s == "--" {
			switch {
			case (s == "-" || s == "+") && i+1 == len(args): // the parameters stay
				return
			case s == "--" || s == "-" || s == "+":
				i++
			}
			st.Params, st.FewerArgs = nil, false
			for _, w := range args[i:] {
				st.Params = append(st.Params, w.Value)
			}
			return
		}
		if strings.HasPrefix(s, "--") { // refused
			continue
		}
		on := s[0] == '-'
		for _, c := range s[1:] {
			if c == 'o' && i+1 < len(args) {
				i++
				name, _ := args[i].Value.Known()
				e.option(st, name, on, inv.Span)
				if plainOption(name) == "xtrace" && on {
					e.traced(st, inv.Span)
				}
				continue
			}
			if c == 'A' && (st.Shell == "mksh" || st.Shell == "zsh") && i+1 < len(args) {
				e.setArray(st, args[i+1].Value, args[i+2:], on, inv.Span)
				return
			}
			if c == 'x' && on {
				e.traced(st, inv.Span)
			}
			e.letter(st, c, on, inv.Span)
		}
	}
}

// setArray performs set -A NAME and, if anew is not set, set +A NAME, which
// keeps the elements behind those that are given (mksh(1), zshbuiltins(1)).
func (e *evaluator) setArray(st *shell.State, name value.Value, words []shell.Word, anew bool, at risk.Span) {
	p, ok := e.place(st, name, at)
	if !ok {
		return
	}
	to := p.name
	v := shell.Var{Array: true, Changed: true}
	if len(words) > 0 && words[0].Value.Prefix() == "--" && words[0].Value.IsKnown() {
		words = words[1:]
	}
	for _, w := range words {
		v.List = append(v.List, w.Value)
	}
	if old := st.Vars.Get(to); old != nil && !anew && len(old.List) > len(v.List) {
		v.List = append(v.List, old.List[len(v.List):]...)
	}
	e.putList(st, to, v, at)
}

// letterOption is the name of an option of set.
func letterOption(dialect string, c rune) string {
	if dialect == "zsh" { // zshoptions(1), "Single letter options"
		switch c {
		case 'f':
			return ""
		case 'F':
			return "noglob"
		case 'y':
			return "shwordsplit"
		}
	}
	switch c {
	case 'k':
		return "keyword"
	case 'P':
		if dialect == "bash" {
			return "physical"
		}
	case 'w':
		if dialect == "zsh" {
			return "chaselinks"
		}
	case 'T':
		if dialect == "zsh" {
			return "cdablevars"
		}
	}
	return map[rune]string{'a': "allexport", 'e': "errexit", 'u': "nounset", 'f': "noglob", 'n': "noexec", 'C': "noclobber", 'x': "xtrace", 'v': "verbose"}[c]
}

// letter turns an option on or off by its letter. Those without a name here are
// about jobs, history, traps and where a shell reads its commands; in zsh letters
// may be anything.
func (e *evaluator) letter(st *shell.State, c rune, on bool, at risk.Span) {
	name := letterOption(st.Shell, c)
	if name == "" && on && st.Shell == "zsh" && !strings.ContainsRune("bfhimpstBEHXr", c) {
		e.unmodelled(st, at, "the option -"+string(c))
	}
	setOption(st, name, on)
}

// traced expands PS4, as `set -x` does before every command: commands inside it
// are run.
func (e *evaluator) traced(st *shell.State, span risk.Span) {
	if st.Shell == "zsh" && !optionsOf(st).promptSubst {
		return
	}
	for _, name := range []string{"PS4", "PROMPT4"} {
		if v := st.Vars.Get(name); v != nil && v.Changed && st.Depth < maxDepth && tracePrompt(st.Shell, name) {
			sub := &evaluator{m: e.m, parts: e.parts, at: &span, grammar: e.grammar}
			e.m.Show(st, span, sub.prompt(st, v.Value.Map(promptText, value.AnyText), &syntax.Lit{}))
		}
	}
}

func setOption(st *shell.State, name string, on bool) {
	setOptions(st, func(o *options) { o.set(st.Shell, name, on) })
}

// set turns an option on or off, by the name that a shell gives it.
func (o *options) set(dialect, name string, on bool) {
	switch plainOption(name) {
	case "errexit":
		o.errExit = on
	case "xtrace", "verbose":
		o.trace = on
	case "nounset":
		o.noUnset = on
	case "noglob":
		o.noGlob = on
	case "pipefail":
		o.pipeFail = on
	case "nullglob":
		o.nullGlob = on
	case "dotglob", "globdots":
		o.dotGlob = on
	case "globstar":
		o.globStar = on
	case "expandaliases":
		o.expandAliases = on
	case "allexport":
		o.allExport = on
	case "noclobber":
		o.noClobber = on
	case "nocaseglob":
		o.noCaseGlob = on
	case "nocasematch":
		o.noCaseMatch = on
	case "shwordsplit":
		o.wordSplit = on
	case "globsubst":
		o.globSubst = on
	case "extendedglob":
		o.extendedGlob = on
	case "ksharrays":
		o.kshArrays = on
	case "keyword":
		o.keyword = on
	case "physical", "chaselinks", "chasedots":
		o.physical = on
	case "cdablevars":
		o.cdableVars = on
	case "lastpipe":
		o.lastPipe = on
	case "execfail":
		o.execFail = on
	case "promptsubst":
		o.promptSubst = on
	case "glob", "clobber", "caseglob", "casematch", "noshwordsplit", "noglobsubst", "noksharrays", "nonullglob", "noerrexit",
		"nochaselinks", "nochasedots", "nocdablevars", "nopromptsubst", "noglobdots", "noextendedglob", "noxtrace", "noverbose", "unset", "noallexport":
		if dialect == "zsh" { // where every option has a negative
			o.set(dialect, strings.TrimPrefix("no"+plainOption(name), "nono"), !on)
		}
	}
}

// shopt handles bash's shopt and zsh's setopt and unsetopt.
func (e *evaluator) shopt(st *shell.State, inv *shell.Invocation, _ ioctx) {
	verb, _ := inv.Argv[0].Value.Known()
	on := verb != "unsetopt"
	for _, w := range inv.Argv[1:] {
		switch s, _ := w.Value.Known(); s {
		case "-s":
			on = true
		case "-u":
			on = false
		case "-o", "-p", "-q":
		default:
			if len(s) > 1 && (s[0] == '-' || s[0] == '+') && verb != "shopt" {
				for _, c := range s[1:] {
					e.letter(st, c, on == (s[0] == '-'), inv.Span)
				}
				continue
			}
			if w.Value.Pattern() != "" {
				continue
			}
			e.option(st, s, on, inv.Span)
			if plainOption(s) == "xtrace" && on {
				e.traced(st, inv.Span)
			}
		}
	}
	st.Status = shell.OK
}
