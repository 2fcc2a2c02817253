package buildfile

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/lang/just"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// A Just evaluates a justfile as just 1.36 does (The Just Programmer's Manual,
// which is the source of every fact here). It is for one goroutine.
type Just struct {
	site    Site
	file    string // its path; "" is not known
	dir     string // where recipes run; "" is not known
	moved   bool   // dir was given on the command line
	src     string
	order   []*just.Recipe
	recipes map[string]*just.Recipe
	first   string // the recipe that runs if none is named
	aliases map[string]string
	exprs   map[string]*just.Assignment
	values  map[string]value.Value // variables that were evaluated, and overrides
	exports []string
	shell   []string
	script  []string
	all     bool // set export: every variable
	args    bool // set positional-arguments
	partial bool // more of it is in other files, or cannot be read
	unread  []int
	steps   int

	printers []value.Value
	met      map[string]bool // printers, by their text
	jobs     []Job
	done     map[string]bool // recipes that ran, with their arguments
	calls    int
}

// A Job is what one line of a recipe runs, or a recipe that is one script.
type Job struct {
	Command
	Recipe string
	Words  []string // the interpreter, as it is called; the text comes behind
	Script bool     // of several lines
	Dir    string   // "" is not known
	Setup  []Variable
	Args   []value.Value // $0, $1 … of the text, if it has any
}

// NewJust returns a Just for a justfile of a path; "" is not known.
func NewJust(site Site, file string) *Just {
	j := &Just{
		site: site, file: file, recipes: map[string]*just.Recipe{}, aliases: map[string]string{}, exprs: map[string]*just.Assignment{}, values: map[string]value.Value{},
		shell: []string{"sh", "-cu"}, script: []string{"sh", "-eu"}, met: map[string]bool{}, done: map[string]bool{},
	}
	j.dir = j.home()
	return j
}

// home is the directory of the file; "" is not known.
func (j *Just) home() string {
	if j.file == "" {
		return ""
	}
	return path.Dir(j.file)
}

// In says where recipes run, as --working-directory does.
func (j *Just) In(dir string) { j.dir, j.moved = dir, true }

// Set overrides a variable, as NAME=VALUE and --set do.
func (j *Just) Set(name string, v value.Value) { j.values[name] = v }

// Read takes in the text of the justfile.
func (j *Just) Read(text string) {
	j.src = text
	var settings []*just.Setting
	for _, n := range just.Parse(text).Items {
		switch n := n.(type) {
		case *just.Setting:
			settings = append(settings, n)
		case *just.Alias:
			j.aliases[n.Name] = n.Target
		case *just.Assignment:
			j.exprs[n.Name] = n
			if n.Export {
				j.exports = append(j.exports, n.Name)
			}
		case *just.Recipe:
			j.order = append(j.order, n)
			if !j.enabled(n) {
				continue
			}
			if j.first == "" {
				j.first = n.Name
			}
			j.recipes[n.Name] = n
			j.partial = j.partial || n.Broken
		case *just.Unexport:
		case *just.Unknown:
			j.unread = append(j.unread, n.At)
			j.partial = true
		default:
			j.partial = true
		}
	}
	for _, n := range settings { // they hold for all of the file
		j.setting(n)
	}
}

// systems are the attributes that a recipe is enabled by on some systems only
// (manual, "Enabling and Disabling Recipes").
func systems(os string) (mine []string) {
	switch os {
	case "linux":
		return []string{"linux", "unix"}
	case "darwin":
		return []string{"macos", "unix"}
	}
	return []string{"linux", "macos", "unix"}
}

// enabled reports whether a recipe is for this system.
func (j *Just) enabled(n *just.Recipe) bool {
	limited := false
	for _, a := range n.Attributes {
		switch a.Name {
		case "linux", "macos", "unix", "windows", "openbsd", "freebsd", "netbsd", "dragonfly", "android":
			limited = true
			if slices.Contains(systems(j.site.OS), a.Name) {
				return true
			}
		}
	}
	return !limited
}

func (j *Just) setting(n *just.Setting) {
	list := j.texts(n.List)
	switch n.Name {
	case "shell":
		j.shell = orElse(list, j.shell)
	case "script-interpreter":
		j.script = orElse(list, j.script)
	case "export":
		j.all = n.On
	case "positional-arguments":
		j.args = n.On
	case "working-directory":
		if n.Value != nil && !j.moved {
			j.dir = j.below(j.eval(n.Value, nil, 0))
		}
	}
}

func orElse(list, otherwise []string) []string {
	if len(list) == 0 {
		return otherwise
	}
	return list
}

// texts evaluates a list of texts; one that is not known is "?".
func (j *Just) texts(list []just.Expr) []string {
	var out []string
	for _, x := range list {
		text, known := j.eval(x, nil, 0).Known()
		if !known {
			text = "?"
		}
		out = append(out, text)
	}
	return out
}

// below is a directory counted from that of the file; "" is not known.
func (j *Just) below(v value.Value) string {
	dir, known := v.Known()
	switch {
	case known && path.IsAbs(dir):
		return path.Clean(dir)
	case known && j.file != "":
		return path.Join(j.home(), dir)
	}
	return ""
}

