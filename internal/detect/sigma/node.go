package sigma

import (
	"net/netip"
	"regexp"
)

// nodeOp is an operator of a compiled rule.
type nodeOp uint8

const (
	opLeaf    nodeOp = iota
	opAnd            // all kids
	opOr             // one kid
	opNot            // not the only kid
	opAtLeast        // count kids
)

// node is a compiled rule as a tree.
type node struct {
	op    nodeOp
	count int
	kids  []*node
	leaf  *leaf
}

// test is a comparison of a field with values.
type test uint8

const (
	testEqual    test = iota // with one of the texts
	testPrefix               // begins with one of the texts
	testSuffix               // ends with one of the texts
	testContains             // contains one of the texts
	testGlob
	testRegexp
	testCIDR
	testNumber // compared with number
	testTime   // a part of a timestamp compared with number
	testRef    // with another field; place says how
	testNull   // the field is missing
	testExists // the field is there
	testEnd
)

// anyField is the field of keywords: the value of any field.
const anyField = -1

// compare is an order of numbers.
type compare uint8

const (
	cmpEqual compare = iota
	cmpLess
	cmpLessEqual
	cmpGreater
	cmpGreaterEqual
	cmpNotEqual
	cmpEnd
)

// holds compares a with b.
func (c compare) holds(a, b float64) bool {
	switch c {
	case cmpEqual:
		return a == b
	case cmpLess:
		return a < b
	case cmpLessEqual:
		return a <= b
	case cmpGreater:
		return a > b
	case cmpGreaterEqual:
		return a >= b
	}
	return a != b
}

// leaf is one comparison. Which members count depends on the test.
type leaf struct {
	test  test
	cased bool
	name  string // of the field, until it has a number
	field int32  // number of the field in the set, or anyField
	texts []string
	glob  *glob
	expr  string // of testRegexp, with its flags
	re    *regexp.Regexp
	net   netip.Prefix
	cmp   compare
	num   float64
	part  timePart
	ref   string // name of the other field, until it has a number
	other int32
	place test // of testRef: testEqual, testPrefix, testSuffix, testContains
}

// cost orders the operands of and and or: cheap ones first.
func (n *node) cost() int {
	if n.op == opLeaf {
		switch n.leaf.test {
		case testNull, testExists:
			return 1
		case testEqual, testPrefix, testSuffix:
			return 1 + len(n.leaf.texts)
		case testContains:
			return 4 + 6*len(n.leaf.texts)
		case testGlob:
			return 30
		case testRegexp:
			return 200
		}
		return 20
	}
	sum := 1
	for _, k := range n.kids {
		sum += k.cost()
	}
	return sum
}
