package git

import (
	"strings"

	"github.com/heedsh/heed/internal/value"
)

// inertSection reports whether all variables of a section, with a subsection or
// without, only select, format or tune (git-config(1)).
func inertSection(section string) bool {
	switch section {
	case "advice", "author", "blame", "color", "column", "commitgraph", "committer", "completion", "fastimport", "feature",
		"gui", "i18n", "index", "lsrefs", "mailmap", "pack", "pretty", "rebase", "repack", "rerere", "revert", "showbranch",
		"sparse", "splitindex", "stash", "status", "tag", "user", "versionsort", "worktree":
		return true
	}
	return false
}

// inertSettings are the variables of the other sections that do no more than
// that, by section (git-config(1); git-lfs-config(5), git-flow's manual). A
// subsection is written *. hooks, addresses, files that are read, what is checked
// of what others send, and what is deleted without a word are not among them.
func inertSettings(section string) string {
	switch section {
	case "add":
		return "ignoreerrors *.usebuiltin"
	case "am":
		return "keepcr threeway messageid"
	case "apply":
		return "ignorewhitespace whitespace"
	case "branch":
		return "*.description *.merge *.pushremote *.rebase autosetupmerge autosetuprebase sort"
	case "checkout":
		return "defaultremote guess thresholdforparallelism workers"
	case "clean":
		return "requireforce"
	case "clone":
		return "defaultremotename filtersubmodules rejectshallow"
	case "commit":
		return "cleanup gpgsign status template verbose"
	case "core":
		return "abbrev autocrlf bigfilethreshold checkroundtripencoding checkstat commentchar commentstring commitgraph " +
			"compression deltabasecachelimit eol excludesfile filemode filesreflocktimeout fscache fsync fsyncmethod fsyncobjectfiles " +
			"fsmonitorhookversion hidedotfiles ignorecase ignorestat longpaths loosecompression multipackindex notesref packedgitlimit " +
			"packedgitwindowsize packedrefstimeout precomposeunicode preloadindex quotepath safecrlf sparsecheckout sparsecheckoutcone " +
			"splitindex symlinks trustctime untrackedcache usereplacerefs warnambiguousrefs whitespace"
	case "credential":
		return "username usehttppath *.username *.usehttppath *.provider sanitizeprompt protectprotocol guiprompt"
	case "diff":
		return "algorithm autorefreshindex colormoved colormovedws context dirstat guitool ignoresubmodules indentheuristic " +
			"interhunkcontext mnemonicprefix noprefix relative renamelimit renames statgraphwidth statnamewidth submodule suppressblankempty tool " +
			"wordregex wserrorhighlight *.binary *.cachetextconv *.wordregex *.xfuncname *.algorithm"
	case "difftool":
		return "prompt trustexitcode guidefault *.trustexitcode"
	case "fetch":
		return "all negotiationalgorithm output parallel prune prunetags recursesubmodules showforcedupdates unpacklimit writecommitgraph followremotehead"
	case "filter":
		return "*.required"
	case "format":
		return "attach cc coverfromdescription coverletter encodeemailheaders filenamemaxlength forceinbodyfrom from headers mboxrd notes " +
			"numbered pretty signature signoff subjectprefix suffix thread to useautobase"
	case "gc":
		return "aggressivedepth aggressivewindow auto autodetach autopacklimit bigpackthreshold cruftpacks logexpiry maxcruftsize packrefs " +
			"rerereresolved rerereunresolved writecommitgraph"
	case "gitflow":
		return "*.master *.main *.develop *.feature *.bugfix *.release *.hotfix *.support *.versiontag *.base"
	case "github", "gitlab", "hub":
		return "user protocol"
	case "gpg":
		return "format mintrustlevel"
	case "grep":
		return "column extendedregexp fallbacktonoindex fullname linenumber patterntype threads"
	}
	return inertSettingsToo(section)
}

