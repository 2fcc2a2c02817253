package cli

import (
	"bytes"
	"fmt"
	"os"
	"strings"

	"github.com/heedsh/heed/internal/agent"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/install"
	"github.com/heedsh/heed/internal/self"
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
		RunE: func(*cobra.Command, []string) error {
			if !o.dryRun {
				if err := s.person(); err != nil {
					return err
				}
			}
			return runInstall(s, o)
		},
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
	at, err := settingsOf(s, o)
	if err != nil {
		return err
	}
	file, err := install.Open(at)
	if err != nil {
		return err
	}
	if o.uninstall {
		return runUninstall(s, o, file)
	}
	heed, err := self.Path(s.value("PATH"))
	if err != nil {
		return err
	}
	after, err := agent.InstallClaudeCode(file.Text, heed)
	if err != nil {
		return fmt.Errorf("%s: %w; heed changes nothing in it", file.Name, err)
	}
	warnPath(s, heed)
	if file.Text != nil && bytes.Equal(after, file.Text) {
		return write(s.Out, "heed is installed in "+explain.Visible(file.Name)+" already\n")
	}
	if o.dryRun {
		return write(s.Out, "would change "+explain.Visible(file.Name)+":\n"+changes(file.Text, after))
	}
	if err := file.Replace(after); err != nil {
		return err
	}
	return write(s.Out, "installed in "+explain.Visible(file.Name)+file.BackupNote()+
		"\nAgents that you start from now on ask heed before every command; heed doctor tries it.\n")
}

// runUninstall takes the hook out. The file as it was before is put back to
// the byte if only the hook has changed since.
func runUninstall(s Streams, o *installOptions, file *install.File) error {
	after, err := file.WithoutHook()
	if err != nil {
		return fmt.Errorf("%s: %w; heed changes nothing in it", file.Name, err)
	}
	if bytes.Equal(after, file.Text) {
		return write(s.Out, "heed is not installed in "+explain.Visible(file.Name)+"\n")
	}
	if o.dryRun {
		return write(s.Out, "would change "+explain.Visible(file.Name)+":\n"+changes(file.Text, after))
	}
	if after == nil {
		if err := os.Remove(file.Name); err != nil {
			return fmt.Errorf("removing the settings file that held nothing but heed's hook: %w", err)
		}
		return write(s.Out, "removed "+explain.Visible(file.Name)+", which held nothing but heed's hook\n")
	}
	if err := file.Replace(after); err != nil {
		return err
	}
	return write(s.Out, "took heed's hook out of "+explain.Visible(file.Name)+file.BackupNote()+"\n")
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

// settingsOf finds the settings file that the flags name.
func settingsOf(s Streams, o *installOptions) (install.Place, error) {
	if o.project || o.local {
		return install.ClaudeProject(s.Dir, o.local)
	}
	return install.ClaudeUser(s.value)
}

// warnPath tells of a place where a guard does not belong.
func warnPath(s Streams, heed string) {
	if why := self.Unfit(heed, s.Dir, s.value("HOME")); why != "" {
		fmt.Fprintf(s.Err, "heed: note: %s %s; put heed where agents do not write, for example /usr/local/bin, and install again\n", explain.Visible(heed), why)
	}
}
