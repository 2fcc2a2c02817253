package cli

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/internal/wholefile"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newMan(s Streams) *cobra.Command {
	return &cobra.Command{
		Use:     "man DIR",
		Short:   "Write manual pages, one a verb, into a directory",
		Long:    "man writes heed.1 and a page for every verb into an existing directory, for\nexample one on MANPATH. It prints the names of the files.",
		Example: "  heed man ~/.local/share/man/man1",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("want one directory to write manual pages into (heed man --help)")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return runMan(s, c.Root(), args[0]) },
	}
}

func runMan(s Streams, root *cobra.Command, dir string) error {
	root.InitDefaultCompletionCmd()
	for _, c := range withVerbs(root) {
		name := filepath.Join(dir, pageName(c)+".1")
		ours := func(old []byte) bool {
			return bytes.HasPrefix(old, []byte(`.TH "`+strings.ToUpper(pageName(c))+`" 1 "" "heed `))
		}
		if err := wholefile.Replace(name, []byte(page(c)), 0o644, ours); err != nil {
			return fmt.Errorf("writing manual pages: %w", err)
		}
		if err := write(s.Out, name+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// withVerbs returns a command and all commands below it.
func withVerbs(c *cobra.Command) []*cobra.Command {
	if c.Hidden || c.Name() == "help" {
		return nil
	}
	all := []*cobra.Command{c}
	if c.Name() != "completion" { // its page names the shells
		for _, sub := range c.Commands() {
			all = append(all, withVerbs(sub)...)
		}
	}
	return all
}

func pageName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// page renders the help of a verb as a manual page. Source: man(7), the
// macros that every man(1) understands. It carries no date, so that the same
// program always writes the same page.
func page(c *cobra.Command) string {
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	p(`.TH "%s" 1 "" "heed %s" "User Commands"`, strings.ToUpper(pageName(c)), service.Version)
	p(".SH NAME\n%s \\- %s", roff(pageName(c)), roff(c.Short))
	p(".SH SYNOPSIS\n\\fB%s\\fR", roff(c.UseLine()))
	if c.Long != "" {
		p(".SH DESCRIPTION")
		for i, par := range strings.Split(c.Long, "\n\n") {
			if i > 0 {
				p(".PP")
			}
			p("%s", roff(par))
		}
	}
	if c.HasAvailableLocalFlags() {
		p(".SH OPTIONS")
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			value, usage := pflag.UnquoteUsage(f)
			p(".TP\n\\fB%s\\fR%s\n%s", roff("--"+f.Name), roff(lead(" ", value)), roff(usage))
		})
	}
	if c.Example != "" {
		p(".SH EXAMPLES\n.nf\n%s\n.fi", roff(c.Example))
	}
	p(".SH \"SEE ALSO\"\n%s", roff(strings.Join(seeAlso(c), ", ")))
	return b.String()
}

func seeAlso(c *cobra.Command) []string {
	var names []string
	if c.HasParent() {
		names = append(names, pageName(c.Parent())+"(1)")
	}
	if c.Name() == "completion" {
		return names
	}
	for _, sub := range c.Commands() {
		if !sub.Hidden && sub.Name() != "help" {
			names = append(names, pageName(sub)+"(1)")
		}
	}
	return names
}

// roff escapes text: a backslash, a dash that must stay one, and the dot or
// quote that would start a macro at the beginning of a line.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "'") {
			lines[i] = `\&` + l
		}
	}
	return strings.Join(lines, "\n")
}
