package cli

import (
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/scan"
	"go.yaml.in/yaml/v4"
)

// parses holds words after heed against its command line.
func parses(t *testing.T, words []string) {
	t.Helper()
	root := newRoot(Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard})
	c, rest, err := root.Find(words)
	if err == nil && c == root {
		t.Errorf("%q names no verb", words)
		return
	}
	if err == nil {
		err = c.ParseFlags(rest)
	}
	if err != nil {
		t.Errorf("%q: %v", words, err)
	}
}

// decode reads a file of the repository's top.
func decode(t *testing.T, name string, to any) {
	t.Helper()
	text, err := os.ReadFile("../../" + name)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, to); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// TestPreCommitHooks holds .pre-commit-hooks.yaml against the command line, and the
// names that it hands over against the files that a scan reads: more would be told as
// not inspected, fewer would be left out.
func TestPreCommitHooks(t *testing.T) {
	t.Parallel()
	var hooks []struct {
		ID, Entry, Language, Files, Exclude string
		PassFilenames                       *bool `yaml:"pass_filenames"`
	}
	decode(t, ".pre-commit-hooks.yaml", &hooks)
	byName := 0
	for _, h := range hooks {
		words := strings.Fields(h.Entry)
		if words[0] != "heed" {
			t.Errorf("%s runs %s", h.ID, words[0])
		}
		parses(t, words[1:])
		staged := strings.Contains(h.Entry, "--staged")
		if given := h.PassFilenames == nil || *h.PassFilenames; given == staged {
			t.Errorf("%s: --staged is %v and names are given is %v", h.ID, staged, given)
		}
		if staged {
			continue
		}
		byName++
		// (?x) lets the expression have blanks, which Go has not.
		files := regexp.MustCompile(strings.Join(strings.Fields(strings.TrimPrefix(h.Files, "(?x)")), ""))
		exclude := regexp.MustCompile(h.Exclude)
		for name := range strings.FieldsSeq(`a.sh d/a.bash a.KSH a.zsh a.dash a.ash a.mksh Makefile d/makefile GNUmakefile a.mk d/package.json
			.github/workflows/a.yml d/.github/workflows/a.yaml action.yml d/action.yaml .gitlab-ci.yml .gitlab-ci.yaml d/a.gitlab-ci.yml
			Dockerfile d/dockerfile Containerfile Dockerfile.dev a.dockerfile a.Containerfile justfile .justfile Justfile a.just README.md a.markdown
			a.go sh a.sh.txt .sh Dockerfile.dockerignore Containerfile.ignore xgitlab-ci.yml a.gitlab-ci.yaml .github/a.yml .github/workflows/d/a.yml
			a.yml package.json5 Makefile.am xMakefile Dockerfiles a.mkd a.md.txt dockerfile.dev my-package.json`) {
			_, read := scan.KindOf(name, "")
			if given := files.MatchString(name) && !exclude.MatchString(name); given != read {
				t.Errorf("%s gives %s to heed: %v; heed knows its kind: %v", h.ID, name, given, read)
			}
		}
	}
	if byName == 0 || byName == len(hooks) {
		t.Errorf("%d of %d hooks are given names", byName, len(hooks))
	}
}
