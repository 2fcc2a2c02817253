package eval

import (
	"strings"

	"github.com/heedsh/heed/internal/inline"

	"github.com/heedsh/heed/internal/once"
)

// A table says what the names of a language mean.
type table struct {
	calls       map[string]action
	methods     map[string]action // "class.method"; "*.method" on any object
	names       map[string]action // values of names and attributes
	harmless    map[string]bool   // modules and functions that only compute
	modules     map[string]bool   // that may be loaded, but whose other functions are not known
	pureMethods map[string]bool
}

// newTable makes a table with functions and methods that only compute.
func newTable(harmless, methods string) *table {
	t := &table{calls: map[string]action{}, methods: map[string]action{}, names: map[string]action{}, harmless: inline.Words(harmless), pureMethods: inline.Words(methods)}
	for name := range strings.FieldsSeq(commonMethods) {
		t.pureMethods[name] = true
	}
	return t
}

// commonMethods only compute in every language that has them.
const commonMethods = `append add get items keys values join split format strip upper lower replace startswith endswith index count
map filter reduce forEach each find length push concat slice includes indexOf toString test match search exec_ isdigit isalpha title
sort reverse sum min max abs round toFixed padStart padEnd repeat trim entries`

// call gives several names the same meaning.
func (t *table) call(a action, names string) {
	for n := range strings.FieldsSeq(names) {
		t.calls[n] = a
	}
}

// method gives methods of a class, or "*", a meaning.
func (t *table) method(class string, a action, names string) {
	for n := range strings.FieldsSeq(names) {
		t.methods[class+"."+n] = a
	}
}

// value gives names a value.
func (t *table) value(f func() val, names string) {
	for n := range strings.FieldsSeq(names) {
		t.names[n] = func(*scan, *call) val { return f() }
	}
}

var (
	pythonTable = once.Value[*table]{Make: makePython}
	phpTable    = once.Value[*table]{Make: makePHP}
	perlTable   = once.Value[*table]{Make: makePerl}
	rubyTable   = once.Value[*table]{Make: makeRuby}
	nodeTable   = once.Value[*table]{Make: makeNode}
	luaTable    = once.Value[*table]{Make: makeLua}
	tclTable    = once.Value[*table]{Make: func() *table { return newTable(tclHarmless, "") }}
	rTable      = once.Value[*table]{Make: makeR}
)

// tableOf returns the table of a language.
func tableOf(lang string) *table {
	switch lang {
	case "python":
		return pythonTable.Get()
	case "php":
		return phpTable.Get()
	case "perl":
		return perlTable.Get()
	case "ruby":
		return rubyTable.Get()
	case "node":
		return nodeTable.Get()
	case "lua":
		return luaTable.Get()
	case "r":
		return rTable.Get()
	case "tcl":
		return tclTable.Get()
	}
	return newTable("", "")
}
