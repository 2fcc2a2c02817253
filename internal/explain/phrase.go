package explain

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/shell/shellname"
	"github.com/heedsh/heed/risk"
)

// phrase says one effect: verb first, the target, and what is lost.
func phrase(e *risk.Effect, at place) string {
	switch e.Verb {
	case risk.FSDelete:
		return deletes(e, at)
	case risk.FSWrite, risk.FSMove, risk.FSCreate, risk.FSAttr, risk.FSRead, risk.FSMount, risk.DiskWrite:
		return files(e, at)
	case risk.ExecKnown, risk.ExecProject, risk.ExecUnknown, risk.ExecShell, risk.ExecRemote:
		return runs(e, at)
	case risk.NetFetch, risk.NetSend, risk.NetListen, risk.NetConnect:
		return network(e)
	case risk.VCSLocal, risk.VCSDiscard, risk.VCSRewrite, risk.VCSPush, risk.VCSForce:
		return versions(e, at)
	case risk.SecretRead, risk.SecretSend:
		return secrets(e, at)
	case risk.PkgInstall, risk.PkgRemove, risk.PkgPublish, risk.RemoteRead, risk.RemoteChange, risk.RemoteDestroy, risk.DBRead, risk.DBChange, risk.DBDestroy:
		return services(e)
	}
	return machine(e, at)
}

// target names what an effect acts on, unknown parts included.
func target(e *risk.Effect, at place) string {
	if e.Unresolved != "" && e.Cause != risk.CauseMatch && e.Cause != risk.CauseWord {
		return at.path(e.Target) + " (" + quote(e.Unresolved) + " is " + cause(e.Cause) + ")"
	}
	if filled(e) {
		return at.path(path.Dir(e.Target)) + "/…"
	}
	if e.Through != "" {
		link := e.Through
		if base(e.Pattern) == "*" { // the first match's own path
			link = path.Dir(link)
		}
		return at.path(e.Target) + " (through the link " + at.path(link) + ")"
	}
	return at.path(e.Target)
}

// filled reports whether the last element of a target stands for a name that
// is not known.
func filled(e *risk.Effect) bool {
	return e.Unresolved != "" && (e.Cause == risk.CauseMatch || e.Cause == risk.CauseWord) && base(e.Target) == "x"
}

func cause(c risk.Cause) string {
	if c == risk.CauseUnset {
		return "not set"
	}
	return "not known"
}

func files(e *risk.Effect, at place) string {
	what := target(e, at)
	switch e.Verb {
	case risk.FSWrite:
		return writes(e, what)
	case risk.FSMove:
		if e.Kind == risk.KindTrash {
			return "Moves " + what + " to the trash" + scopeNote(e)
		}
		return "Moves " + what + scopeNote(e)
	case risk.FSCreate:
		return creates(e, what)
	case risk.FSAttr:
		if e.Recursive {
			what += " and all in it"
		}
		return orElse(says(e, map[string]string{"target": what}), "Changes the rights or attributes of "+what) + scopeNote(e)
	case risk.FSMount:
		return "Mounts or unmounts " + what
	case risk.DiskWrite:
		return "Overwrites the disk or file system " + what
	}
	if e.Kind == risk.KindCredentialSearch {
		return "Looks for credentials, files named " + quote(e.Named) + ", in " + what
	}
	return "Reads " + what + scopeNote(e)
}

func creates(e *risk.Effect, what string) string {
	link := e.Kind == risk.KindSymlink || e.Kind == risk.KindHardLink
	// The engine looks whether the target is there, unless it is elsewhere.
	exists := e.Reversible == risk.NotLooked && e.Unresolved == "" && e.Scope != risk.IsRemote && e.Scope != risk.InImage && e.Scope != risk.ScopeUnknown
	switch {
	case link && exists && e.Forced:
		return "Replaces " + what + " by a " + linkWord(e.Kind) + scopeNote(e)
	case link:
		return "Creates the " + linkWord(e.Kind) + " " + what + scopeNote(e)
	case exists && e.Kind != risk.NoKind && e.Kind != risk.KindDirectory:
		return "Creates " + e.Kind.String() + " in " + what + scopeNote(e)
	case exists:
		return "Makes sure that " + what + " exists" + scopeNote(e)
	}
	return "Creates " + what + scopeNote(e)
}

func linkWord(k risk.Kind) string {
	if k == risk.KindHardLink {
		return "hard link"
	}
	return "link"
}

