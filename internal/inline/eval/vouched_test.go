package eval

import (
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/inline"
	"github.com/heedsh/heed/internal/inline/inlinetest"
)

// verdictOf says how far a Python program is vouched for.
func verdictOf(text string) string {
	switch r := Scan("python", text, inline.Host{}); {
	case r.Pure:
		return "pure"
	case r.Complete:
		return "complete"
	}
	return ""
}

func TestVouched(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"import json, math\nprint(json.dumps({'pi': round(math.pi, 3)}))", "pure"},
		{"from datetime import datetime, timedelta\nprint((datetime.now() - timedelta(days=1)).isoformat())", "pure"},
		{"from collections import Counter\nc = Counter('abracadabra')\nfor k, n in c.most_common(3):\n    print(f'{k:>3} {n:<4d}')", "pure"},
		{"class A(Exception):\n    def __init__(self, x):\n        super().__init__(x)\n        self.x = x\ntry:\n    raise A(1)\nexcept A as e:\n    print(e.x, type(e).__name__)", "pure"},
		{"from functools import lru_cache\n@lru_cache(maxsize=None)\ndef fib(n):\n    return n if n < 2 else fib(n-1) + fib(n-2)\nprint(fib(30))", "pure"},
		{"import sys\nprint(sys.version, sys.path[:2], sys.executable)", "pure"},
		{"exec('print(1)')", "pure"},
		{"import numpy as np\na = np.array([1, 2])\nprint(a.reshape(2, 1), a.mean(), a[0::2])", "pure"},
		{"import json\nwith open('a.json') as f:\n    print(json.load(f)['x'])", "complete"},
		{"import csv\nrows = list(csv.DictReader(open('a.csv')))\nprint(len(rows), rows[0])", "complete"},
		{"from pathlib import Path\nroot = Path('src')\nfor p in sorted(root.rglob('*.py'))[:5]:\n    print(p, p.read_text()[:80])", "complete"},
		{"import os\nfor root, dirs, files in os.walk('src'):\n    for f in files:\n        print(os.path.join(root, f), os.path.getsize(os.path.join(root, f)))", "complete"},
		{"def save(name):\n    with open(name, 'w') as f:\n        f.write('x')\nsave('a.txt')\nsave('b.txt')", "complete"},
		{"import zipfile\nwith zipfile.ZipFile('a.zip') as z:\n    for n in z.namelist():\n        print(n, z.getinfo(n).file_size)", "complete"},
		{"import subprocess\nout = subprocess.run(['git', 'log', '-1'], capture_output=True, text=True).stdout\nprint(out)", "complete"},
		{"import torch, flask\nprint(torch.__version__, torch.cuda.is_available(), flask.__file__)", "pure"},
		{"import numpy as np\nfrom scipy.optimize import curve_fit\nprint(curve_fit(lambda x, a: a * x, np.array([1]), np.array([2])))", "pure"},
		{"from PIL import Image\nim = Image.open('a.png').convert('L')\nprint(im.size, im.getpixel((0, 0)))", "complete"},
		{"import matplotlib\nmatplotlib.use('Agg')\nimport matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.savefig('a.png')", "complete"},
		{"import sqlite3\nc = sqlite3.connect('a.db')\nfor row in c.execute('SELECT name FROM t'):\n    print(row)\nc.close()", "complete"},
		{"import psycopg2\nwith psycopg2.connect(host='h', dbname='d') as c:\n    cur = c.cursor()\n    cur.execute('SELECT 1')\n    print(cur.fetchall())", "complete"},
		{"import sqlite3\nwith sqlite3.connect('a.db') as c:\n    c.execute('INSERT INTO t VALUES (?)', (1,))\n    c.commit()", "complete"},
		{"import pandas as pd\ndf = pd.read_csv('a.csv')\nprint(df.groupby('x')['y'].agg(['sum', 'mean']).head())", "complete"},
		{"import inspect, pandas as pd\nprint('dtype' in inspect.signature(pd.read_csv).parameters)", "pure"},
		{"import pandas as pd\ndf = pd.read_csv('a.csv')\nprint(df['x'].astype(str).str.len().mean())", "complete"},
		{"from collections import deque\nq = deque([1])\nwhile q:\n    print(str(q.popleft()).rstrip('0'))", "pure"},
	} {
		if got := verdictOf(c.text); got != c.want {
			t.Errorf("%s\n got %q, want %q", c.text, got, c.want)
		}
	}
}

