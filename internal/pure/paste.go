package pure

// runPaste is paste(1) of coreutils: -d -s -z. "-" may stand several times
// and takes turns reading standard input.
func runPaste(j *job, args []string) error {
	p, err := grammar{
		short: "d:sz", long: []string{"d|delimiters=", "s|serial", "z|zero-terminated"},
	}.getopt(args)
	if err != nil {
		return err
	}
	sep := byte('\n')
	if p.has("z") {
		sep = 0
	}
	list, set := p.last("d")
	if !set {
		list = "\t"
	}
	delims, ok := pasteDelims(list)
	if !ok {
		return errUnknown
	}
	if len(p.operands) == 0 {
		p.operands = []string{"-"}
	}
	sources, err := pasteSources(j, p.operands, sep)
	if err != nil {
		return err
	}
	if p.has("s") {
		pasteSerial(j, sources, delims, sep)
		return nil
	}
	return pasteParallel(j, sources, delims, sep)
}

// pasteDelims reads the delimiter list; an empty string in the result puts
// nothing between.
func pasteDelims(s string) ([]string, bool) {
	if s == "" {
		return []string{""}, true
	}
	var out []string
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return nil, false // a character in newer versions, a byte in older
		}
		if s[i] != '\\' {
			out = append(out, s[i:i+1])
			continue
		}
		if i++; i == len(s) {
			return nil, false
		}
		switch simple := simpleEscape(s[i]); {
		case s[i] == '0':
			out = append(out, "")
		case simple != 0 && s[i] != 'a':
			out = append(out, string(rune(simple)))
		case isAlnum(s[i]):
			return nil, false
		default:
			out = append(out, s[i:i+1])
		}
	}
	return out, true
}

// A pasteSource hands out the lines of one file; operands "-" share one.
type pasteSource struct {
	lines [][]byte
	at    int
}

func (s *pasteSource) next() ([]byte, bool) {
	if s.at >= len(s.lines) {
		return nil, false
	}
	s.at++
	return s.lines[s.at-1], true
}

func pasteSources(j *job, operands []string, sep byte) ([]*pasteSource, error) {
	var stdin *pasteSource
	sources := make([]*pasteSource, 0, len(operands))
	for _, f := range operands {
		if f == "-" && stdin != nil {
			sources = append(sources, stdin)
			continue
		}
		in, err := j.readOperand(f)
		if err != nil {
			return nil, err
		}
		lines, _ := splitLines(in, sep)
		src := &pasteSource{lines: lines}
		if f == "-" {
			stdin = src
		}
		sources = append(sources, src)
	}
	return sources, nil
}

func pasteSerial(j *job, sources []*pasteSource, delims []string, sep byte) {
	for _, src := range sources {
		n := 0
		for line, ok := src.next(); ok && !j.over; line, ok = src.next() {
			if n > 0 {
				j.writeString(delims[(n-1)%len(delims)])
			}
			j.write(line)
			n++
		}
		j.writeByte(sep)
	}
}

func pasteParallel(j *job, sources []*pasteSource, delims []string, sep byte) error {
	for !j.over {
		if !j.spend(len(sources)) {
			return errUnknown
		}
		row := make([][]byte, len(sources))
		any := false
		for i, src := range sources {
			line, ok := src.next()
			row[i], any = line, any || ok
		}
		if !any {
			return nil
		}
		for i, cell := range row {
			if i > 0 {
				j.writeString(delims[(i-1)%len(delims)])
			}
			j.write(cell)
		}
		j.writeByte(sep)
	}
	return nil
}
