package pure

import "bytes"

// runCmp is cmp(1) of two files that are the same, or with -s (GNU diffutils 3.10,
// "Invoking cmp").
func runCmp(j *job, args []string) error {
	p, err := grammar{short: "s", long: []string{"s|quiet", "s|silent"}}.getopt(args)
	if err != nil {
		return errUnknown
	}
	return compare(j, p.operands, p.has("s") || j.in.Ending)
}

// runDiff is diff(1) of two files that are the same (GNU diffutils 3.10, "Invoking diff").
// What it says of others is not computed.
func runDiff(j *job, args []string) error {
	p, err := grammar{short: "qu", long: []string{"q|brief"}}.getopt(args)
	if err != nil {
		return errUnknown
	}
	return compare(j, p.operands, j.in.Ending)
}

// compare compares two files; how they differ is said unless it is silent.
func compare(j *job, files []string, silent bool) error {
	if len(files) != 2 {
		return errUnknown
	}
	a, err := j.readOperand(files[0])
	if err != nil {
		return err
	}
	b, err := j.readOperand(files[1])
	if err != nil {
		return err
	}
	j.answer = Same
	if !bytes.Equal(a, b) {
		if !silent {
			return errUnknown
		}
		j.status, j.answer = 1, Different
	}
	return nil
}
