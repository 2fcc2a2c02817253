package posix

import (
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
	"mvdan.cc/sh/v3/syntax"
)

// promptText decodes the escapes of a prompt string as bash does before it
// expands what comes out (bash(1), PROMPTING): a backquote that is written as
// \140 runs a command. What the session fills in, its time, its user and its
// directory, is a letter here: no expansion can come of it.
func promptText(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch c := s[i]; {
		case c >= '0' && c <= '7':
			n := 1
			for n < 3 && i+n < len(s) && s[i+n] >= '0' && s[i+n] <= '7' {
				n++
			}
			code, _ := strconv.ParseUint(s[i:i+n], 8, 16)
			b.WriteByte(byte(code))
			i += n - 1
		case c == 'n':
			b.WriteByte('\n')
		case c == 'D' && i+1 < len(s) && s[i+1] == '{':
			end := strings.IndexByte(s[i:], '}')
			if end < 0 {
				return b.String()
			}
			i += end
			b.WriteByte('x')
		case c == '[' || c == ']':
		case c == '\\':
			b.WriteByte(c)
		case c == '$':
			b.WriteString(`\$`)
		case strings.IndexByte("aderhHjlstT@AuvVwW!#", c) >= 0:
			b.WriteByte('x')
		default:
			b.WriteByte('\\')
			b.WriteByte(c)
		}
	}
	return b.String()
}

// prompt expands text as a prompt string, or as zsh's ${(e)…} does.
func (e *evaluator) prompt(st *shell.State, v value.Value, at syntax.Node) value.Value {
	text, known := v.Known()
	if !known {
		e.m.Code(st, e.span(at), v, st.Shell)
		return value.Unknown(risk.CauseOther, "prompt")
	}
	if !strings.ContainsAny(text, "$`") {
		return v
	}
	if st.Depth >= maxDepth {
		e.m.Unknown(st, e.span(at), risk.RoleBudget, "nested too deep")
		return value.Unknown(risk.CauseOther, "")
	}
	w, grammar, err := document(text, st.Shell)
	if err != nil {
		e.m.Unknown(st, e.span(at), risk.RoleParse, "text that is expanded as a prompt")
		return value.Unknown(risk.CauseOther, "prompt")
	}
	span := e.span(at)
	sub := &evaluator{m: e.m, parts: e.parts, at: &span, text: text, grammar: grammar}
	st.Depth++
	defer func() { st.Depth-- }()
	return sub.document(st, w, false)
}

// documents is the grammar that words and expressions of most dialects are read in,
// where they are text that is expanded again.
const documents = "bash"

// document reads text as the inside of double quotes, in the grammar of a dialect
// that has forms of its own there.
func document(text, dialect string) (w *syntax.Word, grammar string, err error) {
	if dialect == "zsh" {
		p := zshParsers.Get().(*syntax.Parser)
		defer zshParsers.Put(p)
		w, err := p.Document(&guardedReader{text: text})
		return w, dialect, err
	}
	w, err = syntax.NewParser().Document(&guardedReader{text: text})
	return w, documents, err
}

// prompts are the variables that are printed before a line is read or traced, or when one
// may be misspelt (bash(1), PROMPTING; zshparam(1), "Parameters Used By The Shell").
func prompts() []string {
	return []string{
		"PS0", "PS1", "PS2", "PS3", "PS4", "PROMPT", "PROMPT2", "PROMPT3", "PROMPT4", "prompt", "RPROMPT", "RPROMPT2", "RPS1", "RPS2", "SPROMPT",
	}
}

// notePrompt evaluates what a prompt runs that the session sets: PS4 while
// commands are traced, the others when a person is asked.
func (e *evaluator) notePrompt(st *shell.State, name string, v *shell.Var, at risk.Span) {
	if tracePrompt(st.Shell, name) {
		if optionsOf(st).trace {
			e.traced(st, at)
		}
		return
	}
	text, known := v.Value.Known()
	if !known || !strings.ContainsAny(promptText(text), "$`") || st.Shell == "zsh" && !optionsOf(st).promptSubst {
		return
	}
	sub := st.Clone()
	sub.Alts = nil
	sub.Under(risk.Condition{Kind: risk.AtNextPrompt})
	e.m.Show(sub, at, e.again(sub, value.Lit(promptText(text)), at))
	st.FS.Join(sub.FS)
}

// tracePrompt reports whether a variable is what is printed before each command that
// is traced, for which zsh has two names (zshparam(1), PS4, PROMPT4).
func tracePrompt(dialect, name string) bool {
	return name == "PS4" || name == "PROMPT4" && dialect == "zsh"
}

// atPrompt evaluates what is run before every prompt.
func (e *evaluator) atPrompt(st *shell.State, text value.Value, at risk.Span) {
	e.aside(st, risk.Condition{Kind: risk.AtNextPrompt}, ioctx{}, func(sub *shell.State) {
		e.nested(sub, text, st.Shell, ioctx{}, at)
	})
}
