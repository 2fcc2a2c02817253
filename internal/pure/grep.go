package pure

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
)

// A grepper is one grep command.
type grepper struct {
	patterns []*pattern
	invert   bool
	only     bool // -o
	word     bool // -w
	line     bool // -x
	count    bool
	numbers  bool
	quiet    bool
	names    bool // print the file name before each line
	list     bool // -l
	listNot  bool // -L
	text     bool // -a
	max      int  // -m; < 0: none
	after    int
	before   int
	label    string
}

// runGrep is grep(1) of GNU on standard input and files: -a -A -B -c -C -e -E
// -f -F -G -h -H -i -l -L -m -n -o -q -s -v -w -x -y and --color=never|auto.
func runGrep(j *job, args []string) error {
	p, err := grammar{
		short: "aA:B:cC:e:Ef:FGhHilLm:noqsvwxy0123456789",
		long: []string{
			"a|text", "A|after-context=", "B|before-context=", "c|count", "C|context=", "e|regexp=",
			"E|extended-regexp", "f|file=", "F|fixed-strings", "F|fixed-regexp", "G|basic-regexp",
			"h|no-filename", "H|with-filename", "i|ignore-case", "no-ignore-case", "l|files-with-matches",
			"L|files-without-match", "m|max-count=", "n|line-number", "o|only-matching", "q|quiet",
			"q|silent", "s|no-messages", "v|invert-match", "w|word-regexp", "x|line-regexp",
			"color=?", "colour=?", "label=", "line-buffered", "binary", "U|binary",
		},
	}.getopt(args)
	if err != nil || p.has("0", "1", "2", "3", "4", "5", "6", "7", "8", "9") || !j.unset("GREP_OPTIONS") {
		return errUnknown
	}
	for _, o := range p.opts { // without a value it means auto; always adds escapes
		if (o.key == "color" || o.key == "colour") && o.has && o.val != "never" && o.val != "auto" {
			return errUnknown
		}
	}
	g, files, err := newGrepper(j, p)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		files = []string{"-"}
	}
	g.names = len(files) > 1
	j.picked = !g.invert
	for _, o := range p.opts {
		switch o.key {
		case "h":
			g.names = false
		case "H":
			g.names = true
		}
	}
	found := false
	for _, f := range files {
		in, err := j.readOperand(f)
		if err != nil {
			return err
		}
		hit, err := g.file(j, f, in)
		if err != nil {
			return err
		}
		found = found || hit
	}
	j.answer = Found
	if !found {
		j.status, j.answer = 1, NotFound
	}
	return nil
}

func newGrepper(j *job, p parsed) (*grepper, []string, error) {
	g := &grepper{
		invert: p.has("v"), only: p.has("o"), word: p.has("w"), line: p.has("x"), count: p.has("c"),
		numbers: p.has("n"), quiet: p.has("q"), list: p.has("l"), listNot: p.has("L"), text: p.has("a"),
		max: -1, label: "(standard input)",
	}
	if v, ok := p.last("label"); ok {
		g.label = v
	}
	for _, o := range p.opts {
		n, ok := decimal(o.val)
		switch o.key {
		case "A":
			g.after = n
		case "B":
			g.before = n
		case "C":
			g.before, g.after = n, n
		case "m":
			g.max = n
		default:
			ok = true
		}
		if !ok {
			return nil, nil, errUnknown
		}
	}
	if g.list && g.listNot || g.max == 0 || (g.before > 0 || g.after > 0) && (g.only || g.max > 0) {
		return nil, nil, errUnknown
	}
	text, operands, err := grepPatterns(j, p)
	if err != nil {
		return nil, nil, err
	}
	if len(operands) == 0 && !j.in.HasStdin { // before a pattern is compiled for nothing
		return nil, nil, errUnknown
	}
	return g, operands, g.compile(j, p, text)
}

