package value_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
	"pgregory.net/rapid"
)

// A model is a value as the set of all strings that it can be, or open if that
// set has no end.
type model struct {
	v     value.Value
	all   []string
	open  bool
	taint value.Taint
}

func text() *rapid.Generator[string] {
	return rapid.StringOfN(rapid.SampledFrom([]rune("ab/ :é")), 0, 5, -1)
}

// models generates values together with what they mean.
func models() *rapid.Generator[model] {
	return rapid.Custom(func(t *rapid.T) model {
		m := model{v: value.Value{}, all: []string{""}}
		for range rapid.IntRange(0, 4).Draw(t, "parts") {
			part, holds := value.Value{}, []string(nil)
			switch rapid.IntRange(0, 5).Draw(t, "kind") {
			case 0:
				h := value.Hole{Cause: risk.CauseOutput, Name: "x", Shape: rapid.SampledFrom([]value.Shape{value.AnyText, value.AnyPath, value.Word, value.Number}).Draw(t, "shape")}
				part, m.open = value.Of(h), true
			case 1, 2:
				holds = rapid.SliceOfN(text(), 1, 3).Draw(t, "alternatives")
				part = value.OneOf(risk.CauseUnknown, "x", slices.Clone(holds)...)
			default:
				s := text().Draw(t, "literal")
				part, holds = value.Lit(s), []string{s}
			}
			taint := value.Taint(rapid.IntRange(0, 127).Draw(t, "taint"))
			m.taint |= taint
			m.v = value.Concat(m.v, part.With(taint))
			var next []string
			for _, a := range m.all {
				for _, b := range holds {
					next = append(next, a+b)
				}
			}
			m.all = set(next)
		}
		if m.open {
			m.all = nil
		}
		return m
	})
}

func set(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}

// same fails unless v can be exactly the strings of all.
func same(t *rapid.T, what string, v value.Value, all []string) {
	t.Helper()
	got, ok := v.Candidates(1 << 12)
	if !ok {
		t.Fatalf("%s: %v is not a closed set", what, v)
	}
	if diff := cmp.Diff(set(all), set(got)); diff != "" {
		t.Fatalf("%s (-want +got):\n%s", what, diff)
	}
}

// TestConcat: a value is all the strings that its parts can make.
func TestConcat(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := models().Draw(t, "value")
		if m.v.Taint() != m.taint {
			t.Fatalf("taint %b, want %b", m.v.Taint(), m.taint)
		}
		_, known := m.v.Known()
		if known != m.v.IsKnown() || known && m.open {
			t.Fatalf("%v: known %v, is known %v, open %v", m.v, known, m.v.IsKnown(), m.open)
		}
		if m.open {
			if got, ok := m.v.Candidates(1 << 12); ok {
				t.Fatalf("%v is open and has candidates %q", m.v, got)
			}
			return
		}
		same(t, "value", m.v, m.all)
		if known && len(m.all) != 1 {
			t.Fatalf("%v is known and one of %q", m.v, m.all)
		}
		for _, s := range m.all {
			if !strings.HasPrefix(s, m.v.Prefix()) || !strings.HasSuffix(s, m.v.Suffix()) {
				t.Fatalf("%q does not begin with %q and end with %q", s, m.v.Prefix(), m.v.Suffix())
			}
		}
		if !slices.Contains(m.all, m.v.Worst()) {
			t.Fatalf("the worst is %q, which is none of %q", m.v.Worst(), m.all)
		}
	})
}

// TestMap: every possible string is mapped.
func TestMap(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := models().Draw(t, "value")
		up := m.v.Map(strings.ToUpper, value.AnyText)
		if up.Taint() != m.taint {
			t.Fatalf("taint %b, want %b", up.Taint(), m.taint)
		}
		if m.open || len(m.all) > 64 {
			if up.IsKnown() {
				t.Fatalf("%v becomes known: %v", m.v, up)
			}
			return
		}
		if _, closed := up.Candidates(1 << 12); !closed {
			return // more than 64 combinations: a hole, which says less
		}
		var want []string
		for _, s := range m.all {
			want = append(want, strings.ToUpper(s))
		}
		same(t, "map", up, want)
	})
}

// TestJoin: either may be.
func TestJoin(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := models().Draw(t, "a"), models().Draw(t, "b")
		j := value.Join(a.v, b.v, 1<<12)
		if j.Taint() != a.taint|b.taint {
			t.Fatalf("taint %b, want %b", j.Taint(), a.taint|b.taint)
		}
		if a.open || b.open {
			if _, ok := j.Candidates(1 << 12); ok {
				t.Fatalf("%v or %v is a closed set: %v", a.v, b.v, j)
			}
			return
		}
		same(t, "join", j, append(slices.Clone(a.all), b.all...))
	})
}

