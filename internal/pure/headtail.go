package pure

import (
	"bytes"
	"strings"
)

// A count is the operand of head -n, tail -c and so on.
type count struct {
	n    int
	sign byte // 0, '-' or '+'
}

// parseCount reads a number with an optional sign and multiplier.
func parseCount(s string) (count, bool) {
	var c count
	if s != "" && (s[0] == '-' || s[0] == '+') {
		c.sign, s = s[0], s[1:]
	}
	mult := 1
	switch {
	case strings.HasSuffix(s, "K"), strings.HasSuffix(s, "k"):
		mult, s = 1024, s[:len(s)-1]
	case strings.HasSuffix(s, "b"):
		mult, s = 512, s[:len(s)-1]
	}
	n, ok := decimal(s)
	c.n = n * mult
	return c, ok
}

// A part is what head and tail were asked for.
type part struct {
	count   count
	bytes   bool
	sep     byte
	verbose bool
	quiet   bool
}

// parsePart reads the options that head and tail share.
func parsePart(args []string, tail bool) (part, []string, error) {
	pt := part{count: count{n: 10}, sep: '\n'}
	args, done := obsoletePart(&pt, args, tail)
	if done {
		return pt, args, nil
	}
	p, err := grammar{
		short: "n:c:qvz",
		long:  []string{"n|lines=", "c|bytes=", "q|quiet", "q|silent", "v|verbose", "z|zero-terminated"},
	}.getopt(args)
	if err != nil {
		return pt, nil, err
	}
	for _, o := range p.opts {
		switch o.key {
		case "n", "c":
			var ok bool
			if pt.count, ok = parseCount(o.val); !ok {
				return pt, nil, errUnknown
			}
			pt.bytes = o.key == "c"
		case "q":
			pt.quiet, pt.verbose = true, false
		case "v":
			pt.verbose, pt.quiet = true, false
		case "z":
			pt.sep = 0
		}
	}
	return pt, p.operands, nil
}

// obsoletePart reads "-5", "tail -5c" and "tail +5" as the only option.
func obsoletePart(pt *part, args []string, tail bool) ([]string, bool) {
	if len(args) == 0 || len(args) > 2 || len(args[0]) < 2 {
		return args, false
	}
	sign, text := args[0][0], args[0][1:]
	if sign != '-' && (sign != '+' || !tail) || !isDigit(text[0]) {
		return args, false
	}
	if strings.HasSuffix(text, "c") {
		pt.bytes, text = true, text[:len(text)-1]
	}
	n, ok := decimal(text)
	if !ok || len(args) == 2 && strings.HasPrefix(args[1], "-") && args[1] != "-" {
		return args, false
	}
	pt.count = count{n: n}
	if sign == '+' {
		pt.count.sign = '+'
	}
	return args[1:], true
}

// runHead is head(1) of coreutils.
func runHead(j *job, args []string) error {
	return runPart(j, args, false)
}

// runTail is tail(1) of coreutils without -f.
func runTail(j *job, args []string) error {
	return runPart(j, args, true)
}

func runPart(j *job, args []string, tail bool) error {
	pt, files, err := parsePart(args, tail)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		files = []string{"-"}
	}
	headers := (len(files) > 1 || pt.verbose) && !pt.quiet
	for i, f := range files {
		in, err := j.readOperand(f)
		if err != nil {
			return err
		}
		if headers {
			if f == "-" {
				f = "standard input"
			}
			if i > 0 {
				j.writeByte('\n')
			}
			j.writeString("==> " + f + " <==\n")
		}
		if tail {
			j.write(pt.tail(in))
		} else {
			j.write(pt.head(in))
		}
	}
	return nil
}

func (pt part) head(in []byte) []byte {
	n := pt.count.n
	switch {
	case pt.bytes && pt.count.sign == '-':
		return in[:max(len(in)-n, 0)]
	case pt.bytes:
		return in[:min(n, len(in))]
	case pt.count.sign == '-':
		return in[:lastLines(in, n, pt.sep)]
	}
	return in[:firstLines(in, n, pt.sep)]
}

func (pt part) tail(in []byte) []byte {
	n := pt.count.n
	switch {
	case pt.bytes && pt.count.sign == '+':
		return in[min(max(n-1, 0), len(in)):]
	case pt.bytes:
		return in[max(len(in)-n, 0):]
	case pt.count.sign == '+':
		return in[firstLines(in, max(n-1, 0), pt.sep):]
	}
	return in[lastLines(in, n, pt.sep):]
}

// firstLines is the length of the first n lines.
func firstLines(in []byte, n int, sep byte) int {
	at := 0
	for range n {
		i := bytes.IndexByte(in[at:], sep)
		if i < 0 {
			return len(in)
		}
		at += i + 1
	}
	return at
}

// lastLines is where the last n lines begin.
func lastLines(in []byte, n int, sep byte) int {
	if n == 0 {
		return len(in)
	}
	end := len(in)
	if end > 0 && in[end-1] == sep {
		end--
	}
	for range n {
		i := bytes.LastIndexByte(in[:end], sep)
		if i < 0 {
			return 0
		}
		end = i
	}
	return end + 1
}
