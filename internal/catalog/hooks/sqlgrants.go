package hooks

import (
	"strings"

	"github.com/heedsh/heed/risk"
)

// Statements that give a database account more rights (PostgreSQL 17, ALTER
// ROLE, GRANT; MySQL 8.4, "GRANT Statement"; SQL Server, ALTER SERVER ROLE;
// CockroachDB and Cassandra, CREATE ROLE; Snowflake, GRANT ROLE). A grant of
// reading or writing named tables is what every application's set-up does and
// counts as a change; grants of everything, of roles and of granting are more.

// accountRights notes the statements of a dialect that hand out rights.
func accountRights(v *sqlVerdict, t []sqlToken) {
	switch {
	case t[0].is("GRANT"):
		grantRights(v, t)
	case t[0].is("CREATE", "ALTER") && len(t) > 1 && t[1].is("ROLE", "USER", "GROUP", "LOGIN"):
		roleRights(v, t[2:])
	case t[0].is("ALTER") && len(t) > 2 && t[1].is("SERVER") && t[2].is("ROLE"):
		roleRights(v, t[3:])
	case t[0].is("EXEC", "EXECUTE", "CALL"):
		for _, word := range t[1:min(len(t), 4)] {
			if word.is("SP_ADDSRVROLEMEMBER", "SP_ADDROLEMEMBER") {
				v.grants = risk.KindRole
			}
		}
	}
}

// roleRights reads the attributes of a role, and who becomes its member.
func roleRights(v *sqlVerdict, t []sqlToken) {
	for i := range t {
		switch {
		case t[i].is("SUPERUSER", "CREATEROLE", "BYPASSRLS", "CREATEUSER", "CREATELOGIN", "ACCOUNTADMIN"):
			off := i+2 < len(t) && t[i+1].kind == '=' && t[i+2].is("FALSE")
			if !off && i > 0 {
				v.grants = risk.KindAdministratorOfTheDatabase
			}
		case t[i].is("MEMBER") && i > 0 && t[i-1].is("ADD"), t[i].is("ROLE", "GROUP") && i > 0 && t[i-1].is("IN"):
			v.grants = risk.KindRole
		}
	}
	if v.grants != risk.NoKind {
		v.grantee = grantName(t)
	}
}

// grantRights reads GRANT what [ON object] TO whom.
func grantRights(v *sqlVerdict, t []sqlToken) {
	to := sqlFind(t, "TO")
	if to < 0 {
		return
	}
	on := sqlFind(t[:to], "ON")
	what := t[1:to]
	if on > 0 {
		what = t[1:on]
	}
	switch {
	case len(what) > 0 && what[0].is("ALL"):
		v.grants = risk.KindAllRights
	case on < 0 && grantedRole(what):
		v.grants = risk.KindRole
	case sqlFind(what, "SUPER", "SYSTEM_USER", "SUPERUSER", "DBA", "SYSDBA", "IMPERSONATE", "CONTROL", "OWNERSHIP") >= 0:
		v.grants = risk.KindAdministratorOfTheDatabase
	}
	for i := to; i+1 < len(t); i++ {
		if t[i].is("GRANT", "ADMIN") && t[i+1].is("OPTION", "TRUE") {
			v.grants = risk.KindTheRightToGrant
		}
	}
	if v.grants != risk.NoKind {
		v.grantee = grantName(t[to+1:])
	}
}

// grantedRole reports whether what is granted without an object is a role:
// one name a piece. Privileges of the system are of several words.
func grantedRole(what []sqlToken) bool {
	if len(what) > 0 && what[0].is("ROLE") {
		return true
	}
	names := 0
	for _, t := range what {
		switch t.kind {
		case ',':
			names = 0
		case '@':
		default:
			if names++; names > 1 && t.kind == 'w' {
				return false
			}
		}
	}
	return len(what) > 0
}

// grantName is the account that rights go to, if it is written.
func grantName(t []sqlToken) string {
	for len(t) > 0 && t[0].is("ROLE", "USER", "GROUP", "IF", "NOT", "EXISTS") {
		t = t[1:]
	}
	if len(t) == 0 || t[0].kind != 'w' && t[0].kind != 'q' && t[0].kind != 's' || strings.Contains(t[0].text, sqlHole) {
		return ""
	}
	return t[0].text
}
