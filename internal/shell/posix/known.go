package posix

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// What of a shell's own machinery is followed or known to change nothing that
// matters here. All else is told as something that is not understood.

// unmodelled tells of a part of the shell that is not followed.
func (e *evaluator) unmodelled(st *shell.State, at risk.Span, what string) {
	e.m.Effect(st, at, shell.Effect{Verb: risk.ExecKnown, Kind: risk.KindNotUnderstood, Target: value.Lit(what)})
}

// inertOptions names the options that change how a shell talks to a person, counts
// jobs, keeps history, completes words or complains, or only let more patterns
// be written: nothing that this front says becomes wrong by them (bash(1), set
// and shopt; mksh(1), set; zshoptions(1), under which names have no underscores).
func inertOptions(dialect string) string {
	switch dialect {
	case "bash":
		return `braceexpand emacs vi errtrace functrace hashall ignoreeof interactivecomments monitor nolog notify onecmd
posix privileged autocd assocexpandonce arrayexpandonce bashsourcefullpath cdspell checkhash checkjobs checkwinsize cmdhist completefullquote direxpand dirspell
extdebug extglob extquote failglob forcefignore globasciiranges globskipdots gnuerrfmt histappend histreedit histverify hostcomplete huponexit
inheriterrexit lithist localvarunset loginshell mailwarn noemptycmdcompletion noexpandtranslation patsubreplacement progcomp
progcompalias promptvars restrictedshell shiftverbose sourcepath varredirclose`
	case "sh":
		return `ignoreeof interactive monitor stdin emacs vi notify nolog debug privileged hashall history vi pipefail`
	case "mksh":
		return `bgnice braceexpand emacs emacs-usemeta gmacs ignoreeof inherit-xtrace interactive markdirs monitor nohup nolog notify posix privileged
restricted sh trackall utf8-mode vi vi-esccomplete vi-show8 vi-tabcomplete viraw asis login stdin`
	case "zsh":
		return `aliases alwayslastprompt alwaystoend appendcreate appendhistory autocontinue autolist automenu autonamedirs autoparamkeys autoparamslash
autoremoveslash autoresume badpattern banghist bareglobqual bashautolist bashrematch beep bgnice bsdecho
caseglobe casematch chasedotsno checkjobs checkrunningjobs clobberempty combiningchars completealiases completeinword continueonerror
correct correctall cprecedences cshjunkiehistory cshjunkieloops dvorak emacs
errreturn evallineno exec extendedhistory flowcontrol forcefloat functionargzero globassignno globalexport globalrcs globcomplete globstarshort
hashall hashcmds hashdirs hashexecutablesonly hashlistall histallowclobber histappend histbeep histexpand histexpiredupsfirst histfcntllock histfindnodups
histignorealldups histignoredups histignorespace histlexwords histnofunctions histnostore histreduceblanks histsavebycopy histsavenodups
histsubstpattern histverify hup ignorebraces ignoreclosebraces ignoreeof incappendhistory incappendhistorytime interactive interactivecomments
listambiguous listbeep listpacked listrowsfirst listtypes localloops localoptions localpatterns localtraps log longlistjobs magicequalsubst mailwarning
mailwarn markdirs menucomplete monitor multibyte multifuncdef multios nomatch notify numericglobsort octalzeroes onecmd overstrike pathscript
pipefail printeightbit printexitvalue privileged promptbang promptcr promptpercent promptsp promptvarsno pushdignoredups pushdminus
pushdsilent pushdtohome rcexpandparam rcquotes rcs recexact rematchpcre rmstarsilent rmstarwait sharehistory shinstdin shnullcmdno singlelinezle
sourcetrace sunkeyboardhack transientrprompt trapsasync typesetsilent typesettounset unset verbose vi warncreateglobal warnnestedvar zle debugbeforecmd shfileexpansion`
	}
	return ""
}

// followedOptions are those that the evaluation has a field for.
const followedOptions = `errexit xtrace verbose nounset noglob pipefail nullglob dotglob globdots globstar expandaliases allexport noclobber nocaseglob
nocasematch shwordsplit globsubst extendedglob ksharrays glob clobber caseglob casematch noexec keyword physical chaselinks chasedots cdablevars lastpipe execfail promptsubst unset`

// plainOption is the name of an option as the tables have it.
func plainOption(name string) string {
	return strings.ReplaceAll(strings.ToLower(name), "_", "")
}

// understood reports whether it is known what an option changes.
func understoodOption(dialect, name string) bool {
	name = plainOption(name)
	if name == "" || slices.Contains(strings.Fields(followedOptions), name) || slices.Contains(strings.Fields(inertOptions(dialect)), name) {
		return true
	}
	if rest, off := strings.CutPrefix(name, "no"); off && dialect == "zsh" {
		return slices.Contains(strings.Fields(followedOptions), rest) || slices.Contains(strings.Fields(inertOptions(dialect)), rest)
	}
	return dialect == "bash" && strings.HasPrefix(name, "compat")
}

// option turns an option on or off by name, and tells of one that is not known.
func (e *evaluator) option(st *shell.State, name string, on bool, at risk.Span) {
	if on && !understoodOption(st.Shell, name) {
		e.unmodelled(st, at, "the option "+name)
	}
	setOption(st, name, on)
	if own := st.Vars.Get("HISTFILE"); name == "history" && on && st.Shell == "bash" && own != nil && !own.Value.Empty() {
		e.loadHistory(st, own.Value, at) // it is read when the history is turned on
	}
	if plainOption(name) == "promptsubst" && on { // for those that are set already
		for _, prompt := range prompts() {
			e.noteVariable(st, prompt, at)
		}
	}
}

// keywords takes the words that are assignments from anywhere in a command, as
// `set -k` has it (bash(1), set).
func keywords(words []shell.Word) (rest []shell.Word, set []shell.Assign) {
	for i, w := range words {
		name, _, found := strings.Cut(w.Value.Prefix(), "=")
		if i > 0 && found && isName(name) {
			set = append(set, shell.Assign{Name: name, Value: w.Value.Cut(len(name) + 1)})
			continue
		}
		rest = append(rest, w)
	}
	return rest, set
}
