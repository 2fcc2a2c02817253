package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/heedsh/heed/internal/agent"
	"github.com/heedsh/heed/internal/explain"
	"github.com/spf13/cobra"
)

type installOptions struct {
	user, project, local, dryRun, uninstall bool
}

func newInstall(s Streams) *cobra.Command {
	o := &installOptions{}
	c := &cobra.Command{
		Use:   "install AGENT",
		Short: "Let a coding agent ask heed before every command",
		Long: `install adds heed's hook to the agent's settings, and changes nothing else in
them. The file as it was is kept beside it (settings.json.heed-backup). Running it
again changes nothing; --uninstall takes the hook out again.

AGENT is claude-code. Its settings are ~/.claude/settings.json (or the one in
$CLAUDE_CONFIG_DIR) for all of your projects; with --project
.claude/settings.json, with --local .claude/settings.local.json of the current
directory, which is the one that you start the agent in.`,
		Example: `  heed install claude-code --dry-run
  heed install claude-code
  heed install claude-code --uninstall`,
		Args: oneAgent,
		RunE: func(*cobra.Command, []string) error { return runInstall(s, o) },
	}
	f := c.Flags()
	f.BoolVar(&o.user, "user", false, "guard every project of yours (default)")
	f.BoolVar(&o.project, "project", false, "guard this project, for everybody who has its settings")
	f.BoolVar(&o.local, "local", false, "guard this project, for you alone")
	f.BoolVar(&o.dryRun, "dry-run", false, "show what would change and change nothing")
	f.BoolVar(&o.uninstall, "uninstall", false, "take the hook out again")
	c.MarkFlagsMutuallyExclusive("user", "project", "local")
	c.ValidArgs = []string{agent.ClaudeCode}
	return c
}

func oneAgent(c *cobra.Command, args []string) error {
	if len(args) != 1 || args[0] != agent.ClaudeCode {
		return fmt.Errorf("name the agent: %s %s", c.CommandPath(), agent.ClaudeCode)
	}
	return nil
}

func runInstall(s Streams, o *installOptions) error {
	at, err := claudeSettings(s, o)
	if err != nil {
		return err
	}
	file, err := openSettings(at)
	if err != nil {
		return err
	}
	if o.uninstall {
		return runUninstall(s, o, file)
	}
	heed, err := ownPath(s)
	if err != nil {
		return err
	}
	after, err := agent.InstallClaudeCode(file.text, heed)
	if err != nil {
		return fmt.Errorf("%s: %w; heed changes nothing in it", file.name, err)
	}
	warnPath(s, heed)
	if file.text != nil && bytes.Equal(after, file.text) {
		return write(s.Out, "heed is installed in "+explain.Visible(file.name)+" already\n")
	}
	if o.dryRun {
		return write(s.Out, "would change "+explain.Visible(file.name)+":\n"+changes(file.text, after))
	}
	if err := file.replace(after); err != nil {
		return err
	}
	return write(s.Out, "installed in "+explain.Visible(file.name)+file.backupNote()+
		"\nAgents that you start from now on ask heed before every command; heed doctor tries it.\n")
}

// runUninstall takes the hook out. The file as it was before is put back to
// the byte if only the hook has changed since.
func runUninstall(s Streams, o *installOptions, file *settingsFile) error {
	after, err := file.withoutHook()
	if err != nil {
		return fmt.Errorf("%s: %w; heed changes nothing in it", file.name, err)
	}
	if bytes.Equal(after, file.text) {
		return write(s.Out, "heed is not installed in "+explain.Visible(file.name)+"\n")
	}
	if o.dryRun {
		return write(s.Out, "would change "+explain.Visible(file.name)+":\n"+changes(file.text, after))
	}
	if after == nil {
		if err := os.Remove(file.name); err != nil {
			return fmt.Errorf("removing the settings file that held nothing but heed's hook: %w", err)
		}
		return write(s.Out, "removed "+explain.Visible(file.name)+", which held nothing but heed's hook\n")
	}
	if err := file.replace(after); err != nil {
		return err
	}
	return write(s.Out, "took heed's hook out of "+explain.Visible(file.name)+file.backupNote()+"\n")
}

// changes shows the lines in which two texts differ, as one block. The rest of
// the settings is not shown: it may hold keys.
func changes(before, after []byte) string {
	old, now := strings.SplitAfter(string(before), "\n"), strings.SplitAfter(string(after), "\n")
	first := 0
	for first < len(old) && first < len(now) && old[first] == now[first] {
		first++
	}
	last := 0
	for last < len(old)-first && last < len(now)-first && old[len(old)-1-last] == now[len(now)-1-last] {
		last++
	}
	var b strings.Builder
	show := func(sign string, lines []string) {
		for _, l := range lines {
			if l = strings.TrimRight(l, "\r\n"); l != "" {
				b.WriteString(sign + explain.Visible(l) + "\n")
			}
		}
	}
	show("- ", old[first:len(old)-last])
	show("+ ", now[first:len(now)-last])
	return b.String()
}

