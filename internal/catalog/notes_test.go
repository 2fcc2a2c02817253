package catalog_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/compile"
	"github.com/heedsh/heed/internal/catalog/hooks"
	"github.com/heedsh/heed/internal/value"
)

// described asks heed's own catalog about words without quotes.
func described(t *testing.T, line string) *catalog.Result {
	t.Helper()
	words := strings.Fields(line)
	c := catalog.New(hooks.Find)
	p, ok := c.Lookup(words[0])
	if !ok {
		t.Fatalf("no spec for %q", words[0])
	}
	args := make([]value.Value, len(words)-1)
	for i, w := range words[1:] {
		args[i] = value.Lit(w)
	}
	return c.Describe(p, args, &catalog.Site{Name: words[0]})
}

// TestUnexplained: what nobody has explained remains, and nothing else does.
func TestUnexplained(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"rm -rfv --one-file-system a":             "",
		"ls -la --color=auto src":                 "",
		"grep -rn --include=*.go x .":             "",
		"find . -name a -newer b -delete":         "",
		"env --ignore-signal=INT make":            "--ignore-signal", // it matters to make, and the spec does not say how
		"env -u X make":                           "",
		"rm --frobnicate a":                       "--frobnicate",
		"git frobnicate a":                        "frobnicate a",
		"mkdir -p a --frobnicate":                 "--frobnicate",
		"sed --debug s/a/b/ x":                    "",
		"wc --files0-from=list":                   "",
		"touch -d yesterday --no-dereference a b": "",
	} {
		var got []string
		for _, u := range described(t, line).Match.Unexplained() {
			got = append(got, u.What)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q remains, want %q", line, got, want)
		}
	}
}

// TestNeeds: what must hold for a program to do its work, how it ends without
// that, and what is told then.
func TestNeeds(t *testing.T) {
	t.Parallel()
	for line, want := range map[string][]string{
		"rm a b":              {"fails: no file is given", "fails: a and b is not there", "fails: rm deletes directories only with -r: a and b"},
		"rm -f a":             {"nothing: a is not there", "fails: rm deletes directories only with -r: a"},
		"rm -rI -- a":         {"fails: no file is given", "fails: a is not there", "asks: there is nobody to say yes"},
		"rm -fi a":            {"nothing: a is not there", "fails: rm deletes directories only with -r: a"},
		"mkdir build":         {"fails: build is there already", "fails: the directory for build is not there"},
		"mkdir -p build":      nil,
		"touch -c a":          {"nothing: a is not there"},
		"touch a":             {"fails: the directory for a is not there"},
		"cat":                 {"waits: there is nothing on standard input"},
		"cat - a":             {"fails: a is not there"},
		"grep x":              {"waits: there is nothing on standard input"},
		"grep -r x":           nil,
		"sed -f s.sed a":      {"fails: a is not there", "fails: s.sed is not there"},
		"env -C sub make":     {"fails: sub is not there"},
		"find src -name go":   {"fails: src is not there"},
		"wc --files0-from=l":  {"fails: l is not there"},
		"ls":                  nil,
		"ls --frobnicate src": {"fails: src is not there"},
	} {
		r := described(t, line)
		var got []string
		for n := range r.Needs() {
			words := r.Match.Needed(n)
			if n.Kind.OfArgument() && len(words) == 0 {
				continue // nothing was given that could be missing
			}
			text, ok := r.Without(n, words, compile.Words)
			if !ok {
				t.Errorf("%s: the need %v cannot be told", line, n)
			}
			got = append(got, outcome(n.Or)+": "+text)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got)\n%s", line, d)
		}
	}
}

func outcome(o catalog.Outcome) string {
	for word, is := range catalog.OutcomeNames() {
		if is == o {
			return word
		}
	}
	return ""
}

// TestSettings: what a program obeys beside its words; the exact name before a
// family, and what a session's setting is worth later.
func TestSettings(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		line, variable string
		found, lasting bool
		as             catalog.SettingAs
		role           catalog.Role
	}{
		{"rm a", "POSIXLY_CORRECT", true, false, catalog.AsInert, catalog.Data},
		{"rm a", "RM_OPTIONS", false, false, 0, 0},
		{"git log", "GIT_PAGER", true, true, catalog.AsWord, catalog.Shell},
		{"tar -tf a", "TAR_OPTIONS", true, true, catalog.AsOptions, catalog.Data},
	} {
		s, found := described(t, tt.line).Match.Setting(tt.variable)
		if found != tt.found || found && (s.Lasting != tt.lasting || s.As != tt.as || s.Arg.Role != tt.role) {
			t.Errorf("%s, %s: %v %+v", tt.line, tt.variable, found, s)
		}
	}
	var files []string
	for _, s := range described(t, "curl https://example.net").Match.Files() {
		files = append(files, s.File)
	}
	if !slices.Contains(files, "~/.curlrc") {
		t.Errorf("curl looks for %q", files)
	}
	files = nil
	for _, s := range described(t, "curl -q https://example.net").Match.Files() {
		files = append(files, s.File)
	}
	if len(files) > 0 {
		t.Errorf("curl -q looks for %q", files)
	}
}
