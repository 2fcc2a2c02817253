package sed

import (
	"fmt"
	"strings"
	"testing"
)

// show writes the commands of a script: addresses, name, operands.
func show(s *Script) string {
	var all []string
	for i := range s.Commands {
		all = append(all, showCommand(s, &s.Commands[i]))
	}
	return strings.Join(all, " ; ")
}

func showCommand(s *Script, c *Command) string {
	text := showAddress(s, &c.First)
	if c.Second.Kind != None {
		text += "," + showAddress(s, &c.Second)
	}
	if c.Not {
		text += "!"
	}
	if c.Name == Mark {
		return text + "?" + strings.ReplaceAll(s.In(c.Span), "\x00", "%")
	}
	text += string(rune(c.Name))
	switch {
	case c.Sub != nil:
		text += fmt.Sprintf("(%s|%s)", s.In(c.Sub.Regex), s.In(c.Sub.Replacement))
		for _, f := range []struct {
			letter string
			set    bool
		}{{"g", c.Sub.Global}, {"p", c.Sub.Print}, {"e", c.Sub.Evaluate}, {"I", c.Sub.Fold}, {"M", c.Sub.Multiline}, {fmt.Sprint(c.Sub.Number), c.Sub.Number > 0}, {"w(" + s.In(c.Sub.File) + ")", c.Sub.Writes}} {
			if f.set {
				text += f.letter
			}
		}
	case c.Name == 'y':
		text += fmt.Sprintf("(%s|%s)", s.In(c.From), s.In(c.To))
	case c.Text.End > c.Text.Pos:
		text += "(" + s.In(c.Text) + ")"
	case c.Number >= 0:
		text += fmt.Sprint(c.Number)
	case c.Match >= 0:
		text += fmt.Sprintf("<%d>", c.Match)
	}
	return strings.ReplaceAll(text, "\x00", "%")
}

func showAddress(s *Script, a *Address) string {
	text := ""
	switch a.Kind {
	case Line:
		text = fmt.Sprint(a.N)
	case Step:
		text = fmt.Sprintf("%d~%d", a.N, a.M)
	case Last:
		text = "$"
	case Plus:
		text = fmt.Sprintf("+%d", a.N)
	case Multiple:
		text = fmt.Sprintf("~%d", a.N)
	case Unknown:
		text = "?"
	case Regex:
		text = "/" + s.In(a.Regex) + "/"
	}
	if a.Fold {
		text += "I"
	}
	if a.Multiline {
		text += "M"
	}
	return text
}

func scripts() map[string]string {
	return map[string]string{
		`p`:                          `p`,
		"# c\n  p ;; d # x\n":        `p ; d`,
		`1!G;h;$!d`:                  `1!G ; h ; $!d`,
		`1,3p;2~4p;/a/,/b/Id;3,+2=`:  `1,3p ; 2~4p ; /a/,/b/Id ; 3,+2=`,
		`0,/x/ I M{p}`:               `0,/x/IM{<2> ; p ; }<0>`,
		`5,~4!{n;{d}}`:               `5,~4!{<5> ; n ; {<4> ; d ; }<2> ; }<0>`,
		`\,a/b,p;\nxnp`:              `/a/b/p ; /x/p`,
		`s/a\/b/c/g`:                 `s(a\/b|c)g`,
		`s,[,],\,,2p`:                `s([,]|\,)p2`,
		`s/[^]/]/x/;p`:               `s([^]/]|x) ; p`,
		`s/[[:alpha:]/]/x/Iw /d;p`:   `s([[:alpha:]/]|x)Iw(/d;p)`,
		`s/x/y/ e ; p`:               `s(x|y)e ; p`,
		"s/a/b\\\nc/;p":              "s(a|b\\\nc) ; p",
		`y/abc/\n\/x/;p`:             `y(abc|\n\/x) ; p`,
		`:a;N;$!ba;s/\n/ /`:          `:(a) ; N ; $!b(a) ; s(\n| )`,
		`{:a};{bend}; : end`:         `{<2> ; :(a) ; }<0> ; {<5> ; b(end) ; }<3> ; :(end)`,
		`:a b;tx ;T`:                 `:(a) ; b ; t(x) ; T`,
		"a foo;p\nd":                 `a( foo;p) ; d`,
		"$!{a\\\nfoo\\\nbar\nd}":     "$!{<3> ; a(\\\nfoo\\\nbar) ; d ; }<0>",
		"r x}\nw y;p\nR z\nW  v ":    `r(x}) ; w(y;p) ; R(z) ; W(v )`,
		"e\n1e ls \\\n-l;p\ns/a/b/e": "e ; 1e( ls \\\n-l;p) ; s(a|b)e",
		`q;Q5;l 30;L`:                `q ; Q5 ; l30 ; L`,
		"v 4.2\nF;z;=":               `v(4.2) ; F ; z ; =`,
		"\x00p;1,\x00d;1\x00p":       `?p ; 1,?d ; ?p`,
		"\x00":                       `??%`,
		"\x00\np":                    `??% ; p`,
		"1,\x00 ;p":                  `1,??1,%  ; p`,
		"/a/\x00":                    `??/a/%`,
		"/a/\x00p":                   `/a/p`,
		"s\x00a":                     `?%a`,
		"s/\x00/\x00/;p":             `s(%|%) ; p`,
		"s/a/b/\x00;w x":             `s(a|b) ; ?%;w x`,
		"w \x00;p":                   `w(%;p)`,
		"1e \x00":                    `1e( %)`,
	}
}

