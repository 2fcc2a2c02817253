package gitstate

import (
	"path"
	"strings"
)

const (
	maxReflog     = 64 << 20
	maxReflogLine = 1_000_000
)

// A logEntry is one line of a reflog, oldest first in the file.
type logEntry struct {
	from, to string // ids in hexadecimal
	message  string
}

// reflog reads the log of a ref by its full name; nil if there is none.
func (r *repo) reflog(name string) []logEntry {
	if !validRefName(name) {
		return nil
	}
	dir := r.commonDir
	if !strings.HasPrefix(name, "refs/") || perWorktree(name) {
		dir = r.gitDir
	}
	log, _, _ := load(r.g, kindReflog, path.Join(dir, "logs", name), maxReflog, parseReflog)
	return log
}

// parseReflog reads "<old> <new> <who> <time> <zone>\t<message>" lines; a line that
// is not one is skipped, as git does.
func parseReflog(data []byte) ([]logEntry, error) {
	var out []logEntry
	for line := range strings.Lines(string(data)) {
		head, message, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		from, rest, ok := strings.Cut(head, " ")
		to, _, ok2 := strings.Cut(rest, " ")
		if ok && ok2 && len(from) == len(to) && len(out) < maxReflogLine {
			out = append(out, logEntry{from: from, to: to, message: message})
		}
	}
	return out, nil
}
