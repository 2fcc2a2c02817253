package compile

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
	"mvdan.cc/sh/v3/shell"
)

// Check runs every case of a spec and reports those that do not come out as
// they say.
func (s *Spec) Check(c *catalog.Catalog) error {
	var errs []error
	for _, k := range s.Cases {
		r, err := describe(c, k.Run)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s:%d: %s: %w", k.File, k.Line, k.Run, err))
			continue
		}
		got := Lines(r)
		want := slices.Clone(k.Expect)
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			errs = append(errs, fmt.Errorf("%s:%d: %s\n\tgot  %q\n\twant %q", k.File, k.Line, k.Run, got, want))
		}
		if both := contradictions(r); len(both) > 0 {
			errs = append(errs, fmt.Errorf("%s:%d: %s: %q is shown, and `hides` says that it is hidden", k.File, k.Line, k.Run, both))
		}
	}
	errs = append(errs, s.checkExamples(c), s.checkNeeds(c))
	return errors.Join(errs...)
}

// Run describes a command line of literal words and returns what it would do,
// a line each, in the notation of the cases.
func Run(c *catalog.Catalog, line string) ([]string, error) {
	r, err := describe(c, line)
	if err != nil {
		return nil, err
	}
	return Lines(r), nil
}

// describe asks what a command line of literal words does.
func describe(c *catalog.Catalog, line string) (*catalog.Result, error) {
	env := map[string]string{}
	line, input, fed := strings.Cut(line, " <<< ")
	words, err := shell.Fields(line, func(string) string { return "" })
	if err != nil {
		return nil, fmt.Errorf("splitting the line: %w", err)
	}
	for len(words) > 0 {
		name, val, ok := strings.Cut(words[0], "=")
		if !ok || strings.ContainsAny(name, "/-.") {
			break
		}
		env[name] = val
		words = words[1:]
	}
	if len(words) == 0 {
		return nil, errors.New("no command")
	}
	p, ok := c.Lookup(words[0])
	if !ok {
		return nil, fmt.Errorf("no spec for %q", words[0])
	}
	args := make([]value.Value, len(words)-1)
	for i, w := range words[1:] {
		args[i] = value.Lit(w)
	}
	site := &catalog.Site{Name: words[0], Env: func(n string) (value.Value, bool, bool) {
		v, ok := env[n]
		return value.Lit(v), ok, ok
	}}
	if fed {
		site.Stdin, site.HasStdin = value.Lit(input+"\n"), true
	}
	return c.Describe(p, args, site), nil
}

// Lines writes a result in the notation of the cases.
func Lines(r *catalog.Result) []string {
	lines := []string{}
	for i := range r.Effects {
		lines = append(lines, effectLine(&r.Effects[i]))
	}
	for i := range r.Runs {
		lines = append(lines, runLine(&r.Runs[i]))
	}
	for _, u := range r.Unknowns {
		lines = append(lines, "unknown "+u.What)
	}
	if r.ShowsStdin {
		lines = append(lines, "shows stdin")
	}
	return lines
}

func effectLine(e *catalog.Effect) string {
	var b strings.Builder
	b.WriteString(string(e.Verb))
	if !e.Target.Empty() {
		b.WriteString(" " + e.Target.String())
	}
	for _, f := range []struct {
		on   bool
		word string
	}{{e.Recursive, "recursive"}, {e.Forced, "forced"}, {e.Many, "many"}, {e.Shown, "shown"}} {
		if f.on {
			b.WriteString(" " + f.word)
		}
	}
	if e.Kind != risk.NoKind {
		b.WriteString(" (" + e.Kind.String() + ")")
	}
	for _, s := range e.Carries {
		if s.Stdin {
			b.WriteString(" <- stdin")
		} else {
			b.WriteString(" <- " + s.Path.String())
		}
	}
	return b.String()
}

func runLine(r *catalog.Run) string {
	kind := [...]string{"argv", "shell", "code", "script", "exec", "plugin", "interactive"}[r.Kind]
	var b strings.Builder
	b.WriteString("run " + kind)
	if r.Lang != "" {
		b.WriteString("/" + r.Lang)
	}
	b.WriteString(":")
	for _, a := range r.Setup {
		b.WriteString(" " + a.Name + "=" + a.Value.String())
	}
	for _, a := range r.Argv {
		b.WriteString(" " + a.String())
	}
	if !r.Text.Empty() {
		b.WriteString(" " + r.Shown())
	}
	for _, a := range r.Args {
		b.WriteString(" " + a.String())
	}
	for _, f := range []struct {
		on   bool
		word string
	}{{r.Stdin, "<stdin>"}, {r.Open, "…"}, {r.Many, "(many)"}, {r.Wrap.Privileged, "(privileged)"}} {
		if f.on {
			b.WriteString(" " + f.word)
		}
	}
	if r.Wrap.Host != "" {
		b.WriteString(" (on " + r.Wrap.Host + ")")
	}
	if r.Wrap.Container != "" {
		b.WriteString(" (in " + r.Wrap.Container + ")")
	}
	return b.String()
}
