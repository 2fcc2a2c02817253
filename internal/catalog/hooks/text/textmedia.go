package text

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// ghostscript reads the definitions -sOutputFile= and the like; without the
// sandbox, which is the default since 9.50, a document is a program.
func ghostscript(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	var carries []catalog.Source
	for _, f := range m.Operands() {
		carries = append(carries, catalog.Source{Path: f})
		piped := site.SameWord(f, "-") && s.HasStdin && !m.Has("-dSAFER") // whether files are out of its reach depends on the version
		if m.Has("unsafe") || piped {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunScript, Lang: "postscript", Text: f, Stdin: site.SameWord(f, "-")})
			continue
		}
		site.ShowFiles(r, []value.Value{f}, false)
	}
	const option = "-sOutputFile="
	for _, w := range s.Args {
		text := w.Prefix()
		if !strings.HasPrefix(text, option) {
			continue
		}
		out := w.Cut(len(option))
		if strings.HasPrefix(out.Prefix(), "%pipe%") || strings.HasPrefix(out.Prefix(), "|") {
			site.RunText(r, out.Cut(len(out.Prefix())-len(strings.TrimPrefix(strings.TrimPrefix(out.Prefix(), "%pipe%"), "|"))))
		} else if !site.SameWord(out, "-") && !strings.HasPrefix(out.Prefix(), "%std") {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: out, Carries: carries})
		}
	}
}

// imagemagick takes the last word for the output and the words before it that
// look like files for inputs ("Anatomy of the Command-line").
func imagemagick(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	args := s.Args
	for _, w := range args { // a list of pictures, or the text of an option: what is no name comes out in errors
		if text := w.Prefix(); strings.HasPrefix(text, "@") {
			site.ShowFiles(r, []value.Value{w.Cut(1)}, true)
		}
		if s.Name == "conjure" && !strings.HasPrefix(w.Prefix(), "-") {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunScript, Lang: "magick", Text: w})
		}
	}
	if s.Name == "conjure" {
		return
	}
	writes := true
	if len(args) > 0 {
		switch text, _ := args[0].Known(); text {
		case "identify", "display", "animate":
			args, writes = args[1:], false
		case "convert", "composite", "montage", "mogrify", "compare", "stream", "import", "-script":
			if text == "-script" && len(args) > 1 {
				r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunScript, Lang: "magick", Text: args[1]})
				return
			}
			args = args[1:]
		}
	}
	writes = writes && s.Name != "display" && s.Name != "animate"
	var carries []catalog.Source
	for i, w := range args {
		text := w.Prefix()
		last := i == len(args)-1 && i > 0
		if strings.HasPrefix(text, "-") && text != "-" || strings.HasPrefix(text, "+") || i > 0 && imageOption(args[i-1].Prefix()) && !last {
			continue
		}
		if last && writes {
			if out := imageName(w); site.SameWord(out, "-") {
				r.ShowsStdin = r.ReadsStdin
			} else {
				r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: out, Carries: carries})
			}
			return
		}
		if strings.HasPrefix(text, "http://") || strings.HasPrefix(text, "https://") {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetFetch, Target: w})
			continue
		}
		if imageCode(r, w) {
			continue
		}
		f := imageName(w)
		if name := f.Prefix(); f.IsKnown() && name != "-" && !strings.ContainsAny(name, "./") {
			continue // a built-in image such as rose: or a number
		}
		carries = append(carries, catalog.Source{Path: f})
		read := textImage(w) && (!writes || site.SameWord(imageName(args[len(args)-1]), "-"))
		if read {
			m.Set("reading")
		}
		site.ShowFiles(r, []value.Value{f}, read)
	}
}

// imageFormats are formats and built-in images that may stand before a name and make
// no more of it than a picture (ImageMagick 7, "Image Formats").
const imageFormats = ` aai apng art avif avs bgr bgra bie bmp bmp2 bmp3 brf bw canvas caption clip cmyk cmyka cr2 cr3 crw cur cut dcm dcr dcx dds dng dpx exr farbfeld fits fl32 fractal ftxt g3 gif gif87 gradient gray graya hald hdr heic heif histogram icb
ico icon info inline ipl j2c j2k jng jp2 jpc jpe jpeg jpg jpm json jxl k25 kdc label logo mask mat matte miff mono mpc mpr mrw mtv nef netscape null orf otb pal palm pam pango pattern pbm pcd pcds pct pcx pdb pef pfm pgm pgx phm pict pix pjpeg plasma
png png00 png24 png32 png48 png64 png8 pnm ppm ps psb psd ptif qoi radial-gradient raf ras raw rgb rgba rgb565 rgf rla rle rose rw2 scr sfw sgi sixel sparse-color sr2 srf stegano sun tga tiff tif tiff64 tile tim tm2 txt uil uyvy vda vicar vid viff vips vst wbmp
webp wizard wpg xbm xc xcf xpm xv ycbcr ycbcra yuv pdf eps eps2 eps3 epdf epsf epsi x3f `

