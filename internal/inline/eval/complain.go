package eval

import (
	"path"
	"slices"

	"github.com/heedsh/heed/internal/catalog"
)

// complains reports whether a function that only computes quotes what it is given
// where it fails, or ends the program with it: an error message shows it.
func complains(lang, name string) bool {
	switch lang {
	case "python": // built-in exceptions of the library reference, and what their texts hold
		switch name {
		case "int", "float", "complex", "compile", "ast.parse", "ast.literal_eval", "decimal.Decimal", "fractions.Fraction", "warnings.warn":
			return true
		}
	case "node": // V8's messages; assert.AssertionError
		switch name {
		case "JSON.parse", "BigInt", "URL", "Symbol", "console.assert", "assert", "assert.equal", "assert.strictEqual", "assert.deepEqual", "assert.deepStrictEqual", "assert.ok", "assert.match", "assert.fail":
			return true
		}
	case "ruby": // Kernel
		switch name {
		case "raise", "fail", "exit", "Integer", "Float", "Rational", "Complex", "Kernel.raise", "Kernel.Integer", "Kernel.Float", "JSON.parse":
			return true
		}
	case "perl": // perlfunc(1), Carp(3perl)
		switch name {
		case "die", "warn", "croak", "confess", "carp", "cluck", "Carp::croak", "Carp::confess":
			return true
		}
	case "php":
		return name == "trigger_error"
	case "lua": // manual, 6.1
		return name == "error" // assert shows only its second argument
	case "r":
		return name == "stop" || name == "warning"
	}
	return false
}

// wellFormed reports whether a value is what files hold whose names say that they are in
// the language that they are read as: nothing is wrong with them.
func wellFormed(v val) bool {
	return len(v.src) > 0 && !v.env && !slices.ContainsFunc(v.src, func(s catalog.Source) bool {
		name, known := s.Path.Known()
		ext := path.Ext(name)
		return !known || ext != ".json" && ext != ".py"
	})
}