// grepPatterns collects -e and -f, or takes the first operand.
func grepPatterns(j *job, p parsed) (patterns, operands []string, err error) {
	given := false
	for _, o := range p.opts {
		switch o.key {
		case "e":
			patterns, given = append(patterns, strings.Split(o.val, "\n")...), true
		case "f":
			b, err := j.readOperand(o.val)
			if err != nil {
				return nil, nil, err
			}
			lines, _ := splitLines(b, '\n')
			for _, l := range lines {
				patterns = append(patterns, string(l))
			}
			given = true
		}
	}
	operands = p.operands
	if !given {
		if len(operands) == 0 {
			return nil, nil, errUnknown
		}
		patterns, operands = strings.Split(operands[0], "\n"), operands[1:]
	}
	if len(patterns) > 100 {
		return nil, nil, errUnknown
	}
	return patterns, operands, nil
}

func (g *grepper) compile(j *job, p parsed, texts []string) error {
	d := reDialect{}
	fixed := j.name == "fgrep"
	d.extended = j.name == "egrep"
	for _, o := range p.opts {
		switch o.key {
		case "E":
			d.extended, fixed = true, false
		case "F":
			d.extended, fixed = false, true
		case "G":
			d.extended, fixed = false, false
		case "i", "y":
			d.fold = true
		case "no-ignore-case":
			d.fold = false
		}
	}
	for _, t := range texts {
		if fixed {
			t, d.extended = quoteERE(t), true
		}
		if g.line {
			if _, err := parseRE(t, d); err != nil {
				return err // wrapping must not make it valid
			}
			if d.extended {
				t = "^(" + t + ")$"
			} else {
				t = `^\(` + t + `\)$`
			}
		}
		re, err := j.compileRE(t, d)
		if err != nil {
			return err
		}
		g.patterns = append(g.patterns, re)
	}
	return nil
}

// quoteERE makes a fixed string a pattern.
func quoteERE(s string) string { return regexp.QuoteMeta(s) }

// file searches one input and reports whether a line was selected.
func (g *grepper) file(j *job, name string, in []byte) (bool, error) {
	// A NUL or a wrong character makes a file binary.
	if !g.text {
		if utf8Mode, ok := j.chars(in); !ok && !validText(in) || bytes.IndexByte(in, 0) >= 0 || utf8Mode && !ok {
			return false, errUnknown
		}
	}
	if name == "-" {
		name = g.label
	}
	lines, _ := splitLines(in, '\n')
	selected := 0
	printed := 0 // lines before this one are printed with the last selected one
	for i, line := range lines {
		if j.over || g.max >= 0 && selected == g.max {
			break
		}
		spans, hit, err := g.search(j, line)
		if err != nil {
			return false, err
		}
		if hit == g.invert {
			if i < printed {
				g.print(j, name, i, line, '-')
			}
			continue
		}
		selected++
		if g.quiet {
			return true, nil
		}
		if g.count || g.list || g.listNot {
			continue
		}
		if g.only {
			for _, s := range spans {
				if !g.invert && s[1] > s[0] {
					g.print(j, name, i, line[s[0]:s[1]], ':')
				}
			}
			continue
		}
		g.context(j, name, lines, i, printed)
		g.print(j, name, i, line, ':')
		printed = i + 1 + g.after
	}
	g.summary(j, name, selected)
	if g.listNot {
		return selected == 0, nil // status since grep 3.5
	}
	return selected > 0, nil
}

// context prints the lines before line i that -B asks for.
func (g *grepper) context(j *job, name string, lines [][]byte, i, printed int) {
	if g.before == 0 && g.after == 0 {
		return
	}
	from := max(i-g.before, min(printed, i))
	if printed > 0 && from > printed {
		j.writeString("--\n")
	}
	for k := from; k < i; k++ {
		g.print(j, name, k, lines[k], '-')
	}
}

func (g *grepper) summary(j *job, name string, selected int) {
	if g.quiet {
		return
	}
	switch {
	case g.list && selected > 0, g.listNot && selected == 0:
		j.writeString(name + "\n")
	case g.count && !g.list && !g.listNot:
		if g.names {
			j.writeString(name + ":")
		}
		j.writeString(strconv.Itoa(selected) + "\n")
	}
}

func (g *grepper) print(j *job, name string, i int, line []byte, sep byte) {
	if g.names {
		j.writeString(name)
		j.writeByte(sep)
	}
	if g.numbers {
		j.writeString(strconv.Itoa(i + 1))
		j.writeByte(sep)
	}
	j.write(line)
	j.writeByte('\n')
}
