package explain

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/risk"
)

func files(e *risk.Effect, at place) string {
	what := target(e, at)
	switch e.Verb {
	case risk.FSWrite:
		return writes(e, what, at)
	case risk.FSMove:
		return "Moves " + ofSeveral(e, what) + scopeNote(e)
	case risk.FSCreate:
		return creates(e, ofSeveral(e, what))
	case risk.FSAttr:
		return "Changes the rights or attributes of " + acted(e, at) + scopeNote(e)
	case risk.FSMount:
		return "Mounts or unmounts " + what
	case risk.DiskWrite:
		return "Overwrites the disk or file system " + what
	}
	if kernelSetting(e.Target) {
		return "Reads the kernel's setting " + what
	}
	return "Reads " + what + scopeNote(e)
}

// ofSeveral names a target that stands for each of several files in a directory.
func ofSeveral(e *risk.Effect, what string) string {
	if picks(e) {
		return "files in " + what
	}
	return what
}

// there reports whether what an effect would make is there. The engine looks, unless it is
// elsewhere.
func there(e *risk.Effect) bool {
	return e.Reversible == risk.NotLooked && e.Unresolved == "" && e.Scope != risk.IsRemote && e.Scope != risk.InImage && e.Scope != risk.ScopeUnknown
}

func creates(e *risk.Effect, what string) string {
	link := e.Kind == risk.KindSymlink || e.Kind == risk.KindHardLink
	exists := there(e)
	switch {
	case e.Scope == risk.IsDevice:
		return onDevice(e, what)
	case link && exists && e.Forced:
		return "Replaces " + what + " by a " + linkWord(e.Kind) + scopeNote(e)
	case link:
		return "Creates the " + linkWord(e.Kind) + " " + what + scopeNote(e)
	case exists && what == ".": // of a program that names the file itself
		return "Creates files in ." + scopeNote(e)
	case exists:
		return "Makes sure that " + what + " exists" + scopeNote(e)
	}
	return "Creates " + what + scopeNote(e)
}

// hollow is what a program makes of nothing, since what it is to put into a file is not
// there.
func hollow(e *risk.Effect, at place) string {
	what := target(e, at)
	switch {
	case e.Reversible == risk.NothingThere:
		return "Creates " + what + " with nothing in it" + scopeNote(e)
	case e.Kind == risk.KindAppend:
		return "Adds nothing to " + what
	}
	return "Replaces " + what + " by an empty one" + loss(e, at)
}

func linkWord(k risk.Kind) string {
	if k == risk.KindHardLink {
		return "hard link"
	}
	return "link"
}

// onDevice is what is written to a device: nothing makes one by opening its name but a
// file of that name, and that is not meant.
func onDevice(e *risk.Effect, what string) string {
	if e.Reversible == risk.NothingThere {
		return "Writes over the device " + what + tail + ", which is not there now"
	}
	return "Writes over the device " + what
}

func writes(e *risk.Effect, what string, at place) string {
	switch {
	case e.Scope == risk.IsDevice:
		return onDevice(e, what)
	case e.Reversible == risk.NothingThere:
		return "Creates " + ofSeveral(e, what) + scopeNote(e)
	case e.Scope != risk.InWorkspace && e.Scope != risk.InTemp:
		return "Overwrites " + what + scopeNote(e)
	case severalFiles(e, what):
		return "Writes files in " + what
	}
	if e.By.Replaces {
		return "Overwrites " + what + loss(e, at)
	}
	return "Changes " + what + loss(e, at)
}

// severalFiles reports whether what is written is not one file, but files in a
// directory.
func severalFiles(e *risk.Effect, what string) bool {
	one := e.Counts != nil && e.Counts.Files == 1 && !e.Counts.AtLeast // as one of those that a search found
	return e.Recursive || e.Many && !one || what == "."
}

// written names what gets new content.
func written(e *risk.Effect, what string) string {
	if severalFiles(e, what) && !strings.ContainsAny(what, "*?[…") {
		return "files in " + what
	}
	return what
}

// changed says what is lost where contents are replaced, or what kind of place
// they are in.
func changed(e *risk.Effect, at place) string {
	switch {
	case e.Reversible == risk.NothingThere: // no program makes it
		if severalFiles(e, target(e, at)) {
			return orElse(scopeNote(e), tail) + "; there are none now"
		}
		return orElse(scopeNote(e), tail) + "; nothing there now"
	case e.Scope != risk.InWorkspace && e.Scope != risk.InTemp && e.Kind != risk.KindTruncate:
		return scopeNote(e)
	case severalFiles(e, target(e, at)):
		if (e.Kind == risk.KindFormatted || e.Kind == risk.KindFixed) && e.Program != "" {
			return " with " + quote(base(e.Program))
		}
		return ""
	}
	return loss(e, at)
}

// kernelSetting reports whether a path is a knob of the running kernel
// (proc(5), sysfs(5)).
func kernelSetting(p string) bool {
	return strings.HasPrefix(p, "/proc/") || strings.HasPrefix(p, "/sys/")
}

