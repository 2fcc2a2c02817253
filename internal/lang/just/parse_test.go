package just

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// show writes the items of a file, one a line, and the lines of recipes below.
func show(f *File) []string {
	var out []string
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	for _, n := range f.Items {
		switch n := n.(type) {
		case *Setting:
			add("set %s %s %s %v", n.Name, expr(n.Value), exprs(n.List), n.On)
		case *Alias:
			add("alias %s %s", n.Name, n.Target)
		case *Import:
			add("import %s %v", expr(n.Path), n.Optional)
		case *Module:
			add("mod %s %s %v", n.Name, expr(n.Path), n.Optional)
		case *Assignment:
			add("%s := %s %v", n.Name, expr(n.Value), n.Export)
		case *Unexport:
			add("unexport %s", n.Name)
		case *Unknown:
			add("unknown")
		case *Recipe:
			add("%s", recipe(n))
			for _, l := range n.Body {
				add("  %s", line(l))
			}
		}
	}
	return out
}

func recipe(n *Recipe) string {
	s := n.Name
	for _, a := range n.Attributes {
		s += " [" + a.Name + exprs(a.Args) + "]"
	}
	for _, p := range n.Params {
		s += " "
		if p.Variadic != 0 {
			s += string(p.Variadic)
		}
		if p.Export {
			s += "$"
		}
		s += p.Name
		if p.Default != nil {
			s += "=" + expr(p.Default)
		}
	}
	s += ":"
	for i, list := range [][]Dependency{n.Deps, n.After} {
		if i == 1 && len(list) > 0 {
			s += " &&"
		}
		for _, d := range list {
			s += " " + d.Name + exprs(d.Args)
		}
	}
	if n.Broken {
		s += " broken"
	}
	return s
}

func line(l Line) string {
	var b strings.Builder
	for _, p := range l.Parts {
		switch p := p.(type) {
		case *Text:
			b.WriteString(p.Text)
		case *Interpolation:
			b.WriteString("<" + expr(p.Value) + ">")
		}
	}
	return b.String()
}

func exprs(all []Expr) string {
	var out []string
	for _, x := range all {
		out = append(out, expr(x))
	}
	return "(" + strings.Join(out, ",") + ")"
}

// expr writes an expression with every operation in parentheses.
func expr(x Expr) string {
	switch x := x.(type) {
	case *String:
		return fmt.Sprintf("%s%q", map[bool]string{true: "x"}[x.Expand]+map[bool]string{true: "f"}[x.Format], x.Value)
	case *Name:
		return x.Name
	case *Call:
		return x.Name + exprs(x.Args)
	case *Backtick:
		return "`" + x.Command + "`"
	case *Chain:
		s := map[bool]string{true: "/"}[x.Root]
		for i, p := range x.Parts {
			if i > 0 {
				s += string(x.Ops[i-1])
			}
			s += expr(p)
		}
		return "(" + s + ")"
	case *Choice:
		return fmt.Sprintf("(if %s%s%s %s %s)", expr(x.A), x.Op, expr(x.B), expr(x.Then), expr(x.Else))
	case *Assert:
		return fmt.Sprintf("(assert %s%s%s %s)", expr(x.A), x.Op, expr(x.B), expr(x.Message))
	case *Logic:
		s := expr(x.Parts[0])
		for i, p := range x.Parts[1:] {
			s += x.Ops[i] + expr(p)
		}
		return "(" + s + ")"
	case *Bad:
		return "?"
	}
	return "-"
}

