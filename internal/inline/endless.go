package inline

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/risk"
)

// Loops that nothing ends and that make more of something at every turn.

// loopWords are the words that a program with a loop without end has one of.
var loopWords = []string{"while", "for", "loop", "until", "setImmediate", "nextTick", "setTimeout"}

// Loops looks for loops that nothing ends, in which nothing waits, and says
// what they make more and more of. It reads the tokens of a program and no more
// of its meaning: a loop is without end if its condition is a constant and no
// word in its body leaves it.
func Loops(lang, text string) catalog.Unbounded {
	if len(text) > maxText || !slices.ContainsFunc(loopWords, func(w string) bool { return strings.Contains(text, w) }) {
		return catalog.Unbounded{}
	}
	toks, _ := lex(lang, text)
	l := loops{lang: lang, toks: toks}
	for i := range toks {
		if i > maxLoopTokens {
			break
		}
		if toks[i].k == tIdent {
			l.head(i)
		}
	}
	return l.found
}

// maxLoopTokens is how far a program is searched for loops.
const maxLoopTokens = 1 << 14

// loops searches the tokens of one program.
type loops struct {
	lang  string
	toks  []token
	found catalog.Unbounded
	seen  int // tokens of bodies that were looked at
}

func (l *loops) tok(i int) token {
	if i >= 0 && i < len(l.toks) {
		return l.toks[i]
	}
	return token{}
}

func (l *loops) op(i int, s string) bool { return l.tok(i).k == tOp && l.tok(i).s == s }

// head looks at the word i: does a loop without end begin with it?
func (l *loops) head(i int) {
	switch l.toks[i].s {
	case "while":
		if end, ok := l.constant(i+1, true); ok {
			l.loop(i, end)
		}
	case "until":
		if end, ok := l.constant(i+1, false); ok {
			l.loop(i, end)
		}
	case "for":
		if l.op(i+1, "(") && l.op(i+2, ";") && l.op(i+3, ";") && l.op(i+4, ")") {
			l.loop(i, i+5)
		} else if l.lang == "python" {
			l.counter(i)
		}
	case "loop":
		if l.op(i+1, "{") || l.tok(i+1).s == "do" {
			l.loop(i, i+1)
		}
	case "setImmediate", "nextTick", "setTimeout":
		l.again(i)
	}
}

// constant reports whether the condition at i is always what it is wanted to
// be, and returns the index behind it.
func (l *loops) constant(i int, want bool) (end int, ok bool) {
	if l.op(i, "(") {
		if end = l.toks[i].match + 1; end == i+3 {
			return end, truth(l.toks[i+1], want)
		}
		return end, end == i+4 && l.op(i+1, "!") && truth(l.toks[i+2], !want)
	}
	if l.op(i, "!") || l.tok(i).s == "not" {
		return i + 2, truth(l.tok(i+1), !want) && l.lone(i+2)
	}
	return i + 1, truth(l.tok(i), want) && l.lone(i+1)
}

// lone reports whether an expression without brackets ends before i.
func (l *loops) lone(i int) bool {
	t := l.tok(i)
	return t.k == tEOF || t.k == tNL || t.nl || t.k == tOp && strings.Contains(":;{}", t.s) || t.s == "do" || t.s == "then"
}

// truth reports whether a token is a constant that counts as want.
func truth(t token, want bool) bool {
	switch {
	case t.k == tNum:
		return (strings.Trim(t.s, "0.") != "") == want
	case t.k == tStr && len(t.parts) == 1 && !t.parts[0].code:
		return (t.parts[0].lit != "") == want
	case t.k == tIdent:
		return t.s == "true" && want || t.s == "True" && want || t.s == "TRUE" && want || t.s == "false" && !want || t.s == "False" && !want
	}
	return false
}

// counter is `for x in itertools.count():`.
func (l *loops) counter(i int) {
	for j := i + 1; j < min(i+8, len(l.toks)); j++ {
		if l.toks[j].s != "in" {
			continue
		}
		for k := j + 1; k < min(j+5, len(l.toks)); k++ {
			if s := l.toks[k].s; l.toks[k].k == tIdent && (s == "count" || s == "cycle" || s == "repeat") && l.op(k+1, "(") {
				if end := l.toks[k+1].match + 1; l.op(end, ":") {
					l.loop(i, end)
				}
			}
		}
		return
	}
}

