package pure

import "strings"

// dialect names whose echo or printf is meant: a shell's own, or "program"
// for coreutils.
func (j *job) dialect() string {
	if j.interp() {
		return j.shell()
	}
	return "program"
}

// runEcho is echo: coreutils (echo.c), bash, dash, mksh and zsh built-ins.
// Options are words of "-" and the letters n, e, E in front; dash knows "-n"
// alone. dash, mksh and zsh interpret escapes unless told not to.
func runEcho(j *job, args []string) error {
	dialect := j.dialect()
	set, ok := echoEscapes(dialect)
	if !ok {
		return errUnknown
	}
	if dialect == "program" && len(args) == 1 && (args[0] == "--help" || args[0] == "--version") {
		return errUnknown
	}
	newline, interpret := true, dialect != "bash" && dialect != "program"
	if dialect == "dash" {
		if len(args) > 0 && args[0] == "-n" {
			newline, args = false, args[1:]
		}
	} else {
		n, raised, lowered := 0, false, false
		for n < len(args) && isEchoOption(args[n]) {
			for _, c := range args[n][1:] {
				switch c {
				case 'n':
					newline = false
				case 'e':
					interpret, raised = true, true
				case 'E':
					interpret, lowered = false, true
				}
			}
			n++
		}
		if dialect == "zsh" && (raised && lowered || n < len(args) && args[n] == "-") {
			return errUnknown // zsh lets -e win and drops a lone "-"
		}
		args = args[n:]
	}
	text := strings.Join(args, " ")
	if interpret {
		b, stopped, err := unescaper{j, set}.expand(nil, text)
		if err != nil {
			return err
		}
		j.write(b)
		newline = newline && !stopped
	} else {
		j.writeString(text)
	}
	if newline {
		j.writeByte('\n')
	}
	return nil
}

func isEchoOption(a string) bool {
	return len(a) > 1 && a[0] == '-' && strings.Trim(a[1:], "neE") == ""
}
