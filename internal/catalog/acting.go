package catalog

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/risk"
)

// Where a spec lets options pass that it does not list (syntax any-option), the
// program is one of many verbs and options, of which most name what is asked for
// or say how the answer looks. Those are known by the words of their names; of
// all others nobody knows that they do not write, run or send.

// reachingWords make an option that names a file, a program, a place or an
// address, or that acts, whatever stands beside them.
const reachingWords = " out output outfile outdir file files filename path paths dir directory dest destination log logfile dump save write export import report trace " +
	"exec execute cmd command run script program hook plugin module load preload config configuration conf settings template body document url uri endpoint proxy server socket listen bind port address editor pager shell browser web open " +
	"delete purge force fix update upgrade install apply approve auto create put edit rename move clean prune reset overwrite replace sync push upload download enable start stop kill store cert password secret token env environment " +
	"tls ssl verify verification insecure certificate signature signatures checksum checksums trust trusted authentication sandbox "

// namingWords say, at the end of an option's name, that what stands before them
// is only named: --table-name.
const namingWords = " name names id ids arn arns type types kind kinds state states status class prefix suffix tag tags label labels version versions time date days hours minutes seconds count counts number limit page pages level format width height size style color colour colors mode filter filters sort order by code region zone group namespace resource "

// limitingWords begin names that include, leave out or limit.
const limitingWords = " disable dry no not show hide include exclude only max min without skip ignore omit with "

// lookingWords say how an answer looks, or which part of it is wanted: a name that
// has nothing else in it changes nothing.
const lookingWords = " all long short full brief compact verbose verbosity quiet silent pretty raw json yaml yml toml csv tsv xml text plain table tree wide oneline stat summary summarize statistics stats " +
	"color colour progress reverse limit max min count total head tail first last since until before after follow recursive recursively depth installed outdated available deleted closed merged draft archived public private " +
	"columns noheadings no headers header total human readable bytes case sensitive insensitive strict list info details detail extended description local remote global system user unicode ascii utf8 hyperlinks abbrev trunc stream "

// reaches reports whether a word of an option's name says that it names a file or
// the like, or acts.
func reaches(word string) bool { return strings.Contains(reachingWords, " "+word+" ") }

// wordsOf are those of an option's name.
func wordsOf(option string) []string {
	name, _, _ := strings.Cut(strings.TrimLeft(option, "-/+"), "=")
	return strings.Split(strings.ToLower(strings.ReplaceAll(name, "_", "-")), "-")
}

// looks reports whether an option that no spec lists only says what is asked for
// or how the answer looks, by its name. Of one letter nothing is known.
func looks(option string) bool {
	if len(option) < 4 || !strings.HasPrefix(option, "--") && len(option) < 5 {
		return false
	}
	words := wordsOf(option)
	first, rest, last := words[0], words[1:], words[len(words)-1]
	switch {
	case len(rest) > 0 && strings.Contains(namingWords, " "+last+" "):
		return len(rest) > 1 || !slices.ContainsFunc(words[:len(words)-1], func(w string) bool { return w != "log" && w != "key" && w != "secret" && reaches(w) })
	case len(rest) > 0 && strings.Contains(limitingWords, " "+first+" "):
		return !slices.ContainsFunc(rest, reaches)
	}
	return !slices.ContainsFunc(words, func(w string) bool {
		return !strings.Contains(lookingWords, " "+w+" ") && !strings.Contains(namingWords, " "+w+" ")
	})
}

// requests reports whether a parameter of a request to a service, by the words
// of its name, only says what is asked for. In a compound the last word is the
// thing and those before it say which: --command-id names no command.
func requests(words []string) bool {
	last := words[len(words)-1]
	return len(words) > 1 && strings.Contains(namingWords, " "+last+" ") || !slices.ContainsFunc(words, reaches)
}

// holdsPlace reports whether the word of an option has more in it than a name: a
// path, an address, an option of something else.
func holdsPlace(option string) bool {
	return !strings.HasPrefix(option, "/") && strings.ContainsAny(option, "/:@,~$")
}

// behind reports whether a word with a slash in it stands behind an option that no
// spec lists, or is attached to it.
func (m *Match) behind(option string, attached bool) bool {
	return slices.ContainsFunc(m.params, func(p parameter) bool {
		return (p.attached || !attached) && p.name == strings.TrimLeft(option, "-") && len(p.words) > 0 && strings.Contains(p.words[0].Prefix(), "/")
	})
}

