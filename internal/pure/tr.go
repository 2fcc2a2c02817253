package pure

import (
	"slices"
)

// runTr is tr(1) of coreutils: -c -C -d -s -t with one or two sets. It works
// on bytes, as GNU tr does.
func runTr(j *job, args []string) error {
	p, err := grammar{
		short: "+cCdst",
		long:  []string{"c|complement", "d|delete", "s|squeeze-repeats", "t|truncate-set1"},
	}.getopt(args)
	if err != nil {
		return err
	}
	t := trJob{
		complement: p.has("c", "C"), del: p.has("d"), squeeze: p.has("s"), truncate: p.has("t"),
	}
	if err := t.setUp(p.operands); err != nil {
		return err
	}
	in, err := j.readStdin()
	if err != nil {
		return err
	}
	j.decoded = t.rotates()
	out := make([]byte, 0, len(in))
	last := -1
	for _, c := range in {
		if t.del && t.first[c] {
			continue
		}
		if t.translate {
			c = t.table[c]
		}
		if t.squeeze && t.squeezed[c] && int(c) == last {
			continue
		}
		last = int(c)
		out = append(out, c)
	}
	j.write(out)
	return nil
}

// A trJob is what one tr does to each byte.
type trJob struct {
	complement, del, squeeze, truncate, translate bool

	first    [256]bool // what -d deletes
	squeezed [256]bool // what -s squeezes
	table    [256]byte // what translation makes of each byte
}

func (t *trJob) setUp(sets []string) error {
	want := 2
	if t.del != t.squeeze {
		want = 1
	}
	if len(sets) != want && (len(sets) != 2 || t.del) {
		return errUnknown
	}
	one, err := parseTrSet(sets[0], false)
	if err != nil {
		return err
	}
	a, err := one.expand(-1)
	if err != nil {
		return err
	}
	if t.complement {
		a = complement(a)
	}
	for _, c := range a {
		t.first[c] = true
	}
	if len(sets) == 1 {
		t.squeezed = t.first
		return nil
	}
	two, err := parseTrSet(sets[1], true)
	if err != nil {
		return err
	}
	return t.setUpSecond(one, a, two)
}

// setUpSecond works out what the second set is for.
func (t *trJob) setUpSecond(one trSet, a []byte, two trSet) error {
	if t.del { // -ds: the second set is what to squeeze
		b, err := two.expand(-1)
		for _, c := range b {
			t.squeezed[c] = true
		}
		return err
	}
	t.translate = true
	if two.classes() && (t.complement || !one.pairs(two)) {
		return errUnknown
	}
	b, err := two.expand(len(a))
	if err != nil {
		return err
	}
	switch {
	case t.truncate:
		a = a[:min(len(a), len(b))]
	case len(b) == 0, len(b) < len(a) && two.endsInClass():
		return errUnknown
	}
	if t.complement && one.classes() && (t.truncate || !constant(b)) {
		return errUnknown // refused by tr
	}
	for i := range t.table {
		t.table[i] = byte(i)
	}
	for i, c := range a {
		t.table[c] = b[min(i, len(b)-1)]
	}
	for _, c := range b {
		t.squeezed[c] = true
	}
	return nil
}

func constant(b []byte) bool {
	return !slices.ContainsFunc(b, func(c byte) bool { return c != b[0] })
}

// complement lists the bytes that are not in set, in order.
func complement(set []byte) []byte {
	var in [256]bool
	for _, c := range set {
		in[c] = true
	}
	out := make([]byte, 0, 256)
	for c := range 256 {
		if !in[c] {
			out = append(out, byte(c))
		}
	}
	return out
}

// rotates reports whether the translation is a letter substitution such as
// rot13: many letters become other letters, not merely another case.
func (t *trJob) rotates() bool {
	if !t.translate {
		return false
	}
	n := 0
	for c := range 128 {
		from, to := byte(c), t.table[c]
		if isAlpha(from) && isAlpha(to) && toLower(from) != toLower(to) {
			n++
		}
	}
	return n >= 13
}
