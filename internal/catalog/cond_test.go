package catalog

import (
	"testing"

	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// TestUnknownWords holds that what depends on a word that is not known may happen,
// whichever way a condition asks for it, and reassures nobody.
func TestUnknownWords(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		when        string
		word        value.Value
		may, surely bool
	}{
		{"mode=fast", value.Lit("fast"), true, true},
		{"not mode=fast", value.Lit("fast"), false, false},
		{"mode=fast", value.Unknown(risk.CauseUnknown, "x"), true, false},
		{"not mode=fast", value.Unknown(risk.CauseUnknown, "x"), true, false},
		{"not (mode~f* or mode=slow)", value.Unknown(risk.CauseUnknown, "x"), true, false},
		{"mode~f*", value.Concat(value.Lit("fa"), value.Unknown(risk.CauseUnknown, "x")), true, true},
		{"not mode~f*|s", value.Concat(value.Lit("fa"), value.Unknown(risk.CauseUnknown, "x")), false, false},
		{"not mode=slow", value.Concat(value.Lit("fa"), value.Unknown(risk.CauseUnknown, "x")), true, true},
		{"not mode=fast", value.Concat(value.Lit("fa"), value.Unknown(risk.CauseUnknown, "x")), true, false},
		{"not not mode~f*", value.Unknown(risk.CauseUnknown, "x"), true, false},
		{"mode=( or (other)", value.Lit("("), true, true},
		{"(not mode=( )", value.Lit("("), false, false},
		{"not mode=fast and other", value.Unknown(risk.CauseUnknown, "x"), false, false},
	} {
		c, err := ParseCond(test.when)
		if err != nil {
			t.Fatal(err)
		}
		m := &Match{Chain: []*Command{{}}}
		m.Bind("mode", test.word)
		if may, surely := c.Holds(m), c.surely(m, nil); may != test.may || surely != test.surely {
			t.Errorf("%s with %s: may %v, surely %v, want %v, %v", test.when, test.word.String(), may, surely, test.may, test.surely)
		}
	}
}
