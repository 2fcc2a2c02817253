package awk

import (
	"fmt"
	"strings"
	"testing"
)

// show writes a node as a list: its kind, operator and text, then its kids.
func show(n *Node) string {
	if n == nil {
		return "-"
	}
	names := map[Kind]string{
		Bad: "bad", Number: "", String: "str", Regex: "re", Hole: "hole", Var: "", Field: "$", Element: "elem", Group: "group", Assign: "", Cond: "?:", Or: "||", And: "&&",
		In: "in", Match: "", Compare: "", Concat: "cat", Binary: "", Unary: "", Pre: "pre", Post: "post", Call: "call", Getline: "getline", Block: "{}", Simple: "",
		Print: "print", Printf: "printf", If: "if", While: "while", Do: "do", For: "for", ForIn: "forin", Switch: "switch", Case: "case", Next: "next", Nextfile: "nextfile",
		Break: "break", Continue: "continue", Exit: "exit", Return: "return", Delete: "delete", Rule: "rule", Begin: "", End: "", Function: "function", Directive: "@",
	}
	var words []string
	for _, w := range []string{names[n.Kind], n.Op, n.Text} {
		if w != "" && (n.Kind != Hole || w == "hole") {
			words = append(words, w)
		}
	}
	for _, k := range n.Kids {
		words = append(words, show(k))
	}
	if len(words) == 1 && len(n.Kids) == 0 && (n.Kind == Number || n.Kind == Var) {
		return words[0]
	}
	if n.Kind == Simple {
		return strings.Join(words, " ")
	}
	return "(" + strings.Join(words, " ") + ")"
}

func tree(p *Program) string {
	var items []string
	for _, n := range p.Items {
		items = append(items, show(n))
	}
	return strings.Join(items, " ")
}

