package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/heedsh/heed/internal/scan"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// scanSchema is docs/scan.schema.json, which refers to the one of assessments.
var scanSchema = sync.OnceValues(func() (*jsonschema.Schema, error) { return compileSchema("../../docs/scan.schema.json") })

var sarifSchema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	return jsonschema.NewCompiler().Compile("../scan/testdata/sarif-schema-2.1.0.json")
})

func valid(schema func() (*jsonschema.Schema, error), text []byte) error {
	s, err := schema()
	if err != nil {
		return err
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	return s.Validate(value)
}

// cmdValidScan checks every line of a file against docs/scan.schema.json.
func cmdValidScan(ts *testscript.TestScript, _ bool, args []string) {
	text := strings.TrimSuffix(ts.ReadFile(args[0]), "\n")
	if text == "" {
		ts.Fatalf("%s is empty", args[0])
	}
	for i, line := range strings.Split(text, "\n") {
		if err := valid(scanSchema, []byte(line)); err != nil {
			ts.Fatalf("%s, line %d: %v", args[0], i+1, err)
		}
	}
}

// cmdValidSARIF checks a file against the schema of SARIF 2.1.0.
func cmdValidSARIF(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(valid(sarifSchema, []byte(ts.ReadFile(args[0]))))
}

// TestScanSchemaCovers walks the type of a result and its schema side by side.
func TestScanSchemaCovers(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/scan.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var root map[string]any
	if err := json.Unmarshal(text, &root); err != nil {
		t.Fatal(err)
	}
	properties := root["properties"].(map[string]any)
	want := map[string]bool{}
	for _, k := range scan.Kinds() {
		want[string(k)] = true
	}
	for _, k := range properties["kind"].(map[string]any)["enum"].([]any) {
		delete(want, k.(string))
	}
	if len(want) > 0 {
		t.Errorf("kinds that the schema does not know: %v", want)
	}
	delete(properties, "assessment") // has a schema of its own
	var fields []reflect.StructField
	for _, f := range reflect.VisibleFields(reflect.TypeFor[scan.Result]()) {
		if f.Name != "Assessment" {
			fields = append(fields, f)
		}
	}
	required := root["required"].([]any)
	root["required"] = required[:len(required)-1]
	(&coverage{t: t}).object("result", reflect.StructOf(fields), root)
}

// TestScanReadsStandardInput judges a text that is piped in.
func TestScanReadsStandardInput(t *testing.T) {
	t.Parallel()
	s, out, errs := streams(t, "ls\nrm -rf /etc\n")
	if code := Main([]string{"scan", "--kind", "shell", "-"}, s); code != ExitOK {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	if !strings.Contains(out.String(), "-:2 [REVIEW] Deletes /etc") {
		t.Errorf("%s", out)
	}
	s, _, errs = streams(t, "")
	s.In = brokenReader{strings.NewReader("ls\n")}
	if code := Main([]string{"scan", "--kind", "shell", "-"}, s); code != ExitUsage || !strings.Contains(errs.String(), "standard input: the disk is gone") {
		t.Errorf("exit code %d: %s", code, errs)
	}
}

// TestScanFollowsNoLinks gives a tree with links out of it, in it, to itself
// and to what is no file.
func TestScanFollowsNoLinks(t *testing.T) {
	t.Parallel()
	s, out, errs := streams(t, "")
	outside := filepath.Join(t.TempDir(), "outside.sh")
	for name, text := range map[string]string{outside: "rm -rf /etc\n", filepath.Join(s.Dir, "in.sh"): "ls\n"} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"out.sh": outside, "dir": filepath.Dir(outside), "self": ".", "null.sh": os.DevNull} {
		if err := os.Symlink(to, filepath.Join(s.Dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	if code := Main([]string{"scan"}, s); code != ExitOK {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	if want := "in.sh:1 [SAFE] Lists this directory; changes nothing.\n1 command in 1 file: 0 REVIEW, 0 CAUTION, 1 SAFE\n"; out.String() != want {
		t.Errorf("%s", out)
	}
	out.Reset() // a link that is named is meant
	Main([]string{"scan", "out.sh"}, s)
	if !strings.Contains(out.String(), "out.sh:1 [REVIEW]") {
		t.Errorf("%s", out)
	}
}

func TestScanIsBounded(t *testing.T) {
	t.Parallel()
	s, out, _ := streams(t, "")
	for name, size := range map[string]int{"large.sh": scan.MaxSize + 1, "large": scan.MaxSize + 1, "fits.md": scan.MaxSize} {
		text := "#!/bin/sh\n" + strings.Repeat("# nothing\n", size/10)
		if err := os.WriteFile(filepath.Join(s.Dir, name), []byte(text+strings.Repeat("#", 10)), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(filepath.Join(s.Dir, name), int64(size)); err != nil {
			t.Fatal(err)
		}
	}
	if code := Main([]string{"scan", "--fail-on", "review"}, s); code != ExitReview {
		t.Errorf("exit code %d", code)
	}
	if got := strings.Count(out.String(), "[REVIEW] Not inspected: it is larger than 1 MiB."); got != 2 {
		t.Errorf("%s", out)
	}
}

func TestScanTellsItsProgress(t *testing.T) {
	t.Parallel()
	s, _, errs := streams(t, "")
	for i := range 25 {
		if err := os.WriteFile(filepath.Join(s.Dir, fmt.Sprintf("%d.sh", i)), []byte("ls\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s.ErrTTY = true
	Main([]string{"scan"}, s)
	if text := errs.String(); !strings.Contains(text, "\r7 of 25 files") || !strings.HasSuffix(text, "\r\x1b[K") {
		t.Errorf("%q", text)
	}
}

// TestScanIsTheSameTwice scans a tree on several processors.
func TestScanIsTheSameTwice(t *testing.T) {
	t.Parallel()
	dir, err := filepath.Abs("../scan/testdata/golden")
	if err != nil {
		t.Fatal(err)
	}
	var first string
	for range 3 {
		s, out, errs := streams(t, "")
		s.Env = []string{"HOME=/nonexistent", "USER=u"}
		s.Dir = dir
		if code := Main([]string{"scan", "--json"}, s); code != ExitOK {
			t.Fatalf("exit code %d: %s", code, errs)
		}
		for line := range strings.Lines(out.String()) {
			if err := valid(scanSchema, []byte(line)); err != nil {
				var v *jsonschema.ValidationError
				if errors.As(err, &v) {
					t.Errorf("%v\n%s", v, line)
				}
			}
		}
		if first == "" {
			first = out.String()
		}
		if out.String() != first {
			t.Fatal("another answer")
		}
	}
}
