package site

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/heedsh/heed/internal/value"
)

func TestGetopt(t *testing.T) {
	t.Parallel()
	o := Getopt(words("-dsname", "-t", "x", "-P", "--", "-cmd"), "ds:t:P")
	if v, _ := o.Value('s'); !o.Has('d') || v.String() != "name" {
		t.Errorf("got %+v", o)
	}
	if v, _ := o.Value('t'); v.String() != "x" || len(o.Rest) != 1 {
		t.Errorf("got %+v", o)
	}
}

func TestQuotedWords(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][]string{
		`run-shell "a b" ; ls`: {"run-shell", "a b", ";", "ls"},
		`if x { new {a b} }`:   {"if", "x", " new {a b} "},
		`a'b c'd \e ''`:        {"ab cd", "e", ""},
		`unclosed "quote`:      {"unclosed", "quote"},
		"":                     nil,
		"  \t\n":               nil,
		`}}} {{{`:              {"}}}", "{{"},
		`trailing\`:            {`trailing\`},
	} {
		if diff := cmp.Diff(want, QuotedWords(in)); diff != "" {
			t.Errorf("%q: %s", in, diff)
		}
	}
}

func words(texts ...string) []value.Value {
	var vs []value.Value
	for _, text := range texts {
		vs = append(vs, value.Lit(text))
	}
	return vs
}
