package awk

// A Kind says what a node is, and so what its Kids are.
type Kind uint8

// Expressions (gawk 5.3 manual, chapter 6).
const (
	Bad     Kind = iota // what is no operand where one is due
	Number              // Text as it is written
	String              // Text between the quotes as it is written: [Unquote] decodes it
	Regex               // Text between the slashes; Op is "@" for a typed one
	Hole                // a part that is not known
	Var                 // Text is the name
	Field               // $ operand
	Element             // Text is the array's name; subscripts. Op is "[" for an element of the array Kids[0]
	Group               // ( expression ); several stand behind print only
	Assign              // Op; what is set, value
	Cond                // condition, then, else
	Or                  // both sides
	And                 // both sides
	In                  // subscripts, then the array
	Match               // Op is ~ or !~; both sides
	Compare             // Op; both sides
	Concat              // both sides
	Binary              // Op; both sides
	Unary               // Op; operand
	Pre                 // Op is ++ or --; operand
	Post                // Op is ++ or --; operand
	Call                // Text is the function; arguments. Op is "@" for an indirect call, "bare" for length without parentheses
	Getline             // Op is "<", "|", "|&" or none; what is set or nil, the file or command or nil
)

// Statements (gawk 5.3 manual, section 7.4).
const (
	Block    Kind = iota + Getline + 1 // statements
	Simple                             // an expression as a statement
	Print                              // operands, then where they go to if Op is >, >>, | or |&
	Printf                             // as Print
	If                                 // condition, then, else or nil
	While                              // condition, body
	Do                                 // body, condition
	For                                // start, condition, step, body: nil where there is none
	ForIn                              // variable, array, body
	Switch                             // value, then the cases
	Case                               // value or nil, Block
	Next                               //
	Nextfile                           //
	Break                              //
	Continue                           //
	Exit                               // status, if one is given
	Return                             // value, if one is given
	Delete                             // an Element, or a Var that is an array
)

// Items: what a program consists of (gawk 5.3 manual, section 7.1).
const (
	Rule      Kind = iota + Delete + 1 // pattern, end of the range, Block: nil where there is none
	Begin                              // Text is BEGIN or BEGINFILE; Block
	End                                // Text is END or ENDFILE; Block
	Function                           // Text is the name; parameters, then the Block
	Directive                          // Text is include, load or namespace; the operand
)

// A Node is an expression, a statement or an item, from the byte Pos of the
// program to the byte before End. Kids are in the order that the kind tells; one
// that is missing is nil.
type Node struct {
	Kind     Kind
	Op, Text string
	Pos, End int
	ID       int // its number in the program, from 0
	Kids     []*Node
}

// A Program is what was read.
type Program struct {
	Source string
	Items  []*Node
	// Nodes is how many there are: IDs are below it.
	Nodes int
	// Err is the first part that gawk would refuse, nil if there is none.
	Err *Error
	// Odd is set where implementations read the text in different ways.
	Odd bool
	// Cut is set when not all of the text was read: it is too long, or nested
	// too deeply.
	Cut bool
}

// An Error is a part of a program that is not awk.
type Error struct {
	Pos    int
	Reason string
}

func (e *Error) Error() string { return e.Reason }

// Walk calls visit for the nodes of a tree from its root on, and does not go
// below one for which it answers false.
func Walk(n *Node, visit func(*Node) bool) {
	if n == nil || !visit(n) {
		return
	}
	for _, k := range n.Kids {
		Walk(k, visit)
	}
}

// Walk calls visit for all nodes of a program.
func (p *Program) Walk(visit func(*Node) bool) {
	for _, n := range p.Items {
		Walk(n, visit)
	}
}

// Inner is the expression without the parentheses around it.
func (n *Node) Inner() *Node {
	for n.Kind == Group && len(n.Kids) == 1 {
		n = n.Kids[0]
	}
	return n
}

// Operands are what Print and Printf print: the list in parentheses, if they
// have one.
func (n *Node) Operands() []*Node {
	list := n.Kids
	if n.Op != "" {
		list = list[:len(list)-1]
	}
	if len(list) == 1 && list[0].Kind == Group {
		return list[0].Kids
	}
	return list
}

// Dest is where Print and Printf print to, nil if that is standard output.
func (n *Node) Dest() *Node {
	if n.Op == "" {
		return nil
	}
	return n.Kids[len(n.Kids)-1]
}

// Lvalue reports whether the node can be assigned to.
func (n *Node) Lvalue() bool {
	return n.Kind == Var || n.Kind == Field || n.Kind == Element || n.Kind == Hole
}
