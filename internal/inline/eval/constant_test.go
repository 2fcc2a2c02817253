package eval

import (
	"testing"

	"github.com/heedsh/heed/internal/inline/syntax"
)

func TestConstantOutput(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ lang, code, want string }{
		{"perl", `print 'ls'`, "ls"},
		{"perl", ` print 'MS' ^ '! ' `, "ls"},
		{"perl", `print 'ab' ^ "\x20"`, "Ab"},
		{"perl", `print 'A' | ' '; print "b"`, "ab"},
		{"perl", `print 'AB' & 'a'`, "A"},
		{"perl", `print "a" . 'b'`, "ab"},
		{"perl", `say 'x'`, "x\n"},
		{"python", `print('a' + 'b', 'c')`, "ab c\n"},
		{"ruby", `puts 'x'`, "x\n"},
		{"perl", `print "a$x"`, ""},
		{"perl", `$, = "-"; print 'a', 'b'`, ""},
		{"perl", `print STDERR 'a'`, ""},
		{"perl", `print 'a' if $x`, ""},
		{"perl", `print 1 ^ 2`, ""},
		{"perl", `print 'ü' ^ 'a'`, ""},
		{"python", `print('a', end='')`, ""},
		{"python", `print('%5s' % 'a')`, ""},
		{"node", `console.log('a')`, "a\n"},
		{"node", `console.error('a')`, ""},
	} {
		body, ok := syntax.Parse(c.lang, c.code, 0)
		if !ok {
			t.Errorf("%s %q: not parsed", c.lang, c.code)
			continue
		}
		if got, _ := constantOutput(c.lang, body).Known(); got != c.want {
			t.Errorf("%s %q: got %q, want %q", c.lang, c.code, got, c.want)
		}
	}
}
