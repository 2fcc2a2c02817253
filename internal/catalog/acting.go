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

// actingWords make an option that acts, or that names a file, a program, a place
// or an address, whatever else its name says.
const actingWords = " out output outfile outdir output-dir file filename path paths dir directory dest destination target-file log logfile dump save write export import report trace profile-output " +
	"exec execute cmd command run script program hook plugin module load preload config configuration conf settings template body policy-document url uri endpoint proxy host server socket listen bind port address editor pager shell browser " +
	"delete purge force fix update upgrade install apply approve auto create put edit rename move clean prune reset overwrite replace sync push upload download enable disable start stop kill cache store key-file ca cert credential credentials serial-filename destination-file to "

// namingWords say, at the end of an option's name, that what stands before them
// is only named: --log-group-name.
const namingWords = " name names id ids arn arns type types kind kinds state states status class prefix suffix tag tags label labels version versions time date days count number limit page pages level format width height style color colour mode key keys filter filters list count "

// startingWords begin names that include, leave out or limit.
const startingWords = " disable dry help log no not show include exclude only max min list without skip ignore "

// actingLetters are options of one letter that by custom name what is written.
const actingLetters = "oO"

// acts reports whether an option that no spec lists may write, run, send or obey
// something, by its name. This list is of what is dangerous, since those of what
// is not are the specs' own; an option that takes part in none is taken for one of
// looks, until its spec is read again.
func acts(option string) bool {
	name, _, _ := strings.Cut(option, "=")
	letters, long := strings.CutPrefix(name, "--")
	if !long {
		letters = strings.TrimPrefix(name, "-")
		if len(letters) == 1 {
			return strings.Contains(actingLetters, letters)
		}
	}
	words := strings.Split(strings.ToLower(strings.ReplaceAll(letters, "_", "-")), "-")
	last := words[len(words)-1]
	if strings.Contains(startingWords, " "+words[0]+" ") || len(words) > 1 && strings.Contains(namingWords, " "+last+" ") {
		return false
	}
	for _, w := range words {
		if strings.Contains(actingWords, " "+w+" ") {
			return true
		}
	}
	return false
}

// doubts notes the options that may act, where everything else that is said of the
// invocation is that it reads.
func (r *Result) doubts(m *Match) {
	if r.Help || len(r.Runs) > 0 || slices.ContainsFunc(r.Effects, func(e Effect) bool {
		return e.Verb != risk.FSRead && e.Verb != risk.RemoteRead && e.Verb != risk.DBRead
	}) {
		return
	}
	for _, u := range m.accepted {
		if acts(u) {
			r.Unknowns = append(r.Unknowns, risk.Unknown{What: u, Role: risk.RoleOption})
		}
	}
}
