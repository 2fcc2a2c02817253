package explain

import (
	"strings"

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
	if e.Unresolved != "" && e.Cause != "match" && e.Cause != "word" {
		return at.path(e.Target) + " (" + quote(e.Unresolved) + " is " + cause(e.Cause) + ")"
	}
	if e.Through != "" {
		return at.path(e.Target) + " (through the link " + at.path(e.Through) + ")"
	}
	return at.path(e.Target)
}

func cause(c string) string {
	if c == "unset" {
		return "not set"
	}
	return "not known"
}

func deletes(e *risk.Effect, at place) string {
	what := target(e, at)
	c := e.Counts
	whole := e.Recursive || e.Many
	var b strings.Builder
	switch {
	case e.Unresolved != "" && (e.Root || strings.HasSuffix(e.Target, "/")):
		b.WriteString("Deletes everything in " + at.path(e.Target) + " if " + quote(e.Unresolved) + " is empty")
		return b.String()
	case whole && e.Pattern != "" && strings.HasSuffix(e.Pattern, "*") && !strings.HasSuffix(e.Pattern, ".*") && base(e.Pattern) == "*":
		b.WriteString("Deletes everything in " + what)
	case whole && c != nil && c.Files > 0 && e.Reversible == risk.Regenerable:
		b.WriteString("Deletes " + filesIn(c) + " in " + what)
	case e.Pattern != "":
		b.WriteString("Deletes what matches " + quote(e.Pattern))
	case e.Many && !e.Recursive || e.Many && e.Detail == "find":
		b.WriteString("Deletes files found in " + what)
	case whole:
		b.WriteString("Deletes " + what + " and all in it")
	default:
		b.WriteString("Deletes " + what)
	}
	b.WriteString(loss(e))
	return b.String()
}

func filesIn(c *risk.Counts) string {
	s := count(c.Files, "file", "files")
	if c.AtLeast {
		s = "more than " + s
	}
	if c.Bytes > 0 {
		s += " (" + size(c.Bytes) + ")"
	}
	return s
}

// loss says whether what goes could come back.
func loss(e *risk.Effect) string {
	c := e.Counts
	switch e.Reversible {
	case risk.Regenerable:
		return "; " + e.Remedy + " can restore " + itOrThem(c)
	case risk.Restorable:
		switch {
		case e.Remedy == "git":
			return "; git can restore " + itOrThem(c)
		case e.Remedy != "":
			return "; " + e.Remedy
		}
		return ""
	case risk.NothingThere:
		return "; nothing there now"
	case risk.NotLooked:
		return ""
	}
	if c == nil {
		return "; no copy is known"
	}
	notInGit := c.Untracked + c.Modified
	switch {
	case c.Files > 1 && notInGit > 0:
		return " (" + filesIn(c) + ", " + number(notInGit) + " not in git)"
	case c.Files > 1:
		return " (" + filesIn(c) + "); no copy is known"
	case c.Modified > 0:
		return "; its latest changes are not in git"
	case c.Untracked > 0:
		return "; it is not in git"
	}
	return "; no copy is known"
}

func itOrThem(c *risk.Counts) string {
	if c != nil && c.Files > 1 {
		return "them"
	}
	return "it"
}

func files(e *risk.Effect, at place) string {
	what := target(e, at)
	switch e.Verb {
	case risk.FSWrite:
		return writes(e, what)
	case risk.FSMove:
		return "Moves " + what + scopeNote(e)
	case risk.FSCreate:
		if e.Detail == "symlink" || e.Detail == "hard link" {
			return "Creates the " + strings.Replace(e.Detail, "symlink", "link", 1) + " " + what + scopeNote(e)
		}
		return "Creates " + what + scopeNote(e)
	case risk.FSAttr:
		s := map[string]string{
			"setuid": "Lets everybody run %s with its owner's rights", "world-writable": "Lets everybody change %s", "executable": "Makes %s executable",
			"owner": "Changes the owner of %s", "times": "Changes the times of %s",
		}[e.Detail]
		if s == "" {
			s = "Changes the rights or attributes of %s"
		}
		if e.Recursive {
			what += " and all in it"
		}
		return strings.Replace(s, "%s", what, 1) + scopeNote(e)
	case risk.FSMount:
		return "Mounts or unmounts " + what
	case risk.DiskWrite:
		return "Overwrites the disk or file system " + what
	}
	return "Reads " + what + scopeNote(e)
}

