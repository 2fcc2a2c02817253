package just

// A File is a justfile as it is written.
type File struct {
	Text  string
	Items []Item
}

// An Item is an item of a justfile.
type Item interface {
	Pos() int // the offset of its first byte
}

// A Setting is `set NAME := VALUE` (manual, "Settings").
type Setting struct {
	At    int
	Name  string
	Value Expr   // nil for a list, true or false
	List  []Expr // ["bash", "-c"]
	On    bool   // of a setting that is on or off
}

// An Alias is another name of a recipe (manual, "Aliases").
type Alias struct {
	At         int
	Name       string
	Target     string
	Attributes []Attribute
}

// An Import reads another justfile in place (manual, "Imports").
type Import struct {
	At       int
	Path     Expr
	Optional bool
}

// A Module makes recipes of another justfile callable (manual, "Modules").
type Module struct {
	At       int
	Name     string
	Path     Expr // nil: by its name
	Optional bool
}

// An Assignment is `NAME := EXPRESSION` (manual, "Variables and
// Substitution").
type Assignment struct {
	At     int
	Name   string
	Value  Expr
	Export bool
}

// An Unexport keeps a variable from what recipes run.
type Unexport struct {
	At   int
	Name string
}

// An Unknown is a line that is none of the others.
type Unknown struct{ At int }

// A Recipe is a recipe with its body.
type Recipe struct {
	At         int
	Name       string
	Quiet      bool // @NAME
	Attributes []Attribute
	Params     []Param
	Deps       []Dependency // before it
	After      []Dependency // behind &&
	Body       []Line       // up to its last line that is not empty
	Broken     bool         // its first line cannot be read as a whole
}

// An Attribute stands in brackets before an item (manual, "Attributes").
type Attribute struct {
	At   int
	Name string
	Args []Expr
}

// A Param is a parameter of a recipe (manual, "Recipe Parameters").
type Param struct {
	At       int
	Name     string
	Export   bool // $NAME
	Variadic byte // '+': one or more words, '*': any number; 0: one
	Default  Expr // nil if there is none
}

// A Dependency is a recipe that another one runs (manual, "Dependencies").
type Dependency struct {
	At   int
	Name string
	Args []Expr
}

// A Line is one line of a recipe's body, without the indentation that all of
// them have (manual, "Indentation").
type Line struct {
	At    int
	Parts []Fragment
}

// A Fragment is a [Text] or an [Interpolation].
type Fragment interface {
	Span() (at, end int) // the bytes that it is written with
}

// A Text is text of a recipe that stands for itself.
type Text struct {
	At   int
	Text string
}

// An Interpolation is {{ EXPRESSION }}.
type Interpolation struct {
	At, End int
	Value   Expr
}

// An Expr is an expression (manual, "Expressions and Substitutions").
type Expr interface {
	Span() (at, end int) // the bytes that it is written with
}

// A String is a text: 'as it is', "with escapes", and either in three quotes,
// without the indentation that all of its lines have (manual, "Strings").
type String struct {
	At, End int
	Value   string
	Expand  bool // x'…': with variables of the environment in it
	Format  bool // f'…': with interpolations in it
}

// A Name is a variable or a parameter.
type Name struct {
	At, End int
	Name    string
}

// A Call is a function with its arguments (manual, "Functions").
type Call struct {
	At, End int
	Name    string
	Args    []Expr
}

// A Backtick is a command whose output it stands for (manual, "Command
// Evaluation Using Backticks").
type Backtick struct {
	At, End int
	Command string
	TextAt  int // where the command stands, if it stands there as it is
}

// A Chain is expressions joined by + or /, which puts a slash between them.
type Chain struct {
	At, End int
	Root    bool // it begins with a slash
	Parts   []Expr
	Ops     []byte // between them
}

// A Choice is `if A OP B { THEN } else { ELSE }` (manual, "Conditional
// Expressions").
type Choice struct {
	At, End    int
	Op         string // == != =~ !~
	A, B       Expr
	Then, Else Expr
}

// An Assert is `assert(A OP B, MESSAGE)`: just stops if it does not hold.
type Assert struct {
	At, End int
	Op      string
	A, B    Expr
	Message Expr
}

// A Logic is `A && B` or `A || B`: empty texts are false.
type Logic struct {
	At, End int
	Parts   []Expr
	Ops     []string // between them
}

// Bad is what cannot be read.
type Bad struct{ At, End int }

// Pos implements [Item].
func (n *Setting) Pos() int { return n.At }

// Pos implements [Item].
func (n *Alias) Pos() int { return n.At }

// Pos implements [Item].
func (n *Import) Pos() int { return n.At }

// Pos implements [Item].
func (n *Module) Pos() int { return n.At }

// Pos implements [Item].
func (n *Assignment) Pos() int { return n.At }

// Pos implements [Item].
func (n *Unexport) Pos() int { return n.At }

// Pos implements [Item].
func (n *Unknown) Pos() int { return n.At }

// Pos implements [Item].
func (n *Recipe) Pos() int { return n.At }

// Span implements [Fragment].
func (x *Text) Span() (at, end int) { return x.At, x.At + len(x.Text) }

// Span implements [Fragment].
func (x *Interpolation) Span() (at, end int) { return x.At, x.End }

// Span implements [Expr].
func (x *String) Span() (at, end int) { return x.At, x.End }

// Span implements [Expr].
func (x *Name) Span() (at, end int) { return x.At, x.End }

// Span implements [Expr].
func (x *Call) Span() (at, end int) { return x.At, x.End }

// Span implements [Expr].
func (x *Backtick) Span() (at, end int) { return x.At, x.End }

// Span implements [Expr].
func (x *Chain) Span() (at, end int) { return x.At, x.End }

// Span implements [Expr].
func (x *Choice) Span() (at, end int) { return x.At, x.End }

// Span implements [Expr].
func (x *Assert) Span() (at, end int) { return x.At, x.End }

// Span implements [Expr].
func (x *Logic) Span() (at, end int) { return x.At, x.End }

// Span implements [Expr].
func (x *Bad) Span() (at, end int) { return x.At, x.End }
