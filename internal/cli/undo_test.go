package cli

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/heedsh/heed/docs"
	"github.com/heedsh/heed/internal/undo"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// seen is all that must come back of what is below a path: content, modes, and the
// times of files.
func seen(ts *testscript.TestScript, top string) string {
	var b strings.Builder
	err := filepath.WalkDir(top, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		i, err := d.Info()
		if err != nil {
			return err
		}
		text := ""
		switch {
		case i.Mode().IsRegular():
			content, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			text = fmt.Sprintf("%d %q", i.ModTime().UnixNano(), content)
		case i.Mode()&fs.ModeSymlink != 0:
			if text, err = os.Readlink(name); err != nil {
				return err
			}
		}
		_, err = fmt.Fprintf(&b, "%s %s %s\n", name, i.Mode(), text)
		return err
	})
	ts.Check(err)
	return b.String()
}

// snapName is where what a path looked like is kept.
func snapName(ts *testscript.TestScript, path string) string {
	return filepath.Join(ts.MkAbs(ts.Getenv("WORK")), "snap-"+strings.ReplaceAll(path, "/", "_"))
}

// cmdSnap remembers what paths look like: snap PATH...
func cmdSnap(ts *testscript.TestScript, _ bool, args []string) {
	for _, path := range args {
		ts.Check(os.WriteFile(snapName(ts, path), []byte(seen(ts, ts.MkAbs(path))), 0o600))
	}
}

// cmdSame holds paths against what they looked like: same PATH...
func cmdSame(ts *testscript.TestScript, _ bool, args []string) {
	for _, path := range args {
		was, err := os.ReadFile(snapName(ts, path))
		ts.Check(err)
		if now := seen(ts, ts.MkAbs(path)); now != string(was) {
			ts.Fatalf("%s was\n%sand is\n%s", path, was, now)
		}
	}
}

func undoStore(ts *testscript.TestScript) *undo.Store {
	s, err := undo.Open(ts.Getenv)
	ts.Check(err)
	ts.Defer(func() { _ = s.Close() }) // a directory
	return s
}

// cmdNewest sets a variable to the ID of the youngest entry: newest NAME.
func cmdNewest(ts *testscript.TestScript, _ bool, args []string) {
	e, err := undoStore(ts).Find("")
	ts.Check(err)
	ts.Setenv(args[0], e.ID)
}

// cmdWaitSealed waits until the end of the command of the youngest entry was seen.
func cmdWaitSealed(ts *testscript.TestScript, _ bool, _ []string) {
	s := undoStore(ts)
	for range 500 {
		e, err := s.Find("")
		ts.Check(err)
		if !e.Ended.IsZero() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	ts.Fatalf("the end of the command is not seen")
}

// cmdDamage damages the manifest of an entry: damage ID.
func cmdDamage(ts *testscript.TestScript, _ bool, args []string) {
	name := filepath.Join(ts.Getenv("HOME"), ".local/state/heed/undo", args[0], "manifest.json")
	ts.Check(os.WriteFile(name, []byte("{"), 0o600))
}

// cmdLost says that a repository does not have the commit that a file names: lost FILE.
func cmdLost(ts *testscript.TestScript, neg bool, args []string) {
	err := ts.Exec("git", "cat-file", "-e", strings.TrimSpace(ts.ReadFile(args[0])))
	if (err == nil) != neg {
		ts.Fatalf("the commit: %v", err)
	}
}

// cmdValidUndo checks every line of a file against the schema of what is kept:
// valid-undo FILE.
func cmdValidUndo(ts *testscript.TestScript, _ bool, args []string) {
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(docs.UndoSchema))
	ts.Check(err)
	c := jsonschema.NewCompiler()
	ts.Check(c.AddResource("undo", doc))
	schema, err := c.Compile("undo")
	ts.Check(err)
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
		ts.Check(err)
		ts.Check(schema.Validate(value))
	}
}
