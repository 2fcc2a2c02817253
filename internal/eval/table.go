package eval

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
)

// WriteTable prints a summary for people: wrong answers per class and suite,
// then how the answers of every suite spread.
func (s Summary) WriteTable(w io.Writer) error {
	t := tabwriter.NewWriter(w, 2, 8, 2, ' ', tabwriter.AlignRight)
	p := func(format string, args ...any) { fmt.Fprintf(t, format, args...) }
	p("wrong answers")
	for _, c := range classes {
		p("\t%s", c)
	}
	p("\t\n")
	var suites []string
	for name := range s.Suites {
		suites = append(suites, name)
	}
	slices.Sort(suites)
	for _, name := range suites {
		p("%s", name)
		for _, c := range classes {
			p("\t%s", s.Suites[name][c].cell())
		}
		p("\t\n")
	}
	p("all")
	for _, c := range classes {
		p("\t%s", s.Classes[c].cell())
	}
	if len(s.Rated) > 0 {
		p("\t\n\nrated\twrong, by weight\t\n")
		for _, m := range measures {
			p("%s\t%.1f %%\t\n", m.name, s.Rated[m.name].Share())
		}
	} else {
		p("\t\n")
	}
	p("\nshares\tcases\tSAFE\tA\tB\tC\tnot inspected\tby known programs\traised by detectors\t\n")
	var all, agents Shares
	for _, name := range suites {
		sh := s.Shares[name]
		sh.row(name, p)
		all = all.plus(sh)
		if strings.HasPrefix(name, "agent-") {
			agents = agents.plus(sh)
		}
	}
	agents.row("agents", p)
	all.row("all", p)
	p("\nby itself\tmust-stop blocked\tmust-not-stop and read-only blocked\t\n")
	for _, name := range slices.Sorted(maps.Keys(s.Layers)) {
		l := s.Layers[name]
		p("%s\t%s\t%s\t\n", name, share(l.Stopped, l.Stop), share(l.Blocked, l.Free))
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("writing the table: %w", err)
	}
	return nil
}

// row prints one line of shares.
func (sh Shares) row(name string, p func(string, ...any)) {
	p("%s\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%.2f %%\t\n", name, sh.Cases,
		share(sh.Safe, sh.Cases), share(sh.A, sh.Cases), share(sh.B, sh.Cases), share(sh.C, sh.Cases),
		share(sh.Unseen, sh.Cases), share(sh.KnownUnseen, sh.Known), percent(sh.Raised, sh.Cases))
}

func percent(n, all int) float64 { return 100 * float64(n) / float64(max(1, all)) }

func share(n, all int) string { return fmt.Sprintf("%.1f %%", percent(n, all)) }

func (sh Shares) plus(x Shares) Shares {
	return Shares{
		Cases: sh.Cases + x.Cases, Safe: sh.Safe + x.Safe, A: sh.A + x.A, B: sh.B + x.B, C: sh.C + x.C,
		Unseen: sh.Unseen + x.Unseen, Known: sh.Known + x.Known, KnownUnseen: sh.KnownUnseen + x.KnownUnseen,
		Raised: sh.Raised + x.Raised,
	}
}

func (t Tally) cell() string {
	if t.Cases == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f %% (%d/%d)", t.Share(), t.Wrong, t.Cases)
}