func writes(e *risk.Effect, what string) string {
	switch {
	case e.Scope == risk.IsNull:
		return "Writes nowhere"
	case e.Kind == risk.KindTruncate && e.Reversible != risk.NothingThere:
		return "Empties " + what + loss(e)
	case e.Kind == risk.KindEditor && e.Reversible != risk.NothingThere:
		return "Lets an editor change " + what + scopeNote(e)
	case kernelSetting(e.Target):
		return "Changes the kernel's setting " + what
	case e.Kind == risk.KindAppend:
		return "Adds to " + what + scopeNote(e)
	case e.Kind == risk.KindExtract:
		return "Extracts an archive into " + what + scopeNote(e)
	case e.Reversible == risk.NothingThere && (e.Kind == risk.KindInPlace || e.Kind == risk.KindPatch): // no program makes it
		return "Changes " + what + orElse(scopeNote(e), tail) + "; nothing there now"
	case e.Reversible == risk.NothingThere:
		return "Creates " + what + scopeNote(e)
	case e.Scope == risk.InWorkspace || e.Scope == risk.InTemp:
		if e.Recursive || e.Many || what == "." {
			return "Writes files in " + what
		}
		if e.Kind == risk.KindMove {
			return "Replaces " + what + loss(e)
		}
		return "Changes " + what + loss(e)
	}
	return "Overwrites " + what + scopeNote(e)
}

// kernelSetting reports whether a path is a knob of the running kernel
// (proc(5), sysfs(5)).
func kernelSetting(p string) bool {
	return strings.HasPrefix(p, "/proc/") || strings.HasPrefix(p, "/sys/")
}

// scopeNote says what kind of place a target is, where its path does not.
func scopeNote(e *risk.Effect) string {
	switch e.Scope {
	case risk.IsStartup:
		return tail + ", which is run or obeyed later without being asked"
	case risk.IsAgentConfig:
		return tail + ", which says what a coding agent may do"
	case risk.IsSecret:
		return tail + ", which holds credentials"
	case risk.IsDevice:
		return tail + ", a device"
	case risk.IsAccounts:
		return tail + ", the account database"
	case risk.InSystem:
		return tail + ", outside the workspace"
	}
	return ""
}

func runs(e *risk.Effect, at place) string {
	name := quote(e.Target)
	switch {
	case strings.HasPrefix(e.Target, "/"):
		name = at.path(e.Target)
	case ownWords[e.Target]:
		name = e.Target
	}
	if e.Cause == risk.CauseSetup {
		return "Sets up the shell with what " + quote(strings.Trim(e.Unresolved, "<>")) + " prints"
	}
	if e.Unresolved != "" {
		return "Runs " + map[bool]string{true: "a program", false: "code"}[e.Kind == risk.KindProgram] + " that is not known: " + quote(e.Unresolved) + " is " + cause(e.Cause)
	}
	switch e.Verb {
	case risk.ExecKnown:
		if e.Kind == risk.KindIncomplete {
			return "Runs " + name + " without all that it needs: a word is missing"
		}
		if e.Kind == risk.KindLoad {
			return "Loads the machine for a while"
		}
		if e.Kind == risk.KindNotUnderstood {
			return "Runs " + quote(e.Program) + " with " + name + ", which heed does not know"
		}
		return "Runs " + name + " with other rights"
	case risk.ExecProject:
		switch e.Kind {
		case risk.KindInspectedScript:
			return "Runs " + name + tail + ", which was read and judged"
		case risk.KindHook:
			return "Runs the hook " + name + tail + ", not inspected"
		}
		if e.Target == "" || name == "." {
			return "Runs code of this project" + tail + ", not inspected"
		}
		return "Runs " + name + tail + ", code of this project, not inspected"
	case risk.ExecShell:
		return opensShell(e)
	case risk.ExecRemote:
		if e.Kind == risk.KindReverseShell {
			return "Gives a shell to another machine"
		}
		if e.Kind == risk.KindSharedShell {
			return "Gives others a shell on this machine through " + quote(e.Target)
		}
		if e.Kind == risk.KindExpression {
			return "Runs as code what others write in " + quote(e.Target)
		}
		return "Runs code from the network" + tail + ", unseen"
	}
	return runsUnknown(e, name)
}

// opensShell says which shell or command loop is started.
func opensShell(e *risk.Effect) string {
	slots := map[string]string{}
	if e.Target != "" {
		slots["target"] = quote(e.Target)
	}
	if text := says(e, slots); text != "" {
		return text
	}
	switch e.Kind {
	case risk.KindRootShell:
		return "Starts a shell" + map[bool]string{true: " with other rights"}[!e.Privileged]
	case risk.KindInteractive:
		switch {
		case e.Target == "session":
			return "Opens a terminal session"
		case e.Target != "" && !isShell(e.Target):
			return "Opens an interactive interpreter"
		}
		return "Starts an interactive shell"
	case risk.KindCommandLoop:
		return "Opens " + quote(orElse(e.Program, "a program")) + ", which can start a shell"
	}
	if isShell(e.Program) {
		return "Starts a shell"
	}
	return "Starts a shell through " + quote(orElse(e.Program, orElse(e.Target, "another program")))
}

