package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/agent"
	"github.com/heedsh/heed/internal/assess"
	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/hooks"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/risk"
	"github.com/spf13/cobra"
)

func newDoctor(s Streams) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Check that heed works and that the agent asks it",
		Long: `doctor checks, one by one: this program, its catalog and its answers; the
settings of Claude Code that count in the current directory; that the hook is in
them, complete and not switched off; other hooks that could let a command pass;
and it runs the hook, if it is this very program or stands in your own settings,
as the agent would, to show what it answers and how fast.

It exits with 6 if something is wrong, and says for each problem what to do.`,
		Example: "  heed doctor\n  heed doctor --json",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			d := &doctor{s: s, managed: claudeManagedDir()}
			d.examine()
			return d.report(asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the checks as JSON")
	return c
}

// claudeManagedDir is where an administrator's settings of Claude Code are.
// Source: https://code.claude.com/docs/en/managed-settings
func claudeManagedDir() string {
	if runtime.GOOS == "darwin" {
		return "/Library/Application Support/ClaudeCode"
	}
	return "/etc/claude-code"
}

// A checkup is one line of the doctor's report.
type checkup struct {
	Name   string `json:"name"`
	Status string `json:"status"` // ok, note or problem
	Detail string `json:"detail"`
	Next   string `json:"next,omitempty"` // what to do about it
}

// A doctor collects what it finds.
type doctor struct {
	s       Streams
	managed string // the directory of the administrator's settings
	checks  []checkup
}

func (d *doctor) ok(name, format string, args ...any)   { d.add(name, "ok", "", format, args...) }
func (d *doctor) note(name, format string, args ...any) { d.add(name, "note", "", format, args...) }

// problem tells what is wrong and what to do next.
func (d *doctor) problem(name, next, format string, args ...any) {
	d.add(name, "problem", next, format, args...)
}

func (d *doctor) add(name, status, next, format string, args ...any) {
	d.checks = append(d.checks, checkup{name, status, explain.Visible(fmt.Sprintf(format, args...)), next})
}

func (d *doctor) examine() {
	self := d.program()
	d.answers()
	d.claude(self)
}

// program looks at the program itself and what PATH says, and returns its
// path.
func (d *doctor) program() string {
	self, err := ownPath(d.s)
	if err != nil {
		d.problem("program", "start heed by its absolute path", "%v", err)
		return ""
	}
	if why := unfit(d.s, self); why != "" {
		d.note("program", "%s, version %s; it %s", self, version(), why)
	} else {
		d.ok("program", "%s, version %s", self, version())
	}
	switch found := onPath(d.s, "heed"); {
	case found == "":
		d.note("PATH", "no heed on PATH; the hook does not need it there")
	case sameFile(found, self):
		d.ok("PATH", "%s is this program", found)
	default:
		d.problem("PATH", "remove the one that you do not want; this one has version "+version(), "%s is another heed than this one", found)
	}
	return self
}

// answers assesses commands whose answers are known.
func (d *doctor) answers() {
	c := catalog.New(hooks.All())
	if _, ok := c.Lookup("rm"); !ok {
		d.problem("catalog", "build or install heed again", "the catalog does not load")
		return
	}
	d.ok("catalog", "%s", c.Digest())
	env := map[string]string{"HOME": "/home/heed-doctor", "PATH": "/usr/bin:/bin"}
	for command, want := range map[string]risk.Tier{"ls": risk.Safe, "rm -rf /": risk.Review} {
		a := assessHere(risk.Request{Command: command, Dir: "/", Env: env}, assess.New())
		if a.Tier != want || a.Error != "" {
			d.problem("answers", "build or install heed again, and report it", "`%s` is %s, want %s: %s", command, a.Tier, want, a.Error)
			return
		}
	}
	d.ok("answers", "`ls` is SAFE and `rm -rf /` is REVIEW, as they must be")
}

// report prints the checks. With a problem the exit code says so.
func (d *doctor) report(asJSON bool) error {
	sick := slices.ContainsFunc(d.checks, func(c checkup) bool { return c.Status == "problem" })
	var out string
	if asJSON {
		b, err := json.MarshalIndent(struct {
			OK     bool      `json:"ok"`
			Checks []checkup `json:"checks"`
		}{!sick, d.checks}, "", "  ")
		if err != nil {
			return fmt.Errorf("writing the report: %w", err)
		}
		out = string(b) + "\n"
	} else {
		out = d.text()
	}
	if err := write(d.s.Out, out); err != nil {
		return err
	}
	if sick {
		return &exitError{code: ExitProblem}
	}
	return nil
}

func (d *doctor) text() string {
	var b strings.Builder
	problems := 0
	for _, c := range d.checks {
		fmt.Fprintf(&b, "%-8s %-10s %s\n", c.Status, c.Name, c.Detail)
		if c.Next != "" {
			problems++
			fmt.Fprintf(&b, "%-8s %-10s next: %s\n", "", "", c.Next)
		}
	}
	switch problems {
	case 0:
		b.WriteString("All is well.\n")
	case 1:
		b.WriteString("1 problem.\n")
	default:
		fmt.Fprintf(&b, "%d problems.\n", problems)
	}
	return b.String()
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
	if dir, err := claudeUserDir(d.s); err != nil {
		d.note("settings", "%v", err)
	} else {
		all = append(all, source{kind: "user", file: filepath.Join(dir, "settings.json")})
	}
	if d.s.Dir != "" {
		all = append(all,
			source{kind: "project", file: filepath.Join(d.s.Dir, ".claude", "settings.json")},
			source{kind: "local", file: filepath.Join(d.s.Dir, ".claude", "settings.local.json")})
	}
	var read []source
	for _, src := range all {
		if slices.ContainsFunc(read, func(r source) bool { return sameFile(r.file, src.file) }) {
			continue // in the home directory, project and user are one
		}
		if d.read(&src) {
			read = append(read, src)
		}
	}
	return read
}

func (d *doctor) managedFiles() []string {
	files := []string{filepath.Join(d.managed, "managed-settings.json")}
	// The only error is a pattern that is none; this one is.
	more, _ := filepath.Glob(filepath.Join(d.managed, "managed-settings.d", "*.json"))
	return append(files, more...)
}

// read reads one settings file; false if there is none to speak of.
func (d *doctor) read(src *source) bool {
	if !exists(src.file) {
		return false
	}
	i, err := os.Stat(src.file)
	if err == nil && (!i.Mode().IsRegular() || i.Size() > maxSettings) {
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
