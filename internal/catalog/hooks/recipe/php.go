package recipe

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// php reads -d settings that load code, and the code of -B, -R and -E that
// surrounds standard input (php(1)).
func php(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	for _, v := range m.Values("setting") {
		name, _, ok := strings.Cut(v.Prefix(), "=")
		if !ok {
			continue
		}
		file := v.Cut(len(name) + 1)
		switch strings.TrimSpace(name) {
		case "auto_prepend_file", "auto_append_file":
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunScript, Lang: "php", Text: file})
		case "extension", "zend_extension", "extension_dir", "opcache.preload", "ffi.preload":
			if strings.Contains(file.Prefix(), "/") || !file.IsKnown() {
				r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunPlugin, Text: file})
			}
		case "sendmail_path":
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: file})
		case "error_log", "session.save_path", "upload_tmp_dir", "sys_temp_dir", "mail.log", "opcache.error_log":
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: file, Kind: risk.KindAppend})
		case "memory_limit", "max_execution_time", "max_input_time", "display_errors", "display_startup_errors", "error_reporting", "html_errors", "log_errors", "short_open_tag", "date.timezone", "default_charset", "precision", "serialize_precision",
			"zend.assertions", "assert.exception", "assert.active", "opcache.enable", "opcache.enable_cli", "opcache.jit", "xdebug.mode", "xdebug.start_with_request", "phar.readonly", "pcre.jit", "zend.enable_gc", "ffi.enable", "implicit_flush", "output_buffering", "register_argc_argv", "variables_order", "disable_functions", "open_basedir":
		default: // php.ini has some hundred settings, of which a few dozen name files, hosts and functions
			r.Unknowns = append(r.Unknowns, risk.Unknown{What: "-d " + name, Role: risk.RoleOption})
		}
	}
	interpreter(m, s, r)
}

// lua reads LUA_INIT, which holds code, or a file's name after an @
// (lua(1)).
func lua(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	interpreter(m, s, r)
	for _, v := range m.Values("module") {
		luaModule(s, r, v)
	}
	for _, v := range m.Values("jit") {
		luaJIT(r, v)
	}
	if v, ok := site.OwnEnv(s, "LUA_INIT"); ok && !m.Has("isolated") {
		if strings.HasPrefix(v.Prefix(), "@") {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunScript, Lang: "lua", Text: v.Cut(1)})
		} else {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunCode, Lang: "lua", Text: v})
		}
	}
}

// luaModule loads a module before the program, -l NAME or -l GLOBAL=NAME: Lua looks
// for it below the current directory too (lua(1); Lua 5.4 Reference Manual, "LUA_PATH_DEFAULT").
func luaModule(s *catalog.Site, r *catalog.Result, v value.Value) {
	name, known := v.Known()
	if _, global, ok := strings.Cut(name, "="); ok {
		name = global
	}
	if !known {
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunPlugin, Text: v})
		return
	}
	file := "./" + strings.ReplaceAll(name, ".", "/")
	for _, beside := range []string{file + ".lua", file + "/init.lua"} {
		if _, ok := site.SiteFile(s, value.Lit(beside)); ok {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunScript, Lang: "lua", Text: value.Lit(beside)})
			return
		}
	}
	r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunCode, Lang: "lua", Text: value.Lit("require '" + name + "'")})
}

// luaJIT reads -j: it loads a module of LuaJIT's own, or any that is called so;
// some write what they trace into a file (LuaJIT, "Running LuaJIT").
func luaJIT(r *catalog.Result, v value.Value) {
	text, known := v.Known()
	name, arguments, _ := strings.Cut(text, "=")
	switch {
	case known && (name == "on" || name == "off" || name == "flush"):
	case known && (name == "v" || name == "dump" || name == "p"):
		if i := strings.LastIndexByte(arguments, ','); name != "v" {
			arguments = arguments[i+1:]
			if i < 0 {
				arguments = ""
			}
		}
		if arguments != "" && arguments != "-" {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: value.Lit(arguments)})
		}
	default:
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunPlugin, Text: v})
	}
}

// osascript joins its -e lines into one script and heeds -l, which chooses
// the language (osascript(1)).
func osascript(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	lang := "applescript"
	if v, ok := m.Value("language"); ok {
		if text, known := v.Known(); !known || !strings.EqualFold(text, "AppleScript") {
			lang = "javascript"
		}
	}
	interpreterLines(m, s, r, lang)
	for _, run := range r.Runs {
		if run.Kind == catalog.RunCode && makesLoginItem(lang, site.Filled(run.Text)) || run.Stdin && makesLoginItem(lang, site.Filled(s.Stdin)) {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.PersistAdd, Target: value.Lit("a login item"), Kind: risk.KindLoginItem})
			return
		}
	}
}

// makesLoginItem reports whether a script adds to what is opened at login
// (System Events dictionary, "Login Items Suite"): make … login item in
// AppleScript, loginItems.push or make in JavaScript. Text in quotes is data,
// except where code names a property by it.
func makesLoginItem(lang, text string) bool {
	quotes := `"`
	if lang == "javascript" {
		quotes = "\"'`"
	}
	squeezed := strings.Join(strings.Fields(unquotedText(text, quotes)), " ")
	if lang == "javascript" {
		squeezed = strings.ReplaceAll(squeezed, " ", "")
		return strings.Contains(squeezed, "loginItems.push(") || strings.Contains(squeezed, "LoginItem(") && strings.Contains(squeezed, ".make(") || strings.Contains(squeezed, ".make(") && strings.Contains(text, "loginItem")
	}
	squeezed = strings.ToLower(squeezed)
	for _, words := range []string{"make login item", "make new login item", "make a login item", "make a new login item"} {
		if strings.Contains(squeezed, words) {
			return true
		}
	}
	return false
}

// unquotedText drops what stands between two of the same quotes; a quote that
// does not end on its line stays as it is.
func unquotedText(text, quotes string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		for len(line) > 0 {
			i := strings.IndexAny(line, quotes)
			if i < 0 {
				break
			}
			end := strings.IndexByte(line[i+1:], line[i])
			if end < 0 {
				break
			}
			b.WriteString(line[:i])
			b.WriteByte(' ')
			line = line[i+end+2:]
		}
		b.WriteString(line)
	}
	return b.String()
}

// interpreterLines is interpreter for a program whose inline texts are the
// lines of one script.
func interpreterLines(m *catalog.Match, s *catalog.Site, r *catalog.Result, lang string) {
	words := m.Values("word")
	switch code := m.Values("code"); {
	case len(code) > 0:
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunCode, Lang: lang, Text: joinLines(code), Args: words})
	case m.Has("done"):
	case len(words) == 0 || site.SameWord(words[0], "-"):
		run := site.StdinCode(s, lang)
		if len(words) > 0 {
			run.Kind, run.Stdin, run.Args = catalog.RunCode, true, words[1:]
		}
		r.Runs = append(r.Runs, run)
		r.ReadsStdin = true
	default:
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunScript, Lang: lang, Text: words[0], Args: words[1:]})
	}
}
