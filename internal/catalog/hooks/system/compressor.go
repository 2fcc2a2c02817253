package system

import (
	"path"
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
	if m.Has("list") || m.Has("test") {
		site.ShowFiles(r, files, false)
		return
	}
	name := path.Base(s.Name)
	decompress := m.Has("decompress") || strings.HasPrefix(name, "un") || strings.HasSuffix(name, "cat") || strings.HasPrefix(name, "gun") || strings.HasPrefix(name, "bun")
	stdout := m.Has("stdout") || strings.HasSuffix(name, "cat")
	if len(files) == 0 {
		r.ReadsStdin, r.ShowsStdin = true, true
	}
	out, named := m.Value("out")
	keep := m.Has("keep") || compressorKeeps(name) && !m.Has("remove")
	suffix := compressorSuffix(name)
	if v, ok := m.Value("suffix"); ok && v.IsKnown() {
		suffix = "." + strings.TrimPrefix(v.String(), ".")
	}
	if compressorPair(name) && len(files) == 2 && !m.Has("multiple") && !m.Has("recursive") && !strings.HasSuffix(name, "cat") {
		files, out, named = files[:1], files[1], true
	}
	for _, f := range files {
		switch {
		case site.SameWord(f, "-"):
			r.ReadsStdin, r.ShowsStdin = true, r.ShowsStdin || !named
			if named {
				compressorWrites(m, r, f, out)
			}
		case named && !site.SameWord(out, "-"):
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: f, Arg: "file"})
			compressorWrites(m, r, f, out)
		case stdout || named:
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: f, Arg: "file", Shown: true})
			if m.Has("remove") {
				r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSDelete, Target: f, Arg: "file"})
			}
		case keep:
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: f, Arg: "file"})
			compressorWrites(m, r, f, compressorOther(f, suffix, decompress))
		default:
			detail := risk.KindReplacedByItsCompressedForm
			if decompress {
				detail = risk.KindReplacedByItsDecompressedForm
			}
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: f, Arg: "file", Kind: detail, Recursive: m.Has("recursive"), Forced: m.Has("force")})
		}
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
	e := catalog.Effect{Verb: risk.FSCreate, Target: to, Arg: "out", Carries: []catalog.Source{{Path: from}}}
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
