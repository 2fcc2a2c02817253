package pure

import (
	"slices"
	"strings"
)

// An opt is one option as it was given. The key is the short letter, or the
// long name if the option has no short form.
type opt struct {
	key, val string
	has      bool // a value was given
}

// parsed is the result of option parsing, in order.
type parsed struct {
	opts     []opt
	operands []string
}

// A grammar describes a program's options.
type grammar struct {
	// short holds the letters; one ":" after a letter means that it takes a
	// value, two that the value is optional and must be attached. A leading
	// "+" stops at the first operand.
	short string
	// long holds "name", "name=" (value) or "name=?" (optional value); with
	// "x|" in front the option is another spelling of the letter x.
	long []string
}

// getopt parses args as getopt_long(3) does: operands may stand between
// options, short options cluster, long options may be abbreviated to a unique
// prefix. Anything it does not know is errUnknown, and so are --help and
// --version.
func (g grammar) getopt(args []string) (parsed, error) {
	var p parsed
	stop := strings.HasPrefix(g.short, "+")
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "--":
			p.operands = append(p.operands, args[i+1:]...)
			return p, nil
		case strings.HasPrefix(a, "--"):
			used, err := g.parseLong(&p, a[2:], args[i+1:])
			if err != nil {
				return p, err
			}
			i += used
		case len(a) > 1 && a[0] == '-':
			used, err := g.parseCluster(&p, a[1:], args[i+1:])
			if err != nil {
				return p, err
			}
			i += used
		case stop:
			p.operands = append(p.operands, args[i:]...)
			return p, nil
		default:
			p.operands = append(p.operands, a)
		}
	}
	return p, nil
}

// parseLong reads one long option; used is 1 if it took the next word.
func (g grammar) parseLong(p *parsed, text string, rest []string) (used int, err error) {
	name, val, has := strings.Cut(text, "=")
	entry, ok := g.findLong(name)
	if !ok {
		return 0, errUnknown
	}
	key, name := "", entry
	if k, n, found := strings.Cut(entry, "|"); found {
		key, name = k, n
	}
	name, kind := strings.TrimRight(name, "=?"), strings.TrimLeft(name, "abcdefghijklmnopqrstuvwxyz0123456789-")
	if key == "" {
		key = name
	}
	switch kind {
	case "":
		if has {
			return 0, errUnknown
		}
	case "=":
		if !has {
			if len(rest) == 0 {
				return 0, errUnknown
			}
			val, has, used = rest[0], true, 1
		}
	}
	p.opts = append(p.opts, opt{key, val, has})
	return used, nil
}

// findLong finds the one entry that name abbreviates.
func (g grammar) findLong(name string) (string, bool) {
	if name == "" {
		return "", false
	}
	found, n := "", 0
	for _, e := range slices.Concat(g.long, []string{"help", "version"}) {
		bare := e
		if _, after, ok := strings.Cut(e, "|"); ok {
			bare = after
		}
		bare = strings.TrimRight(bare, "=?")
		if bare == name {
			return e, bare != "help" && bare != "version"
		}
		if strings.HasPrefix(bare, name) {
			found, n = e, n+1
		}
	}
	return found, n == 1 && found != "help" && found != "version"
}

// parseCluster reads one word of short options.
func (g grammar) parseCluster(p *parsed, text string, rest []string) (used int, err error) {
	for i := range len(text) {
		c := text[i]
		at := strings.IndexByte(g.short, c)
		if at < 0 || c == ':' || c == '+' {
			return 0, errUnknown
		}
		spec := g.short[at+1:]
		key := text[i : i+1]
		switch {
		case strings.HasPrefix(spec, "::"):
			p.opts = append(p.opts, opt{key, text[i+1:], i+1 < len(text)})
			return 0, nil
		case strings.HasPrefix(spec, ":"):
			if i+1 < len(text) {
				p.opts = append(p.opts, opt{key, text[i+1:], true})
				return 0, nil
			}
			if len(rest) == 0 {
				return 0, errUnknown
			}
			p.opts = append(p.opts, opt{key, rest[0], true})
			return 1, nil
		}
		p.opts = append(p.opts, opt{key: key})
	}
	return 0, nil
}

// has reports whether any of the keys was given.
func (p parsed) has(keys ...string) bool {
	return slices.ContainsFunc(p.opts, func(o opt) bool { return slices.Contains(keys, o.key) })
}

// last returns the value of the last option with that key.
func (p parsed) last(key string) (string, bool) {
	for _, o := range slices.Backward(p.opts) {
		if o.key == key {
			return o.val, true
		}
	}
	return "", false
}

// decimal reads an unsigned decimal of at most nine digits.
func decimal(s string) (int, bool) {
	if s == "" || len(s) > 9 {
		return 0, false
	}
	n := 0
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + int(s[i]-'0')
	}
	return n, true
}
