package wrap

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/agent"
	"github.com/heedsh/heed/internal/gate/approval"
	"github.com/heedsh/heed/internal/wrap/shellargs"
	"github.com/heedsh/heed/risk"
)

// ShellLine makes the job of running a shell with its own command line. name
// is what it is called as, real its program; words follow.
func (s *Session) ShellLine(shell, name, real string, words []string) (*approval.Job, error) {
	line, err := shellargs.Parse(shell, words)
	if err != nil {
		return nil, err
	}
	job := &approval.Job{Shell: shell, Program: real, Argv: append([]string{name}, words...), Dir: s.Dir}
	input := standardInput()
	switch {
	case line.Mode == shellargs.Stdin && input != inputTerminal:
		job.HasScript = true
		if job.Script, err = readScript(); err != nil {
			return nil, err
		}
	case line.Mode == shellargs.Text || line.Mode == shellargs.Script:
		job.Piped = input == inputOther
	}
	return job, nil
}

// FindShell returns the real shell of a dialect: given, or else looked for.
func (s *Session) FindShell(shell, given string) (string, error) {
	if given == "" {
		return findShell(shell, s.getenv("PATH"))
	}
	if !filepath.IsAbs(given) {
		return "", fmt.Errorf("--real %q: give an absolute path", given)
	}
	return given, realShell(given)
}

// Shell is heed-sh: it reads the command line of a shell, judges what it asks
// for and becomes that shell. It returns the exit code if it does not.
func (s *Session) Shell(argv []string) (code int) {
	defer func() {
		if fault := recover(); fault != nil {
			code = s.unjudged(fmt.Errorf("a fault inside heed: %v", fault))
		}
	}()
	if len(argv) == 0 {
		return s.unjudged(errors.New("it was started without a name"))
	}
	s.withoutNet()
	job, err := s.shellJob(argv)
	if err != nil {
		return s.Failed(err)
	}
	return s.Run(job)
}

// shellJob makes the job of heed-sh's arguments.
func (s *Session) shellJob(argv []string) (*approval.Job, error) {
	called, login := strings.CutPrefix(argv[0], "-")
	base, words := filepath.Base(called), argv[1:]
	if shell := shellargs.DialectOf(base); shell != "" {
		// It stands in a shell's place: its own name stays, as $0 and in the
		// shell's messages.
		file, err := findShell(base, s.getenv("PATH"))
		if err != nil {
			return nil, err
		}
		return s.ShellLine(shell, argv[0], file, words)
	}
	if base == agent.NetName {
		s.asAgent()
		if len(words) != 1 {
			return nil, fmt.Errorf("%s takes one word, the command line that an agent would give to its shell", agent.NetName)
		}
		words = append([]string{"-c"}, words...)
		base = "heed-sh"
		if strings.HasPrefix(words[1], "-") || strings.HasPrefix(words[1], "+") {
			words = []string{"-c", "--", words[1]}
		}
	}
	if base != "heed-sh" {
		return nil, fmt.Errorf("heed-sh is called %q, which is no shell that it can stand for", base)
	}
	words, file, err := s.options(words)
	if err != nil {
		return nil, err
	}
	if file != "" {
		err = realShell(file)
	} else if file, err = findShell("bash", "/bin:/usr/bin"); err != nil {
		file, err = findShell("sh", "/bin:/usr/bin")
	}
	if err != nil {
		return nil, err
	}
	shell := shellargs.DialectOf(file)
	if shell == "" {
		return nil, fmt.Errorf("--real %s: heed does not read the language of that shell", file)
	}
	name := file
	if login {
		name = "-" + filepath.Base(file)
	}
	return s.ShellLine(shell, name, file, words)
}

// options reads heed-sh's own options, which come before those of the shell.
func (s *Session) options(words []string) (rest []string, file string, err error) {
	for len(words) > 0 {
		name, val, attached := strings.Cut(words[0], "=")
		switch name {
		case "--warn":
			s.Warn = true
		case "--json":
			s.JSON = true
		case "--dry-run":
			s.DryRun = true
		case "--net":
			s.asAgent()
		case "--judge":
			s.Judge = true
		case "--real", "--provenance":
			if !attached {
				if len(words) < 2 {
					return nil, "", fmt.Errorf("%s needs a value", name)
				}
				val, words = words[1], words[1:]
			}
			if name == "--real" {
				if file = val; !filepath.IsAbs(file) {
					return nil, "", fmt.Errorf("--real %q: give an absolute path", file)
				}
			} else if s.Provenance = risk.Provenance(val); !slices.Contains(risk.Provenances(), s.Provenance) {
				return nil, "", fmt.Errorf("--provenance %q: want one of %q", val, risk.Provenances())
			}
		default:
			return words, file, nil
		}
		words = words[1:]
	}
	return nil, file, nil
}
