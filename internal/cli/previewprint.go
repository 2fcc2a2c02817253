package cli

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/preview"
)

// How much of a preview is printed as text; --json prints all.
const (
	shownChanges = 200
	shownLines   = 400 // of differences, all together
)

// before is what is printed before the command runs.
func (p *previewing) before() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", badge(p.s, p.answer.Tier), p.answer.Summary)
	for _, text := range p.beyond {
		fmt.Fprintf(&b, "  not previewed: %s\n", text)
	}
	for _, text := range p.notes {
		fmt.Fprintf(&b, "  %s\n", text)
	}
	return b.String()
}

// after is what is printed of what came of it.
func (p *previewing) after(r *preview.Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "preview: %s\n", p.ending(r))
	shown, own := apartFromGit(r.Changes)
	for i := range shown {
		if i == shownChanges {
			fmt.Fprintf(&b, "  … and %d more (--json lists all)\n", len(shown)-i)
			break
		}
		fmt.Fprintf(&b, "  %s\n", p.changeLine(&shown[i]))
	}
	if len(own) > 0 {
		fmt.Fprintf(&b, "  in git's own objects, logs and index: %s (--json lists them)\n", plural(len(own), "change"))
	}
	if len(r.Changes) == 0 {
		b.WriteString("  it changes nothing here\n")
	}
	for _, x := range r.Refused {
		fmt.Fprintf(&b, "  refused: %s tried to %s\n", explain.Visible(cmp.Or(x.Program, "it")), explain.Visible(strings.TrimSpace(x.Deed+" "+p.near(x.Target))))
	}
	for _, secret := range r.Secrets {
		fmt.Fprintf(&b, "  hidden: it read a placeholder in the place of %s (--secret lets it be read)\n", explain.Visible(p.near(secret)))
	}
	if r.Scratch > 0 {
		fmt.Fprintf(&b, "  thrown away: %s in temporary directories and caches\n", plural(r.Scratch, "file"))
	}
	if r.Left > 0 {
		fmt.Fprintf(&b, "  left running, and ended: %s\n", plural(r.Left, "process"))
	}
	if len(r.Programs) > 0 {
		fmt.Fprintf(&b, "  programs: %s\n", explain.Visible(strings.Join(r.Programs, ", ")))
	}
	diffs(&b, shown)
	output(&b, "output", &r.Stdout)
	output(&b, "error output", &r.Stderr)
	return b.String()
}

// apartFromGit parts changes from those of files that git keeps for itself, in which
// nobody reads. Branches, settings and hooks are none.
func apartFromGit(changes []preview.Change) (shown, own []preview.Change) {
	for i := range changes {
		_, inside, _ := strings.Cut(changes[i].Path, "/.git/")
		if rest, ok := strings.CutPrefix(inside, "worktrees/"); ok {
			_, inside, _ = strings.Cut(rest, "/")
		}
		first, _, _ := strings.Cut(inside, "/")
		if slices.Contains([]string{"objects", "logs", "index", "COMMIT_EDITMSG", "ORIG_HEAD"}, first) {
			own = append(own, changes[i])
		} else {
			shown = append(shown, changes[i])
		}
	}
	return shown, own
}

// ending says how the command ended.
func (p *previewing) ending(r *preview.Result) string {
	text := fmt.Sprintf("exit code %d", r.Exit)
	if r.Signal != 0 {
		text = fmt.Sprintf("ended by signal %d", r.Signal)
	}
	switch r.Limit {
	case "time":
		text = "ended after " + p.o.limits.Time.String() + ", the limit (--timeout)"
	case "size":
		text += "; it reached the limit of what it may write (--max-size " + p.o.size + ")"
	case "processes":
		text = fmt.Sprintf("ended: it started more than %s at the same time, the limit (--max-processes)", plural(p.o.limits.Processes, "process"))
	}
	return text + ", " + r.Took.Round(time.Millisecond).String()
}

