package cli

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/heedsh/heed/docs"
	"github.com/heedsh/heed/internal/preview"
	"github.com/heedsh/heed/risk"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

var previewSchema = sync.OnceValues(func() (*jsonschema.Schema, error) { return compileSchema("../../docs/preview.schema.json") })

// cmdValidPreview checks a file against docs/preview.schema.json.
func cmdValidPreview(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(valid(previewSchema, []byte(ts.ReadFile(args[0]))))
}

// previews says why this system has no preview.
func previews() error {
	plan, err := preview.NewPlan(&preview.Where{Workspaces: []string{os.TempDir()}})
	if err != nil {
		return err
	}
	l := preview.DefaultLimits()
	v, err := preview.Run(&preview.Command{Program: "/bin/true", Argv: []string{"true"}, Dir: "/"}, plan, &l)
	if err != nil {
		return err
	}
	return v.Close()
}

// TestPreviewSchemaCovers walks the type of what is printed and its schema side by side.
func TestPreviewSchemaCovers(t *testing.T) {
	t.Parallel()
	var root map[string]any
	if err := json.Unmarshal([]byte(docs.PreviewSchema), &root); err != nil {
		t.Fatal(err)
	}
	c := coverage{t: t, defs: root["$defs"].(map[string]any)}
	c.object("preview", reflect.TypeFor[printedPreview](), root)
}

func TestBytesOf(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{"0": 0, "12": 12, "3K": 3 << 10, "500M": 500 << 20, "2G": 2 << 30, "": -1, "G": -1, "-1": -1, "1KG": -1, "1 G": -1, "x": -1, "1.5G": -1, "1024G": 1 << 40, "1025G": -1, "17179869185G": -1, "99999999999999999999": -1} {
		got, err := bytesOf(text)
		if err != nil {
			got = -1
		}
		if got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

// TestChangeLine: how a change is told.
func TestChangeLine(t *testing.T) {
	t.Parallel()
	p := &previewing{}
	p.req = &risk.Request{Dir: "/w", Env: map[string]string{"HOME": "/home/u"}}
	for _, test := range []struct {
		c    preview.Change
		want string
	}{
		{preview.Change{Path: "/w/a", Kind: preview.Created, Type: "file", Size: 1}, "created    a  (1 byte)"},
		{preview.Change{Path: "/home/u/a", Kind: preview.Deleted, Type: "directory", Old: 12_345, Files: 3}, "deleted    ~/a/  (3 files, 12 KB)"},
		{preview.Change{Path: "/x/\x1b", Kind: preview.Changed, Type: "file", Size: 20_000_000, Old: 5, Binary: true}, `changed    /x/\x1b  (5 bytes -> 20 MB)`},
		{preview.Change{Path: "/w/l", Kind: preview.Replaced, Type: "link", Was: "directory", Names: "/etc", Files: 1}, "replaced   l  (a link in the place of a directory; to /etc; 1 file, 0 bytes)"},
		{preview.Change{Path: "/w/a", Kind: preview.Attributes, Type: "file", Mode: "0644 -> 0755", Owner: "0:0 -> 1:1", Attrs: true}, "attributes a  (0644 -> 0755; 0:0 -> 1:1; its extended attributes)"},
		{preview.Change{Path: "/w/a", Kind: preview.Attributes, Type: "file", Times: true, Moved: true}, "attributes a  (its times; somebody else changed it meanwhile)"},
		{preview.Change{Path: "/w/a", Kind: preview.Changed, Type: "file", Diff: "--- a\n+++ b\n-x\n+y\n+z\n", Linked: 2, Secret: true}, "changed    a  (+2 -1; it holds a placeholder of a secret; the file has 2 other names, which would change with it)"},
		{preview.Change{Path: "/w/b", Kind: preview.Created, Type: "file", Names: "/w/a", Size: 2}, "created    b  (another name of a; 2 bytes)"},
	} {
		if got := p.changeLine(&test.c); got != test.want {
			t.Errorf("%s, want %s", got, test.want)
		}
	}
}

// TestGitsOwn: what git keeps for itself is counted, and what somebody else would run or
// look for is shown.
func TestGitsOwn(t *testing.T) {
	t.Parallel()
	p := &previewing{o: &previewOptions{}}
	p.req = &risk.Request{Dir: "/w", Env: map[string]string{}}
	r := &preview.Result{}
	for _, name := range []string{"objects/12/34", "logs/HEAD", "index", "worktrees/x/index", "worktrees/x/HEAD", "refs/heads/main", "hooks/pre-commit", "config"} {
		r.Changes = append(r.Changes, preview.Change{Path: "/w/.git/" + name, Kind: preview.Created, Type: "file"})
	}
	text := p.after(r)
	if !strings.Contains(text, "  in git's own objects, logs and index: 4 changes (--json lists them)\n") {
		t.Error(text)
	}
	for _, want := range []string{"worktrees/x/HEAD", "refs/heads/main", "hooks/pre-commit", "config"} {
		if !strings.Contains(text, "created    .git/"+want+" ") {
			t.Errorf("%s is not in\n%s", want, text)
		}
	}
}

// TestManyChanges: of many changes and long differences the first are printed.
func TestManyChanges(t *testing.T) {
	t.Parallel()
	p := &previewing{o: &previewOptions{}}
	p.req = &risk.Request{Dir: "/w", Env: map[string]string{"HOME": "/home/u"}}
	r := &preview.Result{}
	for range shownChanges + 5 {
		r.Changes = append(r.Changes, preview.Change{Path: "/w/a", Kind: preview.Changed, Type: "file", Diff: "+a\n+b\n+c\n"})
	}
	text := p.after(r)
	if !strings.Contains(text, "  … and 5 more (--json lists all)\n") || !strings.HasSuffix(text, "… more differences (--json has all)\n") || strings.Count(text, "\n+") != shownLines {
		t.Errorf("%d lines of differences:\n%s", strings.Count(text, "\n+"), text)
	}
}
