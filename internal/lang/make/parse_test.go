package makefile

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// show writes a tree on lines: a node a line, references in angle brackets.
func show(body []Node, indent string) []string {
	var out []string
	add := func(format string, args ...any) { out = append(out, indent+fmt.Sprintf(format, args...)) }
	for _, n := range body {
		switch n := n.(type) {
		case *Assign:
			words := ""
			for word, on := range map[string]bool{"define ": n.Define, "export ": n.Export, "override ": n.Override, "private ": n.Private} {
				if on {
					words += word
				}
			}
			add("%s%s %s %s", words, text(n.Name), n.Op, text(n.Value))
		case *Include:
			add("include %s optional=%v", text(n.Files), n.Optional)
		case *Export:
			add("export %s off=%v", text(n.Names), n.Off)
		case *Undefine:
			add("undefine %s", text(n.Name))
		case *Directive:
			add("%s %s", n.Word, text(n.Rest))
		case *Recipe:
			add("recipe %q %s", n.Prefix, text(n.Text))
		case *Expand:
			add("expand %s", text(n.Text))
		case *Rule:
			s := "rule " + text(n.Targets)
			for mark, on := range map[string]bool{" ::": n.Double, " &": n.Grouped} {
				if on {
					s += mark
				}
			}
			if n.Static != nil {
				s += " static " + text(*n.Static)
			}
			if n.Set != nil {
				s += " set " + strings.Join(show([]Node{n.Set}, ""), "")
			}
			add("%s needs %s order %s", s, text(n.Needs), text(n.Order))
		case *If:
			for _, b := range n.Branches {
				add("%s %s %s bad=%v", b.Word, text(b.A), text(b.B), b.Bad)
				out = append(out, show(b.Body, indent+"  ")...)
			}
		}
	}
	return out
}

// text writes a text: quoted, with what is expanded in angle brackets.
func text(t Text) string {
	var b strings.Builder
	for _, p := range t.Parts {
		switch p := p.(type) {
		case *Literal:
			b.WriteString(strings.ReplaceAll(p.Text, "\n", `\n`))
		case *Variable:
			b.WriteString("<" + text(p.Name))
			if p.Changed {
				b.WriteString(":" + text(p.From) + "=" + text(p.To))
			}
			b.WriteString(">")
		case *Call:
			b.WriteString("<" + p.Name + "!")
			for i, a := range p.Args {
				if i > 0 {
					b.WriteString("|")
				}
				b.WriteString(text(a))
			}
			b.WriteString(">")
		case *Broken:
			b.WriteString("<?>")
		}
	}
	return "'" + b.String() + "'"
}

