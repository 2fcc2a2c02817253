package gitstate

import (
	"errors"
	"strings"
)

const (
	maxReflog     = 64 << 20
	maxReflogLine = 1_000_000
)

var errReflog = errors.New("reflog is too long")

// A logEntry is one line of a reflog, oldest first in the file.
type logEntry struct {
	from, to string // ids in hexadecimal
	message  string
}

// reflog reads the log of a ref by its full name; ok is false if there is none.
func (r *repo) reflog(name string) (log []logEntry, ok bool) {
	if !validRefName(name) {
		return nil, false
	}
	dir := r.commonDir
	if !strings.HasPrefix(name, "refs/") || perWorktree(name) {
		dir = r.gitDir
	}
	log, _, err := load(r.g, kindReflog, join(dir, "logs/"+name), maxReflog, parseReflog)
	return log, err == nil
}

// parseReflog reads "<old> <new> <who> <time> <zone>\t<message>" lines; a line that
// is not one is skipped, as git does.
func parseReflog(data []byte) ([]logEntry, error) {
	var out []logEntry
	for line := range strings.Lines(string(data)) {
		head, message, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		from, rest, ok := strings.Cut(head, " ")
		to, _, ok2 := strings.Cut(rest, " ")
		if ok && ok2 && len(from) == len(to) {
			if len(out) >= maxReflogLine {
				return nil, errReflog // the newest are at the end
			}
			out = append(out, logEntry{from: from, to: to, message: message})
		}
	}
	return out, nil
}
