package posix

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// qualified is what a pattern of zsh says of the files it finds (zshexpn(1),
// Glob Qualifiers).
type qualified struct {
	kinds   string   // of / . and @, or empty
	null    bool     // it may find none
	dots    bool     // names with a dot in front, too
	unknown bool     // something else
	code    []string // that is run for each file
	orders  []string // the same, of what they are sorted by
	before  []string // words that stand in front of each file
	modify  string   // what is done to the names, from its first colon on
	renames bool     // the code says which names stand there instead
}

// zshPattern takes the qualifiers off a pattern and writes its groups as the
// matcher reads them.
func zshPattern(st *shell.State, pat string) (string, qualified) {
	var only qualified
	for open, first := lastGroup(pat), true; open > 0; open, first = lastGroup(pat), false {
		inner := pat[open+1 : len(pat)-1]
		explicit := strings.HasPrefix(inner, "#q") // of these there may be several
		if strings.HasPrefix(inner, "#") && !explicit || !first && !explicit {
			break
		}
		if qualifiers := strings.TrimLeft(inner, "#q/.@DNnYoO"); !strings.HasPrefix(qualifiers, "e") && !strings.HasPrefix(qualifiers, "+") && hasSpecial(inner, "|") {
			break
		}
		only.read(strings.TrimPrefix(inner, "#q"))
		pat = pat[:open]
	}
	var b strings.Builder
	for i := 0; i < len(pat); i++ {
		switch pat[i] {
		case '\\':
			b.WriteByte(pat[i])
			if i++; i == len(pat) {
				return b.String(), only
			}
		case '<':
			only.unknown = true
		case '^', '#', '~':
			only.unknown = only.unknown || optionsOf(st).extendedGlob
		case '(':
			if strings.HasPrefix(pat[i:], "(#") { // flags, as of (#i): without extended patterns it finds nothing
				only.unknown = true
				break
			}
			if i == 0 || strings.IndexByte("?*+@!", pat[i-1]) < 0 {
				b.WriteByte('@')
			}
			if group, _, _ := strings.Cut(pat[i+1:], ")"); (i == 0 || pat[i-1] == '/') && (strings.HasPrefix(group, ".") || strings.Contains(group, "|.")) {
				only.dots = true // a dot in front that the pattern has itself
			}
		}
		b.WriteByte(pat[i])
	}
	return b.String(), only
}

// lastGroup returns where the parenthesis opens that the last byte of a pattern
// closes, or -1; what is quoted does not count.
func lastGroup(pat string) int {
	var open []int
	for i := 0; i < len(pat); i++ {
		switch pat[i] {
		case '\\':
			i++
		case '(':
			open = append(open, i)
		case ')':
			if len(open) == 0 {
				return -1
			}
			if i == len(pat)-1 {
				return open[len(open)-1]
			}
			open = open[:len(open)-1]
		}
	}
	return -1
}

// hasSpecial reports whether a pattern has one of some characters without a backslash
// in front.
func hasSpecial(s, chars string) bool {
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case strings.IndexByte(chars, s[i]) >= 0:
			return true
		}
	}
	return false
}

// read reads qualifiers from their first one to the end.
func (q *qualified) read(text string) {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '/', '.', '@':
			q.kinds += string(c)
		case 'N':
			q.null = true
		case 'D':
			q.dots = true
		case 'n', 'Y': // how they are sorted, and how many there may be
		case 'o', 'O':
			// What is behind it says by what: a letter, or code.
			if i++; i < len(text) && (text[i] == 'e' || text[i] == '+') {
				code, n := q.argument(text[i+1:], text[i] == '+')
				i += n
				q.orders = append(q.orders, code)
			}
		case 'e', '+':
			code, n := q.argument(text[i+1:], c == '+')
			i += n
			q.code = append(q.code, code)
			q.unknown = true
		case 'a', 'm', 'c', 'L', 'l', 'd': // times, sizes and counts, which have a sign
			q.unknown = true
			i += len(text[i+1:]) - len(strings.TrimLeft(text[i+1:], "MwhmskKgGtTp+-0123456789"))
		case 'P':
			word, n := q.argument(text[i+1:], false)
			i += n
			q.before = append(q.before, word)
		case ':':
			q.modify = text[i:]
			return
		default:
			q.unknown = true
		}
	}
}

