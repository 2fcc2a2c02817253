package sqleffect

import (
	"github.com/heedsh/heed/internal/lang/sql"
	"github.com/heedsh/heed/risk"
)

// Functions and procedures that leave the database or change it, whatever the
// statement that calls them: PostgreSQL 17, 9.27, 33.3 and 33.4; MySQL 8.4,
// LOAD_FILE, and lib_mysqludf_sys; SQL Server, xp_cmdshell and OPENROWSET;
// sqlite.org/cli.html, 11; DuckDB, "Data Import". SELECT calls them, too.
const (
	readingCalls = `pg_read_file pg_read_binary_file pg_ls_dir lo_import load_file readfile fsdir lsdir read_csv read_csv_auto read_text read_blob read_parquet
read_json read_json_auto read_json_objects read_json_objects_auto read_ndjson read_ndjson_auto read_ndjson_objects read_xlsx parquet_scan parquet_metadata parquet_schema
parquet_kv_metadata parquet_file_metadata sniff_csv sqlite_scan iceberg_scan delta_scan openrowset`
	writingCalls  = `writefile lo_export pg_file_write`
	runningCalls  = `sys_exec sys_eval sys_bineval xp_cmdshell`
	escapingCalls = `edit shell_exec` // of the client itself
	loadingCalls  = `load_extension`
	losingCalls   = `dropuser lo_unlink pg_drop_replication_slot`
	changingCalls = `setval pg_terminate_backend pg_cancel_backend pg_reload_conf pg_rotate_logfile pg_promote pg_switch_wal lo_create lo_from_bytea lo_put
pg_file_unlink pg_file_rename`
)

// call notes what a call does.
func (o *Outcome) call(t Text, c sql.Call) {
	piece := func(i int) (found, bool) {
		if i < 0 || i >= len(c.Args) {
			return found{}, false
		}
		return found{text: t.Value(c.Args[i].Text)}, true
	}
	first, given := piece(0)
	switch {
	case oneOf(losingCalls, c.Name):
		o.worse(risk.DBDestroy, risk.KindDataIsLost, "")
	case oneOf(changingCalls, c.Name):
		o.worse(risk.DBChange, risk.NoKind, "")
	case oneOf(escapingCalls, c.Name):
		if command, ok := piece(len(c.Args) - 1); ok { // edit(text, command)
			command.client = true
			o.note(&o.commands, command)
		}
	case !given:
	case c.Name == "fsdir" || c.Name == "lsdir": // all files below, with what is in them
		o.note(&o.reads, first)
		o.opaque = true
	case oneOf(readingCalls, c.Name):
		o.note(&o.reads, first)
		for i := 1; c.List && i < len(c.Args); i++ {
			more, _ := piece(i)
			o.note(&o.reads, more)
		}
		o.opaque = o.opaque || c.List && len(c.Args) == sql.MaxArgs
	case oneOf(writingCalls, c.Name):
		o.note(&o.writes, first)
	case oneOf(runningCalls, c.Name):
		o.note(&o.commands, first)
	case oneOf(loadingCalls, c.Name):
		o.note(&o.libraries, first)
	}
}
