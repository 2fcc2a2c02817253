package dockerfile

import (
	"encoding/json"
	"strings"
	"unicode"
)

// blanks separate the words of an instruction.
const blanks = " \t\v\f\r"

func blank(c byte) bool { return strings.IndexByte(blanks, c) >= 0 }

// read reads an instruction from its joined lines, and the lines of its
// here-documents behind them.
func (p *parser) read(j joined, inner bool) *Instruction {
	from := len(j.s) - len(strings.TrimLeftFunc(j.s, unicode.IsSpace))
	end := from
	for end < len(j.s) && !blank(j.s[end]) {
		end++
	}
	in := &Instruction{Name: strings.ToUpper(j.s[from:end]), Span: j.span(from, max(from, len(j.s)))}
	end += p.flags(in, &j, end)
	p.rest(in, &j, end)
	in.Stage = p.stage
	switch in.Name {
	case "RUN", "COPY", "ADD":
		p.list(in)
		if !in.IsList {
			p.documents(in)
		}
	case "CMD", "ENTRYPOINT", "SHELL", "VOLUME":
		p.list(in)
	case "ENV", "LABEL", "ARG":
		p.pairs(in)
	case "FROM":
		if !inner {
			p.stage++
		}
		in.Stage = p.stage
		p.from(in)
	case "WORKDIR", "USER", "STOPSIGNAL":
		p.value(in)
	case "HEALTHCHECK":
		p.healthcheck(in)
	case "ONBUILD":
		switch {
		case inner:
			p.fail(in.Pos, "an ONBUILD behind ONBUILD")
		case len(in.Args) > 0:
			in.Inner = p.read(join(in.Args), true)
		}
	case "EXPOSE", "MAINTAINER":
	default:
		p.fail(in.Pos, "no instruction of a Dockerfile")
	}
	return in
}

// rest takes what stands from a byte on as the arguments, without the blanks
// around it.
func (p *parser) rest(in *Instruction, j *joined, from int) {
	from += len(j.s[from:]) - len(strings.TrimLeftFunc(j.s[from:], unicode.IsSpace))
	to := from + len(strings.TrimRightFunc(j.s[from:], unicode.IsSpace))
	in.Args = j.cut(from, to)
}

// flags reads the options before the arguments, and returns how long they are.
func (p *parser) flags(in *Instruction, j *joined, from int) int {
	for at := from; ; {
		for at < len(j.s) && blank(j.s[at]) {
			at++
		}
		if !strings.HasPrefix(j.s[at:], "--") {
			return at - from
		}
		word, n := flagWord(j.s[at:])
		if word == "--" {
			return at + n - from
		}
		f := Flag{Span: j.span(at, at+n)}
		f.Name, f.Value, f.Set = strings.Cut(word[len("--"):], "=")
		in.Flags = append(in.Flags, f)
		at += n
	}
}

