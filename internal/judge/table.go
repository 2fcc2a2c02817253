package judge

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/risk"
)

// A row of the decision table: an effect with one of these verbs, in one of
// these scopes, for which the test holds, is worth this band. For each verb
// the first row that fits decides; the last row of a verb fits always. The
// table follows DESIGN section 7; docs/decision-table.md is made from it.
type row struct {
	verbs  []risk.Verb
	scopes []risk.Scope // none: any
	test   test
	band   risk.Band
	why    string // completes "because …"
}

// A test is a named condition on an effect.
type test struct {
	name string
	hold func(*risk.Effect) bool
}

const (
	safe = risk.BandSafe
	capA = risk.BandCautionA
	capB = risk.BandCautionB
	stop = risk.BandReview
)

func verbs(v ...risk.Verb) []risk.Verb { return v }
func in(s ...risk.Scope) []risk.Scope  { return s }
func both(a, b test) test {
	return test{a.name + ", " + b.name, func(e *risk.Effect) bool { return a.hold(e) && b.hold(e) }}
}

func either(a, b test) test {
	return test{a.name + " or " + b.name, func(e *risk.Effect) bool { return a.hold(e) || b.hold(e) }}
}

func not(a test) test { return test{"not " + a.name, func(e *risk.Effect) bool { return !a.hold(e) }} }

func detail(d ...string) test {
	return test{"detail " + join(d), func(e *risk.Effect) bool { return slices.Contains(d, e.Detail) }}
}

func join(words []string) string {
	s := ""
	for i, w := range words {
		if i > 0 {
			s += ", "
		}
		s += w
	}
	return s
}

var (
	always    = test{"", func(*risk.Effect) bool { return true }}
	root      = test{"a root directory", func(e *risk.Effect) bool { return e.Root }}
	recursive = test{"recursive", func(e *risk.Effect) bool { return e.Recursive }}
	many      = test{"many files", func(e *risk.Effect) bool { return e.Recursive || e.Many }}
	// open: a part of the target could be anything.
	open        = test{"target not known", func(e *risk.Effect) bool { return e.Unresolved != "" && e.Cause != "word" && e.Cause != "match" }}
	unset       = test{"a variable that is not set", func(e *risk.Effect) bool { return e.Cause == "unset" }}
	computed    = test{"computed by code that is read", func(e *risk.Effect) bool { return e.Cause == "expression" }}
	placeholder = test{"a placeholder", func(e *risk.Effect) bool { return e.Cause == "placeholder" }}
	setup       = test{"printed for eval by a known program", func(e *risk.Effect) bool { return e.Cause == "setup" }}
	// metadata: the program looks at a file's name and attributes only.
	metadata = test{"its attributes only", func(e *risk.Effect) bool {
		return slices.Contains([]string{"ls", "dir", "vdir", "exa", "eza", "lsd", "stat", "test", "[", "find", "fd", "du", "tree", "readlink", "realpath", "getfacl", "lsattr", "namei", "getcap"}, e.Program)
	}}
	passwords = test{"password hashes", func(e *risk.Effect) bool {
		return strings.HasPrefix(e.Target, "/etc/shadow") || strings.HasPrefix(e.Target, "/etc/gshadow") || e.Target == "/etc/master.passwd" || e.Target == "/etc/security/opasswd"
	}}
	// kept: what goes away could be brought back as it was, or made again.
	kept  = test{"restorable or regenerable", func(e *risk.Effect) bool { return e.Reversible == risk.Restorable || e.Reversible == risk.Regenerable }}
	fresh = test{"nothing there now", func(e *risk.Effect) bool { return e.Reversible == risk.NothingThere }}
	made  = test{"made by this command", func(e *risk.Effect) bool {
		return e.Reversible == risk.Restorable && e.Remedy == "made by this command"
	}}
	rebuilt    = test{"what would be there is made again", func(e *risk.Effect) bool { return e.Remedy != "" }}
	glob       = test{"by a pattern", func(e *risk.Effect) bool { return e.Pattern != "" }}
	privileged = test{"privileged", func(e *risk.Effect) bool { return e.Privileged }}
	nowhere    = test{"nothing is lost", func(e *risk.Effect) bool { return e.Reversible == risk.Restorable }}
	// core: the directories that the operating system itself lives in; /usr/local
	// is the administrator's own (Filesystem Hierarchy Standard 3.0, 4.9).
	core = test{"in the operating system's own directories", func(e *risk.Effect) bool { return isCore(e.Target) }}
	// visible: the new file is what the command is plainly about, and not the
	// work of some program's option.
	visible = test{"by a redirection or a program that makes files", func(e *risk.Effect) bool {
		switch e.Program {
		case "", "cp", "tee", "touch", "install", "cat", "mv", "mktemp", "python":
			return e.Detail == "" || e.Detail == "append" || e.Detail == "move" || e.Detail == "truncate"
		}
		return false
	}}
	// database: the connection of a client whose statements are effects of their own.
	database = test{"by a database client", func(e *risk.Effect) bool {
		return e.Detail == "database" || slices.Contains([]string{"psql", "mysql", "mariadb", "redis-cli", "valkey-cli", "mongosh", "mongo", "sqlcmd", "isql", "cqlsh", "clickhouse-client"}, e.Program)
	}}
	git     = test{"by git", func(e *risk.Effect) bool { return e.Program == "git" }}
	network = test{"from the network", func(e *risk.Effect) bool { return e.Source == "network" }}
)

