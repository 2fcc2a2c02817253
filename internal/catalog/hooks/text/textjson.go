package text

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"
	"github.com/heedsh/heed/internal/once"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// extracts marks what an extraction writes as everything below its directory.
func extracts(_ *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	for i := range r.Effects {
		if r.Effects[i].Kind == risk.KindExtract {
			r.Effects[i].Recursive = true
		}
	}
}

// A jqReader reads the arguments of jq, whose options --arg and the like take
// two words (jq 1.7 manual, "Invoking jq").
type jqReader struct {
	r       *catalog.Result
	args    []value.Value
	program value.Value
	source  value.Value // the file that holds it: -f
	given   bool        // the program was found
	words   bool        // the operands are values: --args
	null    bool
	files   []value.Value
	library []value.Value // directories of modules: -L
}

func (j *jqReader) pop() value.Value {
	if len(j.args) == 0 {
		return value.Value{}
	}
	v := j.args[0]
	j.args = j.args[1:]
	return v
}

// jq says which files its arguments name, and whether the filter reads the
// environment.
func jq(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if m.Has("help") {
		return
	}
	j := &jqReader{r: r, args: s.Args}
	ended := false
	for len(j.args) > 0 {
		w := j.pop()
		text := w.Prefix()
		switch {
		case ended || len(text) < 2 || text[0] != '-':
			j.operand(w)
		case site.SameWord(w, "--"):
			ended = true
		case strings.HasPrefix(text, "--"):
			j.long(w, text)
		default:
			j.short(w, text)
		}
	}
	filter := site.NewProgram(j.program).Text
	if text, ok := site.SiteFile(s, j.source); ok {
		filter += text
	}
	if jqReadsEnvironment(filter) {
		site.ShowsVariables(r, filter)
		if jqShowsAll(filter) {
			site.ShowsEnvironment(r)
		}
	}
	site.ShowFiles(r, j.imports(filter, s), true)
	if j.given {
		m.Bind("filter", j.program)
	}
	for _, f := range j.files {
		m.Bind("json", f)
	}
	if len(j.files) == 0 && (!j.null || strings.Contains(filter, "input")) {
		r.ReadsStdin, r.ShowsStdin = true, true
	}
	if m.Has("inplace") { // jaq has it, jq refuses it
		for _, f := range j.files {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: f, Arg: "file", Kind: risk.KindInPlace})
		}
		return
	}
	site.ShowFiles(r, j.files, true)
}

// jqImport imports a file of data: import "config" as $x; with perhaps a
// directory of its own, {search: "./lib"} (jq 1.7 manual, "Modules").
var jqImport = once.Value[*regexp.Regexp]{Make: func() *regexp.Regexp {
	return regexp.MustCompile(`\bimport\s+"([^"]+)"\s+as\s+\$\w+\s*(?:\{[^}]*"?search"?\s*:\s*"([^"]+)"[^}]*\})?`)
}}

// imports are the files of data that a filter imports, in the directories in
// which they are looked for.
func (j *jqReader) imports(filter string, s *catalog.Site) (files []value.Value) {
	for _, call := range jqImport.Get().FindAllStringSubmatch(filter, 8) {
		dirs := j.library
		if len(dirs) == 0 && s.World != nil {
			dirs = []value.Value{value.Lit(path.Join(s.World.User.Home, ".jq"))}
		}
		if call[2] != "" {
			dirs = append([]value.Value{value.Lit(call[2])}, dirs...)
		}
		for _, dir := range dirs {
			files = append(files, value.Concat(dir, value.Lit("/"+call[1]+".json")))
		}
	}
	return files
}

func (j *jqReader) operand(w value.Value) {
	switch {
	case !j.given:
		j.program, j.given = w, true
	case !j.words:
		j.files = append(j.files, w)
	}
}

