package pure

import (
	"errors"
	"strings"
)

// Bounds of one run. They are ours, not any program's.
const (
	defaultLimit = 1 << 20  // bytes of output when Input.Limit is not set
	maxLimit     = 16 << 20 // the most a caller may ask for
	maxInput     = 16 << 20 // bytes of standard input and files together
	maxArgs      = 1 << 16  // words in argv
	maxSteps     = 8 << 20  // abstract steps: loop turns, bytes seen by a pattern
)

// errUnknown says that the output is not computed.
var errUnknown = errors.New("output not computed")

// Input is one run of a program whose argv and standard input are known.
type Input struct {
	Argv     []string
	Stdin    []byte // nil if nothing is piped in; HasStdin says so
	HasStdin bool
	Dir      string // absolute directory

	// Env looks a variable up in the program's whole environment: absent
	// means unset. A nil Env is an empty environment.
	Env func(string) (string, bool)

	// ReadFile returns the content of the file at an absolute path. An error
	// means that it cannot be had (secret, missing, too large): the output is
	// then not computed. A nil ReadFile fails always.
	ReadFile func(path string) ([]byte, error)

	// Exists reports whether path names something and whether that is a
	// directory. It may be nil: then nothing is known.
	Exists func(path string) (isDir, ok bool)

	// RealPath resolves every symbolic link of an absolute path; ok is false
	// if that is not known or the path does not exist. It may be nil.
	RealPath func(path string) (string, bool)

	// ReadLink returns the text of the symbolic link at an absolute path; ok is false
	// if that is not known or the path is none. It may be nil.
	ReadLink func(path string) (string, bool)

	// Ending is set where only how it ends is asked for: what it prints is then not
	// all computed.
	Ending bool

	// Into is set where a program may be asked to write a file in place of what it
	// prints: the output says which, and is what comes to stand in it.
	Into bool

	Limit int // most bytes of output; beyond it Run answers !ok. 0: 1 MiB

	// Shell is the shell the command stands in: bash, sh (dash), mksh, zsh.
	// With Interp the shell's own echo, printf, test and pwd are meant.
	Shell  string
	Interp bool
}

// Output is what the program prints and how it ends.
type Output struct {
	Stdout  []byte
	Status  int
	Decoded bool     // the bytes are the result of a decoder (base64 -d, xxd -r, rot13 …)
	Picked  bool     // the lines are those that somebody asked for by what is in them
	Files   []string // absolute paths that were read, in order, each once
	Answer  Answer   // what its status says
	Into    string   // the absolute path of the file that it writes in place of printing
}

// An Answer is what the status of a program says that is run to ask for something.
type Answer uint8

// The answers.
const (
	NoAnswer Answer = iota
	Found
	NotFound
	Same
	Different
)

// Run computes the output of one program. It answers false if the program is
// not pure, if an option or construct is not handled, or if a bound was hit:
// the caller then treats the output as unknown.
func Run(in Input) (Output, bool) {
	if len(in.Argv) == 0 || len(in.Argv) > maxArgs || len(in.Stdin) > maxInput {
		return Output{}, false
	}
	name, ok := programName(in.Argv[0])
	if !ok {
		return Output{}, false
	}
	run := lookup(name)
	if run == nil {
		return Output{}, false
	}
	j := newJob(in, name)
	if strings.Contains(in.Argv[0], "/") {
		j.in.Interp = false
	}
	if !j.interp() {
		// POSIXLY_CORRECT changes option order and more in GNU programs.
		if _, set := j.env("POSIXLY_CORRECT"); set {
			return Output{}, false
		}
	}
	odd, everywhere := j.oddLocale()
	j.odd = odd
	for _, a := range in.Argv[1:] {
		// A NUL cannot be passed to a program.
		if everywhere || strings.IndexByte(a, 0) >= 0 || odd && !isASCII(a) {
			return Output{}, false
		}
	}
	if err := run(j, in.Argv[1:]); err != nil || j.over {
		return Output{}, false
	}
	return Output{Stdout: j.out, Status: j.status, Decoded: j.decoded, Picked: j.picked, Files: j.files, Answer: j.answer, Into: j.into}, true
}

// Answers reports whether the program called name (as [Known] has it) is one whose status
// says something of files.
func Answers(name string) bool {
	name, _ = programName(name)
	switch name {
	case "grep", "egrep", "fgrep", "ggrep", "cmp", "gcmp", "diff", "gdiff":
		return true
	}
	return false
}

// Known reports whether Run computes some runs of the program called name
// (a bare name or a path into a system directory).
func Known(name string) bool {
	name, ok := programName(name)
	return ok && lookup(name) != nil
}

// programName strips a system directory from the name of a program. A path
// elsewhere may be anything and is not known.
func programName(arg string) (string, bool) {
	i := strings.LastIndexByte(arg, '/')
	if i < 0 {
		return arg, arg != ""
	}
	switch arg[:i] {
	case "/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin":
		return arg[i+1:], true
	}
	return "", false
}