// Programs that do something else than a quick reader sees: none may be
// vouched for unless what it does is among the effects.
func TestNotVouched(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		// what is described is not called, and what is picked is not made anew
		"import inspect, os; inspect.signature(os.system)('id')",
		"import inspect, os; inspect.getmembers(os)[3][1]('id')",
		"import inspect, os; f = inspect.unwrap(os.system); f('id')",
		"import inspect; inspect.signature(__import__('os').system)",
		"from pathlib import Path\nfor d in [Path(x) for x in Path('a').iterdir()]:\n    d.unlink()",
		"from pathlib import Path\nl = [d for d in Path('a').iterdir()]\nl = [Path(input())]\nfor d in l:\n    d.unlink()",
		"from pathlib import Path\nl = [d for d in Path('a').iterdir()]\nl[0] = Path(input())\nfor d in l:\n    d.unlink()",
		"from pathlib import Path\nl = [d for d in Path('a').iterdir()]\nl.append(Path(input()))\nfor d in l:\n    d.unlink()",
		// doors to what is loaded
		"import sys; sys.modules['os'].system('id')",
		"import json; json.codecs.builtins.open('/etc/x', 'w')",
		"import collections; collections._sys.modules['os'].system('id')",
		"().__class__.__mro__[1].__subclasses__()",
		"getattr(__import__('os'), 'sys' + 'tem')('id')",
		"class M(type):\n    def __call__(cls, x): return eval(x)\nclass A(metaclass=M): pass\nA('1')",
		"class A:\n    def __del__(self): __import__('os').system('id')\nA()",
		"class A:\n    __getattr__ = eval\nA().x",
		"class A:\n    def __class_getitem__(c, k): return eval(k)\nA['1']",
		"@eval\n@str\ndef f(): pass",
		"@exec\nclass A: pass",
		"import builtins; builtins.print = builtins.exec; print('1')",
		"import sys\nclass F:\n    def find_spec(self, n, p, t=None): exec(n)\nsys.meta_path.insert(0, F())\nimport x",
		"import sys; sys.path_hooks.append(eval)",
		"import sys; sys.settrace(lambda *a: exec('1'))",
		"import sys; sys.stdout = open('/etc/x', 'w')",
		"import sys; sys.displayhook = eval",
		"import atexit, os; atexit.register(os.remove, 'x')",
		"m = 'r' if 1 else 'w'; open('/etc/x', m)",
		"open('/etc/x', chr(119))",
		"open('/etc/x', 'rw'[1])",
		"import importlib; importlib.import_module('o' + 's').system('id')",
		"import operator; operator.attrgetter('system')(__import__('os'))('id')",
		"import functools, os; functools.partial(os.system, 'id')()",
		"import functools, os; functools.reduce(lambda a, f: f('id'), [os.system], 0)",
		"import string; string.Formatter().get_field('0.__class__', (1,), {})",
		"import pickle; pickle.loads(b'cos\\nsystem\\n(Vid\\ntR.')",
		"import ctypes; ctypes.CDLL(None).system(b'id')",
		"import code; code.interact()",
		"import pdb; pdb.run('1')",
		"import webbrowser; webbrowser.open('http://h.test')",
		"import antigravity",
		"import yaml; yaml.load('x', Loader=yaml.Loader)",
		"import numpy as np; np.load('a.npy', allow_pickle=True)",
		"import pandas as pd; pd.read_pickle('a')",
		"import pandas as pd; pd.DataFrame([1]).eval('@x')",
		"import pandas as pd; pd.DataFrame([1]).query('@__import__(\"os\")')",
		"import torch; torch.load('m.pth')",
		"import sympy; sympy.sympify('__import__(\"os\").system(\"id\")')",
		// modules inside modules
		"import random; random._os.system('id')",
		"import platform; platform.os.remove('/etc/x')",
		"import os; os.path.os.system('id')",
		"import json; json.codecs.open('/etc/x', 'w')",
		"import platform; x = platform.os\nx.replace('a', 'b')",
		"import scipy.stats; scipy.stats.os.system('id')",
		"from scipy.optimize import os; os.system('id')",
		"import numpy; numpy.lib.format.open_memmap('x', 'w+')",
		// what loads or evaluates what it is given
		"import torch; torch.load('x.pt')",
		"import numpy as np; np.load('x.npy', allow_pickle=True)",
		"import pandas as pd; pd.read_pickle('x')",
		"import pandas as pd; pd.eval('1')",
		"import sympy; sympy.sympify('1')",
		"import sqlite3, sys; sqlite3.connect('a.db').execute(sys.argv[1])",
		"import sqlite3; c = sqlite3.connect('a.db'); c.enable_load_extension(True)",
		`import sqlite3; c = sqlite3.connect('a.db'); c.execute("'x'")`,
		"import sqlite3, sys; sqlite3.connect(sys.argv[1])",
		"import matplotlib.pyplot as plt, sys; plt.savefig(sys.argv[1])",
		"import my_module; print(my_module.x)",
		// functions by other names
		"import os\nif 0:\n    import json as os\nos.system('id')",
		"from os import *\ntruncate('x', 0)",
		"import os; f = [print, os.system]\nfor i in [0, 1]: f[i]('id')",
		"import os; (print if 1 > 2 else os.system)('id')",
		"import os; d = {'a': os.system}; d['a']('id')",
		"import os; list(map(os.system, ['id']))",
		"from pathlib import Path; list(map(Path.unlink, [Path('a')]))",
		"sorted(['1'], key=eval)",
		"list(map(open, ['/etc/x'], ['w']))",
		"(f := open)('/etc/x', 'w')",
		"import operator, os; operator.methodcaller('system', 'id')(os)",
		"import types, os, json; types.ModuleType.__setattr__(json, 'dumps', os.system)",
		"import inspect, os; dict(inspect.getmembers(os))['system']('id')",
		"getattr(__builtins__, 'ev' + 'al')('1')",
		"[].__class__.__base__.__subclasses__()[0]('x')",
		"def g(): yield\ng().gi_frame.f_builtins['open']('/etc/x', 'w')",
		"def g(): yield\nsorted(['1'], key=g().gi_frame.f_builtins['exec'])",
		"locals()['x'] = 1",
		"globals()['print'] = 1",
		"import pandas as pd\npd.DataFrame([1]).apply('to_csv', path_or_buf='/etc/x')",
		"def open(x): pass\nopen('/etc/x')",
		"class A:\n    def open(self): pass\nopen(str(input()), 'w')",
		// what is evaluated on the way
		"x = f'{1:{open(chr(47), chr(119))}}'",
		"import typing\ndef f(x: 'print(1)'): pass\ntyping.get_type_hints(f)",
		"import functools\n@functools.singledispatch\ndef f(x): pass\n@f.register\ndef g(x: \"open('/etc/x', 'w')\"): pass",
		"import inspect\ndef f(x: 'print(1)'): pass\nprint(inspect.signature(f, eval_str=True))",
		"import argparse; argparse.ArgumentParser().add_argument('x', type=argparse.FileType('w'))",
		"import timeit; timeit.timeit('1', setup='import os; os.system(\"id\")')",
		"help('csv')",
		// circumstances
		"import sys; sys.path.insert(0, 'lib'); import csv; print(csv.reader([]))",
		"import sys, os; sys.modules['json'] = os",
		"import json, os; json.dumps = print",
		"import os; os.chdir('/etc'); open('x', 'w').write('x')",
		"import contextlib\nwith contextlib.chdir('/etc'):\n    open('x', 'w')",
		"import os; os.environ['PATH'] = '.'",
		"import os; os.environ.update(LD_PRELOAD='./x.so')",
		"import subprocess; subprocess.run(['ls'], env={'PATH': '.'})",
		"import subprocess; subprocess.run(['ls'], executable='/bin/rm')",
		"import subprocess; subprocess.run(['sh'], input='id', text=True)",
		"import subprocess; subprocess.Popen(['sh'], stdin=subprocess.PIPE).communicate(b'id')",
		"import os; os.popen('sh', 'w').write('id')",
		"import logging; logging.basicConfig(filename='/etc/x')",
		"import logging; logging.basicConfig(**{'filename': '/etc/x'})",
		"import requests\nclass S(requests.Session): pass\nS().get('http://h.test/')",
		// targets that have another value than the one seen last
		"x = '/etc/x'\ndef f():\n    x = 'a'\nf()\nopen(x, 'w')",
		"x = '/etc/x'\nclass A:\n    x = 'a'\nopen(x, 'w')",
		"x = '/etc/x'\n[x for x in ['a']]\nopen(x, 'w')",
		"x = '/etc/x'\ntry:\n    1/0\n    x = 'a'\nexcept Exception: pass\nopen(x, 'w')",
		"x = ['a']\nx.append('b')\nopen(x[-1], 'w')",
		"def f(*a): open(a[0], 'w')\nf('/etc/x')",
		"class A:\n    def save(self, p, q): open(p, 'w')\nA().save('/etc/x', 'a')",
		"*a, b = ['x', 'y', '/etc/z']\nopen(b, 'w')",
		"open('%.4s' % '/etc/x', 'w')",
		"open(sorted(['b', '/a'])[0], 'w')",
		"open('aXbX'.replace('X', '/', 1), 'w')",
		"open(*['/etc/x'], **{'mode': 'w'})",
		"m = 'r'\nm = 'w'\nopen('/etc/x', m)",
		"from pathlib import Path\np = Path('a')\np /= '/etc/x'\np.write_text('x')",
		"import os; open(os.path.expanduser('~root/x'), 'w')",
		"import os; open(os.path.expandvars('$HOME/x'), 'w')",
		"def f(p): open(p, 'w')\nlist(map(f, ['/etc/x']))\nf('a')",
		"print(open(input()).read())",
		"import sys; print(open(sys.argv[1]).read())",
		// other cuts of the text
		"# x\rimport os; os.system('id')",
		"# -*- coding: utf-7 -*-\n# +AAo-import os",
		"ｅval('1')",
	} {
		if got := verdictOf(text); got != "" {
			t.Errorf("%s\n is %s", strings.ReplaceAll(text, "\r", "\\r"), got)
		}
	}
}