func TestParse(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ file, want string }{
		"assignments": {
			"A = a $(B)\nB:=b # c\nC ?= \\# d\nD += e\nE != id\nF ::= f\nG :::= g\nH=\nA.b/c = x\n$(N)_x = y\n",
			"'A' = 'a <'B'>'\n'B' := 'b '\n'C' ?= '# d'\n'D' += 'e'\n'E' != 'id'\n'F' ::= 'f'\n'G' :::= 'g'\n'H' = ''\n'A.b/c' = 'x'\n'<'N'>_x' = 'y'",
		},
		"blanks behind a value stay": {"A = a  \nB = b\t# c", "'A' = 'a  '\n'B' = 'b\t'"},
		"words before":               {"override A = 1\nexport B := 2\nprivate override C = 3\nexport\nexport D E\nunexport F\nundefine G\nexport = 4\ninclude := 5\n", "override 'A' = '1'\nexport 'B' := '2'\n" + "override private 'C' = '3'\nexport '' off=false\nexport 'D E' off=false\nexport 'F' off=true\nundefine 'G'\n'export' = '4'\n'include' := '5'"},
		"define":                     {"define A\nx $(B)\n# no comment\nendef\ndefine C :=\n\tdefine D\n  y\nendef\nend:\n", "define 'A' = 'x <'B'>\\n# no comment'\ndefine 'C' := '\tdefine D\\n  y'\nrule 'end' needs '' order ''"},
		"define in define":           {"define A\n  define B\nx\nendef\ny\nendef\nz:", "define 'A' = '  define B\\nx\\nendef\\ny'\nrule 'z' needs '' order ''"},
		"define that is not ended":   {"override define A\nx", "define override 'A' = 'x'"},
		"includes":                   {"include a.mk $(B)\n-include c\nsinclude d # e", "include 'a.mk <'B'>' optional=false\ninclude 'c' optional=true\ninclude 'd' optional=true"},
		"rules":                      {"a b: c d | e ; f # g\n\t@-h\\\n\t i\n\t+ j\nk:: l\nm n &: o\np: %.p: %.q\n", "rule 'a b' needs 'c d' order 'e'\nrecipe \"\" 'f # g'\nrecipe \"@-\" 'h\\\\n i'\nrecipe \"+\" 'j'\nrule 'k' :: needs 'l' order ''\nrule 'm n' & needs 'o' order ''\nrule 'p' static '%.p' needs '%.q' order ''"},
		"a variable of targets":      {"a: export X := y z\nb: %: override W = $(V)\nc:d=e;f\n\tg", "rule 'a' set export 'X' := 'y z' needs '' order ''\nrule 'b' static '%' needs 'override W = <'V'>' order ''\nrule 'c' set 'd' = 'e;f' needs '' order ''\nexpand 'g'"},
		"what looks like an assignment": {
			"a: $(B:.o=.c)\n\tx=1\nb ; c=d\n", "rule 'a' needs '<'B':'.o'='.c'>' order ''\nrecipe \"\" 'x=1'\nexpand 'b ; c=d'",
		},
		"a recipe ends":      {"a:\n\tb\n\n# c\n\td\nE = f\n\tg: h\n", "rule 'a' needs '' order ''\nrecipe \"\" 'b'\nrecipe \"\" 'd'\n'E' = 'f'\nrule 'g' needs 'h' order ''"},
		"another prefix":     {".RECIPEPREFIX = >\na:\n> b\n\tc: d\n.RECIPEPREFIX =\ne:\n\tf", "'.RECIPEPREFIX' = '>'\nrule 'a' needs '' order ''\nrecipe \"\" 'b'\nrule 'c' needs 'd' order ''\n'.RECIPEPREFIX' = ''\nrule 'e' needs '' order ''\nrecipe \"\" 'f'"},
		"conditionals":       {"ifeq ($(A), b )\nc = 1\nelse ifdef D\nc = 2\nelse\nc = 3\nendif\nifneq \"a\" '$(b)'\nifndef e\nendif\nendif\n", "ifeq '<'A'>' 'b ' bad=false\n  'c' = '1'\nifdef 'D' '' bad=false\n  'c' = '2'\n '' '' bad=false\n  'c' = '3'\nifneq 'a' '<'b'>' bad=false\n  ifndef 'e' '' bad=false"},
		"in recipes":         {"a:\n\tb\nifdef X\n\tc\nelse\n\td\nendif\n\te\n", "rule 'a' needs '' order ''\nrecipe \"\" 'b'\nifdef 'X' '' bad=false\n  recipe \"\" 'c'\n '' '' bad=false\n  recipe \"\" 'd'\nrecipe \"\" 'e'"},
		"bad conditionals":   {"else\nendif\nifeq a b\nifeq (a\nifeq \"a\" b\nifdef\n", "ifeq '' '' bad=true\n  ifeq '' '' bad=true\n    ifeq 'a' '' bad=true\n      ifdef '' '' bad=true"},
		"references":         {"A = $$B $C ${D} $(E $(F)) $(G:a=b) $(H:%.c=$(I)/%.o) $(J$(K)) $", "'A' = '$B <'C'> <'D'> <'E <'F'>'> <'G':'a'='b'> <'H':'%.c'='<'I'>/%.o'> <'J<'K'>'> $'"},
		"functions":          {"A = $(subst a,b,c,d) $(strip  x,y ) $(call f,1,$(or a,b),(3,4)) ${shell echo $$HOME} $(wildcard\t*.c) $(unheard of)", "'A' = '<subst!'a'|'b'|'c,d'> <strip!'x,y '> <call!'f'|'1'|'<or!'a'|'b'>'|'(3,4)'> <shell!'echo $HOME'> <wildcard!'*.c'> <'unheard of'>'"},
		"open references":    {"A = a $(b\nc: ${d\n\te $(f $(g)", "'A' = 'a <?>'\nrule 'c' needs '<?>' order ''\nrecipe \"\" 'e <?>'"},
		"a sign in a call":   {"A := $(shell grep '#' x) # y\nB = (a # b)", "'A' := '<shell!'grep '#' x'> '\n'B' = '(a '"},
		"long lines":         {"A = a  \\\n\t b \\\n c\n# d \\\ne\na: \\\n  b\n\techo $(X \\\n\t\ty) \\\n\tz\n", "'A' = 'a b c'\nrule 'a' needs 'b' order ''\nrecipe \"\" 'echo <'X y'> \\\\nz'"},
		"a function on more": {"a:\n\t$(foreach \\\n\t x, 1 \\\n 2,$x)\n", "rule 'a' needs '' order ''\nrecipe \"\" '<foreach!'x'|' 1 2'|'<'x'>'>'"},
		"Windows line ends":  {"a:\r\n\tls \\\r\n\t-l\r\nB = c\r\n", "rule 'a' needs '' order ''\nrecipe \"\" 'ls \\\\n-l'\n'B' = 'c'"},
		"a mark before":      {"\ufeffa:\n\tb", "rule 'a' needs '' order ''\nrecipe \"\" 'b'"},
		"text alone":         {"$(eval $(call f,x))\nnonsense\n", "expand '<eval!'<call!'f'|'x'>'>'\nexpand 'nonsense'"},
		"a quoted colon":     {`a\:b: c`, `rule 'a\:b' needs 'c' order ''`},
	} {
		got := strings.Join(show(Parse(tt.file).Body, ""), "\n")
		if name == "words before" || name == "define that is not ended" { // a map's order
			got = strings.NewReplacer("private override", "override private", "override define", "define override").Replace(got)
		}
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%s (-want +got)\n%s", name, d)
		}
	}
}