// runsUnknown says what kind of thing runs that heed does not know.
func runsUnknown(e *risk.Effect, name string) string {
	switch e.Kind {
	case risk.KindAttackTool:
		return "Runs " + quote(orElse(e.Program, "a tool")) + ", an attack tool"
	case risk.KindInspectedScript:
		return "Runs " + name + tail + ", which was read and judged"
	case risk.KindPlaceholder:
		return "Cannot run as it is written: " + quote(e.Target) + " is a placeholder"
	case risk.KindMissing:
		return "Runs " + name + tail + ", which is not there now: not inspected"
	case risk.KindBinary:
		return "Runs " + name + tail + ", a binary, not inspected"
	case risk.KindPreload:
		return "Loads " + name + " into every program it starts"
	case risk.KindPATH, risk.KindSearchPath:
		return "Looks for programs in " + name + " first"
	case risk.KindImage, risk.KindContainer:
		return "Runs the image " + name + tail + ", not inspected"
	case risk.KindPlugin:
		return "Loads " + name + " as code" + tail + ", not inspected"
	case risk.KindCode:
		return "Runs " + name + tail + ", not inspected"
	case risk.KindCodingAgent:
		return "Starts the coding agent " + quote(orElse(e.Program, e.Target)) + tail + ", whose commands are not seen here"
	case risk.KindOpenedWithTheDesktop:
		if e.Target == "" {
			return "Opens " + quote(orElse(e.Program, "a program of the desktop"))
		}
		return "Opens " + quote(e.Target) + " with a program of the desktop"
	case risk.KindVirtualMachine:
		return "Starts a virtual machine" + tail + ", not inspected"
	case risk.KindTypedIntoAWindow:
		return "Types into another window"
	}
	if e.Target == "" {
		return "Runs what " + quote(orElse(e.Program, "the program")) + " is told elsewhere" + tail + ", not inspected"
	}
	return "Runs " + name + tail + ", a program heed does not know: not inspected"
}

// ownWords are the catalog's own descriptions of what is run or installed:
// unlike names from the command they stand without quotation marks.
var ownWords = map[string]bool{
	"the makefile": true, "the tests": true, "the checks": true, "the build": true,
	"python code": true, "perl code": true, "ruby code": true, "node code": true, "php code": true, "lua code": true,
	"dependencies of this project": true, "modules of this project": true, "packages of an environment": true,
	"packages of the Brewfile": true, "every tool": true, "the package registry": true, "the package index": true,
	"the database": true, "the database of this project": true, "the package lists": true, "cached package files": true,
	"the linter and its configuration": true, "the formatter and its configuration": true, "the remote": true, "a ref": true, "branches": true,
	"the shell": true, "this package": true, "packages that are not needed": true, "every package": true, "all packages": true,
}

// named shows a target: the catalog's own words as they are, others quoted.
func named(s string) string {
	if ownWords[s] {
		return s
	}
	return quote(s)
}

func isShell(program string) bool { return shellname.Is(base(program)) }

