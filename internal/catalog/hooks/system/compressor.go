package system

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// compressorSuffixes are the endings that compressors add, and cut when they
// decompress (gzip(1), bzip2(1), xz(1), zstd(1), lz4(1)).
func compressorSuffix(name string) string {
	switch {
	case strings.Contains(name, "bz"):
		return ".bz2"
	case strings.Contains(name, "zst"):
		return ".zst"
	case strings.Contains(name, "lz4"):
		return ".lz4"
	case strings.Contains(name, "xz"):
		return ".xz"
	case strings.Contains(name, "lzma"):
		return ".lzma"
	case strings.Contains(name, "lzip"):
		return ".lz"
	case strings.Contains(name, "lzop"):
		return ".lzo"
	case strings.Contains(name, "brotli"):
		return ".br"
	case name == "compress", name == "uncompress":
		return ".Z"
	}
	return ".gz"
}

// compressor says what becomes of the files: they are shown, or another file
// is made beside them, or they are replaced by their other form.
func compressor(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if m.Has("help") {
		return
	}
	files := m.Values("file")
	name := path.Base(s.Name)
	mode := compressorMode(m, name)
	switch {
	case m.Has("train"):
		compressorTrains(m, r, files)
		return
	case mode == "list", mode == "test":
		site.ShowFiles(r, files, false)
		return
	}
	c := compression{m: m, r: r, decompress: mode == "decompress"}
	cat := strings.HasSuffix(name, "cat")
	c.stdout = m.Has("stdout") || cat
	if c.out, c.named = m.Value("out"); len(files) == 0 {
		r.ReadsStdin, r.ShowsStdin = true, !c.named
		if c.named {
			compressorWrites(m, r, value.Lit("-"), c.out)
		}
	}
	c.keep = m.Has("keep") || compressorKeeps(name) && !m.Has("remove")
	c.suffix = compressorSuffix(name)
	if v, ok := m.Value("suffix"); ok && v.IsKnown() {
		c.suffix = "." + strings.TrimPrefix(v.String(), ".")
	}
	if v, ok := m.Value("format"); ok && v.IsKnown() {
		c.suffix = compressorSuffix(v.String())
	}
	if compressorPair(name) {
		several := m.Has("multiple") || m.Has("recursive")
		if len(files) == 2 && !several && !cat {
			files, c.out, c.named = files[:1], files[1], true
		}
		c.shows = !c.named && c.keep && (c.stdout || !several)
		c.stdout = c.stdout && !several // each has a name of its own then
	}
	for _, f := range files {
		c.file(f)
	}
}

// compressorMode is what is done: the last option that names it decides, where
// a program has one for each.
func compressorMode(m *catalog.Match, name string) string {
	if strings.Contains(name, "bz") || strings.HasPrefix(name, "bunzip") { // its long options count after all the short ones (bzip2.c, main)
		for _, mode := range []string{"compress", "decompress"} {
			if m.Has(mode) {
				return mode
			}
		}
	}
	if !m.Has("compress") { // gzip(1): to list and to test are ways to decompress
		for _, mode := range []string{"list", "test", "decompress"} {
			if m.Has(mode) {
				return mode
			}
		}
	}
	for _, flag := range slices.Backward(m.Flags()) {
		switch flag {
		case "list", "test", "decompress", "compress":
			return flag
		}
	}
	if strings.HasPrefix(name, "un") || strings.HasSuffix(name, "cat") || strings.HasPrefix(name, "gun") || strings.HasPrefix(name, "bun") {
		return "decompress"
	}
	return "compress"
}

// compressorTrains makes a dictionary of samples (zstd(1), "Dictionary builder").
func compressorTrains(m *catalog.Match, r *catalog.Result, files []value.Value) {
	site.ShowFiles(r, files, false)
	out, ok := m.Value("out")
	if !ok {
		out = value.Lit("dictionary")
	}
	e := catalog.Effect{Verb: risk.FSWrite, Target: out, Arg: "out"}
	for _, f := range files {
		e.Carries = append(e.Carries, catalog.Source{Path: f})
	}
	r.Effects = append(r.Effects, e)
}

// A compression is what a compressor does with each of its files.
type compression struct {
	m          *catalog.Match
	r          *catalog.Result
	decompress bool
	stdout     bool        // it is written to standard output
	shows      bool        // there, or into a file: that depends on what standard output is
	keep       bool        // the file stays beside its other form
	out        value.Value // where the other form goes
	named      bool
	suffix     string
}

func (c *compression) file(f value.Value) {
	m, r := c.m, c.r
	read := catalog.Effect{Verb: risk.FSRead, Target: f, Arg: "file"}
	switch {
	case site.SameWord(f, "-"):
		r.ReadsStdin, r.ShowsStdin = true, r.ShowsStdin || !c.named
		if c.named {
			compressorWrites(m, r, f, c.out)
		}
	case c.named && !site.SameWord(c.out, "-"):
		r.Effects = append(r.Effects, read)
		compressorWrites(m, r, f, c.out)
		if m.Has("remove") {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSDelete, Target: f, Arg: "file"})
		}
	case c.stdout || c.named:
		read.Shown, read.Recursive = true, m.Has("recursive")
		r.Effects = append(r.Effects, read)
		if m.Has("remove") {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSDelete, Target: f, Arg: "file"})
		}
	case c.keep && m.Has("recursive"): // beside each of the files below
		read.Recursive = true
		r.Effects = append(r.Effects, read)
		compressorWrites(m, r, f, f)
	case c.keep:
		read.Shown = c.shows
		r.Effects = append(r.Effects, read)
		compressorWrites(m, r, f, compressorOther(f, c.suffix, c.decompress))
	default:
		detail := risk.KindReplacedByItsCompressedForm
		if c.decompress {
			detail = risk.KindReplacedByItsDecompressedForm
		}
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: f, Arg: "file", Kind: detail, Recursive: m.Has("recursive"), Forced: m.Has("force")})
	}
}

// compressorKeeps names the programs that leave the input alone by default.
func compressorKeeps(name string) bool {
	return strings.Contains(name, "zst") || strings.Contains(name, "lz4") || strings.Contains(name, "lzop") || strings.Contains(name, "brotli")
}

// compressorPair names the programs whose second operand is the output.
func compressorPair(name string) bool { return strings.Contains(name, "lz4") }

// compressorWrites records the output; without force, what exists is kept.
func compressorWrites(m *catalog.Match, r *catalog.Result, from, to value.Value) {
	e := catalog.Effect{Verb: risk.FSCreate, Target: to, Arg: "out", Recursive: m.Has("recursive"), Carries: []catalog.Source{{Path: from}}}
	if site.SameWord(from, "-") {
		e.Carries = []catalog.Source{{Stdin: true}}
	}
	if m.Has("force") {
		e.Verb, e.Forced = risk.FSWrite, true
	}
	r.Effects = append(r.Effects, e)
}

// compressorOther returns the name of the other form of f.
func compressorOther(f value.Value, suffix string, decompress bool) value.Value {
	if !decompress {
		return value.Concat(f, value.Lit(suffix))
	}
	text, known := f.Known()
	if !known {
		return value.Concat(f, value.Lit(" decompressed"))
	}
	for _, end := range []string{suffix, ".gz", ".bz2", ".xz", ".zst", ".lz4", ".lzma", ".Z"} {
		if cut, ok := strings.CutSuffix(text, end); ok {
			return value.Lit(cut)
		}
	}
	if cut, ok := strings.CutSuffix(text, ".tgz"); ok {
		return value.Lit(cut + ".tar")
	}
	return value.Lit(text + ".out")
}
