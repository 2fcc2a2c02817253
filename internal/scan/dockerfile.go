package scan

import (
	"maps"
	"path"
	"strconv"
	"strings"

	syntax "github.com/heedsh/heed/internal/lang/dockerfile"
)

// A dockerText is a Dockerfile while its instructions are gone through.
type dockerText struct {
	found *Found
	stage dockerStage
	work  int // bytes of values that may still be written
}

// A dockerStage is what the instructions of a stage have set so far.
type dockerStage struct {
	name   string
	shell  []string // words before the command
	env    map[string]string
	shared bool // env is that of a command: it is not changed any more
	dir    string
	any    bool                // the directory is not known
	entry  *syntax.Instruction // ENTRYPOINT, and CMD: the last of each counts
	cmd    *syntax.Instruction
}

const (
	// maxDockerWork bounds the bytes of values that a file's variables get.
	maxDockerWork = 16 << 20
	// maxDockerValue bounds one of them.
	maxDockerValue = 1 << 16
	// maxDockerEnv is how many variables of a stage are kept; the others are not
	// known.
	maxDockerEnv = 1000
)

func (f *Found) dockerfile(text string) {
	d := &dockerText{found: f, work: maxDockerWork}
	d.begin("stage 0")
	file := syntax.Parse(text)
	for _, in := range file.Instructions {
		d.apply(in)
	}
	d.command()
	if file.Err != nil {
		f.problem(file.Err.Pos, "", "it cannot be read as a Dockerfile: "+file.Err.Reason)
	}
}

// begin starts a stage.
func (d *dockerText) begin(name string) {
	d.command()
	d.stage = dockerStage{name: name, shell: []string{"/bin/sh", "-c"}, env: map[string]string{"HOME": "/root"}, dir: "/"}
}

// apply takes an instruction into account.
func (d *dockerText) apply(in *syntax.Instruction) {
	switch in.Name {
	case "FROM":
		name := in.From.Name
		if name == "" {
			name = "stage " + strconv.Itoa(in.Stage)
		}
		d.begin(name)
	case "SHELL":
		if in.IsList && len(in.List) > 0 {
			d.stage.shell = in.List
		} else {
			d.found.problem(in.Pos, d.stage.name, "the SHELL is no list of words")
		}
	case "ENV", "ARG":
		d.variables(in)
	case "WORKDIR":
		d.workdir(in)
	case "RUN":
		d.run(in, "RUN")
	case "HEALTHCHECK":
		if in.Inner != nil {
			d.run(in.Inner, "HEALTHCHECK")
		}
	case "CMD":
		d.stage.cmd = in
	case "ENTRYPOINT":
		d.stage.entry = in
	case "ONBUILD": // runs in another build
		if in.Inner != nil && in.Inner.Name == "RUN" {
			d.run(in.Inner, "ONBUILD RUN")
		}
	}
}

// variables reads ENV and ARG. A value that is not known is left out. All values
// of an instruction are those before it.
func (d *dockerText) variables(in *syntax.Instruction) {
	values := make([]string, len(in.Pairs))
	known := make([]bool, len(in.Pairs))
	for i := range in.Pairs {
		p := &in.Pairs[i]
		if p.Set && !p.Bad {
			values[i], known[i] = d.value(p.Value)
		}
	}
	env := d.own()
	for i := range in.Pairs {
		name := in.Pairs[i].Name
		if name == "" || strings.ContainsAny(name, "$\"'") {
			continue
		}
		delete(env, name)
		if known[i] && len(env) < maxDockerEnv {
			env[name] = values[i]
		}
	}
}

// own is the stage's variables, to be changed.
func (d *dockerText) own() map[string]string {
	if d.stage.shared {
		d.stage.env, d.stage.shared = maps.Clone(d.stage.env), false
	}
	return d.stage.env
}

// value replaces the variables of a word by what is known of them.
func (d *dockerText) value(w syntax.Word) (string, bool) {
	if len(w) == 1 && !w[0].Variable {
		return w[0].Text, len(w[0].Text) <= maxDockerValue
	}
	var b strings.Builder
	for i := range w {
		text, known := w[i].Text, true
		if w[i].Variable {
			text, known = d.variable(&w[i])
		}
		d.work -= len(text)
		if !known || b.Len()+len(text) > maxDockerValue || d.work < 0 {
			return "", false
		}
		b.WriteString(text)
	}
	return b.String(), true
}

// variable is what a variable becomes: its value, or the default that the file
// gives where the file does not set it.
func (d *dockerText) variable(p *syntax.Part) (string, bool) {
	value, set := d.stage.env[p.Text]
	switch p.Op {
	case "":
		return value, set
	case "-", ":-":
		if !set || p.Op == ":-" && value == "" {
			return d.value(p.Arg)
		}
		return value, true
	case "+", ":+":
		if set && (p.Op == "+" || value != "") {
			return d.value(p.Arg)
		}
		return "", set
	case "?", ":?":
		return value, set
	}
	return "", false
}

func (d *dockerText) workdir(in *syntax.Instruction) {
	dir, known := d.value(in.Value)
	switch {
	case !known || in.BadValue:
		d.stage.any = true
	case path.IsAbs(dir):
		d.stage.dir, d.stage.any = path.Clean(dir), false
	default:
		d.stage.dir = path.Join(d.stage.dir, dir)
	}
}
