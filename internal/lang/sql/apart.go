package sql

// Where the semicolon is optional, as in Transact-SQL and in blocks, a
// statement ends where the next one begins: its first word is reserved and
// stands where an operand is complete.

// starters begin a statement.
var starters = [...]string{
	"INSERT", "UPDATE", "DELETE", "DROP", "TRUNCATE", "ALTER", "CREATE", "EXEC", "EXECUTE", "GRANT", "REVOKE", "MERGE", "BACKUP", "RESTORE", "DECLARE", "PRINT", "USE",
	"IF", "WHILE", "BEGIN",
}

// apart cuts tokens into statements where no semicolon is needed between them.
func (r *reader) apart(t []Token) [][]Token {
	if !r.options.Dialect.rules().bare {
		return [][]Token{t}
	}
	var all [][]Token
	for len(t) > 0 {
		n := boundary(t)
		all = append(all, t[:n])
		t = t[n:]
	}
	return all
}

// boundary returns where the statement that t begins with ends. The words of
// the others may stand in them.
func boundary(t []Token) int {
	first := t[0]
	if !first.Is("SELECT", "INSERT", "UPDATE", "DELETE", "DROP", "TRUNCATE", "EXEC", "EXECUTE", "USE", "PRINT", "SET", "DECLARE", "BACKUP", "RESTORE") {
		return len(t)
	}
	depth := 0
	for i := 1; i < len(t); i++ {
		switch {
		case t[i].sign('('):
			depth++
		case t[i].sign(')'):
			depth--
		case depth <= 0 && begins(first, t, i):
			return i
		}
	}
	return len(t)
}

// begins reports whether a statement begins at i, behind one that begins with
// first.
func begins(first Token, t []Token, i int) bool {
	if t[i].Kind != Word || !complete(t[i-1]) && !(first.Is("SET") && t[i-1].Is("ON")) {
		return false
	}
	switch {
	case t[i].Is("IF") && at(t, i+1).Is("EXISTS") && !at(t, i+2).sign('('): // DROP TABLE IF EXISTS
		return false
	case t[i].Is("SELECT"):
		return first.Is("DELETE", "UPDATE", "TRUNCATE", "DROP", "USE", "PRINT", "SET", "EXEC", "EXECUTE")
	case t[i].Is("SET"):
		return first.Is("SELECT", "DELETE", "TRUNCATE", "DROP", "USE", "PRINT", "EXEC", "EXECUTE")
	case t[i].Is("EXEC", "EXECUTE") && first.Is("INSERT"):
		return false
	}
	return t[i].Is(starters[:]...)
}

// complete reports whether something may begin behind a token: it ends an
// operand, and is no word that asks for another.
func complete(t Token) bool {
	switch t.Kind {
	case Word:
		return !t.Is("SELECT", "AS", "FOR", "ON", "OR", "AND", "NOT", "DO", "KEY", "OF", "BY", "FROM", "INTO", "IN", "WHERE", "SET", "BEFORE", "AFTER", "THEN", "DISTINCT", "ALL", "UNION", "JOIN", "LIKE", "IS", "BETWEEN")
	case Sign:
		return t.sign(')') || t.sign('*')
	}
	return true
}
