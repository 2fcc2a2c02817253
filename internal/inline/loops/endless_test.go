package loops

import "testing"

func TestLoops(t *testing.T) {
	t.Parallel()
	const memory, processes, files, output = "memory without end", "processes without end", "files without end", "output without end"
	cases := []struct {
		lang, text, want string
		prints           bool
	}{
		{"python", "x = []\nwhile True:\n    x.append(' ' * 10**6)\n", memory, false},
		{"python", "x = ''\nwhile 1: x += x + 'a'", memory, false},
		{"python", "import itertools\nl = []\nfor i in itertools.count():\n    l.append(i)\n", memory, false},
		{"python", "import subprocess\nwhile not False:\n    subprocess.Popen(['sleep', '1'])\n", processes, false},
		{"python", "i = 0\nwhile True:\n    i += 1\n    open(f'f{i}', 'w')\n", files, false},
		{"python", "f = open('x', 'w')\nwhile True:\n    f.write('x' * 4096)\n", output, false},
		{"python", "while True: print('y')", "", true},
		{"python", "i = 0\nwhile True:\n    i += 1\n", "", false},
		{"python", "l = []\nwhile True:\n    l.append(1)\n    if len(l) > 3:\n        break\n", "", false},
		{"python", "l = []\nwhile True:\n    pass\nl.append(1)\n", "", false},
		{"python", "for i in range(9):\n    l.append(i)\n", "", false},
		{"python", "while True:\n    data = s.recv(9)\n    l.append(data)\n", "", false},
		{"python", "while True:\n    time.sleep(1)\n    l.append(1)\n", "", false},
		{"node", "const a=[];for(;;)a.push(Buffer.alloc(1e8))", memory, false},
		{"node", "let s='x'; while (true) { s += s }", memory, false},
		{"node", "do { a.push(1) } while (1)", memory, false},
		{"node", "const f=()=>{ require('child_process').spawn('x'); setImmediate(f) }; f()", processes, false},
		{"node", "function g() { cp.fork('a.js'); setTimeout(g, 0) } g()", processes, false},
		{"node", "function g() { cp.fork('a.js'); setTimeout(g, 60000) } g()", "", false},
		{"node", "while (!0) console.log('y')", "", true},
		{"node", "for (const x of y) a.push(x)", "", false},
		{"node", "for (let i = 0; i < 9; i++) a.push(i)", "", false},
		{"node", "while (q.length) a.push(q.pop())", "", false},
		{"perl", "push @a, 'x' x 1e6 while 1", memory, false},
		{"perl", "while (1) { $s .= 'x' }", memory, false},
		{"perl", "print \"y\\n\" while 1", "", true},
		{"perl", "while (<>) { push @a, $_ }", "", false},
		{"ruby", "a = []; loop { a << 'x' * 1000000 }", memory, false},
		{"ruby", "a = []\nuntil false\n  a.push(1)\nend", memory, false},
		{"ruby", "loop { puts 'y' }", "", true},
		{"ruby", "loop do\n  x = gets\n  a << x\nend", "", false},
		{"php", "while (true) { $a[] = str_repeat('x', 1000000); }", memory, false},
		{"lua", "local t = {} while true do table.insert(t, 'x') end", memory, false},
	}
	for _, c := range cases {
		if got := UnboundedIn(c.lang, c.text); got.Kind.String() != c.want || got.Prints != c.prints {
			t.Errorf("%s: %s\n\tgot %q, prints %v; want %q, %v", c.lang, c.text, got.Kind, got.Prints, c.want, c.prints)
		}
	}
}

func FuzzLoops(f *testing.F) {
	f.Add("node", "for(;;)a.push(1)")
	f.Add("python", "while 1:\n x.append(1)")
	f.Add("ruby", "}while{(")
	f.Add("perl", "x while 1 while 1")
	f.Fuzz(func(_ *testing.T, lang, text string) {
		UnboundedIn(lang, text)
	})
}
