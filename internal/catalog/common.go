package catalog

// common are the strings that stand most often in the specs, the most frequent first: the
// blob has each as a number, which makes it a tenth smaller. Their order is part of the
// blob's format.
var common = [...]string{
	"subcommand", "operand", "remote.change", "sys.config", "called", "word", "remote.destroy", "remote.read", "file", "credential",
	"package", "help", "pkg.install", "--verbose", "command", "fs.write", "exec.project", "word:1", "--quiet", "list", "fs.create", "out",
	"--output", "secret.read", "--dry-run", "-v", "--config", "-s", "-f", "pkg.remove", "-p", "-c", "word:2", "-h", "-d", "name", "object",
	"-n", "--force", "vcs.local", "-l", "-t", "configuration", "net.fetch", "net.connect", "-r", "-o", "exec.unknown", "-i", "source",
	"delete", "device", "-a", "net.listen", "--format", "script", "-e", "action", "--version", "-q", "-m", "path", "--list", "config",
	"exec.shell", "--interactive", "--debug", "--timeout", "--all", "--exclude", "install", "--recursive", "db.change", "--config-file",
	"net.send", "--password", "program", "remove", "--file", "--json", "version", "dir", "--color", "uninstall", "check", "create", "--user",
	"proc.signal", "--name", "database", "change", "target", "fs.delete", "container", "secret", "disk.write", "defense.evade", "db.destroy",
	"overwrite", "agent.config", "repository", "word:3", "-b", "dry", "update", "pkg.publish", "--directory", "--include", "-u",
	"--command", "--silent", "args", "--target", "--output-file", "--port", "account", "recursive", "--profile", "setting",
	"archive", "priv.gain", "--help", "--ignore-case", "--type", "-V", "image", "-w", "force", "-S", "code", "--check", "plugin", "--filter",
	"dest", "--progress", "--username", "--no-color", "status", "--remove", "--context", "-C",
	"vcs.discard", "--log-level", "removes", "--limit", "key", "-P", "init", "manifest", "-x", "-D", "query",
	"directory", "--host", "--group", "-L", "--filename", "project", "--zero-terminated", "--encoding", "process",
	"interpreter", "--namespace", "-g", "completion", "service", "host", "module", "format", "--prefix", "--delete", "persist.add",
	"stdin", "setup", "--source", "--output-format", "--root", "shell", "prune", "log",
	"server", "--sort", "vcs.rewrite", "-R", "--template", "--platform", "template", "--update", "-T", "-F", "-k", "pattern", "remote",
	"--info", "password", "--status", "--branch", "reset", "restore", "--path", "--threads", "export", "--width", "build",
	"--env", "--stdout", "--recurse-submodules", "test", "done", "clean", "--shell", "--overwrite", "--remote",
	"run", "--title", "write", "plain", "--project", "--message", "unit", "words", "upgrade", "machine", "-version", "--system",
	"-I", "--input", "search", "--verify", "--ignore", "value", "--offline", "interactive", "--description", "registry",
	"download", "show", "-H", "-A",
}
