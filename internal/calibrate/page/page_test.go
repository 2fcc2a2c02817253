package page_test

import (
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/audit"
	"github.com/heedsh/heed/internal/calibrate"
	"github.com/heedsh/heed/internal/calibrate/page"
	"github.com/heedsh/heed/internal/confine"
)

var update = flag.Bool("update", false, "rewrite the golden page")

const hostile = `<script>alert(1)</script>"'onload=x [SAFE] ` + "\x1b[2J\u202e"

// report is one in which everything occurs, with a hostile name.
func report(program string) *calibrate.Report {
	var c calibrate.Calibration
	at := audit.Stamp(1_764_151_200_000)
	add := func(n int, r audit.Row) {
		for i := range n {
			r.Time = at
			at += 60_000
			if r.WaitedMS > 0 {
				r.WaitedMS += int64(i)
			}
			c.Add(&r)
		}
	}
	for i, tier := range []string{"SAFE", "CAUTION"} {
		add(15, audit.Row{Kind: audit.Assessed, Catalog: fmt.Sprint(i), Tier: tier, Command: program + " x", Programs: []string{program}})
	}
	add(12, audit.Row{Kind: audit.Asked, Tier: "CAUTION", Programs: []string{program}})
	add(12, audit.Row{Kind: audit.Denied, By: "click", Tier: "SAFE", Programs: []string{program}, WaitedMS: 900})
	add(12, audit.Row{Kind: audit.Approved, By: "pin", Tier: "REVIEW", Programs: []string{program}, WaitedMS: 900})
	add(50, audit.Row{Kind: audit.Approved, By: "click", Tier: "CAUTION", Programs: []string{program}, WaitedMS: 9000})
	add(3, audit.Row{Kind: audit.Approved, By: "click", Tier: "CAUTION", Programs: []string{"rare"}, WaitedMS: 90000})
	for range 2 {
		add(1, audit.Row{Kind: audit.Mispredicted, Tier: "SAFE", Command: program + " x", Reason: confine.Unexpected(confine.Told(program, "write ~/"+program))})
	}
	r := c.Report()
	return &r
}

func written(t *testing.T, r *calibrate.Report) string {
	t.Helper()
	var b strings.Builder
	if err := page.Write(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestPage is the page of a report, as browsers get it.
func TestPage(t *testing.T) {
	t.Parallel()
	got := written(t, report("frob"))
	golden := filepath.Join("testdata", "page.html")
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Error("the page is not testdata/page.html: look at it, and run with -update")
	}
}

// TestForeignText: what the log holds stays text, whatever it is, and nothing in the
// page is loaded from elsewhere or runs.
func TestForeignText(t *testing.T) {
	t.Parallel()
	plain := elements(t, "frob", written(t, report("frob")))
	for _, name := range []string{hostile, "a'b", "</title><img src=x>", "]]><svg onload=x>", "{{.}}", "\u0000", strings.Repeat("x", 1000)} {
		got := written(t, report(name))
		if strings.ContainsAny(got, "\x1b\u202e\x00") || len(got) > 40_000 {
			t.Errorf("%q: the page holds a character that no terminal should see, or %d bytes", name, len(got))
		}
		if all := elements(t, name, got); all != plain {
			t.Errorf("%q: the page has other elements than for a plain name:\n%s", name, all)
		}
	}
	if bad := regexp.MustCompile(`script|img|iframe|link|object|embed|base|form|src|href| on|style=`).FindString(plain); bad != "" {
		t.Errorf("the page has %q", bad)
	}
	if css := written(t, report("frob")); strings.Contains(css, "url(") || strings.Contains(css, "@import") || strings.Contains(css, "://") {
		t.Error("the page loads something")
	}
}

// elements lists the elements of a page and the names of their attributes. It reads
// the page as XML, as which it is written.
func elements(t *testing.T, name, text string) string {
	t.Helper()
	var b strings.Builder
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return b.String()
		}
		if err != nil {
			t.Errorf("%q: %v", name, err)
			return ""
		}
		if e, ok := token.(xml.StartElement); ok {
			b.WriteString(e.Name.Local)
			for _, a := range e.Attr {
				b.WriteString(" " + a.Name.Local)
			}
			b.WriteByte('\n')
		}
	}
}

// TestEmpty: a log without answers has a page that says so.
func TestEmpty(t *testing.T) {
	t.Parallel()
	var c calibrate.Calibration
	r := c.Report()
	got := written(t, &r)
	for _, want := range []string{"Nothing that is sure.", "There is nothing to count.", "No answer says how long it took.", "No confined command was refused", "one catalog"} {
		if !strings.Contains(got, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}
