package pure

import (
	"strings"

	"github.com/heedsh/heed/internal/lang/awk"
)

// An awkRun executes one awk command line.
type awkRun struct {
	j *job

	begin, end []*awk.Node
	rules      []*awkRule
	notes      []awkNote // of the nodes, by their IDs
	cells      map[string]*awkCell

	nr, fnr, fs, ofs, ors, rs, subsep, rstart, rlength, environ *awkCell

	record     string
	recordType awkValue   // the value of $0
	fields     []awkValue // $1 …
	split      bool       // fields are those of the record
	stale      bool       // the record is to be rebuilt from the fields

	cache map[string]*pattern
}

// runAwk is awk(1) for programs on which gawk, mawk, the one true awk and
// busybox agree: -F -v -f, patterns, ranges, BEGIN and END, control flow,
// arrays, and length substr index split sub gsub match sprintf tolower toupper
// int. Redirections, pipes, getline, system, random numbers and user functions
// are unknown.
func runAwk(j *job, args []string) error {
	p, err := grammar{short: "+F:f:v:"}.getopt(args)
	if err != nil {
		return err
	}
	var sources []string
	for _, o := range p.opts {
		if o.key == "f" {
			b, err := j.readPath(o.val)
			if err != nil {
				return err
			}
			sources = append(sources, string(b))
		}
	}
	operands := p.operands
	if sources == nil {
		if len(operands) == 0 {
			return errUnknown
		}
		sources, operands = operands[:1], operands[1:]
	}
	r := &awkRun{j: j, cache: map[string]*pattern{}}
	if err := r.check(awk.Parse(strings.Join(sources, "\n"))); err != nil {
		return err
	}
	if err := r.setUp(p); err != nil {
		return err
	}
	for _, f := range operands {
		if strings.Contains(f, "=") {
			return errUnknown // may be an assignment
		}
	}
	return r.run(operands)
}

// setUp gives the special variables their values and applies -F and -v.
func (r *awkRun) setUp(p parsed) error {
	cell := func(name string, v awkValue) *awkCell {
		c := r.cells[name]
		if c == nil {
			c = &awkCell{name: name}
			r.cells[name] = c
		}
		c.value = v
		return c
	}
	r.nr, r.fnr = cell("NR", awkNumberOf(0)), cell("FNR", awkNumberOf(0))
	r.fs, r.ofs = cell("FS", awkTextOf(" ")), cell("OFS", awkTextOf(" "))
	r.rs, r.ors = cell("RS", awkTextOf("\n")), cell("ORS", awkTextOf("\n"))
	r.subsep = cell("SUBSEP", awkTextOf("\x1c"))
	r.rstart, r.rlength = cell("RSTART", awkNumberOf(0)), cell("RLENGTH", awkNumberOf(-1))
	r.environ = cell("ENVIRON", awkValue{})
	for _, o := range p.opts {
		switch o.key {
		case "F":
			fs, err := awkSeparator(o.val)
			if err != nil {
				return err
			}
			r.fs.value = awkTextOf(fs)
		case "v":
			name, text, ok := strings.Cut(o.val, "=")
			if !ok || !awk.IsName(name) || awk.Keyword(name) || awk.Builtin(name) || awkExtension(name) || name == "NF" || name == "ENVIRON" {
				return errUnknown
			}
			value, err := awkOption(text)
			if err != nil {
				return err
			}
			cell(name, awkInput(value))
		}
	}
	return nil
}

// awkSeparator reads the value of -F.
func awkSeparator(s string) (string, error) {
	switch {
	case s == "t" || s == "":
		return "", errUnknown // a tab to some; an error to some
	case len(s) == 2 && s[0] == '\\' && strings.IndexByte("|.*+?()[]{}^$/", s[1]) >= 0:
		return s[1:], nil // the character itself, one way or another
	}
	return awkOption(s)
}

// awkOption expands escapes in a command-line value.
func awkOption(s string) (string, error) {
	text, alike := awk.Unquote(s)
	if !alike {
		return "", errUnknown
	}
	return text, nil
}

// An awkFlow says how a statement ended.
type awkFlow uint8

const (
	awkGoOn awkFlow = iota
	awkBroke
	awkContinued
	awkNexted
	awkExited
)

// run is BEGIN, the records, END.
func (r *awkRun) run(operands []string) error {
	if err := r.setRecord(awkValue{typ: awkAbsent}); err != nil {
		return err
	}
	flow, err := r.runAll(r.begin)
	if err != nil {
		return err
	}
	if flow != awkExited && len(r.rules)+len(r.end) > 0 {
		if err := r.records(operands); err != nil {
			return err
		}
	}
	_, err = r.runAll(r.end)
	return err
}

func (r *awkRun) runAll(blocks []*awk.Node) (awkFlow, error) {
	for _, b := range blocks {
		flow, err := r.exec(b)
		if err != nil || flow == awkExited {
			return flow, err
		}
	}
	return awkGoOn, nil
}

// records reads the input and applies the rules to each record, until one
// exits.
func (r *awkRun) records(operands []string) error {
	if len(operands) == 0 {
		operands = []string{"-"}
	}
	for _, f := range operands {
		in, err := r.j.readOperand(f)
		if err != nil {
			return err
		}
		r.fnr.value = awkNumberOf(0)
		for len(in) > 0 {
			rec, rest, err := r.nextRecord(in)
			if err != nil {
				return err
			}
			in = rest
			flow, err := r.record1(rec)
			if err != nil || flow == awkExited {
				return err
			}
			if r.j.over {
				return errUnknown
			}
		}
	}
	return nil
}

// nextRecord cuts off a record; RS is one character.
func (r *awkRun) nextRecord(in []byte) (rec string, rest []byte, err error) {
	rs, err := r.rs.value.text()
	if err != nil || len(rs) != 1 || isAlnum(rs[0]) {
		return "", nil, errUnknown
	}
	for i, c := range in {
		if c == rs[0] {
			return string(in[:i]), in[i+1:], nil
		}
		if c == 0 {
			return "", nil, errUnknown
		}
	}
	return string(in), nil, nil
}

// record1 applies the rules to one record.
func (r *awkRun) record1(rec string) (awkFlow, error) {
	for _, c := range []*awkCell{r.nr, r.fnr} {
		n, err := c.value.number()
		if err != nil {
			return 0, err
		}
		c.value = awkNumberOf(n + 1)
	}
	if err := r.setRecord(awkInput(rec)); err != nil {
		return 0, err
	}
	for _, rule := range r.rules {
		if !r.j.spend(16) {
			return 0, errUnknown
		}
		yes, err := r.selects(rule)
		if err != nil {
			return 0, err
		}
		if !yes {
			continue
		}
		if rule.body == nil {
			if err := r.print(nil); err != nil {
				return 0, err
			}
			continue
		}
		flow, err := r.exec(rule.body)
		if err != nil || flow == awkExited {
			return flow, err
		}
		if flow == awkNexted {
			break
		}
	}
	return awkGoOn, nil
}

// selects evaluates a rule's pattern.
func (r *awkRun) selects(rule *awkRule) (bool, error) {
	if rule.from == nil {
		return true, nil
	}
	if !rule.inRange {
		yes, err := r.condition(rule.from)
		if err != nil || !yes || rule.to == nil {
			return yes, err
		}
	}
	ends, err := r.condition(rule.to)
	rule.inRange = !ends
	return true, err
}
