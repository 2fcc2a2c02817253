package scan

import (
	"encoding/json"
	"strings"
)

// exec reads the exec form: a JSON list of words.
func exec(text string) (words []string, ok bool) {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, "[") || json.Unmarshal([]byte(text), &words) != nil {
		return nil, false
	}
	return words, true
}

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

func (d *dockerText) run(in *dockerInstruction, name string) {
	c := d.base(name)
	d.flags(in, &c)
	w := &writer{}
	if words, ok := exec(in.text()); ok && len(in.docs) == 0 {
		if len(in.parts) > 0 {
			w.put(argv(words), in.parts[0].at)
		}
		c.Shell = "sh" // no shell reads it: every word is quoted
		d.finish(c, w)
		return
	}
	if len(in.docs) == 1 && strings.TrimSpace(in.text()) == in.docs[0].marker {
		d.document(c, &in.docs[0])
		return
	}
	w.put(d.options(), in.at)
	c.Skip = w.len()
	for i, p := range in.parts {
		w.copy(p.text, p.at)
		if i+1 < len(in.parts) {
			w.put("\\\n", p.at+len(p.text))
		}
	}
	for i := range in.docs {
		w.put("\n", in.at)
		for _, l := range in.docs[i].lines {
			w.copy(l.text, l.at)
			w.put("\n", l.at+len(l.text))
		}
		w.put(in.docs[i].end, in.at)
	}
	c.Steps = c.Skip > 0
	d.finish(c, w)
}

// document is a RUN whose here-document is the script.
func (d *dockerText) document(c Command, doc *dockerDoc) {
	w := &writer{}
	if len(doc.lines) == 0 {
		return
	}
	var script strings.Builder
	for _, l := range doc.lines {
		script.WriteString(l.text + "\n")
	}
	program := interpreter(script.String())
	if name, ok := language(program); ok {
		w.put(foreign(name, script.String()), doc.lines[0].at)
		c.Shell = "sh"
		d.finish(c, w)
		return
	}
	if program != "" {
		c.Shell = dialectOf(program)
	}
	w.put(d.options(), doc.lines[0].at)
	c.Skip, c.Steps = w.len(), true
	for _, l := range doc.lines {
		w.copy(l.text, l.at)
		w.put("\n", l.at+len(l.text))
	}
	d.finish(c, w)
}

func (d *dockerText) finish(c Command, w *writer) {
	d.found.add(w.command(c))
}

// maxFlags is how many options an instruction can have.
const maxFlags = 100

// flags takes the options of an instruction off its arguments.
func (d *dockerText) flags(in *dockerInstruction, c *Command) {
	for n := 0; len(in.parts) > 0 && n < maxFlags; n++ {
		p := in.parts[0]
		s := strings.TrimLeft(p.text, " \t")
		p.at += len(p.text) - len(s)
		p.text = s
		switch {
		case s == "":
			if len(in.parts) == 1 {
				return
			}
			in.parts = in.parts[1:]
			continue
		case !strings.HasPrefix(s, "--"):
			in.parts[0] = p
			return
		}
		flag, _, _ := strings.Cut(strings.ReplaceAll(s, "\t", " "), " ")
		if flag == "--security=insecure" {
			c.Insecure = true
		}
		in.parts[0] = line{s[len(flag):], p.at + len(flag)}
	}
}

func (d *dockerText) healthcheck(in *dockerInstruction) {
	c := d.base("HEALTHCHECK")
	d.flags(in, &c)
	if len(in.parts) == 0 {
		return
	}
	p := in.parts[0]
	word, rest, _ := strings.Cut(strings.ReplaceAll(p.text, "\t", " "), " ")
	if !strings.EqualFold(word, "CMD") {
		return
	}
	rest = p.text[len(p.text)-len(rest):]
	in.parts[0] = line{strings.TrimLeft(rest, " \t"), p.at + len(p.text) - len(strings.TrimLeft(rest, " \t"))}
	d.run(in, "HEALTHCHECK")
}

// start reads CMD and ENTRYPOINT.
func (d *dockerText) start(in *dockerInstruction) {
	if in.word == "CMD" {
		d.stage.cmd = in
		return
	}
	d.stage.entry = in
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
	case cmd == nil:
		d.run(entry, "ENTRYPOINT")
	default:
		first, isExec := exec(entry.text())
		rest, isExec2 := exec(cmd.text())
		if !isExec || !isExec2 { // a shell that is the entry point takes no arguments
			d.run(entry, "ENTRYPOINT")
			return
		}
		c := d.base("ENTRYPOINT")
		c.Shell = "sh"
		w := &writer{}
		w.put(argv(append(first, rest...)), entry.at)
		d.finish(c, w)
	}
}
