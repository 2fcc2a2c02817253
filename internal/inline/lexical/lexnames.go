package lexical

import "strings"

// What names mean in the languages that are read lexically, in lower case and
// without the module or class before them. They are those of the standard
// libraries: Go os, os/exec; Rust std::process, std::fs; C stdlib.h, unistd.h;
// Java Runtime, ProcessBuilder, nio.file.Files; Julia, Octave, Haskell
// System.Process, OCaml Sys and Unix, Erlang os, Elixir System, Nim osproc,
// Common Lisp ext and uiop, Scheme, Racket, Emacs Lisp, m4, gnuplot, TeX,
// bpftrace, Expect.
const (
	// the first argument is a line for the shell
	lexShell = `system shell popen esyscmd syscmd write18 shellescape shell-command shell-command-to-string async-shell-command
call-process-shell-command start-process-shell-command run-shell-command execshellcommand execshellcmd execshell execcmd execcmdex execcmdexs
callcommand spawncommand readcreateprocess system-command open_process_in open_process_out open_process_full executeshellcommand
runshell shellexecute spawn_shell executeshell nstask passthru shell_exec $exec $env.exec pipeopen`
	// all arguments are the words of a command
	lexWords = `command commandcontext processbuilder process execv execvp execvpe execve execveat execl execlp execle posix_spawn posix_spawnp spawn spawnsync
spawnprocess execfile execfilesync run-program process* system* start-process call-process make-process callprocess readprocess rawsystem
execprocess startprocess create_process execute_process readprocesswithexitcode subprocess proc processstartinfo forkprocess exec-program
system-exec launch nsprocess spawnvp spawnv spawnlp spawnl startcmd call-process-region`
	// one argument is a line, several are words
	lexEither = `exec execsync system_exec fork_exec`
	lexReads  = `open fopen read readfile readalltext readalllines readallbytes readstring readlines readtext readtostring read_to_string slurp load cat include sinclude
input openin get-content gc type open-input-file with-open-file call-with-input-file with-input-from-file file->string file->lines filereader fileinputstream
scanner newbufferedreader newinputstream getfile insert-file-contents insert-file-contents-literally find-file fileread importdata
textread csvread dlmread openfile fromfile read_file file opentext fread read! stream! readtextfile readtextfilesync source lines eachline
readlink ifstream from_file getlines undump undef readuntil fileopen path paths get of opentextfile plot splot readchomp`
	lexWrites = `writefile write_file out-file set-content add-content tee-object filewriter fileoutputstream writealltext writealllines writeallbytes
writestring download file_put_contents spit create printwriter open-output-file call-with-output-file with-output-to-file appendfile append-to-file append_to_file
write-region writetextfile writetextfilesync appendalltext newbufferedwriter newoutputstream openout output write! setcontent ofstream
tofile write_string dlmwrite csvwrite randomaccessfile puttext file_write new-item copy-item createfile write write-file display-to-file`
	lexDeletes = `remove unlink delete removeall rm rmdir remove_dir_all remove_dir remove_file delete-file delete-directory deletefile remove-item rmtree rm_rf rm_r
deleterecursively deleteifexists remove! deletedirectory delete-directory-and-files removedirectoryrecursive removedirrecursive
removedirectory removedir removefile removepathforcibly deletetree delete-directory-tree delete-directory/files rimraf del deltree unlinksync rmsync`
	// a connection to another machine is opened
	lexConnects = `connect socket dial dialtimeout tcpclient tcpsocket tcpstream opentcp tcp-connect open-network-stream socket-connect open-client-socket
make-client-socket tcpip netconnect createconnection sockaddrin opensocket`
	lexPrints = `print println printf puts echo display disp show write-output write-host princ prin1 message putstrln putstr format
console log writeline get-content gc cat fprintf fprint fputs putchar printfn inspect interactive stdout dump prn pprint type system.out write write-string io errprint`
)

// A role says what a name does with its arguments.
type lexRole uint16

const (
	roleShell lexRole = 1 << iota
	roleWords
	roleEither
	roleReads
	roleWrites
	roleDeletes
	rolePrints
	roleConnects
)

const roleRuns = roleShell | roleWords | roleEither

func lexRoles() map[string]lexRole {
	out := map[string]lexRole{}
	for i, names := range []string{lexShell, lexWords, lexEither, lexReads, lexWrites, lexDeletes, lexPrints, lexConnects} {
		for n := range strings.FieldsSeq(names) {
			out[n] |= 1 << i
		}
	}
	return out
}

// lexOwn are names that mean something in one language only.
func lexOwn(lang, name string) lexRole {
	switch lang + " " + name {
	case "julia run", "julia pipeline", "julia success", "dart run", "dart runsync", "elixir cmd", "swift run":
		return roleWords
	case "erlang cmd", "ocaml command", "v execute", "v execute_or_panic", "octave unix", "octave dos", "matlab unix", "matlab dos", "elixir shell", "racket process",
		"scheme process", "elisp compile", "postscript run", "scala process", "debugger shell", "gdb shell", "lisp execute":
		return roleShell
	case "elixir system", "ocaml unix", "haskell process", "swift process", "racket subprocess", "c process", "c command", "octave command", "puppet command", "puppet process", "puppet exec":
		return 0
	case "cmake command":
		return roleWords
	}
	return roleUnset
}

// roleUnset: the language has no meaning of its own for a name.
const roleUnset lexRole = 1 << 15

// lastName is a name without what stands before it, in lower case.
func lastName(s string) string {
	if i := strings.LastIndexAny(s, ".:\\/"); i >= 0 {
		s = s[i+1:]
	}
	if len(s) > 40 {
		return ""
	}
	return strings.ToLower(strings.TrimSuffix(s, "!"))
}