func writes(e *risk.Effect, what string) string {
	switch {
	case e.Scope == risk.IsNull:
		return "Writes nowhere"
	case e.Detail == "truncate":
		return "Empties " + what + loss(e)
	case e.Detail == "append":
		return "Adds to " + what + scopeNote(e)
	case e.Detail == "extract":
		return "Extracts an archive into " + what + scopeNote(e)
	case e.Reversible == risk.NothingThere:
		return "Creates " + what + scopeNote(e)
	case e.Scope == risk.InWorkspace || e.Scope == risk.InTemp:
		if e.Recursive || e.Many {
			return "Writes files in " + what
		}
		return "Changes " + what + loss(e)
	}
	return "Overwrites " + what + scopeNote(e)
}

// scopeNote says what kind of place a target is, where its path does not.
func scopeNote(e *risk.Effect) string {
	switch e.Scope {
	case risk.IsStartup:
		return ", which is run or obeyed later without being asked"
	case risk.IsAgentConfig:
		return ", which says what a coding agent may do"
	case risk.IsSecret:
		return ", which holds credentials"
	case risk.IsDevice:
		return ", a device"
	case risk.IsAccounts:
		return ", the account database"
	case risk.InSystem:
		return ", outside the workspace"
	}
	return ""
}

func runs(e *risk.Effect, at place) string {
	name := quote(e.Target)
	if strings.HasPrefix(e.Target, "/") {
		name = at.path(e.Target)
	}
	if e.Unresolved != "" {
		return "Runs " + map[bool]string{true: "a program", false: "code"}[e.Detail == "program"] + " that is not known: " + quote(e.Unresolved) + " is " + cause(e.Cause)
	}
	switch e.Verb {
	case risk.ExecKnown:
		if e.Detail == "not understood" {
			return "Runs " + quote(e.Program) + " with " + name + ", which heed does not know"
		}
		return "Runs " + name + " with other rights"
	case risk.ExecProject:
		switch e.Detail {
		case "inspected script":
			return "Runs " + name + ", which was read and judged"
		case "hook":
			return "Runs the hook " + name + ", not inspected"
		}
		if e.Target == "" {
			return "Runs code of this project, not inspected"
		}
		return "Runs " + name + ", code of this project, not inspected"
	case risk.ExecShell:
		switch e.Detail {
		case "root shell":
			return "Starts a shell with other rights"
		case "interactive":
			return "Starts an interactive shell"
		}
		return "Starts a shell through " + quote(orElse(e.Program, "another program"))
	case risk.ExecRemote:
		if e.Detail == "reverse shell" {
			return "Gives a shell to another machine"
		}
		return "Runs code from the network, unseen"
	}
	switch e.Detail {
	case "missing":
		return "Runs " + name + ", which is not there now: not inspected"
	case "binary":
		return "Runs " + name + ", a binary, not inspected"
	case "preload":
		return "Loads " + name + " into every program it starts"
	case "PATH":
		return "Looks for programs in " + name + " first"
	case "plugin":
		return "Loads " + name + " as code, not inspected"
	case "code":
		return "Runs " + name + ", not inspected"
	}
	return "Runs " + name + ", a program heed does not know: not inspected"
}

