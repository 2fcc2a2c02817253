package dockerfile

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// show writes the instructions of a file, one a line.
func show(f *File) string {
	all := make([]string, len(f.Instructions))
	for i, in := range f.Instructions {
		all[i] = showInstruction(in)
	}
	return strings.Join(all, "\n")
}

func showInstruction(in *Instruction) string {
	text := in.Name
	for _, f := range in.Flags {
		text += " --" + f.Name
		if f.Set {
			text += "=" + f.Value
		}
	}
	switch {
	case in.Inner != nil:
		text += " (" + showInstruction(in.Inner) + ")"
	case in.From != nil:
		text += " " + showWord(in.From.Image)
		if in.From.Name != "" {
			text += " AS " + in.From.Name
		}
	case in.IsList:
		text += fmt.Sprintf(" %q", in.List)
	case in.Pairs != nil:
		for _, p := range in.Pairs {
			text += " " + p.Name
			if p.Set {
				text += "=" + showWord(p.Value)
			}
		}
	case in.Value != nil:
		text += " " + showWord(in.Value)
	case len(in.Args) > 0:
		text += " |" + in.Args.String() + "|"
	}
	for i := range in.Docs {
		text += showDoc(&in.Docs[i])
	}
	return text
}

func showDoc(d *HereDoc) string {
	text := " " + d.Name
	if d.Expand {
		text += "$"
	}
	for _, l := range d.Lines {
		text += "<" + l.Text + ">"
	}
	return text
}

func showWord(w Word) string {
	text := ""
	for i := range w {
		p := &w[i]
		switch {
		case !p.Variable:
			text += "[" + p.Text + "]"
		default:
			text += "{" + p.Text + p.Op + showWord(p.Arg)
			if p.With != nil {
				text += ">" + showWord(p.With)
			}
			text += "}"
		}
	}
	return text
}

