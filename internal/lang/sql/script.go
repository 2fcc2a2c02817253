package sql

import "strings"

// Bounds on hostile text: bytes that are read, strings inside strings, and
// statements inside one statement.
const (
	MaxText  = 256 << 10
	maxDepth = 4
	maxInner = 64
	maxAgain = 4 // how often a text's length is read once more in strings
)

// Options say how a text is to be read.
type Options struct {
	Dialect Dialect
	// Hole is the mark that the caller has put where the text is not known: an
	// identifier, or the beginning of one.
	Hole string
	// Command recognises what belongs to the client, not to the database. It is
	// asked outside quotes and comments, at the first byte of a line that is not
	// blank and at every backslash, and says how many bytes of rest are the
	// command, and whether the statement that has begun ends there.
	Command func(rest string, at Place) (n int, ends bool)
}

// A Place is where a client's command may stand.
type Place struct {
	Line  bool // it is the first on its line
	Fresh bool // no statement has begun
}

// A Span is a part of the text.
type Span struct{ Start, End int }

// A Script is a text as one dialect has it.
type Script struct {
	Dialect    Dialect
	Statements []Statement
	Commands   []Span // of the client
	Open       bool   // the text ends inside quotes or a comment
	Cut        bool   // the text was too long to be read whole
}

// Read returns what a text says, once for every dialect that it may be in. In
// one in which it would end inside quotes or a comment it is not, if there is
// another.
func Read(text string, o Options) []Script {
	var all, open []Script
	for _, d := range o.Dialect.each() {
		one := o
		one.Dialect = d
		left := maxAgain * min(len(text), MaxText)
		if s := readDialect(text, one, 0, &left); s.Open {
			open = append(open, s)
		} else {
			all = append(all, s)
		}
	}
	if len(all) == 0 {
		return open
	}
	return all
}

// readDialect reads a text in the dialect of the options. left is how many
// bytes of strings may still be read in it.
func readDialect(text string, o Options, depth int, left *int) Script {
	s := Script{Dialect: o.Dialect}
	if len(text) > MaxText {
		s.Cut, text = true, text[:MaxText]
	}
	p := splitter{lexer: lexer{text: text, rules: o.Dialect.rules(), hole: o.Hole}, command: o.Command, fresh: true}
	p.run()
	s.Commands, s.Open = p.commands, p.open
	r := reader{options: o, depth: depth, left: left}
	for _, t := range p.all {
		for _, t := range r.apart(t) {
			s.Statements = append(s.Statements, r.statement(t))
		}
	}
	return s
}

// A splitter cuts a text into the tokens of its statements.
type splitter struct {
	lexer
	command  func(string, Place) (int, bool)
	commands []Span
	all      [][]Token
	now      []Token
	line     bool // nothing stands before on the line
	fresh    bool // no statement has begun
	body     routine
}

// run cuts the whole text.
func (p *splitter) run() {
	p.line = true
	for i := 0; i < len(p.text); {
		c := p.text[i]
		if c == '\n' {
			p.line = true
		}
		if blank := c == ' ' || c >= '\t' && c <= '\r'; blank {
			i++
			continue
		}
		if n := p.client(i); n > 0 {
			i += n
			continue
		}
		if p.ends != "" && strings.HasPrefix(p.text[i:], p.ends) {
			p.end(true)
			i += len(p.ends)
			continue
		}
		t, next := p.next(i)
		if t.Kind != 0 {
			p.take(t)
		}
		i = next
	}
	p.end(true)
}

