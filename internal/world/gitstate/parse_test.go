package gitstate

import (
	"errors"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

func TestGlob(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"", "", true},
		{"a*c", "abbc", true},
		{"a*c", "ab/c", false},
		{"a?c", "a/c", false},
		{"**/x", "x", true},
		{"**/x", "a/b/x", true},
		{"**/x", "ax", false},
		{"a/**/b", "a/b", true},
		{"a/**/b", "a/x/y/b", true},
		{"a/**/b", "a/xb", false},
		{"a/**", "a/b/c", true},
		{"a/**", "a", false},
		{"a**b", "a/b", false},
		{"a**b", "axxb", true},
		{"[a-c]x", "bx", true},
		{"[!a-c]x", "bx", false},
		{"[^a]", "/", false},
		{"[]]", "]", true},
		{"[[:digit:]]", "7", true},
		{"[[:nope:]]", "7", false},
		{"[a", "a", false},
		{`\*`, "*", true},
		{`\*`, "x", false},
		{`a\`, `a\`, false},
		{"*/*/*", "a/b/c", true},
		{"*/*/*", "a/b/c/d", false},
		{strings.Repeat("*a", 40) + "b", strings.Repeat("a", 200) + "b", true},
		{strings.Repeat("*a", 40) + "b", strings.Repeat("a", 200) + "c", false},
		{strings.Repeat("**/", 40) + "b", strings.Repeat("a/", 200) + "b", true},
	} {
		if got := compileGlob(c.pattern, false).match(c.text); got != c.want {
			t.Errorf("match(%q, %q) = %v", c.pattern, c.text, got)
		}
	}
}

// TestLongGlob: both ways of matching agree.
func TestLongGlob(t *testing.T) {
	t.Parallel()
	for _, pattern := range []string{"a*b", "**/x/*", "[ab]?c*", "a/**/b*c", "*"} {
		for _, text := range []string{"", "ab", "x/y", "a/x/z", "abc", "a/b/bc", "a/q/w/bxc"} {
			g := compileGlob(pattern, false)
			if g.match(text) != g.matchLong(text) {
				t.Errorf("match(%q, %q) = %v, matchLong disagrees", pattern, text, g.match(text))
			}
		}
	}
}

func TestParseConfigErrors(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"[core", "[core \"x]", "[core \"x\" ]", "[co!re]", "[a]\n=1", "[a]\nx = \"open", "[a]\nx = bad\\q", "[a]\nx!", "1", "[a]\n-x",
		"[a \"b\nc\"]",
	} {
		entries, err := parseConfig([]byte("[ok]\nx=1\n" + text))
		if !errors.Is(err, errConfigLine) {
			t.Errorf("parseConfig(%q): error %v", text, err)
		}
		if len(entries) == 0 || entries[0].key != "ok.x" {
			t.Errorf("parseConfig(%q): what came before is lost: %v", text, entries)
		}
	}
}

func TestConfigBool(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]bool{
		"true": {true, true}, "YES": {true, true}, "on": {true, true}, "1": {true, true}, "-2": {true, true},
		"": {false, true}, "no": {false, true}, "0": {false, true}, "x": {false, false}, "+": {false, false},
	} {
		if v, ok := configBool(text); v != want[0] || ok != want[1] {
			t.Errorf("configBool(%q) = %v, %v", text, v, ok)
		}
	}
}

// TestIncludeBounds: includes that go in circles or fan out end.
func TestIncludeBounds(t *testing.T) {
	t.Parallel()
	fs := memFS{
		"/r/.git/HEAD": "ref: refs/heads/main\n", "/r/.git/objects/x": "", "/r/.git/refs/x": "",
		"/r/.git/config": strings.Repeat("[include]\npath=config\n", 20) + "[end]\nx=1\n",
	}
	r, err := New(fs, Options{}).Find("/r")
	if err != nil || r == nil {
		t.Fatal(r, err)
	}
	if n := len(r.Config("end.x")); n == 0 || n > maxConfigFiles {
		t.Errorf("%d values", n)
	}
}

func TestPackedRefs(t *testing.T) {
	t.Parallel()
	a, b := strings.Repeat("a", 40), strings.Repeat("b", 40)
	p, err := parsePackedRefs([]byte("# pack-refs with: peeled\n" + b + " refs/tags/z\n^" + a + "\n" + a + " refs/heads/a\n" + a + " refs/../x\n"))
	if err != nil {
		t.Fatal(err)
	}
	if d := gocmp.Diff([]string{"refs/heads/a", "refs/tags/z"}, p.names("refs/")); d != "" {
		t.Error(d)
	}
	if id, ok := p.find("refs/tags/z"); !ok || id.hex() != b {
		t.Errorf("find: %s, %v", id.hex(), ok)
	}
	if _, err := parsePackedRefs([]byte("nonsense\n")); err == nil {
		t.Error("nonsense was accepted")
	}
}

func TestValidRefName(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"HEAD", "refs/heads/a", "refs/heads/a.b/c-d", "ü"} {
		if !validRefName(name) {
			t.Errorf("%q was refused", name)
		}
	}
	for _, name := range []string{
		"", "@", "..", "refs/../x", "/x", "x/", "a//b", ".a", "a/.b", "a.lock", "a.lock/b", "a b", "a~1", "a^", "a:b", "a?", "a[", `a\b`, "a.", "a@{b", "a\x7f", "a*",
	} {
		if validRefName(name) {
			t.Errorf("%q was accepted", name)
		}
	}
}

func TestValidPath(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]bool{
		"a": true, "a/b.c": true, ".gitignore": true, "a/.github": true, "...": true,
		"": false, "/a": false, "a/": false, "a//b": false, "../a": false, "a/./b": false, ".git/config": false, "a/.GIT": false,
	} {
		if validPath(path) != want {
			t.Errorf("validPath(%q) = %v", path, !want)
		}
	}
}

func TestDelta(t *testing.T) {
	t.Parallel()
	base := []byte("0123456789")
	for _, c := range []struct {
		name  string
		delta string
		want  string
		ok    bool
	}{
		{"copy and insert", "\x0a\x06\x91\x02\x03\x03abc", "234abc", true},
		{"copy of everything", "\x0a\x0a\x90\x0a", "0123456789", true},
		{"wrong base size", "\x0b\x03\x90\x03", "", false},
		{"wrong result size", "\x0a\x04\x90\x03", "", false},
		{"copy beyond the base", "\x0a\x05\x91\x08\x05", "", false},
		{"insert beyond the end", "\x0a\x05\x05abc", "", false},
		{"reserved", "\x0a\x01\x00", "", false},
		{"cut off in an offset", "\x0a\x03\x91", "", false},
		{"result above the limit", "\x0a\xff\xff\xff\xff\x7f", "", false},
		{"empty", "", "", false},
	} {
		got, err := applyDelta(base, []byte(c.delta))
		if (err == nil) != c.ok || string(got) != c.want {
			t.Errorf("%s: %q, %v", c.name, got, err)
		}
	}
}

func TestMapRefspec(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ spec, ref, want string }{
		{"+refs/heads/*:refs/remotes/origin/*", "refs/heads/a/b", "refs/remotes/origin/a/b"},
		{"refs/heads/main:refs/remotes/o/m", "refs/heads/main", "refs/remotes/o/m"},
		{"refs/heads/main:refs/remotes/o/m", "refs/heads/other", ""},
		{"+refs/heads/x*y:refs/o/*", "refs/heads/xAy", "refs/o/A"},
		{"+refs/heads/xx*xx:refs/o/*", "refs/heads/xxx", ""},
		{"^refs/heads/*", "refs/heads/a", ""},
		{"refs/heads/*:refs/fixed", "refs/heads/a", ""},
	} {
		got, ok := mapRefspec(c.spec, c.ref)
		if !ok {
			got = ""
		}
		if got != c.want {
			t.Errorf("mapRefspec(%q, %q) = %q, want %q", c.spec, c.ref, got, c.want)
		}
	}
}

func TestBitmap(t *testing.T) {
	t.Parallel()
	// One run of one word of ones, then two literal words.
	raw := "\x00\x00\x00\x04\x00\x00\x00\x03" + "\x80\x00\x00\x00\x00\x00\x00\x01"
	b := &bitmap{raw: raw + "\x00\x00\x00\x00\x00\x00\x00\x00"}
	got := b.expand(140)
	for i, on := range got {
		if want := i < 64 || i == 64 || i == 64+63; on != want {
			t.Errorf("bit %d is %v", i, on)
		}
	}
	if (*bitmap)(nil).expand(3)[1] {
		t.Error("no bitmap has a bit set")
	}
}
