package buildfile

import (
	"path"
	"strings"

	"github.com/heedsh/heed/internal/lang/just"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// variable evaluates a variable of the file once.
func (j *Just) variable(name string, depth int) value.Value {
	if v, ok := j.values[name]; ok {
		return v
	}
	a, ok := j.exprs[name]
	if !ok || depth > maxDepth {
		j.partial = true
		return value.Unknown(risk.CauseUnknown, name)
	}
	j.values[name] = value.Unknown(risk.CauseUnknown, name) // should it need itself
	v := j.named(j.eval(a.Value, nil, depth+1), a.Value)
	if v.Len() > maxText {
		v = tooBig("{{" + name + "}}")
	}
	j.values[name] = v
	return v
}

// named gives what is not known of a value the writing of the expression that
// it comes from.
func (j *Just) named(v value.Value, x just.Expr) value.Value {
	at, end := x.Span()
	return named(v, "{{"+j.src[at:min(end, len(j.src))]+"}}")
}

// eval evaluates an expression (manual, "Expressions and Substitutions").
func (j *Just) eval(x just.Expr, local map[string]value.Value, depth int) value.Value {
	if j.steps++; depth > maxDepth || j.steps > maxSteps {
		j.partial = true
		return value.Unknown(risk.CauseOther, tooMuch)
	}
	sub := func(x just.Expr) value.Value { return j.eval(x, local, depth+1) }
	switch x := x.(type) {
	case *just.String:
		if x.Expand && strings.ContainsAny(x.Value, "$~") || x.Format && strings.Contains(x.Value, "{{") {
			break
		}
		return value.Lit(x.Value)
	case *just.Name:
		if v, ok := local[x.Name]; ok {
			return v
		}
		return j.variable(x.Name, depth)
	case *just.Backtick:
		return j.printed(value.Lit(x.Command), x)
	case *just.Call:
		return j.call(x, sub)
	case *just.Chain:
		return j.chain(x, sub)
	case *just.Choice:
		return j.choice(x, sub)
	case *just.Assert:
		return value.Value{}
	case *just.Logic:
		return j.logic(x, sub)
	}
	return value.Unknown(risk.CauseUnknown, "expression")
}

// printed is what a command prints.
func (j *Just) printed(command value.Value, x just.Expr) value.Value {
	switch key := command.String(); {
	case j.met[key]:
	case len(j.printers) < maxCommands:
		j.met[key] = true
		j.printers = append(j.printers, command)
	default:
		j.partial = true
	}
	at, end := x.Span()
	return printed(command, "{{"+j.src[at:min(end, len(j.src))]+"}}")
}

// chain joins values: a + b, a / b.
func (j *Just) chain(x *just.Chain, sub func(just.Expr) value.Value) value.Value {
	var b value.Builder
	if x.Root {
		b.WriteString("/")
	}
	for i, p := range x.Parts {
		if i > 0 && x.Ops[i-1] == '/' {
			b.WriteString("/")
		}
		b.Add(j.named(sub(p), p))
	}
	if v := b.Value(); v.Len() <= maxText {
		return v
	}
	return value.Unknown(risk.CauseOther, tooMuch)
}

// choice evaluates a conditional; a pattern is not matched.
func (j *Just) choice(x *just.Choice, sub func(just.Expr) value.Value) value.Value {
	if x.Op == "==" || x.Op == "!=" {
		if equal, known := same(sub(x.A), sub(x.B)); known {
			if equal == (x.Op == "==") {
				return sub(x.Then)
			}
			return sub(x.Else)
		}
	}
	return branch(sub(x.Then), sub(x.Else))
}

// logic evaluates a && b and a || b, of which && binds closer.
func (j *Just) logic(x *just.Logic, sub func(just.Expr) value.Value) value.Value {
	var out value.Value
	for i := 0; i < len(x.Parts); i++ {
		v := sub(x.Parts[i])
		for i < len(x.Ops) && x.Ops[i] == "&&" {
			i++
			empty, known := isEmpty(v)
			switch next := sub(x.Parts[i]); {
			case !known:
				v = branch(v, next)
			case !empty:
				v = next
			}
		}
		empty, known := isEmpty(out)
		switch {
		case i == 0 || known && empty:
			out = v
		case !known:
			out = branch(out, v)
		}
	}
	return out
}

// call evaluates a function of the language (manual, "Functions").
func (j *Just) call(x *just.Call, sub func(just.Expr) value.Value) value.Value {
	arg := func(i int) value.Value {
		if i < len(x.Args) {
			return j.named(sub(x.Args[i]), x.Args[i])
		}
		return value.Value{}
	}
	if f := textFunction(x.Name); f != nil {
		return arg(0).Map(f, value.AnyText)
	}
	switch x.Name {
	case "env", "env_var", "env_var_or_default":
		return j.env(x, arg)
	case "justfile_directory", "justfile_dir", "source_directory", "source_dir", "justfile", "source_file", "module_directory", "module_dir", "module_file",
		"invocation_directory", "invocation_dir", "invocation_directory_native", "home_directory", "home_dir", "just_executable":
		return j.place(x.Name)
	case "os":
		if name := map[string]string{"linux": "linux", "darwin": "macos"}[j.site.OS]; name != "" {
			return value.Lit(name)
		}
		return value.Of(value.Hole{Cause: risk.CauseUnknown, Name: x.Name, Shape: value.Word})
	case "os_family", "arch", "uuid", "sha256", "sha256_file", "blake3", "blake3_file":
		return value.Of(value.Hole{Cause: risk.CauseUnknown, Name: x.Name, Shape: value.Word})
	case "num_cpus", "just_pid":
		return value.Of(value.Hole{Cause: risk.CauseUnknown, Name: x.Name, Shape: value.Number})
	case "is_dependency":
		return value.OneOf(risk.CauseUnknown, x.Name, "true", "false")
	case "path_exists":
		return j.exists(arg(0))
	case "replace":
		from, ok := arg(1).Known()
		to, ok2 := arg(2).Known()
		if ok && ok2 {
			return arg(0).Map(func(s string) string { return strings.ReplaceAll(s, from, to) }, value.AnyText)
		}
	case "prepend", "append":
		if x.Name == "prepend" {
			return affixed("addprefix", []value.Value{arg(0), arg(1)})
		}
		return affixed("addsuffix", []value.Value{arg(0), arg(1)})
	case "join":
		parts := make([]value.Value, 0, 2*len(x.Args))
		for i := range x.Args {
			if i > 0 {
				parts = append(parts, value.Lit("/"))
			}
			parts = append(parts, arg(i))
		}
		return value.Concat(parts...)
	case "shell":
		if len(x.Args) == 1 {
			return j.printed(arg(0), x)
		}
	}
	return value.Unknown(risk.CauseUnknown, x.Name)
}

// env evaluates env(NAME) and env(NAME, DEFAULT): a default that the file gives
// holds where the environment is not known.
func (j *Just) env(x *just.Call, arg func(int) value.Value) value.Value {
	key, known := arg(0).Known()
	if known {
		if v, set := j.site.env(key); set {
			return v
		}
	}
	if len(x.Args) > 1 {
		if known {
			return arg(1)
		}
		return branch(value.Unknown(risk.CauseUnknown, x.Name), arg(1))
	}
	if known && j.site.Absent != nil {
		return j.site.Absent(key)
	}
	return value.Unknown(risk.CauseUnknown, x.Name)
}

// place evaluates a function that says where something is.
func (j *Just) place(name string) value.Value {
	at := ""
	switch {
	case strings.HasPrefix(name, "invocation"):
		at = j.site.Dir
	case strings.HasPrefix(name, "home"):
		if v, set := j.site.env("HOME"); set {
			return v
		}
	case name == "justfile" || name == "source_file" || name == "module_file":
		at = j.file
	case name != "just_executable":
		at = j.home()
	}
	if at == "" {
		return value.Of(value.Hole{Cause: risk.CauseUnknown, Name: name, Shape: value.AnyPath})
	}
	return value.Lit(at)
}

// exists evaluates path_exists(PATH), counted from the working directory.
func (j *Just) exists(v value.Value) value.Value {
	name, known := v.Known()
	if known && !path.IsAbs(name) && j.dir != "" {
		name = path.Join(j.dir, name)
	}
	if known && path.IsAbs(name) && j.site.FS != nil {
		if info, err := world.Stat(j.site.FS, path.Clean(name)); err == nil {
			return value.Lit(map[bool]string{true: "true", false: "false"}[info.Kind != world.Missing])
		}
	}
	return value.OneOf(risk.CauseUnknown, "path_exists", "true", "false")
}

// textFunction returns a function of one text, or nil.
func textFunction(name string) func(string) string {
	switch name {
	case "uppercase":
		return strings.ToUpper
	case "lowercase":
		return strings.ToLower
	case "trim":
		return strings.TrimSpace
	case "parent_directory", "parent_dir":
		return path.Dir
	case "file_name":
		return path.Base
	case "clean":
		return path.Clean
	case "quote":
		return quoted
	case "extension":
		return func(s string) string { return strings.TrimPrefix(path.Ext(s), ".") }
	case "without_extension":
		return func(s string) string { return strings.TrimSuffix(s, path.Ext(s)) }
	case "file_stem":
		return func(s string) string { return strings.TrimSuffix(path.Base(s), path.Ext(s)) }
	case "trim_start":
		return func(s string) string { return strings.TrimLeft(s, " \t\n") }
	case "trim_end":
		return func(s string) string { return strings.TrimRight(s, " \t\n") }
	}
	return nil
}

// quoted is a text in single quotes (manual, "quote(s)").
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