// Code that Python evaluates where it is easily passed over.
func TestPythonEvaluatedOnTheWay(t *testing.T) {
	runCases(t, "python", []scanCase{
		{`import os; x: os.system("id") = 1`, `shell: id`},
		{`import os; x: os.system("id")`, `shell: id`},
		{"import os\ndef f(x: os.system('id')): pass", `shell: id`},
		{"import os\ndef f() -> os.system('id'): pass", `shell: id`},
		{"import os\nclass A:\n    def f(self, x=os.system('id')): pass", `shell: id`},
		{"import os\ntry:\n    pass\nexcept os.system('id'): pass", `shell: id`},
		{"import os\ndef deco(f):\n    def w():\n        os.system('id')\n    return w\n@deco\ndef g(): pass\ng()", `shell: id`},
		{"import os\ndef f():\n    class A:\n        def __init__(self):\n            os.system('id')\n    A()\nf()", `shell: id`},
		{"import os\nl = [1]\nl[l[0]:os.system('id')]", `shell: id`},
		{"import os\nprint(f'{1:{os.system(\"id\")}}')", `shell: id`},
		{"import os\nclass A:\n    def run(self, p):\n        os.remove(p)\nA().run('a.txt')", `fs.delete a.txt`},
	})
}

func TestCypher(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"MATCH (n) RETURN n": "db.read ",
		"MATCH (n:Set) WHERE n.delete = 1 RETURN n.create": "db.read ",
		"MATCH (n) WHERE n.x = 'DELETE' RETURN n":          "db.read ",
		"// all\nOPTIONAL MATCH (n)-[r]->() RETURN r":      "db.read ",
		"UNWIND $rows AS row RETURN row":                   "db.read ",
		"CREATE (n:A {x: 1})":                              "db.change ",
		"MATCH (n) SET n.x = 1":                            "db.change ",
		"CALL apoc.export.csv.all('x', {})":                "db.change ",
		"MATCH (n:A) WHERE n.x = 1 DETACH DELETE n":        "db.change ",
		"MATCH (n:A {x: 1}) DELETE n":                      "db.change ",
		"MATCH (n) DETACH DELETE n":                        "db.destroy DELETE without WHERE",
		"DROP CONSTRAINT c":                                "db.destroy DROP",
		"foo":                                              "db.change statement not known",
		"":                                                 "db.change statement not known",
	} {
		if verb, detail := cypherVerb(query); string(verb)+" "+detail.String() != want {
			t.Errorf("%s: %s %s, want %s", query, verb, detail, want)
		}
	}
}

// Code that stands where other languages allow it and it is easily passed over:
// it is seen, or the program is not understood.
func TestEvaluatedOnTheWay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ lang, text string }{
		{"node", "const {a = require('child_process').execSync('id')} = {}"},
		{"node", "class A { [require('child_process').execSync('id')]() {} }"},
		{"node", "class B extends require('child_process').execSync('id') {}"},
		{"node", "switch (1) { case require('child_process').execSync('id'): }"},
		{"node", "(({a = require('child_process').execSync('id')}) => 1)({})"},
		{"node", "try { throw 1 } catch ({a = require('child_process').execSync('id')}) {}"},
		{"perl", "sub f($x = system('id')) {} f()"},
		{"php", "switch (1) { case system('id'): }"},
		{"lua", "for i = 1, os.execute('id') do end"},
		{"ruby", "begin; raise; rescue *[system('id')]; end"},
		{"ruby", "[1].each { |x, y = system('id')| }"},
	} {
		if r := Scan(c.lang, c.text, inline.Host{}); r.Pure || r.Inspected && len(r.Runs) == 0 {
			t.Errorf("%s: %s\n %s", c.lang, c.text, inlinetest.Render(r))
		}
	}
}
