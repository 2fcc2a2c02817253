package splice

import (
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

func hole(name string) value.Value { return value.Unknown(risk.CauseUnknown, name) }

func TestOffset(t *testing.T) {
	t.Parallel()
	parts := []value.Value{value.Unknown(risk.CauseUnknown, "A"), value.Lit(strings.Repeat("long", 9))}
	var b Builder
	b.Text("x ")
	b.Data(parts[0])
	b.Text(" y ")
	b.Data(parts[1])
	b.Text(" z")
	shown := Shown(b.String(), parts)
	for _, word := range []string{"x", "y", "z"} {
		at := strings.Index(b.String(), word)
		if got := Offset(b.String(), parts, at); got != strings.Index(shown, word) {
			t.Errorf("%s stands at %d of %q", word, got, shown)
		}
	}
	if got := Offset(b.String(), parts, 5); got != 2 {
		t.Errorf("a byte within a part stands at %d", got)
	}
	if got := Offset(b.String(), parts, len(b.String())); got != len(shown) {
		t.Errorf("the end is at %d of %d", got, len(shown))
	}
}

func TestBuilder(t *testing.T) {
	t.Parallel()
	var b Builder
	b.Text("rm '")
	b.Put(value.Concat(value.Lit("/a/"), hole("X"), value.Lit("/b/"), hole("Y")))
	b.Text("' ")
	b.Data(value.Lit("c d"))
	text, parts := b.String(), b.Parts()
	if want := "rm '/a/${1073741824}/b/${1073741825}' ${1073741826}"; text != want || len(parts) != 3 || b.Len() != len(want) {
		t.Fatalf("%q with %d parts, want %q", text, len(parts), want)
	}
	const shown = "rm '/a/$X/b/$Y' c d"
	if got := Shown(text, parts); got != shown {
		t.Errorf("shown %q, want %q", got, shown)
	}
	v := Value(text, parts)
	if got := v.String(); got != shown || len(v.Holes()) != 2 {
		t.Errorf("the value is %q with %d holes", got, len(v.Holes()))
	}
	moved := Rebase(text, len(parts), 5)
	all := append(make([]value.Value, 5), parts...)
	if got := Shown(moved, all); got != shown || moved == text {
		t.Errorf("moved to %q, shown %q", moved, got)
	}
	if got := Shown(moved, parts); got != moved {
		t.Errorf("parts that are not there: %q", got)
	}
	if i, ok := Index("1073741825"); i != 1 || !ok {
		t.Errorf("part %d, %v", i, ok)
	}
}

func TestNoParts(t *testing.T) {
	t.Parallel()
	parts := []value.Value{hole("X")}
	for _, text := range []string{"", "${10}", "${1073741823}", "${1073741824", "${107374182x}", "${1073", "$1073741824", "${10737418240}", "${1073999999}"} {
		if got := Shown(text, parts); got != text {
			t.Errorf("%q is shown as %q", text, got)
		}
		if got, known := Value(text, parts).Known(); got != text || !known {
			t.Errorf("%q has the value %q", text, got)
		}
	}
	for _, name := range []string{"", "1", "1073741823", "-107374182", "9999999999", "X"} {
		if _, ok := Index(name); ok {
			t.Errorf("%q is a part", name)
		}
	}
}

func FuzzShown(f *testing.F) {
	f.Add("a ${1073741824} b", 1)
	f.Add("${1073${1073741825}", 2)
	f.Fuzz(func(t *testing.T, text string, n int) {
		parts := make([]value.Value, min(max(n, 0), 9))
		for i := range parts {
			parts[i] = value.Lit("p")
		}
		shown := Shown(text, parts)
		if v, known := Value(text, parts).Known(); !known || v != shown {
			t.Errorf("%q: %q, %q", text, shown, v)
		}
		if len(parts) > 0 && Rebase(Rebase(text, len(parts), 1), len(parts)+1, 0) != Rebase(text, len(parts), 1) {
			t.Error("counted from 0 on it is another text")
		}
		if strings.Count(shown, lead) > strings.Count(text, lead) {
			t.Errorf("%q has more references than %q", shown, text)
		}
	})
}
