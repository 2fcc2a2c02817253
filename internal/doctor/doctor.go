package doctor

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/agent"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/install"
	"github.com/heedsh/heed/internal/own"
	"github.com/heedsh/heed/internal/self"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/risk"
)

// A Status is what came of a check.
type Status string

// The statuses.
const (
	OK      Status = "ok"
	Note    Status = "note"
	Problem Status = "problem"
)

// A Check is one thing that was looked at. Detail holds no bytes that are hostile
// to a terminal.
type Check struct {
	Name   string `json:"name"`
	Status Status `json:"status"`
	Detail string `json:"detail"`
	Next   string `json:"next,omitempty"` // what to do about a problem
}

// A Session is where heed is looked at.
type Session struct {
	Env     []string // NAME=VALUE
	Dir     string   // the current directory; "" if it is gone
	Version string   // of this heed, as people see it
	// Root stands for / in the paths of the administrator's settings; empty means that
	// of the system.
	Root string
}

// getenv returns a variable of the session, or "".
func (s *Session) getenv(name string) string {
	for i := len(s.Env) - 1; i >= 0; i-- {
		if v, ok := strings.CutPrefix(s.Env[i], name+"="); ok {
			return v
		}
	}
	return ""
}

// A doctor collects what it finds.
type doctor struct {
	Session
	checks []Check
}

// Examine looks at this program and its answers, at the settings of the agent
// that count for the session, and tries the hook that stands there.
func (s *Session) Examine(ctx context.Context) []Check {
	d := &doctor{Session: *s}
	program := d.program()
	d.answers(ctx)
	d.additions(ctx)
	d.claude(ctx, program, d.agents(ctx, program))
	return d.checks
}

func (d *doctor) ok(name, format string, args ...any)   { d.add(name, OK, "", format, args...) }
func (d *doctor) note(name, format string, args ...any) { d.add(name, Note, "", format, args...) }

// problem tells what is wrong and what to do next.
func (d *doctor) problem(name, next, format string, args ...any) {
	d.add(name, Problem, next, format, args...)
}

func (d *doctor) add(name string, status Status, next, format string, args ...any) {
	d.checks = append(d.checks, Check{name, status, explain.Visible(fmt.Sprintf(format, args...)), next})
}

// program looks at the program itself and what PATH says, and returns its
// path.
func (d *doctor) program() string {
	own, err := self.Path(d.getenv("PATH"))
	if err != nil {
		d.problem("program", "start heed by its absolute path", "%v", err)
		return ""
	}
	if why := self.Unfit(own, d.Dir, d.getenv("HOME")); why != "" {
		d.note("program", "%s, version %s; it %s", own, d.Version, why)
	} else {
		d.ok("program", "%s, version %s", own, d.Version)
	}
	switch found := self.OnPath(d.getenv("PATH"), "heed"); {
	case found == "":
		d.note("PATH", "no heed on PATH; the hook does not need it there")
	case self.Same(found, own):
		d.ok("PATH", "%s is this program", found)
	default:
		d.problem("PATH", "remove the one that you do not want; this one has version "+d.Version, "%s is another heed than this one", found)
	}
	return own
}

// answers assesses commands whose answers are known.
func (d *doctor) answers(ctx context.Context) {
	asked := service.New(service.Options{Near: []string{"/"}})
	c := asked.Known(nil).Catalog
	if _, ok := c.Lookup("rm"); !ok {
		d.problem("catalog", "build or install heed again", "the catalog does not load")
		return
	}
	d.ok("catalog", "%s", c.Digest())
	env := map[string]string{"HOME": "/home/heed-doctor", "PATH": "/usr/bin:/bin"}
	for command, want := range map[string]risk.Tier{"ls": risk.Safe, "rm -rf /": risk.Review} {
		a, err := asked.Assess(ctx, risk.Request{Command: command, Dir: "/", Env: env})
		if a.Tier != want || err != nil {
			d.problem("answers", "build or install heed again, and report it", "`%s` is %s, want %s: %s", command, a.Tier, want, a.Error)
			return
		}
	}
	d.ok("answers", "`ls` is SAFE and `rm -rf /` is REVIEW, as they must be")
}