func orElse(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

func network(e *risk.Effect) string {
	to := "the network"
	switch {
	case ownWords[e.Target]:
		to = e.Target
	case e.Target != "" && e.Target != to:
		to = quote(e.Target)
	}
	switch e.Verb {
	case risk.NetFetch:
		return "Downloads from " + to
	case risk.NetSend:
		return "Sends data to " + to
	case risk.NetListen:
		switch {
		case e.Kind == risk.KindPortForward:
			return "Forwards connections: " + to
		case e.Target == "" || e.Target == "the network":
			return "Accepts connections from the network"
		case strings.Trim(e.Target, "0123456789") == "":
			to = "port " + to
		}
		return "Accepts connections on " + to
	}
	return "Connects to " + to
}

func secrets(e *risk.Effect, at place) string {
	from := orElse(e.Source.String(), e.Target)
	what := "the secret in " + quote(from)
	switch {
	case from == "" || from == risk.FromSecret().String():
		what = "a secret"
	case strings.HasPrefix(from, "/"):
		what = "the secret in " + at.path(from)
	}
	if e.Verb == risk.SecretSend {
		if e.Kind == risk.KindPrivate {
			what = "private data"
		}
		return "Sends " + what + " to " + quote(orElse(e.Target, "the network"))
	}
	if e.Kind == risk.KindSearch {
		if strings.HasPrefix(from, "/") {
			from = at.path(from)
		}
		return "Searches for credentials in " + from
	}
	if e.Kind == risk.KindCopiedToAFile {
		return "Copies " + what + " to " + at.path(e.Target)
	}
	return "Shows " + what
}

// containers reports whether a program's state is that of a container engine,
// mostly on this machine.
func containers(program string) bool {
	return slices.Contains([]string{"docker", "docker-compose", "podman", "podman-compose", "nerdctl", "buildah"}, program)
}

func services(e *risk.Effect) string {
	what := quote(e.Target)
	switch {
	case ownWords[e.Target]:
		what = e.Target
	case e.Target == "" && strings.HasPrefix(string(e.Verb), "db."):
		what = "the database"
	case e.Target == "" && containers(base(e.Program)):
		what = "what " + quote(base(e.Program)) + " keeps"
	case e.Target == "" && e.Program != "":
		what = "remote state through " + quote(base(e.Program))
	case e.Target == "":
		what = "the service"
	}
	packages := what
	if e.Target == "" {
		packages = "packages"
	}
	switch e.Verb {
	case risk.PkgInstall:
		return "Installs " + packages + tail + ", whose install scripts can run code"
	case risk.PkgRemove:
		return "Removes " + packages
	case risk.PkgPublish:
		return "Publishes " + packages + " for everybody"
	}
	if e.Kind == risk.KindUnlistedProgram {
		return "May destroy something: " + what + tail + ", from a program heed does not know"
	}
	if e.Kind == risk.KindAutoApprove {
		return "Changes or destroys " + what + whereabouts(e) + " without asking again"
	}
	verb := "Destroys "
	switch e.Verb {
	case risk.RemoteRead, risk.DBRead:
		verb = "Reads the state of "
		if e.Target == "" && e.Verb == risk.RemoteRead && !containers(base(e.Program)) {
			verb = "Reads "
		}
	case risk.RemoteChange, risk.DBChange:
		verb = "Changes "
		if e.Scope == risk.IsLoopback && (e.Kind == risk.KindDelete || e.Kind == risk.KindDeleteRequest) {
			verb = "Deletes "
		}
	}
	if containers(base(e.Program)) && e.Target == "" && e.Kind != risk.NoKind {
		return verb + e.Kind.String() + " of " + quote(base(e.Program)) + whereabouts(e)
	}
	s := verb + what
	// A bare name says little without whose it is: 42 of gh.
	if e.Target != "" && !ownWords[e.Target] && e.Program != "" && strings.HasPrefix(string(e.Verb), "remote.") && !strings.ContainsAny(e.Target, "/:") {
		s += " through " + quote(base(e.Program))
	}
	s += whereabouts(e)
	if e.Kind != risk.NoKind && (verb == "Destroys " || e.Target == "" && verb == "Changes ") {
		s += " (" + e.Kind.String() + ")"
	}
	return s
}

func machine(e *risk.Effect, at place) string {
	what := quote(e.Target)
	if strings.HasPrefix(e.Target, "/") {
		what = at.path(e.Target)
	}
	note := ""
	if e.Kind != risk.NoKind {
		note = " (" + e.Kind.String() + ")"
	}
	switch {
	case e.Target == "":
		what, note = orElse(e.Kind.String(), "this machine"), ""
	case e.Target == "-":
		what = "standard input"
	}
	switch e.Verb {
	case risk.PrivGain:
		if e.Kind == risk.KindAttackTool {
			return runsUnknown(e, "")
		}
		return "Grants rights: " + what + note
	case risk.PersistAdd:
		return "Arranges to run later without being asked: " + what + note
	case risk.SysConfig:
		if e.Target == "" && e.Kind == risk.KindCritical {
			return "Changes the machine's configuration"
		}
		return "Changes the machine's configuration: " + what + note
	case risk.SysPower:
		return "Stops or restarts the machine"
	case risk.ProcSignal:
		if e.Kind == risk.KindAll {
			return "Signals every process"
		}
		switch named := strings.Trim(e.Target, "-0123456789%") != ""; {
		case named && e.Kind == risk.KindSystemService:
			return "Signals processes that the machine needs: " + what
		case named && e.Kind == risk.NoKind && !strings.HasPrefix(e.Target, "<"):
			return "Signals processes named " + what
		case named && e.Kind == risk.NoKind:
			return "Signals the processes " + what
		}
		return "Signals the process " + what
	case risk.DefenseEvade:
		return "Weakens a defence or hides traces: " + what + note
	case risk.Exhaust:
		return exhausts(e, at)
	case risk.AgentConfig:
		return "Changes what a coding agent may do: " + what + note
	case risk.Blind:
		if e.Kind == risk.KindTooComplex {
			return "Is too complex to inspect"
		}
		return "Cannot be inspected: " + orElse(e.Kind.Of(Visible(e.Target)), "heed cannot see what it does")
	}
	return "Does " + string(e.Verb) + " to " + what
}
