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

func kind(k ...risk.Kind) test {
	names := make([]string, len(k))
	for i := range k {
		names[i] = k[i].String()
	}
	return test{"detail " + strings.Join(names, ", "), func(e *risk.Effect) bool { return slices.Contains(k, e.Kind) }}
}

var (
	always    = test{"", func(*risk.Effect) bool { return true }}
	root      = test{"a root directory", func(e *risk.Effect) bool { return e.Root }}
	recursive = test{"recursive", func(e *risk.Effect) bool { return e.Recursive }}
	many      = test{"many files", func(e *risk.Effect) bool { return e.Recursive || e.Many }}
	// open: a part of the target could be anything.
	open = test{"target not known", func(e *risk.Effect) bool {
		return e.Unresolved != "" && e.Cause != risk.CauseWord && e.Cause != risk.CauseMatch
	}}
	unset = test{"a variable that is not set", func(e *risk.Effect) bool { return e.Cause == risk.CauseUnset }}
	// given: whoever runs the file says what it is, in the environment, on the
	// command line or among the arguments.
	given       = test{"given by whoever runs it", func(e *risk.Effect) bool { return e.Cause == risk.CauseGiven }}
	computed    = test{"computed by code that is read", func(e *risk.Effect) bool { return e.Cause == risk.CauseExpression }}
	placeholder = test{"a placeholder", func(e *risk.Effect) bool { return e.Cause == risk.CausePlaceholder }}
	setup       = test{"printed for eval by a known program", func(e *risk.Effect) bool { return e.Cause == risk.CauseSetup }}
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
		return e.Reversible == risk.Restorable && e.Remedy == risk.RemedyMade
	}}
	// ofGit: what a repository itself consists of (gitrepository-layout(5)).
	ofGit = test{"branches, objects or settings of a repository", func(e *risk.Effect) bool {
		_, rest, ok := strings.Cut(e.Target, "/.git/")
		if !ok || strings.HasSuffix(rest, ".lock") || e.Reversible == risk.NothingThere {
			return false
		}
		switch rest {
		case "HEAD", "packed-refs", "config", "refs", "objects", "logs":
			return true
		}
		for _, dir := range []string{"refs/", "objects/", "logs/", "modules/", "worktrees/"} {
			if strings.HasPrefix(rest, dir) {
				return true
			}
		}
		return false
	}}
	// ofLayout: a directory without which git does not take a directory for a repository.
	ofLayout = test{"a repository's refs or objects", func(e *risk.Effect) bool {
		return strings.HasSuffix(e.Target, "/.git/refs") || strings.HasSuffix(e.Target, "/.git/objects")
	}}
	// ofRefs: where a repository's branches and tags lead.
	ofRefs = test{"a ref of a repository", func(e *risk.Effect) bool {
		_, rest, ok := strings.Cut(e.Target, "/.git/")
		return ok && e.Program != "git" && (rest == "HEAD" || rest == "packed-refs" || strings.HasPrefix(rest, "refs/"))
	}}
	// inGit: what git keeps for itself for a while, or for submodules.
	inGit = test{"what a repository has for a while", func(e *risk.Effect) bool {
		_, rest, ok := strings.Cut(e.Target, "/.git/")
		return ok && (slices.Contains([]string{"modules", "rebase-merge", "rebase-apply", "sequencer"}, rest) || strings.HasPrefix(rest, "modules/") || strings.Trim(rest, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == "" && rest != "HEAD")
	}}
	// searched: a search finds it, if there is any.
	searched = test{"what a search finds", func(e *risk.Effect) bool {
		return e.Unresolved != "" && (e.Cause == risk.CauseMatch || e.Cause == risk.CauseWord)
	}}
	privileged = test{"privileged", func(e *risk.Effect) bool { return e.Privileged }}
	lost       = test{"it is nowhere else", func(e *risk.Effect) bool { return e.Reversible == risk.Lost }}
	nowhere    = test{"nothing is lost", func(e *risk.Effect) bool { return e.Reversible == risk.Restorable }}
	// core: the directories that the operating system itself lives in; /usr/local
	// is the administrator's own (Filesystem Hierarchy Standard 3.0, 4.9).
	core = test{"in the operating system's own directories", func(e *risk.Effect) bool { return isCore(e.Target) }}
	// visible: the new file is what the command is plainly about, and not the
	// work of some program's option.
	visible = test{"by a redirection or a program that makes files", func(e *risk.Effect) bool {
		switch e.Program {
		case "", "cp", "tee", "touch", "install", "cat", "mv", "mktemp", "python":
			return e.Kind == risk.NoKind || e.Kind == risk.KindAppend || e.Kind == risk.KindMove || e.Kind == risk.KindTruncate
		}
		return false
	}}
	// database: the connection of a client whose statements are effects of their own.
	database = test{"by a database client", func(e *risk.Effect) bool {
		return e.Kind == risk.KindDatabase || slices.Contains([]string{"psql", "mysql", "mariadb", "redis-cli", "valkey-cli", "mongosh", "mongo", "sqlcmd", "isql", "cqlsh", "clickhouse-client"}, e.Program)
	}}
	git     = test{"by git", func(e *risk.Effect) bool { return e.Program == "git" }}
	network = test{"from the network", func(e *risk.Effect) bool { return e.Source == risk.FromNetwork() }}
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
		{del, nil, kind(risk.KindNoFile), capB, "no file is named, unless somebody sets the variable"},
		{del, nil, both(root, many), stop, "it deletes a root directory"},
		{del, nil, made, capB, "what it deletes was made by this very command"},
		{del, nil, both(kind(risk.KindEmptyDirectory), ofLayout), stop, "without it there is no repository"},
		{del, nil, kind(risk.KindEmptyDirectory), capB, "an empty directory holds nothing"},
		{del, in(risk.IsStartup), both(fresh, inGit), capB, "nothing is there"},
		{del, in(risk.IsDevice, risk.IsAccounts, risk.IsSecret, risk.IsStartup, risk.IsAgentConfig), always, stop, "the machine, its accounts or its agents depend on it"},
		{del, own, both(open, both(unset, not(many))), capB, "a variable in the target is not set"},
		{del, own, both(open, both(given, not(many))), capB, "whoever runs it names the file"},
		{del, in(risk.InSystem), both(both(open, given), both(not(many), both(fresh, not(core)))), capB, "whoever runs it names the file's directory"},
		{del, in(risk.InWorkspace, risk.InTemp, risk.ScopeUnknown), both(computed, not(many)), capB, "code computes the name of one file"},
		{del, in(risk.InSystem), both(both(computed, not(many)), both(fresh, not(core))), capB, "code computes the file's directory"},
		{del, nil, open, stop, "the target of a deletion is not known"},
		{del, in(risk.InTemp), always, capB, "temporary files"},
		{del, in(risk.InWorkspace), kept, capB, "it can be brought back"},
		{del, in(risk.InWorkspace), ofGit, stop, "the repository depends on it"},
		{del, in(risk.InWorkspace), not(many), capB, "a few named files"},
		{del, in(risk.InWorkspace), fresh, capB, "nothing is there"},
		{del, in(risk.InWorkspace), always, stop, "work that is nowhere else goes"},
		{del, in(risk.InOtherRepo), both(kept, not(many)), capB, "it can be brought back"},
		{del, nil, both(fresh, searched), capB, "nothing is found there now"},
		{del, in(risk.InHome, risk.InOtherRepo), both(fresh, not(many)), capB, "nothing is there"},
		{del, in(risk.InSystem), both(both(fresh, not(many)), not(core)), capB, "nothing is there"},
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
		{write, in(risk.InWorkspace), ofRefs, stop, "it says which commits a branch has"},
		{write, nil, kind(risk.KindEditor), capB, "an editor is opened on it"},
		{write, startup, always, stop, "it will be run or obeyed later without being asked"},
		{write, in(risk.IsDevice, risk.IsAccounts), always, stop, "it writes a device or the account database"},
		{write, own, both(kind(risk.KindTruncate), both(not(kept), not(fresh))), stop, "data that is nowhere else is emptied"},
		{write, own, both(kind(risk.KindOverwrittenForGood), both(many, both(not(kept), not(fresh)))), stop, "data that is nowhere else is overwritten"},
		{write, nil, kind(risk.KindNoFile), capA, "no file is named"},
		{write, nil, placeholder, capB, "no shell writes it as it is written"},
		{write, own, both(open, unset), capB, "a variable in the target is not set"},
		{write, own, both(open, given), capB, "whoever runs it names the file"},
		{write, in(risk.InSystem), both(both(open, given), both(fresh, not(core))), capB, "whoever runs it names the file's directory"},
		{write, in(risk.InWorkspace, risk.InTemp, risk.ScopeUnknown), computed, capB, "code computes the names of files"},
		{write, in(risk.InSystem), both(computed, both(fresh, not(core))), capB, "code computes the file's directory"},
		{write, in(risk.InSystem), both(both(open, unset), both(fresh, not(core))), capB, "a variable in the target is not set, and nothing is there"},
		{write, nil, open, stop, "the target of a write is not known"},
		{write, in(risk.InTemp), fresh, capB, "a new file outside the workspace"},
		{write, nil, both(kind(risk.KindMove), both(not(kept), not(fresh))), stop, "what is there is replaced and is nowhere else"},
		{write, own, both(fresh, visible), capA, "a new file"},
		{write, own, made, capA, "a file made by this very command"},
		{write, own, always, capB, "files get new content"},
		{write, in(risk.IsSecret), either(either(fresh, made), kind(risk.KindAppend)), capB, "a credential file gets new content"},
		{write, in(risk.InHome, risk.InOtherRepo), either(either(fresh, made), kind(risk.KindAppend)), capB, "a new ordinary file, or one that is added to"},
		{write, in(risk.InHome, risk.InOtherRepo, risk.IsSecret), kind(risk.KindSameContent), capB, "what is there is written again"},
		{write, in(risk.InOtherRepo), kept, capB, "it can be brought back"},
		{write, in(risk.IsRemote), always, capB, "files elsewhere get new content"},
		{write, in(risk.InSystem, risk.InOtherHome), both(either(either(fresh, made), kind(risk.KindAppend)), not(core)), capB, "something new outside the workspace"},
		{write, nil, always, stop, "it overwrites outside workspace and temp"},

		// Creating.
		{create, in(risk.IsAgentConfig, risk.IsStartup), kind(risk.KindDirectory), capB, "an empty directory"},
		{create, in(risk.IsAgentConfig, risk.IsStartup), always, stop, "it will be obeyed later without being asked"},
		{create, in(risk.InTemp), not(kind(risk.KindDirectory, risk.KindTemporaryFile)), capB, "a new file outside the workspace"},
		{create, nil, both(open, not(either(unset, given))), capB, "where it creates something is not known"},
		{create, own, always, capA, "something new that can simply be removed"},
		{create, in(risk.InHome, risk.InOtherRepo), kind(risk.KindDirectory), capA, "an empty directory that can simply be removed"},
		{create, nil, always, capB, "something new outside the workspace"},

		// Attributes.
		{attr, nil, kind(risk.KindSetuid), stop, "it grants rights"},
		{attr, image, always, capA, "it changes an image that can be built again"},
		{attr, nil, both(root, recursive), stop, "it changes the rights of a root directory"},
		{attr, in(risk.IsSecret, risk.IsAccounts, risk.IsDevice, risk.IsAgentConfig), kind(risk.KindWorldWritable), stop, "it opens what must stay closed"},
		{attr, in(risk.IsAccounts, risk.IsDevice, risk.IsStartup, risk.InOtherHome), kind(risk.KindWorldWritable, risk.KindOwner, risk.KindImmutable), stop, "it changes who may change the system"},
		{attr, in(risk.InSystem), both(either(core, kind(risk.KindWorldWritable)), kind(risk.KindWorldWritable, risk.KindOwner, risk.KindImmutable)), stop, "it changes who may change the system"},
		{attr, in(risk.IsAccounts, risk.IsDevice, risk.IsStartup, risk.InOtherHome), recursive, stop, "it changes the rights of whole directories of the system"},
		{attr, in(risk.InSystem), both(core, recursive), stop, "it changes the rights of whole directories of the system"},
		{attr, nil, both(kind(risk.KindWorldWritable), recursive), stop, "it opens a whole directory to everybody"},
		{attr, nil, both(open, not(either(unset, given))), capB, "whose rights or attributes change is not known"},
		{attr, own, kind(risk.KindExecutable, risk.KindTimes, risk.KindMode), capA, "easily undone"},
		{attr, nil, always, capB, "rights or attributes change"},

		// Reading.
		{read, in(risk.IsSecret), both(passwords, not(metadata)), stop, "a program opens the password hashes"},
		{read, in(risk.IsSecret), kind(risk.KindShown), capB, "the contents of a secret are used"},
		{read, in(risk.IsAccounts, risk.InOtherHome), kind(risk.KindShown), capB, "it reads accounts or another user's files"},
		{read, in(risk.IsDevice), kind(risk.KindShown), capB, "it reads a raw device"},
		{read, nil, kind(risk.KindNotLookedAt), capB, "it may lead to a secret"},
		{read, nil, kind(risk.KindConfiguration), capB, "it obeys settings in a file that heed does not read"},
		{read, nil, kind(risk.KindCredentialSearch), capB, "it looks for credentials outside the workspace"},
		{read, nil, always, safe, "it reads"},

		{verbs(risk.FSMount), nil, always, capB, "it changes what is mounted"},
		{verbs(risk.DiskWrite), nil, always, stop, "it writes a disk"},

		// Running code.
		{verbs(risk.ExecKnown), nil, kind(risk.KindConcealedCommand, risk.KindConcealingCharacters), capB, "the line does not show what it runs"},
		{verbs(risk.ExecKnown), nil, kind(risk.KindLookalikeName), capB, "the name is made to be taken for another"},
		{verbs(risk.ExecKnown), nil, always, capB, "it runs with other rights, or with options heed does not know"},
		{verbs(risk.ExecProject), nil, kind(risk.KindInspectedScript), capA, "a script that was read and judged"},
		{verbs(risk.ExecProject), nil, always, capB, "it runs code of this project, not inspected"},
		{verbs(risk.ExecUnknown), nil, kind(risk.KindHelp), capB, "an unknown program"},
		{verbs(risk.ExecUnknown), nil, kind(risk.KindPreload, risk.KindPATH), stop, "foreign code gets into known programs"},
		{verbs(risk.ExecUnknown), nil, network, stop, "code from the network"},
		{verbs(risk.ExecUnknown), nil, kind(risk.KindPlaceholder), capB, "no shell runs it as it is written"},
		{verbs(risk.ExecUnknown), nil, placeholder, capB, "no shell runs it as it is written"},
		{verbs(risk.ExecUnknown), nil, setup, capB, "a program sets up the shell"},
		{verbs(risk.ExecUnknown), nil, both(computed, kind(risk.KindProgram, risk.KindScript)), capB, "code computes the program's name"},
		{verbs(risk.ExecUnknown), nil, both(open, both(unset, kind(risk.KindProgram, risk.KindScript))), capB, "its name comes from a variable that is not set"},
		{verbs(risk.ExecUnknown), nil, both(both(open, given), both(not(privileged), kind(risk.KindProgram, risk.KindScript))), capB, "whoever runs it says which program"},
		{verbs(risk.ExecUnknown), nil, both(open, kind(risk.KindProgram, risk.KindCode, risk.KindScript)), stop, "what it runs is not known"},
		{verbs(risk.ExecUnknown), nil, both(privileged, not(kind(risk.KindMissing))), stop, "unknown code gets other rights"},
		{verbs(risk.ExecUnknown), nil, always, capB, "it runs something that was not inspected"},
		{verbs(risk.ExecShell), nil, kind(risk.KindInteractive, risk.NoKind, risk.KindCommandLoop), capB, "a program that asks for commands"},
		{verbs(risk.ExecShell), nil, always, stop, "a shell through another program, or with other rights"},
		{verbs(risk.ExecRemote), nil, kind(risk.KindExpression), stop, "anybody can write what it runs"},
		{verbs(risk.ExecRemote), nil, always, stop, "code from the network, or a shell for somebody else"},

		// Network.
		{verbs(risk.NetFetch), in(risk.IsLoopback), always, safe, "it reads from a service on this machine"},
		{verbs(risk.NetConnect), in(risk.IsLoopback), database, safe, "what it asks of the database is judged by itself"},
		{verbs(risk.NetConnect), in(risk.IsLoopback), always, capA, "this machine only"},
		{verbs(risk.NetFetch), nil, git, capA, "git fetches objects and runs nothing of them"},
		{verbs(risk.NetFetch, risk.NetSend, risk.NetListen, risk.NetConnect), nil, always, capB, "it uses the network"},

		// Packages.
		{verbs(risk.PkgRemove), nil, kind(risk.KindEssentialPackage), stop, "the machine does not work without it"},
		{verbs(risk.PkgRemove), nil, kind(risk.KindPackageAndItsData), stop, "the data of a server goes with it"},
		{verbs(risk.PkgInstall, risk.PkgRemove, risk.PkgPublish), nil, always, capB, "packages run code when they are installed"},

		// Version control.
		{verbs(risk.VCSLocal), nil, kind(risk.KindAdd, risk.KindCommit, risk.KindStash, risk.KindStashPush, risk.KindFetch, risk.KindSwitch, risk.KindCheckout, risk.KindBranch, risk.KindTag, risk.KindUnstage, risk.KindInit, risk.KindMv, risk.KindNotes, risk.KindWorktreeAdd, risk.KindRestore, risk.KindReset, risk.KindMerge, risk.KindConfig, risk.KindStashApply, risk.KindStashPop, risk.KindRemote, risk.KindIssues, risk.KindBisect), capA, "local and recoverable"},
		{verbs(risk.VCSLocal), nil, always, capB, "it changes local history or files, recoverably"},
		{verbs(risk.VCSDiscard), nil, nowhere, capB, "nothing is lost"},
		{verbs(risk.VCSDiscard), nil, always, stop, "work that was not committed goes"},
		{verbs(risk.VCSRewrite), nil, nowhere, capB, "every commit stays reachable"},
		{verbs(risk.VCSRewrite), nil, always, stop, "commits become unreachable"},
		{verbs(risk.VCSPush), nil, always, capB, "it publishes commits"},
		{verbs(risk.VCSForce), nil, both(kind(risk.KindLease), not(lost)), capB, "it replaces remote history only if nobody else has changed it"},
		{verbs(risk.VCSForce), nil, always, stop, "it replaces or deletes what the remote has"},

		// Services and databases.
		{verbs(risk.DBRead), in(risk.IsLoopback, risk.InWorkspace, risk.InTemp, risk.InHome, risk.InOtherRepo), always, safe, "it reads from a database on this machine"},
		{verbs(risk.RemoteRead), nil, kind(risk.KindSensitiveOutputs, risk.KindVariablesOfAnotherMachine), capB, "what it shows may be secret"},
		{verbs(risk.RemoteRead, risk.DBRead), nil, always, capA, "it reads the state of a service"},
		{verbs(risk.RemoteChange), nil, kind(risk.KindSystemDirectory), stop, "it overwrites the system of another machine"},
		{verbs(risk.RemoteChange, risk.DBChange), nil, always, capB, "it changes the state of a service"},
		{verbs(risk.RemoteDestroy, risk.DBDestroy), nil, always, stop, "it destroys state that heed cannot bring back"},

		// Trust.
		{verbs(risk.SecretRead), nil, kind(risk.KindOthersEnvironment), capB, "programs are started with secrets in their environment"},
		{verbs(risk.SecretRead), nil, kind(risk.KindVariablesOfTheShell), capB, "variables that are not exported are not seen here, and may hold secrets"},
		{verbs(risk.SecretRead), nil, kind(risk.KindVariablesOfAnAccount), capB, "variables of that service hold its credentials"},
		{verbs(risk.SecretRead), nil, always, stop, "the contents of a secret become visible"},
		{verbs(risk.SecretSend), nil, kind(risk.KindHandedToAProgram), capB, "a program that heed does not know gets a secret"},
		{verbs(risk.SecretSend), in(risk.IsLoopback), kind(risk.KindPrivate), capB, "private data goes to a service on this machine"},
		{verbs(risk.SecretSend), nil, always, stop, "a secret leaves the machine"},
		{verbs(risk.PrivGain), nil, always, stop, "it grants rights"},
		{verbs(risk.PersistAdd), nil, always, stop, "it will run again later without being asked"},
		{verbs(risk.AgentConfig), nil, always, stop, "it changes what an agent may do"},
		{verbs(risk.DefenseEvade), nil, always, stop, "it weakens a defence or hides traces"},

		// The machine.
		{verbs(risk.SysConfig), nil, kind(risk.KindCritical), stop, "the machine may not work afterwards"},
		{verbs(risk.SysConfig), nil, kind(risk.KindDesktop), capA, "what the screen shows or plays is easily set back"},
		{verbs(risk.SysConfig), nil, always, capB, "it changes how the machine is set up"},
		{verbs(risk.SysPower), nil, always, stop, "it stops the machine"},
		{verbs(risk.ProcSignal), nil, kind(risk.KindAll, risk.KindEveryProcessOfAUser, risk.KindInit, risk.KindSystemService), stop, "it signals every process, or one that the machine cannot do without"},
		{verbs(risk.ProcSignal), nil, always, capB, "it signals processes"},
		{verbs(risk.Exhaust), nil, always, stop, "it uses the machine up"},
		{verbs(risk.Blind), nil, always, stop, "heed cannot see what it does"},
	}
}
