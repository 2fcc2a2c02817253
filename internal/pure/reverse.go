package pure

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// runTac is tac(1) of coreutils with a plain separator (-s).
func runTac(j *job, args []string) error {
	p, err := grammar{short: "s:", long: []string{"s|separator="}}.getopt(args)
	if err != nil {
		return err
	}
	sep := "\n"
	if s, ok := p.last("s"); ok {
		if s == "" {
			return errUnknown
		}
		sep = s
	}
	if len(p.operands) == 0 {
		p.operands = []string{"-"}
	}
	for _, f := range p.operands {
		in, err := j.readOperand(f)
		if err != nil {
			return err
		}
		if overlaps(sep) && bytes.Contains(in, []byte(sep)) {
			return errUnknown // tac searches from the end
		}
		records := bytes.SplitAfter(in, []byte(sep))
		for _, r := range slices.Backward(records) {
			j.write(r)
		}
	}
	return nil
}

// overlaps reports whether two occurrences of s could share bytes.
func overlaps(s string) bool {
	for i := 1; i < len(s); i++ {
		if s[i:] == s[:len(s)-i] {
			return true
		}
	}
	return false
}

// runRev is rev(1) of util-linux: the characters of each line backwards.
func runRev(j *job, args []string) error {
	p, err := grammar{}.getopt(args)
	if err != nil {
		return err
	}
	in, err := j.readAll(p.operands)
	if err != nil {
		return err
	}
	j.decoded = true
	wide, ok := j.chars(in)
	if !ok || !wide && !isASCII(in) || len(p.operands) > 1 || bytes.IndexByte(in, 0) >= 0 {
		return errUnknown
	}
	lines, ended := splitLines(in, '\n')
	for i, line := range lines {
		line = slices.Clone(line)
		if wide {
			reverseRunes(line)
		} else {
			slices.Reverse(line)
		}
		j.write(line)
		if i < len(lines)-1 || ended {
			j.writeByte('\n')
		}
	}
	return nil
}

// reverseRunes reverses valid UTF-8 in place.
func reverseRunes(b []byte) {
	slices.Reverse(b)
	for i := 0; i < len(b); i++ {
		k := i
		for k < len(b) && !utf8.RuneStart(b[k]) {
			k++
		}
		if k < len(b) {
			slices.Reverse(b[i : k+1])
		}
		i = k
	}
}