// additions looks at what the person has added to heed. What is broken there raises
// every answer, as what it would have said is not known.
func (d *doctor) additions(ctx context.Context) {
	env := map[string]string{}
	for _, v := range d.Env {
		name, text, _ := strings.Cut(v, "=")
		env[name] = text
	}
	a, err := service.New(own.Options(d.Env)).Assess(ctx, risk.Request{Command: "ls", Dir: "/", Env: env})
	if err != nil {
		d.problem("additions", "heed check ls", "%v", err)
		return
	}
	whole := true
	for _, f := range a.Findings {
		if f.ID == "heed.layer-failed" {
			whole = false
			d.problem("additions", "correct the file (heed catalog check FILE), or import the rules again (heed rules import)", "%s: %s; until then every answer is CAUTION at least", f.Title, f.Evidence)
		}
	}
	if whole {
		d.ok("additions", "your own specs, rules and model, if there are any, are in force")
	}
}

// A source is one settings file of Claude Code.
type source struct {
	kind string // managed, user, project, local
	file string
	agent.Settings
}

// trusted reports whether the file is the user's or the administrator's own:
// what it names may be run to try it.
func (s *source) trusted() bool { return s.kind == "user" || s.kind == "managed" }

// sources reads the settings that count in the current directory.
func (d *doctor) sources() []source {
	var all []source
	for _, f := range d.managedFiles() {
		all = append(all, source{kind: "managed", file: f})
	}
	w := &agent.Where{Getenv: d.getenv, Dir: d.Dir}
	for _, scope := range []agent.Scope{agent.User, agent.Project, agent.Local} {
		targets, err := agent.Named(agent.ClaudeCode).Install.Targets(w, scope)
		switch {
		case err == nil:
			all = append(all, source{kind: scope.String(), file: targets[0].File})
		case scope == agent.User:
			d.note("settings", "%v", err)
		}
	}
	var read []source
	for _, src := range all {
		if slices.ContainsFunc(read, func(r source) bool { return self.Same(r.file, src.file) }) {
			continue // in the home directory, project and user are one
		}
		if d.read(&src) {
			read = append(read, src)
		}
	}
	return read
}

func (d *doctor) managedFiles() []string {
	targets, err := agent.Named(agent.ClaudeCode).Install.Targets(&agent.Where{Getenv: d.getenv, Root: d.Root}, agent.Managed)
	if err != nil {
		return nil
	}
	drop := filepath.Dir(targets[0].File)
	// The only error is a pattern that is none; this one is.
	more, _ := filepath.Glob(filepath.Join(drop, "*.json"))
	return append([]string{filepath.Join(filepath.Dir(drop), "managed-settings.json")}, more...)
}

// read reads one settings file; false if there is none to speak of.
func (d *doctor) read(src *source) bool {
	if !self.Exists(src.file) {
		return false
	}
	i, err := os.Stat(src.file)
	if err == nil && (!i.Mode().IsRegular() || i.Size() > install.MaxSize) {
		err = fmt.Errorf("it is no file that could hold settings")
	}
	var text []byte
	if err == nil {
		text, err = os.ReadFile(src.file)
	}
	if err == nil {
		src.Settings, err = agent.ReadSettings(text)
	}
	if err != nil {
		d.problem("settings", "correct the file: Claude Code leaves out settings that it cannot read", "%s: %v", src.file, err)
		return false
	}
	d.ok("settings", "%s (%s): %s", src.file, src.kind, hookCount(len(src.Hooks)))
	return true
}

func hookCount(n int) string {
	switch n {
	case 0:
		return "no hooks"
	case 1:
		return "1 hook"
	}
	return fmt.Sprintf("%d hooks", n)
}
