package catalog

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/heedsh/heed/risk"
	"pgregory.net/rapid"
)

func word() *rapid.Generator[string] { return rapid.StringMatching(`[a-z=-]{0,6}`) }

func list() *rapid.Generator[[]string] {
	return rapid.Custom(func(t *rapid.T) []string {
		l := rapid.SliceOfN(word(), 0, 3).Draw(t, "list")
		if len(l) == 0 {
			return nil // no list and an empty one are the same in the blob
		}
		return l
	})
}

func condition(depth int) *rapid.Generator[Cond] {
	return rapid.Custom(func(t *rapid.T) Cond {
		c := Cond{Op: CondOp(rapid.IntRange(0, int(Or)).Draw(t, "op")), Name: word().Draw(t, "name"), Word: word().Draw(t, "word")}
		if depth > 0 {
			for range rapid.IntRange(0, 2).Draw(t, "kids") {
				c.Kids = append(c.Kids, condition(depth-1).Draw(t, "kid"))
			}
		}
		return c
	})
}

func arg() *rapid.Generator[Arg] {
	return rapid.Custom(func(t *rapid.T) Arg {
		return Arg{Name: word().Draw(t, "name"), Role: Role(rapid.IntRange(0, int(Object)).Draw(t, "role")), Lang: word().Draw(t, "lang"), List: word().Draw(t, "list"), When: condition(1).Draw(t, "when")}
	})
}

// notes are what a spec says beside the grammar.
func notes() *rapid.Generator[Notes] {
	return rapid.Custom(func(t *rapid.T) Notes {
		n := Notes{Inert: Inert{All: rapid.Bool().Draw(t, "all"), Names: list().Draw(t, "inert"), Unsaid: list().Draw(t, "unsaid")}, Binds: list().Draw(t, "binds")}
		for range rapid.IntRange(0, 2).Draw(t, "hides") {
			n.Hides = append(n.Hides, Hide{By: Hiding(rapid.IntRange(0, int(HidUse)).Draw(t, "by")), Of: list().Draw(t, "of"), When: condition(1).Draw(t, "when")})
		}
		for range rapid.IntRange(0, 2).Draw(t, "needs") {
			n.Needs = append(n.Needs, Need{
				Kind: NeedKind(rapid.IntRange(0, int(NeedsInput)).Draw(t, "kind")), Names: list().Draw(t, "names"), Of: word().Draw(t, "file"),
				Else: rapid.String().Draw(t, "else"), Or: Outcome(rapid.IntRange(0, int(Asks)).Draw(t, "or")), All: rapid.Bool().Draw(t, "all of them"), When: condition(1).Draw(t, "when"),
			})
		}
		for range rapid.IntRange(0, 2).Draw(t, "says") {
			n.Says = append(n.Says, Phrase{Text: rapid.String().Draw(t, "text"), When: condition(1).Draw(t, "when")})
		}
		return n
	})
}

// TestNotesCodec: notes come out of a program as they went in, and a command
// without any keeps nothing.
func TestNotesCodec(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want := notes().Draw(t, "notes")
		p := &Program{Names: []string{"a"}}
		p.Keep(&want)
		data, err := Encode([]*Program{p})
		if err != nil {
			t.Fatal(err)
		}
		found, ok := blob(data).find("a")
		if !ok {
			t.Fatal("a is not found")
		}
		if d := cmp.Diff(want, *found.Notes()); d != "" {
			t.Fatalf("(-want +got)\n%s", d)
		}
		if none := cmp.Equal(want, Notes{}); none != (p.Kept == nil) {
			t.Fatalf("keeps %v of %+v", p.Kept, want)
		}
	})
}

