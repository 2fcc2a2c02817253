package git

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// What git obeys of its environment (git(1), "Environment Variables";
// git-config(1), git-commit(1), git-notes(1), git-difftool(1)).

// own returns a variable that the command itself sets.
func (g *gitCall) own(name string) (value.Value, bool) {
	if g.s.Env == nil || g.s.EnvKept {
		return value.Value{}, false
	}
	v, set, changed := g.s.Env(name)
	return v, set && changed
}

// An envUse says what git does with a variable.
type envUse uint8

const (
	envOther    envUse = iota // it moves where git reads or writes, or what it checks
	envExecPath               // a directory of git's own programs
	envTemplate               // a directory of hooks for a new repository
	envTrace                  // a file that is added to, if the value is an absolute path
	envProtocol               // the transports that are allowed
	envViewer                 // a name that man.*.cmd goes with
	envSent                   // text that is sent to the other side
	envConfig                 // settings are read there
	envSSL                    // certificates are not checked
	envRedact                 // whether traces leave credentials out
)

// gitVariables are the variables of git that neither the grammar's settings name
// nor [settingsInEnv] reads, nor are inert. Inert are the names and dates of
// authors, GIT_TERMINAL_PROMPT, GIT_OPTIONAL_LOCKS, the *_PATHSPECS,
// GIT_MERGE_AUTOEDIT, GIT_MERGE_VERBOSITY, GIT_PROGRESS_DELAY, GIT_REFLOG_ACTION,
// GIT_CEILING_DIRECTORIES, GIT_NO_REPLACE_OBJECTS and their like.
func gitVariables() []struct {
	names string
	use   envUse
} {
	return []struct {
		names string
		use   envUse
	}{
		{"GIT_EXEC_PATH", envExecPath},
		{"GIT_TEMPLATE_DIR", envTemplate},
		{"GIT_SSL_NO_VERIFY", envSSL},
		{"GIT_ALLOW_PROTOCOL", envProtocol},
		{"GIT_MAN_VIEWER", envViewer},
		{"GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM XDG_CONFIG_HOME", envConfig},
		{"GIT_USER_AGENT GIT_PROTOCOL", envSent},
		{"GIT_TRACE GIT_TRACE_BARE GIT_TRACE_CURL GIT_TRACE_FSMONITOR GIT_TRACE_PACKET GIT_TRACE_PACKFILE GIT_TRACE_PACK_ACCESS " +
			"GIT_TRACE_PERFORMANCE GIT_TRACE_REFS GIT_TRACE_SETUP GIT_TRACE_SHALLOW GIT_TRACE_WORKING_TREE_ENCODING " +
			"GIT_TRACE_MERGE GIT_TRACE_BUNDLE_URI GIT_TRACE_SPARSE GIT_TRACE_COMMIT_GRAPH GIT_TRACE2 GIT_TRACE2_EVENT GIT_TRACE2_PERF GIT_TRANSLOOP_DEBUG GIT_TRANSPORT_HELPER_DEBUG", envTrace},
		{"GIT_TRACE_REDACT", envRedact},
		{"GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_COMMON_DIR GIT_NAMESPACE GIT_GRAFT_FILE GIT_SHALLOW_FILE " +
			"GIT_REPLACE_REF_BASE GIT_REF_PARANOIA GIT_QUARANTINE_PATH GIT_ATTR_SOURCE GIT_ATTR_GLOBAL GIT_ATTR_SYSTEM GIT_REDIRECT_STDIN " +
			"GIT_REDIRECT_STDOUT GIT_REDIRECT_STDERR GIT_CURL_FTP_NO_EPSV GIT_SSL_CAINFO GIT_SSL_CAPATH GIT_SSL_CERT GIT_SSL_KEY GIT_SSL_CIPHER_LIST GIT_HTTP_PROXY_AUTHMETHOD " +
			"GIT_PROXY_SSL_CAINFO GIT_PROXY_SSL_CERT GIT_PROXY_SSL_KEY GIT_TEXTDOMAINDIR GITPERLLIB GIT_DIFFTOOL_EXTCMD GIT_DIFF_TOOL " +
			"GIT_DIFF_PATH_COUNTER GIT_ICASE GIT_EXT_SERVICE GIT_EXT_SERVICE_NOPREFIX GIT_DEFAULT_REF_FORMAT GIT_TEST_FSMONITOR " +
			"GIT_INTERNAL_SUPER_PREFIX GIT_IMPLICIT_WORK_TREE GIT_PUSH_OPTION_COUNT GIT_PROTOCOL_FROM_USER GIT_CHERRY_PICK_HELP GIT_TRACE2_DST_DEBUG " +
			"HTTPS_PROXY https_proxy HTTP_PROXY http_proxy ALL_PROXY all_proxy CURL_CA_BUNDLE", envOther},
	}
}

