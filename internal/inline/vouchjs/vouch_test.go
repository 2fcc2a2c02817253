package vouchjs

import (
	"strings"
	"testing"
)

// Ordinary programs that are vouched for, and what is said of them.
func TestVouched(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"console.log(1 + 2)":                             "prints",
		"console.log(require('./package.json').version)": "loads ./package.json; prints",
		"const {name, version: v = '0'} = require('./a/b.json'); console.log(`${name}@${v}`)":                                                 "loads ./a/b.json; prints",
		"const fs = require('fs'); const p = JSON.parse(fs.readFileSync('p.json', 'utf8')); console.log(p.name)":                              "reads p.json; prints",
		"const {readFileSync} = require('node:fs'); for (const l of readFileSync('a', 'utf8').split('\\n')) { if (l) console.log(l.trim()) }": "reads a; prints",
		"const path = require('path'), fs = require('fs'); const d = 'src'; fs.readdirSync(path.join(d, 'x')).forEach(f => console.log(f))":   "lists src/x; prints",
		"let s = ''; process.stdin.on('data', d => s += d).on('end', () => { console.log(JSON.parse(s).name) })":                              "stdin; prints",
		"console.log(require('fs').readFileSync(0, 'utf8').length)":                                                                           "stdin; prints",
		"const a = [3, 1]; a.sort((x, y) => x - y); for (let i = 0; i < a.length; i++) { console.log(i, a[i]) }":                              "prints",
		"const m = {}; for (const w of 'a b'.split(' ')) { m[w] = (m[w] || 0) + 1 } console.log(m)":                                           "prints",
		"function f(n) { return n < 2 ? n : f(n - 1) + f(n - 2) } console.log(f(10))":                                                         "prints",
		"try { JSON.parse('{') } catch (e) { console.error(e.message); process.exit(1) }":                                                     "prints",
		"console.log(process.env.HOME, process.argv.slice(2), process.argv[2])":                                                               "prints",
		"console.log(Object.keys(process.env))":                                                                                               "env; prints",
		"console.log(require('crypto').createHash('sha256').update('x').digest('hex'))":                                                       "prints",
		"require('fs').writeFileSync('out.txt', JSON.stringify({a: 1}, null, 2))":                                                             "writes out.txt",
		"const o = {a: {b: 1}}; for (const k in o) console.log(k, o[k].b)":                                                                    "prints",
		"console.log([1, 2].map(String).join(), new Map([[1, 2]]).size, new Date().toISOString())":                                            "prints",
		"(async () => { const t = await require('fs').promises.readFile('a', 'utf8'); console.log(t) })()":                                    "reads a; prints",
		"console.log(/x+/g.test('xx') ? 'y' : 'n')":                                                                                           "prints",
	} {
		said, ok := Node(text)
		if got := render(said, ok); got != want {
			t.Errorf("%s\n got %q, want %q", text, got, want)
		}
	}
}

func render(s Said, ok bool) string {
	if !ok {
		return "not vouched for"
	}
	var out []string
	for _, g := range []struct {
		name  string
		files []string
	}{{"reads", s.Reads}, {"lists", s.Lists}, {"writes", s.Writes}, {"loads", s.Loads}} {
		for _, f := range g.files {
			out = append(out, g.name+" "+f)
		}
	}
	for _, g := range []struct {
		name string
		on   bool
	}{{"stdin", s.Stdin}, {"env", s.Env}, {"prints", s.Prints}} {
		if g.on {
			out = append(out, g.name)
		}
	}
	return strings.Join(out, "; ")
}

// Twins of these that do harm, or may: none is vouched for.
func TestNotVouched(t *testing.T) {
	t.Parallel()
	for text := range strings.SplitSeq(strings.TrimSpace(harmful), "\n") {
		text = strings.ReplaceAll(text, "⏎", "\n")
		if said, ok := Node(text); ok {
			t.Errorf("%s\n is %s", text, render(said, ok))
		}
	}
	if _, ok := Node("console.log(1) //" + strings.Repeat("x", maxText)); ok {
		t.Error("a text that is too long is vouched for")
	}
}

