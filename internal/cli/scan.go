package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/scan"
	"github.com/heedsh/heed/internal/scan/drive"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/internal/wholefile"
	"github.com/heedsh/heed/risk"
	"github.com/spf13/cobra"
)

type scanOptions struct {
	json, sarif, staged     bool
	kind, name, min, failOn string
	baseline, writeBaseline string
	provenance              string
	env                     []string
}

func newScan(s Streams) *cobra.Command {
	o := &scanOptions{}
	c := &cobra.Command{
		Use:   "scan [flags] [PATH...]",
		Short: "Say what the commands in files would do, with their lines",
		Long: `scan finds the commands in shell scripts, makefiles, package.json, GitHub
workflows and actions, GitLab pipelines, Dockerfiles, justfiles and the code
blocks of Markdown, and prints a badge for each, the worst last. A directory is
walked, but for .git, node_modules and vendor; links are not followed. Without a
path it is the current directory, and - is standard input, with --kind or, for a
file that an editor has changed and not saved, the --name of that file.

With --staged it is what the next commit of this git repository adds or alters, in
all of it or below the paths: the contents that are staged, and of them the lines
that HEAD has not, and what became worse by them.

Variables that a file does not set are not known. What cannot be read is a
finding (REVIEW, "not inspected"), never left out.`,
		Example: `  heed scan
  heed scan --min review scripts Dockerfile
  heed scan --sarif > heed.sarif
  heed scan --staged --fail-on review
  heed scan --write-baseline .heed-baseline.json
  heed scan --baseline .heed-baseline.json --fail-on review
  curl -s https://get.example.com/install.sh | heed scan --kind shell -`,
		RunE: func(c *cobra.Command, args []string) error { return runScan(c.Context(), s, o, args) },
	}
	flags := c.Flags()
	flags.BoolVar(&o.json, "json", false, "print a JSON object for each command, one a line (docs/scan.schema.json)")
	flags.BoolVar(&o.sarif, "sarif", false, "print the findings as SARIF 2.1.0; what is SAFE is no finding")
	flags.BoolVar(&o.staged, "staged", false, "only what is staged in git, and of that what is not in HEAD")
	flags.StringVar(&o.kind, "kind", "", "read the named files, and -, as this `KIND`: "+list(scan.Kinds()))
	flags.StringVar(&o.name, "name", "", "take - for the text of `FILE`, which is not read: its name tells the kind and the directory")
	flags.StringVar(&o.min, "min", "", "print only from this `TIER` on: caution or review")
	flags.StringVar(&o.failOn, "fail-on", "", "exit with 3 (CAUTION) or 4 (REVIEW) if there is one of this `TIER` or above: caution or review")
	flags.StringVar(&o.baseline, "baseline", "", "`FILE` of known findings: only new ones are printed and fail")
	flags.StringVar(&o.writeBaseline, "write-baseline", "", "write all findings to `FILE`, as the baseline of later scans")
	flags.StringArrayVar(&o.env, "env", nil, "`NAME=VALUE` that the commands would find set; repeatable")
	flags.StringVar(&o.provenance, "provenance", string(risk.LocalUser), "`WHO` would run them: "+list(risk.Provenances()))
	offer(c, "kind", scan.Kinds())
	offer(c, "min", []string{"caution", "review"})
	offer(c, "fail-on", []string{"caution", "review"})
	offer(c, "provenance", risk.Provenances())
	return c
}

// check refuses options that contradict each other or name nothing.
func (o *scanOptions) check(paths []string) error {
	tiers := []string{"", "caution", "review"}
	switch {
	case !slices.Contains(tiers, o.failOn):
		return fmt.Errorf("--fail-on %q: want caution or review", o.failOn)
	case !slices.Contains(tiers, o.min):
		return fmt.Errorf("--min %q: want caution or review", o.min)
	case o.json && o.sarif:
		return errors.New("--json and --sarif: want one of them")
	case o.name != "" && !slices.Contains(paths, "-"):
		return errors.New("--name says what standard input is: want - among the paths")
	case o.kind != "" && !slices.Contains(scan.Kinds(), scan.Kind(o.kind)):
		return fmt.Errorf("--kind %q: want one of %s", o.kind, list(scan.Kinds()))
	}
	if err := service.CheckProvenance(o.provenance); err != nil {
		return fmt.Errorf("--provenance %w", err)
	}
	return nil
}

func runScan(ctx context.Context, s Streams, o *scanOptions, paths []string) error {
	if err := cmp.Or(o.check(paths), o.checkStaged(paths)); err != nil {
		return err
	}
	env, err := environment(o.env)
	if err != nil {
		return err
	}
	var known scan.Baseline
	if o.baseline != "" {
		if known, err = readKnown(o.baseline); err != nil {
			return err
		}
	}
	judge := judgeOf(s, o, env)
	files, err := collect(s, o, judge.Service, paths)
	if err != nil {
		return err
	}
	all, left, err := judge.Changes(ctx, files, progress(s, len(files)))
	if err != nil {
		return err
	}
	scan.Sort(all)
	if o.writeBaseline != "" {
		if err := writeKnown(s, o.writeBaseline, all); err != nil {
			return err
		}
	}
	found := len(all)
	if o.baseline != "" {
		all = known.New(all, left)
	}
	worst := risk.Safe
	for i := range all {
		worst = max(worst, all[i].Tier)
	}
	if err := printScan(s, o, all, tally{files: len(files), commands: found}); err != nil {
		return err
	}
	return fail(o.failOn, worst)
}