// flagWord reads one option without its quotes, and returns how long it is.
func flagWord(s string) (word string, n int) {
	var b strings.Builder
	quote := byte(0)
	for ; n < len(s); n++ {
		switch c := s[n]; {
		case c == '\\':
			if n++; n < len(s) {
				b.WriteByte(s[n])
			}
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case quote == 0 && blank(c):
			return b.String(), n
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), len(s)
}

// list reads the exec form: a list of words in JSON. What is none is the shell
// form, but for lists of something else than words.
func (p *parser) list(in *Instruction) {
	if len(in.Args) == 0 || in.Args[0].Text[0] != '[' {
		return
	}
	var all []any
	if json.Unmarshal([]byte(in.Args.String()), &all) != nil {
		return
	}
	words := make([]string, len(all))
	for i, v := range all {
		word, isWord := v.(string)
		if !isWord {
			p.fail(in.Args[0].Pos, "a list of something else than words")
			return
		}
		words[i] = word
	}
	in.List, in.IsList = words, true
}

// healthcheck reads the CMD of HEALTHCHECK.
func (p *parser) healthcheck(in *Instruction) {
	j := join(in.Args)
	end := strings.IndexFunc(j.s, unicode.IsSpace)
	if end < 0 {
		end = len(j.s)
	}
	switch word := j.s[:end]; {
	case strings.EqualFold(word, "CMD"):
		cmd := &Instruction{Name: "CMD", Span: j.span(0, len(j.s)), Stage: in.Stage}
		p.rest(cmd, &j, end)
		p.list(cmd)
		in.Inner = cmd
	case !strings.EqualFold(word, "NONE"):
		p.fail(in.Pos, "neither CMD nor NONE")
	}
}

// from reads FROM image AS name.
func (p *parser) from(in *Instruction) {
	j := join(in.Args)
	words := fields(j.s)
	if len(words) == 0 {
		p.fail(in.Pos, "the image is missing")
		in.From = &From{}
		return
	}
	in.From = &From{}
	in.From.Image, in.From.Bad = p.word(&j, words[0].Pos, words[0].End)
	switch {
	case len(words) == 3 && strings.EqualFold(j.s[words[1].Pos:words[1].End], "AS"):
		in.From.Name = j.s[words[2].Pos:words[2].End]
	case len(words) > 1:
		p.fail(j.at(words[1].Pos), "more behind the image than AS and a name")
	}
}

// fields are the places of the words between blanks.
func fields(s string) []Span {
	var all []Span
	for at := 0; at < len(s); {
		end := at
		for end < len(s) && !blank(s[end]) {
			end++
		}
		if end > at {
			all = append(all, Span{at, end})
		}
		at = end + 1
	}
	return all
}

func (p *parser) value(in *Instruction) {
	j := join(in.Args)
	in.Value, in.BadValue = p.word(&j, 0, len(j.s))
}

// pairs reads ENV, ARG and LABEL: NAME=value …, for ENV and LABEL also the older
// form NAME the rest, for ARG also NAME alone.
func (p *parser) pairs(in *Instruction) {
	j := join(in.Args)
	words := p.quotedFields(j.s)
	if len(words) == 0 {
		p.fail(in.Pos, "a name is missing")
		return
	}
	if first := words[0]; in.Name != "ARG" && strings.IndexByte(j.s[first.Pos:first.End], '=') < 0 {
		end := strings.IndexAny(j.s, blanks)
		if end < 0 {
			p.fail(in.Pos, "a value is missing")
			in.Pairs = []Pair{{Span: j.span(0, len(j.s)), Name: j.s}}
			return
		}
		value := end + len(j.s[end:]) - len(strings.TrimLeft(j.s[end:], blanks))
		pair := Pair{Span: j.span(0, len(j.s)), Name: j.s[:end], Set: true}
		pair.Value, pair.Bad = p.word(&j, value, len(j.s))
		in.Pairs = []Pair{pair}
		return
	}
	for _, w := range words {
		pair := Pair{Span: j.span(w.Pos, w.End)}
		pair.Name, _, pair.Set = strings.Cut(j.s[w.Pos:w.End], "=")
		switch {
		case pair.Set:
			pair.Value, pair.Bad = p.word(&j, w.Pos+len(pair.Name)+1, w.End)
		case in.Name != "ARG":
			p.fail(pair.Pos, "a name without =")
		}
		in.Pairs = append(in.Pairs, pair)
	}
}

// quotedFields are the places of the words between blanks that are neither quoted
// nor escaped.
func (p *parser) quotedFields(s string) []Span {
	var all []Span
	start, quote := -1, byte(0)
	for i := 0; i < len(s); i++ {
		c := s[i]
		if quote == 0 && blank(c) {
			if start >= 0 {
				all = append(all, Span{start, i})
			}
			start = -1
			continue
		}
		if start < 0 {
			start = i
		}
		switch {
		case c == p.file.Escape && quote != '\'':
			i++
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case c == quote:
			quote = 0
		}
	}
	if start >= 0 {
		all = append(all, Span{start, len(s)})
	}
	return all
}
