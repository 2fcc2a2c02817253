package system

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/once"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// A sipsOption is what follows an option of sips, and what it does.
type sipsOption struct {
	words   int
	changes bool
}

// sipsOptions says how many words follow an option of sips, and whether it
// changes the pictures (sips(1), macOS 14).
var sipsOptions = once.Value[map[string]sipsOption]{Make: func() map[string]sipsOption {
	return map[string]sipsOption{
		"-g": {1, false}, "--getProperty": {1, false}, "-x": {1, false}, "--extractProfile": {1, false}, "--extractTag": {2, false},
		"-X": {2, false}, "-o": {1, false}, "--out": {1, false}, "-j": {1, false}, "--js": {1, false},
		"--padColor": {1, false}, "--cropOffset": {2, false}, "-1": {0, false}, "--oneLine": {0, false}, "--debug": {0, false}, "--verify": {0, false}, "-v": {0, false},
		"-s": {2, true}, "--setProperty": {2, true}, "-z": {2, true}, "--resampleHeightWidth": {2, true}, "-c": {2, true}, "--cropToHeightWidth": {2, true},
		"-p": {2, true}, "--padToHeightWidth": {2, true}, "-M": {2, true}, "--matchToWithIntent": {2, true}, "--loadTag": {2, true}, "--copyTag": {2, true}, "--deleteTag": {1, true},
		"-d": {1, true}, "--deleteProperty": {1, true}, "-r": {1, true}, "--rotate": {1, true}, "-f": {1, true}, "--flip": {1, true},
		"-Z": {1, true}, "--resampleHeightWidthMax": {1, true}, "--resampleWidth": {1, true}, "--resampleHeight": {1, true},
		"-e": {1, true}, "--embedProfile": {1, true}, "-E": {1, true}, "--embedProfileIfNone": {1, true}, "-m": {1, true}, "--matchTo": {1, true},
		"-i": {0, true}, "--addIcon": {0, true}, "--deleteColorManagementProperties": {0, true}, "--repair": {0, true}, "--optimizeColorForSharing": {0, true},
	}
}}

// sips tells pictures from the words of options that take two of them. Without
// --out it changes the pictures where they are.
func sips(_ *catalog.Match, s *catalog.Site, r *catalog.Result) {
	var pictures, profiles []value.Value
	var out value.Value
	changes, written := false, false
	for i := 0; i < len(s.Args); i++ {
		name, known := s.Args[i].Known()
		if !known || !strings.HasPrefix(name, "-") {
			pictures = append(pictures, s.Args[i])
			continue
		}
		switch name {
		case "-h", "--help", "-H", "--helpProperties", "--formats", "--version":
			return
		}
		o, listed := sipsOptions.Get()[name]
		changes = changes || o.changes || !listed
		last := i + o.words
		i = min(last, len(s.Args)-1)
		if last >= len(s.Args) || o.words == 0 {
			continue
		}
		switch name {
		case "-o", "--out":
			out, written = s.Args[i], true
		case "-x", "--extractProfile", "--extractTag", "-X":
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: s.Args[i]})
		case "-e", "--embedProfile", "-E", "--embedProfileIfNone", "-m", "--matchTo", "--loadTag":
			profiles = append(profiles, s.Args[i])
		case "-M", "--matchToWithIntent":
			profiles = append(profiles, s.Args[i-1])
		case "-j", "--js":
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunScript, Lang: "javascript", Text: s.Args[i]})
		}
	}
	site.ShowFiles(r, profiles, false)
	site.ShowFiles(r, pictures, false)
	var carries []catalog.Source
	for _, p := range pictures {
		carries = append(carries, catalog.Source{Path: p})
		if changes && !written {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: p})
		}
	}
	if written {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: out, Carries: carries})
	}
}

// xattrHook tells files from the name and the value of an attribute, which
// come before them.
func xattrHook(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	words := m.Values("word")
	skip := 0
	switch {
	case m.Has("write"):
		skip = 2
	case m.Has("removed"):
		skip = 1
	case !m.Has("clear"):
		return
	}
	files := words[min(skip, len(words)):]
	for _, f := range files {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSAttr, Target: f, Arg: "word", Recursive: m.Has("recursive")})
	}
	if len(files) > 0 && (m.Has("clear") || m.Has("removed") && !words[0].IsKnown() || m.Has("removed") && site.IsLiteral(words[0], "com.apple.quarantine")) {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.DefenseEvade, Target: value.Lit("the check of downloaded programs"), Recursive: m.Has("recursive")})
	}
}
