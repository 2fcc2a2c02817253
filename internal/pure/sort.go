package pure

import (
	"bytes"
	"slices"
	"strings"
)

// An ordering is how sort compares two keys.
type ordering struct {
	numeric, human, version, month bool
	fold, dict, printable, reverse bool
	skipStart, skipEnd             bool
}

// set switches one ordering letter on; false if it is not handled.
func (o *ordering) set(c byte) bool {
	switch c {
	case 'b':
		o.skipStart, o.skipEnd = true, true
	case 'd':
		o.dict = true
	case 'f':
		o.fold = true
	case 'h':
		o.human = true
	case 'i':
		o.printable = true
	case 'M':
		o.month = true
	case 'n':
		o.numeric = true
	case 'r':
		o.reverse = true
	case 'V':
		o.version = true
	default:
		return false
	}
	return true
}

// compatible reports whether sort accepts the combination.
func (o ordering) compatible() bool {
	n := 0
	for _, b := range []bool{o.numeric, o.human, o.month, o.version || o.dict || o.printable} {
		if b {
			n++
		}
	}
	return n <= 1
}

// A sortKey is one -k: positions as in coreutils' begfield and limfield.
type sortKey struct {
	startField, startChar int
	endField, endChar     int // endField < 0: to the end of the line
	order                 ordering
}

// A sorter is one sort command.
type sorter struct {
	keys    []sortKey
	tab     int // -1: blanks separate fields
	reverse bool
	unique  bool
	stable  bool
	sep     byte
}

// WritesInto reports whether the program called name can be asked to write a file in
// place of what it prints (Input.Into).
func WritesInto(name string) bool { return name == "sort" || name == "gsort" }

// runSort is sort(1) of coreutils in the C collation order: -b -c -C -d -f -h
// -i -k -M -n -r -s -t -u -V -z, and -o where that is asked for. Files are not merged (-m).
func runSort(j *job, args []string) error {
	g := grammar{
		short: "bcCdfhik:Mnrst:uVz",
		long: []string{
			"b|ignore-leading-blanks", "d|dictionary-order", "f|ignore-case", "h|human-numeric-sort",
			"i|ignore-nonprinting", "k|key=", "M|month-sort", "n|numeric-sort", "r|reverse",
			"s|stable", "t|field-separator=", "u|unique", "V|version-sort", "z|zero-terminated",
		},
	}
	if j.in.Into {
		g.short, g.long = g.short+"o:", append(g.long, "o|output=")
	}
	p, err := g.getopt(args)
	if err != nil || !j.unset("_POSIX2_VERSION") {
		return errUnknown
	}
	for _, f := range p.operands {
		if strings.HasPrefix(f, "+") {
			return errUnknown // obsolete key syntax in some versions
		}
	}
	s, err := newSorter(p)
	if err != nil {
		return err
	}
	if err := j.writesInto(p); err != nil {
		return err
	}
	lines, err := s.read(j, p.operands)
	if err != nil {
		return err
	}
	if p.has("c", "C") {
		return s.check(j, lines, p)
	}
	items := make([]sortItem, len(lines))
	for i, l := range lines {
		items[i] = s.item(l)
	}
	slices.SortStableFunc(items, s.compare)
	for i, it := range items {
		if s.unique && i > 0 && s.compare(items[i-1], it) == 0 {
			items[i] = items[i-1] // keep the first of equals
			continue
		}
		j.write(it.line)
		j.writeByte(s.sep)
	}
	return nil
}

// writesInto notes the file that -o names: once, and not where it only checks.
func (j *job) writesInto(p parsed) error {
	name, given := p.last("o")
	if !given {
		return nil
	}
	into, ok := j.abs(name)
	if !ok || name == "" || p.has("c", "C") || slices.ContainsFunc(p.opts, func(o opt) bool { return o.key == "o" && o.val != name }) {
		return errUnknown
	}
	j.into = into
	return nil
}

// read returns the lines of all operands; a file's last line ends with it.
func (s sorter) read(j *job, operands []string) ([][]byte, error) {
	if len(operands) == 0 {
		operands = []string{"-"}
	}
	known := j.locale("LC_COLLATE") != charsetUnknown && j.ctype() != charsetUnknown
	var lines [][]byte
	total := 0
	for _, f := range operands {
		in, err := j.readOperand(f)
		if err != nil {
			return nil, err
		}
		if total += len(in) + 1; total > j.limit+len(operands) || !known && (j.in.Into || !collatesAlike(in)) {
			return nil, errUnknown
		}
		ls, _ := splitLines(in, s.sep)
		lines = append(lines, ls...)
	}
	return lines, nil
}

// collatesAlike reports whether b sorts the same in every locale: only digits
// and letters of one case.
func collatesAlike(b []byte) bool {
	lower, upper := false, false
	for _, c := range b {
		lower, upper = lower || isLower(c), upper || isUpper(c)
		if !isAlnum(c) && c != '\n' {
			return false
		}
	}
	return !lower || !upper
}

