package scan

import (
	"strings"

	syntax "github.com/heedsh/heed/internal/lang/dockerfile"
)

// base is a command of the current stage with what surrounds it.
func (d *dockerText) base(name string) Command {
	shell := "sh"
	if len(d.stage.shell) > 0 {
		shell = dialectOf(d.stage.shell[0])
	}
	return Command{Shell: shell, Name: d.stage.name + " " + name, Place: Image, Dir: d.stage.dir, AnyDir: d.stage.any, Env: d.stage.env}
}

// options are what SHELL gives its shell, as a line of the session: -e, -o
// pipefail.
func (d *dockerText) options() string {
	words := d.stage.shell
	var set []string
	for i := 1; i < len(words); i++ {
		w := words[i]
		switch {
		case w == "-c" || !strings.HasPrefix(w, "-"):
		case strings.HasSuffix(w, "o") && strings.Trim(w[1:], "eux") == "o" && i+1 < len(words):
			set = append(set, w, quoted(words[i+1]))
			i++
		default:
			if w = strings.ReplaceAll(w, "c", ""); len(w) > 1 && strings.Trim(w[1:], "eux") == "" {
				set = append(set, w)
			}
		}
	}
	if len(set) == 0 {
		return ""
	}
	return "set " + strings.Join(set, " ") + "\n"
}

// run takes the command of an instruction: a list of words, the lines of its one
// here-document, or text for the shell with its here-documents behind it.
func (d *dockerText) run(in *syntax.Instruction, name string) {
	c := d.base(name)
	security, _ := in.Flag("security")
	c.Insecure = security == "insecure"
	w := &writer{}
	if in.IsList {
		c.Shell = "sh" // no shell reads it: every word is quoted
		w.put(argv(in.List), in.Args[0].Pos)
		d.finish(c, w)
		return
	}
	if doc := in.Script(); doc != nil {
		d.document(c, doc)
		return
	}
	w.put(d.options(), in.Pos)
	c.Skip = w.len()
	for i, p := range in.Args {
		w.copy(p.Text, p.Pos)
		if i+1 < len(in.Args) && w.quotes.continues() {
			w.put("\\\n", p.End())
		}
	}
	for i := range in.Docs {
		w.put("\n", in.Pos)
		for _, l := range in.Docs[i].Lines {
			w.copy(l.Text, l.Pos)
			w.put("\n", l.End())
		}
		w.put(in.Docs[i].Name, in.Pos)
	}
	c.Steps = c.Skip > 0
	d.finish(c, w)
}

// document is a RUN whose here-document is the script.
func (d *dockerText) document(c Command, doc *syntax.HereDoc) {
	w := &writer{}
	if len(doc.Lines) == 0 {
		return
	}
	var script strings.Builder
	for _, l := range doc.Lines {
		script.WriteString(l.Text + "\n")
	}
	program := interpreter(script.String())
	if name, ok := language(program); ok {
		w.put(foreign(name, script.String()), doc.Lines[0].Pos)
		c.Shell = "sh"
		d.finish(c, w)
		return
	}
	if program != "" {
		c.Shell = dialectOf(program)
	}
	w.put(d.options(), doc.Lines[0].Pos)
	c.Skip, c.Steps = w.len(), true
	for _, l := range doc.Lines {
		w.copy(l.Text, l.Pos)
		w.put("\n", l.End())
	}
	d.finish(c, w)
}

// finish adds a command, which has the stage's variables from now on.
func (d *dockerText) finish(c Command, w *writer) {
	d.stage.shared = d.stage.shared || len(d.found.Commands) < maxCommands
	d.found.add(w.command(c))
}

// command takes what a stage starts, at its end: where ENTRYPOINT is a list of
// words, CMD is its arguments.
func (d *dockerText) command() {
	entry, cmd := d.stage.entry, d.stage.cmd
	d.stage.entry, d.stage.cmd = nil, nil
	switch {
	case entry == nil && cmd == nil:
	case entry == nil:
		d.run(cmd, "CMD")
	case cmd == nil || !entry.IsList || !cmd.IsList: // a shell that is the entry point takes no arguments
		d.run(entry, "ENTRYPOINT")
	default:
		c := d.base("ENTRYPOINT")
		c.Shell = "sh"
		w := &writer{}
		w.put(argv(append(append([]string{}, entry.List...), cmd.List...)), entry.Pos)
		d.finish(c, w)
	}
}