func (j *jqReader) long(w value.Value, text string) {
	switch name, _, attached := strings.Cut(text, "="); name {
	case "--arg", "--argjson":
		j.pop()
		if v := j.pop(); v.Taint().Has(value.Secret | value.Credential) {
			j.r.Traits |= catalog.Echoes
		}
	case "--slurpfile", "--rawfile", "--argfile":
		j.pop()
		site.ShowFiles(j.r, []value.Value{j.pop()}, true)
	case "--args", "--jsonargs":
		j.words = true
	case "--indent":
		if !attached {
			j.pop()
		}
	case "--library-path":
		if attached {
			j.library = append(j.library, w.Cut(len("--library-path=")))
		} else {
			j.library = append(j.library, j.pop())
		}
	case "--from-file":
		j.fromFile(w, attached)
	case "--null-input":
		j.null = true
	}
}

func (j *jqReader) fromFile(w value.Value, attached bool) {
	var f value.Value
	if attached {
		f = w.Cut(len("--from-file="))
	} else {
		f = j.pop()
	}
	if j.given { // what looked like the program is a file
		j.files = append([]value.Value{j.program}, j.files...)
	}
	j.program, j.source, j.given = value.Value{}, f, true
	site.ShowFiles(j.r, []value.Value{f}, false)
}

func (j *jqReader) short(w value.Value, text string) {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case 'f':
			j.fromFile(value.Value{}, false)
		case 'L':
			if i+1 == len(text) && w.IsKnown() {
				j.library = append(j.library, j.pop())
			} else {
				j.library = append(j.library, w.Cut(i+1))
			}
			return
		case 'n':
			j.null = true
		}
	}
}

// jqReadsEnvironment reports whether a filter uses env or $ENV.
func jqShowsAll(filter string) bool {
	for _, name := range []string{"$ENV", "env"} {
		for rest := filter; ; {
			i := strings.Index(rest, name)
			if i < 0 {
				break
			}
			rest = rest[i+len(name):]
			if !strings.HasPrefix(rest, ".") {
				return true
			}
		}
	}
	return false
}

func jqReadsEnvironment(filter string) bool {
	if strings.Contains(filter, "$ENV") {
		return true
	}
	for rest, at := filter, 0; ; {
		i := strings.Index(rest, "env")
		if i < 0 {
			return false
		}
		at += i
		end := at + len("env")
		before := at == 0 || !site.WordByte(filter[at-1]) && strings.IndexByte(".\"$'", filter[at-1]) < 0
		after := end == len(filter) || !site.WordByte(filter[end]) && strings.IndexByte(":\"'-", filter[end]) < 0
		if before && after {
			return true
		}
		rest, at = filter[end:], end
	}
}

// yq reads the arguments of both programs of that name: the one written in Go
// and the wrapper of jq (mikefarah/yq 4.44; kislyuk/yq 3.4).
func yq(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if m.Has("help") {
		return
	}
	words, old := m.Operands(), false
	if len(words) > 1 {
		switch text, _ := words[0].Known(); text {
		case "eval", "e", "eval-all", "ea":
			words = words[1:]
		case "r", "read", "w", "write", "d", "delete", "p", "prefix": // yq 3: a file, then keys and values
			words, old = words[1:2], true
		case "m", "merge", "v", "validate", "x", "compare":
			words, old = words[1:], true
		}
	}
	expression := value.Value{}
	if len(words) > 0 && !old && !m.Has("program") && !yqIsFile(words[0], len(words)) && (len(words) > 1 || s.World == nil || site.IsMissing(s, words[0])) {
		expression, words = words[0], words[1:]
	}
	text := site.NewProgram(expression).Text
	for _, call := range strings.Split(text, "load")[1:] { // load, load_str, load_xml, …
		kind, inner, called := strings.Cut(call, "(")
		name, _, ends := strings.Cut(inner, ")")
		name = strings.TrimSpace(name)
		switch quoted := len(name) > 1 && name[0] == '"' && strings.Count(name, `"`) == 2 && strings.HasSuffix(name, `"`); {
		case !called || strings.Trim(kind, "_abcdefghijklmnopqrstuvwxyz0123456789") != "": // a key of that name
		case ends && quoted:
			site.ShowFiles(r, []value.Value{value.Lit(strings.Trim(name, `"`))}, true)
		default: // one that the document names
			site.ShowFiles(r, []value.Value{value.Unknown(risk.CauseFile, "yq")}, true)
		}
	}
	if strings.Contains(text, "system(") || strings.Contains(text, "eval(") { // mikefarah/yq 4.50, "System Operators"; "Eval"
		site.NotUnderstood(r, expression)
	}
	if strings.Contains(text, "env") {
		if jqReadsEnvironment(text) || strings.Contains(text, "strenv") || strings.Contains(text, "envsubst") {
			site.ShowsVariables(r, text)
		}
	}
	if m.Has("inplace") {
		for _, f := range words {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: f, Arg: "file", Kind: risk.KindInPlace})
		}
		return
	}
	if len(words) == 0 && !m.Has("null") {
		r.ReadsStdin, r.ShowsStdin = true, true
	}
	site.ShowFiles(r, words, true)
}