func command(depth int) *rapid.Generator[Command] {
	return rapid.Custom(func(t *rapid.T) Command {
		c := Command{
			Name: word().Draw(t, "name"), Summary: rapid.String().Draw(t, "summary"), Syntax: Syntax(rapid.Uint16().Draw(t, "syntax")),
			Prints: Output(word().Draw(t, "prints")), Hook: word().Draw(t, "hook"), Wrap: Wrap{Privileged: rapid.Bool().Draw(t, "privileged"), Host: word().Draw(t, "host")},
		}
		for range rapid.IntRange(0, 2).Draw(t, "options") {
			o := Option{Names: list().Draw(t, "names"), Sets: list().Draw(t, "sets"), Optional: rapid.Bool().Draw(t, "optional")}
			if rapid.Bool().Draw(t, "has a value") {
				v := arg().Draw(t, "value")
				o.Value = &v
			}
			c.Options = append(c.Options, o)
		}
		for range rapid.IntRange(0, 2).Draw(t, "operands") {
			c.Operands = append(c.Operands, Operand{Arg: arg().Draw(t, "arg"), Many: rapid.Bool().Draw(t, "many"), Rest: rapid.Bool().Draw(t, "rest"), Default: word().Draw(t, "default")})
		}
		for range rapid.IntRange(0, 2).Draw(t, "effects") {
			c.Effects = append(c.Effects, Rule{Verb: rapid.SampledFrom(risk.Verbs()).Draw(t, "verb"), Target: word().Draw(t, "target"), Carries: list().Draw(t, "carries"), When: condition(2).Draw(t, "when")})
		}
		for range rapid.IntRange(0, 2).Draw(t, "settings") {
			c.Settings = append(c.Settings, Setting{
				Env: word().Draw(t, "variable"), File: word().Draw(t, "file"), As: SettingAs(rapid.IntRange(0, int(AsInert)).Draw(t, "as")),
				Holding: word().Draw(t, "holding"), HelpToo: rapid.Bool().Draw(t, "help"), VersionToo: rapid.Bool().Draw(t, "version"), Arg: arg().Draw(t, "taken"), Lasting: rapid.Bool().Draw(t, "lasting"),
			})
		}
		for range rapid.IntRange(0, 2).Draw(t, "traits") {
			c.Traits = append(c.Traits, TraitRule{Trait: Trait(rapid.Uint32().Draw(t, "trait")), When: condition(1).Draw(t, "when")})
		}
		n := notes().Draw(t, "notes")
		c.Keep(&n)
		if depth > 0 {
			for range rapid.IntRange(0, 2).Draw(t, "sub") {
				c.Sub = append(c.Sub, NewSubcommand(command(depth-1).Draw(t, "sub")))
			}
		}
		return c
	})
}

