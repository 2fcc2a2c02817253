package scenario

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/assess"
	"github.com/heedsh/heed/internal/replay/tell"
	"github.com/heedsh/heed/internal/shell/fronts"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/fakeworld"
	"github.com/heedsh/heed/risk"
)

// A Case is one command in one world.
type Case struct {
	Line    int    // of the `$`, from 1
	World   string // the world's title
	Setup   string // the world's statements
	Request risk.Request
	Answer  []string // as the file has it
	first   int      // line index of the answer
}

// A File is a parsed scenario file.
type File struct {
	Name  string
	Cases []Case
	lines []string
}

// Parse reads a scenario file.
func Parse(name, text string) (*File, error) {
	f := &File{Name: name, lines: strings.Split(strings.TrimSuffix(text, "\n"), "\n")}
	title, setup := "", ""
	for i := 0; i < len(f.lines); {
		line := f.lines[i]
		switch {
		case strings.HasPrefix(line, "world"):
			title, setup = strings.TrimSpace(strings.TrimPrefix(line, "world")), ""
			for i++; i < len(f.lines) && (strings.HasPrefix(f.lines[i], "    ") || f.lines[i] == "" && blankInside(f.lines, i)); i++ {
				setup += strings.TrimPrefix(f.lines[i], "    ") + "\n"
			}
		case strings.HasPrefix(line, "$ "):
			c := Case{Line: i + 1, World: title, Setup: setup}
			text := line[2:]
			for i++; i < len(f.lines) && (strings.HasPrefix(f.lines[i], "> ") || f.lines[i] == ">"); i++ {
				text += "\n" + strings.TrimPrefix(strings.TrimPrefix(f.lines[i], ">"), " ")
			}
			if err := c.request(text); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", name, c.Line, err)
			}
			c.first = i
			for ; i < len(f.lines) && f.lines[i] != "" && !strings.HasPrefix(f.lines[i], "$ ") && !strings.HasPrefix(f.lines[i], "world") && !strings.HasPrefix(f.lines[i], "#"); i++ {
				c.Answer = append(c.Answer, f.lines[i])
			}
			f.Cases = append(f.Cases, c)
		case line == "" || strings.HasPrefix(line, "#"):
			i++
		default:
			return nil, fmt.Errorf("%s:%d: expected `world`, `$ command`, a comment or a blank line", name, i+1)
		}
	}
	return f, nil
}

// blankInside reports whether a blank line stands between a world's statements.
func blankInside(lines []string, i int) bool {
	return i+1 < len(lines) && strings.HasPrefix(lines[i+1], "    ")
}

// request reads the braces before a command.
func (c *Case) request(text string) error {
	c.Request = risk.Request{Env: map[string]string{}}
	shells := fronts.All().Dialects()
	for strings.HasPrefix(text, "{") {
		word, rest, ok := strings.Cut(text[1:], "} ")
		if !ok {
			break
		}
		key, arg, _ := strings.Cut(word, " ")
		name, val, assign := strings.Cut(word, "=")
		switch {
		case slices.Contains(shells, key):
			c.Request.Shell = key
		case key == "from":
			c.Request.Provenance = risk.Provenance(arg)
		case key == "workspace":
			c.Request.Workspaces = append(c.Request.Workspaces, arg)
		case key == "dir":
			c.Request.Dir = arg
		case assign && name != "" && !strings.ContainsAny(name, " ,"):
			c.Request.Env[name] = val
		default: // a brace that belongs to the command
			c.Request.Command = text
			return nil
		}
		text = rest
	}
	c.Request.Command = text
	return nil
}

// Assess answers a case.
func (c *Case) Assess(a *assess.Assessor) (risk.Assessment, error) {
	return c.AssessIn(a, func(w *world.World) *world.World { return w })
}

// AssessIn is Assess in what a function makes of the case's world.
func (c *Case) AssessIn(a *assess.Assessor, of func(*world.World) *world.World) (risk.Assessment, error) {
	w, dir, env, err := fakeworld.Parse(c.Setup)
	if err != nil {
		return risk.Assessment{}, fmt.Errorf("world %q: %w", c.World, err)
	}
	req := c.Request
	if req.Dir == "" {
		req.Dir = dir
	}
	for k, v := range req.Env {
		env[k] = v
	}
	req.Env = env
	out, _, _ := a.Assess(context.Background(), of(w), req) // a failure is an answer like another: it says so
	return out, nil
}

// Format writes an assessment as the answer of a case.
func Format(a *risk.Assessment) []string { return tell.Format(a) }

// Update returns the file's text with the given answers, one for each case.
func (f *File) Update(answers [][]string) string {
	var b strings.Builder
	at := 0
	for i := range f.Cases {
		c := &f.Cases[i]
		for ; at < c.first; at++ {
			b.WriteString(f.lines[at] + "\n")
		}
		for _, l := range answers[i] {
			b.WriteString(l + "\n")
		}
		at += len(c.Answer)
	}
	for ; at < len(f.lines); at++ {
		b.WriteString(f.lines[at] + "\n")
	}
	return b.String()
}
