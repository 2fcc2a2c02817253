package compile

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/risk"
)

// destroyingNames are words of a subcommand's name that say that something is
// gone afterwards.
var destroyingNames = strings.Fields("delete destroy drop purge wipe erase terminate prune reset truncate nuke")

// writingNames and runningNames are words of an option's name that say that its
// value is a file that is written, or something that is run or obeyed.
var (
	writingNames = []string{"output", "outfile", "out-file", "log-file", "logfile", "write", "save", "dump", "output-file", "outputfile"}
	runningNames = []string{"exec", "command", "run", "hook", "script", "plugin", "config", "rcfile", "config-file"}
	// asking are the options that answer the question of a program that asks.
	asking = []string{"-y", "--yes", "--auto-approve", "-auto-approve", "--force", "--no-input", "--assume-yes", "--assumeyes", "--noconfirm", "--no-confirm"}
	// removing are the options that by their names take something away.
	removing = []string{"--prune", "--delete", "--clear", "--purge", "--wipe", "--destroy", "--erase", "-delete", "-prune", "-clear"}
)

// destroys looks at a subcommand that by its name destroys.
func (p spot) destroys() {
	if len(p.path) == 0 {
		return
	}
	named := false
	last := p.path[len(p.path)-1]
	for name := range strings.FieldsSeq(last) {
		if !slices.ContainsFunc(strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("-_:.*", r) }), func(w string) bool { return slices.Contains(destroyingNames, w) }) {
			continue
		}
		named = true
		if p.harms() || p.excused(p.path[:len(p.path)-1], name) {
			continue
		}
		p.finding("", "%q says that it destroys, and no effect here does: state what is destroyed (remote.destroy, fs.delete, …), or give `reasons: {WHY: %s}` beside it", name, name)
	}
	if named {
		p.unattended()
	}
}

// harms reports whether the command destroys under some condition, or one
// below it does.
func (p spot) harms() bool {
	stops := func(r *catalog.Rule) bool {
		return destroying(r.Verb) || r.Role == catalog.Deletes || r.Verb == risk.PrivGain || r.Verb == risk.SecretRead || r.Verb == risk.AgentConfig || r.Kind == risk.KindCritical
	}
	if p.rules(stops) || len(p.node().Sub) > 0 {
		return true
	}
	for i := range p.node().Operands {
		if p.node().Operands[i].Role == catalog.Deletes {
			return true
		}
	}
	r := p.does()
	return slices.ContainsFunc(r.Effects, func(e catalog.Effect) bool { return destroying(e.Verb) }) || slices.ContainsFunc(r.Runs, func(catalog.Run) bool { return true })
}

// unattended looks at the options that answer the question of a command that
// destroys when it is told yes: with each of them it destroys.
func (p spot) unattended() {
	if !p.rules(func(r *catalog.Rule) bool { return destroying(r.Verb) }) {
		return
	}
	for _, c := range p.chain {
		for i := range c.Options {
			o := &c.Options[i]
			name := common(o.Names, asking)
			if name == "" || o.Value != nil && !o.Optional {
				continue
			}
			if r := p.does(name); slices.ContainsFunc(r.Effects, func(e catalog.Effect) bool { return destroying(e.Verb) }) || p.excused(p.path, name, "unattended") {
				continue
			}
			p.finding(o.Names[0], "with %s nobody is asked, and what it then destroys is not said: let an effect hold with it, or give `reasons: {WHY: %s}`", name, name)
		}
	}
}

// common returns the first word of a that b has as well.
func common(a, b []string) string {
	for _, w := range a {
		if slices.Contains(b, w) {
			return w
		}
	}
	return ""
}

// option looks at the name of an option.
func (p spot) option(o *catalog.Option) {
	for _, n := range o.Names {
		switch word := strings.ToLower(strings.TrimLeft(n, "-+/")); {
		case strings.Contains(n, "=") || len(word) < 3:
		case slices.Contains(removing, n) && !p.means(o, destroying) && !p.excused(p.path, o.Names...):
			p.finding(o.Names[0], "%s says that it takes something away, and nothing says what: state the effect that it has, or give `reasons: {WHY: %s}`", n, n)
			return
		case endsIn(word, writingNames) && !p.writes(o) && !p.excused(p.path, o.Names...):
			p.finding(o.Names[0], "%s says that something is written: give it a role that writes (`{name: out, role: writes}`) or an effect, or give `reasons: {WHY: %s}`", n, n)
			return
		case o.Value != nil && endsIn(word, runningNames) && !p.runs(o) && !p.excused(p.path, o.Names...):
			p.finding(o.Names[0], "%s says that something is run or obeyed: give it a role (shell, exec, script, plugin, config, …), list it under `unsaid`, or give `reasons: {WHY: %s}`", n, n)
			return
		}
	}
}