// value returns a variable of the environment of a process.
func (s Streams) value(name string) string {
	for i := len(s.Env) - 1; i >= 0; i-- {
		if v, ok := strings.CutPrefix(s.Env[i], name+"="); ok {
			return v
		}
	}
	return ""
}

// A place is where a settings file is, and the directory that it may not lead
// out of.
type settingsPlace struct{ file, inside string }

// claudeSettings finds the settings file that the flags name. Project settings
// are those of the directory that Claude Code is started in, not of the top of
// the repository (seen with 2.1.329).
func claudeSettings(s Streams, o *installOptions) (settingsPlace, error) {
	if o.project || o.local {
		if s.Dir == "" {
			return settingsPlace{}, errors.New("the current directory is gone: go to the project first")
		}
		name := "settings.json"
		if o.local {
			name = "settings.local.json"
		}
		return settingsPlace{filepath.Join(s.Dir, ".claude", name), filepath.Join(s.Dir, ".claude")}, nil
	}
	dir, err := claudeUserDir(s)
	return settingsPlace{filepath.Join(dir, "settings.json"), dir}, err
}

// claudeUserDir is where Claude Code keeps the settings of a user.
func claudeUserDir(s Streams) (string, error) {
	if dir := s.value("CLAUDE_CONFIG_DIR"); dir != "" {
		if !filepath.IsAbs(dir) {
			return "", fmt.Errorf("CLAUDE_CONFIG_DIR is %s, which is no absolute path", explain.Visible(dir))
		}
		return filepath.Clean(dir), nil
	}
	home := s.value("HOME")
	if !filepath.IsAbs(home) {
		return "", errors.New("HOME is not set: it says where the settings are")
	}
	return filepath.Join(home, ".claude"), nil
}

// ownPath is the absolute path of this program: by the name under which PATH
// finds it, if that is the same file, because that name outlives an upgrade.
func ownPath(s Streams) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("finding heed's own path: %w", err)
	}
	if found := onPath(s, "heed"); found != "" && sameFile(found, self) {
		self = found
	}
	if !filepath.IsAbs(self) || !utf8.ValidString(self) {
		return "", fmt.Errorf("heed's own path is %s: put heed under a plain absolute path first", explain.Visible(self))
	}
	return filepath.Clean(self), nil
}

// onPath finds a program as a shell would; only absolute directories count.
func onPath(s Streams, name string) string {
	for _, dir := range filepath.SplitList(s.value("PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if p := filepath.Join(dir, name); executable(p) == nil {
			return p
		}
	}
	return ""
}

func executable(name string) error {
	i, err := os.Stat(name)
	switch {
	case err != nil:
		return err
	case !i.Mode().IsRegular():
		return errors.New("it is not a file")
	case i.Mode().Perm()&0o111 == 0:
		return errors.New("it is not executable")
	}
	return nil
}

func sameFile(a, b string) bool {
	i, err := os.Stat(a)
	if err != nil {
		return false
	}
	j, err := os.Stat(b)
	return err == nil && os.SameFile(i, j)
}

// warnPath tells of a place where a guard does not belong.
func warnPath(s Streams, heed string) {
	if why := unfit(s, heed); why != "" {
		fmt.Fprintf(s.Err, "heed: note: %s %s; put heed where agents do not write, for example /usr/local/bin, and install again\n", explain.Visible(heed), why)
	}
}

// unfit says what is wrong with the place that heed lies in, "" if nothing is.
func unfit(s Streams, heed string) string {
	for _, temp := range []string{os.TempDir(), "/tmp", "/var/tmp", "/dev/shm"} {
		if within(heed, temp) {
			return "is in a directory for temporary files, which may be emptied"
		}
	}
	if within(heed, s.Dir) && s.Dir != "/" {
		return "is in the current directory, where an agent may replace it"
	}
	for dir := filepath.Dir(heed); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil && dir != s.value("HOME") {
			return "is in a git work tree, where an agent may replace it"
		}
	}
	return ""
}

// within reports whether a path is dir or below it.
func within(name, dir string) bool {
	if dir == "" {
		return false
	}
	rel, err := filepath.Rel(dir, name)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// exists reports whether there is something under a name.
func exists(name string) bool {
	_, err := os.Lstat(name)
	return !errors.Is(err, fs.ErrNotExist)
}