// namingVerbs are subcommands behind which a thing stands, and those that may stand behind
// the name of a group: whatever is written there, it is looked at.
const namingVerbs = " get describe list ls show view logs log explain help search find inspect info status diff wait can-i version versions completion completions why which where whence whereis path prefix root query check verify " +
	"validate lint doc docs topic outdated deps uses cat history contents variants provides depends support hash stats usage annotate tree schema metadata dump top tail trace events analyze ping head read select count resolve " +
	"lookup scan stat du df size about releases regions whoami fields wait tap edges ps pc proxy-status proxy-config current all routes members health metrics audit compare sum sha sha256 dependencies dependents owner owners " +
	"file files content summary print resources images pods containers nodes search-history sessions contexts facts face config-schema snapshot inventory banner explorer clusters apps:info apps builds changelog whatprovides help-search iostat echo agenda diff-closures introspect policy init repolist repoinfo verifychecksums uniquesize calculatedrift checksum plist pwgen se if isluks luksuuid benchmark "

// names reports whether what stands behind a subcommand is a thing that it looks at.
func names(verb string) bool {
	if strings.Contains(namingVerbs, " "+strings.ToLower(verb)+" ") || strings.HasSuffix(verb, ":info") {
		return true
	}
	for _, begin := range []string{"get", "list", "describe", "show", "ls", "search", "validate", "check", "detect", "estimate", "head", "lookup", "batch-get", "scan", "query", "filter", "read", "verify"} {
		rest, ok := strings.CutPrefix(verb, begin)
		if ok && len(rest) > 1 && (rest[0] == '-' || rest[0] == '_') || strings.HasSuffix(verb, ":"+begin) {
			return true
		}
	}
	return false
}

// unnamed notes the word behind a subcommand that is said to show something, whatever
// stands behind it, where that may be another verb: `plugin install`, `profile NAME`.
func (r *Result) unnamed(m *Match) {
	node := m.Node()
	short := len(m.Chain) > 1 && node.Hook == "" && len(node.Operands) == 1 && node.Operands[0].Name == "operand" && node.Operands[0].Many
	if !short || m.Has("dry") || len(m.operands) == 0 || m.verb == "" || names(m.verb) {
		return
	}
	word, known := m.operands[0].Known()
	if slices.ContainsFunc(m.params, func(p parameter) bool {
		return !p.attached && len(p.words) > 0 && p.words[0].String() == m.operands[0].String()
	}) {
		return // what an option is set to
	}
	if !known || !names(word) {
		r.Unknowns = append(r.Unknowns, risk.Unknown{What: m.operands[0].String(), Role: risk.RoleOperand})
	}
}

// doubts notes the options that nobody explains, where everything else that is
// said of the invocation may pass without a question.
func (r *Result) doubts(m *Match) {
	asked := slices.ContainsFunc(r.Effects, func(e Effect) bool {
		switch e.Verb {
		case risk.FSRead, risk.FSCreate, risk.VCSLocal, risk.RemoteRead, risk.DBRead:
			return false
		}
		return true
	})
	if r.Help { // the language that it is written in reads some options first
		for _, u := range slices.Concat(m.accepted, m.Unknown) {
			if holdsPlace(u) || m.behind(u, false) {
				r.Unknowns = append(r.Unknowns, risk.Unknown{What: u, Role: risk.RoleOption})
			}
		}
		return
	}
	if asked || slices.ContainsFunc(r.Runs, func(run Run) bool { return run.Kind == RunPlugin }) {
		return
	}
	r.unnamed(m)
	var syntax Syntax
	for _, c := range m.Chain {
		syntax |= c.Syntax
	}
	for _, u := range m.accepted {
		letter := len(u) < 3
		understood := letter && syntax&ReadOptions != 0 || !letter && syntax&(ReadOptions|Parameters) != 0 && requests(wordsOf(u))
		named := syntax&Parameters == 0 && m.behind(u, true) // a file, however the option is called
		if holdsPlace(u) || named || !looks(u) && !understood {
			r.Unknowns = append(r.Unknowns, risk.Unknown{What: u, Role: risk.RoleOption})
		}
	}
}