// client reads what is not SQL at i: a line that ends a batch, mysql's command
// DELIMITER, and what the caller knows of. It returns its bytes.
func (p *splitter) client(i int) int {
	rest := p.text[i:]
	if p.line && p.rules.batches {
		if line, _, _ := strings.Cut(rest, "\n"); endsBatch(line) {
			p.end(true)
			return len(line)
		}
	}
	if p.line && p.fresh && p.rules.delimiter {
		if line, _, _ := strings.Cut(rest, "\n"); p.delimiter(line) {
			return len(line)
		}
	}
	if p.command == nil || !p.line && rest[0] != '\\' {
		return 0
	}
	n, ends := p.command(rest, Place{Line: p.line, Fresh: p.fresh})
	if n <= 0 {
		return 0
	}
	n = min(n, len(rest))
	p.commands = append(p.commands, Span{i, i + n})
	p.line = false
	if ends {
		p.end(true)
	}
	return n
}

// endsBatch recognises a line GO, with or without a count.
func endsBatch(line string) bool {
	if len(line) < 2 || !strings.EqualFold(line[:2], "go") {
		return false
	}
	return strings.Trim(line[2:], " \t\r;0123456789") == ""
}

// delimiter reads mysql's command of that name.
func (p *splitter) delimiter(line string) bool {
	const word = "delimiter"
	if len(line) <= len(word) || !strings.EqualFold(line[:len(word)], word) || line[len(word)] != ' ' && line[len(word)] != '\t' {
		return false
	}
	fields := strings.Fields(line[len(word):])
	if len(fields) == 0 {
		return true
	}
	if p.ends = strings.Trim(fields[0], `'"`); p.ends == ";" {
		p.ends = ""
	}
	return true
}

// take adds a token to the statement, or ends it.
func (p *splitter) take(t Token) {
	p.line = false
	if t.sign(';') {
		p.end(false)
		return
	}
	p.body.see(p.now, t)
	p.now = append(p.now, t)
	p.fresh = false
}

// end ends a statement: at a semicolon, which may stand in the body of a
// routine, or for good. A body that never ends was none, and its statements
// are told.
func (p *splitter) end(surely bool) {
	if !surely && p.body.open(p.rules) {
		p.body.marks = append(p.body.marks, len(p.now))
		return
	}
	from := 0
	if p.body.depth > 0 {
		for _, m := range p.body.marks {
			p.statement(p.now[from:m])
			from = m
		}
	}
	p.statement(p.now[from:])
	p.now, p.fresh, p.body = nil, true, routine{}
}

func (p *splitter) statement(t []Token) {
	if len(t) > 0 {
		p.all = append(p.all, t)
	}
}

// A routine follows the body of a routine or trigger that is only stored:
// semicolons in it end no statement.
type routine struct {
	creates, began bool
	named          int   // the place of the word that says what is created
	depth          int   // of BEGIN and CASE
	marks          []int // where semicolons stood
}

// see takes note of the next token of a statement.
func (b *routine) see(before []Token, t Token) {
	if len(before) == 0 {
		b.creates = t.Is("CREATE", "ALTER")
	}
	if !b.creates || t.Kind != Word {
		return
	}
	ended := len(before) > 0 && before[len(before)-1].Is("END")
	switch {
	case b.named == 0 && t.Is("TABLE", "VIEW", "INDEX", "DATABASE", "SCHEMA", "USER", "ROLE"):
		b.creates = false
	case b.named == 0:
		if t.Is("TRIGGER", "PROCEDURE", "PROC", "FUNCTION", "EVENT", "PACKAGE") {
			b.named = len(before)
		}
	case t.Is("BEGIN"):
		b.began = true
		b.depth++
	case !b.began:
	case t.Is("END"):
		b.depth--
	case t.Is("CASE") && !ended:
		b.depth++
	case ended && t.Is("IF", "LOOP", "WHILE", "REPEAT", "FOR"): // it was not BEGIN's
		b.depth++
	}
}

// open reports whether a semicolon belongs to the body. In Transact-SQL the
// body is all of the batch (CREATE PROCEDURE, "Limitations"), behind CREATE
// PROCEDURE or CREATE OR ALTER PROCEDURE.
func (b *routine) open(r rules) bool {
	return b.depth > 0 || r.bare && (b.named == 1 || b.named == 3)
}