// files are files that a builder takes, as far as this package looks.
func files() map[string]string {
	return map[string]string{
		"FROM a\nRUN ls -l\n":             "FROM [a]\nRUN |ls -l|",
		"\ufeffFROM a\r\nRUN ls\r\n":      "FROM [a]\nRUN |ls|",
		"from --platform=$B a:$V as x":    "FROM --platform=$B [a:]{V} AS x",
		"FROM a\nFROM b AS c":             "FROM [a]\nFROM [b] AS c",
		"":                                "",
		"# c\n\n  # d\n\tRUN  a  b \t\n":  "RUN |a  b|",
		"RUN a\\\n b":                     "RUN |a b|",
		"RUN a \\  \n# c\n\n  # d\n  b":   "RUN |a   b|",
		"RUN a # b \\\n c":                "RUN |a # b  c|",
		"RU\\\nN\\\n a":                   "RUN |a|",
		"RUN a\\\\\nRUN b":                `RUN |a\\|` + "\nRUN |b|",
		"RUN a\\":                         "RUN |a|",
		"\\\nRUN a":                       "RUN |a|",
		"RUN a `\nUSER b":                 "RUN |a `|\nUSER [b]",
		"# escape=`\nRUN a `\n b\\\nRUN":  "RUN |a  b\\|\nRUN",
		"#Syntax = x\n#escape=`\nRUN a`":  "RUN |a|",
		"# a\n# escape=`\nRUN a`":         "RUN |a`|",
		"# a=b\n# escape=`\nRUN a`":       "RUN |a`|",
		"\n# escape=`\nRUN a`":            "RUN |a`|",
		`RUN ["a", "b\n"]`:                `RUN ["a" "b\n"]`,
		`RUN [ -f a ] && b`:               `RUN |[ -f a ] && b|`,
		`RUN ['a']`:                       `RUN |['a']|`,
		"CMD [\"a\", \\\n \"b\"]":         `CMD ["a" "b"]`,
		`ENTRYPOINT []`:                   `ENTRYPOINT []`,
		`SHELL ["/bin/bash", "-c"]`:       `SHELL ["/bin/bash" "-c"]`,
		`RUN --a=b --c="d e" \f`:          `RUN --a=b --c=d e |\f|`,
		"RUN --a \\\n --b\\\n c --d":      `RUN --a --b |c --d|`,
		`RUN -- --a`:                      `RUN |--a|`,
		`RUN --a`:                         `RUN --a`,
		"RUN <<E\na\n# b\n\nE\nRUN c":     "RUN |<<E| E$<a><# b><>\nRUN |c|",
		"RUN <<-E sh\n\t\ta\n\tE":         "RUN |<<-E sh| E$<a>",
		"RUN <<'E'\n\ta\n\tE\nE":          "RUN |<<'E'| E<\ta><\tE>",
		"RUN 3<<\"a b\" x\r\na b\r\n":     `RUN |3<<"a b" x| a b`,
		"RUN cat << E\nx\nE":              "RUN |cat << E| E$<x>",
		"RUN <<A <<B\nB\nA\nA\nB":         "RUN |<<A <<B| A$<B> B$<A>",
		"COPY <<E /x\nRUN y\nE":           "COPY |<<E /x| E$<RUN y>",
		"ONBUILD ADD <<E /x\nRUN y\nE":    "ONBUILD (ADD |<<E /x| E$<RUN y>)",
		"USER <<E\nUSER E":                "USER [<<E]\nUSER [E]",
		"RUN [\"<<E\"]\nUSER E":           "RUN [\"<<E\"]\nUSER [E]",
		"RUN '<<E' \"<<E\" \\<<E a<<E":    `RUN |'<<E' "<<E" \<<E a<<E|`,
		"RUN a <<< E":                     "RUN |a <<< E|",
		"RUN it's <<E":                    "RUN |it's <<E|",
		"RUN echo $((1 << 2))":            "RUN |echo $((1 << 2))|",
		"RUN <<$E\\'\na\n$E'":             `RUN |<<$E\'| $E'$<a>`,
		"ENV a=b c=\"d e\" f='$g' h=\\$i": `ENV a=[b] c=[d e] f=[$g] h=[$i]`,
		"ENV a b  c=d ":                   `ENV a=[b  c=d]`,
		`ENV a "b"`:                       `ENV a=[b]`,
		"ENV a=b\\ c \\\n d=$e":           `ENV a=[b c] d={e}`,
		"# escape=`\nENV a=b` c d=\\e":    `ENV a=[b c] d=[\e]`,
		"LABEL a.b=c":                     `LABEL a.b=[c]`,
		`ARG a b=c d=`:                    `ARG a b=[c] d=`,
		`ENV a="${b}c$d"`:                 `ENV a={b}[c]{d}`,
		`ENV a=${b:-c${d:+'e f'}}`:        `ENV a={b:-[c]{d:+[e f]}}`,
		`ENV a=${b?} c=${d#\*} e=${f%%?}`: `ENV a={b?} c={d#[\*]} e={f%%[?]}`,
		`ENV a=${b/c/d} e=${f//\//$g}`:    `ENV a={b/[c]>[d]} e={f//[\/]>{g}}`,
		`ENV a=$ b=$$ c=$1a d=$é`:         `ENV a=[$] b={$} c={1}[a] d={é}`,
		`ENV a="b\"\c" d='e\'`:            `ENV a=[b"\c] d=[e\]`,
		"WORKDIR /a b/$c":                 `WORKDIR [/a b/]{c}`,
		"USER a\nSTOPSIGNAL 9":            "USER [a]\nSTOPSIGNAL [9]",
		"EXPOSE 80\nVOLUME [\"/a\"]":      "EXPOSE |80|\nVOLUME [\"/a\"]",
		"MAINTAINER a":                    "MAINTAINER |a|",
		"HEALTHCHECK --a=b CMD c d":       "HEALTHCHECK --a=b (CMD |c d|)",
		"HEALTHCHECK cmd [\"c\"]":         `HEALTHCHECK (CMD ["c"])`,
		"HEALTHCHECK NONE":                "HEALTHCHECK |NONE|",
		"ONBUILD RUN --a \\\n b":          "ONBUILD (RUN --a |b|)",
		"ONBUILD ENV a=b":                 "ONBUILD (ENV a=[b])",
	}
}