// near is a path as it is written from where the command runs.
func (p *previewing) near(path string) string {
	if rel, err := filepath.Rel(p.req.Dir, path); path != "" && filepath.IsAbs(path) && err == nil && !strings.HasPrefix(rel, "..") {
		return rel
	}
	if home := p.req.Env["HOME"]; home != "" && home != "/" && strings.HasPrefix(path, home+"/") {
		return "~" + strings.TrimPrefix(path, home)
	}
	return path
}

// changeLine is one change in one line.
func (p *previewing) changeLine(c *preview.Change) string {
	name := explain.Visible(p.near(c.Path))
	if c.Type == "directory" {
		name += "/"
	}
	var more []string
	add := func(format string, args ...any) { more = append(more, fmt.Sprintf(format, args...)) }
	switch {
	case c.Was != "":
		add("a %s in the place of a %s", c.Type, c.Was)
	case c.Type != "file" && c.Type != "directory":
		add("a %s", c.Type)
	}
	if c.Names != "" {
		what := "to"
		if c.Type == "file" {
			what = "another name of"
		}
		add("%s %s", what, explain.Visible(p.near(c.Names)))
	}
	switch {
	case c.Files > 0:
		add("%s, %s", plural(c.Files, "file"), sized(max(c.Size, c.Old)))
	case c.Kind == preview.Changed && c.Type == "file" && c.Diff == "":
		add("%s -> %s", sized(c.Old), sized(c.Size))
	case c.Kind == preview.Changed && c.Type == "file":
		plus, minus := added(c.Diff)
		add("+%d -%d", plus, minus)
	case c.Type == "file" && c.Kind != preview.Attributes:
		add("%s", sized(max(c.Size, c.Old)))
	}
	for _, text := range []string{c.Mode, c.Owner} {
		if text != "" {
			add("%s", text)
		}
	}
	if c.Times {
		add("its times")
	}
	if c.Attrs {
		add("its extended attributes")
	}
	if c.Secret {
		add("it holds a placeholder of a secret")
	}
	if c.Linked > 0 && c.Kind == preview.Changed {
		add("the file has %s, which would change with it", plural(c.Linked, "other name"))
	}
	if c.Moved {
		add("somebody else changed it meanwhile")
	}
	text := fmt.Sprintf("%-10s %s", c.Kind, name)
	if len(more) > 0 {
		text += "  (" + strings.Join(more, "; ") + ")"
	}
	return text
}

// diffs prints the differences.
func diffs(b *strings.Builder, changes []preview.Change) {
	left := shownLines
	for i := range changes {
		for line := range strings.Lines(changes[i].Diff) {
			if left--; left < 0 {
				b.WriteString("… more differences (--json has all)\n")
				return
			}
			fmt.Fprintf(b, "%s\n", visibleLine(line))
		}
	}
}

// visibleLine is a line of a text, as it can be shown: tabs stay.
func visibleLine(line string) string {
	parts := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
	for i := range parts {
		parts[i] = explain.Visible(parts[i])
	}
	return strings.Join(parts, "\t")
}

// added counts the lines that a difference adds and takes.
func added(diff string) (plus, minus int) {
	for line := range strings.Lines(diff) {
		switch {
		case strings.HasPrefix(line, "+++ "), strings.HasPrefix(line, "--- "):
		case strings.HasPrefix(line, "+"):
			plus++
		case strings.HasPrefix(line, "-"):
			minus++
		}
	}
	return plus, minus
}

// output prints what the command has printed.
func output(b *strings.Builder, what string, o *preview.Output) {
	if o.Text == "" {
		return
	}
	fmt.Fprintf(b, "%s:\n", what)
	for line := range strings.Lines(o.Text) {
		fmt.Fprintf(b, "  %s\n", visibleLine(line))
	}
	if o.Dropped > 0 {
		fmt.Fprintf(b, "  … and %s more\n", sized(o.Dropped))
	}
}

// sized is a number of bytes.
func sized(n int64) string {
	switch {
	case n == 1:
		return "1 byte"
	case n < 10_000:
		return fmt.Sprintf("%d bytes", n)
	case n < 10_000_000:
		return fmt.Sprintf("%d KB", n/1000)
	}
	return fmt.Sprintf("%d MB", n/1_000_000)
}