// imageCode tells of a word whose prefix makes more of it than a picture: msl: is a
// script, ephemeral: deletes the file once it is read, and some others draw on the
// screen, reach out or start programs. It reports whether it was one.
func imageCode(r *catalog.Result, w value.Value) bool {
	format, _, ok := strings.Cut(strings.ToLower(w.Prefix()), ":")
	if ext := strings.ToLower(w.Prefix()); strings.HasSuffix(ext, ".msl") && (!ok || strings.ContainsAny(format, "/.[")) { // a script by its ending
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunScript, Lang: "magick", Text: w})
		return true
	}
	if !ok || len(format) < 2 || strings.ContainsAny(format, "/.[") || slices.Contains(strings.Fields(imageFormats), format) {
		return false
	}
	f := imageName(w)
	switch format {
	case "ephemeral":
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSDelete, Target: f, Arg: "file"})
	case "msl":
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunScript, Lang: "magick", Text: f})
	default:
		site.NotUnderstood(r, w)
	}
	return true
}

// identify reads pictures, and runs what is more than one.
func identify(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	for _, w := range slices.Concat(m.Values("file"), m.Values("format")) {
		if strings.HasPrefix(w.Prefix(), "@") {
			site.ShowFiles(r, []value.Value{w.Cut(1)}, true)
		}
	}
	for _, w := range m.Values("file") {
		if !strings.HasPrefix(w.Prefix(), "@") && !imageCode(r, w) {
			site.ShowFiles(r, []value.Value{imageName(w)}, false)
		}
	}
}

// imageOption reports whether the word before is an option that likely takes a
// value. Those that take none are few and listed.
func imageOption(option string) bool {
	if len(option) < 2 || option[0] != '-' && option[0] != '+' {
		return false
	}
	switch option[1:] {
	case "append", "strip", "flip", "flop", "trim", "verbose", "quiet", "auto-orient", "negate", "normalize", "flatten", "coalesce",
		"monochrome", "clone", "repage", "adjoin", "auto-level", "equalize", "transpose", "transverse", "layers-flatten", "version", "identify", "regard-warnings", "ping":
		return false
	}
	return true
}

// textImage reports whether a word makes a picture of the text of a file: whoever
// sees the picture reads it (ImageMagick 7, "Image Formats").
func textImage(w value.Value) bool {
	format, rest, _ := strings.Cut(strings.ToLower(w.Prefix()), ":")
	switch format {
	case "label", "caption", "pango":
		return strings.HasPrefix(rest, "@")
	case "text", "txt", "ftxt", "html", "htm", "shtml", "markdown", "md":
		return true
	}
	return false
}

// imageName cuts the format or protocol before a name: png:x, label:@file.
func imageName(w value.Value) value.Value {
	text := w.Prefix()
	format, rest, ok := strings.Cut(text, ":")
	if ok && len(format) > 1 && !strings.ContainsAny(format, "/.") {
		n := len(text) - len(strings.TrimPrefix(rest, "@"))
		return w.Cut(n)
	}
	return w
}

