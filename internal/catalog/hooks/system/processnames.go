package system

import (
	"path"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/hooks/site"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// everyProcess is a list of processes that nothing was picked from.
var everyProcess = value.Listing{Of: value.OfProcesses}

// ps lists processes (ps(1)).
func ps(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	r.Lists = psLists(s.Args)
	for _, w := range append(s.Args[:min(1, len(s.Args)):min(1, len(s.Args))], m.Values("word")...) {
		text, known := w.Known()
		// Without a dash, BSD's e: the environment after the command (ps(1)).
		if known && text != "" && text[0] != '-' && strings.Contains(text, "e") && strings.Trim(text, "aAcefgHjlLmnrsSTuvwxX") == "" {
			site.ShowsEnvironment(r)
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.SecretRead, Kind: risk.KindOthersEnvironment})
		}
	}
}

// pgrep lists those of a name.
func pgrep(_ *catalog.Match, s *catalog.Site, r *catalog.Result) { r.Lists = searched(s.Name, s.Args) }

// Picks adds to a hook, which may be nil, that its program leaves of a list of
// processes those that a pattern among its words matches.
func Picks(pattern func(words []value.Value) string, hook catalog.Hook) catalog.Hook {
	return func(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
		if hook != nil {
			hook(m, s, r)
		}
		list := s.Stdin.Lists(value.OfProcesses)
		if list.Of == value.NoListing {
			return
		}
		r.Lists = list
		switch named := pattern(s.Args); {
		case named == "":
		case list.Named == "":
			r.Lists.Named = named
		default:
			r.Lists.Named += " " + named
		}
	}
}

// psLists reads what ps lists: every process, those of a name (-C), or, with
// other choices, a few (ps(1), "PROCESS SELECTION").
func psLists(words []value.Value) value.Listing {
	for i, w := range words {
		text := w.Prefix()
		letters, _, _ := strings.Cut(text, "o") // behind it are the columns
		switch {
		case text == "":
			return value.Listing{}
		case text == "-C" && i+1 < len(words):
			return value.Listing{Of: value.OfProcesses, Named: strings.ReplaceAll(words[i+1].Prefix(), ",", "|")}
		case text == "-aux":
		case strings.HasPrefix(text, "--ppid"), strings.HasPrefix(text, "--pid"), strings.HasPrefix(text, "--user"), strings.HasPrefix(text, "--tty"),
			text[0] >= '0' && text[0] <= '9',
			text[0] == '-' && !strings.HasPrefix(text, "--") && strings.ContainsAny(letters, "pgGtuUqs"):
			return value.Listing{}
		}
	}
	return everyProcess
}

// searched reads the name that pgrep or pidof looks for. Where only some of
// the processes of that name are meant, it says nothing (pgrep(1), pidof(1)).
func searched(program string, words []value.Value) value.Listing {
	skip := false
	for _, w := range words {
		text, known := w.Known()
		switch {
		case skip:
			skip = false
		case !known:
			return value.Listing{}
		case text == "-d" || text == "-r" || text == "--delimiter" || program == "pidof" && (text == "-o" || text == "-S"):
			skip = true
		case strings.HasPrefix(text, "--"), program == "pgrep" && strings.HasPrefix(text, "-") && strings.ContainsAny(text, "vPtgGuUsF"):
			return value.Listing{}
		case strings.HasPrefix(text, "-"):
		case text != "":
			return value.Listing{Of: value.OfProcesses, Named: text}
		}
	}
	return value.Listing{}
}

// Grepped returns what grep looks for, or "" if lines with it are left out.
func Grepped(words []value.Value) string {
	pattern := ""
	for i := 0; i < len(words); i++ {
		text, known := words[i].Known()
		switch {
		case !known:
			return ""
		case text == "-e" || text == "--regexp":
			continue
		case text == "-m" || text == "-A" || text == "-B" || text == "-C":
			i++
		case strings.HasPrefix(text, "--"):
			if text == "--invert-match" {
				return ""
			}
		case strings.HasPrefix(text, "-") && len(text) > 1:
			if strings.Contains(text, "v") {
				return ""
			}
		case pattern == "":
			pattern = text
		default:
			pattern += "|" + text
		}
	}
	return pattern
}

// AwkPicks returns the expressions and words that the first pattern of an awk
// program asks for, where it does not ask for what is not there.
func AwkPicks(words []value.Value) string {
	for i := 0; i < len(words); i++ {
		text, known := words[i].Known()
		switch {
		case !known:
			return ""
		case text == "-F" || text == "-v":
			i++
		case strings.HasPrefix(text, "-"):
		default:
			return awkPattern(text)
		}
	}
	return ""
}

// processesOf returns the pattern that the processes in a word were found by.
// Besides lists there are the files in which services keep their numbers
// (FHS 3.0, 3.15 "/run").
func processesOf(v value.Value) (string, bool) {
	for _, h := range v.Holes() {
		if h.Lists.Of == value.OfProcesses && h.Lists.Named != "" {
			return h.Lists.Named, true
		}
		if h.Cause != risk.CauseFile {
			continue
		}
		if name, ok := strings.CutSuffix(h.Name, ".pid"); ok && (strings.HasPrefix(name, "/run/") || strings.HasPrefix(name, "/var/run/")) {
			return path.Base(name), true
		}
	}
	return "", false
}
