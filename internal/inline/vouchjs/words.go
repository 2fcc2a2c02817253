package vouchjs

import (
	"strings"

	"github.com/heedsh/heed/internal/once"
)

// Words that a voucher knows, from ECMA-262 and the Node.js API documentation.

// hazardNames lead from a value to the makers of functions, or from a function to
// its caller, or change what all objects have.
const hazardNames = `constructor prototype __proto__ __defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ caller callee arguments
mainModule binding _linkedBinding dlopen getBuiltinModule domain __esModule`

// valueNames are names that nobody has to declare and that are data.
const valueNames = `undefined NaN Infinity __dirname __filename`

// makerNames may stand behind new and instanceof, and have functions that only
// compute.
const makerNames = `Map Set WeakMap WeakSet Date Array Object RegExp Error TypeError RangeError SyntaxError URL URLSearchParams TextDecoder TextEncoder
Promise Uint8Array Uint16Array Uint32Array Int8Array Int16Array Int32Array Float32Array Float64Array ArrayBuffer DataView Number String Boolean`

// converterNames make one value of another; they may be handed to map and filter.
const converterNames = `Number String Boolean parseInt parseFloat isNaN isFinite BigInt encodeURIComponent decodeURIComponent`

// callNames are functions that only compute, by their bare names.
const callNames = `Number String Boolean BigInt parseInt parseFloat isNaN isFinite encodeURIComponent decodeURIComponent encodeURI decodeURI atob btoa
structuredClone Error TypeError RangeError Date Array RegExp`

// rootNames begin the paths of what the system has.
const rootNames = `console process JSON Math Object Array Number String Date Promise Buffer performance Intl`

// moduleNames may be required. What is not listed of them is not known.
const moduleNames = `fs fs/promises path os util url querystring assert crypto`

// pathKinds says what calling something does.
const pathKinds = `compute JSON.parse JSON.stringify Object.keys Object.values Object.entries Object.fromEntries Object.assign Object.freeze Object.is Object.hasOwn Array.from Array.isArray
Array.of Number.isInteger Number.isFinite Number.isNaN Number.parseFloat Number.parseInt Number.isSafeInteger String.fromCharCode String.fromCodePoint Date.now Date.parse Date.UTC
Promise.resolve Promise.all Promise.allSettled Promise.race Buffer.from Buffer.alloc Buffer.byteLength Buffer.concat Buffer.isBuffer
Math.abs Math.acos Math.asin Math.atan Math.atan2 Math.cbrt Math.ceil Math.cos Math.exp Math.floor Math.fround Math.hypot Math.log Math.log10 Math.log2 Math.max Math.min Math.pow
Math.random Math.round Math.sign Math.sin Math.sqrt Math.tan Math.trunc
path.join path.resolve path.basename path.dirname path.extname path.relative path.normalize path.isAbsolute path.parse path.format
util.format url.parse url.fileURLToPath querystring.parse querystring.stringify performance.now
os.cpus os.totalmem os.freemem os.platform os.arch os.hostname os.tmpdir os.homedir os.uptime os.type os.release os.loadavg os.EOL
crypto.createHash crypto.randomUUID crypto.randomBytes
process.cwd process.uptime process.hrtime process.memoryUsage process.exit process.cpuUsage
fs.existsSync fs.statSync fs.lstatSync fs.promises.stat fs.promises.lstat fs.promises.access fs.accessSync fs.realpathSync
look util.inspect assert assert.equal assert.strictEqual assert.deepEqual assert.deepStrictEqual assert.ok assert.notEqual assert.notStrictEqual
print console.log console.error console.warn console.info console.debug console.table console.dir console.group console.groupEnd console.time console.timeEnd console.assert
process.stdout.write process.stderr.write
input process.stdin.on process.stdin.once process.stdin.setEncoding process.stdin.resume
timer setTimeout setImmediate
read fs.readFileSync fs.readFile fs.promises.readFile
list fs.readdirSync fs.readdir fs.promises.readdir
write fs.writeFileSync fs.writeFile fs.appendFileSync fs.appendFile fs.promises.writeFile fs.promises.appendFile`

// pathValues are data that the system has.
const pathValues = `process.argv process.version process.versions process.platform process.arch process.pid process.env process.exitCode process.title process.execPath
process.stdout.isTTY process.stdout.columns process.stdin.isTTY process.versions.node process.versions.v8 process.release.name
Math.PI Math.E Math.LN2 Math.LN10 Math.SQRT2 Number.MAX_SAFE_INTEGER Number.MIN_SAFE_INTEGER Number.EPSILON Number.MAX_VALUE Number.MIN_VALUE
path.sep path.delimiter os.EOL`

// freshNames are methods of arrays and texts that never give what they are called on,
// and that functions do not have.
const freshNames = `map filter join split trim slice includes startsWith endsWith indexOf toFixed toUpperCase toLowerCase forEach some every padEnd padStart
replace replaceAll match test substring charAt trimEnd trimStart`

type words struct {
	fresh, hazards, values, makers, converters, calls, roots, modules, constants map[string]bool
	kinds                                                                        map[string]string
}

var table = once.Value[*words]{Make: func() *words {
	set := func(text string) map[string]bool {
		m := map[string]bool{}
		for w := range strings.FieldsSeq(text) {
			m[w] = true
		}
		return m
	}
	w := &words{
		fresh: set(freshNames), hazards: set(hazardNames), values: set(valueNames), makers: set(makerNames), converters: set(converterNames), calls: set(callNames),
		roots: set(rootNames), modules: set(moduleNames), constants: set(pathValues), kinds: map[string]string{},
	}
	kind := ""
	for f := range strings.FieldsSeq(pathKinds) {
		switch f {
		case "compute", "look", "print", "input", "timer", "read", "list", "write":
			kind = f
		default:
			w.kinds[f] = kind
		}
	}
	return w
}}

func hazard(name string) bool    { return table.Get().hazards[name] }
func fresh(name string) bool     { return table.Get().fresh[name] }
func valueName(name string) bool { return table.Get().values[name] }
func maker(name string) bool     { return table.Get().makers[name] }
func converter(name string) bool { return table.Get().converters[name] }
func globalCall(n string) bool   { return table.Get().calls[n] }
func loadable(name string) bool  { return table.Get().modules[name] }
func valuePath(p string) bool    { return table.Get().constants[p] }

// rooted reports whether a name begins a path: setTimeout is one by itself.
func rooted(name string) bool {
	return table.Get().roots[name] || name == "setTimeout" || name == "setImmediate"
}

// kindOf says what calling something does: promises have the same functions as
// the module.
func kindOf(p string) string {
	if rest, ok := strings.CutPrefix(p, "fs.promises."); ok && table.Get().kinds[p] == "" {
		p = "fs." + rest
	}
	return table.Get().kinds[p]
}

// handed reports whether a function may be handed over to be called: it prints.
func handed(p string) bool { return table.Get().kinds[p] == "print" }

// reserved reports whether a program that binds a name makes something else of what
// is listed.
func reserved(name string) bool { return name == "require" || name == "arguments" || name == "eval" }

// plain reports whether a name is written with ASCII letters and without escapes.
func plain(name string) bool {
	for i := range len(name) {
		c := name[i]
		if c != '_' && c != '$' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return name != ""
}
