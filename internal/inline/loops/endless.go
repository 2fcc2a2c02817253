package loops

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/inline/syntax"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/risk"
)

// Loops that nothing ends and that make more of something at every turn.

// loopWords are the words that a program with a loop without end has one of.
var loopWords = []string{"while", "for", "loop", "until", "setImmediate", "nextTick", "setTimeout"}

// UnboundedIn looks for loops that nothing ends, in which nothing waits, and says
// what they make more and more of. It reads the tokens of a program and no more
// of its meaning: a loop is without end if its condition is a constant and no
// word in its body leaves it.
func UnboundedIn(lang, text string) catalog.Unbounded {
	if len(text) > syntax.MaxText || !slices.ContainsFunc(loopWords, func(w string) bool { return strings.Contains(text, w) }) {
		return catalog.Unbounded{}
	}
	toks, _ := syntax.Lex(lang, text)
	l := loops{lang: lang, toks: toks}
	for i := range toks {
		if i > maxLoopTokens {
			break
		}
		if toks[i].Kind == syntax.TokIdent {
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
	toks  []syntax.Token
	found catalog.Unbounded
	seen  int // tokens of bodies that were looked at
}

func (l *loops) tok(i int) syntax.Token {
	if i >= 0 && i < len(l.toks) {
		return l.toks[i]
	}
	return syntax.Token{}
}

func (l *loops) op(i int, s string) bool { return l.tok(i).Kind == syntax.TokOp && l.tok(i).Text == s }

// head looks at the word i: does a loop without end begin with it?
func (l *loops) head(i int) {
	switch l.toks[i].Text {
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
		if l.op(i+1, "{") || l.tok(i+1).Text == "do" {
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
		if end = l.toks[i].Match + 1; end == i+3 {
			return end, truth(l.toks[i+1], want)
		}
		return end, end == i+4 && l.op(i+1, "!") && truth(l.toks[i+2], !want)
	}
	if l.op(i, "!") || l.tok(i).Text == "not" {
		return i + 2, truth(l.tok(i+1), !want) && l.lone(i+2)
	}
	return i + 1, truth(l.tok(i), want) && l.lone(i+1)
}

// lone reports whether an expression without brackets ends before i.
func (l *loops) lone(i int) bool {
	t := l.tok(i)
	return t.Kind == syntax.TokEOF || t.Kind == syntax.TokNL || t.Nl || t.Kind == syntax.TokOp && strings.Contains(":;{}", t.Text) || t.Text == "do" || t.Text == "then"
}

// truth reports whether a token is a constant that counts as want.
func truth(t syntax.Token, want bool) bool {
	switch {
	case t.Kind == syntax.TokNum:
		return (strings.Trim(t.Text, "0.") != "") == want
	case t.Kind == syntax.TokStr && len(t.Parts) == 1 && !t.Parts[0].Code:
		return (t.Parts[0].Lit != "") == want
	case t.Kind == syntax.TokIdent:
		return t.Text == "true" && want || t.Text == "True" && want || t.Text == "TRUE" && want || t.Text == "false" && !want || t.Text == "False" && !want
	}
	return false
}

// counter is `for x in itertools.count():`.
func (l *loops) counter(i int) {
	for j := i + 1; j < min(i+8, len(l.toks)); j++ {
		if l.toks[j].Text != "in" {
			continue
		}
		for k := j + 1; k < min(j+5, len(l.toks)); k++ {
			if s := l.toks[k].Text; l.toks[k].Kind == syntax.TokIdent && (s == "count" || s == "cycle" || s == "repeat") && l.op(k+1, "(") {
				if end := l.toks[k+1].Match + 1; l.op(end, ":") {
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
		l.body(i, l.toks[i].Match)
	case l.lang != "lua" && l.op(at-1, "}") && !l.toks[at].Nl && l.opening(at-1) >= 0: // do { } while (1)
		l.body(l.opening(at-1), at)
	case l.lang == "python":
		l.suite(i)
	case (l.lang == "perl" || l.lang == "ruby") && l.modifier(at):
		from := at
		for from > 0 && !l.op(from-1, ";") && !l.op(from-1, "{") && !l.toks[from].Nl {
			from--
		}
		l.body(from, at)
	case l.tok(i).Text == "do" || l.lang == "ruby" || l.lang == "lua":
		l.body(i, len(l.toks))
	default:
		end := i
		for end < len(l.toks) && !l.op(end, ";") && !l.op(end, "}") && l.toks[end].Kind != syntax.TokEOF {
			if l.toks[end].Match > end {
				end = l.toks[end].Match
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
		if l.toks[j].Match == i {
			return j
		}
	}
	return -1
}

// modifier reports whether the word at i stands behind a statement.
func (l *loops) modifier(i int) bool {
	return i > 0 && !l.toks[i].Nl && !l.op(i-1, ";") && !l.op(i-1, "{") && !l.op(i-1, "}") && l.toks[i-1].Kind != syntax.TokNL
}

// suite is the body of a Python loop behind the colon at i.
func (l *loops) suite(i int) {
	end, depth := i+1, 0
	indented := l.tok(i+1).Kind == syntax.TokNL
	for ; end < len(l.toks); end++ {
		switch l.toks[end].Kind {
		case syntax.TokIndent:
			depth++
		case syntax.TokDedent:
			depth--
		case syntax.TokNL:
			if !indented {
				l.body(i, end)
				return
			}
		}
		if depth < 0 || indented && depth == 0 && l.toks[end].Kind == syntax.TokDedent {
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
		if t.Kind == syntax.TokIdent && slices.Contains(leaving, t.Text) {
			return
		}
		if detail == risk.NoKind {
			detail = l.more(i)
		}
		prints = prints || t.Kind == syntax.TokIdent && (slices.Contains(printers, t.Text) || t.Text == "write" && l.standard(from, i))
	}
	if l.found.Kind == risk.NoKind {
		l.found.Kind = detail
	}
	l.found.Prints = l.found.Prints || prints
}

// standard reports whether a call of write at i goes to standard output.
func (l *loops) standard(from, i int) bool {
	for j := i - 1; j > from && j > i-6; j-- {
		if s := l.toks[j].Text; s == "stdout" || s == "stderr" || s == "STDOUT" {
			return true
		}
	}
	return false
}

// more says what there is more of after the token i, or "".
func (l *loops) more(i int) risk.Kind {
	t := l.toks[i]
	switch {
	case t.Kind == syntax.TokIdent && slices.Contains(pushers, t.Text) && (l.op(i+1, "(") || l.tok(i+1).Kind == syntax.TokVar),
		t.Kind == syntax.TokOp && t.Text == "<<" && l.lang == "ruby" && l.named(i-1),
		t.Kind == syntax.TokOp && t.Text == "[" && l.indexed(i),
		t.Kind == syntax.TokOp && l.longer(i):
		return risk.KindMemoryWithoutEnd
	case t.Kind == syntax.TokIdent && slices.Contains(starters, t.Text), t.Kind == syntax.TokIdent && t.Text == "exec" && l.lang == "node":
		return risk.KindProcessesWithoutEnd
	case t.Kind == syntax.TokIdent && (t.Text == "appendFileSync" || t.Text == "appendFile") && l.op(i+1, "("),
		t.Kind == syntax.TokIdent && t.Text == "write" && l.op(i-1, ".") && l.op(i+1, "(") && !l.standard(0, i):
		return risk.KindOutputWithoutEnd
	case t.Kind == syntax.TokIdent && slices.Contains(makers, t.Text) && l.op(i+1, "(") && l.varied(i+2):
		return risk.KindFilesWithoutEnd
	}
	return risk.NoKind
}

func (l *loops) named(i int) bool {
	return l.tok(i).Kind == syntax.TokIdent || l.tok(i).Kind == syntax.TokVar || l.op(i, "]")
}

// varied reports whether the argument at i is no fixed text.
func (l *loops) varied(i int) bool {
	t := l.tok(i)
	if t.Kind != syntax.TokStr {
		return t.Kind != syntax.TokOp || t.Text != ")"
	}
	return slices.ContainsFunc(t.Parts, func(p syntax.Part) bool { return p.Code }) || !l.op(i+1, ",") && !l.op(i+1, ")")
}

// indexed reports whether the bracket at i holds an index that grows, of an
// element that is set: a[i++] =, $a[] =.
func (l *loops) indexed(i int) bool {
	end := l.toks[i].Match
	if end <= i || !l.op(end+1, "=") || !l.named(i-1) {
		return false
	}
	if end == i+1 {
		return true
	}
	for j := i + 1; j < end && j < i+8; j++ {
		if l.toks[j].Kind == syntax.TokOp && l.toks[j].Text == "++" {
			return true
		}
	}
	return false
}

// longer reports whether the operator at i makes a text or list longer: x += x,
// x += "…", x .= …, x = x + x.
func (l *loops) longer(i int) bool {
	name, next := l.tok(i-1), l.tok(i+1)
	if name.Kind != syntax.TokIdent && name.Kind != syntax.TokVar {
		return false
	}
	same := next.Kind == name.Kind && next.Text == name.Text
	switch l.toks[i].Text {
	case ".=", "..=":
		return true
	case "+=":
		return same || next.Kind == syntax.TokStr || l.op(i+1, "[") || next.Text == "bytearray" || next.Text == "bytes"
	case "=":
		if !same {
			return false
		}
		with := l.tok(i + 3)
		again := with.Kind == name.Kind && with.Text == name.Text
		if l.op(i+2, "+") || l.op(i+2, ".") || l.op(i+2, "..") {
			return again || with.Kind == syntax.TokStr || l.op(i+3, "[")
		}
	}
	return false
}

// again is a function of JavaScript that has itself called again as soon as it
// is done: function f() { …; setImmediate(f) }.
func (l *loops) again(i int) {
	name := l.tok(i + 2)
	if !l.op(i+1, "(") || name.Kind != syntax.TokIdent {
		return
	}
	if l.toks[i].Text == "setTimeout" && !l.op(i+3, ")") && (!l.op(i+3, ",") || l.tok(i+4).Text != "0") {
		return
	}
	for j := 0; j < i && l.seen < 4*maxLoopTokens; j++ {
		l.seen++
		if l.toks[j].Kind != syntax.TokIdent || l.toks[j].Text != name.Text {
			continue
		}
		open := -1
		switch {
		case l.tok(j-1).Text == "function" && l.op(j+1, "("):
			open = l.toks[j+1].Match + 1
		case l.op(j+1, "="): // f = () => { }
			for k := j + 2; k < min(j+12, len(l.toks)); k++ {
				if l.op(k, "{") {
					open = k
					break
				}
			}
		}
		if l.op(open, "{") && open < i && l.toks[open].Match > i {
			l.body(open, l.toks[open].Match)
			return
		}
	}
}