// exiftool writes where an option assigns: -TAG=VALUE; the tag FileName moves
// the file (exiftool(1), "Writing").
func exiftool(_ *catalog.Match, s *catalog.Site, r *catalog.Result) {
	var files, moves []value.Value
	writes := false
	for i := 0; i < len(s.Args); i++ {
		w := s.Args[i]
		text := w.Prefix()
		lower := strings.ToLower(text)
		next := value.Value{}
		if i+1 < len(s.Args) {
			next = s.Args[i+1]
		}
		switch {
		case len(text) < 2 || text[0] != '-':
			files = append(files, w)
		case lower == "-if" || lower == "-p" || lower == "-userparam" || lower == "-w" || lower == "-ext" || lower == "-x" || lower == "-d" || lower == "-c" || lower == "-api" || lower == "-charset" || lower == "-i" || strings.HasPrefix(lower, "-efile") || lower == "-textout" || exifCondition(lower):
			i++
			if api := strings.ToLower(next.Prefix()); exifCondition(lower) || lower == "-api" && (!next.IsKnown() || strings.HasPrefix(api, "filter")) {
				r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunCode, Lang: "perl", Text: next})
			}
		case lower == "-config":
			i++
			if !next.Empty() {
				r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunScript, Lang: "perl", Text: next})
			}
		case lower == "-@" || lower == "-tagsfromfile" || lower == "-srcfile":
			i++
			site.ShowFiles(r, []value.Value{next}, true)
		case lower == "-o" || lower == "-out":
			i++
			site.WriteFile(r, next, risk.KindMetadata)
		case strings.HasPrefix(lower, "-filename=") || strings.HasPrefix(lower, "-directory="):
			moves = append(moves, w.Cut(strings.IndexByte(text, '=')+1))
		case strings.HasPrefix(lower, "-filename<") || strings.HasPrefix(lower, "-directory<"): // a name out of the file itself
			moves = append(moves, value.Of(value.Hole{Cause: risk.CauseMatch, Name: "exiftool", Shape: value.AnyPath}))
		case strings.ContainsAny(text, "=<>") || strings.HasPrefix(text, "-delete_original") || strings.HasPrefix(text, "-restore_original"):
			writes = true
		}
	}
	for _, f := range files {
		switch {
		case len(moves) > 0:
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSMove, Target: f})
			for _, to := range moves {
				r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: to, Carries: []catalog.Source{{Path: f}}})
			}
		case writes:
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: f, Arg: "file", Kind: risk.KindMetadata})
		default:
			site.ShowFiles(r, []value.Value{f}, true)
		}
	}
}

// exifCondition reports whether an option has an expression of Perl: -if, with a number that
// says which files it counts for (exiftool(1), "-if[NUM] EXPR").
func exifCondition(option string) bool {
	rest, ok := strings.CutPrefix(option, "-if")
	return ok && strings.Trim(rest, "0123456789") == ""
}

// sox reads its first file and writes the second; a name behind a bar is a command
// that is run, whose output is the sound (sox(1), "Special Filenames").
func sox(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	plays := s.Name != "sox"
	places := []string{"file", "out", "effect"}
	if records, device := soundDevice(m, s); device && !plays { // which stands where a file would
		places = []string{"file", "effect"}
		if records {
			places = []string{"out", "effect"}
		}
	}
	for i, given := range [][]value.Value{m.Values("file"), m.Values("out"), m.Values("effect")} {
		name := places[min(i, len(places)-1)]
		for _, w := range given {
			text := w.Prefix()
			switch {
			case strings.HasPrefix(text, "|"):
				site.RunText(r, w.Cut(1))
			case name == "file" || name == "effect" && plays:
				site.ShowFiles(r, []value.Value{w}, false)
			case name == "out":
				site.WriteFile(r, w, risk.NoKind)
			}
		}
	}
}

// soundDevice reports whether sox uses the sound device, and records from it: -d stands
// before the file that is written (sox(1), "Input & Output File Options").
func soundDevice(m *catalog.Match, s *catalog.Site) (records, device bool) {
	first := m.Values("file")
	for _, w := range s.Args {
		switch {
		case site.SameWord(w, "-d"), site.SameWord(w, "--default-device"):
			return true, true
		case len(first) > 0 && w.String() == first[0].String():
			return false, slices.ContainsFunc(s.Args, func(v value.Value) bool { return site.SameWord(v, "-d") || site.SameWord(v, "--default-device") })
		}
	}
	return false, false
}

// mkvextract writes what stands behind the colon of a part, or the word itself
// (mkvextract(1), "Extraction mode").
func mkvextract(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	modes := []string{"tracks", "attachments", "chapters", "tags", "cuesheet", "timestamps_v2", "timecodes_v2", "cues"}
	parts := m.Values("part")
	if film, _ := m.Value("film"); len(parts) > 0 && slices.Contains(modes, film.String()) { // as before version 17
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: parts[0]})
		parts = parts[1:]
	}
	for _, w := range parts {
		text, known := w.Known()
		_, name, numbered := strings.Cut(w.Prefix(), ":")
		switch {
		case known && slices.Contains(modes, text):
		case numbered:
			site.WriteFile(r, w.Cut(len(w.Prefix())-len(name)), risk.NoKind)
		default:
			site.WriteFile(r, w, risk.NoKind)
		}
	}
}

// plays reads files and fetches addresses.
func plays(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	for _, w := range m.Values("file") {
		if text := w.Prefix(); strings.Contains(text, "://") && !strings.HasPrefix(text, "file:") {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetFetch, Target: w})
			continue
		}
		site.ShowFiles(r, []value.Value{w}, false)
	}
}