// TestSplit: the pieces put together again are the value, and splitting a
// known value is splitting its string.
func TestSplit(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m, sep := models().Draw(t, "value"), rapid.SampledFrom([]string{"/", ":", "ab", "a"}).Draw(t, "separator")
		pieces := m.v.Split(sep)
		if s, known := m.v.Known(); known {
			var got []string
			for _, p := range pieces {
				text, ok := p.Known()
				if !ok || p.Taint() != m.taint {
					t.Fatalf("%q: piece %v with taint %b", s, p, p.Taint())
				}
				got = append(got, text)
			}
			if diff := cmp.Diff(strings.Split(s, sep), got); diff != "" {
				t.Fatalf("(-want +got):\n%s", diff)
			}
		}
		whole := value.Value{}
		for i, p := range pieces {
			if i > 0 {
				whole = value.Concat(whole, value.Lit(sep))
			}
			whole = value.Concat(whole, p)
		}
		if whole.String() != m.v.String() {
			t.Fatalf("%v splits and joins to %v", m.v, whole)
		}
		if !m.open {
			same(t, "split and joined", whole, m.all)
		}
	})
}

// TestCharacters: an empty separator cuts between all characters, and a hole is a
// piece of its own.
func TestCharacters(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := models().Draw(t, "value")
		pieces := m.v.Split("")
		if s, known := m.v.Known(); known && s != "" {
			var got []string
			for _, p := range pieces {
				text, _ := p.Known()
				got = append(got, text)
			}
			if diff := cmp.Diff(strings.Split(s, ""), got); diff != "" {
				t.Fatalf("(-want +got):\n%s", diff)
			}
		}
		holes := 0
		for _, p := range pieces {
			holes += len(p.Holes())
			if p.Taint() != m.taint {
				t.Fatalf("piece %v with taint %b, want %b", p, p.Taint(), m.taint)
			}
		}
		if holes != len(m.v.Holes()) {
			t.Fatalf("%v has %d holes, its pieces %d", m.v, len(m.v.Holes()), holes)
		}
	})
}

// TestSplitEnds: however long a value is and whatever it is cut at, the pieces are
// bounded, and what is left over is not known.
func TestSplitEnds(t *testing.T) {
	t.Parallel()
	for _, sep := range []string{"", "a", "aa", "b", "\x00", "é"} {
		for _, text := range []string{"", "a", strings.Repeat("a", 3<<20), strings.Repeat("é", 1<<20), "\xff\xfe", strings.Repeat("ab", 1<<15)} {
			pieces := value.Lit(text).With(value.Secret).Split(sep)
			if len(pieces) == 0 || len(pieces) > 1<<15 {
				t.Errorf("%d bytes cut at %q: %d pieces", len(text), sep, len(pieces))
			}
			n := 0
			for _, p := range pieces {
				n += p.Len()
			}
			last := pieces[len(pieces)-1]
			if n+len(sep)*(len(pieces)-1) < len(text) && last.IsKnown() || !last.Taint().Has(value.Secret) {
				t.Errorf("%d bytes cut at %q: what is left over is %v with taint %b", len(text), sep, last, last.Taint())
			}
		}
	}
}

// TestCut: what is left after known bytes are taken off the front.
func TestCut(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := models().Draw(t, "value")
		n := rapid.IntRange(0, len(m.v.Prefix())).Draw(t, "n")
		cut := m.v.Cut(n)
		if cut.Taint() != m.taint {
			t.Fatalf("taint %b, want %b", cut.Taint(), m.taint)
		}
		if got := value.Concat(value.Lit(m.v.Prefix()[:n]), cut).String(); got != m.v.String() {
			t.Fatalf("%v without %d and with them again: %q", m.v, n, got)
		}
		if !m.open {
			var want []string
			for _, s := range m.all {
				want = append(want, s[n:])
			}
			same(t, "cut", cut, want)
		}
	})
}

// TestBounded: a value that would be larger than any command is not known, and
// keeps what flowed into it.
func TestBounded(t *testing.T) {
	t.Parallel()
	v := value.Lit("x").With(value.Secret)
	for range 200 {
		v = value.Concat(v, v)
	}
	if v.IsKnown() || !v.Taint().Has(value.Secret) || v.Len() > 8<<20 {
		t.Fatalf("doubled 200 times: known %v, taint %b, %d bytes", v.IsKnown(), v.Taint(), v.Len())
	}
}