// check is sort -c and -C.
func (s sorter) check(j *job, lines [][]byte, p parsed) error {
	if len(p.operands) > 1 {
		return errUnknown
	}
	for i := 1; i < len(lines); i++ {
		c := s.compare(s.item(lines[i-1]), s.item(lines[i]))
		if c > 0 || c == 0 && s.unique {
			j.status = 1
			return nil
		}
	}
	return nil
}

func newSorter(p parsed) (sorter, error) {
	s := sorter{tab: -1, sep: '\n', stable: p.has("s"), unique: p.has("u")}
	var global ordering
	for _, o := range p.opts {
		switch o.key {
		case "t":
			if o.val == `\0` {
				o.val = "\x00"
			}
			if len(o.val) != 1 || s.tab >= 0 && s.tab != int(o.val[0]) {
				return s, errUnknown
			}
			s.tab = int(o.val[0])
		case "k":
			k, ok := parseSortKey(o.val)
			if !ok {
				return s, errUnknown
			}
			s.keys = append(s.keys, k)
		case "z":
			s.sep = 0
		case "b", "d", "f", "h", "i", "M", "n", "r", "V":
			global.set(o.key[0])
		}
	}
	s.reverse = global.reverse
	if len(s.keys) == 0 && global != (ordering{reverse: global.reverse}) {
		s.keys = []sortKey{{endField: -1}}
	}
	for i := range s.keys {
		if s.keys[i].order == (ordering{}) {
			s.keys[i].order = global
		}
		if !s.keys[i].order.compatible() {
			return s, errUnknown
		}
	}
	return s, nil
}

// parseSortKey reads F[.C][OPTS][,F[.C][OPTS]].
func parseSortKey(v string) (sortKey, bool) {
	k := sortKey{endField: -1}
	start, end, hasEnd := strings.Cut(v, ",")
	field, char, letters, ok := sortPosition(start)
	if !ok || field < 1 || char == 0 {
		return k, false
	}
	k.startField, k.startChar = field-1, max(char-1, 0)
	for i := range len(letters) {
		if letters[i] == 'b' {
			k.order.skipStart = true
		} else if !k.order.set(letters[i]) {
			return k, false
		}
	}
	if !hasEnd {
		return k, true
	}
	field, char, letters, ok = sortPosition(end)
	if !ok || field < 1 {
		return k, false
	}
	k.endField, k.endChar = field-1, max(char, 0)
	for i := range len(letters) {
		if letters[i] == 'b' {
			k.order.skipEnd = true
		} else if !k.order.set(letters[i]) {
			return k, false
		}
	}
	return k, true
}

// sortPosition reads F[.C][OPTS]; char is -1 if it is not given.
func sortPosition(s string) (field, char int, letters string, ok bool) {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	field, ok = decimal(s[:n])
	s, char = s[n:], -1
	if ok && strings.HasPrefix(s, ".") {
		n = 1
		for n < len(s) && isDigit(s[n]) {
			n++
		}
		char, ok = decimal(s[1:n])
		s = s[n:]
	}
	return field, char, s, ok
}

// A sortItem is a line with its keys cut out.
type sortItem struct {
	line []byte
	keys [][]byte
}

func (s sorter) item(line []byte) sortItem {
	it := sortItem{line: line}
	for _, k := range s.keys {
		from := s.begin(k, line)
		to := max(s.end(k, line), from)
		it.keys = append(it.keys, k.order.prepare(line[from:to]))
	}
	return it
}

func isSortBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' }

// begin is coreutils' begfield.
func (s sorter) begin(k sortKey, line []byte) int {
	at := 0
	for n := k.startField; n > 0 && at < len(line); n-- {
		at = s.skipField(line, at)
		if s.tab >= 0 && at < len(line) {
			at++
		}
	}
	if k.order.skipStart {
		at = skipBlanks(line, at)
	}
	return min(len(line), at+k.startChar)
}

// end is coreutils' limfield.
func (s sorter) end(k sortKey, line []byte) int {
	if k.endField < 0 {
		return len(line)
	}
	n, at := k.endField, 0
	if k.endChar == 0 {
		n++
	}
	for ; n > 0 && at < len(line); n-- {
		at = s.skipField(line, at)
		if s.tab >= 0 && at < len(line) && (n > 1 || k.endChar > 0) {
			at++
		}
	}
	if k.endChar > 0 {
		if k.order.skipEnd {
			at = skipBlanks(line, at)
		}
		at = min(len(line), at+k.endChar)
	}
	return at
}

func (s sorter) skipField(line []byte, at int) int {
	if s.tab >= 0 {
		if i := bytes.IndexByte(line[at:], byte(s.tab)); i >= 0 {
			return at + i
		}
		return len(line)
	}
	at = skipBlanks(line, at)
	for at < len(line) && !isSortBlank(line[at]) {
		at++
	}
	return at
}

func skipBlanks(line []byte, at int) int {
	for at < len(line) && isSortBlank(line[at]) {
		at++
	}
	return at
}