func TestScripts(t *testing.T) {
	t.Parallel()
	for text, want := range scripts() {
		s := Parse(text)
		if got := show(s); got != want {
			t.Errorf("%q\n\tgot  %s\n\twant %s", text, got, want)
		}
		if s.Err != nil || s.Cut {
			t.Errorf("%q: refused at %d: %v", text, s.Err.Pos, s.Err)
		}
	}
}

// TestRefused are scripts that GNU sed 4.9 refuses, with what is read of them
// nevertheless.
func TestRefused(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`p;kw x`:       `p`,
		`pw x`:         `p ; w(x)`,
		`bas/a/ /;w x`: `b(as/a/) ; w(x)`,
		`{p}w x`:       `{<2> ; p ; }<0> ; w(x)`,
		`{p`:           `{ ; p`,
		`p};w x`:       `p ; } ; w(x)`,
		`1!!p`:         `1!p`,
		`1,2,3p`:       `1,3p`,
		`1,p`:          `1p`,
		`0p`:           `0p`,
		`0,3p`:         `0,3p`,
		`s|(a|b)|x|`:   `s((a|b)) ; x`,
		`1,3q`:         `1,3q`,
		`+1p`:          `+1p`,
		`1:a`:          `1:(a)`,
		`:;p`:          `: ; p`,
		`1#p`:          ``,
		`s/a/b`:        `s(a|b)`,
		"s/a\n/b/;w x": "s(a\n|b) ; w(x)",
		`s/[a/b/;w x`:  `s([a|b) ; w(x)`,
		`s/a/b/gg;w x`: `s(a|b)g ; w(x)`,
		`s/a/b/0`:      `s(a|b)`,
		`s`:            `s`,
		`y/a`:          `y(a|)`,
		`a`:            `a`,
		`w`:            `w`,
		`1,3`:          ``,
		`1`:            ``,
		`q5p`:          `q5 ; p`,
		"s/a/b/k\nw x": `s(a|b)`,
		`\`:            ``,
	} {
		s := Parse(text)
		if got := show(s); got != want {
			t.Errorf("%q\n\tgot  %s\n\twant %s", text, got, want)
		}
		if s.Err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}

func TestOdd(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		`s/[/]/x/`: true, `s/[\/]/x/`: false, `/[/]/p`: true, `s/a/b/ p`: true, `s/a/b/ ;p`: false, `{ba}`: true, "{ba\n}": false, `{b}`: true, `s/\[/x/`: false,
	} {
		if s := Parse(text); s.Odd != want || s.Err != nil {
			t.Errorf("%s: odd is %v, want %v; %v", text, s.Odd, want, s.Err)
		}
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		raw, want string
		alike     bool
	}{
		{" foo ", "foo ", true},
		{"\\\n  foo\\\nbar", "  foo\nbar", true},
		{`\  foo`, "  foo", true},
		{`\text`, "text", false},
		{` a\tb`, "a\tb", false},
		{` echo \x41\d066\o103\q`, "echo ABCq", false},
		{"", "", true},
		{`\`, "", false},
		{` a\x00b`, "ab", false},
		{" \x00 \\\x00", "\x00 \x00", false},
		{` a\`, "a", false},
	} {
		if got, alike := Text(c.raw); got != c.want || alike != c.alike {
			t.Errorf("%q: %q, %v; want %q, %v", c.raw, got, alike, c.want, c.alike)
		}
	}
}

func TestBounds(t *testing.T) {
	t.Parallel()
	if s := Parse(strings.Repeat("p;", MaxText)); !s.Cut {
		t.Error("read to its end")
	}
	for _, text := range []string{"/" + strings.Repeat("[", MaxText-1), "/" + strings.Repeat("[[:", MaxText/4), strings.Repeat("{", MaxText), strings.Repeat("9", MaxText), strings.Repeat("s/a/b/;", MaxText/7), strings.Repeat("}", MaxText), "s/a/" + strings.Repeat("\\", MaxText-4)} {
		if s := Parse(text); s.Cut {
			t.Errorf("%.20s…: not read to its end", text)
		}
	}
}

// FuzzParse asks of any text that its commands stand in it one behind the other,
// with their parts in them, and are the same again.
func FuzzParse(f *testing.F) {
	for text := range scripts() {
		f.Add(text)
	}
	for _, text := range []string{"s", "y", "/", "\\", "a", "}", "{", "1~", "1,", "s/[", "s/\\", ":", "e", "\x00\x00", "w", "s/a/b/w", "9999999999999999999p"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := Parse(text)
		at := 0
		for i := range s.Commands {
			c := &s.Commands[i]
			parts := []Span{c.Span, c.Text, c.From, c.To, c.First.Regex, c.Second.Regex}
			if c.Sub != nil {
				parts = append(parts, c.Sub.Regex, c.Sub.Replacement, c.Sub.File)
			}
			for _, p := range parts {
				if p != (Span{}) && (p.Pos < at || p.End < p.Pos || p.End > c.End) {
					t.Fatalf("%q: a part of command %d is at %d to %d, outside %d to %d", text, i, p.Pos, p.End, at, c.End)
				}
			}
			at = c.End
			if c.Match >= 0 && s.Commands[c.Match].Match != i {
				t.Fatalf("%q: the braces %d and %d do not match", text, i, c.Match)
			}
			Text(s.In(c.Text))
		}
		if at > len(text) || show(s) != show(Parse(text)) {
			t.Fatalf("%q: two readings", text)
		}
	})
}