func TestFiles(t *testing.T) {
	t.Parallel()
	for text, want := range files() {
		f := Parse(text)
		if got := show(f); got != want {
			t.Errorf("%q\n\tgot  %s\n\twant %s", text, got, want)
		}
		if f.Err != nil || f.Cut {
			t.Errorf("%q: refused: %v", text, f.Err)
		}
	}
}

// TestRefused are files that a builder refuses, with what is read of them
// nevertheless.
func TestRefused(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"FRO a\nRUN b":               "FRO |a|\nRUN |b|",
		"# escape=x\nRUN a":          "RUN |a|",
		"# escape=`\n#escape=\\\n":   "",
		"RUN <<E\nRUN a":             "RUN |<<E|\nRUN |a|",
		"RUN <<A <<B\nA\nRUN a":      "RUN |<<A <<B| A$\nRUN |a|",
		`RUN ["a", 1]`:               `RUN |["a", 1]|`,
		`CMD [null]`:                 `CMD |[null]|`,
		"ENV":                        "ENV",
		"ENV a":                      "ENV a",
		"ENV a=b c":                  "ENV a=[b] c",
		"ARG a=${b":                  "ARG a={b}",
		"ARG a=${b:c} d=e":           "ARG a={b} d=[e]",
		"ARG a=${} ":                 "ARG a=",
		`ARG a="b`:                   "ARG a=[b]",
		`ARG a='b`:                   "ARG a=",
		"FROM":                       "FROM ",
		"FROM a b":                   "FROM [a]",
		"FROM a AS":                  "FROM [a]",
		"HEALTHCHECK":                "HEALTHCHECK",
		"HEALTHCHECK a":              "HEALTHCHECK |a|",
		"ONBUILD ONBUILD RUN a":      "ONBUILD (ONBUILD |RUN a|)",
		"WORKDIR $" + nest(maxDepth): "",
	} {
		f := Parse(text)
		if got := show(f); got != want && want != "" {
			t.Errorf("%q\n\tgot  %s\n\twant %s", text, got, want)
		}
		if f.Err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}

// nest is a variable in the braces of a variable, and so on.
func nest(n int) string { return strings.Repeat("{a:-$", n) + "{b}" + strings.Repeat("}", n) }

func TestStages(t *testing.T) {
	t.Parallel()
	f := Parse("ARG a\nFROM b\nRUN c\nFROM d AS e\nONBUILD RUN f\nRUN g")
	var got []int
	for _, in := range f.Instructions {
		got = append(got, in.Stage)
	}
	if want := []int{-1, 0, 0, 1, 1, 1}; !reflect.DeepEqual(got, want) {
		t.Errorf("stages %v, want %v", got, want)
	}
}

func TestDirectives(t *testing.T) {
	t.Parallel()
	f := Parse("# syntax=docker/dockerfile:1\n#CHECK= skip=all \n# escape = `\n# escape=\\ of a comment\n")
	want := []Directive{
		{Span{0, 28}, "syntax", "docker/dockerfile:1"},
		{Span{29, 46}, "check", "skip=all"},
		{Span{47, 59}, "escape", "`"},
	}
	if !reflect.DeepEqual(f.Directives, want) || f.Escape != '`' || f.Err == nil {
		t.Errorf("%+v, escape %q, %v", f.Directives, f.Escape, f.Err)
	}
}