// environment says what the variables do that the command sets for git.
func (g *gitCall) environment() {
	if g.s.Env == nil || g.s.EnvKept {
		return
	}
	for _, u := range gitVariables() {
		for name := range strings.FieldsSeq(u.names) {
			if v, set := g.own(name); set {
				g.variableSet(name, u.use, v)
			}
		}
	}
	g.places()
}

func (g *gitCall) variableSet(name string, use envUse, v value.Value) {
	text, known := v.Known()
	switch use {
	case envExecPath:
		if !v.Empty() {
			g.effect(risk.ExecUnknown, v, risk.KindExecPath)
		}
	case envTemplate:
		if !v.Empty() && (g.sub == "init" || g.sub == "clone") {
			g.effect(risk.ExecUnknown, v, risk.KindTemplateHooks)
		}
	case envSSL:
		if !v.Empty() {
			g.effect(risk.DefenseEvade, value.Value{}, risk.KindHttpSslVerify)
		}
	case envTrace:
		switch {
		case strings.HasPrefix(v.Prefix(), "/"): // a path that begins with / names a file (git(1))
			g.effect(risk.FSWrite, v, risk.KindAppend)
		case !known || strings.HasPrefix(text, "af_unix:"):
			g.effect(risk.ExecKnown, value.Lit(name), risk.KindGitVariable)
		}
	case envRedact: // traces of connections leave credentials out unless they are told not to
		if !known || slices.Contains([]string{"0", "false", "no", "off"}, strings.ToLower(text)) {
			g.effect(risk.ExecKnown, value.Lit(name), risk.KindGitVariable)
		}
	case envProtocol:
		for _, p := range strings.Split(text, ":") {
			if !known || !fileProtocol(p) && p != "" {
				g.effect(risk.ExecKnown, value.Lit(name), risk.KindGitVariable)
				return
			}
		}
	case envSent:
		if g.connects() {
			g.sink(v)
		}
	case envConfig:
		if text != "/dev/null" && !v.Empty() {
			g.effect(risk.ExecKnown, value.Lit(name), risk.KindGitVariable)
		}
	case envViewer: // what the viewer runs is looked up with the other settings
	default:
		if !v.Empty() && (strings.HasPrefix(name, "GIT") || g.connects()) {
			g.effect(risk.ExecKnown, value.Lit(name), risk.KindGitVariable)
		}
	}
}

// places is where the command has git find its repository, work tree and index.
// The repository that is named is looked up as any other; its own settings are
// what counts.
func (g *gitCall) places() {
	if v, set := g.own("GIT_INDEX_FILE"); set && !v.Empty() && g.m != nil && writesIndex(g.sub) {
		g.effect(risk.FSWrite, v, risk.NoKind)
	}
	if v, set := g.own("GIT_DIR"); set && !v.Empty() && g.repo == nil && g.s.World != nil {
		g.effect(risk.ExecKnown, value.Lit("GIT_DIR"), risk.KindGitVariable)
	}
}

// connects reports whether the subcommand talks to another repository.
func (g *gitCall) connects() bool {
	switch g.sub {
	case "fetch", "pull", "push", "clone", "ls-remote", "fetch-pack", "send-pack", "remote", "submodule", "request-pull", "archive", "http-fetch", "http-push", "lfs", "bundle":
		return true
	}
	return false
}

// writesIndex reports whether a subcommand writes the index.
func writesIndex(sub string) bool {
	switch sub {
	case "add", "stage", "rm", "mv", "commit", "reset", "checkout", "switch", "restore", "stash", "merge", "pull", "rebase", "cherry-pick", "revert",
		"am", "apply", "read-tree", "update-index", "checkout-index", "sparse-checkout", "submodule", "clone", "worktree", "bisect", "merge-index", "merge-one-file":
		return true
	}
	return false
}
