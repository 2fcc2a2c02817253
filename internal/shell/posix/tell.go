package posix

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// tell says what a builtin does that is no effect.
func (e *evaluator) tell(st *shell.State, name string, inv *shell.Invocation) {
	words := make([]string, 0, len(inv.Argv))
	for _, w := range inv.Argv[1:] {
		if s, known := w.Value.Known(); known && s != "" {
			words = append(words, s)
		}
	}
	what, dir := "", value.Value{}
	switch name {
	case "cd", "chdir", "pushd", "popd":
		if st.Status == shell.Failed {
			return
		}
		what = "goes to a directory whose name is worked out as it runs"
		if st.Dir.IsKnown() {
			what, dir = "goes to", st.Dir
			if len(st.Alts) == 1 && st.Alts[0].If.Kind == risk.IfMissing && st.Alts[0].If.Unchecked == wordsText(inv) {
				what = "fails: there is no directory"
			}
		}
	case ":", "true":
		what = "does nothing"
	case "set", "shopt", "setopt", "unsetopt":
		if len(words) == 0 && name == "set" {
			return
		}
		what = "changes options of this shell"
		switch given := strings.Join(words, " "); {
		case name != "set" && len(words)+1 == len(inv.Argv) && onlyLists(name, words):
			what = "lists options of this shell"
		case name == "set" && strings.HasPrefix(words[0], "--") && len(words[0]) > 2: // bash(1), zshbuiltins(1): letters only
			what = "fails: set has no option " + words[0]
		case name == "set" && optionsMean(words) != "" && len(words)+1 == len(inv.Argv):
			what = "has this shell " + optionsMean(words)
		case name == "set" && (strings.Trim(words[0], "-+") == words[0] || words[0] == "--"):
			what = "sets the arguments of this shell"
		case len(given) <= 40 && len(words)+1 == len(inv.Argv):
			what += " (" + given + ")"
		}
	case "read", "mapfile", "readarray":
		what = reads(name, inv.Argv[1:], st.Shell)
	case "unset", "unalias":
		what = "unsets " + names(words)
	case "alias":
		what = "lists the aliases"
		if len(words) > 0 {
			what = "makes the alias " + names(words)
		}
	case "trap":
		what = "sets what runs at signals or at the end"
	case "exit", "logout":
		what = "ends this shell"
	case "shift":
		what = "drops arguments of this shell"
	default:
		return
	}
	e.m.Tell(st, inv.Span, shell.Telling{What: strings.TrimSpace(what), Dir: dir})
}

// onlyLists reports whether what changes options is given none to change, and so shows
// them: shopt, shopt -p, shopt extglob.
func onlyLists(name string, words []string) bool {
	changes, named := false, name != "shopt" && len(words) > 0
	for _, w := range words {
		letters, ok := strings.CutPrefix(w, "-")
		changes = changes || ok && strings.ContainsAny(letters, "su")
		named = named || !ok
	}
	return !named || name == "shopt" && !changes
}

// optionsMean says what the options that set is given have the shell do (bash(1), set); "" where
// one of them is switched off, or has no words here.
func optionsMean(words []string) string {
	var stops, does []string
	for i := 0; i < len(words); i++ {
		letters, ok := strings.CutPrefix(words[i], "-")
		if !ok || letters == "" || letters[0] == '-' {
			return ""
		}
		for _, c := range letters {
			option := string(c)
			if c == 'o' {
				if i++; i >= len(words) {
					return ""
				}
				option = words[i]
			}
			switch stop, what := optionMeans(option); {
			case stop != "":
				stops = append(stops, stop)
			case what != "":
				does = append(does, what)
			default:
				return ""
			}
		}
	}
	if i := slices.Index(does, pipefail); i >= 0 && slices.Contains(stops, "errors") {
		does, stops = slices.Delete(does, i, i+1), append(stops, "failing pipes")
	}
	if len(stops) > 0 {
		does = append([]string{"stop at " + listOf(stops)}, does...)
	}
	return listOf(slices.Compact(does))
}

// optionMeans is what one option of set has the shell stop at, or do; "" for one that has no
// words here.
func optionMeans(option string) (stops, does string) {
	switch option {
	case "e", "errexit":
		return "errors", ""
	case "u", "nounset":
		return "unset variables", ""
	case "x", "xtrace":
		return "", "print each command that it runs"
	case "v", "verbose":
		return "", "print each line that it reads"
	case "f", "noglob":
		return "", "take patterns for plain words"
	case "C", "noclobber":
		return "", "refuse to replace files with >"
	case "a", "allexport":
		return "", "export all variables that are set"
	case "E", "errtrace", "T", "functrace":
		return "", "keep traps in functions"
	case "pipefail":
		return "", pipefail
	}
	return "", ""
}

// pipefail is what that option does on its own.
const pipefail = "count a pipe as failed if a part fails"

// listOf joins words as a person does.
func listOf(words []string) string {
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
	return strings.Join(words, "")
}

