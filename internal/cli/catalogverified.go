package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/witness"
	"github.com/heedsh/heed/internal/wrap"
	"github.com/heedsh/heed/risk"
)

// verified is what came of the examples of a program.
type verified struct {
	program string
	world   *witness.World
	all     []witness.Example
}

// A tallied is one line of the table.
type tallied struct{ said, seen, unseen, done, unsaid int }

// report prints what came of the examples.
func (o *exampleOptions) report(s Streams, v *verified) error {
	ran, failed, misses := 0, 0, 0
	for i := range v.all {
		x := &v.all[i]
		if x.NotRun != "" {
			continue
		}
		ran++
		if !x.Held() {
			failed++
		}
		misses += len(x.Unsaid()) + len(x.Unseen())
	}
	if o.json {
		if err := writeLines(s.Out, v.all); err != nil {
			return err
		}
	} else {
		head := fmt.Sprintf("%s: %s: %d ran, %d not", shown(v.program), plural(len(v.all), "example"), ran, len(v.all)-ran)
		if failed > 0 {
			head += fmt.Sprintf("; %d failed or were ended, and are held for what they did only", failed)
		}
		if err := write(s.Out, head+"\n"+v.table()+v.misses()); err != nil {
			return err
		}
	}
	switch {
	case ran == 0:
		return &exitError{code: wrap.ExitRefused, msg: "nothing was run: no example can be run here"}
	case misses > 0:
		return &exitError{code: ExitProblem}
	}
	return nil
}

// table counts by verb.
func (v *verified) table() string {
	counts := map[risk.Verb]*tallied{}
	of := func(verb risk.Verb) *tallied {
		if counts[verb] == nil {
			counts[verb] = &tallied{}
		}
		return counts[verb]
	}
	for i := range v.all {
		x := &v.all[i]
		for _, d := range x.Done {
			if c := of(d.Verb); d.Told {
				c.done++
			} else {
				c.done++
				c.unsaid++
			}
		}
		if !x.Held() {
			continue
		}
		for _, d := range x.Said {
			c := of(d.Verb)
			c.said++
			if d.Seen {
				c.seen++
			} else {
				c.unseen++
			}
		}
	}
	if len(counts) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%-12s %6s %6s %9s %6s %9s\n", "", "said", "seen", "not seen", "done", "not said")
	for _, verb := range slices.Sorted(maps.Keys(counts)) {
		c := counts[verb]
		fmt.Fprintf(&b, "%-12s %6d %6d %9d %6d %9d\n", verb, c.said, c.seen, c.unseen, c.done, c.unsaid)
	}
	return b.String()
}

// misses lists what does not hold, and what did not run.
func (v *verified) misses() string {
	var unsaid, unseen, not, also strings.Builder
	line := func(b *strings.Builder, run, text string) {
		fmt.Fprintf(b, "  %-40s %s\n", explain.Cut(explain.Visible(run), 40), explain.Visible(text))
	}
	for i := range v.all {
		x := &v.all[i]
		if x.NotRun != "" {
			line(&not, x.Run, x.NotRun)
			continue
		}
		for _, d := range x.Unsaid() {
			line(&unsaid, x.Run, string(d.Verb)+" "+v.near(d.What))
		}
		for _, d := range x.Unseen() {
			line(&unseen, x.Run, string(d.Verb)+" "+v.near(d.Target))
		}
		if len(x.Also) > 0 {
			line(&also, x.Run, strings.Join(x.Also, ", "))
		}
	}
	var b strings.Builder
	for _, part := range []struct {
		title string
		lines *strings.Builder
	}{{"done and not said", &unsaid}, {"said for certain and not done", &unseen}, {"also started, by what was said to run", &also}, {"not run", &not}} {
		if part.lines.Len() > 0 {
			fmt.Fprintf(&b, "%s:\n%s", part.title, part.lines)
		}
	}
	return b.String()
}

// near writes a path of the world as the example would.
func (v *verified) near(text string) string {
	text = strings.ReplaceAll(text, v.world.Project+"/", "./")
	return strings.ReplaceAll(text, v.world.Home+"/", "~/")
}
