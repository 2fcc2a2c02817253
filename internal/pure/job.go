package pure

import (
	"path"
	"slices"
)

// A job is the state of one run.
type job struct {
	in      Input
	name    string // base name of the program
	out     []byte
	limit   int
	over    bool // output limit hit
	steps   int  // what is left of the step budget
	read    int  // bytes read so far
	stdin   bool // standard input has been consumed
	odd     bool // bytes above 127 are read in an unusual way
	files   []string
	decoded bool
	picked  bool
	status  int
	answer  Answer
	into    string
}

func newJob(in Input, name string) *job {
	limit := in.Limit
	if limit <= 0 {
		limit = defaultLimit
	}
	return &job{in: in, name: name, limit: min(limit, maxLimit), steps: maxSteps}
}

// interp reports whether the shell's own version of the program is meant.
func (j *job) interp() bool { return j.in.Interp }

// shell names the shell family.
func (j *job) shell() string {
	switch j.in.Shell {
	case "":
		return "bash"
	case "sh":
		return "dash" // the sh whose echo and printf are known
	}
	return j.in.Shell
}

func (j *job) env(name string) (string, bool) {
	if j.in.Env == nil {
		return "", false
	}
	return j.in.Env(name)
}

// unset reports whether none of the variables, which would change what the
// program prints, is set.
func (j *job) unset(names ...string) bool {
	return !slices.ContainsFunc(names, func(n string) bool {
		_, set := j.env(n)
		return set
	})
}

// write appends to standard output up to the limit.
func (j *job) write(b []byte) {
	if j.over || len(b) > j.limit-len(j.out) {
		j.over = true
		return
	}
	j.out = append(j.out, b...)
}

func (j *job) writeString(s string) {
	if j.over || len(s) > j.limit-len(j.out) {
		j.over = true
		return
	}
	j.out = append(j.out, s...)
}

func (j *job) writeByte(c byte) {
	if j.over || len(j.out) >= j.limit {
		j.over = true
		return
	}
	j.out = append(j.out, c)
}

// spend takes n steps from the budget and reports whether it lasted.
func (j *job) spend(n int) bool {
	if n < 0 || n > j.steps {
		j.steps = 0
		return false
	}
	j.steps -= n
	return true
}

// abs resolves a path operand against the directory of the run.
func (j *job) abs(p string) (string, bool) {
	if p == "" {
		return "", false
	}
	base := "/"
	if p[0] != '/' {
		if base = j.in.Dir; base == "" || base[0] != '/' {
			return "", false
		}
	}
	for _, part := range splitSlash(p) {
		if part != ".." {
			base = path.Join(base, part)
			continue
		}
		// "link/.." is the parent of what the link points at.
		if j.in.RealPath != nil {
			real, ok := j.in.RealPath(base)
			if !ok {
				return "", false
			}
			base = real
		}
		base = path.Dir(base)
	}
	return base, true
}

// readStdin returns standard input; a second read finds it empty.
func (j *job) readStdin() ([]byte, error) {
	if !j.in.HasStdin {
		return nil, errUnknown
	}
	if j.stdin {
		return nil, nil
	}
	j.stdin = true
	if j.odd && !isASCII(j.in.Stdin) {
		return nil, errUnknown
	}
	return j.in.Stdin, nil
}

// readOperand returns what a file operand names; "-" is standard input.
func (j *job) readOperand(name string) ([]byte, error) {
	switch name {
	case "-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0":
		return j.readStdin()
	case "/dev/null":
		return nil, nil
	}
	return j.readPath(name)
}

// readPath reads a file that cannot be standard input.
func (j *job) readPath(name string) ([]byte, error) {
	p, ok := j.abs(name)
	if !ok || j.in.ReadFile == nil || name[len(name)-1] == '/' {
		return nil, errUnknown
	}
	b, err := j.in.ReadFile(p)
	if err != nil {
		return nil, errUnknown
	}
	if len(b) > maxInput-j.read || j.odd && !isASCII(b) {
		return nil, errUnknown
	}
	j.read += len(b)
	if !slices.Contains(j.files, p) {
		j.files = append(j.files, p)
	}
	return b, nil
}

// readAll returns the operands' contents one after another, or standard
// input if there are none.
func (j *job) readAll(operands []string) ([]byte, error) {
	switch len(operands) {
	case 0:
		return j.readStdin()
	case 1:
		return j.readOperand(operands[0])
	}
	var all []byte
	for _, f := range operands {
		b, err := j.readOperand(f)
		if err != nil {
			return nil, err
		}
		if len(all)+len(b) > maxInput {
			return nil, errUnknown
		}
		all = append(all, b...)
	}
	return all, nil
}
