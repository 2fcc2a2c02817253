package sqleffect

import (
	"strings"

	"github.com/heedsh/heed/internal/lang/sql"
)

// What stands before a parenthesis in a query and is no function: keywords and types
// (PostgreSQL 17, appendix C; MySQL 8.4, 9.3).
const queryWords = `copy explain in as and or not on using over filter values exists any all some select from where union except intersect by then else when case
interval array row distinct limit having lateral partition between like ilike rlike regexp is end table top offset fetch only with within returning materialized
window range rows groups sets grouping cube rollup unpivot pivot qualify sample tablesample int integer bigint smallint tinyint decimal numeric number float double
real char character varchar nvarchar nchar varchar2 text bit varbit varying binary varbinary time timestamp timestamptz datetime datetime2 date bool boolean
blob string unsigned signed json jsonb uuid struct map tuple geometry geography enum minus escape collate`

// Functions that only compute, or tell of the server: PostgreSQL 17, chapter 9; MySQL 8.4,
// chapter 14; sqlite.org/lang_corefunc.html and its kin; DuckDB, ClickHouse, BigQuery,
// Snowflake, Transact-SQL and Oracle, their function references. One that is not listed
// may be anybody's own, and do anything.
const computing = `abs acos acosh aggregate all_match any_match any_value anyvalue apply approx_count_distinct approx_distinct approx_percentile approx_quantile approx_top_count arbitrary argmax argmin arg_max arg_min
arraymap arrayjoin arrayfilter arrayexists arraystringconcat arrayelement arraysum arrayconcat ascii asin asinh atan atan2 atanh avg avgif base64 base64_encode base64_decode bin bin_to_uuid bool_and bool_or box broadcast brin_page_items btrim bucket
cardinality cast cbrt ceil ceiling changes char_length character_length charindex choose chr coalesce col_description collation concat concat_ws contains conv convert convert_from convert_to convert_tz corr cos cosh cot
count count_if countif count_big countdistinct covar_pop covar_samp crc32 cume_dist curdate current_catalog current_database current_date current_query current_role current_schema current_schemas current_setting current_time current_timestamp
current_user curtime database databasepropertyex datalength date_add date_diff date_format date_part date_sub date_trunc dateadd datediff datename datepart datefromparts day dayname dayofmonth dayofweek dayofyear days db_id db_name decode
degrees dense_rank difference div dense e elt empty encode endswith ends_with eomonth epoch erf estimate every exp explode extract extractvalue factorial field find_in_set first first_value flatten floor format
format_bytes format_type formatdatetime formatreadablesize found_rows from_base64 from_days from_hex from_iso8601_timestamp from_json from_unixtime fromunixtimestamp gcd gen_random_uuid generate_array generate_date_array generate_series generate_subscripts
get_bit get_byte getdate getutcdate glob greatest group_concat grouping_id hash to_char to_date to_timestamp to_number to_json to_jsonb to_tsvector to_tsquery to_hex to_base64 to_days to_seconds to_variant to_utf8 to_iso8601 to_unixtime to_array to_object to_varchar to_decimal to_double to_timestamp_ntz to_timestamp_ltz
to_timestamp_tz to_regclass to_regtype to_regproc to_regrole to_regnamespace to_binary to_boolean to_milliseconds is_object is_array is_null_value str_to_date unix_millis unix_date safe_add safe_subtract safe_multiply split_text
has_any_column_privilege has_column_privilege has_database_privilege has_function_privilege has_schema_privilege has_table_privilege hex histogram
hour hypot host_name hosts if ifnull iif ilike indexof inet_aton inet_ntoa inet_client_addr inet_server_addr inet_server_port initcap insert instr inverse isdate isnull isnumeric isfinite isnan jarowinkler julianday justify_days justify_hours
justify_interval kurtosis lag last last_day last_insert_id last_insert_rowid last_value lcase lcm lead least left len length lengthutf8 levenshtein list list_value listagg ln localtime localtimestamp locate log log10 log1p log2 lower lpad ltrim
make_date make_interval make_time make_timestamp make_timestamptz makedate maketime mask max max_by maxif mean median medianexact microsecond mid min min_by minif minute mod mode month monthname months_between multiif
name_const nanvl newid nextday next_day ngrams nlevel normalize now npv nth_value ntile nullif numnonnulls numnulls nvl nvl2 obj_description object_id object_name oct octet_length ord overlaps overlay parse parse_date parse_json parse_timestamp
parse_url patindex percent_rank percentile percentile_cont percentile_disc period_add period_diff pi plainto_tsquery phraseto_tsquery websearch_to_tsquery position pow power printf product quantile quantile_cont quantile_disc quarter quote quote_ident quote_literal quote_nullable quotename
radians rand random randomblob range_agg rank ratio_to_report regr_slope regr_intercept regr_r2 repeat replace replicate reverse right round row_count row_number row_to_json rowversion rpad rtrim scale schema schema_name scope_identity second session_user setseed sha sha1 sha2 sha224 sha256 sha384 sha512
md5 md5_number shobj_description sign similarity sin sinh sleep_for skewness snippet bm25 highlight offsets matchinfo soundex space split split_part splitbychar sqlite_compileoption_get sqlite_compileoption_used sqlite_source_id sqlite_version sqrt square starts_with startswith
std stddev stdev stdevp stdev_pop steps strcmp strftime string_agg string_split string_to_array string_to_table stringagg strip strpos strptime struct_pack stuff subdate substr substring substring_index substringutf8 subtime sum sumif suser_sname switchoffset
sys_context sysdate sysdatetime sysdatetimeoffset sysutcdatetime system_user tan tanh text_pattern time_bucket time_format time_to_sec timediff timefromparts timeofday timestampadd timestampdiff timezone toint32 toint64 tofloat64 today tostring todate todatetime total total_changes
translate transform trim trim_array trim_scale trunc truncate try_cast try_convert try_parse try_to_date try_to_number tryconvert ts_headline ts_rank ts_rank_cd tsquery tsvector typeof ucase unaccent unhex unicode uniq uniqexact uniqcombined unistr unixepoch unix_timestamp unix_seconds unixtimestamp unlikely likely likelihood unnest
unistring upper user user_id user_name utc_date utc_time utc_timestamp uuid_generate_v4 uuid_generate_v1 uuid_short uuid_to_bin validate_json variance version var varp visitparamextractstring week weekday weekofyear weight_string width_bucket word_similarity xmlagg xmlelement xmlforest xpath
year yearweek yesterday years zeroblob zipmap ifs iff zeroifnull nullifzero object_construct array typeof tabledefinition txid_current txid_current_if_assigned txid_snapshot_xmin connection_id ps_current_thread_id benchmark is_used_lock is_free_lock json json_valid
fts5 rowid date datetime time timestamp char numrange int4range int8range tsrange tstzrange daterange lower_inc upper_inc isempty area center diameter point polygon line circle path lseg inet cidr broadcast family hostmask masklen netmask network abbrev
set_masklen statement_timestamp transaction_timestamp clock_timestamp age enum_first enum_last enum_range cursor_to_xml dblink_get_connections set_bit set_byte sin_deg num_nulls lo_get sqlite_offset generate_uuid session_id typename metaphone dmetaphone show_trgm show_limit hstore akeys avals skeys svals each crypt_hash digest hmac
bit_length octets error_rate timestamp_trunc timestamp_diff timestamp_add timestamp_sub timestamp_seconds timestamp_millis timestamp_micros datetime_trunc datetime_diff datetime_add datetime_sub parse_datetime format_date format_timestamp format_datetime safe_cast safe_divide safe_offset offset ordinal farm_fingerprint net_host countif logical_or logical_and approx_quantiles string_length error
parquet_metadata parquet_schema sniff_csv duckdb_tables duckdb_columns duckdb_settings duckdb_functions duckdb_extensions pragma_table_info pragma_index_list pragma_foreign_key_list columns exclude`