// judgeOf returns what judges the files of a scan. given are the variables of --env.
func judgeOf(s Streams, o *scanOptions, given map[string]string) *drive.Judge {
	env := map[string]string{}
	for _, kv := range s.Env {
		// All else that is set here says nothing about where the files run.
		if name, val, ok := strings.Cut(kv, "="); ok && (name == "HOME" || name == "USER") {
			env[name] = val
		}
	}
	maps.Copy(env, given)
	with := ServiceFor(s, &risk.Request{Env: env, Dir: s.Dir})
	return &drive.Judge{Service: with, Dir: s.Dir, Env: env, Given: given, Provenance: risk.Provenance(o.provenance), Whole: o.json}
}

// progress returns what is told after each file: on a terminal, how many there
// were, if they are many.
func progress(s Streams, files int) func(done int) {
	if !s.ErrTTY || files < 20 {
		return func(int) {}
	}
	return func(done int) {
		if done == files {
			fmt.Fprint(s.Err, "\r\x1b[K")
			return
		}
		fmt.Fprintf(s.Err, "\r%d of %d files", done, files)
	}
}

func readKnown(name string) (scan.Baseline, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return scan.Baseline{}, fmt.Errorf("reading the baseline: %w", err)
	}
	b, err := scan.ReadBaseline(text)
	if err != nil {
		return b, fmt.Errorf("%s: %w", name, err)
	}
	return b, nil
}

func writeKnown(s Streams, name string, all []scan.Result) error {
	b := scan.NewBaseline(all)
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(b); err != nil {
		return fmt.Errorf("writing the baseline: %w", err)
	}
	ours := func(old []byte) bool { _, err := scan.ReadBaseline(old); return err == nil }
	if err := wholefile.Replace(name, text.Bytes(), 0o644, ours); err != nil {
		return fmt.Errorf("writing the baseline: %w", err)
	}
	fmt.Fprintf(s.Err, "heed: %s written to %s\n", plural(len(b.Findings), "known finding"), explain.Visible(name))
	return nil
}

// A tally counts what was looked at.
type tally struct{ files, commands int }

func printScan(s Streams, o *scanOptions, all []scan.Result, n tally) error {
	shown := all
	if o.min != "" {
		least := map[string]risk.Tier{"caution": risk.Caution, "review": risk.Review}[o.min]
		shown = slices.DeleteFunc(slices.Clone(all), func(r scan.Result) bool { return r.Tier < least })
	}
	switch {
	case o.sarif:
		return scan.WriteSARIF(s.Out, shown, service.Version)
	case o.json:
		e := json.NewEncoder(s.Out)
		e.SetEscapeHTML(false)
		for i := range shown {
			if err := e.Encode(&shown[i]); err != nil {
				return fmt.Errorf("writing results: %w", err)
			}
		}
		return nil
	}
	var b strings.Builder
	last := ""
	for i := range shown {
		r := &shown[i]
		text := fmt.Sprintf("%s:%d %s %s\n", explain.Visible(r.File), r.Decided.Line, badge(s, r.Tier), explain.Visible(r.Summary))
		if r.Tier > risk.Safe && r.Command != "" {
			text += "    " + explain.Cut(explain.Visible(strings.Join(strings.Fields(r.Command), " ")), 120) + "\n"
		}
		if text != last { // of two calls of one function
			b.WriteString(text)
		}
		last = text
	}
	b.WriteString(summaryLine(o, all, n))
	return write(s.Out, b.String())
}

func summaryLine(o *scanOptions, all []scan.Result, n tally) string {
	var tiers [risk.Review + 1]int
	unread := 0
	for i := range all {
		tiers[all[i].Tier]++
		if all[i].Rule == scan.NotInspected {
			unread++
		}
	}
	file := "file"
	if o.staged {
		file = "staged file"
	}
	text := fmt.Sprintf("%s in %s: %d REVIEW, %d CAUTION", plural(n.commands, "command"), plural(n.files, file), tiers[risk.Review], tiers[risk.Caution])
	if o.baseline == "" {
		text += fmt.Sprintf(", %d SAFE", tiers[risk.Safe])
	} else {
		text += " that the baseline does not know"
	}
	if unread > 0 {
		text += fmt.Sprintf("; %d not inspected", unread)
	}
	return text + "\n"
}

func plural(n int, what string) string {
	switch {
	case n == 1:
		return "1 " + what
	case strings.HasSuffix(what, "s"):
		return fmt.Sprintf("%d %ses", n, what)
	}
	return fmt.Sprintf("%d %ss", n, what)
}
