package hooks

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// dash takes the operand "-" for a file of that name, as rm does: it has no
// standard input to delete.
func dash(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	for _, v := range m.Values("file") {
		if isLiteral(v, "-") {
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
	detail := "pipe"
	if !strings.HasSuffix(s.Name, "mkfifo") {
		if len(names) > 1 && !isLiteral(names[1], "p") {
			detail = "device"
		}
		names = names[:min(1, len(names))]
	}
	mode, given := m.Value("mode")
	for _, v := range names {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSCreate, Target: v, Arg: "name", Detail: detail})
		attrOf(r, v, mode, given)
	}
}

// mktemp makes a file in the temp directory unless a directory or a template
// names another place.
func mktemp(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	template, named := m.Value("template")
	dir, placed := m.Value("dir")
	if m.Has("tmp") || !named && !placed {
		return
	}
	if !named {
		template = value.Lit("tmp.XXXXXXXXXX")
	}
	if placed {
		template = inside(dir, template)
	}
	r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSCreate, Target: template, Arg: "template"})
	name := value.Of(value.Hole{Cause: value.CauseOutput, Name: "mktemp", Shape: value.Word})
	if text, known := template.Known(); known {
		if i := strings.LastIndexByte(text, '/'); i >= 0 {
			name = value.Concat(value.Lit(text[:i+1]), name)
		}
		r.Prints, r.Stdout = catalog.PrintsText, &name
	}
}

// dd copies if= to of=; what is missing is standard input or output.
func dd(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	in, read := m.Value("in")
	out, written := m.Value("out")
	if written && isScreen(out) {
		written = false
	}
	source := catalog.Source{Stdin: true}
	if read {
		source = sourceOf(in)
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
