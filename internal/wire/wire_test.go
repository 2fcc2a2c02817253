package wire_test

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/heedsh/heed/internal/wire"
	"pgregory.net/rapid"
)

func TestRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		numbers := rapid.SliceOf(rapid.Uint64()).Draw(t, "numbers")
		texts := rapid.SliceOf(rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) })).Draw(t, "texts")
		texts = append(texts, texts...)
		var w wire.Writer
		for _, n := range numbers {
			w.Uint(n)
		}
		w.Strings(texts)
		w.Bool(true)
		w.Bool(false)
		r := wire.NewReader(w.Bytes())
		for _, n := range numbers {
			if got := r.Uint(); got != n {
				t.Errorf("%d is read as %d", n, got)
			}
		}
		if got := r.Strings(); !slices.Equal(got, texts) {
			t.Errorf("%q is read as %q", texts, got)
		}
		if yes, no := r.Bool(), r.Bool(); !yes || no {
			t.Error("true and false are read as others")
		}
		if err := r.End(); err != nil {
			t.Error(err)
		}
	})
}

// TestStrict: what no writer would have written is refused, once and for all.
func TestStrict(t *testing.T) {
	t.Parallel()
	list := []string{"a", "b", "c"}
	for name, c := range map[string]struct {
		data string
		read func(*wire.Reader)
	}{
		"nothing":               {"", func(r *wire.Reader) { r.Uint() }},
		"half a number":         {"\x80", func(r *wire.Reader) { r.Uint() }},
		"a long zero":           {"\x80\x00", func(r *wire.Reader) { r.Uint() }},
		"a number of 65 bits":   {"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", func(r *wire.Reader) { r.Uint() }},
		"a number of 11 bytes":  {"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x81\x01", func(r *wire.Reader) { r.Uint() }},
		"a third truth":         {"\x02", func(r *wire.Reader) { r.Bool() }},
		"a string too long":     {"\x00\x05abc", func(r *wire.Reader) { _ = r.String() }},
		"a string that is none": {"\x01", func(r *wire.Reader) { _ = r.String() }},
		"a string twice":        {"\x00\x01a\x00\x01a", func(r *wire.Reader) { _, _ = r.String(), r.String() }},
		"more than there is":    {"\x09abc", func(r *wire.Reader) { r.Count() }},
		"more strings":          {"\x02\x00\x00", func(r *wire.Reader) { r.Strings() }},
		"a name twice":          {"\x02\x00\x01a\x01", func(r *wire.Reader) { r.Names(func(string) {}) }},
		"names out of order":    {"\x02\x00\x01b\x00\x01a", func(r *wire.Reader) { r.Names(func(string) {}) }},
		"no such word":          {"\x00\x01x", func(r *wire.Reader) { r.Word(list) }},
		"words out of order":    {"\x02\x00\x01b\x00\x01a", func(r *wire.Reader) { r.Words(list) }},
		"a word twice":          {"\x02\x00\x01b\x01", func(r *wire.Reader) { r.Words(list) }},
		"more than was read":    {"\x01\x01", func(r *wire.Reader) { r.Uint() }},
	} {
		r := wire.NewReader([]byte(c.data))
		c.read(r)
		if err := r.End(); err == nil {
			t.Errorf("%s: %q is read", name, c.data)
			continue
		}
		if r.Uint() != 0 || r.String() != "" || r.Bool() || r.Count() != 0 || r.Strings() != nil || r.End() == nil {
			t.Errorf("%s: something is read behind what is wrong", name)
		}
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	var w wire.Writer
	w.Strings([]string{"a", "c"})
	w.String("b")
	w.Uint(math.MaxUint64)
	w.Count(2)
	w.String("a")
	w.String("z")
	r := wire.NewReader(w.Bytes())
	list := []string{"a", "b", "c"}
	var names []string
	words, at, n := r.Words(list), r.Word(list), r.Uint()
	r.Names(func(name string) { names = append(names, name) })
	if diff := cmp.Diff([]any{[]string{"a", "c"}, 1, uint64(math.MaxUint64), []string{"a", "z"}, error(nil)}, []any{words, at, n, names, r.End()}); diff != "" {
		t.Error(diff)
	}
}

func FuzzReader(f *testing.F) {
	f.Add([]byte("\x01\x00\x01a\x01\x02"), []byte{0, 1, 2, 3, 4, 5, 6})
	f.Fuzz(func(t *testing.T, data, calls []byte) {
		r := wire.NewReader(data)
		for _, c := range calls {
			switch c % 7 {
			case 0:
				r.Uint()
			case 1:
				if n := r.Count(); n > len(data) {
					t.Errorf("%d of something in %d bytes", n, len(data))
				}
			case 2:
				r.Bool()
			case 3:
				if s := r.String(); len(s) > len(data) {
					t.Errorf("a string of %d bytes in %d", len(s), len(data))
				}
			case 4:
				r.Strings()
			case 5:
				r.Names(func(string) { r.Uint() })
			case 6:
				r.Words([]string{"a", "b"})
			}
		}
		_ = r.End()
	})
}