// reads says which variables read, or mapfile, takes what it reads into, where no word
// may be the value of an option.
func reads(name string, args []shell.Word, dialect string) string {
	what, into := "reads a line into ", "variables"
	if name != "read" {
		what, into = "reads lines into ", "a list"
	}
	var given []string
	for i := 0; i < len(args); i++ {
		word, known := args[i].Value.Known()
		switch {
		case !known:
			return what + into
		case len(word) > 1 && word[0] == '-':
			if at := strings.IndexAny(word, "adinNptuCcOsk"); at == len(word)-1 && !strings.ContainsAny(word[at:], "sk") {
				i++
				if name == "read" && dialect != "zsh" && refusesCount(word[at], args, i) {
					return "fails: read " + word + " takes a number"
				}
				if word[at] == 'a' && i < len(args) {
					array, _ := args[i].Value.Known()
					given = append(given, array)
				}
			} else if at >= 0 && strings.ContainsAny(word, "adinNptuCcO") {
				return what + into
			}
		default:
			given = append(given, word)
		}
	}
	switch {
	case len(given) == 0 && name == "read":
		return what + "REPLY"
	case len(given) == 0:
		return what + "MAPFILE"
	}
	return what + names(given)
}

// refusesCount reports whether an option of read that takes a number surely gets none.
func refusesCount(option byte, args []shell.Word, at int) bool {
	if strings.IndexByte("nNtu", option) < 0 {
		return false
	}
	for at < len(args) && args[at].Many && goesAway(args[at].Value) {
		at++
	}
	if at >= len(args) {
		return true
	}
	word, known := args[at].Value.Known()
	return known && (word == "" || strings.Trim(word, "0123456789.") != "")
}

// goesAway reports whether nothing is left of a word: it has only variables that are not set.
func goesAway(v value.Value) bool {
	return !slices.ContainsFunc(v.Parts(), func(p value.Part) bool { return p.Hole == nil || p.Hole.Cause != risk.CauseUnset })
}

// declares says what a declaration does with a name.
func declares(variant string, naked bool) string {
	switch {
	case variant == "export":
		return "exports "
	case variant == "readonly":
		return "fixes "
	case naked:
		return "declares "
	}
	return "sets "
}

// setTo says what a declaration, or an assignment (""), does with a variable: to what it sets
// it, where that is a plain word and no secret by its name, and not only a part of it.
func (e *evaluator) setTo(st *shell.State, variant string, naked, part bool, name string) string {
	says := declares(variant, naked) + name
	v := st.Vars.Get(name)
	if v == nil || part || naked || v.Array || v.Map != nil || v.Ref || v.IfSet != nil || v.Value.Taint() != 0 || secretive(name) {
		return says
	}
	text, known := v.Value.Known()
	if !known || text == "" || len(text) > maxTold || strings.Trim(text, plainCharacters) != "" {
		return says
	}
	if home := st.Vars.Get("HOME"); home != nil {
		if dir, known := home.Value.Known(); known && len(dir) > 1 && strings.HasPrefix(text, dir+"/") {
			text = "~" + strings.TrimPrefix(text, dir)
		}
	}
	if variant == "export" {
		switch name {
		case "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH":
			return "has programs look for libraries in " + text + " first"
		case "PYTHONPATH":
			return "has Python look for modules in " + text + " first"
		}
		return says + " as " + text
	}
	if variant == "" || strings.HasPrefix(says, "sets ") {
		return says + " to " + text
	}
	return says
}

// maxTold is how long a value may be to be told, in bytes, and plainCharacters what it may
// consist of.
const (
	maxTold         = 60
	plainCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:,@%+~"
)

// secretive reports whether the name of a variable is one that people keep credentials in.
func secretive(name string) bool {
	name = strings.ToUpper(name)
	for _, word := range []string{"KEY", "TOKEN", "SECRET", "PASS", "PWD", "CRED", "AUTH", "PRIVATE", "COOKIE", "SESSION", "DSN", "WEBHOOK", "SALT", "PIN"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// names writes the names that words give, without options and values.
func names(words []string) string {
	var out []string
	for _, w := range words {
		name, _, _ := strings.Cut(w, "=")
		if name != "" && name[0] != '-' && len(name) <= 40 {
			out = append(out, name)
		}
	}
	switch len(out) {
	case 0:
		return "names of this shell"
	case 1, 2:
		return strings.Join(out, " and ")
	}
	return strings.Join(out[:2], ", ") + " and others"
}

// listedBy says what a declaration without names lists.
func listedBy(variant, opts string) string {
	switch {
	case strings.Contains(opts, "F"):
		return "names of the functions"
	case strings.Contains(opts, "f"):
		return "functions"
	case variant == "export" || strings.Contains(opts, "x"):
		return "exported variables"
	case variant == "readonly" || strings.Contains(opts, "r"):
		return "fixed variables"
	}
	return "variables"
}
