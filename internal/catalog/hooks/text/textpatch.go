package text

import (
	"path"
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// patch writes the file that is named, or those that the patch names
// (GNU patch 2.7.6 manual, "Input and Output").
func patch(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	input, given := m.Value("input")
	if !given {
		input, given = m.Value("patch")
	}
	var text value.Value
	whole := false // text is all of the patch
	switch content, ok := site.SiteFile(s, input); {
	case given && ok:
		text, whole = value.Lit(content), true
	case !given || site.SameWord(input, "-"):
		r.ReadsStdin = true
		text, whole = s.Stdin, s.HasStdin
		if hs := text.Holes(); len(hs) == 1 && len(text.Parts()) == 1 && hs[0].Cause == risk.CauseFile {
			if content, ok := site.SiteFile(s, value.Lit(hs[0].Name)); ok {
				text = value.Lit(content)
			}
		}
	}
	content, known := text.Known()
	if m.Has("dry") || known && content == "" && whole && len(m.Values("out")) == 0 { // an empty patch changes nothing
		return
	}
	dir, inDir := m.Value("directory")
	if !inDir {
		dir = value.Lit(".")
	}
	file, named := m.Value("file")
	if out, ok := m.Value("out"); ok {
		if named {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: file})
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: out, Carries: []catalog.Source{{Path: file}}})
			return
		}
		site.WriteFile(r, out, risk.KindPatch)
		return
	}
	if named {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: file, Arg: "file", Kind: risk.KindPatch})
		return
	}
	names := PatchNames(content, PatchStrip(m, -1))
	if !known || len(names) == 0 {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: dir, Recursive: true, Kind: risk.KindPatch})
		return
	}
	for _, n := range names {
		target := value.Lit(n)
		if inDir {
			target = value.Concat(dir, value.Lit("/"+n))
		}
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: target, Arg: "file", Kind: risk.KindPatch})
	}
}

const maxPatchNames = 200

// PatchStrip is how many leading elements -p takes off the names of a patch,
// -1 for all but the last.
func PatchStrip(m *catalog.Match, otherwise int) int {
	v, ok := m.Value("strip")
	if !ok {
		return otherwise
	}
	text, _ := v.Known()
	n, err := strconv.Atoi(text)
	if err != nil {
		return otherwise
	}
	return n
}

// PatchNames returns the files that the headers of a patch name, without the
// elements that are stripped; nil if there are too many.
func PatchNames(text string, strip int) []string {
	var names []string
	old := ""
	for line := range strings.SplitSeq(text, "\n") {
		if name, ok := strings.CutPrefix(line, "--- "); ok {
			old, _, _ = strings.Cut(name, "\t")
		}
		name, ok := strings.CutPrefix(line, "+++ ")
		if !ok {
			continue
		}
		name, _, _ = strings.Cut(strings.TrimRight(name, "\r"), "\t")
		if name == "/dev/null" {
			name = old
		}
		if strip < 0 {
			name = path.Base(name)
		}
		for range strip {
			_, name, _ = strings.Cut(name, "/")
		}
		if name == "" || len(names) == maxPatchNames {
			return nil
		}
		names = append(names, name)
	}
	return names
}
