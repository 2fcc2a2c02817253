package cli

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/agent"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/gate"
	"github.com/heedsh/heed/internal/install"
	"github.com/heedsh/heed/internal/self"
	"github.com/spf13/cobra"
)

type installOptions struct {
	user, project, local, managed  bool
	all, dryRun, uninstall, agreed bool
	net                            bool
	agents                         []string
}

func newInstall(s Streams) *cobra.Command {
	o := &installOptions{}
	c := &cobra.Command{
		Use:   "install [AGENT...]",
		Short: "Let coding agents ask heed before every command",
		Long: `install adds heed's hook to the settings of coding agents, and changes nothing else
in them. A file as it was is kept beside it (settings.json.heed-backup). Running it
again changes nothing; --uninstall takes the hook out again.

Without an AGENT it looks which agents are on this machine, shows what it would
change, and asks. AGENT is one of ` + strings.Join(agent.Names(), ", ") + `.

The settings are yours, for all of your projects; with --project those of the current
directory, which is the one that you start the agent in, with --local yours for it
alone, with --managed root's for everybody on this machine, where the agent has such.
docs/agents.md lists the files.

--net also puts heed-net into the environment of the agent's commands, where its
settings can: a second net, for commands that the hook is not asked about. It is
found beside heed, and taken out with the hook. docs/shells.md`,
		Example: `  heed install --dry-run
  heed install
  heed install claude-code codex
  heed install --agent cursor --project
  heed install claude-code --net
  heed install --all --uninstall`,
		Args: knownAgents,
		RunE: func(_ *cobra.Command, args []string) error {
			o.agents = append(o.agents, args...)
			return runInstall(s, o)
		},
	}
	f := c.Flags()
	f.StringArrayVar(&o.agents, "agent", nil, "the `NAME` of an agent; may be given again")
	f.BoolVar(&o.all, "all", false, "every agent that is found on this machine, without asking")
	f.BoolVar(&o.user, "user", false, "guard every project of yours (default)")
	f.BoolVar(&o.project, "project", false, "guard this project, for everybody who has its settings")
	f.BoolVar(&o.local, "local", false, "guard this project, for you alone")
	f.BoolVar(&o.managed, "managed", false, "guard everybody on this machine, by root's settings")
	f.BoolVar(&o.dryRun, "dry-run", false, "show what would change and change nothing")
	f.BoolVar(&o.uninstall, "uninstall", false, "take the hook out again")
	f.BoolVar(&o.net, "net", false, "spread a second net too, where the agent's settings can")
	f.BoolVar(&o.agreed, "yes", false, "do not ask")
	c.MarkFlagsMutuallyExclusive("net", "uninstall")
	c.MarkFlagsMutuallyExclusive("user", "project", "local", "managed")
	c.ValidArgs = agent.Names()
	return c
}

func knownAgents(c *cobra.Command, args []string) error {
	given, err := c.Flags().GetStringArray("agent")
	if err != nil {
		return err
	}
	for _, name := range append(slices.Clone(args), given...) {
		if agent.Named(name) == nil {
			return fmt.Errorf("name the agent: %s %s", c.CommandPath(), strings.Join(agent.Names(), " | "))
		}
	}
	return nil
}

func (o *installOptions) scope() agent.Scope {
	switch {
	case o.project:
		return agent.Project
	case o.local:
		return agent.Local
	case o.managed:
		return agent.Managed
	}
	return agent.User
}

// A change is what is to be done with one file.
type change struct {
	agent *agent.Adapter
	file  *install.File
	after []byte // nil: the file is taken away
}

func runInstall(s Streams, o *installOptions) error {
	if !o.dryRun {
		if err := s.person(); err != nil {
			return err
		}
	}
	heed, err := self.Path(s.value("PATH"))
	if err != nil {
		return err
	}
	named := len(o.agents) > 0
	agents, err := o.chosen(s)
	if err != nil {
		return err
	}
	if !o.uninstall {
		warnPath(s, heed)
	}
	if o.net {
		if err := self.Executable(netBeside(heed)); err != nil {
			return fmt.Errorf("the second net cannot be started: %w (ln -s heed-sh %s)", err, explain.Visible(netBeside(heed)))
		}
	}
	var all []change
	var failed error
	for _, a := range agents {
		changes, err := o.changes(s, a, heed)
		if err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		all = append(all, changes...)
	}
	if o.dryRun || !named {
		for i := range all {
			if err := all[i].show(s); err != nil {
				return err
			}
		}
	}
	if o.dryRun || len(all) == 0 {
		return failed
	}
	if !named && !o.all && !o.agreed {
		if yes, err := agree(s); err != nil || !yes {
			return errors.Join(err, failed)
		}
	}
	done := map[string]bool{}
	for i := range all {
		if err := all[i].make(s, o); err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		done[all[i].agent.Name] = true
	}
	return errors.Join(failed, o.next(s, agents, done))
}