// statements are read in the braces of a rule.
func statements() map[string]string {
	return map[string]string{
		`x = 1 + 2 * 3 ^ 4 ^ 5`:                     `(= x (+ 1 (* 2 (^ 3 (^ 4 5)))))`,
		`x = - 2 ^ 2`:                               `(= x (- (^ 2 2)))`,
		`x = 2 - -3 - + 4`:                          `(= x (- (- 2 (- 3)) (+ 4)))`,
		`x = !y ~ z`:                                `(= x (~ (! y) z))`,
		`x = 1 " " -1`:                              `(= x (cat 1 (- (str  ) 1)))`,
		`x = a b c`:                                 `(= x (cat (cat a b) c))`,
		`x = 1 !y`:                                  `(= x (cat 1 (! y)))`,
		`x = y = z += 1`:                            `(= x (= y (+= z 1)))`,
		`x && y = 1`:                                `(&& x (= y 1))`,
		`x = a || b && c`:                           `(= x (|| a (&& b c)))`,
		`x = 1 in a || (1, 2) in b`:                 `(= x (|| (in 1 a) (in 1 2 b)))`,
		`x = 3 in a == 1`:                           `(= x (== (in 3 a) 1))`,
		`x = a < b ? c : d ? e : f`:                 `(= x (?: (< a b) c (?: d e f)))`,
		`x = a ~ /b\/[/]c/ && c !~ "d"`:             `(= x (&& (~ a (re b\/[/]c)) (!~ c (str d))))`,
		`x = 6 / 3 / 2`:                             `(= x (/ (/ 6 3) 2))`,
		`x /= 2; /=/`:                               `(/= x 2) (re =)`,
		`$1 = $NF-1`:                                `(= ($ 1) (- ($ NF) 1))`,
		`$i++; $++i; $$0--; ++$i`:                   `(post ++ ($ i)) ($ (pre ++ i)) (post -- ($ ($ 0))) (pre ++ ($ i))`,
		`i++ + ++i`:                                 `(+ (post ++ i) (pre ++ i))`,
		`a[i,j] = b[$1][2]`:                         `(= (elem a i j) (elem [ b (elem b ($ 1)) 2))`,
		`x = length; y = length($0) length`:         `(= x (call bare length)) (= y (cat (call length ($ 0)) (call bare length)))`,
		`x = substr ($0, 2)`:                        `(= x (call substr ($ 0) 2))`,
		`x = f(1, 2) f (3)`:                         `(= x (cat (cat (call f 1 2) f) (group 3)))`,
		`x = @f(1); y = @/r/`:                       `(= x (call @ f 1)) (= y (re @ r))`,
		`"a" "b" | getline; "c" |& getline d[1]`:    `(getline | - (cat (str a) (str b))) (getline |& (elem d 1) (str c))`,
		`while ((getline l < "f" ".x") > 0) n++`:    `(while (> (group (cat (getline < l (str f)) (str .x))) 0) (post ++ n))`,
		`getline; getline x; getline $1 < $2`:       `(getline - -) (getline x -) (getline < ($ 1) ($ 2))`,
		`"a" | getline > 0`:                         `(> (getline | - (str a)) 0)`,
		`print`:                                     `(print)`,
		`print a, b > "f" c`:                        `(print > a b (cat (str f) c))`,
		`print (a, b) > "f"`:                        `(print > (group a b) (str f))`,
		`print (a)(b) >> f`:                         `(print >> (cat (group a) (group b)) f)`,
		`print (1, 2) in a, (b > c)`:                `(print (in 1 2 a) (group (> b c)))`,
		`print a | "b"; printf "%s", c |& d`:        `(print | a (str b)) (printf |& (str %s) c d)`,
		`print "a" | getline`:                       `(print | (str a) (getline - -))`,
		`print > "/tmp/" x`:                         `(print > (cat (str /tmp/) x))`,
		`if (x) y; else z`:                          `(if x y z)`,
		"if (x)\n{ y }\nelse\nif (z) w":             `(if x ({} y) (if z w -))`,
		`if (x) ; else y`:                           `(if x ({}) y)`,
		`for (;;) { break }; for (i = 0; i < 3;) ;`: `(for - - - ({} (break))) (for (= i 0) (< i 3) - ({}))`,
		`for (k in a) delete a[k]`:                  `(forin k a (delete (elem a k)))`,
		`do x++; while (x < 3)`:                     `(do (post ++ x) (< x 3))`,
		`do { x++ } while (1)`:                      `(do ({} (post ++ x)) 1)`,
		`switch (x) { case 1: y; break; case -2: default: z }`:     `(switch x (case 1 ({} y (break))) (case (- 2) ({})) (case - ({} z)))`,
		`next; nextfile; continue; exit; exit 1; return; return x`: `(next) (nextfile) (continue) (exit) (exit 1) (return) (return x)`,
		`print substr("abc",` + "\n2) # c\nx":                      `(print (call substr (str abc) 2)) x`,
		"x = \\\n 1 ? 2 :\n 3":                                     `(= x (?: 1 2 3))`,
		`x = 0x1F 1e3 .5 1. 1e`:                                    `(= x (cat (cat (cat (cat (cat 0x1F 1e3) .5) 1.) 1) e))`,
		`x = "a\"b" "c\\"`:                                         `(= x (cat (str a\"b) (str c\\)))`,
		"x = \x00 y; $\x00; \x00":                                  `(= x (cat (hole) y)) ($ (hole)) (hole)`,
		"print \"a\x00b\" > \x00[1]":                               "(print > (str a\x00b) (elem \x00 1))",
		`x = ns::y ? 1:2`:                                          `(= x (?: ns::y 1 2))`,
	}
}

func TestStatements(t *testing.T) {
	t.Parallel()
	for text, want := range statements() {
		p := Parse("{" + text + "}")
		if got := tree(p); got != "(rule - - ({} "+want+"))" {
			t.Errorf("%s\n\tgot  %s\n\twant (rule - - ({} %s))", text, got, want)
		}
		if p.Err != nil || p.Cut {
			t.Errorf("%s: refused at %d: %v", text, p.Err.Pos, p.Err)
		}
	}
}