func orElse(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

func network(e *risk.Effect) string {
	to := quote(orElse(e.Target, "the network"))
	switch e.Verb {
	case risk.NetFetch:
		return "Downloads from " + to
	case risk.NetSend:
		return "Sends data to " + to
	case risk.NetListen:
		return "Accepts connections on " + to
	}
	return "Connects to " + to
}

func versions(e *risk.Effect, at place) string {
	c := e.Counts
	switch e.Verb {
	case risk.VCSDiscard:
		return discards(e, c, at)
	case risk.VCSRewrite:
		if c != nil && c.Commits > 0 {
			return "Makes " + count(c.Commits, "commit", "commits") + " unreachable (" + quote(orElse(e.Target, e.Detail)) + ")"
		}
		if e.Reversible == risk.Restorable {
			return "Moves or removes " + quote(orElse(e.Target, "a ref")) + "; every commit stays reachable"
		}
		return "Rewrites local history (" + quote(orElse(e.Target, e.Detail)) + ")"
	case risk.VCSPush:
		return "Pushes commits to " + quote(orElse(e.Target, "the remote"))
	case risk.VCSForce:
		if e.Detail == "delete" {
			return "Deletes " + quote(orElse(e.Target, "branches")) + " on the remote"
		}
		s := "Force-pushes to " + quote(orElse(e.Target, "the remote"))
		if c != nil && c.Commits > 0 {
			return s + ": " + count(c.Commits, "commit", "commits") + " there would no longer be reachable"
		}
		return s + " and replaces its history"
	}
	return "Changes local git state (" + quote(orElse(e.Detail, "local")) + ")"
}

func discards(e *risk.Effect, c *risk.Counts, at place) string {
	switch {
	case e.Detail == "stash":
		if c != nil && c.Commits > 0 {
			return "Throws stashed work away (" + count(c.Commits, "entry", "entries") + " in the stash)"
		}
		return "Throws stashed work away"
	case e.Reversible == risk.Restorable:
		return "Resets files that have no changes: nothing is lost"
	case c != nil && c.Untracked > 0:
		more := ""
		if c.AtLeast {
			more = "more than "
		}
		return "Deletes " + more + count(c.Untracked, "file", "files") + " that git does not have"
	case c != nil && c.Modified > 0 && e.Detail == "path":
		return "Throws away the changes in " + at.path(e.Target)
	case c != nil && c.Modified > 0:
		return "Throws away uncommitted changes in " + count(c.Modified, "file", "files")
	}
	return "Throws away work that is not committed"
}

func secrets(e *risk.Effect, at place) string {
	from := e.Source
	if from == "" {
		from = e.Target
	}
	name := quote(from)
	if strings.HasPrefix(from, "/") {
		name = at.path(from)
	}
	if e.Verb == risk.SecretSend {
		if e.Detail == "private" {
			return "Sends private data to " + quote(e.Target)
		}
		return "Sends the secret in " + name + " to " + quote(e.Target)
	}
	if e.Detail == "copied to a file" {
		return "Copies the secret in " + name + " to " + at.path(e.Target)
	}
	return "Shows the secret in " + name
}

func services(e *risk.Effect) string {
	what := quote(e.Target)
	if e.Target == "" {
		what = orElse(e.Detail, map[bool]string{true: "the database", false: "the service"}[strings.HasPrefix(string(e.Verb), "db.")])
	}
	switch e.Verb {
	case risk.PkgInstall:
		return "Installs " + map[bool]string{true: "packages", false: what}[e.Target == ""] + ", whose install scripts can run code"
	case risk.PkgRemove:
		return "Removes " + map[bool]string{true: "packages", false: what}[e.Target == ""]
	case risk.PkgPublish:
		return "Publishes " + map[bool]string{true: "a package", false: what}[e.Target == ""] + " for everybody"
	case risk.RemoteRead, risk.DBRead:
		return "Reads the state of " + what
	case risk.RemoteChange, risk.DBChange:
		return "Changes " + what
	}
	s := "Destroys " + what
	if e.Detail != "" && e.Target != "" {
		s += " (" + e.Detail + ")"
	}
	return s
}

func machine(e *risk.Effect, at place) string {
	what := quote(e.Target)
	if strings.HasPrefix(e.Target, "/") {
		what = at.path(e.Target)
	}
	note := ""
	if e.Detail != "" {
		note = " (" + e.Detail + ")"
	}
	if e.Target == "" {
		what = orElse(e.Detail, "this machine")
		note = ""
	}
	switch e.Verb {
	case risk.PrivGain:
		return "Grants rights: " + what + note
	case risk.PersistAdd:
		return "Arranges to run later without being asked: " + what + note
	case risk.SysConfig:
		return "Changes the machine's configuration: " + what + note
	case risk.SysPower:
		return "Stops or restarts the machine"
	case risk.ProcSignal:
		if e.Detail == "all" {
			return "Signals every process"
		}
		return "Signals the process " + what
	case risk.DefenseEvade:
		return "Weakens a defence or hides traces: " + what + note
	case risk.Exhaust:
		return "Uses up the machine: " + orElse(e.Detail, "unbounded work")
	case risk.AgentConfig:
		return "Changes what a coding agent may do: " + what + note
	case risk.Blind:
		return "Cannot be inspected: " + orElse(e.Detail, "heed cannot see what it does")
	}
	return "Does " + string(e.Verb) + " to " + what
}