// argument reads what stands behind a qualifier that runs code: a name, or a
// text between delimiters.
func (q *qualified) argument(s string, name bool) (text string, n int) {
	if name {
		for n < len(s) && (isName(s[n:n+1]) || s[n] >= '0' && s[n] <= '9' || s[n] == '-') {
			n++
		}
		return s[:n], n
	}
	_, n = flagArgument(s)
	if n < 2 {
		return unquoteGlob(s), len(s)
	}
	return unquoteGlob(s[1 : n-1]), n
}

// qualifierCode evaluates what qualifiers run, with the name of a file in REPLY: one
// of those that the pattern finds, or, where they are too many, any below root.
func (e *evaluator) qualifierCode(st *shell.State, q *qualified, root string, found []string, over bool) {
	hole := value.Hole{Cause: risk.CauseMatch, Name: "REPLY", Shape: value.AnyPath}
	if !over {
		hole.Shape, hole.Base, hole.Among = value.Below, root, found
	}
	reply := value.Of(hole)
	if !over && len(found) == 1 {
		reply = value.Lit(found[0])
	}
	for i, code := range slices.Concat(q.code, q.orders) {
		sub := e.aside(st, risk.Condition{}, ioctx{}, func(sub *shell.State) {
			sub.Vars.Set("REPLY", shell.Var{Value: reply})
			e.nested(sub, value.Lit(code), st.Shell, ioctx{}, st.Statement)
		})
		st.FS.Join(sub.FS)
		if after := sub.Vars.Get("REPLY"); i < len(q.code) && (after == nil || after.Value.String() != reply.String() || sub.Vars.Get("reply") != nil) {
			q.renames = true
		}
	}
}

// qualifiedWords are those that stand where a pattern found names: with what is done to them, and
// behind words that are put in front of each.
func (e *evaluator) qualifiedWords(st *shell.State, q *qualified, found []shell.Word) []shell.Word {
	if q.modify == "" && len(q.before) == 0 && !q.renames {
		return found
	}
	told := q.renames
	var out []shell.Word
	for _, w := range found {
		for _, b := range q.before {
			out = append(out, shell.Word{Value: value.Lit(b)})
		}
		if w.Value = modifiedName(q.modify, w.Value); q.renames {
			w.Value = value.Of(value.Hole{Cause: risk.CauseMatch, Name: w.Value.String(), Shape: value.AnyPath}).With(w.Value.Taint())
		}
		told = told || !w.Value.IsKnown() && q.modify != ""
		out = append(out, w)
	}
	if told {
		e.unmodelled(st, st.Statement, "the names that a pattern makes")
	}
	return out
}

// modifiedName applies the modifiers of a pattern to a name. Those that make a path whole
// or quote it leave it the same file.
func modifiedName(modifiers string, v value.Value) value.Value {
	x := scalar(v)
	for m := range strings.SplitSeq(strings.TrimPrefix(modifiers, ":"), ":") {
		switch {
		case modifiers == "":
		case m == "a", m == "A", m == "P", m == "q", m == "Q", m == "x":
		case v.IsKnown():
			x = modify(m, x)
		default:
			return value.Of(value.Hole{Cause: risk.CauseMatch, Name: v.String(), Shape: value.AnyPath}).With(v.Taint())
		}
	}
	return x.value()
}

// plain reports whether a pattern finds no name with a dot in front: each dot in it stands
// behind what surely is a character of the name, or is left out of what is found.
func plain(pat string) bool {
	for i := range len(pat) {
		if pat[i] == '.' && (i == 0 || strings.IndexByte("/(|#)^", pat[i-1]) >= 0 && (pat[i-1] != '^' || i > 1)) {
			return false
		}
	}
	return true
}

// takes reports whether the qualifiers let an entry pass.
func (q qualified) takes(kind world.Kind) bool {
	letter := map[world.Kind]string{world.Dir: "/", world.Regular: ".", world.Symlink: "@"}[kind]
	return q.kinds == "" || letter != "" && strings.Contains(q.kinds, letter)
}
