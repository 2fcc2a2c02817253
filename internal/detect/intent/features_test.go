package intent

import (
	"slices"
	"strings"
	"testing"

	"github.com/heedsh/heed/risk"
)

func TestNormalize(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"ls  -l\t4711":                      " ls -l 0 ",
		"curl https://a.b.c:80/x?y":         " curl https://h/x?y ",
		"git commit -m \x00\x00":            " git commit -m \x00 ",
		"echo äöü":                          " echo \x80 ",
		"":                                  " ",
		"rsync a u@h::x && echo http://x|y": " rsync a u@h::x && echo http://h|y ",
	} {
		var s Scratch
		s.normalize(text)
		if got := string(s.text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestMaskedWordsAreNotSeen compares what a model sees of two commands that
// differ in a masked word only.
func TestMaskedWordsAreNotSeen(t *testing.T) {
	t.Parallel()
	see := func(argv []string, text string) []uint32 {
		var s Scratch
		return slices.Clone(Features(&Input{Text: text, Argv: [][]string{argv}}, 16, &s))
	}
	plain := see([]string{"echo", "rm", "-rf", "/"}, "echo rm -rf /")
	masked := see([]string{"echo", "\x00"}, "echo \x00")
	if len(masked) >= len(plain) {
		t.Errorf("%d features masked, %d plain", len(masked), len(plain))
	}
	for _, f := range see([]string{"rm", "-rf", "/"}, "rm -rf /") {
		if f>>24 == blockWords && slices.Contains(masked, f) {
			t.Errorf("a word of rm -rf / is seen in a masked command")
		}
	}
}

// TestShape lists the features that must be as they are; all others must be 0
// but the sizes.
func TestShape(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want map[int]float32
	}{
		{"a | b || c && d; e &", map[int]float32{shapePipes: 1, shapeLists: 4}},
		{"eval $(cat x) `y`", map[int]float32{shapeEval: 1, shapeSubst: 2, shapeVars: 1, shapeNesting: 1}},
		{"a > b 2>> c < d <<< e", map[int]float32{shapeOut: 1, shapeAppend: 1, shapeIn: 1, shapeHeredoc: 2}},
		{"sudo rm -rf /", map[int]float32{shapeSudo: 1, shapeFlags: 1, shapeForce: 1, shapeRoot: 1}},
		{"cat ~/.ssh/id_rsa", map[int]float32{shapeHome: 1, shapeSecret: 2}},
		{"scp x u@10.0.0.1:/etc", map[int]float32{shapeRemote: 1, shapeAddress: 1, shapeSystem: 1}},
	} {
		s := ShapeOf(&Input{Text: c.text})
		for f, want := range c.want {
			if s[f] != want {
				t.Errorf("%q: feature %d is %v, want %v", c.text, f, s[f], want)
			}
		}
	}
	if s := ShapeOf(&Input{Text: "aaaa"}); s[shapeEntropy] != 0 {
		t.Errorf("entropy of one letter is %v", s[shapeEntropy])
	}
	if s := ShapeOf(&Input{Text: "abcd"}); s[shapeEntropy] != 2 {
		t.Errorf("entropy of four letters is %v", s[shapeEntropy])
	}
}

// TestWorkIsBounded gives a text of a megabyte no more features than its head
// and tail have.
func TestWorkIsBounded(t *testing.T) {
	t.Parallel()
	var long strings.Builder
	for i := range 100_000 {
		long.WriteString(strings.Repeat(string(rune('a'+i%26)), 1+i%7))
		long.WriteByte(' ')
	}
	words := strings.Fields(long.String())
	var s Scratch
	if n := len(Features(&Input{Text: long.String(), Argv: [][]string{words}}, maxBits, &s)); n > 5*(2*maxPart+maxArgv) {
		t.Errorf("%d features", n)
	}
}

func TestTokens(t *testing.T) {
	t.Parallel()
	e := risk.Effect{Verb: risk.FSDelete, Scope: risk.InWorkspace, Kind: risk.KindAll, Recursive: true, Certainty: risk.Possible, Unresolved: "$x"}
	got := Tokens(nil, []risk.Effect{e, e}, []risk.Unknown{{Role: risk.RoleProgram}})
	var want []Token
	for _, s := range []string{
		"fs.delete", "fs.delete/workspace", "fs.delete:all", "fs.delete+recursive", "fs.delete+possible", "fs.delete+hole", "hole", "unknown:program",
	} {
		want = append(want, TokenOf(s))
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	var many []risk.Effect
	for _, v := range risk.Verbs() {
		many = append(many, risk.Effect{Verb: v, Scope: risk.InHome, Recursive: true})
	}
	if n := len(Tokens(nil, many, nil)); n > maxTokens+16 {
		t.Errorf("%d tokens", n)
	}
}

// TestWorldIsNoToken holds that what the machine happens to hold is no feature.
func TestWorldIsNoToken(t *testing.T) {
	t.Parallel()
	e := risk.Effect{Verb: risk.FSDelete, Scope: risk.InWorkspace}
	f := e
	f.Reversible, f.Counts, f.Tier, f.Target = risk.Lost, &risk.Counts{Files: 9}, risk.Review, "/x"
	if !slices.Equal(Tokens(nil, []risk.Effect{e}, nil), Tokens(nil, []risk.Effect{f}, nil)) {
		t.Error("tokens depend on the world")
	}
}
