package sqleffect

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/lang/sql"
	"github.com/heedsh/heed/internal/value"
)

// System tables and views that hold passwords, their hashes, or connection strings with
// passwords: PostgreSQL 17, chapters 52 and 53; MySQL 8.4, 8.2.3 and 19.2.4.2; MariaDB,
// mysql.global_priv; SQL Server, sys.sql_logins and its kin; Oracle 23, USER$, LINK$;
// ClickHouse, system.users; Cassandra, system_auth.roles; CockroachDB, system.users.
const (
	credentialTables = `pg_shadow pg_authid pg_user_mapping pg_user_mappings pg_subscription global_priv slave_master_info sql_logins syslogins sysxlogins
user$ link$ linked_logins sysusers pgsodium_keys decrypted_secrets`
	// Those whose names are ordinary are such only in their schema.
	credentialPaths = `mysql.user mysql.servers system.users system_auth.roles system_auth.credentials sys.user$ auth.users`
)

// innocentColumns are those of such tables that hold none, and what stands between names.
const innocentColumns = `oid usename usesysid usecreatedb usesuper userepl usebypassrls valuntil rolname rolsuper rolinherit rolcreaterole rolcreatedb rolcanlogin rolreplication
rolconnlimit rolvaliduntil rolbypassrls umid srvid srvname umuser subname subenabled subowner subdbid subpublications user host plugin account_locked
password_expired password_last_changed password_lifetime max_connections max_user_connections max_updates super_priv select_priv insert_priv update_priv
delete_priv create_priv drop_priv grant_priv file_priv process_priv reload_priv shutdown_priv name type type_desc is_disabled create_date modify_date
default_database_name principal_id role is_superuser can_login id email created_at updated_at last_sign_in_at confirmed_at email_confirmed_at role aud
server_name db username distinct all as count concat upper lower max min coalesce case when then else end and or not is null`

// showsCredentials reports whether a statement takes from a system table of the server
// what may be somebody's password: every column that is not known to hold none. Tables
// that are written without a schema are looked for in one, in "*" any.
func showsCredentials(s *sql.Statement, schema string) bool {
	switch s.Kind {
	case sql.Query, sql.Insert, sql.Create, sql.Copy, sql.Unload, sql.Merge:
	case sql.Show: // MySQL 8.4, 15.7.7.13
		return len(s.Tokens) > 2 && s.Tokens[1].Is("CREATE") && s.Tokens[2].Is("USER")
	default:
		return false
	}
	if !slices.ContainsFunc(s.Tokens, func(t sql.Token) bool { return (t.Kind == sql.Word || t.Kind == sql.Name) && !t.Hole }) {
		return false
	}
	first := slices.IndexFunc(s.Tokens, func(t sql.Token) bool { return t.Is("FROM") })
	for i := range s.Tokens {
		if holdsCredentials(s.Tokens, i, schema) && (first < 0 || i < first || !innocent(s.Tokens[:first])) {
			return true
		}
	}
	return false
}

// maxBare bounds the names that are kept.
const maxBare = 32

// bareNames are the names in a statement that are those of tables with credentials in
// some schema.
func bareNames(s *sql.Statement) (names []string) {
	for i := range s.Tokens {
		if holdsCredentials(s.Tokens, i, "*") {
			names = append(names, strings.ToLower(s.Tokens[i].Text))
		}
	}
	return names
}

// looksIn are the schemas that a statement says to look for tables in: USE of MySQL,
// SET search_path of PostgreSQL, SET SCHEMA and ALTER SESSION SET CURRENT_SCHEMA.
func looksIn(s *sql.Statement) (names []string) {
	t := s.Tokens
	if len(t) == 0 || !t[0].Is("USE") && !t[0].Is("SET") && !t[0].Is("ALTER") {
		return nil
	}
	for _, token := range t[1:] {
		if token.Kind == sql.Word || token.Kind == sql.Name || token.Kind == sql.String {
			names = append(names, strings.ToLower(token.Text))
		}
	}
	return names
}

// within reports whether a table that is named without its schema is one with credentials
// where it is looked for: in the database of a name, or where the statements say.
func (o *Outcome) within(database value.Value) bool {
	for _, table := range o.bare {
		name, _, _ := strings.Cut(strings.ToLower(database.Prefix()), " ")
		for _, schema := range append([]string{name}, o.schemas...) {
			if schema != "" && oneOf(credentialPaths, schema+"."+table) {
				return true
			}
		}
	}
	return false
}

// holdsCredentials reports whether the name at i is that of a table with credentials.
func holdsCredentials(t []sql.Token, i int, schema string) bool {
	name := func(i int) string {
		if i < 0 || t[i].Kind != sql.Word && t[i].Kind != sql.Name {
			return ""
		}
		return strings.ToLower(t[i].Text)
	}
	table := name(i)
	if table == "" || i+1 < len(t) && t[i+1].Kind == sql.Sign && (t[i+1].Text == "." || t[i+1].Text == "(") {
		return false
	}
	if oneOf(credentialTables, table) {
		return true
	}
	if schema == "*" && (i == 0 || t[i-1].Text != ".") {
		return slices.ContainsFunc(strings.Fields(credentialPaths), func(known string) bool { return strings.HasSuffix(known, "."+table) })
	}
	return i > 1 && t[i-1].Kind == sql.Sign && t[i-1].Text == "." && oneOf(credentialPaths, name(i-2)+"."+table)
}

// innocent reports whether what stands before FROM are columns that hold no credentials.
func innocent(t []sql.Token) bool {
	for i := range t {
		switch {
		case t[i].Is("SELECT"), t[i].Kind == sql.String, t[i].Kind == sql.Number:
		case t[i].Hole:
			return false
		case t[i].Kind == sql.Sign:
			counts := i > 0 && t[i].Text == "*" && t[i-1].Kind == sql.Sign && t[i-1].Text == "(" // count(*)
			if t[i].Text == "*" && !counts {
				return false
			}
		case i+1 < len(t) && t[i+1].Kind == sql.Sign && t[i+1].Text == ".": // a table's name
		case i > 0 && t[i-1].Is("AS"): // what a column is called
		case !oneOf(innocentColumns, strings.ToLower(t[i].Text)):
			return false
		}
	}
	return true
}
