package cli

import (
	"fmt"
	"strings"

	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/witness"
	"github.com/heedsh/heed/internal/wrap"
)

// verified is what came of the examples of a program.
type verified struct {
	program string
	world   *witness.World
	all     []witness.Example
}

// report prints what came of the examples.
func (o *exampleOptions) report(s Streams, v *verified) error {
	tally := witness.Tally{}
	ran, failed := 0, 0
	for i := range v.all {
		x := &v.all[i]
		if x.NotRun != "" {
			continue
		}
		ran++
		if !x.Held() {
			failed++
		}
		tally.Add(x)
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
		if err := write(s.Out, head+"\n"+tally.String()+v.misses()); err != nil {
			return err
		}
	}
	switch sum := tally.Sum(); {
	case ran == 0:
		return &exitError{code: wrap.ExitRefused, msg: "nothing was run: no example can be run here"}
	case sum.Unsaid+sum.Unseen() > 0:
		return &exitError{code: ExitProblem}
	}
	return nil
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