func TestParse(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ file, want string }{
		"settings": {
			"set shell := [\"bash\", '-c',]\nset export\nset quiet := false # no\nset tempdir := 'x' / \"y\"\nset x := [\n  'a',\n  # c\n  'b'\n]\nset dotenv-load := true\n",
			"set shell - (\"bash\",\"-c\") false\nset export - () true\nset quiet - () false\nset tempdir (\"x\"/\"y\") () false\nset x - (\"a\",\"b\") false\nset dotenv-load - () true",
		},
		"assignments": {
			"a := 'x'\nexport b-c := a + \"y\\n\\\"\" # d\nunexport d\nset := 'e'\n", "a := \"x\" false\nb-c := (a+\"y\\n\\\"\") true\nunexport d\nset := \"e\" false",
		},
		"expressions": {
			"a := b / 'c' + d / (e + f)\nb := / 'x'\nc := `ls -l` + env('A', 'b') + f()\nd := if a == 'b' { c } else if d =~ 'e' { f } else { 'g' }\n" +
				"e := assert(a != 'b', 'no')\nf := a && b || c\ng := (\n  'a' +\n  'b'\n)\nh := join(\n a, # x\n b,\n)\ni := iffy + assertive\n",
			"a := (b/\"c\"+d/(e+f)) false\nb := (/\"x\") false\nc := (`ls -l`+env(\"A\",\"b\")+f()) false\nd := (if a==\"b\" c (if d=~\"e\" f \"g\")) false\n" +
				"e := (assert a!=\"b\" \"no\") false\nf := (a&&b||c) false\ng := (\"a\"+\"b\") false\nh := join(a,b) false\ni := (iffy+assertive) false",
		},
		"texts": {
			"a := '''\n  x\n    y\n  '''\nb := \"\"\"\n\tq \\\n\tr\n\"\"\"\nc := 'it''s'\nd := x'~/$A'\ne := f'{{a}}'\nf := \"\\u{41}\\u\\t\"\ng := ```\n  ls\n  id\n```\nh := 'a\nb'\n",
			"a := \"x\\n  y\\n\" false\nb := \"q r\\n\" false\nc := ? false\nd := x\"~/$A\" false\ne := f\"{{a}}\" false\nf := \"A\\\\u\\t\" false\ng := `ls\nid\n` false\nh := \"a\\nb\" false",
		},
		"others":               {"alias a := b::c\nimport 'x.just'\nimport? \"y\"\nmod m\nmod? n 'n.just'\n", "alias a b::c\nimport \"x.just\" false\nimport \"y\" true\nmod m - false\nmod n \"n.just\" true"},
		"words that are names": {"set:\n  a\nalias x: y\nmod:\nexport: set\n", "set:\n  a\nalias x: y()\nmod:\nexport: set()"},
		"recipes": {
			"# doc\n[private]\n[script('python3'), group: 'g']\n@a b c='d' *$e=(f + g): h (i 'j' k + l) && m # n\n  x\n\n    y\n\nz:\n",
			"a [private()] [script(\"python3\")] [group(\"g\")] b c=\"d\" *$e=(f+g): h() i(\"j\",(k+l)) && m()\n  x\n  \n    y\nz:",
		},
		"lines":   {"a:\n\techo {{b}} {{ 'c' + \"}}\" }}{{{{d}}\n\t{{e\n\t{{f g}} {{h\n", "a:\n  echo <b> <(\"c\"+\"}}\")>{{d}}\n  {{e\n  <?> {{h"},
		"broken":  {"a b=:\n  x\nc (d: e\n\nf\n  g\n  h\n[\n[i: j k]\nl:\n", "a: broken\n  x\nc: broken\nunknown\nl [()]:"},
		"bad":     {"a := \nb := 'x' 'y'\nc := \"z\nd := e +\nf := ((g\nh := 'i'\n", "a := ? false\nb := ? false\nc := ? false\nd := ? false\nf := ? false"},
		"windows": {"a:\r\n  b \\\r\n  c\r\nd := 'e'\r\n", "a:\n  b \\\n  c\nd := \"e\" false"},
		"a mark":  {"\ufeffa:\n b", "a:\n  b"},
	} {
		if d := cmp.Diff(tt.want, strings.Join(show(Parse(tt.file)), "\n")); d != "" {
			t.Errorf("%s (-want +got)\n%s", name, d)
		}
	}
}

// check checks that everything stands where it says.
func check(t *testing.T, f *File) {
	t.Helper()
	inFile := func(at, end int) {
		if at < 0 || at > end || end > len(f.Text) {
			t.Fatalf("%d-%d of %d bytes", at, end, len(f.Text))
		}
	}
	last := 0
	for _, n := range f.Items {
		inFile(last, n.Pos())
		last = n.Pos()
		switch n := n.(type) {
		case *Assignment:
			inFile(n.Value.Span())
			if b, ok := n.Value.(*Backtick); ok && !strings.HasPrefix(f.Text[b.At:], "```") && f.Text[b.TextAt:b.TextAt+len(b.Command)] != b.Command {
				t.Fatalf("%q is not at %d", b.Command, b.TextAt)
			}
		case *Recipe:
			for _, l := range n.Body {
				inFile(last, l.At)
				for _, p := range l.Parts {
					inFile(p.Span())
					if x, ok := p.(*Text); ok && !strings.HasPrefix(f.Text[x.At:], x.Text) {
						t.Fatalf("%q is not at %d of %q", x.Text, x.At, f.Text)
					}
				}
				last = l.At
			}
		}
	}
}

func TestPlaces(t *testing.T) {
	t.Parallel()
	const file = "a := b + 'c'\nr x:\n  echo {{ x }} y\n"
	f := Parse(file)
	check(t, f)
	l := f.Items[1].(*Recipe).Body[0]
	for i, want := range []string{"echo ", "{{ x }}", " y"} {
		if at, end := l.Parts[i].Span(); file[at:end] != want {
			t.Errorf("part %d stands at %q, want %q", i, file[at:end], want)
		}
	}
	if at, end := f.Items[0].(*Assignment).Value.Span(); file[at:end] != "b + 'c'" {
		t.Errorf("the value stands at %q", file[at:end])
	}
}

// TestHostile reads the largest texts of shapes that would be too much work
// if a part of the reader were not linear.
func TestHostile(t *testing.T) {
	t.Parallel()
	const size = 1 << 18
	for _, head := range []string{"x := ", "a:\n  ", "a ", "", "set s := [", "if "} {
		for _, piece := range []string{"'a' + ", "{{", "{{'", "{{\"", "{{b}}", "(", "if a == ", "`a`", "[x]\n", "'''", "f(", "a && ", "\\u", "x \\\n", "a b: c\n  d\n", "if a == b { c } else "} {
			f := Parse(head + strings.Repeat(piece, size/len(piece)))
			if len(f.Items) == 0 && piece != "[x]\n" {
				t.Errorf("%q %q: nothing was read", head, piece)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"a: b\n  rm {{x}}\nb:\n", "x := `id` + 'a' / \"b\"\n[private]\n@a *p='q': && (b 'c')\n\techo {{p}}", "set shell := ['sh', '-c']\nalias z := a\na:\n #!/bin/sh\n x",
		"a:\n  {{", "export x := env('A', 'b')\nset export", "a x=(y + (z)):\n\\", "x := '''\n", "a: a", "a:\n  {{b}}c{{{{", "x := `ls", "set shell := [", "a:\n\t#!/bin/sh\n\tls",
		"[script('python3')]\na:\n  x", "a b='c':\n  @-ls \\\n   x", "x := if a == b { c } else { d }", "x := \"\\u{41}\"", "import 'x'\nmod y",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) { check(t, Parse(text)) })
}
