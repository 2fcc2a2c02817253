package pure

import (
	"bytes"
	"math"
	"slices"
	"strings"
)

// A span is an inclusive range of positions, counted from 1.
type span struct{ lo, hi int }

// parseSpans reads a LIST of cut: N, N-, N-M, -M, separated by commas or
// blanks. The result is sorted and overlaps are merged, as set-fields.c of
// coreutils does.
func parseSpans(list string) ([]span, bool) {
	var spans []span
	for _, part := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' }) {
		lo, hi, dash := strings.Cut(part, "-")
		s := span{1, math.MaxInt}
		ok := lo != "" || hi != ""
		if lo != "" {
			s.lo, ok = decimal(lo)
		}
		if ok && hi != "" {
			s.hi, ok = decimal(hi)
		}
		if !dash {
			s.hi = s.lo
		}
		if !ok || s.lo < 1 || s.hi < s.lo {
			return nil, false
		}
		spans = append(spans, s)
	}
	if len(spans) == 0 || strings.Contains(list, ",,") || strings.Trim(list, ", \t") != list {
		return nil, false
	}
	slices.SortStableFunc(spans, func(a, b span) int { return a.lo - b.lo })
	merged := spans[:1]
	for _, s := range spans[1:] {
		if last := &merged[len(merged)-1]; s.lo <= last.hi {
			last.hi = max(last.hi, s.hi)
		} else {
			merged = append(merged, s)
		}
	}
	return merged, true
}

// complementSpans is the positions that are in none of the spans.
func complementSpans(spans []span) []span {
	var out []span
	next := 1
	for _, s := range spans {
		if s.lo > next {
			out = append(out, span{next, s.lo - 1})
		}
		if s.hi == math.MaxInt {
			return out
		}
		next = s.hi + 1
	}
	return append(out, span{next, math.MaxInt})
}

// A cutter is one cut command.
type cutter struct {
	spans  []span
	fields bool
	delim  byte
	only   bool // -s
	out    []byte
	outSet bool
	sep    byte
}

// runCut is cut(1) of coreutils: -b -c -f -d -s -z --complement
// --output-delimiter.
func runCut(j *job, args []string) error {
	p, err := grammar{
		short: "b:c:d:f:nsz",
		long: []string{
			"b|bytes=", "c|characters=", "d|delimiter=", "f|fields=", "s|only-delimited",
			"complement", "output-delimiter=", "z|zero-terminated",
		},
	}.getopt(args)
	if err != nil {
		return err
	}
	c, mode, err := newCutter(p)
	if err != nil {
		return err
	}
	in, err := j.readAll(p.operands)
	if err != nil {
		return err
	}
	// Some distributions patch cut -c (and -n) to count characters.
	if (mode == "c" || p.has("n")) && !isASCII(in) {
		return errUnknown
	}
	lines, ended := splitLines(in, c.sep)
	if c.sep == 0 && !ended {
		return errUnknown // an empty last field is then lost
	}
	for _, line := range lines {
		if c.fields {
			c.cutFields(j, line)
		} else {
			c.cutBytes(j, line)
		}
		if j.over {
			return nil
		}
	}
	return nil
}

func newCutter(p parsed) (cutter, string, error) {
	c := cutter{delim: '\t', only: p.has("s"), sep: '\n'}
	mode, list := "", ""
	for _, o := range p.opts {
		switch o.key {
		case "b", "c", "f":
			if mode != "" {
				return c, "", errUnknown
			}
			mode, list = o.key, o.val
		}
	}
	c.fields = mode == "f"
	var ok bool
	if c.spans, ok = parseSpans(list); !ok || mode == "" {
		return c, "", errUnknown
	}
	if p.has("complement") {
		c.spans = complementSpans(c.spans)
	}
	if p.has("z") {
		c.sep = 0
	}
	if d, ok := p.last("d"); ok {
		if len(d) > 1 || !c.fields {
			return c, "", errUnknown
		}
		c.delim = 0 // cut -d '' cuts at NUL
		if d != "" {
			c.delim = d[0]
		}
	}
	if c.only && !c.fields || c.fields && c.delim == c.sep {
		return c, "", errUnknown
	}
	c.out = []byte{c.delim}
	if d, ok := p.last("output-delimiter"); ok {
		c.out, c.outSet = []byte(d), true
		if d == "" {
			c.out = []byte{0}
		}
	}
	return c, mode, nil
}

func (c cutter) cutBytes(j *job, line []byte) {
	for i, s := range c.spans {
		if s.lo > len(line) {
			break
		}
		if i > 0 && c.outSet {
			j.write(c.out)
		}
		j.write(line[s.lo-1 : min(s.hi, len(line))])
	}
	j.writeByte(c.sep)
}

func (c cutter) cutFields(j *job, line []byte) {
	if bytes.IndexByte(line, c.delim) < 0 {
		if !c.only {
			j.write(line)
			j.writeByte(c.sep)
		}
		return
	}
	at, first := 0, true
	for n := 1; ; n++ {
		field, rest, more := bytes.Cut(line, []byte{c.delim})
		for at < len(c.spans) && c.spans[at].hi < n {
			at++
		}
		if at < len(c.spans) && c.spans[at].lo <= n {
			if !first {
				j.write(c.out)
			}
			j.write(field)
			first = false
		}
		if !more {
			break
		}
		line = rest
	}
	j.writeByte(c.sep)
}