// inertSettingsToo is the second half of the alphabet.
func inertSettingsToo(section string) string {
	switch section {
	case "help":
		return "autocorrect format"
	case "http":
		return "emptyauth lowspeedlimit lowspeedtime maxrequests minsessions noepsv postbuffer schannelcheckrevoke sslbackend ssltry sslversion version " +
			"*.postbuffer *.version *.lowspeedlimit *.lowspeedtime *.emptyauth *.sslbackend"
	case "init":
		return "defaultbranch defaultrefformat defaultobjectformat"
	case "interactive":
		return "singlekey"
	case "lfs":
		return "locksverify *.locksverify *.access concurrenttransfers fetchexclude fetchinclude fetchrecentalways fetchrecentrefsdays " +
			"skipdownloaderrors allowincompletepush activitytimeout dialtimeout tlstimeout repositoryformatversion setlockablereadonly"
	case "log":
		return "abbrevcommit date decorate diffmerges excludedecoration follow graphcolors initialdecorationset mailmap showroot showsignature"
	case "maintenance":
		return "auto strategy autodetach *.enabled *.schedule *.auto"
	case "man":
		return "viewer"
	case "merge":
		return "autostash branchdesc conflictstyle defaulttoupstream directoryrenames ff guitool log renamelimit renames renormalize stat " +
			"suppressdest tool verbosity verifysignatures *.name *.recursive"
	case "mergetool":
		return "hideresolved keepbackup keeptemporaries prompt writetotemp guidefault *.hideresolved *.trustexitcode *.hasoutput *.useautomerge *.layout"
	case "notes":
		return "displayref mergestrategy rewritemode rewriteref *.mergestrategy *.amend *.rebase"
	case "protocol":
		return "version"
	case "pull":
		return "ff octopus rebase twohead autostash"
	case "push":
		return "autosetupremote default followtags gpgsign negotiate recursesubmodules usebitmaps useforceifincludes"
	case "remote":
		return "pushdefault *.prune *.prunetags *.skipdefaultupdate *.skipfetchall *.tagopt *.partialclonefilter *.promisor *.gh-resolved *.followremotehead"
	case "sendemail":
		return "annotate confirm from suppresscc suppressfrom thread chainreplyto signedoffbycc multiedit xmailer validate transferencoding envelopesender"
	case "submodule":
		return "recurse active fetchjobs propagatebranches *.active *.branch *.fetchrecursesubmodules *.ignore *.shallow"
	case "trailer":
		return "separators where ifexists ifmissing *.key *.where *.ifexists *.ifmissing"
	case "transfer":
		return "unpacklimit advertisesid credentialsinurl"
	}
	return ""
}

// inertSetting reports whether a setting, by its general name in lower case, is
// known to do nothing that matters.
func inertSetting(section, sub, variable string) bool {
	if inertSection(section) {
		return true
	}
	name := variable
	if sub != "" {
		name = "*." + variable
	}
	for w := range strings.FieldsSeq(inertSettings(section)) {
		if w == name {
			return true
		}
	}
	return false
}

// judgedSetting reports whether what a setting does is said by its value.
func judgedSetting(section, sub, variable string, v value.Value) bool {
	text, known := v.Known()
	switch section + "." + variable {
	case "core.editor", "sequence.editor", "core.pager":
		return sub == ""
	case "http.sslverify":
		return known && gitBoolean(text)
	case "http.extraheader": // how a token is given for one command
		return strings.HasPrefix(strings.ToLower(v.Prefix()), "authorization:")
	case "safe.directory":
		return known && text != "*"
	case "branch.remote":
		return sub != "" && known && (text == "." || !gitAddress(text))
	case "remote.fetch": // what is fetched stays with what was fetched before
		_, to, ok := strings.Cut(text, ":")
		return sub != "" && known && ok && (strings.HasPrefix(to, "refs/remotes/") || strings.HasPrefix(to, "refs/tags/")) || known && !ok && text != ""
	case "protocol.allow":
		return known && (text == "never" || strings.EqualFold(sub, "ext") || (text == "always" || text == "user") && fileProtocol(sub))
	case "url.insteadof", "url.pushinsteadof":
		return true // the address decides
	case "init.templatedir":
		return true
	case "submodule.update":
		return known && !strings.HasPrefix(text, "!")
	}
	return false
}

// fileProtocol reports whether a transport talks to a known place only.
func fileProtocol(name string) bool {
	switch strings.ToLower(name) {
	case "file", "http", "https", "ssh", "git":
		return true
	}
	return false
}

// settingKnown reports whether what a setting does is understood: it is inert,
// one that names a program, or one whose value says it all.
func settingKnown(key string, v value.Value) bool {
	section, sub, variable := gitKey(key)
	kind, _ := gitKind(key)
	return kind != plainSetting || inertSetting(section, sub, variable) || judgedSetting(section, sub, variable, v)
}