func TestItems(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		``:                                      ``,
		"# nothing\n":                           ``,
		`/a/`:                                   `(rule (re a) - -)`,
		"/a/\n{print}":                          `(rule (re a) - -) (rule - - ({} (print)))`,
		`/a/,` + "\n" + `NR==5 {x} END{y};1`:    `(rule (re a) (== NR 5) ({} x)) (END ({} y)) (rule 1 - -)`,
		`BEGIN{x}BEGINFILE{y}`:                  `(BEGIN ({} x)) (BEGINFILE ({} y))`,
		"function f(a,\n b)\n{return a} {f(1)}": `(function f a b ({} (return a))) (rule - - ({} (call f 1)))`,
		`func g () {}`:                          `(function g ({}))`,
		`@include "a"` + "\n" + `@load "b"; @namespace "c"`: `(@ include (str a)) (@ load (str b)) (@ namespace (str c))`,
		"\x00":           `(rule (hole) - -)`,
		"\x00{\x00}":     `(rule (hole) - ({} (hole)))`,
		"!x[$0]++":       `(rule (! (post ++ (elem x ($ 0)))) - -)`,
		"{x}\r\n{y}\r\n": `(rule - - ({} x)) (rule - - ({} y))`,
	} {
		p := Parse(text)
		if got := tree(p); got != want {
			t.Errorf("%q\n\tgot  %s\n\twant %s", text, got, want)
		}
		if p.Err != nil || p.Cut {
			t.Errorf("%q: refused at %d: %v", text, p.Err.Pos, p.Err)
		}
	}
}

// TestRefused are programs that gawk 5.2 refuses, with what is read of them
// nevertheless.
func TestRefused(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{ print "a`:                        `(rule - - ({} (print (str a))))`,
		`{ system("a"`:                      `(rule - - ({} (call system (str a))))`,
		`print > "f"`:                       `(rule - - ({} (print > (str f))))`,
		`{ x = ) ; system("a") }`:           `(rule - - ({} (= x (bad)) (bad) (call system (str a))))`,
		`{ f(a; system("b")) }`:             `(rule - - ({} (call f a) (call system (str b)) (bad)))`,
		`} system("a")`:                     `(rule (bad) - -) (rule (call system (str a)) - -)`,
		"BEGIN\n{ system(\"a\") }":          `(BEGIN ({} (call system (str a))))`,
		`{ if (1) {x}; else y }`:            `(rule - - ({} (if 1 ({} x) y)))`,
		"{ x =\n1 }":                        `(rule - - ({} (= x 1)))`,
		"{ print (\n1) }":                   `(rule - - ({} (print (group 1))))`,
		"{ x = 1 ? 2\n: 3 }":                `(rule - - ({} (= x (?: 1 2 3))))`,
		`{ x = a < b < c }`:                 `(rule - - ({} (= x (< (< a b) c))))`,
		`{ x = 1 + y = 2 }`:                 `(rule - - ({} (= x (+ 1 (= y 2)))))`,
		`{ print (1, 2)(3) }`:               `(rule - - ({} (print (cat (group 1 2) (group 3)))))`,
		`{ print 1 > 2 ? 3 : 4 }`:           `(rule - - ({} (print > 1 (?: 2 3 4))))`,
		`{ x = /a` + "\n" + `system("b") }`: `(rule - - ({} (= x (re a)) (call system (str b))))`,
		`;{x}`:                              `(rule (bad) - -) (rule - - ({} x))`,
		`{ for ((k) in a) x }`:              `(rule - - ({} (for (in (group k) a) (bad) - x)))`,
		`{ x & system("y") }`:               `(rule - - ({} x (bad) (call system (str y))))`,
	} {
		p := Parse(text)
		if got := tree(p); got != want {
			t.Errorf("%q\n\tgot  %s\n\twant %s", text, got, want)
		}
		if p.Err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}

func TestOdd(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		`/[/]/`: true, `/[\/]/`: true, `/a\/b/`: false, `/[[:alpha:]/]/`: true, `/[^]]/`: false, `{ do x; while (y) }`: false, `{ do {x} while (y) z }`: true, `{ print 3x }`: true, `func f() {}`: true, `{ print 1.5 }`: false, "{x}\n;": true, "{x};\n": false,
	} {
		if p := Parse(text); p.Odd != want || p.Err != nil {
			t.Errorf("%s: odd is %v, want %v; %v", text, p.Odd, want, p.Err)
		}
	}
}