// TestCodec: what was encoded is found again, the same, under each name.
func TestCodec(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z0-9.+-]{1,8}`), 1, 8, rapid.ID[string]).Draw(t, "names")
		var programs []*Program
		for i, n := range names {
			if i > 0 && rapid.Bool().Draw(t, "alias") {
				last := programs[len(programs)-1]
				last.Names = append(last.Names, n)
				continue
			}
			programs = append(programs, &Program{Names: []string{n}, Source: rapid.String().Draw(t, "source"), Command: command(2).Draw(t, "command")})
		}
		data, err := Encode(programs)
		if err != nil {
			t.Fatal(err)
		}
		b := blob(data)
		if got := b.names(); len(got) != len(names) {
			t.Fatalf("%d names, want %d", len(got), len(names))
		}
		for _, p := range programs {
			for _, n := range p.Names {
				got, ok := b.find(n)
				if !ok {
					t.Fatalf("%q is not found", n)
				}
				if diff := cmp.Diff(p, got, cmp.Transformer("command", (*Subcommand).Command), cmp.Comparer(func(a, b *Kept) bool { return a == b || a != nil && b != nil && a.encoded == b.encoded })); diff != "" {
					t.Fatalf("%q (-want +got):\n%s", n, diff)
				}
			}
			if got, ok := b.find(p.Names[0] + "\x00"); ok {
				t.Fatalf("found %v under a name that nobody gave", got)
			}
		}
		again, err := Encode(programs)
		if err != nil || string(again) != string(data) {
			t.Fatalf("encoding twice gives other bytes (%v)", err)
		}
	})
}

// TestEncodeTwice: two programs of one name are an error.
func TestEncodeTwice(t *testing.T) {
	t.Parallel()
	p := &Program{Names: []string{"a"}}
	if _, err := Encode([]*Program{p, {Names: []string{"b", "a"}}}); err == nil {
		t.Error("two programs named a: no error")
	}
}

// FuzzDecode: the data of a program that was damaged never panics, nor makes
// more than the data could hold.
func FuzzDecode(f *testing.F) {
	whole, err := os.ReadFile("catalog.bin")
	if err != nil {
		f.Fatal(err)
	}
	b := blob(whole)
	for i, n := range b.names() {
		if i%40 == 0 {
			f.Add(n, uint32(i*37), byte(i))
		}
	}
	f.Fuzz(func(t *testing.T, name string, at uint32, with byte) {
		damaged := []byte(whole)
		first := tableAt + (b.count()+1)*rowSize // the index is checked by its digest, and embedded
		damaged[first+int(at)%(len(damaged)-first)] ^= with
		p, ok := blob(damaged).find(name)
		if !ok {
			return
		}
		if p == nil {
			t.Fatal("found nothing")
		}
		readAll(&p.Command)
	})
}

// readAll reads the subcommands of c, and theirs.
func readAll(c *Command) {
	for _, s := range c.Sub {
		readAll(s.Command())
	}
}

// conds are conditions as specs write them, and texts that are none.
var conds = []string{
	"", "a", "not a", "a and b or c", "(a or b) and not c", "a=b", "a~*.x|y", "a=", "=a", "~", "(", ")", "not", "and", "a and", "a b", strings.Repeat("(", 1000), strings.Repeat("not ", 1000) + "a", strings.Repeat("a and ", 1000) + "a", "a==b~c", "\xff", "a\x00",
}

// FuzzParseCond: any text is a condition or an error, and a condition can be
// evaluated.
func FuzzParseCond(f *testing.F) {
	for _, c := range conds {
		f.Add(c)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := ParseCond(text)
		if err != nil {
			return
		}
		p := &Program{Names: []string{"p"}}
		m := p.Match(nil)
		if c.Op == Not && c.Holds(m) == c.Kids[0].Holds(m) {
			t.Fatalf("%q: not what it negates", text)
		}
		c.Holds(m)
		if again, err := ParseCond("(" + text + ")"); err == nil && strings.TrimSpace(text) != "" {
			if diff := cmp.Diff(c, again); diff != "" {
				t.Fatalf("%q in parentheses is something else:\n%s", text, diff)
			}
		}
	})
}

// slowGlob is what Glob means, by trying everything.
func slowGlob(pattern, s string) bool {
	switch {
	case pattern == "":
		return s == ""
	case pattern[0] == '*':
		return slowGlob(pattern[1:], s) || s != "" && slowGlob(pattern, s[1:])
	}
	return s != "" && s[0] == pattern[0] && slowGlob(pattern[1:], s[1:])
}

// FuzzGlob compares Glob with trying everything.
func FuzzGlob(f *testing.F) {
	for _, s := range [][2]string{{"", ""}, {"*", "x"}, {"a*b", "ab"}, {"a*a", "a"}, {"*a*b*", "xaxbx"}, {"a|b*", "bc"}, {"|", ""}, {"**", ""}, {"a*b*c", "abcbc"}} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, pattern, s string) {
		got := Glob(pattern, s)
		if len(pattern) > 12 || len(s) > 16 {
			return // trying everything would take too long
		}
		want := false
		for _, alternative := range strings.Split(pattern, "|") {
			want = want || slowGlob(alternative, s)
		}
		if got != want {
			t.Fatalf("Glob(%q, %q) = %v", pattern, s, got)
		}
	})
}

// TestGlob is FuzzGlob over a few letters, where collisions are likely.
func TestGlob(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		pattern := rapid.StringMatching(`[ab*|]{0,7}`).Draw(t, "pattern")
		s := rapid.StringMatching(`[ab]{0,8}`).Draw(t, "text")
		want := false
		for _, alternative := range strings.Split(pattern, "|") {
			want = want || slowGlob(alternative, s)
		}
		if Glob(pattern, s) != want {
			t.Fatalf("Glob(%q, %q) = %v", pattern, s, !want)
		}
	})
}
