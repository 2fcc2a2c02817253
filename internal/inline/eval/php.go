package eval

import (
	"strings"

	"github.com/heedsh/heed/internal/inline/syntax"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// phpHarmless are functions that only compute (PHP manual, function
// reference).
const phpHarmless = `strlen count sizeof str_split explode_ number_format round floor ceil abs min max sum array_sum array_product array_keys array_values array_merge array_slice
array_splice array_push array_pop array_shift array_unshift array_unique array_flip array_fill array_combine array_column array_diff array_intersect array_key_exists array_search
in_array range sort rsort usort uasort uksort asort arsort ksort krsort shuffle array_reverse array_chunk array_pad compact array_reduce array_filter array_rand array_count_values
isset empty unset is_array is_string is_int is_numeric is_null is_bool is_object is_callable is_file is_dir file_exists filesize filemtime is_readable is_writable is_link
json_encode json_decode serialize var_export_ md5 sha1 hash hash_algos crc32 uniqid random_int random_bytes rand mt_rand mt_srand time date mktime strtotime microtime gmdate checkdate date_default_timezone_set date_default_timezone_get hrtime
preg_match preg_match_all preg_split preg_quote preg_last_error strpos stripos strrpos strcmp strcasecmp strncmp strncasecmp str_contains str_starts_with str_ends_with ucfirst ucwords lcfirst nl2br htmlspecialchars html_entity_decode htmlentities
wordwrap similar_text levenshtein soundex metaphone ctype_digit ctype_alpha ctype_upper ctype_lower ctype_alnum intval floatval strval boolval settype gettype get_class method_exists function_exists_ class_exists property_exists
phpversion php_uname php_sapi_name sys_get_temp_dir memory_get_usage memory_get_peak_usage getmypid gethostname version_compare extension_loaded get_loaded_extensions ini_get zend_version php_ini_loaded_file set_error_handler_ error_reporting
pow sqrt sin cos tan log exp pi intdiv fmod is_nan is_finite bindec decbin dechex hexdec octdec base_convert mb_strlen mb_substr mb_strtoupper mb_strtolower mb_strpos mb_str_split iconv mb_convert_encoding
getcwd basename dirname pathinfo realpath tempnam_ usleep sleep exit die define constant defined spl_object_id iterator_to_array array_is_list array_map array_walk call_user_func call_user_func_array func_get_args list
filter_var http_build_query parse_url parse_str urlencode rawurlencode base64_encode bin2hex fclose feof fflush flush ob_start ob_get_clean ob_end_clean gc_collect_cycles set_time_limit spl_autoload_register_ pack_ inet_pton ip2long long2ip
datetime datetimeimmutable exception arrayobject dateinterval datetimezone stdclass runtimeexception invalidargumentexception closure splobjectstorage array_fill_keys array_walk_recursive array_merge_recursive ctype_space ctype_punct ctype_xdigit money_format vsprintf_ substr_count strstr strrchr stristr strspn ucwords number_format chunk_split array_key_first array_key_last end reset current key next prev each function_exists ini_get_all get_defined_vars_ debug_zval_refcount is_float is_countable is_iterable openssl_get_cipher_methods password_hash password_verify curl_version
opcache_get_status error_get_last mb_internal_encoding setlocale localeconv array_any array_all array_find`

// makePHP lists what PHP's functions do (PHP manual).
func makePHP() *table {
	t := newTable(phpHarmless, "format modify diff getTimestamp setTimezone getMessage add sub setDate setTime bindTo fetch fetchAll fetchColumn rowCount offsetGet getArrayCopy")
	t.call(shell(0), "system exec shell_exec passthru popen pcntl_exec_ expect_popen")
	t.call(func(s *scan, c *call) val {
		s.handOver(c)
		if c.arg(0).k == vList {
			s.argv(c.arg(0).list)
		} else {
			s.shellText(c.arg(0))
		}
		return dull()
	}, "proc_open")
	t.call(program(0, true), "pcntl_exec")
	t.call(func(_ *scan, c *call) val {
		if len(c.kw) > 0 {
			out := val{k: vDict}
			for _, k := range c.keywords() {
				out.keys, out.list = append(out.keys, k), append(out.list, c.kw[k])
			}
			return out
		}
		return val{k: vList, list: c.args}
	}, "array")
	t.call(chdir(0), "chdir")
	t.call(fork, "pcntl_fork")
	t.call(plain(risk.ProcSignal, risk.NoKind, 0), "posix_kill")
	t.call(plain(risk.PrivGain, risk.NoKind, -1), "posix_setuid posix_setgid posix_seteuid posix_setegid")
	phpFiles(t)
	phpNetwork(t)
	t.call(printed, "echo print var_dump print_r printf var_export vprintf")
	t.call(func(s *scan, c *call) val {
		switch to := c.arg(1, "message_type"); {
		case to.k == vNone || to.k == vNum && (to.n == 0 || to.n == 4):
			return printed(s, &call{args: c.args[:min(1, len(c.args))]})
		case to.k == vNum && to.n == 3:
			s.writeFile(c.arg(2, "destination"), c.arg(0), risk.KindAppend)
		default:
			s.notSeen()
		}
		return dull()
	}, "error_log")
	t.call(phpQuit, "exit die")
	t.call(func(s *scan, c *call) val { s.res.ShowsEnv = true; s.impure(); return dull() }, "phpinfo get_defined_vars")
	t.call(input, "readline stream_get_line fgets_")
	t.call(evaluate(0), "eval assert create_function_")
	t.call(blind, "create_function unserialize extract dl ini_set putenv ffi.* include_ register_shutdown_function preg_replace_callback_array set_error_handler mail_")
	t.call(phpInclude, "include include_once require require_once")
	t.call(plain(risk.NetSend, risk.KindMail, 0), "mail")
	t.call(decode("base64"), "base64_decode")
	t.call(decode("hex"), "hex2bin")
	t.call(decode("rot13"), "str_rot13")
	t.call(decode("url"), "urldecode rawurldecode")
	t.call(derivedDecoded, "gzinflate gzuncompress gzdecode convert_uudecode openssl_decrypt zlib_decode")
	phpStrings(t)
	t.call(phpCallback, "array_map call_user_func call_user_func_array array_walk array_walk_recursive array_filter array_reduce array_any array_all array_find usort uasort uksort iterator_apply")
	t.call(func(s *scan, c *call) val {
		if len(c.args) == 0 {
			return s.environment("")
		}
		n, _ := c.arg(0).known()
		return s.environment(n)
	}, "getenv")
	t.names["$_ENV"] = func(s *scan, _ *call) val { return s.environment("") }
	t.names["$_SERVER"] = t.names["$_ENV"]
	t.value(func() val { return hole(risk.CauseArg, "argv") }, "$argv $_GET $_POST $_REQUEST $_COOKIE")
	t.names["__DIR__"] = programDir
	t.value(dull, "$argc PHP_VERSION PHP_OS PHP_EOL PHP_INT_MAX PHP_OS_FAMILY PHP_BINARY __FILE__ __LINE__ M_PI E_ALL JSON_PRETTY_PRINT JSON_UNESCAPED_SLASHES JSON_THROW_ON_ERROR LOCK_EX PHP_MAJOR_VERSION PHP_MINOR_VERSION SORT_STRING ENT_QUOTES")
	t.value(none, "null NULL")
	t.value(func() val { return object("stdin", value.Value{}) }, "STDIN")
	t.value(func() val { return str("/") }, "DIRECTORY_SEPARATOR")
	return t
}

func derivedDecoded(_ *scan, c *call) val {
	v := derived(c.args...)
	v.s = v.s.With(value.Decoded)
	return v
}

func phpQuit(s *scan, c *call) val {
	if c.arg(0).k == vStr || c.arg(0).k == vUnknown {
		return printed(s, c)
	}
	return none()
}

// phpInclude runs a file, or code behind an address.
func phpInclude(s *scan, c *call) val {
	v := c.arg(0)
	if p := v.value().Prefix(); strings.Contains(p, "://") && !strings.HasPrefix(p, "php:") && !strings.HasPrefix(p, "file:") && !strings.HasPrefix(p, "data:") {
		s.fetch(v)
		s.effect(catalog.Effect{Verb: risk.ExecRemote, Kind: risk.KindDownloaded, Target: v.value()})
		return dull()
	}
	s.run(catalog.Run{Kind: catalog.RunScript, Text: v.value(), Lang: "php"})
	s.seen = false
	return dull()
}

// phpCallback calls a function that is named by its argument.
func phpCallback(s *scan, c *call) val {
	f, over := c.arg(0), c.arg(1)
	if c.name != "array_map" && !strings.HasPrefix(c.name, "call_") {
		f, over = over, f
	}
	c.used = true
	args := []val{element(over)}
	switch c.name {
	case "call_user_func":
		args = c.args[min(1, len(c.args)):]
	case "call_user_func_array":
		args = []val{over}
		if over.k == vList {
			args = over.list
		}
	case "array_map":
		if over.k == vList {
			v, _ := s.mapped(over, &call{args: []val{f}})
			return v
		}
	}
	if f.k == vNone {
		return over
	}
	return s.callValue(f, &call{args: args, kw: map[string]val{}})
}

func phpStrings(t *table) {
	t.call(func(_ *scan, c *call) val { return characters(c.args[:min(1, len(c.args))]) }, "chr")
	t.call(func(_ *scan, c *call) val {
		if c.has(1) {
			return joinTexts(c.arg(0), c.arg(1))
		}
		return joinTexts(str(""), c.arg(0))
	}, "implode join")
	t.call(func(_ *scan, c *call) val {
		if x, ok := c.arg(0).known(); ok {
			return str(reversed(x))
		}
		return derived(c.args...)
	}, "strrev")
	t.call(func(s *scan, c *call) val {
		if x, ok := c.arg(2).known(); ok {
			return s.replace(x, "replaceAll", &call{recv: c.arg(2), args: c.args})
		}
		return derived(c.args...)
	}, "str_replace str_ireplace")
	t.call(func(s *scan, c *call) val {
		if x, ok := c.arg(1).known(); ok {
			return s.split(x, "split", &call{recv: c.arg(1), args: c.args[:1]})
		}
		return derived(c.args...)
	}, "explode")
	t.call(func(_ *scan, c *call) val {
		if f, ok := c.arg(0).known(); ok && len(c.args) > 0 {
			return fill(f, c.args[1:])
		}
		return derived(c.args...)
	}, "sprintf")
	t.call(func(_ *scan, c *call) val { return packed(c.arg(0), c.args[min(1, len(c.args)):]) }, "pack")
	for from, to := range map[string]string{"strtolower": "lower", "strtoupper": "upper", "trim": "strip", "rtrim": "rstrip", "ltrim": "lstrip", "str_repeat": "repeat", "substr": "substr"} {
		t.calls[from] = func(s *scan, c *call) val {
			if len(c.args) > 0 {
				if v, ok := s.fold(to, &call{name: to, recv: c.args[0], args: c.args[1:]}); ok {
					return v
				}
			}
			return derived(c.args...)
		}
	}
	t.call(phpPregReplace, "preg_replace preg_replace_callback")
}

// phpPregReplace: the modifier e ran the replacement (before PHP 7).
func phpPregReplace(s *scan, c *call) val {
	if p, ok := c.arg(0).known(); ok && p != "" {
		end, _ := syntax.Closer(p[0])
		if i := strings.LastIndexByte(p, end); i > 0 && strings.Contains(p[i:], "e") {
			s.evalText(c.arg(1), "php")
		}
	}
	return derived(c.all()...)
}

func phpFiles(t *table) {
	t.call(del(1), "unlink rmdir")
	t.call(func(s *scan, c *call) val {
		if p := c.arg(0).value().Prefix(); strings.HasPrefix(p, "php://stdout") || strings.HasPrefix(p, "php://output") || strings.HasPrefix(p, "php://stderr") {
			s.reveal(c.arg(1), true)
			return dull()
		}
		detail := risk.NoKind
		if c.arg(2).k == vRef && strings.Contains(c.arg(2).name, "APPEND") || c.arg(2).k == vNum && int(c.arg(2).n)&8 != 0 || c.has(2) && c.arg(2).k != vRef && c.arg(2).k != vNum {
			detail = risk.KindAppend
		}
		s.writeFile(c.arg(0), c.arg(1), detail)
		return dull()
	}, "file_put_contents")
	t.call(phpGet, "file_get_contents file")
	t.call(func(s *scan, c *call) val { s.reveal(s.read(c.arg(0)), true); return dull() }, "readfile show_source highlight_file php_strip_whitespace")
	t.call(reading(0), "parse_ini_file simplexml_load_file gzfile readgzfile")
	t.call(func(s *scan, c *call) val {
		mode, ok := c.arg(1).known()
		if !ok {
			mode = "w"
		}
		if p := c.arg(0).value().Prefix(); strings.HasPrefix(p, "php://") {
			if strings.Contains(p, "stdin") {
				return object("stdin", value.Value{})
			}
			return object("stdout", value.Value{})
		}
		return s.open(c.arg(0), mode)
	}, "fopen gzopen splfileobject")
	t.call(func(s *scan, c *call) val {
		f := c.arg(0)
		if f.k == vRef && (f.name == "STDOUT" || f.name == "STDERR") || f.name == "stdout" {
			s.reveal(c.arg(1), true)
			return dull()
		}
		if f.name == "socket" {
			return send(s, &call{recv: f, args: c.args[min(1, len(c.args)):]})
		}
		s.writeTo(f, c.args[min(1, len(c.args)):])
		return dull()
	}, "fwrite fputs fputcsv fprintf stream_copy_to_stream socket_write socket_send")
	phpPaths(t)
}

// phpPaths lists the functions of PHP for open files and paths.
func phpPaths(t *table) {
	t.call(func(s *scan, c *call) val {
		switch f := c.arg(0); f.name {
		case "socket":
			return receive(s, c)
		case "stdin":
			return input(s, c)
		default:
			return fileRead(s, &call{recv: f})
		}
	}, "fread fgets fgetc fgetcsv stream_get_contents fpassthru socket_read fscanf")
	t.call(copyFile(0, 1, false), "copy")
	t.call(renameFile(0, 1), "rename move_uploaded_file")
	t.call(modeAction(0, 1), "chmod")
	t.call(onFiles(catalog.Effect{Verb: risk.FSAttr, Kind: risk.KindOwner}, 1), "chown chgrp lchown")
	t.call(touch(), "touch tempnam")
	t.call(linkFile(0, 1), "symlink link")
	t.call(mkdir(), "mkdir")
	t.call(func(s *scan, c *call) val {
		if c.arg(0).k == vObj && c.arg(0).name == "file" {
			s.effect(catalog.Effect{Verb: risk.FSWrite, Target: c.arg(0).value(), Kind: risk.KindTruncate})
		}
		return dull()
	}, "ftruncate")
	t.call(pattern, "glob")
	t.call(listing, "scandir opendir directoryiterator recursivedirectoryiterator dir")
	t.call(same, "recursiveiteratoriterator iteratoriterator")
	t.call(quiet, "readdir closedir flock fseek rewind ftell is_executable disk_free_space stat fstat clearstatcache")
}

func phpGet(s *scan, c *call) val {
	options := c.arg(2)
	if http, ok := options.item("http"); ok {
		return s.withOptions(c.arg(0), http)
	}
	v := s.read(c.arg(0))
	if v.k == vObj { // a response: its body
		v = hole(risk.CauseOutput, "a response")
		v.s = v.s.With(value.Network)
	}
	return v
}

func phpNetwork(t *table) {
	t.call(connect(0, 1), "fsockopen pfsockopen")
	t.call(func(s *scan, c *call) val { return s.connected(c.arg(0), none()) }, "stream_socket_client")
	t.call(newSocket, "socket_create")
	t.call(connect(1, 2), "socket_connect")
	t.call(func(s *scan, c *call) val {
		e := catalog.Effect{Verb: risk.NetListen, Target: c.arg(0).value()}
		s.effect(e)
		return object("socket", e.Target)
	}, "stream_socket_server")
	t.call(listen(2), "socket_bind")
	t.call(quiet, "socket_listen socket_accept socket_close stream_set_blocking stream_select stream_set_timeout proc_close pclose proc_get_status posix_setsid posix_getuid posix_geteuid posix_getpid posix_isatty get_current_user getmyuid")
	t.call(same, "stream_context_create")
	t.call(func(s *scan, c *call) val { s.impure(); return object("curl", c.arg(0).value()) }, "curl_init")
	t.call(phpCurlOption, "curl_setopt curl_setopt_array")
	t.call(func(s *scan, c *call) val {
		h := c.arg(0)
		method, _ := h.item("method")
		data, ok := h.item("data")
		if !ok {
			data = none()
		}
		m, _ := method.known()
		r := s.http(m, text(h.value()), data)
		v := hole(risk.CauseOutput, "a response")
		v.s = r.s
		return v
	}, "curl_exec")
	t.call(quiet, "curl_close curl_error curl_getinfo curl_errno")
	phpDatabases(t)
}

// phpCurlOption notes the options that say what is sent where.
func phpCurlOption(s *scan, c *call) val {
	h := c.arg(0)
	set := func(option string, v val) {
		switch {
		case strings.HasSuffix(option, "OPT_URL"):
			h.s = v.value()
		case strings.HasSuffix(option, "POSTFIELDS"), strings.HasSuffix(option, "INFILE"):
			h.keys, h.list = append(h.keys, "data"), append(h.list, v)
		case strings.HasSuffix(option, "CUSTOMREQUEST"):
			h.keys, h.list = append(h.keys, "method"), append(h.list, v)
		case strings.HasSuffix(option, "OPT_POST"), strings.HasSuffix(option, "OPT_UPLOAD"):
			h.keys, h.list = append(h.keys, "method"), append(h.list, str("POST"))
		}
	}
	if o := c.arg(1); o.k == vRef {
		set(o.name, c.arg(2))
	} else if o.k == vDict {
		for i, k := range o.keys {
			set(k, o.list[i])
		}
	}
	for name, v := range s.vars {
		if v.k == vObj && v.name == "curl" {
			s.vars[name] = h
		}
	}
	return dull()
}