// chosen are the agents that were named, or that are found.
func (o *installOptions) chosen(s Streams) (all []*agent.Adapter, err error) {
	if len(o.agents) > 0 {
		slices.Sort(o.agents)
		for _, name := range slices.Compact(o.agents) {
			all = append(all, agent.Named(name))
		}
		return all, nil
	}
	w := &agent.Where{Getenv: s.value, Dir: s.Dir}
	for _, name := range agent.Names() {
		a := agent.Named(name)
		found := a.Install.Found(w, func(program string) string { return self.OnPath(s.value("PATH"), program) }, self.IsDir)
		if found == "" {
			continue
		}
		if _, err := a.Install.Targets(w, o.scope()); errors.Is(err, agent.ErrNoScope) {
			fmt.Fprintf(s.Err, "heed: note: %s is here, but it has no %s settings that heed writes\n", a.Title, o.scope())
			continue
		}
		if err := write(s.Out, fmt.Sprintf("found %s: %s\n", a.Title, explain.Visible(found))); err != nil {
			return nil, err
		}
		all = append(all, a)
	}
	if len(all) == 0 {
		return nil, errors.New("no agent that heed knows is found here: name it, heed install AGENT (" + strings.Join(agent.Names(), ", ") + ")")
	}
	return all, nil
}

// changes are what is to be done for one agent: nothing where it is done.
func (o *installOptions) changes(s Streams, a *agent.Adapter, heed string) (all []change, err error) {
	targets, err := a.Install.Targets(&agent.Where{Getenv: s.value, Dir: s.Dir}, o.scope())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", a.Title, err)
	}
	if o.net && !slices.ContainsFunc(targets, func(t agent.Target) bool { return t.AddNet != nil }) {
		fmt.Fprintf(s.Err, "heed: note: %s gets no second net: %s\n", a.Title, noNet(a.Name))
	}
	name := ""
	for _, t := range targets {
		file, err := install.Open(t)
		if err != nil {
			return nil, err
		}
		if name == "" {
			name = explain.Visible(file.Name)
		}
		c := change{agent: a, file: file}
		if o.uninstall {
			c.after, err = file.WithoutHook()
		} else {
			c.after, err = file.WithHook(heed)
			if err == nil && o.net && t.AddNet != nil {
				c.after, err = file.WithNet(c.after, netBeside(heed))
			}
		}
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s: %w; heed changes nothing in it", explain.Visible(file.Name), err)
		case bytes.Equal(c.after, file.Text) && (c.after == nil) == (file.Text == nil):
			continue
		}
		all = append(all, c)
	}
	switch {
	case len(all) > 0:
		return all, nil
	case o.uninstall:
		return nil, write(s.Out, "heed is not installed in "+name+"\n")
	}
	return nil, write(s.Out, "heed is installed in "+name+" already\n")
}

// netBeside is the second net that belongs to a heed.
func netBeside(heed string) string { return filepath.Join(filepath.Dir(heed), agent.NetName) }

// noNet says how an agent gets a second net that its settings cannot have.
func noNet(name string) string {
	if how := agent.SecondNet(name); how != "" {
		return how + " (docs/shells.md)"
	}
	return "no setting of its is known that does this"
}

func (c *change) show(s Streams) error {
	return write(s.Out, "would change "+explain.Visible(c.file.Name)+":\n"+changes(c.file.Text, c.after))
}

// make changes the file. What it was before is put back to the byte if only the hook has
// changed since.
func (c *change) make(s Streams, o *installOptions) error {
	name := explain.Visible(c.file.Name)
	if c.after == nil {
		if err := c.file.Remove(); err != nil {
			return err
		}
		return write(s.Out, "removed "+name+", which held nothing but heed's hook\n")
	}
	if err := c.file.Replace(c.after); err != nil {
		return err
	}
	if o.uninstall {
		return write(s.Out, "took heed's hook out of "+name+c.file.BackupNote()+"\n")
	}
	return write(s.Out, "installed in "+name+c.file.BackupNote()+"\n")
}

// next says what is left to do by hand.
func (o *installOptions) next(s Streams, agents []*agent.Adapter, done map[string]bool) error {
	if o.uninstall || len(done) == 0 {
		return nil
	}
	text := "Agents that you start from now on ask heed before every command; heed doctor tries it.\n"
	for _, a := range agents {
		if t := a.Install.Trust; t != "" && done[a.Name] {
			text += t + ".\n"
		}
		if how := agent.SecondNet(a.Name); how != "" && !o.net && done[a.Name] && len(agent.FailsOpen(a.Name)) > 0 {
			text += a.Title + " lets commands run where heed does not answer. A second net stops REVIEW then (docs/shells.md): " + how + ".\n"
		}
	}
	return write(s.Out, text)
}

// agree asks the person at the terminal.
func agree(s Streams) (bool, error) {
	if !gate.IsTerminal(0) || !gate.IsTerminal(1) {
		return false, errors.New("nothing was changed, because nobody can be asked here: --yes does without")
	}
	if err := write(s.Out, "Change this? [y/N] "); err != nil {
		return false, err
	}
	line, err := bufio.NewReader(s.In).ReadString('\n')
	if err != nil {
		return false, fmt.Errorf("nothing was changed: %w", err)
	}
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "y", "yes":
		return true, nil
	}
	return false, write(s.Out, "nothing was changed\n")
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

// warnPath tells of a place where a guard does not belong.
func warnPath(s Streams, heed string) {
	if why := self.Unfit(heed, s.Dir, s.value("HOME")); why != "" {
		fmt.Fprintf(s.Err, "heed: note: %s %s; put heed where agents do not write, for example /usr/local/bin, and install again\n", explain.Visible(heed), why)
	}
}
