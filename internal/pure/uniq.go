package pure

import (
	"bytes"
	"fmt"
	"strings"
)

// runUniq is uniq(1) of coreutils: -c -d -D -f -i -s -u -w -z.
func runUniq(j *job, args []string) error {
	p, err := grammar{
		short: "cdDf:is:uw:z",
		long: []string{
			"c|count", "d|repeated", "f|skip-fields=", "i|ignore-case", "s|skip-chars=",
			"u|unique", "w|check-chars=", "z|zero-terminated",
		},
	}.getopt(args)
	if err != nil || len(p.operands) > 1 || len(p.operands) == 1 && strings.HasPrefix(p.operands[0], "+") {
		return errUnknown
	}
	u := uniqer{fold: p.has("i"), check: -1, sep: '\n'}
	for key, to := range map[string]*int{"f": &u.fields, "s": &u.chars, "w": &u.check} {
		if v, ok := p.last(key); ok {
			if *to, ok = decimal(v); !ok {
				return errUnknown
			}
		}
	}
	if p.has("z") {
		u.sep = 0
	}
	u.count, u.all = p.has("c"), p.has("D")
	u.once, u.many = !p.has("d", "D"), !p.has("u")
	if u.all && u.count {
		return errUnknown
	}
	in, err := j.readAll(p.operands)
	if err != nil {
		return err
	}
	if !isASCII(in) && (u.fold || u.chars > 0 || u.check >= 0) {
		return errUnknown
	}
	lines, _ := splitLines(in, u.sep)
	for at := 0; at < len(lines) && !j.over; {
		n := 1
		for at+n < len(lines) && u.same(lines[at], lines[at+n]) {
			n++
		}
		u.print(j, lines[at:at+n])
		at += n
	}
	return nil
}

// A uniqer is one uniq command.
type uniqer struct {
	fields, chars, check int
	fold                 bool
	count, all           bool
	once, many           bool // print runs of one, runs of several
	sep                  byte
}

func (u uniqer) print(j *job, run [][]byte) {
	if len(run) == 1 && !u.once || len(run) > 1 && !u.many {
		return
	}
	if u.count {
		j.writeString(fmt.Sprintf("%7d ", len(run)))
	}
	if !u.all {
		run = run[:1]
	}
	for _, l := range run {
		j.write(l)
		j.writeByte(u.sep)
	}
}

func (u uniqer) same(a, b []byte) bool {
	a, b = u.key(a), u.key(b)
	if u.fold {
		return bytes.EqualFold(a, b)
	}
	return bytes.Equal(a, b)
}

func (u uniqer) key(line []byte) []byte {
	at := 0
	for range u.fields {
		if at >= len(line) {
			break
		}
		at = skipBlanks(line, at)
		for at < len(line) && !isSortBlank(line[at]) {
			at++
		}
	}
	line = line[min(at+u.chars, len(line)):]
	if u.check >= 0 {
		line = line[:min(u.check, len(line))]
	}
	return line
}
