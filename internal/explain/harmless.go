package explain

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/risk"
)

// harmless writes the sentence of a command that only reads or prints.
func harmless(in Input, at place) string {
	if text := in.shellOnly(at); text != "" {
		return finish(text)
	}
	if acts := in.withShell(); len(acts) > 1 || len(acts) == 1 && (acts[0].Says != "" || acts[0].Prints != nil || len(acts[0].Uses) > 0) {
		if text := joined(acts, at, true); length(text+"; changes nothing.") <= maxSentence && text != "" {
			return finish(text + "; changes nothing")
		} else if text != "" {
			return finish(text) // there is no room for what the badge says
		}
	}
	if text := ending(&in, -1, at); text != "" {
		return finish(text)
	}
	if i := in.innermost(); i >= 0 {
		return finish("Fails at " + in.Acts[i].short() + ": " + why(in.Acts[i].Ends, at) + "; changes nothing")
	}
	verb := in.Summary
	if verb == "" && len(in.Programs) == 0 {
		return "Changes nothing."
	}
	// The catalog's phrase may be about what the program does otherwise.
	named := len(in.Programs) > 1 || len(in.Programs) == 1 && changing(verb) && (len(in.Acts) != 1 || in.Acts[0].inWords() == "")
	if named && len(in.Acts) == 1 && len(in.Acts[0].Argv) > 0 && !in.Acts[0].Passes {
		if text := in.Acts[0].aboutItself(); text != "" && list(in.Effects, at) == "" {
			return finish(text + "; changes nothing")
		}
		return finish("Runs " + in.Acts[0].command() + ", which changes nothing")
	}
	files := list(in.Effects, at)
	if files == "" && len(in.Acts) == 1 && !named {
		if text := in.Acts[0].printed(); text != "" {
			return finish(text + "; changes nothing")
		}
	}
	if files == "" && len(in.Acts) == 1 && len(in.Acts[0].Argv) == 2 && in.Acts[0].Argv[1] == "version" {
		return finish(in.Acts[0].aboutItself() + "; changes nothing")
	}
	if files == "" && len(in.Acts) == 1 && strings.Contains(verb, "statements") {
		if statement := in.Acts[0].statement(); statement != "" {
			return finish("Runs " + statement + " on the database; changes nothing")
		}
	}
	if !named && files == "" && len(in.Acts) == 1 && len(in.Acts[0].Argv) > 1 && !in.Acts[0].Passes && !in.Acts[0].Echoes && !in.Acts[0].mentioned(verb) {
		if text := in.Acts[0].aboutItself(); text != "" {
			return finish(text + "; changes nothing")
		}
		if strings.Contains(verb, ", ") || !tells(verb) {
			if strings.HasPrefix(verb, "Runs ") && !strings.Contains(in.Acts[0].Argv[1], " ") || !slices.ContainsFunc(in.Acts[0].Argv[1:], func(w string) bool { return !strings.HasPrefix(w, "-") }) { // which may ask for something else
				return finish("Runs " + in.Acts[0].command() + ", which changes nothing")
			}
			return finish("Runs " + in.Acts[0].command() + ", which " + lower(verb) + "; changes nothing")
		}
		return finish(verb + " with " + in.Acts[0].command() + "; changes nothing")
	}
	if names, ok := strings.CutPrefix(files, ": "); ok && !named && strings.HasPrefix(verb, "Runs ") && strings.HasSuffix(verb, " code") && verb != "Runs shell code" {
		files = " that reads " + names
	}
	if named {
		verb = "Runs " + series(in.Programs)
		if names, ok := strings.CutPrefix(files, ": "); ok {
			files = ", which reads " + names
			if len(in.Programs) > 1 {
				files = ", which read " + names
			}
		}
	}
	return finish(verb + files + "; changes nothing")
}

// aboutItself tells of a program that is asked for its version or its help by the words that
// most have for it.
func (a *Act) aboutItself() string {
	switch n := len(a.Argv); {
	case n == 2 && (a.Argv[1] == "version" || a.Argv[1] == "-V"):
		return "Shows the version of " + quote(a.program())
	case n == 2 && (a.Argv[1] == "help" || a.Argv[1] == "-h" || a.Argv[1] == "--help"), n > 2 && a.Argv[n-1] == "/?":
		return "Shows the help of " + quote(a.program())
	case n == 3 && a.Argv[1] == "help" && !strings.HasPrefix(a.Argv[2], "-"):
		return "Shows the help of " + quote(a.program()) + " for " + quote(a.Argv[2])
	case n == 1 && a.Grouped:
		return "Shows the help of " + quote(a.program())
	}
	return ""
}

// list names the files that are read.
func list(effects []risk.Effect, at place) string {
	var files []string
	for i := range effects {
		e := &effects[i]
		if e.Verb != risk.FSRead || strings.HasPrefix(e.Target, "/dev/") { // streams, and the engine's own names for them
			continue
		}
		if name := target(e, at); !slices.Contains(files, name) {
			files = append(files, name)
		}
	}
	switch {
	case len(files) == 0:
		return ""
	case len(files) == 1 && files[0] == ".":
		return " in ."
	case len(files) <= 2:
		return ": " + strings.Join(files, ", ")
	}
	return ": " + strings.Join(files[:2], ", ") + " and " + number(len(files)-2) + " more"
}

// changing reports whether a catalog phrase tells of more than reading, as
// that of a program does which was only asked for a list or a dry run.
func changing(summary string) bool {
	first, _, _ := strings.Cut(summary, " ")
	switch first {
	case "Splits", "Decrypts", "Waits", "Scans", "Encodes", "Tests", "Evaluates", "Translates", "Transforms", "Substitutes", "Sorts", "Shuffles", "Renders",
		"Paginates", "Joins", "Hashes", "Expands", "Digests", "Decodes", "Collects", "Answers", "Runs", "Rearranges", "Encrypts", "Draws", "Stops", "Converts",
		"Compresses":
	default:
		if !tells(summary) {
			return true
		}
	}
	return strings.Contains(summary, " or changes ") || strings.Contains(summary, " or deletes ") || strings.Contains(summary, " or marks ")
}

// tells reports whether what a program does by its summary is to tell something: whatever
// it is called for, it does that where it changes nothing. What others do may be just what
// they are told not to (`parallel --dry-run`).
func tells(summary string) bool {
	first, _, _ := strings.Cut(summary, " ")
	switch first {
	case "Shows", "Reads", "Prints", "Checks", "Lists", "Searches", "Finds", "Compares", "Measures", "Looks", "Examines", "Computes", "Resolves", "Describes",
		"Counts", "Calculates", "Tells", "Sums", "Reports", "Queries", "Judges", "Filters":
		return true
	}
	return false
}
