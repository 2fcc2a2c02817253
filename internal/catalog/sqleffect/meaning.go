package sqleffect

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/lang/sql"
	"github.com/heedsh/heed/risk"
)

// does says what a statement by itself does to the data.
func does(s *sql.Statement) (risk.Verb, risk.Kind) {
	switch s.Kind {
	case sql.Query:
		if s.Into {
			return risk.DBChange, risk.NoKind
		}
		return risk.DBRead, risk.NoKind
	case sql.Show, sql.Explain, sql.Unload, sql.Attach:
		return risk.DBRead, risk.NoKind
	case sql.Pragma:
		if pragmaChanges(s.Setting) {
			return risk.DBChange, risk.NoKind
		}
		return risk.DBRead, risk.NoKind
	case sql.Set:
		if setsServer(s) {
			return risk.DBChange, risk.NoKind
		}
		return "", risk.NoKind
	case sql.Session, sql.Block, sql.Detach:
		if len(s.Tokens) > 0 && s.Tokens[0].Is("LOCK") { // others wait
			return risk.DBChange, risk.NoKind
		}
		return "", risk.NoKind
	case sql.Drop:
		if !s.Temporary {
			return risk.DBDestroy, drops(s.What)
		}
	case sql.Truncate:
		return risk.DBDestroy, risk.KindSQLTruncate
	case sql.Restore:
		return risk.DBDestroy, risk.KindDataIsLost
	case sql.Delete:
		if s.Rows != sql.SomeRows {
			return risk.DBDestroy, risk.KindSQLDeleteAll
		}
	case sql.Update:
		if s.Rows != sql.SomeRows {
			return risk.DBDestroy, risk.KindSQLUpdateAll
		}
	case sql.Alter:
		if slices.ContainsFunc(s.Drops, losesData) {
			return risk.DBDestroy, risk.KindSQLAlterDrop
		}
	}
	return risk.DBChange, risk.NoKind
}

// drops is the kind of a DROP of some kind of object.
func drops(what string) risk.Kind {
	switch what {
	case "TABLE":
		return risk.KindSQLDropTable
	case "DATABASE":
		return risk.KindSQLDropDatabase
	case "OWNED":
		return risk.KindSQLDropOwned
	}
	return risk.KindSQLDrop
}

// setsServer reports whether SET is for more than the connection (MySQL 8.4,
// SET, SET PASSWORD).
func setsServer(s *sql.Statement) bool {
	if s.Has("GLOBAL", "PERSIST", "PERSIST_ONLY", "PASSWORD") {
		return true
	}
	return slices.ContainsFunc(s.Tokens, func(t sql.Token) bool {
		return t.Kind == sql.Param && (strings.EqualFold(t.Text, "@@global") || strings.EqualFold(t.Text, "@@persist") || strings.EqualFold(t.Text, "@@persist_only"))
	})
}

// losesData reports whether data goes with what an ALTER drops: not with rules
// about it.
func losesData(what string) bool {
	return !oneOf("CONSTRAINT DEFAULT NOT INDEX KEY FOREIGN PRIMARY CHECK IDENTITY EXPRESSION ATTRIBUTE MEMBER", what)
}

// gives says which rights a statement gives that are more than reading or
// writing named tables, which every application's set-up gives.
func gives(r *sql.Rights) risk.Kind {
	has := func(list string, all []string) bool {
		return slices.ContainsFunc(all, func(w string) bool { return oneOf(list, w) })
	}
	switch {
	case r.Option:
		return risk.KindTheRightToGrant
	case r.All:
		return risk.KindAllRights
	case r.Roles, r.Member:
		return risk.KindRole
	case has("SUPER SYSTEM_USER SUPERUSER DBA SYSDBA IMPERSONATE CONTROL OWNERSHIP", r.Privileges),
		has("SUPERUSER CREATEROLE BYPASSRLS CREATEUSER CREATELOGIN ACCOUNTADMIN", r.Attributes):
		return risk.KindAdministratorOfTheDatabase
	}
	return risk.NoKind
}
