package posix_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/shell/posix"
)

// A writer makes programs. Each command substitution in one is of a program of
// its own name.
type writer struct {
	*rand.Rand
	dialect string
	n       int
	names   []string
}

// subst is a substitution of a new program.
func (w *writer) subst() string {
	w.n++
	name := fmt.Sprintf("p%d", w.n)
	w.names = append(w.names, name)
	if w.IntN(4) == 0 {
		return "`" + name + "`"
	}
	return "$(" + name + ")"
}

// word is a word around one substitution.
func (w *writer) word(depth int) string {
	if depth <= 0 {
		return w.subst()
	}
	in := w.word(depth - 1)
	forms := []string{
		"%s", "a%sb", `"%s"`, `"x %s"`, "${u:-%s}", "${u-%s}", `"${u:-%s}"`, "${v:+%s}", "${v#%s}", "${v%%%%%s}", "${FRESH=%s}", "$((%s))", "$((1 + %s))",
	}
	if w.dialect != "sh" {
		forms = append(forms, "${v/%s/x}", "${v//a/%s}", "${v: %s}", "${v:0:%s}", "${u[%s]}", "${v[%s]}", "$((u[%s]))", "$((v[0] + u[%s]))", "$((1 ? %s : 0))", "<(cat %s)", "${#u[%s]}", "${u[%s]:-x}")
	}
	if w.dialect == "bash" {
		forms = append(forms, "${v^^%s}", "${!u[%s]}", "${@:%s}", "{a,%s}", "${v@Q}%s", "$[%s]", "$'x'%s", "${u[u[%s]]}")
	}
	if w.dialect == "zsh" {
		forms = append(forms, "${(U)u:-%s}", "$u[%s]", "$u[(r)%s]", "${${:-%s}:t}", "=(cat %s)", "${u[(i)%s]}", "${v[1,%s]}", "${(j:,:)v[%s]}")
	}
	form := strings.Replace(forms[w.IntN(len(forms))], "FRESH", fmt.Sprintf("w%d", w.n), 1)
	return fmt.Sprintf(form, in)
}

// command is a command with substitutions in it that a shell surely runs.
func (w *writer) command(depth int) string {
	x := func() string { return w.word(w.IntN(3)) }
	forms := []func() string{
		func() string { return "c " + x() + " " + x() },
		func() string { return "y=" + x() },
		func() string { return "y=" + x() + " c " + x() },
		func() string { return "c > " + x() },
		func() string { return "c 2>> " + x() + " < " + x() },
		func() string { return "c <<E\n" + w.subst() + "\nE\n" },
		func() string { return "case " + x() + " in " + x() + ") ;; esac" },
		func() string { return "for i in " + x() + " " + x() + "; do :; done" },
		func() string { return "export y=" + x() },
		func() string { return "eval " + "'c " + w.subst() + "'" },
		func() string { return "(trap 'c " + w.subst() + "' EXIT)" },
		func() string { return "f() { c " + x() + "; }; f" },
	}
	if depth > 0 {
		in := func() string { return w.command(depth - 1) }
		forms = append(forms,
			func() string { return "( " + in() + "\n)" },
			func() string { return "{ " + in() + "\n}" },
			func() string { return "if c " + x() + "; then " + in() + "\nelse " + in() + "\nfi" },
			func() string { return "while c; do " + in() + "\ndone" },
			func() string { return "c | { " + in() + "\n}" },
			func() string { return in() + "\n" + in() },
			func() string { return "c && { " + in() + "\n}" },
			func() string { return "! { " + in() + "\n}" },
		)
	}
	if w.dialect != "sh" {
		forms = append(forms,
			func() string { return "[[ " + x() + " == " + x() + " ]]" },
			func() string { return "[[ -n " + x() + " ]]" },
			func() string { return "[[ " + x() + " -gt 1 ]]" },
			func() string { return "(( " + w.subst() + " ))" },
			func() string { return "a[" + w.subst() + "]=" + x() },
			func() string { return "a=(" + x() + " " + x() + ")" },
			func() string { return "c <<< " + x() },
			func() string { return "typeset y=" + x() },
			func() string { return "let 'y = u[" + w.subst() + "]'" },
		)
	}
	if w.dialect == "bash" {
		forms = append(forms,
			func() string { return "for ((i = " + w.subst() + "; i < " + w.subst() + "; )); do break; done" },
			func() string { return "declare -a 'b[" + w.subst() + "]=1'" },
			func() string { return "printf -v 'b[" + w.subst() + "]' x" },
			func() string { return "read 'b[" + w.subst() + "]' <<< x" },
			func() string { return "[[ -v u[" + w.subst() + "] ]]" },
			func() string { return "a=([" + w.subst() + "]=" + x() + ")" },
			func() string { return "shopt -s extglob\nc @(a|" + w.subst() + ")" },
			func() string { return "[[ a =~ " + x() + " ]]" },
			func() string { return "select i in " + x() + "; do :; done" },
			func() string { return "coproc c " + x() },
		)
	}
	return forms[w.IntN(len(forms))]()
}

// TestVisits: each command substitution of a program that is generated stands
// in the trace, or it is told that something is not known.
func TestVisits(t *testing.T) {
	t.Parallel()
	const programs = 3000
	for _, dialect := range []string{"bash", "sh", "mksh", "zsh"} {
		unread := 0
		for seed := range uint64(programs) {
			w := &writer{Rand: rand.New(rand.NewPCG(seed, 10)), dialect: dialect}
			text := "v=abc\n" + w.command(2)
			r := &recorder{}
			if err := posix.Eval(r, session(t, dialect), text, nil, nil); err != nil {
				unread++
				continue
			}
			if r.steps > budget || slices.ContainsFunc(r.log, unknown) {
				continue
			}
			for _, name := range w.names {
				if !slices.ContainsFunc(r.log, func(l string) bool { return strings.HasPrefix(l, "run "+name+" ") || l == "run "+name }) {
					t.Errorf("%s: %d: %s is not evaluated in\n%s\n%q", dialect, seed, name, text, r.log)
				}
			}
		}
		if unread > programs/3 {
			t.Errorf("%s: %d of %d programs cannot be read", dialect, unread, programs)
		}
	}
}

// unknown reports whether a line of a log says that something is not known.
func unknown(line string) bool {
	return strings.HasPrefix(line, "unknown parse") || strings.HasPrefix(line, "unknown code") || strings.HasPrefix(line, "unknown budget") || strings.HasPrefix(line, "code ")
}
