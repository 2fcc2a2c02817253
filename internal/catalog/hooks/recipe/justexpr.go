package recipe

import (
	"path"
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// variable evaluates a variable of the file once.
func (f *justfile) variable(name string, depth int) value.Value {
	if v, ok := f.values[name]; ok {
		return v
	}
	expr, ok := f.exprs[name]
	if !ok || depth > maxRecipeDepth {
		return justUnknown(name)
	}
	v := f.eval(expr, nil, depth+1)
	if v.Len() > maxRecipeText {
		v = justUnknown(name)
	}
	f.values[name] = v
	return v
}

func justUnknown(what string) value.Value { return value.Unknown(risk.CauseUnknown, what) }

// eval evaluates an expression: texts, names, calls, a + b, a / b (manual,
// "Expressions and Substitutions"). What it does not know is unknown.
func (f *justfile) eval(s string, local map[string]value.Value, depth int) value.Value {
	s = strings.TrimSpace(s)
	if depth > maxRecipeDepth {
		return justUnknown("justfile")
	}
	if s == "" {
		return value.Value{}
	}
	if i := topIndex(s, '+'); i >= 0 {
		return value.Concat(f.eval(s[:i], local, depth+1), f.eval(s[i+1:], local, depth+1))
	}
	if i := topIndex(s, '/'); i >= 0 {
		return value.Concat(f.eval(s[:i], local, depth+1), value.Lit("/"), f.eval(s[i+1:], local, depth+1))
	}
	if text, ok := justText(s); ok {
		return value.Lit(text)
	}
	n := identEnd(s)
	switch {
	case n == len(s):
		if v, ok := local[s]; ok {
			return v
		}
		return f.variable(s, depth)
	case s[0] == '`':
		return f.output(strings.Trim(s, "`"))
	case s[0] == '(' && s[len(s)-1] == ')':
		return f.eval(s[1:len(s)-1], local, depth+1)
	case n > 0 && s[n] == '(' && s[len(s)-1] == ')':
		return f.call(s[:n], splitTop(s[n+1:len(s)-1], ','), local, depth)
	}
	return justUnknown("justfile")
}

// justText reads a text: 'as it is', "with escapes", and either of three quotes.
func justText(s string) (string, bool) {
	for _, quotes := range []string{"'''", `"""`, "'", `"`} {
		inner, ok := strings.CutPrefix(s, quotes)
		if !ok {
			continue
		}
		inner, ok = strings.CutSuffix(inner, quotes)
		if !ok || strings.Contains(inner, quotes) {
			return "", false
		}
		if quotes[0] == '"' {
			inner = strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\r`, "\r", `\"`, `"`, `\\`, `\`, "\\\n", "").Replace(inner)
		}
		return inner, true
	}
	return "", false
}

// output runs a command for what it prints.
func (f *justfile) output(command string) value.Value {
	f.runs = append(f.runs, recipeRun(value.Lit(command), path.Base(f.shell[0]), f.home))
	return value.Unknown(risk.CauseOutput, command)
}

// call evaluates a function of the language (manual, "Functions").
func (f *justfile) call(name string, args []string, local map[string]value.Value, depth int) value.Value {
	arg := func(i int) value.Value {
		if i < len(args) {
			return f.eval(args[i], local, depth+1)
		}
		return value.Value{}
	}
	change := func(g func(string) string) value.Value { return arg(0).Map(g, value.AnyText) }
	switch name {
	case "env", "env_var", "env_var_or_default":
		if key, ok := arg(0).Known(); ok {
			if v, set := site.SiteEnv(f.site, key); set {
				return v
			}
			if len(args) > 1 {
				return arg(1)
			}
		}
	case "justfile_directory", "justfile_dir", "source_directory", "source_dir":
		return value.Lit(f.home)
	case "invocation_directory", "invocation_dir":
		return value.Lit(f.site.Dir)
	case "uppercase":
		return change(strings.ToUpper)
	case "lowercase":
		return change(strings.ToLower)
	case "trim":
		return change(strings.TrimSpace)
	case "parent_directory", "parent_dir":
		return change(path.Dir)
	case "file_name":
		return change(path.Base)
	case "clean":
		return change(path.Clean)
	case "quote":
		return change(shellWord)
	case "join":
		parts := make([]value.Value, 0, 2*len(args))
		for i := range args {
			if i > 0 {
				parts = append(parts, value.Lit("/"))
			}
			parts = append(parts, arg(i))
		}
		return value.Concat(parts...)
	case "os", "os_family", "arch", "num_cpus", "just_executable", "just_pid", "uuid", "justfile", "home_directory", "home_dir":
		return value.Of(value.Hole{Cause: risk.CauseUnknown, Name: name, Shape: value.AnyPath})
	case "shell":
		if command, ok := arg(0).Known(); ok {
			return f.output(command)
		}
	}
	return justUnknown(name + "()")
}
