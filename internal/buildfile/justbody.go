package buildfile

import (
	"path"
	"strings"

	"github.com/heedsh/heed/internal/lang/just"
	"github.com/heedsh/heed/internal/value"
)

// body is what the lines of a recipe run: each by itself, or all as one
// script.
func (j *Just) body(r *just.Recipe, local map[string]value.Value, args []value.Value) []Job {
	job := Job{Recipe: r.Name, Dir: j.dir, Words: j.shell, Setup: j.Exported()}
	block := false
	positional := j.args
	for _, a := range r.Attributes {
		switch a.Name {
		case "script":
			block = true
			job.Words = orElse(j.texts(a.Args), j.script)
		case "no-cd":
			job.Dir = j.site.Dir
		case "working-directory":
			if len(a.Args) == 1 {
				job.Dir = j.below(j.eval(a.Args[0], local, 0))
			}
		case "positional-arguments":
			positional = true
		}
	}
	for _, p := range r.Params {
		if p.Export || j.all {
			job.Setup = append(job.Setup, Variable{p.Name, local[p.Name]})
		}
	}
	if positional && args != nil {
		job.Args = append([]value.Value{value.Lit(r.Name)}, args...)
	}
	start := 0
	for start < len(r.Body) && blank(r.Body[start]) {
		start++
	}
	if start < len(r.Body) && (block || strings.HasPrefix(leading(r.Body[start]), "#!")) {
		return j.whole(job, r.Body[start:], local)
	}
	var out []Job
	for i := start; i < len(r.Body); i++ {
		pieces := j.pieces(r.Body[i], local)
		for continued(pieces) && i+1 < len(r.Body) {
			i++
			last := &pieces[len(pieces)-1]
			text, _ := last.Value.Known()
			if last.Value = value.Lit(text[:len(text)-1]); last.Value.Empty() {
				pieces = pieces[:len(pieces)-1]
			}
			next := Command{Pieces: j.pieces(r.Body[i], local)}
			next.trim(" \t")
			pieces = append(pieces, next.Pieces...)
		}
		one := job
		one.Pieces = pieces
		if one.trim("@- \t"); !one.idle() {
			out = append(out, one)
		}
	}
	return out
}

// blank reports whether a line is empty.
func blank(l just.Line) bool { return len(l.Parts) == 0 }

// leading is the text that a line begins with.
func leading(l just.Line) string {
	if len(l.Parts) > 0 {
		if t, ok := l.Parts[0].(*just.Text); ok {
			return t.Text
		}
	}
	return ""
}

// continued reports whether a line goes on with the next one.
func continued(pieces []Piece) bool {
	n := len(pieces)
	return n > 0 && pieces[n-1].Copied && strings.HasSuffix(pieces[n-1].Value.Suffix(), `\`)
}

// whole is a recipe that is one script.
func (j *Just) whole(job Job, body []just.Line, local map[string]value.Value) []Job {
	job.Script = true
	if words := shebang(leading(body[0])); len(words) > 0 {
		job.Words = words
	}
	for i, l := range body {
		job.Pieces = append(job.Pieces, j.pieces(l, local)...)
		if i < len(body)-1 {
			_, end := l.At, l.At
			if k := len(l.Parts); k > 0 {
				_, end = l.Parts[k-1].Span()
			}
			job.Pieces = append(job.Pieces, Piece{Value: value.Lit("\n"), At: end})
		}
	}
	return []Job{job}
}

// shebang reads the program of a script's first line.
func shebang(line string) []string {
	rest, ok := strings.CutPrefix(line, "#!")
	if !ok {
		return nil
	}
	all := strings.Fields(rest)
	if len(all) > 1 && path.Base(all[0]) == "env" {
		all = all[1:]
		for len(all) > 1 && (strings.HasPrefix(all[0], "-") || strings.Contains(all[0], "=")) {
			all = all[1:]
		}
	}
	return all
}

// pieces replaces {{ EXPRESSION }} in a line.
func (j *Just) pieces(l just.Line, local map[string]value.Value) []Piece {
	out := make([]Piece, 0, len(l.Parts))
	for _, p := range l.Parts {
		at, end := p.Span()
		switch p := p.(type) {
		case *just.Text:
			out = append(out, Piece{Value: value.Lit(p.Text), At: at, Copied: true})
		case *just.Interpolation:
			if v := named(j.eval(p.Value, local, 0), j.src[at:end]); !v.Empty() {
				out = append(out, Piece{Value: v, At: at})
			}
		}
	}
	return out
}