const harmful = `
eval('1')
(0, eval)('1')
eval?.('1')
const e = eval; e('1')
[1].map(eval)
Promise.resolve('x').then(eval)
new Function('return 1')()
Function('x')()
const a = Function; a('x')()
['x'].map(Function)
Array.from(['x'], Function)
JSON.parse('{}', Function)
(()=>{}).constructor('x')()
[].map.constructor('x')()
[]['map']['constructor']('x')()
[].map[` + "`constructor`" + `]('x')()
const {constructor: F} = () => {}; F('x')()
const {['constr' + 'uctor']: F} = () => {}; F('x')()
const k = 'constr' + 'uctor'; [].map[k]('x')()
const k = 'constr' + 'uctor'; const F = [].map[k]; F('x')()
const k = 'constr' + 'uctor'; ['x'].map([].map[k])
const k = 'constr' + 'uctor'; const F = [].map[k].bind(); F('x')()
const k = 'constr' + 'uctor'; [].map[k].valueOf()('x')()
const k = 'constr' + 'uctor'; ([].map[k] || 0).valueOf()('x')()
const k = 'constr' + 'uctor'; (1 ? [].map[k] : 0).bind()('x')()
const k = 'constr' + 'uctor'; const g = ({})[k].getOwnPropertyDescriptor; g([].map.__proto__, k).value('x')()
const k = 'constr' + 'uctor'; const o = {f: [].map[k]}; o.f('x')()
const k = 'constr' + 'uctor'; const f = () => [].map[k]; f()('x')()
const k = 'constr' + 'uctor'; for (const F of [[].map[k]]) F('x')()
const k = 'constr' + 'uctor'; let F; [F] = [[].map[k]]; F('x')()
const k = 'constr' + 'uctor'; const g = (F = [].map[k]) => F('x')(); g()
const k = '__proto__'; ({})[k].map = 1
({}).__proto__.toString = () => 1
Object.prototype.x = 1
Array.prototype.map = function () {}
Object.defineProperty({}, 'a', {get: eval})
({get a() { return 1 }}).a
Reflect.get(require, 'x')
new Proxy({}, {get() {}})
console.log` + "`x`" + `
(function () {}).constructor` + "`x`" + `()
class A extends Function {}; new A('x')()
class A { static { process.exit() } }
function* g() { yield 1 } g()
with (process) { binding('x') }
setTimeout('x', 1)
import('fs').then(f => f.rmSync('x'))
import fs from 'fs'; fs.rmSync('x')
require('child_process').execSync('id')
let r = require; r('child_process').execSync('id')
const r = module.require; r('fs')
require('./lib')
require('./lib.js')
require('left-pad')
require('x.json')
require('./a' + '.json')
const p = './a.json'; require(p)
require('./a.json', 1)
require.cache = {}
require.extensions['.json'] = require.extensions['.js']
process.binding('spawn_sync')
process.mainModule.require('fs')
process.getBuiltinModule('fs').rmSync('x')
process.dlopen({}, 'x')
process.kill(1)
process.chdir('/')
process.on('exit', () => 1)
process.env.PATH = '.'
const p = process; p.binding('fs')
const {binding} = process; binding('fs')
console.log(process)
globalThis.process.exit()
global['ev' + 'al']('1')
this.process.exit()
(function () { return this })().eval('1')
module.constructor._load('fs')
const fs = require('fs'); fs.rmSync('x')
const fs = require('fs'); fs['rm' + 'Sync']('x')
const fs = require('fs'); const f = fs.rmSync; f('x')
const fs = require('fs'); Object.values(fs)[0]('x')
const fs = require('fs'); ((x) => x.rmSync('y'))(fs)
const {rmSync: readFileSync} = require('fs'); readFileSync('x')
const {...fs} = require('fs'); fs.rmSync('x')
let fs = require('fs'); fs = {readFileSync: 1}; fs.readFileSync('x')
const fs = require('fs'); fs.readFileSync(process.argv[2])
const fs = require('fs'); let p = 'a'; p = '/etc/x'; console.log(fs.readFileSync(p))
const fs = require('fs'); const p = 'a'; { const p = '/etc/x'; console.log(fs.readFileSync(p)) }
const fs = require('fs'); fs.readFileSync('a', {flag: 'w'})
const fs = require('fs'); const o = {flag: 'w'}; fs.readFileSync('a', o)
const fs = require('fs'); fs.readFileSync(...['a'])
const fs = require('fs'); fs.openSync('x', 'w')
const fs = require('fs'); fs.writeFileSync(process.argv[2], 'x')
const fs = require('fs'); fs.readFileSync('\x2fetc/x')
require('fs').promises.rm('x')
fetch('http://h.test/')
require('http').get('http://h.test/')
process.stdin.on('data', eval)
process.stdin.on('data', d => 1).pipe(require('fs').createWriteStream('x'))
const s = process.stdin.on('data', d => 1); s._handle.bind('x')
process.stdin.on('data', d => 1)._handle.bind('x')
console.log = eval; console.log('1')
const console = {log: eval}; console.log('1')
function require(x) { return {readFileSync: eval} } require('fs').readFileSync('1')
arguments.callee.caller('x')
x = () => x.caller('y')
\u0065val('1')
const ｅ = 1
console.log(1) <!-- eval('1')
#!/usr/bin/env node
let v = 1; new v.constructor('x')
a?.constructor?.('x')
debugger; label: { debugger }
new.target
super.x
Error.prepareStackTrace = (e, s) => s[0].getThis().process.exit()
Symbol.for('x')
new WebAssembly.Module(1)
new Worker('x')
Atomics.wait(1)
async function* g() { yield 1 }
`

// Whatever the text is, reading it ends, and what is read twice is said twice.
func FuzzNode(f *testing.F) {
	f.Add("console.log(require('./a.json').x[1])")
	f.Add("const {a: [b = c => c], ...d} = {a: [1]}; for (;;) { a[b] ??= `${c}` }")
	for text := range strings.SplitSeq(strings.TrimSpace(harmful), "\n") {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, okA := Node(text)
		b, okB := Node(text)
		if okA != okB || render(a, okA) != render(b, okB) {
			t.Fatalf("%q is read in two ways", text)
		}
		if okA && (strings.Contains(text, "eval(") && !strings.ContainsAny(text, "'\"`/")) {
			t.Fatalf("%q is vouched for", text)
		}
	})
}
