package scan

import (
	"path"

	"github.com/heedsh/heed/internal/buildfile"
)

// justfile takes every recipe of a justfile, and the commands that its
// assignments run for what they print.
func (f *Found) justfile(file *File) {
	at := ""
	if file.Dir != "" {
		at = path.Join(file.Dir, path.Base(file.Name))
	}
	j := buildfile.NewJust(file.site(), at)
	j.Read(file.Text)
	base := Command{Place: Beside, Env: known(j.Exported())}
	base.in(j.Dir(), file)
	for _, p := range j.Backticks() {
		c := base
		c.Name, c.Shell = p.Name, recipeShell(j.Shell())
		f.add(c.of(p.Pieces))
	}
	for _, job := range j.Recipes() {
		c := base
		c.Name, c.Env = job.Recipe, known(job.Setup)
		c.in(job.Dir, file)
		c.Shell, c.Steps = recipeShell(job.Words), job.Script
		if runner, ok := language(c.Shell); ok && len(job.Pieces) > 0 {
			v := job.Value()
			w := &writer{}
			w.put(foreign(runner, v.String()), job.Pieces[0].At)
			c.Shell, c.Steps = "sh", false
			f.add(w.command(c))
			continue
		}
		f.add(c.of(job.Pieces))
	}
	for _, at := range j.Unread() {
		f.problem(at, "", "a line of it is no recipe, assignment or setting")
	}
}

// in says in which directory a command runs, if it is not that of its file.
func (c *Command) in(dir string, file *File) {
	if c.Dir = dir; dir == file.Dir {
		c.Dir = ""
	}
}
