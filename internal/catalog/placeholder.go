package catalog

import (
	"regexp"
	"strings"

	"github.com/heedsh/heed/internal/once"
)

// Commands are copied from manuals with the words still in them that stand for
// something: ..., <name>, YOUR_TOKEN, /dev/sdX, host:PORT, /path/to/file.

// standIns are words that surely stand for something else, and likeStandIns those that
// may be meant: names of one's own can be written so too.
var (
	standIns     = once.Value[*regexp.Regexp]{Make: func() *regexp.Regexp { return regexp.MustCompile(standIn) }}
	likeStandIns = once.Value[*regexp.Regexp]{Make: func() *regexp.Regexp { return regexp.MustCompile(likeStandIn) }}
)

const (
	standIn = `^(\.\.\.|…|<[A-Za-z][A-Za-z0-9 _.-]*>|\{\{[^{}]*\}\}|/?path/to(?:/.*)?|` +
		`/dev/(?:sd[XYZ][NXY0-9]?|sdx[Ny]|hd[XY]|nvme[XN]n?[YN]?.*|r?disk[XN].*)|[xX]{3,})$|` +
		`[=:/@](<[A-Za-z][A-Za-z0-9 _-]*>)$|:((?:[A-Z]+_)?PORT(?:_[A-Z]+)?)$|(?:^|[^A-Za-z])((?:YOUR|your)[-_][A-Za-z_-]+)$`
	likeStandIn = `^([a-z]+(?:_[a-z]+)*_(?:name|number|nr|port|id|address|seconds|to_keep)|number_of_[a-z_]+|.*/?PATH_TO_[A-Z_]+.*)$|:((?:local|remote)_port)$`
)

// maxLooked is how many words are looked at.
const maxLooked = 32

// Placeholder returns the first word of an invocation that stands for something else,
// and whether that is sure; "" if there is none.
func (m *Match) Placeholder() (word string, sure bool) {
	like := ""
	for i := range m.Args[:min(len(m.Args), maxLooked)] {
		b := &m.Args[i]
		text, known := b.Value.Known()
		if !known || b.Default || len(text) > 80 {
			continue
		}
		switch b.Arg.Role {
		case Pattern, Code, Shell, Argv, SecretArg:
			continue
		}
		if strings.ContainsAny(text, "\n\t") || b.Arg.Name == "format" && strings.Contains(text, "{{") { // a template
			continue
		}
		if mayStandIn(text) {
			if part := firstGroup(standIns.Get(), text); part != "" {
				return part, true
			}
		}
		if like == "" && strings.Contains(text, "_") {
			like = firstGroup(likeStandIns.Get(), text)
		}
	}
	for _, w := range m.Extra[:min(len(m.Extra), maxLooked)] { // words that are left out: create NAME ...
		if text, known := w.Known(); known && (text == "..." || text == "…") {
			return text, true
		}
	}
	return like, false
}

// mayStandIn reports whether a word has what every alternative of [standIn] asks for:
// an expression takes ten times as long to say that one has not.
func mayStandIn(text string) bool {
	return strings.ContainsAny(text, "<…") || strings.Contains(text, "{{") || strings.Trim(text, "xX") == "" || strings.HasPrefix(text, "/dev/") ||
		strings.Contains(text, "...") || strings.Contains(text, "path/to") ||
		strings.Contains(text, "PORT") || strings.Contains(text, "YOUR") || strings.Contains(text, "your")
}

// firstGroup is the first group of an expression that matched something.
func firstGroup(x *regexp.Regexp, text string) string {
	for i, part := range x.FindStringSubmatch(text) {
		if i > 0 && part != "" {
			return part
		}
	}
	return ""
}