// loop looks at the body of a loop whose head is the word at and ends before
// the token i.
func (l *loops) loop(at, i int) {
	switch {
	case l.op(i, "{"):
		l.body(i, l.toks[i].match)
	case l.lang != "lua" && l.op(at-1, "}") && !l.toks[at].nl && l.opening(at-1) >= 0: // do { } while (1)
		l.body(l.opening(at-1), at)
	case l.lang == "python":
		l.suite(i)
	case (l.lang == "perl" || l.lang == "ruby") && l.modifier(at):
		from := at
		for from > 0 && !l.op(from-1, ";") && !l.op(from-1, "{") && !l.toks[from].nl {
			from--
		}
		l.body(from, at)
	case l.tok(i).s == "do" || l.lang == "ruby" || l.lang == "lua":
		l.body(i, len(l.toks))
	default:
		end := i
		for end < len(l.toks) && !l.op(end, ";") && !l.op(end, "}") && l.toks[end].k != tEOF {
			if l.toks[end].match > end {
				end = l.toks[end].match
			}
			end++
		}
		l.body(i, end)
	}
}

// opening returns the index of the bracket that the one at i closes, or -1.
func (l *loops) opening(i int) int {
	for j := i - 1; j >= 0 && l.seen < 4*maxLoopTokens; j-- {
		l.seen++
		if l.toks[j].match == i {
			return j
		}
	}
	return -1
}

// modifier reports whether the word at i stands behind a statement.
func (l *loops) modifier(i int) bool {
	return i > 0 && !l.toks[i].nl && !l.op(i-1, ";") && !l.op(i-1, "{") && !l.op(i-1, "}") && l.toks[i-1].k != tNL
}

// suite is the body of a Python loop behind the colon at i.
func (l *loops) suite(i int) {
	end, depth := i+1, 0
	indented := l.tok(i+1).k == tNL
	for ; end < len(l.toks); end++ {
		switch l.toks[end].k {
		case tIndent:
			depth++
		case tDedent:
			depth--
		case tNL:
			if !indented {
				l.body(i, end)
				return
			}
		}
		if depth < 0 || indented && depth == 0 && l.toks[end].k == tDedent {
			break
		}
	}
	l.body(i, end)
}

// leaving are the words that end a loop or wait for something.
var leaving = []string{
	"break", "return", "exit", "_exit", "abort", "raise", "throw", "last", "die", "sleep", "usleep", "nanosleep", "wait", "waitpid", "await", "yield", "input",
	"readline", "readlines", "read", "recv", "recvfrom", "accept", "getline", "gets", "poll", "select", "communicate", "join", "check_call", "check_output", "run", "call",
	"execSync", "spawnSync", "execFileSync", "getch", "prompt", "listen", "serve", "get", "fetch", "urlopen", "request", "pause", "step", "acquire", "STDIN", "stdin", "next",
}

// pushers are the words that add to a list.
var pushers = []string{"append", "push", "extend", "concat", "unshift", "array_push", "appendleft", "insert"}

// starters are the words that start a process or thread and do not wait for it.
var starters = []string{"Popen", "spawn", "fork", "execFile", "popen", "posix_spawn", "spawnvp", "spawnl", "Process", "Thread", "Worker", "start_new_thread", "proc_open", "startfile"}

// makers are the words that make a file or directory of a name.
var makers = []string{"writeFileSync", "writeFile", "mkdir", "mkdirSync", "makedirs", "mknod", "symlink", "copyfile", "copyFileSync", "touch", "open", "file_put_contents"}

// printers are the words that print.
var printers = []string{"print", "printf", "puts", "echo", "say", "log", "putchar", "cat"}

// body looks at what is done between two tokens over and over.
func (l *loops) body(from, to int) {
	to = min(to, len(l.toks))
	if l.seen += to - from; l.seen > 4*maxLoopTokens || from >= to {
		return
	}
	detail, prints := risk.NoKind, false
	for i := from; i < to; i++ {
		t := l.toks[i]
		if t.k == tIdent && slices.Contains(leaving, t.s) {
			return
		}
		if detail == risk.NoKind {
			detail = l.more(i)
		}
		prints = prints || t.k == tIdent && (slices.Contains(printers, t.s) || t.s == "write" && l.standard(from, i))
	}
	if l.found.Kind == risk.NoKind {
		l.found.Kind = detail
	}
	l.found.Prints = l.found.Prints || prints
}

