package system

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// dash takes the operand "-" for a file of that name, as rm does: it has no
// standard input to delete.
func dash(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	for _, v := range m.Values("file") {
		if site.IsLiteral(v, "-") {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSDelete, Target: v, Recursive: m.Has("recursive"), Forced: m.Has("force")})
		}
	}
}

// shred deletes after overwriting if -u is given; srm and wipe always do.
func shred(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if !m.Has("remove") && s.Name != "srm" && s.Name != "wipe" {
		return
	}
	for _, v := range m.Values("file") {
		r.Effects = append(r.Effects, catalog.Effect{
			Verb: risk.FSDelete, Target: v, Arg: "file",
			Recursive: m.Has("recursive"), Forced: m.Has("force"),
		})
	}
}

// newMode records the mode that something new is given, if it matters.
func newMode(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	mode, given := m.Value("mode")
	for _, v := range m.Values("dir") {
		attrOf(r, v, mode, given)
	}
}

// mknod makes pipes and devices; mkfifo pipes only.
func mknod(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	names := m.Values("name")
	detail := risk.KindPipe
	if !strings.HasSuffix(s.Name, "mkfifo") {
		if len(names) > 1 && !site.IsLiteral(names[1], "p") {
			detail = risk.KindDevice
		}
		names = names[:min(1, len(names))]
	}
	mode, given := m.Value("mode")
	for _, v := range names {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSCreate, Target: v, Arg: "name", Kind: detail})
		attrOf(r, v, mode, given)
	}
}

// mktemp makes an empty file, or with -d a directory: in the temp directory
// unless another directory or a template names a place.
func mktemp(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if m.Has("dry") {
		return
	}
	template, named := m.Value("template")
	dir, placed := m.Value("dir")
	if !named {
		template = value.Lit("tmp.XXXXXXXXXX")
	}
	suffix, _ := m.Value("suffix")
	template = value.Concat(template, suffix)
	inTemp := m.Has("tmp") || !named && !placed
	switch {
	case inTemp:
		template = site.Inside(tempDir(s), template)
	case placed:
		template = site.Inside(dir, template)
	}
	e := catalog.Effect{Verb: risk.FSCreate, Target: template, Arg: "template"}
	switch {
	case m.Has("directory"):
		e.Kind = risk.KindDirectory
	case inTemp: // nobody chose where it is
		e.Kind = risk.KindTemporaryFile
	}
	r.Effects = append(r.Effects, e)
	if text, known := template.Known(); known && !inTemp {
		name := value.Of(value.Hole{Cause: risk.CauseOutput, Name: "mktemp", Shape: value.Word})
		if i := strings.LastIndexByte(text, '/'); i >= 0 {
			name = value.Concat(value.Lit(text[:i+1]), name)
		}
		r.Prints, r.Stdout = catalog.PrintsText, &name
	}
}

// longestSuffix bounds how many letters a part's name ends in.
const longestSuffix = 32

// touch fails where -t has no time as POSIX has it: [[CC]YY]MMDDhhmm[.ss].
func touch(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	for _, v := range m.Values("stamp") {
		if text, known := v.Known(); known && !isStamp(text) {
			r.Lacks = "“" + text + "” is no time as -t takes it"
		}
	}
	if v, ok := m.Value("date"); ok {
		if text, known := v.Known(); known && len(text) <= maxDate && noDate(text) {
			r.Lacks = "“" + text + "” is no date"
		}
	}
}

// maxDate is how long a text may be, in bytes, that is told as no date.
const maxDate = 40

// noDate reports whether a text surely is no date: it has a word that dates do not have
// (GNU coreutils manual, "Date input formats"). Single letters are time zones.
func noDate(text string) bool {
	if strings.Contains(text, "TZ=") {
		return false
	}
	letters := func(c rune) bool { return c < 'a' || c > 'z' }
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), letters) {
		if len(word) > 1 && !strings.Contains(dateWords, " "+word+" ") && !strings.Contains(dateWords, " "+strings.TrimSuffix(word, "s")+" ") {
			return true
		}
	}
	return false
}

