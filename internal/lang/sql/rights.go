package sql

import "strings"

// Rights are what a statement gives to accounts: GRANT, and statements that
// make and change accounts (PostgreSQL 17, GRANT and ALTER ROLE; MySQL 8.4,
// "GRANT Statement"; Transact-SQL, ALTER SERVER ROLE; CockroachDB, Cassandra,
// CREATE ROLE; Snowflake, GRANT ROLE).
type Rights struct {
	All        bool     // GRANT ALL
	Roles      bool     // GRANT role: what is given is the membership in roles
	Option     bool     // WITH GRANT OPTION or WITH ADMIN OPTION
	Member     bool     // an account becomes a member of a role
	Privileges []string // the words of GRANT before ON or TO, in upper case
	Attributes []string // of a role, in upper case, those that are not taken away
	To         string   // the account, if it is known
}

// granted reads GRANT what [ON object] TO whom.
func granted(t []Token) Rights {
	var r Rights
	to := find(t, "TO")
	if to < 0 {
		return r
	}
	what := t[1:to]
	on := find(what, "ON")
	if on >= 0 {
		what = what[:on]
	}
	r.All = len(what) > 0 && what[0].Is("ALL")
	r.Roles = !r.All && on < 0 && roleNames(what)
	for i := range what {
		if what[i].Kind == Word && len(r.Privileges) < maxInner {
			r.Privileges = append(r.Privileges, strings.ToUpper(what[i].Text))
		}
	}
	for i := to; i+1 < len(t); i++ {
		r.Option = r.Option || t[i].Is("GRANT", "ADMIN") && t[i+1].Is("OPTION", "TRUE")
	}
	r.To = accountName(t[to+1:])
	return r
}

// roleNames reports whether what is granted without an object is a role: one
// name a piece. Privileges of the system are of several words.
func roleNames(what []Token) bool {
	if len(what) > 0 && what[0].Is("ROLE") {
		return true
	}
	names := 0
	for i := range what {
		switch {
		case what[i].sign(','):
			names = 0
		case what[i].sign('@'), what[i].Kind == Param, i > 0 && what[i-1].sign('@'):
		default:
			if names++; names > 1 && what[i].Kind == Word {
				return false
			}
		}
	}
	return len(what) > 0
}

// account reads the attributes of a role, and who becomes its member.
func account(t []Token) Rights {
	r := Rights{To: accountName(t)}
	for i := 1; i < len(t); i++ {
		switch {
		case t[i].Kind != Word:
		case t[i].Is("MEMBER") && t[i-1].Is("ADD"), t[i].Is("ROLE", "GROUP") && t[i-1].Is("IN"):
			r.Member = true
		case at(t, i+1).sign('=') && at(t, i+2).Is("FALSE"):
		case len(r.Attributes) < maxInner:
			r.Attributes = append(r.Attributes, strings.ToUpper(t[i].Text))
		}
	}
	return r
}

// procedures reads calls of procedures that make an account a member of a
// role: SQL Server's sp_addrolemember and sp_addsrvrolemember.
func procedures(t []Token) Rights {
	if !t[0].Is("EXEC", "EXECUTE", "CALL") {
		return Rights{}
	}
	for i := 1; i < min(len(t), 8); i++ {
		if t[i].named() && (strings.EqualFold(t[i].Text, "sp_addsrvrolemember") || strings.EqualFold(t[i].Text, "sp_addrolemember")) {
			return Rights{Member: true}
		}
	}
	return Rights{}
}

// accountName is the account that rights go to, if it is written.
func accountName(t []Token) string {
	for len(t) > 0 && t[0].Is("ROLE", "USER", "GROUP", "IF", "NOT", "EXISTS") {
		t = t[1:]
	}
	if len(t) == 0 || t[0].Hole || t[0].Kind != Word && t[0].Kind != Name && t[0].Kind != String {
		return ""
	}
	return t[0].Text
}
