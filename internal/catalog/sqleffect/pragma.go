package sqleffect

import (
	"strings"

	"github.com/heedsh/heed/internal/lang/sql"
)

// What PRAGMA does (sqlite.org/pragma.html). One with a value changes the
// database unless it is listed here: as a question, whose value says what
// about, or as a setting of the connection, which ends with it. Those that work
// without a value are listed, too.

// pragmaAsks take the name of a table or a number of rows as their value.
const pragmaAsks = `table_info table_xinfo table_list index_info index_list index_xinfo foreign_key_list foreign_key_check integrity_check quick_check
database_list collation_list function_list module_list pragma_list compile_options stats data_version freelist_count page_count show storage_info`

// pragmaSession are settings of the connection.
const pragmaSession = `analysis_limit automatic_index busy_timeout cache_size cache_spill case_sensitive_like cell_size_check checkpoint_fullfsync defer_foreign_keys
empty_result_callbacks foreign_keys fullfsync hard_heap_limit ignore_check_constraints journal_size_limit legacy_alter_table locking_mode max_page_count mmap_size parser_trace query_only
read_uncommitted recursive_triggers reverse_unordered_selects secure_delete short_column_names full_column_names count_changes soft_heap_limit synchronous temp_store
threads trusted_schema vdbe_addoptrace vdbe_debug vdbe_listing vdbe_trace wal_autocheckpoint
memory_limit enable_profiling disable_profiling enable_progress_bar disable_progress_bar default_order explain_output`

// pragmaWorks change the database without a value.
const pragmaWorks = `wal_checkpoint incremental_vacuum optimize force_checkpoint`

// pragmaChanges reports whether a PRAGMA changes the database.
func pragmaChanges(s sql.Setting) bool {
	switch {
	case oneOf(pragmaAsks, s.Name):
		return false
	case oneOf(pragmaWorks, s.Name):
		return true
	}
	return s.Given && !oneOf(pragmaSession, s.Name)
}

// oneOf reports whether a word is on a list.
func oneOf(list, word string) bool {
	for w := range strings.FieldsSeq(list) {
		if w == word {
			return true
		}
	}
	return false
}