// yqIsFile reports whether the first of count operands is a file, as it may be
// when the expression is left out.
func yqIsFile(w value.Value, count int) bool {
	text, known := w.Known()
	if !known || count > 1 && !strings.HasPrefix(text, "/") {
		return false
	}
	if strings.ContainsAny(text, "[]|= (") || strings.HasPrefix(text, ".") && !strings.Contains(text, "/") {
		return false
	}
	switch path.Ext(text) {
	case ".yaml", ".yml", ".json", ".toml", ".xml", ".props", ".csv":
		return true
	}
	return strings.Contains(text, "/")
}

// millerVerbs are those that only compute: they name fields, counts and files
// that are shown at most (Miller 6, "List of verbs"). The others write files, run
// what they are given, or were not read.
const millerVerbs = " altkv bar bootstrap bottom case cat count count-distinct count-similar cut decimate fill-down fill-empty flatten " +
	"format-values fraction gap grep group-by group-like gsub having-fields head histogram json-parse json-stringify join label latin1-to-utf8 " +
	"least-frequent merge-fields most-frequent nest nothing regularize rename reorder repeat reshape sample sec2gmt sec2gmtdate seqgen shuffle " +
	"skip-trivial-records sort sort-within-records sort-within-records-values sparsify split-join split-lines splitax ssub stats1 stats2 step " +
	"sub summary tac tail template top utf8-to-latin1 unflatten uniq unspace unsparsify filter put "

// miller tells the verbs of a chain, and what its language reaches outside, from
// files (Miller 6, "Output redirection", "system", "exec"; "then-chaining").
func miller(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	words := m.Operands()
	for i, w := range words {
		text := site.NewProgram(w).Text
		switch {
		case i == 0 || site.SameWord(words[i-1], "then"):
			if about := i == 0 && (text == "help" || text == "version"); !about && !strings.Contains(millerVerbs, " "+text+" ") {
				site.NotUnderstood(r, w)
			}
		case strings.ContainsAny(text, "$({;@"):
			if millerReaches(text) {
				r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunCode, Lang: "miller", Text: w})
			}
		case strings.ContainsAny(text, "./"):
			if m.Has("inplace") {
				r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: w, Kind: risk.KindInPlace})
				continue
			}
			site.ShowFiles(r, []value.Value{w}, true)
		}
	}
	for _, f := range m.Values("field") { // of join and template a file, of put its text, of the others fields
		if strings.ContainsAny(f.Prefix(), "./") {
			site.ShowFiles(r, []value.Value{f}, true)
			if slices.ContainsFunc(words, func(w value.Value) bool { return site.SameWord(w, "put") || site.SameWord(w, "filter") }) {
				r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunScript, Lang: "miller", Text: f})
			}
		}
	}
	if len(s.Args) > 1 && site.SameWord(s.Args[0], "-s") { // a file of options
		site.ShowFiles(r, s.Args[1:2], true)
		site.NotUnderstood(r, s.Args[1])
	}
	if len(r.Effects) == 0 {
		r.ReadsStdin, r.ShowsStdin = true, true
	}
}