// isCore reports whether a path is in the operating system's own directories.
func isCore(p string) bool {
	if strings.HasPrefix(p, "/usr/local/") {
		return false
	}
	for _, d := range []string{"/etc", "/root", "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/boot", "/sys", "/proc", "/System", "/private/etc", "/var/lib", "/var/log", "/var/run", "/run"} {
		if p == d || strings.HasPrefix(p, d+"/") {
			return true
		}
	}
	return false
}

// table is the decision table.
func table() []row {
	del, move, write, create := verbs(risk.FSDelete), verbs(risk.FSMove), verbs(risk.FSWrite), verbs(risk.FSCreate)
	attr, read := verbs(risk.FSAttr), verbs(risk.FSRead)
	trusted := in(risk.IsAgentConfig)
	startup := in(risk.IsStartup)
	image := in(risk.InImage)
	own := in(risk.InWorkspace, risk.InTemp)
	return []row{
		// Files of an image: it is built again, and nothing of this machine goes.
		{del, image, always, capA, "it changes an image that can be built again"},
		{move, image, always, capA, "it changes an image that can be built again"},
		{write, image, always, capA, "it changes an image that can be built again"},
		{create, image, always, capA, "it changes an image that can be built again"},

		// Deleting.
		{del, nil, both(root, many), stop, "it deletes a root directory"},
		{del, nil, made, capB, "what it deletes was made by this very command"},
		{del, in(risk.IsDevice, risk.IsAccounts, risk.IsSecret, risk.IsStartup, risk.IsAgentConfig), always, stop, "the machine, its accounts or its agents depend on it"},
		{del, nil, detail("empty directory"), capB, "an empty directory holds nothing"},
		{del, own, both(open, both(unset, not(many))), capB, "a variable in the target is not set"},
		{del, in(risk.InWorkspace, risk.InTemp, risk.ScopeUnknown), both(computed, not(many)), capB, "code computes the name of one file"},
		{del, nil, open, stop, "the target of a deletion is not known"},
		{del, in(risk.InTemp), always, capB, "temporary files"},
		{del, in(risk.InWorkspace), kept, capB, "it can be brought back"},
		{del, in(risk.InWorkspace), not(many), capB, "a few named files"},
		{del, in(risk.InWorkspace), both(fresh, rebuilt), capB, "nothing is there, and a build makes what would be"},
		{del, in(risk.InWorkspace), both(fresh, both(glob, not(recursive))), capB, "no file matches, and no directory could go"},
		{del, in(risk.InWorkspace), always, stop, "work that is nowhere else goes"},
		{del, in(risk.InOtherRepo), both(kept, not(many)), capB, "it can be brought back"},
		{del, nil, always, stop, "it deletes outside workspace and temp"},

		// Moving away.
		{move, nil, root, stop, "it moves a root directory"},
		{move, in(risk.IsSecret, risk.IsStartup, risk.IsAgentConfig, risk.IsAccounts, risk.IsDevice, risk.InOtherHome), always, stop, "it moves what others rely on"},
		{move, in(risk.InSystem), core, stop, "it moves what others rely on"},
		{move, nil, always, capB, "moved files can be moved back"},

		// Writing.
		{write, in(risk.IsNull), always, safe, "writing there loses nothing"},
		{write, trusted, always, stop, "it rewrites what an agent may do"},
		{write, in(risk.IsSecret), passwords, stop, "a program opens the password hashes"},
		{write, nil, detail("editor"), capB, "an editor is opened on it"},
		{write, startup, always, stop, "it will be run or obeyed later without being asked"},
		{write, in(risk.IsDevice, risk.IsAccounts), always, stop, "it writes a device or the account database"},
		{write, own, both(detail("truncate"), both(not(kept), not(fresh))), stop, "data that is nowhere else is emptied"},
		{write, nil, placeholder, capB, "no shell writes it as it is written"},
		{write, own, both(open, unset), capB, "a variable in the target is not set"},
		{write, in(risk.InWorkspace, risk.InTemp, risk.ScopeUnknown), computed, capB, "code computes the names of files"},
		{write, in(risk.InSystem), both(both(open, unset), both(fresh, not(core))), capB, "a variable in the target is not set, and nothing is there"},
		{write, nil, open, stop, "the target of a write is not known"},
		{write, in(risk.InTemp), fresh, capB, "a new file outside the workspace"},
		{write, nil, both(detail("move"), both(not(kept), not(fresh))), stop, "what is there is replaced and is nowhere else"},
		{write, own, both(fresh, visible), capA, "a new file"},
		{write, own, made, capA, "a file made by this very command"},
		{write, own, always, capB, "files get new content"},
		{write, in(risk.IsSecret), either(either(fresh, made), detail("append")), capB, "a credential file gets new content"},
		{write, in(risk.InHome, risk.InOtherRepo), either(either(fresh, made), detail("append")), capB, "a new ordinary file, or one that is added to"},
		{write, in(risk.InOtherRepo), kept, capB, "it can be brought back"},
		{write, in(risk.IsRemote), always, capB, "files elsewhere get new content"},
		{write, in(risk.InSystem, risk.InOtherHome), both(either(either(fresh, made), detail("append")), not(core)), capB, "something new outside the workspace"},
		{write, nil, always, stop, "it overwrites outside workspace and temp"},

		// Creating.
		{create, in(risk.IsAgentConfig, risk.IsStartup), detail("directory"), capB, "an empty directory"},
		{create, in(risk.IsAgentConfig, risk.IsStartup), always, stop, "it will be obeyed later without being asked"},
		{create, in(risk.InTemp), not(detail("directory", "temporary file")), capB, "a new file outside the workspace"},
		{create, own, always, capA, "something new that can simply be removed"},
		{create, in(risk.InHome, risk.InOtherRepo), detail("directory"), capA, "an empty directory that can simply be removed"},
		{create, nil, always, capB, "something new outside the workspace"},

		// Attributes.
		{attr, nil, detail("setuid"), stop, "it grants rights"},
		{attr, image, always, capA, "it changes an image that can be built again"},
		{attr, nil, both(root, recursive), stop, "it changes the rights of a root directory"},
		{attr, in(risk.IsSecret, risk.IsAccounts, risk.IsDevice, risk.IsAgentConfig), detail("world-writable"), stop, "it opens what must stay closed"},
		{attr, in(risk.IsAccounts, risk.IsDevice, risk.IsStartup, risk.InOtherHome), detail("world-writable", "owner", "immutable"), stop, "it changes who may change the system"},
		{attr, in(risk.InSystem), both(either(core, detail("world-writable")), detail("world-writable", "owner", "immutable")), stop, "it changes who may change the system"},
		{attr, in(risk.IsAccounts, risk.IsDevice, risk.IsStartup, risk.InOtherHome), recursive, stop, "it changes the rights of whole directories of the system"},
		{attr, in(risk.InSystem), both(core, recursive), stop, "it changes the rights of whole directories of the system"},
		{attr, nil, both(detail("world-writable"), recursive), stop, "it opens a whole directory to everybody"},
		{attr, own, detail("executable", "times", "mode"), capA, "easily undone"},
		{attr, nil, always, capB, "rights or attributes change"},

		// Reading.
		{read, in(risk.IsSecret), both(passwords, not(metadata)), stop, "a program opens the password hashes"},
		{read, in(risk.IsSecret), detail("shown"), capB, "the contents of a secret are used"},
		{read, in(risk.IsAccounts, risk.InOtherHome), detail("shown"), capB, "it reads accounts or another user's files"},
		{read, in(risk.IsDevice), detail("shown"), capB, "it reads a raw device"},
		{read, nil, detail("credential search"), capB, "it looks for credentials outside the workspace"},
		{read, nil, always, safe, "it reads"},

		{verbs(risk.FSMount), nil, always, capB, "it changes what is mounted"},
		{verbs(risk.DiskWrite), nil, always, stop, "it writes a disk"},

		// Running code.
		{verbs(risk.ExecKnown), nil, always, capB, "it runs with other rights, or with options heed does not know"},
		{verbs(risk.ExecProject), nil, detail("inspected script"), capA, "a script that was read and judged"},
		{verbs(risk.ExecProject), nil, always, capB, "it runs code of this project, not inspected"},
		{verbs(risk.ExecUnknown), nil, detail("help"), capB, "an unknown program"},
		{verbs(risk.ExecUnknown), nil, detail("preload", "PATH"), stop, "foreign code gets into known programs"},
		{verbs(risk.ExecUnknown), nil, network, stop, "code from the network"},
		{verbs(risk.ExecUnknown), nil, detail("placeholder"), capB, "no shell runs it as it is written"},
		{verbs(risk.ExecUnknown), nil, placeholder, capB, "no shell runs it as it is written"},
		{verbs(risk.ExecUnknown), nil, setup, capB, "a program sets up the shell"},
		{verbs(risk.ExecUnknown), nil, both(computed, detail("program", "script")), capB, "code computes the program's name"},
		{verbs(risk.ExecUnknown), nil, both(open, both(unset, detail("program", "script"))), capB, "its name comes from a variable that is not set"},
		{verbs(risk.ExecUnknown), nil, both(open, detail("program", "code", "script")), stop, "what it runs is not known"},
		{verbs(risk.ExecUnknown), nil, both(privileged, not(detail("missing"))), stop, "unknown code gets other rights"},
		{verbs(risk.ExecUnknown), nil, always, capB, "it runs something that was not inspected"},
		{verbs(risk.ExecShell), nil, detail("interactive", "", "command loop"), capB, "a program that asks for commands"},
		{verbs(risk.ExecShell), nil, always, stop, "a shell through another program, or with other rights"},
		{verbs(risk.ExecRemote), nil, detail("expression"), stop, "anybody can write what it runs"},
		{verbs(risk.ExecRemote), nil, always, stop, "code from the network, or a shell for somebody else"},

		// Network.
		{verbs(risk.NetFetch), in(risk.IsLoopback), always, safe, "it reads from a service on this machine"},
		{verbs(risk.NetConnect), in(risk.IsLoopback), database, safe, "what it asks of the database is judged by itself"},
		{verbs(risk.NetConnect), in(risk.IsLoopback), always, capA, "this machine only"},
		{verbs(risk.NetFetch), nil, git, capA, "git fetches objects and runs nothing of them"},
		{verbs(risk.NetFetch, risk.NetSend, risk.NetListen, risk.NetConnect), nil, always, capB, "it uses the network"},

		// Packages.
		{verbs(risk.PkgInstall, risk.PkgRemove, risk.PkgPublish), nil, always, capB, "packages run code when they are installed"},

		// Version control.
		{verbs(risk.VCSLocal), nil, detail("add", "commit", "stash", "stash push", "fetch", "switch", "checkout", "branch", "tag", "unstage", "init", "mv", "notes", "worktree add", "restore", "reset", "merge", "config", "stash apply", "stash pop", "remote", "issues"), capA, "local and recoverable"},
		{verbs(risk.VCSLocal), nil, always, capB, "it changes local history or files, recoverably"},
		{verbs(risk.VCSDiscard), nil, nowhere, capB, "nothing is lost"},
		{verbs(risk.VCSDiscard), nil, always, stop, "work that was not committed goes"},
		{verbs(risk.VCSRewrite), nil, nowhere, capB, "every commit stays reachable"},
		{verbs(risk.VCSRewrite), nil, always, stop, "commits become unreachable"},
		{verbs(risk.VCSPush), nil, always, capB, "it publishes commits"},
		{verbs(risk.VCSForce), nil, detail("lease"), capB, "it replaces remote history only if nobody else has changed it"},
		{verbs(risk.VCSForce), nil, always, stop, "it replaces or deletes what the remote has"},

		// Services and databases.
		{verbs(risk.DBRead), in(risk.IsLoopback, risk.InWorkspace, risk.InTemp, risk.InHome, risk.InOtherRepo), always, safe, "it reads from a database on this machine"},
		{verbs(risk.RemoteRead, risk.DBRead), nil, always, capA, "it reads the state of a service"},
		{verbs(risk.RemoteChange), nil, detail("system directory"), stop, "it overwrites the system of another machine"},
		{verbs(risk.RemoteChange, risk.DBChange), nil, always, capB, "it changes the state of a service"},
		{verbs(risk.RemoteDestroy, risk.DBDestroy), nil, always, stop, "it destroys state that heed cannot bring back"},

		// Trust.
		{verbs(risk.SecretRead), nil, always, stop, "the contents of a secret become visible"},
		{verbs(risk.SecretSend), nil, detail("handed to a program"), capB, "a program that heed does not know gets a secret"},
		{verbs(risk.SecretSend), in(risk.IsLoopback), detail("private"), capB, "private data goes to a service on this machine"},
		{verbs(risk.SecretSend), nil, always, stop, "a secret leaves the machine"},
		{verbs(risk.PrivGain), nil, always, stop, "it grants rights"},
		{verbs(risk.PersistAdd), nil, always, stop, "it will run again later without being asked"},
		{verbs(risk.AgentConfig), nil, always, stop, "it changes what an agent may do"},
		{verbs(risk.DefenseEvade), nil, always, stop, "it weakens a defence or hides traces"},

		// The machine.
		{verbs(risk.SysConfig), nil, detail("critical"), stop, "the machine may not work afterwards"},
		{verbs(risk.SysConfig), nil, always, capB, "it changes how the machine is set up"},
		{verbs(risk.SysPower), nil, always, stop, "it stops the machine"},
		{verbs(risk.ProcSignal), nil, detail("all", "init", "system service"), stop, "it signals every process, or one that the machine cannot do without"},
		{verbs(risk.ProcSignal), nil, always, capB, "it signals processes"},
		{verbs(risk.Exhaust), nil, always, stop, "it uses the machine up"},
		{verbs(risk.Blind), nil, always, stop, "heed cannot see what it does"},
	}
}
