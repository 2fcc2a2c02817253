package engine

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/detect"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/risk"
)

// maxArgv is how many words of an invocation are recorded, and maxWord how
// many bytes of each.
const (
	maxArgv = 64
	maxWord = 400
)

// invocation records an invocation, as the child of the one that runs now, and
// returns its index; -1 if there is no room for it.
func (m *machine) invocation(st *shell.State, inv *shell.Invocation) int {
	if len(m.trace.Invocations) >= maxInvocations {
		return -1
	}
	argv := make([]string, 0, min(len(inv.Argv), maxArgv))
	for _, w := range inv.Argv {
		if len(argv) == maxArgv {
			argv = append(argv, "…")
			break
		}
		argv = append(argv, clip(w.Value.String(), maxWord))
	}
	dir := st.Dir.String()
	m.trace.Invocations = append(m.trace.Invocations, risk.Invocation{
		Argv: argv, Span: inv.Span, Dir: dir, Reached: reached(st),
		Via: append([]string(nil), st.Context.Via...), Host: st.Context.Host,
	})
	m.trace.Processes = append(m.trace.Processes, detect.Process{
		Path: argv[0], Argv: argv, Parent: m.current, Span: inv.Span, Dir: dir,
		Host: st.Context.Host, Container: st.Context.Container != "", Privileged: st.Context.Privileged,
	})
	return len(m.trace.Processes) - 1
}

// reached tells the conditions under which a state is reached.
func reached(st *shell.State) string {
	var b strings.Builder
	for i, c := range st.Reached {
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(c.String())
	}
	return b.String()
}

// describe completes the record of the program that runs now with where it
// lies and with what its grammar says of its words.
func (m *machine) describe(p program, match *catalog.Match) {
	if m.current < 0 || m.current >= len(m.trace.Processes) {
		return
	}
	rec := &m.trace.Processes[m.current]
	if p.path != "" {
		rec.Path = p.path
	}
	if match == nil {
		return
	}
	rec.Program = match.Program.Names[0]
	rec.Flags = match.Flags()
	rec.Argv, rec.Data = maskData(rec.Argv, match)
}

// maskData replaces the words of an argument vector that mean nothing to the
// machine, and returns them: patterns, and texts unless they are one plain word.
func maskData(argv []string, match *catalog.Match) (out, data []string) {
	out = argv
	next := 1 // words come mostly in the order of the grammar
	for i := range match.Args {
		b := &match.Args[i]
		if b.Default || b.Arg.Role != catalog.Data && b.Arg.Role != catalog.Pattern {
			continue
		}
		whole := b.Value.String()
		text := clip(whole, maxWord)
		if text == "" {
			continue
		}
		at, cut := findWord(argv, text, next)
		if at < 0 {
			continue
		}
		next = at + 1
		if b.Arg.Role == catalog.Data && plain(text) {
			continue
		}
		if &out[0] == &argv[0] {
			out = append([]string(nil), argv...)
		}
		out[at] = argv[at][:cut] + detect.Mask
		data = append(data, whole)
	}
	return out, data
}

// findWord returns the index of the word that is text, or an option with text
// attached from the byte cut on, looking from next on first.
func findWord(argv []string, text string, next int) (at, cut int) {
	for i := 1; i < len(argv); i++ {
		at := 1 + (next-1+i-1)%(len(argv)-1)
		w := argv[at]
		if w == text {
			return at, 0
		}
		if len(w) > len(text) && w[0] == '-' && strings.HasSuffix(w, text) {
			return at, len(w) - len(text)
		}
	}
	return -1, 0
}

// plain reports whether a text is one short word without any meaning to a shell.
func plain(text string) bool {
	if len(text) > 40 {
		return false
	}
	for i := range len(text) {
		c := text[i]
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && !strings.ContainsRune("_.:,=+%@-", rune(c)) {
			return false
		}
	}
	return true
}
