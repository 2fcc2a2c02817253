package flow

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// What a program reads it shows, unless its spec says what hides it: messages of
// error quote what they cannot use.

// quotes reports whether a program may show a file of secrets that it only is
// said to read.
func (d *Deed) quotes(x *catalog.Effect) bool {
	if x.Verb != risk.FSRead || x.Shown || x.Recursive || x.Kind != risk.NoKind || d.elsewhere() {
		return false
	}
	return d.Result.Quotes(x.Arg) && !d.conveyed(x.Target) && !d.run(x.Target) && d.named(x.Target)
}

// writesScreen reports whether the program writes to its standard output, or to
// the terminal, under the name of a file: what it read is then to be seen.
func (d *Deed) writesScreen() bool {
	return slices.ContainsFunc(d.Result.Effects, func(x catalog.Effect) bool {
		if x.Verb != risk.FSWrite && x.Verb != risk.FSCreate || !strings.HasPrefix(x.Target.Prefix(), "/") {
			return false
		}
		name, _ := x.Target.Known()
		fd, own := Descriptor(name)
		return own && fd != "0" || path.Clean(name) == "/dev/tty"
	})
}

// elsewhere reports whether the program only is what another one is run with.
func (d *Deed) elsewhere() bool {
	return d.Result.Match == nil || d.State.Context.Host != "" || d.State.Context.Container != ""
}

// Contents is what a file holds: where its name is that of one of the
// program's own descriptors, what that leads to.
func (d *Deed) Contents(st *shell.State, target value.Value) value.Value {
	if name, ok := target.Known(); ok {
		if fd, ok := Descriptor(name); ok && fd == "0" && d.Inv.HasStdin {
			return d.Inv.Stdin
		} else if v, open := d.Inv.Files[fd]; ok && open {
			return v
		}
	}
	return d.Scene.Contents(st, target)
}

// named reports whether a target is a file of secrets, by its name or by what
// this command put there.
func (d *Deed) named(target value.Value) bool {
	return d.Contents(d.State, target).Taint().Has(value.Secret)
}

// conveyed reports whether an effect says where the contents of a file go.
func (d *Deed) conveyed(target value.Value) bool {
	name := target.String()
	return slices.ContainsFunc(d.Result.Effects, func(e catalog.Effect) bool {
		return slices.ContainsFunc(e.Carries, func(s catalog.Source) bool { return !s.Stdin && s.Path.String() == name })
	})
}

// run reports whether a file is what the program runs.
func (d *Deed) run(target value.Value) bool {
	name := target.String()
	return slices.ContainsFunc(d.Result.Runs, func(r catalog.Run) bool {
		return (r.Kind == catalog.RunScript || r.Kind == catalog.RunExec || r.Kind == catalog.RunPlugin) && r.Text.String() == name
	})
}

// leaks are the secrets that a program is given on its standard input and among
// its operands, and that nothing says it keeps to itself.
func (d *Deed) leaks() value.Taint {
	if d.elsewhere() || d.Result.Help {
		return 0
	}
	var t value.Taint
	if in := d.Inv.Stdin.Taint() & (value.Secret | value.Credential); in != 0 && d.Inv.HasStdin && !d.takesInput() {
		if d.Result.ReadsStdin {
			t |= in
		} else {
			d.tell(risk.Effect{Verb: risk.SecretSend, Target: d.Program, Kind: risk.KindHandedToAProgram, Source: d.SecretName(d.Inv.Stdin)})
		}
	}
	m := d.Result.Match
	for i := range m.Args {
		b := &m.Args[i]
		secret := b.Value.Taint() & (value.Secret | value.Credential)
		switch {
		case secret == 0:
		case b.Arg.Role.OfFile() && d.complains(b):
			d.Show(d.State, d.Inv.Span, b.Value)
		case b.Arg.Role == catalog.Data && d.Result.Tells(b.Arg.Name) && d.onlyReads():
			t |= secret
		case b.Arg.Role == catalog.Data && d.Result.Refuses(b.Arg.Name):
			d.Show(d.State, d.Inv.Span, b.Value)
		}
	}
	// A word that is no process is told: bash: kill: WORD: arguments must be process or job IDs.
	for _, e := range d.Result.Effects {
		if e.Verb == risk.ProcSignal && e.Target.Taint().Has(value.Secret|value.Credential) {
			d.Show(d.State, d.Inv.Span, e.Target)
		}
	}
	return t
}

// onlyReads reports whether a program does nothing but read and print: what is
// given to another goes there, and is told of there.
func (d *Deed) onlyReads() bool {
	return len(d.Result.Runs) == 0 && !slices.ContainsFunc(d.Result.Effects, func(e catalog.Effect) bool { return e.Verb != risk.FSRead })
}

// complains reports whether a program names a file in its messages, as there is
// no such file.
func (d *Deed) complains(b *catalog.Bound) bool {
	if !d.Result.Names(b.Arg.Name) {
		return false
	}
	name, known := Absolute(d.State, b.Value).Known()
	if !known {
		return true
	}
	i, err := d.State.FS.Lstat(name)
	return err != nil || i.Kind == world.Missing
}

// takesInput reports whether something is said of where standard input goes.
func (d *Deed) takesInput() bool {
	const ignores = catalog.ShellWord | catalog.Echoes | catalog.Talks
	r := d.Result
	if r.Traits.Has(ignores) || r.ShowsStdin || !r.Quotes("stdin") || len(r.Runs) > 0 {
		return true
	}
	return slices.ContainsFunc(r.Effects, func(e catalog.Effect) bool {
		return slices.ContainsFunc(e.Carries, func(s catalog.Source) bool { return s.Stdin })
	})
}

// environment are the sources of the variables that a program prints which
// prints its environment, or those of it that it is asked for.
func (d *Deed) environment() (t value.Taint) {
	if !d.Result.Traits.Has(catalog.Environment) {
		return 0
	}
	var names []string
	for _, v := range d.Result.Match.Values("name") {
		name, _ := v.Known()
		names = append(names, name)
	}
	return Exported(d.State, d.Inv, names)
}

// Exported are the secrets among the variables that a program is given: those
// with these names, or all.
func Exported(st *shell.State, inv *shell.Invocation, names []string) (t value.Taint) {
	asked := func(name string) bool { return len(names) == 0 || slices.Contains(names, name) }
	for _, a := range inv.Assign {
		if asked(a.Name) {
			t |= a.Value.Taint()
		}
	}
	for name, v := range st.Vars.All() {
		if v.Exported && asked(name) {
			t |= v.Taints()
		}
	}
	return (t | st.Sourced.Taint()) & (value.Secret | value.Credential)
}