// Goals runs the recipes that words name, each with as many arguments as it
// takes, behind overrides of variables. It reports whether all of it was
// understood.
func (j *Just) Goals(given []value.Value) bool {
	if len(given) == 0 {
		return j.first != "" && j.run(j.first, nil, 0)
	}
	ok := true
	for len(given) > 0 {
		name, known := given[0].Known()
		r := j.lookup(name)
		if !known || r == nil {
			return false
		}
		n := min(len(given)-1, len(r.Params))
		if k := len(r.Params); k > 0 && r.Params[k-1].Variadic != 0 {
			n = len(given) - 1
		}
		ok = j.run(name, given[1:1+n], 0) && ok
		given = given[1+n:]
	}
	return ok
}

// Override takes the variables out of the words of a command line.
func (j *Just) Override(given []value.Value) []value.Value {
	for len(given) > 0 {
		name, _, ok := strings.Cut(given[0].Prefix(), "=")
		if !ok || name == "" || !just.IsName(name) {
			break
		}
		j.Set(name, given[0].Cut(len(name)+1))
		given = given[1:]
	}
	return given
}

func (j *Just) lookup(name string) *just.Recipe {
	if of, ok := j.aliases[name]; ok {
		name = of
	}
	return j.recipes[name]
}

// maxCalls is how deep recipes are followed into each other.
const maxCalls = 20

// run adds what a recipe does, its dependencies first.
func (j *Just) run(name string, args []value.Value, depth int) bool {
	r := j.lookup(name)
	if j.calls++; r == nil || r.Broken || depth > maxCalls || j.calls > maxCommands || len(j.jobs) > maxCommands {
		return false
	}
	key := name
	for _, a := range args {
		key += "\x00" + a.String()
	}
	if j.done[key] {
		return true
	}
	j.done[key] = true
	local, ok := j.bind(r, args)
	call := func(d just.Dependency) {
		given := make([]value.Value, len(d.Args))
		for i, x := range d.Args {
			given[i] = j.named(j.eval(x, local, 0), x)
		}
		ok = j.run(d.Name, given, depth+1) && ok
	}
	for _, d := range r.Deps {
		call(d)
	}
	for _, job := range j.body(r, local, args) {
		if len(j.jobs) > maxCommands {
			return false
		}
		j.jobs = append(j.jobs, job)
	}
	for _, d := range r.After {
		call(d)
	}
	return ok
}

// bind gives a recipe's parameters their values; ok is false if just would
// refuse the arguments.
func (j *Just) bind(r *just.Recipe, args []value.Value) (local map[string]value.Value, ok bool) {
	local = make(map[string]value.Value, len(r.Params))
	for i, p := range r.Params {
		switch {
		case p.Variadic != 0 && i < len(args):
			local[p.Name] = join(args[i:])
			args = args[:i]
		case i < len(args):
			local[p.Name] = args[i]
		case p.Default != nil:
			local[p.Name] = j.eval(p.Default, local, 0)
		case p.Variadic == '*':
			local[p.Name] = value.Value{}
		default: // just refuses
			return local, false
		}
	}
	return local, len(args) <= len(r.Params)
}

// Jobs are what the goals came to.
func (j *Just) Jobs() []Job { return j.jobs }

// Printers are the commands that were run for what they print.
func (j *Just) Printers() []value.Value { return j.printers }

// Partial reports whether more of the justfile is in other files, or cannot be
// read.
func (j *Just) Partial() bool { return j.partial }

// Unread are the places of lines that are none of just's.
func (j *Just) Unread() []int { return j.unread }

// Shell is the program that reads lines and backticks, as it is called.
func (j *Just) Shell() []string { return j.shell }

// Dir is where backticks are run: the directory of the justfile, unless that
// was said; "" is not known.
func (j *Just) Dir() string { return j.dir }

// Recipes returns what every recipe runs for arguments that are not known:
// those that have a default are taken to be that.
func (j *Just) Recipes() []Job {
	var out []Job
	for _, r := range j.order {
		local := map[string]value.Value{}
		for _, p := range r.Params {
			if p.Default != nil {
				local[p.Name] = j.eval(p.Default, local, 0)
				continue
			}
			local[p.Name] = value.Of(value.Hole{Cause: risk.CauseArg, Name: p.Name, Written: "{{" + p.Name + "}}"})
		}
		out = append(out, j.body(r, local, nil)...)
	}
	return out
}

// Exported are the variables that recipes find in their environment.
func (j *Just) Exported() []Variable {
	names := j.exports
	if j.all {
		names = sortedKeys(j.exprs)
	}
	out := make([]Variable, 0, len(names))
	for _, name := range names[:min(len(names), maxExports)] {
		out = append(out, Variable{name, j.variable(name, 0)})
	}
	return out
}

// Backticks returns the commands that assignments run for what they print,
// where they stand.
func (j *Just) Backticks() []Printer {
	var out []Printer
	for _, n := range just.Parse(j.src).Items {
		a, ok := n.(*just.Assignment)
		if !ok {
			continue
		}
		just.Walk(a.Value, func(x just.Expr) {
			b, ok := x.(*just.Backtick)
			if ok && strings.TrimSpace(b.Command) != "" {
				copied := strings.HasPrefix(j.src[b.TextAt:], b.Command)
				out = append(out, Printer{Command: Command{Pieces: []Piece{{Value: value.Lit(b.Command), At: b.TextAt, Copied: copied}}}, Name: a.Name})
			}
		})
	}
	return out
}
