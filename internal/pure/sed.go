package pure

import "strings"

// Bounds of a sed script.
const (
	maxScript   = 64 << 10
	maxCommands = 2000
)

// A sedRecord is one line of input.
type sedRecord struct {
	text     []byte
	ended    bool // a newline followed
	lastHere bool // last line of its file
}

// A sedRun executes one sed command line.
type sedRun struct {
	j       *job
	prog    []*sedCommand
	quiet   bool
	records []sedRecord
	at      int // records read so far
	line    int // current line number
	last    bool

	space, hold []byte
	ended       bool // the current record ended in a newline
	missing     bool // what was printed last lacks its newline
	appended    []string
	lastRE      *pattern
	replaced    bool // for t
	separate    bool
}

// runSed is sed(1) of GNU without commands that write, read or execute: the
// options -E -r -n -e -f -s -u -l, the commands = a b c d D g G h H i n N p P
// q Q s t T x y z { } and labels.
func runSed(j *job, args []string) error {
	p, err := grammar{
		short: "bnrEe:f:l:suz",
		long: []string{
			"binary", "n|quiet", "n|silent", "e|expression=", "f|file=", "E|regexp-extended",
			"s|separate", "u|unbuffered", "line-length=", "sandbox",
		},
	}.getopt(args)
	if err != nil || p.has("z", "b", "binary") {
		return errUnknown
	}
	script, operands, err := sedScript(j, p)
	if err != nil {
		return err
	}
	r := &sedRun{j: j, quiet: p.has("n"), separate: p.has("s"), ended: true}
	if strings.HasPrefix(script, "#n\n") || script == "#n" {
		r.quiet = true
	}
	parser := &sedParser{j: j, s: script, extended: p.has("E", "r")}
	if r.prog, err = parser.program(); err != nil {
		return err
	}
	if err := r.load(operands); err != nil {
		return err
	}
	return r.run()
}

// sedScript joins -e and -f, or takes the first operand.
func sedScript(j *job, p parsed) (script string, operands []string, err error) {
	var parts []string
	for _, o := range p.opts {
		switch o.key {
		case "e":
			parts = append(parts, o.val)
		case "f":
			b, err := j.readOperand(o.val)
			if err != nil {
				return "", nil, err
			}
			parts = append(parts, strings.TrimSuffix(string(b), "\n"))
		}
	}
	operands = p.operands
	if parts == nil {
		if len(operands) == 0 {
			return "", nil, errUnknown
		}
		parts, operands = operands[:1], operands[1:]
	}
	script = strings.Join(parts, "\n")
	if len(script) > maxScript || strings.HasPrefix(script, "#n") && len(parts) > 1 {
		return "", nil, errUnknown
	}
	return script, operands, nil
}

// load reads all input lines.
func (r *sedRun) load(operands []string) error {
	if len(operands) == 0 {
		operands = []string{"-"}
	}
	usesHold := false
	for _, c := range r.prog {
		usesHold = usesHold || c.usesHold()
	}
	for _, f := range operands {
		in, err := r.j.readOperand(f)
		if err != nil {
			return err
		}
		lines, ended := splitLines(in, '\n')
		if !ended && usesHold {
			return errUnknown // whether a newline is printed then varies
		}
		for i, l := range lines {
			last := i == len(lines)-1
			r.records = append(r.records, sedRecord{l, ended || !last, last})
		}
	}
	return nil
}

// next reads a line; false at the end of input.
func (r *sedRun) next() (sedRecord, bool) {
	if r.at >= len(r.records) {
		return sedRecord{}, false
	}
	rec := r.records[r.at]
	if r.separate && r.at > 0 && r.records[r.at-1].lastHere {
		r.line = 0
		for _, c := range r.prog {
			c.rewind()
		}
	}
	r.at++
	r.line++
	r.last = r.at == len(r.records) || r.separate && rec.lastHere
	r.ended = rec.ended
	r.replaced = false
	return rec, true
}

// emit prints text, first the newline that the last text lacked.
func (r *sedRun) emit(text []byte, newline bool) {
	if r.missing {
		r.j.writeByte('\n')
		r.missing = false
	}
	r.j.write(text)
	if newline {
		r.j.writeByte('\n')
	} else {
		r.missing = true
	}
}

// endCycle prints the pattern space and what a appended.
func (r *sedRun) endCycle() {
	if !r.quiet {
		r.emit(r.space, r.ended)
	}
	r.flush()
}

func (r *sedRun) flush() {
	for _, t := range r.appended {
		r.emit([]byte(t), true)
	}
	r.appended = r.appended[:0]
}

// run is the main loop: a cycle for each line.
func (r *sedRun) run() error {
	fresh := true // read a line at the start of the cycle
	for !r.j.over {
		if fresh {
			rec, ok := r.next()
			if !ok {
				return nil
			}
			r.space = append(r.space[:0], rec.text...)
		}
		out, err := r.cycle()
		if err != nil {
			return err
		}
		fresh = true
		switch out {
		case sedPrint:
			r.endCycle()
		case sedDelete:
			r.flush()
		case sedRestart:
			r.flush()
			fresh = false
		case sedQuit:
			r.endCycle()
			return nil
		case sedStop:
			return nil
		}
	}
	return nil
}
