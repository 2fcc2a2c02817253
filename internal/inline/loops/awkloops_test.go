package loops

import (
	"testing"

	"github.com/heedsh/heed/internal/lang/awk"
)

func TestAwkLoops(t *testing.T) {
	t.Parallel()
	const memory, output = "memory without end", "output without end"
	for _, c := range []struct {
		text, want string
		prints     bool
	}{
		{`BEGIN { for (;;) s = s "x" }`, memory, false},
		{`BEGIN { while (1) a[n++] = 1 }`, memory, false},
		{`BEGIN { while (n < 9) a[n++] = 1 }`, "", false},
		{`{ a[n++] = $0 } END { for (i in a) print a[i] }`, "", false},
		{`BEGIN { while (1) print 1 }`, "", true},
		{`BEGIN { do { a[++n] = n } while (!0) }`, memory, false},
		{`BEGIN { for (i = 0; ; i++) print i > "out" }`, output, false},
		{`BEGIN { while ("0") print "x" >> f }`, output, false},
		{`BEGIN { while (1) print > "/dev/null" }`, "", false},
		{`BEGIN { while (1) printf "x" > "/dev/stdout" }`, "", true},
		{`BEGIN { while (1) print "x" | "cat" }`, "", false},
		{`BEGIN { while (true) print 1 }`, "", false}, // a variable that is not set
		{`BEGIN { true = 1; while (true) print 1 }`, "", true},
		{`BEGIN { while (x) { print; x = 0 } }`, "", false},
		{`BEGIN { while (1) { if (n++ > 9) break; print } }`, "", false},
		{`BEGIN { while (1) { for (;;) { break }; s = "a" s } }`, memory, false},
		{`BEGIN { while (1) { switch (x) { case 1: break }; print } }`, "", true},
		{`BEGIN { while (1) { print; exit } }`, "", false},
		{`{ while (1) { print; next } }`, "", false},
		{`BEGIN { while (1) { getline line; a[n++] = line } }`, "", false},
		{`function die() { exit 1 } function f() { die() } BEGIN { while (1) { a[n++] = 1; f() } }`, "", false},
		{`function f(x) { g(x) } function g(x) { f(x) } BEGIN { while (1) { a[n++] = 1; f() } }`, memory, false},
		{`BEGIN { while (1) x = x + x }`, "", false}, // a sum
		{`BEGIN { while (1) x = x x }`, memory, false},
		{`BEGIN { while (1) x = x y }`, "", false}, // y may be empty
		{`BEGIN { while (1) { input = 1; last = 2; print } }`, "", true},
		{`BEGIN { while (1) a["x" n++] = 1 }`, memory, false},
		{`BEGIN { while (1) { print "a`, memory, true}, // it is not awk
	} {
		if got := UnboundedInAwk(awk.Parse(c.text)); got.Kind.String() != c.want || got.Prints != c.prints {
			t.Errorf("%s\n\tgot %q, prints %v; want %q, %v", c.text, got.Kind, got.Prints, c.want, c.prints)
		}
	}
}

func FuzzAwkLoops(f *testing.F) {
	f.Add("BEGIN{while(1)a[n++]=1}")
	f.Add("function f(){f()}{do{f();x=x x}while(x)}")
	f.Fuzz(func(_ *testing.T, text string) {
		UnboundedInAwk(awk.Parse(text))
	})
}