// places calls do for every text of a tree.
func places(body []Node, do func(at int, texts ...Text)) {
	for _, n := range body {
		switch n := n.(type) {
		case *Assign:
			do(n.At, n.Name, n.Value)
		case *Include:
			do(n.At, n.Files)
		case *Export:
			do(n.At, n.Names)
		case *Undefine:
			do(n.At, n.Name)
		case *Directive:
			do(n.At, n.Rest)
		case *Recipe:
			do(n.At, n.Text)
		case *Expand:
			do(n.At, n.Text)
		case *Rule:
			do(n.At, n.Targets, n.Needs, n.Order)
			if n.Static != nil {
				do(n.At, *n.Static)
			}
			if n.Set != nil {
				do(n.At, n.Set.Name, n.Set.Value)
			}
		case *If:
			for _, b := range n.Branches {
				do(b.At, b.A, b.B)
				places(b.Body, do)
			}
		}
	}
}

// check checks that every part stands where it says.
func check(t *testing.T, f *File) {
	t.Helper()
	var parts func(texts ...Text)
	parts = func(texts ...Text) {
		for _, x := range texts {
			for _, p := range x.Parts {
				at, end := p.Span()
				switch p := p.(type) {
				case *Literal:
					if at < 0 || at > len(f.Text) || p.Text != " " && !strings.HasPrefix(f.Text[at:], p.Text) {
						t.Fatalf("%q is not at %d of %q", p.Text, at, f.Text)
					}
					continue
				case *Variable:
					parts(p.Name, p.From, p.To)
				case *Call:
					parts(p.Args...)
				}
				if at < 0 || at >= end || end > len(f.Text) || f.Text[at] != '$' {
					t.Fatalf("%T at %d-%d of %q", p, at, end, f.Text)
				}
			}
		}
	}
	places(f.Body, func(at int, texts ...Text) {
		if at < 0 || at > len(f.Text) {
			t.Fatalf("a node at %d of %d bytes", at, len(f.Text))
		}
		parts(texts...)
	})
}

func TestPlaces(t *testing.T) {
	t.Parallel()
	const file = "A = x \\\n  $(B) y\nall: a; echo $(A)\n\t@echo $(C \\\n\t d) $$e \\\n\tf # g\n"
	f := Parse(file)
	check(t, f)
	r := f.Body[3].(*Recipe)
	for i, want := range []string{"echo ", "$(C \\\n\t d)", " ", "$", "e \\\n", "f # g"} {
		at, end := r.Text.Parts[i].Span()
		if got := file[at:end]; got != want {
			t.Errorf("part %d stands at %q, want %q", i, got, want)
		}
	}
}

func TestTrim(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"": "''", "  ": "''", " a ": "'a'", " $(x) b\t": "'<'x'> b'", "$x ": "'<'x'>'"} {
		if got := text(ParseText(in).Trim()); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

// TestHostile reads the largest texts of shapes that would be too much work
// if a part of the reader were not linear.
func TestHostile(t *testing.T) {
	t.Parallel()
	const size = 1 << 18
	for _, piece := range []string{"$(", "a:\n\t$(", "a: ; x\\\n", "\\\n", "$(shell ", "$(call a,", "define x\n", "ifdef x\n", "a=b\n", "(", "${(", "a b:", "#\\\n", "$(X \\\n"} {
		f := Parse("x:\n\t" + strings.Repeat(piece, size/len(piece)))
		if len(f.Body) == 0 {
			t.Errorf("%q: nothing was read", piece)
		}
	}
	f := Parse("x = " + strings.Repeat("$(a", 300) + strings.Repeat(")", 300))
	if got := text(f.Body[0].(*Assign).Value); strings.Count(got, "<?>") != 1 {
		t.Errorf("nested too deep: %s", got)
	}
	if f := Parse(strings.Repeat("ifdef x\n", 200) + strings.Repeat("endif\n", 200) + "a:\n"); !f.Deep || len(f.Body) != 2 {
		t.Errorf("deep=%v, %d nodes", f.Deep, len(f.Body))
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"a: b\n\trm -rf $(X)\nb:\n", "X = $(X)$(X)\na:;$(X)", "define A\nx\nendef\na:\n\t$(call A,1)\n", "ifeq (a,$(b))\nelse ifdef x\nendif\n",
		"a%: b% ; $(patsubst %,$*,$^)", "A=$(A:a=b)\n\\\n\\", "$(", "export\n", "a: X += 1\n", "include $(x)\n", "X != id\na: $(X)\n\t$@$<",
		"a:\n\t$(", "a: ; x\\\n\ty", "a:\n\t@\\\n\n\tb", "x := $(shell a\nb:", "a:\r\n\tls \\\r\n\t -l\r\n", "ifeq \"a\" 'b'\n", ".RECIPEPREFIX=>\na:\n>b $(x \\\n>y)",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		check(t, Parse(text))
		ParseText(text)
	})
}
