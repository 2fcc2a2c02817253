package engine

import (
	"path"
	"strings"

	"github.com/heedsh/heed/internal/inline"
	"github.com/heedsh/heed/internal/inline/lexical"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/flow"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// host says in what circumstances inline code runs.
func (m *machine) host(st *shell.State, inv *shell.Invocation, run *catalog.Run) inline.Host {
	here := st.Context.Host == "" && st.Context.Container == ""
	h := inline.Host{Env: func(name string) (value.Value, bool) {
		v, set, _ := flow.Env(st, inv, name)
		if name == "HOME" && !set && here {
			return value.Lit(m.sc.Space.Home), m.sc.Space.Home != ""
		}
		return v, set && here
	}}
	h.Missing = func(file value.Value) bool {
		name, known := flow.Absolute(st, file).Known()
		if !known || !here {
			return false
		}
		i, err := st.FS.Lstat(path.Clean(name))
		return err != nil || i.Kind == world.Missing
	}
	h.Dir, _ = st.Dir.Known()
	h.Args = run.Args
	h.Prints = run.Mode == catalog.RunPrinted && run.Kind == catalog.RunCode
	h.Word = run.Kind == catalog.RunCode
	if run.Kind == catalog.RunScript {
		h.Script = run.File
	}
	return h
}

// lexical adds what code names literally, where no parser understands it: the
// commands that are command lines, and the files whose place matters. Files of
// the workspace are not read so: what a program names is not what it does.
func (m *machine) lexical(st *shell.State, run *catalog.Run, text value.Value, host inline.Host, found *inline.Result) {
	source, _ := text.Known()
	lang := run.Lang // of a shell's own code, or of a program's
	if run.Kind == catalog.RunShell && (lang == "other" || lang == "") {
		lang = "shell"
	} else if !lexical.ReadsText(lang) || run.Kind == catalog.RunScript && text.Taint().Has(value.Untrusted|value.Outside) {
		return
	}
	more := lexical.Read(lang, source, host)
	for _, r := range more.Runs {
		if r.Kind == catalog.RunShell && !parsable(m.fronts, r.Text) {
			if r.Mode != catalog.RunLines {
				continue
			}
			r.Text = parsableLines(m.fronts, r.Text)
		}
		found.Runs = append(found.Runs, r)
	}
	for _, e := range more.Effects {
		if e.Verb == risk.ExecRemote {
			found.Effects = append(found.Effects, e)
			continue
		}
		p := m.sc.Place(st, e.Target, true)
		private := p.Scope == risk.IsSecret || p.Scope == risk.IsAccounts
		absolute := strings.HasPrefix(e.Target.Prefix(), "/")
		if private || e.Verb != risk.FSRead && absolute {
			found.Effects = append(found.Effects, e)
		}
	}
}

// parsable reports whether text is shell code, whatever its holes hold.
func parsable(fronts *shell.Fronts, text value.Value) bool {
	return fronts.Parse(text.Fill(func(*value.Hole) string { return "x" }), fronts.Default()) == nil
}

// parsableLines keeps the lines that are commands of their own.
func parsableLines(fronts *shell.Fronts, text value.Value) value.Value {
	all, _ := text.Known()
	var b strings.Builder
	n := 0
	for line := range strings.Lines(all) {
		if n++; n <= 200 && parsable(fronts, value.Lit(line)) {
			b.WriteString(line)
		}
	}
	return value.Lit(b.String())
}