// Families of functions that only compute, by how their names begin.
const computingPrefixes = `json_ jsonb_ array_ st_ regexp_ bit_ var_ stddev_ covar_ regr_ percentile_ approx_ histogram_ list_ map_ struct_ string_ date_ time_ inet_ get_json_ h3_ s2_ duckdb_ dictget bitmap_ hll_
pg_size_ pg_get_ pg_table_size pg_indexes_size pg_index_ pg_total_relation_ pg_relation_ pg_database_ pg_tablespace_ pg_column_ pg_is_in_ pg_last_ pg_current_ pg_wal_lsn_ pg_postmaster_ pg_conf_load_time pg_backend_pid
pg_blocking_pids pg_stat_get_ pg_encoding_ pg_typeof pg_describe_ pg_identify_ pg_options_ pg_trigger_depth pg_opclass_ pg_function_is_ pg_type_is_ pg_operator_is_ pg_ts_ pg_lock_status pg_show_all_settings
pg_available_ pg_collation_ pg_listening_ pg_isolation_ pg_sleep jsonextract simplejson toint touint tofloat tostartof toyyyy toyear tomonth today grouparray groupuniq quantile`

// told reports whether it is known what a call in a query does: it only computes, or
// [Outcome.call] says what else.
func told(c *sql.Call) bool {
	for _, list := range []string{queryWords, computing, readingCalls, writingCalls, runningCalls, escapingCalls, loadingCalls} {
		if oneOf(list, c.Name) {
			return true
		}
	}
	for prefix := range strings.FieldsSeq(computingPrefixes) {
		if strings.HasPrefix(c.Name, prefix) {
			return true
		}
	}
	return false
}
