package pure

import (
	"cmp"
	"math/big"
	"strings"
)

// runTest is test and [ with up to four arguments, whose meaning POSIX fixes
// by their number. Of the file tests -d, -e, -f and -s are answered, through
// the callbacks.
func runTest(j *job, args []string) error {
	if j.name == "[" {
		if len(args) == 0 || args[len(args)-1] != "]" {
			return errUnknown
		}
		args = args[:len(args)-1]
	}
	yes, err := j.test(args)
	if err != nil {
		return err
	}
	if !yes {
		j.status = 1
	}
	return nil
}

func (j *job) test(a []string) (bool, error) {
	switch len(a) {
	case 0:
		return false, nil
	case 1:
		return a[0] != "", nil
	case 2:
		if a[0] == "!" {
			return a[1] == "", nil
		}
		return j.testUnary(a[0], a[1])
	case 3:
		if isTestBinary(a[1]) {
			return j.testBinary(a[0], a[1], a[2])
		}
		if a[0] == "!" {
			yes, err := j.test(a[1:])
			return !yes, err
		}
	case 4:
		if a[0] == "!" {
			yes, err := j.test(a[1:])
			return !yes, err
		}
	}
	return false, errUnknown
}

func (j *job) testUnary(op, a string) (bool, error) {
	switch op {
	case "-n":
		return a != "", nil
	case "-z":
		return a == "", nil
	case "-e", "-d", "-f", "-s":
		return j.testFile(op, a)
	}
	return false, errUnknown
}

func (j *job) testFile(op, name string) (bool, error) {
	if name == "" {
		return false, nil
	}
	p, ok := j.abs(name)
	if !ok || j.in.Exists == nil {
		return false, errUnknown
	}
	isDir, exists := j.in.Exists(p)
	switch {
	case strings.HasSuffix(name, "/") && exists && !isDir:
		return false, errUnknown
	case !exists || op == "-e":
		return exists, nil
	case op == "-d":
		return isDir, nil
	case isDir:
		if op == "-f" {
			return false, nil
		}
		return false, errUnknown
	}
	b, err := j.readPath(name) // what can be read is a regular file
	if err != nil {
		return false, err
	}
	return op == "-f" || len(b) > 0, nil
}

func isTestBinary(op string) bool {
	switch op {
	case "=", "==", "!=", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef", "-a", "-o", "=~":
		return true
	}
	return false
}

func (j *job) testBinary(a, op, b string) (bool, error) {
	if op == "-a" || op == "-o" {
		for _, s := range []string{a, b} { // -a may be read as an operator between tests
			if s != "" && strings.IndexByte("-!()", s[0]) >= 0 {
				return false, errUnknown
			}
		}
	}
	switch op {
	case "=":
		return a == b, nil
	case "==":
		if j.interp() && j.shell() == "dash" {
			return false, errUnknown // unexpected operator
		}
		return a == b, nil
	case "!=":
		return a != b, nil
	case "-a":
		return a != "" && b != "", nil
	case "-o":
		return a != "" || b != "", nil
	case "-eq", "-ne", "-lt", "-le", "-gt", "-ge":
		x, ok1 := testInteger(a)
		y, ok2 := testInteger(b)
		if !ok1 || !ok2 {
			return false, errUnknown
		}
		return compareBy(op, x.Cmp(y)), nil
	}
	return false, errUnknown
}

// testInteger reads a decimal that fits every implementation.
func testInteger(s string) (*big.Int, bool) {
	t := strings.TrimPrefix(s, "-")
	if t == "" || len(t) > 18 || strings.Trim(t, "0123456789") != "" {
		return nil, false
	}
	return new(big.Int).SetString(s, 10)
}

// compareBy turns the result of a comparison into that of test's operator.
func compareBy(op string, c int) bool {
	switch op {
	case "-eq", "=", "==":
		return c == 0
	case "-ne", "!=":
		return c != 0
	case "-lt", "<":
		return c < 0
	case "-le", "<=":
		return c <= 0
	case "-gt", ">":
		return c > 0
	}
	return cmp.Compare(c, 0) >= 0
}