// scopeNote says what kind of place a target is, where its path does not.
func scopeNote(e *risk.Effect) string {
	if e.Verb == risk.FSCreate && e.Kind == risk.KindDirectory {
		return directoryNote(e)
	}
	switch e.Scope {
	case risk.IsStartup:
		return tail + ", which is run or obeyed later without being asked"
	case risk.IsAgentConfig:
		return tail + ", which says what a coding agent may do"
	case risk.IsSecret:
		return tail + ", " + holding(e.Target)
	case risk.IsDevice:
		return tail + ", a device"
	case risk.IsAccounts:
		return tail + ", the account database"
	case risk.InSystem:
		return tail + ", outside the workspace"
	}
	return ""
}

// directoryNote says what kind of place a new directory is in: what files there would be
// obeyed for, it is not itself.
func directoryNote(e *risk.Effect) string {
	switch {
	case e.Scope == risk.InSystem, e.Scope == risk.IsAccounts, e.Scope == risk.IsDevice:
		return tail + ", outside the workspace"
	case there(e):
		return ""
	case e.Scope == risk.IsStartup:
		return tail + ", empty; what is put there is run or obeyed later"
	case e.Scope == risk.IsAgentConfig:
		return tail + ", empty, among what a coding agent obeys"
	case e.Scope == risk.IsSecret:
		return tail + ", empty, where credentials are kept"
	}
	return ""
}

// maxText is how long a text may be to be told as what is written, in characters.
const maxText = 48

// withText adds to a file that one command writes what it writes there, where that is a
// line that it is given; and so to a cron table.
func (in *Input) withText(text string, e *risk.Effect) string {
	if rest, ok := strings.CutPrefix(text, handedTable); ok {
		return orElse(in.withTable(rest), text)
	}
	line := in.written(e)
	if inner := strings.TrimSuffix(strings.TrimPrefix(line, "“"), "”"); len([]rune(line)) > maxText+len("“”") {
		line = "“" + Cut(inner, maxText) + "”"
	}
	for before, after := range map[string]string{
		"Creates ": "Writes %s to the new file ", "Adds to ": "Adds %s to ", "Overwrites ": "Writes %s over ", "Changes the kernel's setting ": "Writes %s to the kernel's setting ",
		"Sends what it is given to the socket ": "Sends %s to the socket ",
	} {
		after = strings.Replace(after, "%s", line, 1)
		if rest, ok := strings.CutPrefix(text, before); ok && line != "" && !strings.Contains(rest, " and ") && length(after+rest) < maxSentence {
			return after + rest
		}
	}
	return text
}

// written is the line that a command is given to write, where it does nothing else: “a”.
func (in *Input) written(e *risk.Effect) string {
	line := ""
	for i := range in.Acts {
		a := &in.Acts[i]
		switch {
		case a.Captured:
		case line == "" && a.line() != "":
			line = a.line()
		case line != "" && (a.Passes || base(a.Argv[0]) == "tee" || i == e.By.Process && e.Kind == risk.KindUnixSocket):
		default:
			return ""
		}
	}
	return line
}

// line is the one line that an act surely prints, in quotes; "" for another.
func (a *Act) line() string {
	if !a.Echoes || len(a.Argv) < 2 || base(a.Argv[0]) != "echo" || strings.HasPrefix(a.Argv[1], "-") {
		return ""
	}
	line := strings.Join(a.Argv[1:], " ")
	if line == "" || strings.ContainsAny(line, "<$\\\n") {
		return ""
	}
	return "“" + Visible(line) + "”"
}

// withTable tells of a cron table that is replaced by one line, of the same pipe; "" where it
// is by more. behind is what stands behind that it is replaced.
func (in *Input) withTable(behind string) string {
	_, more, _ := strings.Cut(behind, " from now on")
	for i := range in.Acts {
		if i == 0 || !strings.HasPrefix(in.Acts[i].Says, handedTable) || !in.Acts[i].Fed {
			continue
		}
		from := i - 1
		for from > 0 && in.Acts[from].Passes && in.Acts[from].line() == "" {
			from--
		}
		line := in.Acts[from].line()
		text := "Replaces the whole cron table by " + line + ", which runs at its times from now on" + more
		if line != "" && in.alone(from, i) && length(text) < maxSentence {
			return text
		}
	}
	return ""
}

// alone reports whether what one act prints is all that goes to another: no other prints
// before it into the same pipe, and it goes to no file.
func (in *Input) alone(from, to int) bool {
	a := &in.Acts[from]
	if !a.Piped || a.Captured || from > 0 && in.Acts[from-1].Piped && !in.Acts[from-1].Captured {
		return false
	}
	return !slices.ContainsFunc(in.Effects, func(e risk.Effect) bool {
		return (e.Verb == risk.FSWrite || e.Verb == risk.FSCreate) && e.Span.Start >= a.Span.Start && e.Span.Start < in.Acts[to].Span.End && e.By.Process != to
	})
}

// handedTable begins what is told of a cron table that a program is handed.
const handedTable = "Replaces the cron table by what it is given"