func TestBounds(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		strings.Repeat("(", MaxText), strings.Repeat("{", MaxText), "{x=" + strings.Repeat("!", MaxText/2) + "y}", strings.Repeat("if(x)", MaxText/5), "{x=" + strings.Repeat("1?1:", MaxText/4),
		"{" + strings.Repeat("$", MaxText/2) + "}", strings.Repeat("a=", MaxText/2), strings.Repeat("x^", MaxText/2), strings.Repeat("a", MaxText+1), strings.Repeat("switch(x){case 1:", 4000),
	} {
		if p := Parse(text); !p.Cut {
			t.Errorf("%.20s…: read to its end", text)
		}
	}
	for _, text := range []string{
		"{x=" + strings.Repeat("a ", MaxText/3) + "}", "{x=1" + strings.Repeat("+1", MaxText/3) + "}", "/" + strings.Repeat("[", MaxText-1), "/" + strings.Repeat("[:", MaxText/3) + "/", strings.Repeat("{x}", MaxText/3),
		"{" + strings.Repeat("f();", MaxText/5) + "}", `"` + strings.Repeat(`\"`, MaxText/3),
	} {
		if p := Parse(text); p.Cut {
			t.Errorf("%.20s…: not read to its end", text)
		}
	}
}

func TestPositions(t *testing.T) {
	t.Parallel()
	const text = `/a b/ { print $1 "x", substr($0, 2) > "out" ".txt" }`
	want := map[string]bool{`/a b/`: true, `$1 "x"`: true, `substr($0, 2)`: true, `"out" ".txt"`: true, `$0`: true, `print $1 "x", substr($0, 2) > "out" ".txt"`: true}
	Parse(text).Walk(func(n *Node) bool {
		delete(want, text[n.Pos:n.End])
		return true
	})
	for s := range want {
		t.Errorf("no node is %s", s)
	}
}

func TestUnquote(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		`a`: "a", `\n\t\\\"\a\v`: "\n\t\\\"\a\v", `\/`: "/", `\q`: "q", `\101\60`: "A0", `\x41z`: "Az", `\x414`: "A4", `\u00e9\u41g`: "éAg", "a\\\nb": "ab", `\0`: "", `\x`: "x", `\`: `\`,
	} {
		if got, _ := Unquote(raw); got != want {
			t.Errorf("%s: %q, want %q", raw, got, want)
		}
	}
	for raw, want := range map[string]bool{`\n\101\x41`: true, `\x414`: false, `\x4`: false, `\/`: false, `\q`: false, `\0`: false, `\377`: false, `\u41`: false, "\\\n": false} {
		if _, alike := Unquote(raw); alike != want {
			t.Errorf("%s: alike is %v, want %v", raw, alike, want)
		}
	}
}

func TestOnce(t *testing.T) {
	t.Parallel()
	const text = `function f(p, q) { p = 1 } BEGIN { a = "x"; b = "x"; b = "y"; c += 1; d++; e = 1; getline e; for (g in h) i = "j"; sub(/x/, "y", k); k = "z"; p = "z"; m[1] = 2; n = $1 }`
	got := map[string]string{}
	for name, value := range Parse(text).Once() {
		got[name] = show(value)
	}
	want := map[string]string{"a": "(str x)", "b": "-", "c": "-", "d": "-", "e": "-", "g": "-", "i": "(str j)", "k": "-", "p": "-", "q": "-", "n": "($ 1)"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

// FuzzParse asks of any text that the tree is one, in the text, and the same
// again.
func FuzzParse(f *testing.F) {
	for text := range statements() {
		f.Add("{" + text + "}")
	}
	for _, text := range []string{"/[", "\"\\", "@", "@include", "function", "switch(x){case", "{print(1,2)in", "do", "{getline<", "a[", "\x00(\x00", "{x\n?y\n:z}", "$", "!", "BEGIN", "'"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p := Parse(text)
		seen := make([]bool, p.Nodes)
		var within func(n *Node, from, to int)
		within = func(n *Node, from, to int) {
			if n == nil {
				return
			}
			if seen[n.ID] {
				t.Fatalf("%q: node %d is twice in the tree", text, n.ID)
			}
			seen[n.ID] = true
			if n.Pos < from || n.End < n.Pos || n.End > to {
				t.Fatalf("%q: %s is at %d to %d, outside %d to %d", text, show(n), n.Pos, n.End, from, to)
			}
			for _, k := range n.Kids {
				within(k, n.Pos, n.End)
			}
		}
		for _, n := range p.Items {
			within(n, 0, len(text))
		}
		if tree(p) != tree(Parse(text)) {
			t.Fatalf("%q: two trees", text)
		}
		p.Once()
	})
}