// millerReaches reports whether a text of Miller's language may run a program, show
// the environment, or print somewhere else than to the output: what it calls is none of its
// own functions and of those that compute (Miller 6, "DSL built-in functions").
func millerReaches(text string) bool {
	prints := false
	byte0 := func(i int) byte {
		for i < len(text) && text[i] == ' ' {
			i++
		}
		if i < len(text) {
			return text[i]
		}
		return 0
	}
	for i := 0; i < len(text); i++ {
		from := i
		for i < len(text) && site.WordByte(text[i]) {
			i++
		}
		switch word := text[from:i]; {
		case word == "":
		case word == "ENV":
			return true
		case slices.Contains([]string{"tee", "print", "printn", "eprint", "eprintn", "dump", "edump", "emit", "emit1", "emitp", "emitf"}, word):
			prints = true
		case byte0(i) == '(' && !strings.Contains(millerComputes, " "+word+" ") && !strings.Contains(text, "func "+word) && !strings.Contains(text, "subr "+word):
			return true
		}
	}
	return prints && strings.ContainsAny(text, ">|")
}

// millerComputes are functions of Miller that only compute, and words that may stand before
// a parenthesis.
const millerComputes = " if elif while for do filter unset call func subr return and or " +
	"abs acos acosh antimode any append apply arrayify asin asinh asserting_absent asserting_int asserting_not_empty asserting_not_null asserting_null asserting_numeric asserting_present asserting_string atan atan2 atanh " +
	"bitcount boolean capitalize cbrt ceiling clean_whitespace collapse_whitespace concat contains cos cosh count crc32 depth dhms2fsec dhms2sec distinct_count every exp expm1 float floor flatten fmtifnum fmtnum " +
	"fold format format_values fsec2dhms fsec2hms get_keys get_values gmt2localtime gmt2nsec gmt2sec gsub haskey hexfmt hms2fsec hms2sec index int invqnorm is_absent is_array is_empty is_empty_map is_error is_float " +
	"is_inf is_int is_map is_nan is_nonempty_map is_not_array is_not_empty is_not_map is_not_null is_null is_numeric is_present is_string joink joinkv joinv json_decode json_encode kurtosis latin1_to_utf8 leafcount leftpad length " +
	"localtime2gmt localtime2nsec localtime2sec log log10 log1p logifit lstrip madd mapdiff mapexcept mapselect mapsum max maxlen md5 mean meaneb median mexp min minlen mmul mode msub nsec2gmt nsec2gmtdate nsec2localdate nsec2localtime null_count " +
	"percentile percentiles pow qnorm reduce regextract regextract_or_else rightpad round roundm rstrip sec2date sec2dhms sec2gmt sec2gmtdate sec2hms select sgn sha1 sha256 sha512 sin sinh skewness sort sort_by_key " +
	"sort_collection splita splitax splitaxx splitkv splitkvx splitnv splitnvx sqrt ssub stddev strfntime strfntime_local strftime strftime_local string strip strlen strmatch strmatchx strpntime strpntime_local strptime strptime_local strrev sub substr substr0 substr1 sum sum2 sum3 sum4 " +
	"sysntime systime systimeint tan tanh tolower toupper truncate typeof asserting unflatten unformat unformat_values unformatx upntime uptime urand urandelement urandint urandrange utf8_to_latin1 var variance version "

// jo shows files that words name behind "@", "%" and ":" (jo(1), "DESCRIPTION"); words
// come from standard input where there are none.
func jo(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	words := m.Operands()
	if len(words) == 0 {
		r.ReadsStdin, r.ShowsStdin = true, true
		if text, known := s.Stdin.Known(); !known || strings.ContainsAny(text, "@%:") {
			site.NotUnderstood(r, value.Lit("standard input"))
		}
	}
	for _, w := range words {
		at := strings.IndexByte(w.Prefix(), '=')
		switch text := w.Prefix()[at+1:]; {
		case at > 0 && w.Prefix()[at-1] == ':':
			site.ShowFiles(r, []value.Value{w.Cut(at + 1)}, true)
		case text != "" && strings.IndexByte("@%:", text[0]) >= 0:
			site.ShowFiles(r, []value.Value{w.Cut(at + 2)}, true)
		}
	}
}
