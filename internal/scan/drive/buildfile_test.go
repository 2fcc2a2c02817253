package drive_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/heedsh/heed/internal/scan"
	"github.com/heedsh/heed/internal/scan/drive"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/risk"
)

// TestBuildFilesHaveOneAnswer holds make, just and the scanner of their files to
// one reading of each statement.
func TestBuildFilesHaveOneAnswer(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		head, line string // of a makefile
		just       string // the line of a justfile that does the same; "" for none
		justHead   string
		want       []string
	}{
		{"", "rm -rf /etc/x", "rm -rf /etc/x", "", []string{"fs.delete /etc/x"}},
		{"D = /etc\nE = $(D)/x", "rm -rf $(E)", "rm -rf {{e}}", "d := '/etc'\ne := d / 'x'", []string{"fs.delete /etc/x"}},
		{"S = a.c b.c\nO = $(patsubst %.c,/etc/%.o,$(S))", "rm $(O)", "", "", []string{"fs.delete /etc/a.o", "fs.delete /etc/b.o"}},
		{"O = $(S:.c=.o)\nS = /etc/a.c", "rm $(O)", "", "", []string{"fs.delete /etc/a.o"}},
		{"", "rm -rf '/etc/$(MISSING)x'", "", "", []string{"fs.delete /etc/x"}},
		{"", "$(RM) /etc/x", "", "", []string{"fs.delete /etc/x"}},
		{"define both\nrm /etc/a\nrm /etc/b\nendef", "$(both)", "", "", []string{"fs.delete /etc/a", "fs.delete /etc/b"}},
		{"f = rm /etc/$(1)", "$(call f,a)", "", "", []string{"fs.delete /etc/a"}},
		{"", "$(foreach d,a b,rm /etc/$(d);)", "", "", []string{"fs.delete /etc/a", "fs.delete /etc/b"}},
		{"X = $(shell echo /etc/x)", "rm -rf $(X)", "rm -rf {{x}}", "x := `echo /etc/x`", []string{"fs.delete /etc/x"}},
		{"X != echo /etc/x", "rm -rf '$(X)'", "rm -rf '{{x}}'", "x := `echo /etc/x`", []string{"fs.delete /etc/x"}},
		{"ifeq ($(shell uname),Linux)\nX = /etc/l\nelse\nX = /etc/m\nendif", "rm $(X)", "", "", []string{"fs.delete /etc/l"}},
		{"", "git push --force origin main", "git push --force origin main", "", []string{"vcs.force origin/main"}},
	} {
		makefile := tt.head + "\n.PHONY: x\nx:\n\t" + tt.line + "\n"
		files := map[string]string{"Makefile": makefile, "other.mk": makefile}
		calls := []string{"make x", "make", "make -f other.mk x", "make -f - x < other.mk", "cat other.mk | make -f - x"}
		if tt.just != "" {
			files["justfile"] = tt.justHead + "\nx:\n  " + tt.just + "\n"
			calls = append(calls, "just", "just x", "just --justfile justfile x")
		}
		dir := tree(t, files)
		for _, call := range calls {
			a, err := judge(dir).Service.Assess(t.Context(), risk.Request{Command: call, Dir: dir, Env: map[string]string{"HOME": "/h"}, Shell: "bash"})
			if err != nil {
				t.Fatal(err)
			}
			answers(t, call, &a.Assessment, tt.want)
		}
		j := judge(dir)
		j.Whole = true
		j.Given = map[string]string{"MISSING": ""}
		for name := range files {
			found, err := drive.Collect(dir, drive.Input{}, []string{name}, "")
			if err != nil {
				t.Fatal(err)
			}
			all, err := j.Files(t.Context(), found, func(int) {})
			if err != nil || len(all) == 0 {
				t.Fatalf("%s: %d results, %v", name, len(all), err)
			}
			var whole risk.Assessment
			for _, r := range all {
				whole.Effects = append(whole.Effects, r.Assessment.Effects...)
				whole.Tier = max(whole.Tier, r.Tier)
			}
			answers(t, "heed scan "+name+": "+tt.head+": "+tt.line, &whole, tt.want)
		}
	}
}

// answers checks what a command was found to do beside running the file.
func answers(t *testing.T, what string, a *risk.Assessment, want []string) {
	t.Helper()
	var got []string
	for _, e := range a.Effects {
		switch e.Verb {
		case risk.ExecProject, risk.ExecKnown, risk.FSRead:
			continue
		}
		if s := fmt.Sprintf("%s %s", e.Verb, e.Target); !slices.Contains(got, s) {
			got = append(got, s)
		}
	}
	slices.Sort(got)
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s (- want, + got)\n%s", what, d)
	}
}

// TestNothingIsMadeUp: what is not known of a file's text is printed as the file
// writes it, in everything that can be printed.
func TestNothingIsMadeUp(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"Makefile":                 "D := $(shell git describe)\nx: $(Y)\n\trm -rf $(patsubst %.c,%.o,$(SRC)) $@ '$(D)' $(OTHER)/a\n\t$(PROG) $(wildcard $(Z)/*)\n\techo \"$(X)\" | sh\n%.a: %.b\n\tmv $< $(@D)/$*\n",
		"justfile":                 "v := `git describe`\nx a *b:\n  rm -rf {{a}} '{{b}}' {{v}}/c {{env('Q')}}\n  {{a}} --force\n",
		".github/workflows/ci.yml": "jobs: {a: {steps: [{run: \"rm -rf ${{ matrix.dir }} '${{ inputs.x }}'; ${{ github.event.issue.title }}; curl -H 'A: ${{ secrets.T }}' http://x.example\"}]}}\n",
	}
	dir := tree(t, files)
	found, err := drive.Collect(dir, drive.Input{}, []string{"Makefile", "justfile", ".github/workflows/ci.yml"}, "")
	if err != nil {
		t.Fatal(err)
	}
	j := judge(dir)
	j.Whole = true
	all, err := j.Files(t.Context(), found, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	check := func(what string, x any) {
		text, err := json.Marshal(x)
		if err != nil {
			t.Fatal(err)
		}
		for _, made := range []string{"107374", "heed_", "make_", "just_", "SECRET_", "matrix_"} {
			if i := strings.Index(string(text), made); i >= 0 {
				t.Errorf("%s: …%.80s", what, text[max(0, i-40):])
			}
		}
	}
	kinds := map[scan.Kind]bool{}
	for _, r := range all {
		kinds[r.Kind] = true
		check(r.File+": "+r.Command, r)
	}
	if len(kinds) != len(files) {
		t.Errorf("%d kinds", len(kinds))
	}
	for _, call := range []string{"make x", "make y.a", "just x p q"} {
		a, err := service.New(service.Options{Home: dir, Near: []string{dir}}).Assess(t.Context(), risk.Request{Command: call, Dir: dir, Env: map[string]string{"HOME": "/h"}, Shell: "bash"})
		if err != nil {
			t.Fatal(err)
		}
		check(call, a.Assessment)
	}
}