// endsIn reports whether an option's name is one of some words, or ends in one:
// --log-file-level names no file.
func endsIn(name string, words []string) bool {
	for _, p := range []string{"no-", "skip-", "dry-", "help-", "print-", "get-", "delay-"} {
		if strings.HasPrefix(name, p) {
			return false
		}
	}
	return slices.ContainsFunc(words, func(w string) bool { return name == w || strings.HasSuffix(name, "-"+w) })
}

// means reports whether an effect of a verb that ok holds for depends on an
// option, or comes with it.
func (p spot) means(o *catalog.Option, ok func(risk.Verb) bool) bool {
	if p.rules(func(r *catalog.Rule) bool { return ok(r.Verb) && depends(r.When, o) }) || slices.Contains(o.Sets, "help") || slices.Contains(o.Sets, "dry") {
		return true
	}
	if p.rules(func(r *catalog.Rule) bool { return ok(r.Verb) && r.When.Op == catalog.Always }) || len(o.Sets) > 0 && p.hooked() {
		return true
	}
	r := p.does(o.Names[0] + map[bool]string{true: "=value"}[o.Value != nil && strings.HasPrefix(o.Names[0], "--")])
	return slices.ContainsFunc(r.Effects, func(e catalog.Effect) bool { return ok(e.Verb) })
}

// depends reports whether a condition names an option or what it sets.
func depends(c catalog.Cond, o *catalog.Option) bool {
	names := c.Names(nil)
	return slices.ContainsFunc(names, func(n string) bool {
		return slices.Contains(o.Names, n) || slices.Contains(o.Sets, n) || o.Value != nil && n == o.Value.Name && n != ""
	})
}

// writes reports whether an option with a value names a file that is written,
// or comes to an effect.
func (p spot) writes(o *catalog.Option) bool {
	if o.Value == nil {
		return len(o.Sets) > 0 || p.means(o, writing) || p.reported()
	}
	switch o.Value.Role {
	case catalog.Writes, catalog.Appends, catalog.Creates, catalog.Attr, catalog.Moves, catalog.Object, catalog.Dir:
		return true
	case catalog.Data:
	default:
		return true
	}
	in := p.node().Notes().Inert
	return p.touched(o) || in.Explained(o)
}

// hooked reports whether Go code reads the flags and the named words as well.
func (p spot) hooked() bool {
	return slices.ContainsFunc(p.chain, func(c *catalog.Command) bool { return c.Hook != "" })
}

// reported reports whether there is something to write to: a flag of a command
// that names no file, as --raw-output, says how an answer looks.
func (p spot) reported() bool {
	for _, c := range p.chain {
		for i := range c.Operands {
			if r := c.Operands[i].Role; r == catalog.Writes || r == catalog.Attr || r == catalog.Moves || r == catalog.Deletes {
				return false
			}
		}
	}
	return true
}

// touched reports whether an effect acts on an option's value, depends on it, or
// a hook makes something of it.
func (p spot) touched(o *catalog.Option) bool {
	if p.rules(func(r *catalog.Rule) bool {
		return o.Value.Name != "" && (r.Target == o.Value.Name || slices.Contains(r.Carries, o.Value.Name)) || depends(r.When, o)
	}) {
		return true
	}
	if o.Value.Name != "" && p.hooked() {
		return true
	}
	const mark = "./lint-value"
	words := []string{o.Names[0], mark}
	if o.Optional {
		words = []string{o.Names[0] + "=" + mark}
	}
	for _, n := range o.Names {
		words[0] = strings.Replace(words[0], o.Names[0], n, 1)
		r := p.does(words...)
		if slices.ContainsFunc(r.Effects, func(e catalog.Effect) bool { return strings.Contains(e.Target.String(), "lint-value") }) ||
			slices.ContainsFunc(r.Runs, func(x catalog.Run) bool { return strings.Contains(runLine(&x), "lint-value") }) ||
			slices.ContainsFunc(r.Unknowns, func(u risk.Unknown) bool { return strings.Contains(u.What, "lint-value") }) {
			return true
		}
	}
	return false
}

// runs reports whether an option's value has a role, is used by an effect, or
// is called unsaid.
func (p spot) runs(o *catalog.Option) bool {
	if o.Value.Role != catalog.Data {
		return true
	}
	in := p.node().Notes().Inert
	return common(o.Names, in.Unsaid) != "" || in.Explained(o) || p.touched(o)
}
