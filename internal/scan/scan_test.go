package scan

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGolden takes the commands out of every file in testdata/golden and
// compares them, with what surrounds them, with the file of the same name and
// .golden behind it.
func TestGolden(t *testing.T) {
	t.Parallel()
	kinds := map[Kind]bool{}
	err := filepath.WalkDir("testdata/golden", func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(name, ".golden") {
			return err
		}
		t.Run(name, func(t *testing.T) {
			text := read(t, name)
			kind, ok := KindOf(filepath.ToSlash(name), text)
			if !ok {
				t.Fatal("no kind")
			}
			kinds[kind] = true
			found := Extract(File{Kind: kind, Name: filepath.ToSlash(name), Text: text, Dir: "/p", Project: "/p", OS: "linux"})
			check(t, text, found)
			got := describe(text, found)
			if *update {
				if err := os.WriteFile(name+".golden", []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if d := cmp.Diff(read(t, name+".golden"), got); d != "" {
				t.Errorf("go test ./internal/scan -run Golden -update writes it (- golden, + now)\n%s", d)
			}
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range Kinds() {
		if !kinds[k] {
			t.Errorf("no golden file of the kind %s", k)
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// describe shows what was found, a paragraph a command.
func describe(text string, found Found) string {
	var b strings.Builder
	lines := NewLines(text)
	for i := range found.Commands {
		c := &found.Commands[i]
		line, column := lines.At(c.Offset(c.Skip))
		fmt.Fprintf(&b, "%d:%d %s (%s", line, column, c.Name, c.Shell)
		for _, q := range []struct {
			on   bool
			word string
		}{
			{c.Steps, "steps"},
			{c.Place == Image, "image"},
			{c.Place == Beside, "beside"},
			{c.AnyDir, "any directory"},
			{c.Script, "script"},
			{c.Insecure, "insecure"},
			{c.Dir != "", "in " + c.Dir},
		} {
			if q.on {
				b.WriteString(", " + q.word)
			}
		}
		b.WriteString(")\n")
		for _, name := range slices.Sorted(maps.Keys(c.Env)) {
			if name != "CI" && !strings.HasPrefix(name, "GIT") && name != "RUNNER_TEMP" {
				fmt.Fprintf(&b, "  %s=%q\n", name, c.Env[name])
			}
		}
		if c.Skip > 0 {
			fmt.Fprintf(&b, "  first %q\n", c.Text[:c.Skip])
		}
		for _, o := range c.Others {
			fmt.Fprintf(&b, "  others write %s\n", o.Name)
		}
		for _, l := range strings.Split(strings.TrimSuffix(c.Shown(c.Skip, len(c.Text)), "\n"), "\n") {
			b.WriteString("  | " + l + "\n")
		}
	}
	for _, p := range found.Problems {
		line, column := lines.At(p.Offset)
		fmt.Fprintf(&b, "%d:%d %s not inspected: %s\n", line, column, p.Name, p.Why)
	}
	return b.String()
}

// check checks what must hold for whatever was found in a text: every byte of
// a command is at a place of the file, and what was copied stands there.
func check(t *testing.T, text string, found Found) {
	t.Helper()
	for i := range found.Commands {
		c := &found.Commands[i]
		if c.Skip < 0 || c.Skip > len(c.Text) {
			t.Fatalf("%q: skip %d", c.Text, c.Skip)
		}
		for j, m := range c.Marks {
			end := len(c.Text)
			if j+1 < len(c.Marks) {
				end = c.Marks[j+1].At
			}
			if m.At > end || m.File < 0 || m.File > len(text) {
				t.Fatalf("%q: mark %d of %+v is outside of the file", c.Text, j, c.Marks)
			}
			piece := c.Text[m.At:end]
			if !m.Fixed && (m.File+len(piece) > len(text) || text[m.File:m.File+len(piece)] != piece) {
				t.Fatalf("%q: the file has %.60q where %q should stand", c.Text, text[m.File:], piece)
			}
		}
		if shown := c.Shown(0, len(c.Text)); strings.Contains(shown, "${10737") {
			t.Fatalf("a part of %q is shown by its number", shown)
		}
		for _, o := range c.Others {
			if o.Start < c.Skip && o.Start > 0 && c.Skip > 0 || o.Start > o.End || o.End > len(c.Text) {
				t.Fatalf("%q: foreign text %+v", c.Text, o)
			}
		}
		_ = c.Shown(0, len(c.Text))
		c.firstWord(t, text)
	}
	for _, p := range found.Problems {
		if p.Offset < 0 || p.Offset > len(text) {
			t.Fatalf("problem %+v is outside of the file", p)
		}
	}
}

// firstWord checks that the line which is reported holds the command's first
// word, where that was copied from the file.
func (c *Command) firstWord(t *testing.T, text string) {
	t.Helper()
	const blanks = " \t\n" // a shell takes no other (POSIX.1-2024, XCU 2.3, token recognition)
	body := c.Text[c.Skip:]
	lead := len(body) - len(strings.TrimLeft(body, blanks))
	words := strings.FieldsFunc(body, func(r rune) bool { return strings.ContainsRune(blanks, r) })
	if len(words) == 0 {
		t.Fatalf("%q: a command without words", c.Text)
	}
	at := c.Skip + lead
	for _, m := range c.Marks {
		if m.Fixed && m.At >= at && m.At < at+len(words[0]) || m.Fixed && m.At <= at && c.Offset(at) == m.File {
			return
		}
	}
	line, column := NewLines(text).At(c.Offset(at))
	if line < 1 || column < 1 {
		t.Fatalf("%q: %d:%d", c.Text, line, column)
	}
	first := words[0]
	for _, m := range c.Marks { // a word can go over two lines of the file
		if m.At > at && m.At < at+len(first) {
			first = first[:m.At-at]
		}
	}
	of := strings.Split(text, "\n")[line-1]
	if !strings.Contains(of, first) {
		t.Fatalf("line %d is %q and does not hold %q", line, of, first)
	}
}

func TestKinds(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]Kind{
		"a/b.sh": Shell, "x.bash": Shell, "run": "", "Makefile": Makefile, "sub/GNUmakefile": Makefile, "rules.mk": Makefile,
		"package.json": Package, "x/package.json": Package, "package-lock.json": "",
		".github/workflows/ci.yml": Workflow, "/r/.github/workflows/ci.yaml": Workflow, ".github/dependabot.yml": "", "a/action.yml": Workflow, "workflows/ci.yml": "",
		".gitlab-ci.yml": GitLab, "ci/x.gitlab-ci.yml": GitLab, "other.yml": "",
		"Dockerfile": Dockerfile, "Dockerfile.dev": Dockerfile, "Dockerfile.dockerignore": "", "x.Dockerfile": Dockerfile, "Containerfile": Dockerfile,
		"justfile": Justfile, ".justfile": Justfile, "Justfile": Justfile, "x.just": Justfile, "README.md": Markdown, "notes.txt": "",
	} {
		if kind, ok := KindOf(name, ""); kind != want || ok != (want != "") {
			t.Errorf("%s is %q, want %q", name, kind, want)
		}
	}
	for head, want := range map[string]Kind{"#!/usr/bin/make -f\n": Makefile, "#! /usr/bin/env gmake\n": Makefile, "#!/usr/bin/cmake -P\n": ""} {
		if kind, ok := KindOf("debian/rules", head); kind != want || ok != (want != "") {
			t.Errorf("debian/rules that begins with %q is %q, want %q", head, kind, want)
		}
	}
	for head, want := range map[string]bool{
		"#!/bin/sh\n": true, "#!/usr/bin/env bash": true, "#!/usr/bin/env -S bash -e\n": true, "#!/usr/bin/python3\n": false, "#!": false, "": false, "\x7fELF": false,
	} {
		if _, ok := KindOf("bin/run", head); ok != want {
			t.Errorf("a file that begins with %q: %v, want %v", head, ok, want)
		}
	}
}

// TestShellKeepsEveryByte is the property that a script's command is the
// script: every byte of it stands for itself.
func TestShellKeepsEveryByte(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"ls\n", "\ufeffls\r\nrm x\r\n", "#!/bin/sh\n\n\nfor i in 1 2; do\n\tls\ndone", "echo ä\nls"} {
		found := Extract(File{Kind: Shell, Name: "x.sh", Text: text})
		check(t, text, found)
		if len(found.Commands) != 1 {
			t.Fatalf("%q: %d commands", text, len(found.Commands))
		}
		c := found.Commands[0]
		skipped := len(text) - len(c.Text)
		for i := range c.Text {
			if at := c.Offset(i); at != i+skipped || text[at] != c.Text[i] {
				t.Errorf("%q: byte %d stands for %d", text, i, at)
			}
		}
	}
}

func TestUntrusted(t *testing.T) {
	t.Parallel()
	for expression, want := range map[string]bool{
		"github.event.issue.title":                           true,
		"github.event.pull_request.body":                     true,
		"github.event.pull_request.head.ref":                 true,
		"github.head_ref":                                    true,
		"github.event['comment']['body']":                    true,
		"github.event.head_commit.message":                   true,
		"github.event.commits[0].message":                    false, // one of a list is written [*] or .*
		"github.event.commits.*.author.email":                true,
		"format('{0}', github.event.review.body)":            true,
		"github.event.pull_request.number":                   false,
		"github.event.pull_request.base.ref":                 false,
		"github.sha":                                         false,
		"matrix.os":                                          false,
		"secrets.TOKEN":                                      false,
		"contains(github.event.comment.body, '/deploy')":     true,
		"github.event.workflow_run.head_branch":              true,
		"github.event.pages.*.page_name || github.run_id":    true,
		"github.event.pull_request.head.repo.default_branch": true,
	} {
		if got := Untrusted(expression); got != want {
			t.Errorf("%s: %v, want %v", expression, got, want)
		}
	}
}

func TestQuotes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"echo ": false, "echo 'a ": true, "echo \"it's ": false, "echo \"$(grep 'x ": true, "echo 'a' ": false, "# don't\necho ": false,
		"cat <<E\ndon't\nE\necho ": false, "cat <<'E'\nit's ": false, "echo \\' ": false, "echo $'a\\' ": true, "x=$((1 << 2)) 'a ": true,
		"cat <<< 'a ": true, "cat <<-E\n\tdon't\n\tE\necho '": true, "echo a#b 'c ": true,
	} {
		var q quotes
		for i := range len(text) {
			q.next(text[i])
		}
		if got := !q.inHere && (q.mode() == single || q.mode() == ansi); got != want {
			t.Errorf("behind %q: %v, want %v", text, got, want)
		}
	}
}

func TestLines(t *testing.T) {
	t.Parallel()
	const text = "aä\nb\n"
	l := NewLines(text)
	for at, want := range map[int][2]int{0: {1, 1}, 1: {1, 2}, 3: {1, 3}, 4: {2, 1}, 6: {3, 1}, 99: {3, 1}, -1: {1, 1}} {
		for _, l := range []*Lines{l, NewLines(text)} {
			if line, column := l.At(at); line != want[0] || column != want[1] {
				t.Errorf("%d is %d:%d, want %v", at, line, column, want)
			}
		}
	}
}

// seeds are the golden files of a kind.
func seeds(f *testing.F, kind Kind) {
	f.Helper()
	err := filepath.WalkDir("testdata/golden", func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if k, ok := KindOf(filepath.ToSlash(name), ""); ok && k == kind {
			b, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			f.Add(string(b))
		}
		return nil
	})
	if err != nil {
		f.Fatal(err)
	}
}

func fuzz(f *testing.F, kind Kind, more ...string) {
	seeds(f, kind)
	for _, s := range more {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			return // such files are not read
		}
		check(t, text, Extract(File{Kind: kind, Name: "x", Text: text}))
	})
}

func FuzzMakefile(f *testing.F) {
	fuzz(f, Makefile, "a:\n\t$(", "a: ; x\\\n\ty", "A=$(A)\na:\n\t$(A)$A", "define x\na\nendef\na:\n\t$(x)", "a:\n\t@\\\n\n\tb", "x := $(shell a\nb:", "a:\r\n\tls \\\r\n\t -l\r\n")
}

func FuzzDockerfile(f *testing.F) {
	fuzz(f, Dockerfile, "RUN", "RUN \\\n", "RUN <<A\nls", "RUN <<A <<B\na\nA\nb\nB\n", "# escape=`\nRUN a `\n b", "CMD [\"a\"", "ONBUILD RUN ls", "RUN --a --b=c \\\n ls", "HEALTHCHECK CMD", "ENV A=$A B=\"c", "FROM a\nENTRYPOINT []\nCMD [\"x\"]")
}

func FuzzJustfile(f *testing.F) {
	fuzz(f, Justfile, "a:\n  {{", "a:\n  {{b}}c{{{{", "x := `ls", "set shell := [", "a:\n\t#!/bin/sh\n\tls", "[script('python3')]\na:\n  x", "a b='c':\n  @-ls \\\n   x")
}

func FuzzMarkdown(f *testing.F) {
	fuzz(f, Markdown, "```sh\nls", "> ```sh\n> ls\n> ```", "~~~bash\nls\n~~~~", "```console\n$ a \\\n> b\nc\n```", "- ```sh\n  ls\n  ```", "```console\n$ cat <<E\n> x\n> E\n```", "```{.bash}\nls\n```", "```console\n\v\n0")
}

func FuzzWorkflow(f *testing.F) {
	fuzz(f, Workflow, "jobs: {a: {steps: [{run: 'x ${{ a'}]}}", "jobs:\n a: &a\n  steps:\n   - run: >\n      a\n\n      b\n b: *a", "runs:\n steps:\n - run: \"a\\nb \\\n  c\"")
}

func FuzzGitLab(f *testing.F) {
	fuzz(f, GitLab, "a:\n script: [[x], !reference [b, c]]", "default: {before_script: x}\na: {script: y}", "a: {script: {b: c}}")
}

func FuzzPackage(f *testing.F) {
	fuzz(f, Package, `{"scripts":{"a":"b","c":1}}`, `{"scripts":["a"]}`, "\ufeff{}", `{"a":[[[]]],"scripts":{"\u0061":"b\"c"}`)
}
