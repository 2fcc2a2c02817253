package value_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/wire"
	"pgregory.net/rapid"
)

var whole = cmp.Exporter(func(reflect.Type) bool { return true })

func rewritten(t interface{ Errorf(string, ...any) }, v value.Value) value.Value {
	var w wire.Writer
	v.Write(&w)
	r := wire.NewReader(w.Bytes())
	got := value.Read(r)
	if err := r.End(); err != nil {
		t.Errorf("%v cannot be read back: %v", v, err)
	}
	return got
}

func TestValuesAreKept(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := models().Draw(t, "value")
		v := m.v.FromPattern(text().Draw(t, "pattern"))
		if diff := cmp.Diff(v, rewritten(t, v), whole); diff != "" {
			t.Errorf("%v is another:\n%s", v, diff)
		}
	})
}

// TestHolesAreKept: every field of a hole is kept, one that is added too. Only what is true
// as things are now is not.
func TestHolesAreKept(t *testing.T) {
	t.Parallel()
	var h value.Hole
	fill(reflect.ValueOf(&h).Elem())
	h.Nothing = false
	v := value.Of(h).With(value.Taint(1<<9 - 1))
	if diff := cmp.Diff(v, rewritten(t, v), whole); diff != "" {
		t.Error(diff)
	}
	if n := len(v.Taint().Words()); n != 9 {
		t.Errorf("of 9 sources %d have a word", n)
	}
}

// fill sets every field to something.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer: // to a value: the command of a hole
		v.Set(reflect.ValueOf(new(value.Value)))
		*v.Interface().(*value.Value) = value.Lit("b")
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0))
	case reflect.String:
		v.SetString("a")
	case reflect.Bool:
		v.SetBool(true)
	default:
		v.SetUint(2)
	}
}

func TestBrokenValues(t *testing.T) {
	t.Parallel()
	write := func(f func(w *wire.Writer)) []byte {
		var w wire.Writer
		f(&w)
		return w.Bytes()
	}
	literal := func(w *wire.Writer, s string) { w.Bool(false); w.String(s) }
	hole := func(w *wire.Writer, cause, shape, list string) {
		w.Bool(true)
		for _, s := range []string{cause, "n", shape, "", ""} {
			w.String(s)
		}
		w.Bool(false)
		w.Strings(nil)
		w.Strings(nil)
		w.Bool(false)
		w.Bool(false)
		w.String(list)
		w.String("")
		w.String("")
		w.Bool(false)
	}
	end := func(w *wire.Writer, taints ...string) { w.Strings(taints); w.String("") }
	for name, data := range map[string][]byte{
		"no part":       write(func(w *wire.Writer) { w.Count(1); literal(w, ""); end(w) }),
		"only literals": write(func(w *wire.Writer) { w.Count(1); literal(w, "a"); end(w) }),
		"two literals": write(func(w *wire.Writer) {
			w.Count(3)
			literal(w, "a")
			literal(w, "b")
			hole(w, "unset", "text", "")
			end(w)
		}),
		"an unknown cause": write(func(w *wire.Writer) { w.Count(1); hole(w, "whim", "text", ""); end(w) }),
		"an unknown shape": write(func(w *wire.Writer) { w.Count(1); hole(w, "unset", "round", ""); end(w) }),
		"an unknown list":  write(func(w *wire.Writer) { w.Count(1); hole(w, "unset", "text", "stars"); end(w) }),
		"an unknown taint": write(func(w *wire.Writer) { w.Count(0); w.String("a"); end(w, "ink") }),
		"half of one":      write(func(w *wire.Writer) { w.Count(0); w.String("a") }),
	} {
		r := wire.NewReader(data)
		if v := value.Read(r); r.End() == nil || !v.Empty() {
			t.Errorf("%s: %q is read as %v", name, data, v)
		}
	}
	deep := value.Lit("id")
	for range 100 { // holes that are printed by commands with such holes
		inner := deep
		deep = value.Of(value.Hole{Shell: &inner})
	}
	r := wire.NewReader(write(deep.Write))
	if v := value.Read(r); r.End() == nil || !v.Empty() {
		t.Errorf("commands too deep in each other are read as %v", v)
	}
	r = wire.NewReader(write(func(w *wire.Writer) { w.Count(1); hole(w, "unset", "text", ""); end(w, "secret", "endless") }))
	if v := value.Read(r); r.End() != nil || !v.Taint().Has(value.Endless) {
		t.Errorf("what is whole is not read: %v", r.End())
	}
}

// FuzzRead: any bytes are an error or a value, and what is read is written so
// that the same is read again.
func FuzzRead(f *testing.F) {
	for _, v := range []value.Value{value.Lit("a"), value.Concat(value.Lit("a"), value.OneOf(1, "x", "b", "c"), value.Lit("d")).With(value.Secret), value.Of(value.Hole{Shape: value.Below, Base: "/"}).FromPattern("*")} {
		var w wire.Writer
		v.Write(&w)
		f.Add(w.Bytes())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r := wire.NewReader(slices.Clone(data))
		v := value.Read(r)
		if r.End() != nil {
			return
		}
		_, _ = v.Known()
		_ = v.String() + v.Worst() + v.Prefix() + v.Suffix()
		if diff := cmp.Diff(v, rewritten(t, v), whole); diff != "" {
			t.Error(diff)
		}
	})
}