// standard reports whether a call of write at i goes to standard output.
func (l *loops) standard(from, i int) bool {
	for j := i - 1; j > from && j > i-6; j-- {
		if s := l.toks[j].s; s == "stdout" || s == "stderr" || s == "STDOUT" {
			return true
		}
	}
	return false
}

// more says what there is more of after the token i, or "".
func (l *loops) more(i int) risk.Kind {
	t := l.toks[i]
	switch {
	case t.k == tIdent && slices.Contains(pushers, t.s) && (l.op(i+1, "(") || l.tok(i+1).k == tVar),
		t.k == tOp && t.s == "<<" && l.lang == "ruby" && l.named(i-1),
		t.k == tOp && t.s == "[" && l.indexed(i),
		t.k == tOp && l.longer(i):
		return risk.KindMemoryWithoutEnd
	case t.k == tIdent && slices.Contains(starters, t.s), t.k == tIdent && t.s == "exec" && l.lang == "node":
		return risk.KindProcessesWithoutEnd
	case t.k == tIdent && (t.s == "appendFileSync" || t.s == "appendFile") && l.op(i+1, "("),
		t.k == tIdent && t.s == "write" && l.op(i-1, ".") && l.op(i+1, "(") && !l.standard(0, i):
		return risk.KindOutputWithoutEnd
	case t.k == tIdent && slices.Contains(makers, t.s) && l.op(i+1, "(") && l.varied(i+2):
		return risk.KindFilesWithoutEnd
	}
	return risk.NoKind
}

func (l *loops) named(i int) bool {
	return l.tok(i).k == tIdent || l.tok(i).k == tVar || l.op(i, "]")
}

// varied reports whether the argument at i is no fixed text.
func (l *loops) varied(i int) bool {
	t := l.tok(i)
	if t.k != tStr {
		return t.k != tOp || t.s != ")"
	}
	return slices.ContainsFunc(t.parts, func(p part) bool { return p.code }) || !l.op(i+1, ",") && !l.op(i+1, ")")
}

// indexed reports whether the bracket at i holds an index that grows, of an
// element that is set: a[i++] =, $a[] =.
func (l *loops) indexed(i int) bool {
	end := l.toks[i].match
	if end <= i || !l.op(end+1, "=") || !l.named(i-1) {
		return false
	}
	if end == i+1 {
		return true
	}
	for j := i + 1; j < end && j < i+8; j++ {
		if l.toks[j].k == tOp && l.toks[j].s == "++" {
			return true
		}
	}
	return false
}

// longer reports whether the operator at i makes a text or list longer: x += x,
// x += "…", x .= …, x = x + x.
func (l *loops) longer(i int) bool {
	name, next := l.tok(i-1), l.tok(i+1)
	if name.k != tIdent && name.k != tVar {
		return false
	}
	same := next.k == name.k && next.s == name.s
	switch l.toks[i].s {
	case ".=", "..=":
		return true
	case "+=":
		return same || next.k == tStr || l.op(i+1, "[") || next.s == "bytearray" || next.s == "bytes"
	case "=":
		if !same {
			return false
		}
		with := l.tok(i + 3)
		again := with.k == name.k && with.s == name.s
		if l.op(i+2, "+") || l.op(i+2, ".") || l.op(i+2, "..") {
			return again || with.k == tStr || l.op(i+3, "[")
		}
	}
	return false
}

// again is a function of JavaScript that has itself called again as soon as it
// is done: function f() { …; setImmediate(f) }.
func (l *loops) again(i int) {
	name := l.tok(i + 2)
	if !l.op(i+1, "(") || name.k != tIdent {
		return
	}
	if l.toks[i].s == "setTimeout" && !l.op(i+3, ")") && (!l.op(i+3, ",") || l.tok(i+4).s != "0") {
		return
	}
	for j := 0; j < i && l.seen < 4*maxLoopTokens; j++ {
		l.seen++
		if l.toks[j].k != tIdent || l.toks[j].s != name.s {
			continue
		}
		open := -1
		switch {
		case l.tok(j-1).s == "function" && l.op(j+1, "("):
			open = l.toks[j+1].match + 1
		case l.op(j+1, "="): // f = () => { }
			for k := j + 2; k < min(j+12, len(l.toks)); k++ {
				if l.op(k, "{") {
					open = k
					break
				}
			}
		}
		if l.op(open, "{") && open < i && l.toks[open].match > i {
			l.body(open, l.toks[open].match)
			return
		}
	}
}