const dateWords = ` january jan february feb march mar april apr may june jun july jul august aug september sept sep october oct november nov december dec
 sunday sun monday mon tuesday tues tue wednesday wednes wed thursday thurs thur thu friday fri saturday sat
 year month fortnight week day hour minute min second sec tomorrow yesterday today now last this next
 first third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth ago hence am pm dst th st nd rd
 gmt ut utc wet west bst art brt brst nst ndt ast adt clt clst est edt cst cdt mst mdt pst pdt akst akdt hst hast hadt sst wat cet cest met mez mest mesz
 eet eest cat sast eat msk msd ist sgt kst jst gst nzst nzdt noon midnight `

// isStamp reports whether a text is a time as touch -t takes it.
func isStamp(text string) bool {
	stamp, seconds, more := strings.Cut(text, ".")
	if more && (len(seconds) != 2 || !within(seconds, 0, 60)) || len(stamp) != 8 && len(stamp) != 10 && len(stamp) != 12 {
		return false
	}
	year, rest := stamp[:len(stamp)-8], stamp[len(stamp)-8:]
	return strings.Trim(year, "0123456789") == "" && within(rest[:2], 1, 12) && within(rest[2:4], 1, 31) && within(rest[4:6], 0, 23) && within(rest[6:], 0, 59)
}

// within reports whether two digits are a number in a range.
func within(digits string, least, most int) bool {
	n, err := strconv.Atoi(digits)
	return err == nil && strings.Trim(digits, "0123456789") == "" && n >= least && n <= most
}

// split names the first of the parts that split and csplit make: the prefix and
// a suffix of two letters, or of digits (coreutils manual, "split invocation",
// "csplit invocation").
func split(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	length := 2
	if v, ok := m.Value("length"); ok {
		if n, err := strconv.Atoi(v.Prefix()); err == nil && n > 0 && n <= longestSuffix {
			length = n
		}
	}
	letter := "a"
	if m.Has("counted") || strings.HasSuffix(s.Name, "csplit") {
		letter = "0"
	}
	if format, ok := m.Value("format"); ok { // csplit -b: as printf writes the number 0
		splitInto(r, format)
		return
	}
	from, _ := m.Value("from")
	first := from.Prefix()
	if len(first) < length {
		first = strings.Repeat(letter, length-len(first)) + first
	}
	end, _ := m.Value("end")
	for i := range r.Effects {
		if e := &r.Effects[i]; e.Kind == risk.KindParts {
			e.Target = value.Concat(e.Target, value.Lit(first), end)
		}
	}
}

// splitInto names the first part where a format says how parts are numbered.
func splitInto(r *catalog.Result, format value.Value) {
	text, known := format.Known()
	verb, number := "", ""
	if at := strings.IndexByte(text, '%'); known && at >= 0 {
		end := at + 1 + len(text[at+1:]) - len(strings.TrimLeft(text[at+1:], "0123456789"))
		if verb = text[at:min(end+1, len(text))]; len(verb) < 5 && end < len(text) && strings.ContainsRune("diu", rune(text[end])) {
			number = fmt.Sprintf(verb[:len(verb)-1]+"d", 0)
		}
	}
	first := value.Unknown(risk.CauseOther, "number")
	if number != "" {
		first = value.Lit(strings.Replace(text, verb, number, 1))
	}
	for i := range r.Effects {
		if e := &r.Effects[i]; e.Kind == risk.KindParts {
			e.Target = value.Concat(e.Target, first)
		}
	}
}

// dd copies if= to of=; what is missing is standard input or output.
func dd(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	in, read := m.Value("in")
	out, written := m.Value("out")
	if written && site.IsScreen(out) {
		written = false
	}
	source := catalog.Source{Stdin: true}
	if read {
		source = site.SourceOf(in)
	}
	if source.Stdin {
		r.ReadsStdin = true
		r.ShowsStdin = !written
	} else {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: in, Arg: "in", Shown: !written})
	}
	if written {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: out, Arg: "out", Carries: []catalog.Source{source}})
	}
}

// tempDir is where temporary files go: TMPDIR, or /tmp (mktemp(1)).
func tempDir(s *catalog.Site) value.Value {
	if v, set, _ := s.Env("TMPDIR"); set && !v.Empty() {
		return v
	}
	return value.Lit("/tmp")
}