// TestPlaces says where parts of an instruction stand in the file.
func TestPlaces(t *testing.T) {
	t.Parallel()
	const text = "ENV a=b \\\n  # c\n  d=e$f\nRUN --g=h \\\n i <<J \\\n  k\nl\nJ\n"
	f := Parse(text)
	in := func(s Span) string { return text[s.Pos:s.End] }
	env, run := f.Instructions[0], f.Instructions[1]
	for _, c := range []struct{ got, want string }{
		{in(env.Pairs[1].Span), "d=e$f"},
		{text[env.Pairs[1].Value[1].Pos:][:2], "$f"},
		{in(run.Flags[0].Span), "--g=h"},
		{in(run.Docs[0].Span), "<<J"},
		{text[run.Docs[0].Lines[0].Pos:][:1], "l"},
		{in(run.Span), text[24 : len(text)-1]},
		{text[run.Args[0].Pos:run.Args[0].End()], "i <<J "},
		{text[run.Args[1].Pos:run.Args[1].End()], "  k"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

func TestScript(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"RUN <<E\na\nE": true, "RUN --a <<-'E' \n\ta\n\tE": true, "RUN <<E sh\na\nE": false, "RUN a": false, "COPY <<E\nE": false, "RUN <<A <<B\nA\nB": false, "RUN": false,
	} {
		if got := Parse(text).Instructions[0].Script() != nil; got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestFlag(t *testing.T) {
	t.Parallel()
	in := Parse("RUN --a=b --c --a=d e").Instructions[0]
	for name, want := range map[string]string{"a": "d true", "c": " true", "e": " false"} {
		value, set := in.Flag(name)
		if got := fmt.Sprint(value, " ", set); got != want {
			t.Errorf("--%s: %s, want %s", name, got, want)
		}
	}
}

// TestBounds gives the parser the largest files of shapes that would be too much
// work if a part of it were not linear: such a test would not end.
func TestBounds(t *testing.T) {
	t.Parallel()
	if f := Parse(strings.Repeat("RUN a\n", MaxText)); !f.Cut {
		t.Error("read to its end")
	}
	for _, piece := range []string{"RUN <<A\n", "RUN <<A <<B \\\n", "<<A ", "ENV a=$b\\\n", " a=$b \\\n", "${a:-", "'", "\"$", "\\\n", "--a ", "ONBUILD ", "[", "\t<<-A\n\tA\n", "# escape=`\n", "<<"} {
		for _, head := range []string{"RUN ", "ENV ", "", "ONBUILD RUN ", "COPY a", "WORKDIR "} {
			text := head + strings.Repeat(piece, (MaxText-len(head))/len(piece))
			if f := Parse(text); f.Cut {
				t.Errorf("%.20s…: not read to its end", text)
			}
		}
	}
}

// FuzzParse asks of any text that its instructions stand in it one behind the
// other, and that every piece of theirs is what stands there.
func FuzzParse(f *testing.F) {
	for text := range files() {
		f.Add(text)
	}
	for _, text := range []string{"RUN <<", "RUN <<-\n", "ENV $", "ENV a=${", "ENV a=${b/", "\\", "#escape=`\n`", "ONBUILD", "HEALTHCHECK CMD", "FROM \\\n", "RUN \x00<<\x00\n\x00", "RUN\v[\"a\"]", "\u0085RUN\u00a0a", "ARG a=\"$"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		file := Parse(text)
		at := 0
		for _, in := range file.Instructions {
			if in.Pos < at || in.End < in.Pos || in.End > len(text) {
				t.Fatalf("%q: %s is at %d to %d, behind %d", text, in.Name, in.Pos, in.End, at)
			}
			at = in.End
			checkInstruction(t, text, in)
		}
		if file.Err != nil && (file.Err.Pos < 0 || file.Err.Pos > len(text)) {
			t.Fatalf("%q: an error at %d", text, file.Err.Pos)
		}
		if show(file) != show(Parse(text)) {
			t.Fatalf("%q: two readings", text)
		}
	})
}

func checkInstruction(t *testing.T, text string, in *Instruction) {
	t.Helper()
	pieces := append(Text{}, in.Args...)
	var spans []Span
	for _, f := range in.Flags {
		spans = append(spans, f.Span)
	}
	for i := range in.Pairs {
		spans = append(spans, in.Pairs[i].Span)
	}
	for i := range in.Docs {
		spans = append(spans, in.Docs[i].Span)
		pieces = append(pieces, in.Docs[i].Lines...)
	}
	for _, p := range pieces {
		if p.Pos < in.Pos || p.End() > in.End || text[p.Pos:p.End()] != p.Text {
			t.Fatalf("%q: %q is not at %d", text, p.Text, p.Pos)
		}
	}
	for _, s := range spans {
		if s.Pos < in.Pos || s.End < s.Pos || s.End > in.End {
			t.Fatalf("%q: a part of %s is at %d to %d, outside %d to %d", text, in.Name, s.Pos, s.End, in.Pos, in.End)
		}
	}
	if in.Inner != nil {
		checkInstruction(t, text, in.Inner)
	}
}
