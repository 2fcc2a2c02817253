package site

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/value"
)

// Words splits the words of a call by an exact list of its options, for whoever has
// to know every one: "-z" is a flag, "--sort=" has a value behind the sign or in the
// next word, "--color?" has one behind the sign only, "--merged~" takes the next word
// if there is one, "--color=never" is that and nothing else. Options are not
// shortened; letters stand together where all are flags, but for the last. given has
// what was given last; ok is false at any other option and where a word that may be
// one is not known.
func Words(args []value.Value, options ...string) (given map[string]string, operands []value.Value, ok bool) {
	r := wordReader{args: args, options: options, given: map[string]string{}}
	for len(r.args) > 0 {
		w := r.args[0]
		text, known := w.Known()
		switch {
		case known && text == "--":
			return r.given, append(operands, r.args[1:]...), true
		case text == "-", known && !strings.HasPrefix(text, "-"), !known && w.Prefix() != "" && w.Prefix()[0] != '-':
			operands, r.args = append(operands, w), r.args[1:]
			continue
		case !known:
			return nil, nil, false
		}
		r.args = r.args[1:]
		if strings.HasPrefix(text, "--") || len(text) == 2 || r.has(text) {
			ok = r.option(text)
		} else {
			ok = r.cluster(text)
		}
		if !ok {
			return nil, nil, false
		}
	}
	return r.given, operands, true
}

// wordReader reads the words of one call.
type wordReader struct {
	args    []value.Value
	options []string
	given   map[string]string
}

func (r *wordReader) has(option string) bool { return slices.Contains(r.options, option) }

// option reads an option that is a word of its own.
func (r *wordReader) option(text string) bool {
	name, val, attached := strings.Cut(text, "=")
	switch {
	case r.has(text) && !strings.HasSuffix(text, "="):
		r.given[text] = ""
		return true
	case attached:
		r.given[name] = val
		return strings.HasPrefix(name, "--") && (r.has(name+"=") || r.has(name+"~") || r.has(name+"?"))
	case r.has(name + "?"), r.has(name+"~") && len(r.args) == 0:
		r.given[name] = ""
		return true
	case (r.has(name+"=") || r.has(name+"~")) && len(r.args) > 0:
		var known bool
		r.given[name], known = r.args[0].Known()
		r.args = r.args[1:]
		return known
	}
	return false
}

// cluster reads letters that stand together.
func (r *wordReader) cluster(text string) bool {
	for i := 1; i < len(text); i++ {
		name := "-" + text[i:i+1]
		switch {
		case r.has(name):
			r.given[name] = ""
		case r.has(name + "?"), r.has(name+"=") && i+1 < len(text):
			r.given[name] = text[i+1:]
			return true
		case r.has(name + "="):
			return r.option(name)
		default:
			return false
		}
	}
	return true
}

// AnyLine reports whether a pattern of a search holds for nearly any line.
func AnyLine(pattern value.Value) bool {
	text, known := pattern.Known()
	return known && slices.Contains([]string{"", ".", ".*", ".+", "^", "$", "^.*", ".*$", "^.*$"}, text)
}
