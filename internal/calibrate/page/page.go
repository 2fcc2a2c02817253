package page

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/heedsh/heed/internal/calibrate"
	"github.com/heedsh/heed/internal/explain"
)

//go:embed page.html
var files embed.FS

// Write writes the page of a report.
func Write(w io.Writer, r *calibrate.Report) error {
	t, err := template.ParseFS(files, "page.html")
	if err != nil {
		return fmt.Errorf("reading the template of the page: %w", err)
	}
	if err := t.Execute(w, viewOf(r)); err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	return nil
}

// A view is a report as the template wants it.
type view struct {
	From, To string
	Report   *calibrate.Report
	Findings []finding
	Measures []measure
	Clocks   []clock
	Shifts   []shift
	DriftAt  string
	DriftNo  string // why nothing is said of drift
	Refused  []refused
	More     int // of these that are left out
}

// A refused is a misprediction as the page shows it.
type refused struct {
	Program, Tried, Command string
	Count                   int
}

type finding struct{ Kind, Sentence string }

func viewOf(r *calibrate.Report) *view {
	v := &view{
		From: r.From.String(), To: r.To.String(), Report: r,
		Measures: []measure{
			measureOf("SAFE that was rejected", "of the answers about SAFE", "Who rejects what heed calls SAFE sees something that heed does not, or was not told enough.", &r.Safe, "safe"),
			measureOf("REVIEW approved in under three seconds", "of the approvals that say how long they took", "Three seconds are too few to read a command. Many of them mean that the question is no question any more.", &r.Review, "review"),
			measureOf("CAUTION that was rejected", "of the answers about CAUTION", "What nobody ever rejects need not be asked about: heed suggest shows the rules.", &r.Caution, "caution"),
			measureOf("Commands that were asked about", "of the commands of the program", "Where the questions come from.", &r.Alarms, "plain"),
		},
		Clocks: clocks(r.Pace),
	}
	for i := range r.Findings {
		f := r.Findings[i]
		f.Program = name(f.Program)
		v.Findings = append(v.Findings, finding{f.Kind, f.Sentence()})
	}
	m := &r.Mispredicted
	for i := range m.Programs[:min(len(m.Programs), maxRows)] {
		x := &m.Programs[i]
		tried := strings.TrimSpace(x.Verb + " " + x.Target)
		v.Refused = append(v.Refused, refused{name(x.Program), explain.Cut(explain.Visible(tried), maxText), explain.Cut(explain.Visible(x.Command), maxText), x.Count})
	}
	v.More = len(m.Programs) - len(v.Refused) + m.More
	switch d := &r.Drift; {
	case !d.Changed:
		v.DriftNo = "All commands were judged with one catalog."
	case len(d.Programs) == 0:
		v.DriftNo = "No kind of command occurs both before and since the last catalog."
	default:
		v.DriftAt = d.At.String()
		for i := range d.Programs[:min(len(d.Programs), maxRows)] {
			v.Shifts = append(v.Shifts, shiftOf(&d.Programs[i]))
		}
	}
	return v
}

// maxText is how long a command or a target is on the page.
const maxText = 120

// name is the name of a program as people see it.
func name(text string) string { return explain.Cut(explain.Visible(text), 32) }
