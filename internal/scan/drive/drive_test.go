package drive_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/scan"
	"github.com/heedsh/heed/internal/scan/drive"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/risk"
)

// tree makes files below a new directory.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func judge(dir string) *drive.Judge {
	env := map[string]string{"HOME": dir, "USER": "u"}
	return &drive.Judge{Service: service.New(service.Options{Home: dir, Near: []string{dir}}), Dir: dir, Env: env, Provenance: risk.LocalUser}
}

func TestFiles(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{"a.sh": "ls\nrm -rf /etc\n", "node_modules/b.sh": "rm -rf /etc\n", "Makefile": "all:\n\tls\n", "notes.txt": "rm -rf /"})
	files, err := drive.Collect(dir, drive.Input{}, nil, "")
	if err != nil || len(files) != 2 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	told := 0
	all, err := judge(dir).Files(t.Context(), files, func(int) { told++ })
	if err != nil || told != len(files) {
		t.Fatalf("told %d times, %v", told, err)
	}
	var got []string
	for _, r := range all {
		got = append(got, r.File+" "+r.Tier.String())
		if r.Assessment.Command != "" {
			t.Errorf("%s keeps its whole assessment", r.File)
		}
	}
	if want := "Makefile SAFE, a.sh SAFE, a.sh REVIEW"; strings.Join(got, ", ") != want {
		t.Errorf("%q, want %s", got, want)
	}
}

func TestStandardInput(t *testing.T) {
	t.Parallel()
	if _, err := drive.Collect("/", drive.Input{Reader: strings.NewReader("ls")}, []string{"-"}, ""); err == nil {
		t.Error("it is read as anything")
	}
	dir := t.TempDir()
	for text, want := range map[string]string{"rm -rf /etc\n": "Deletes /etc", strings.Repeat("#", scan.MaxSize+1): "Not inspected: it is larger", "ls \xff": "Not inspected: it is not valid"} {
		files, err := drive.Collect(dir, drive.Input{Reader: strings.NewReader(text)}, []string{"-"}, scan.Shell)
		if err != nil {
			t.Fatal(err)
		}
		all, err := judge(dir).Files(t.Context(), files, func(int) {})
		if err != nil || len(all) != 1 || all[0].File != "-" || all[0].Tier != risk.Review || !strings.HasPrefix(all[0].Summary, want) {
			t.Errorf("%.20q: %+v, %v", text, all, err)
		}
	}
}

// TestNamed holds that a text which is given with the name of its file is judged as that
// file, and that what lies there is not read.
func TestNamed(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{"sub/a.sh": "rm -rf /etc\n", "b.sh": "ls\n"})
	for name, want := range map[string]string{
		"sub/a.sh":                       "sub/a.sh SAFE Lists ./sub; changes nothing.",
		filepath.Join(dir, "sub/new.sh"): "sub/new.sh SAFE Lists ./sub; changes nothing.",
		"sub/run":                        "sub/run SAFE Lists ./sub; changes nothing.",
		"tool.in":                        "tool.in SAFE Lists .; changes nothing.",
	} {
		in := drive.Input{Reader: strings.NewReader("#!/bin/sh\nls \"$(dirname \"$0\")\"\n"), Name: name}
		files, err := drive.Collect(dir, in, []string{"-"}, "")
		if err != nil {
			t.Fatal(err)
		}
		all, err := judge(dir).Files(t.Context(), files, func(int) {})
		if err != nil || len(all) != 1 {
			t.Fatalf("%s: %d results, %v", name, len(all), err)
		}
		if got := all[0].File + " " + all[0].Tier.String() + " " + all[0].Summary; got != want {
			t.Errorf("%s\n\tgot  %s\n\twant %s", name, got, want)
		}
	}
}

// TestWordsInCode holds that a word which whoever runs a script gives is not more than a
// word of the code that it stands in, unless it begins a command.
func TestWordsInCode(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]risk.Tier{
		`eval "test 1 = \$HAVE_$1"`: risk.Caution,
		`eval "x_$1=2"`:             risk.Caution,
		`eval "$1"`:                 risk.Review,
		`eval "cd /; $1 x"`:         risk.Review,
		`eval "if $1; then ls; fi"`: risk.Review,
		`eval "rm -rf $1"`:          risk.Review,
		`eval "ls $(git describe)"`: risk.Review,
		`sudo env PATH=$PATH ls`:    risk.Caution,
		`sudo env PATH=$X:$PATH ls`: risk.Review,
	} {
		dir := tree(t, map[string]string{"w.sh": line + "\n"})
		files, err := drive.Collect(dir, drive.Input{}, []string{"w.sh"}, "")
		if err != nil {
			t.Fatal(err)
		}
		all, err := judge(dir).Files(t.Context(), files, func(int) {})
		if err != nil || len(all) != 1 || all[0].Tier != want {
			t.Errorf("%s: %+v, %v, want %s", line, all, err, want)
		}
	}
}

// TestConceals holds that a statement which hides characters is told as such, like a
// command by itself, and that its neighbours, comments and ends of lines are not.
func TestConceals(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"ls\necho one\rtwo\nls\n":               "SAFE 2:CAUTION SAFE",
		"ls\necho \u202etxt.exe\n":              "SAFE 2:CAUTION",
		"f() {\n  echo a\u200bb\n}\nls\n":       "2:CAUTION SAFE",
		"echo one\r\nls\r\n":                    "SAFE SAFE",
		"\ufeffls\n# \u202etxt.exe\necho ü 🚀\n": "SAFE SAFE",
	} {
		dir := tree(t, map[string]string{"a.sh": text})
		files, err := drive.Collect(dir, drive.Input{}, []string{"a.sh"}, "")
		if err != nil {
			t.Fatal(err)
		}
		all, err := judge(dir).Files(t.Context(), files, func(int) {})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range all {
			tier := r.Tier.String()
			if r.Tier > risk.Safe {
				tier = fmt.Sprintf("%d:%s", r.Decided.Line, tier)
			}
			got = append(got, tier)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q is %s, want %s", text, strings.Join(got, " "), want)
		}
	}
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{"a.sh": "ls\n", "b.sh": "ls\n"})
	files, err := drive.Collect(dir, drive.Input{}, []string{dir}, "")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if all, err := judge(dir).Files(ctx, files, func(int) {}); !errors.Is(err, context.Canceled) || len(all) > 0 {
		t.Errorf("%d results, %v", len(all), err)
	}
}
