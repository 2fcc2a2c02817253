package gaps

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// maxLine is the longest line of a corpus, in bytes.
const maxLine = 8 << 20

// Read reads a corpus: a JSON object a line with "cmd" (and "shell", "count"),
// or tab-separated values whose first line names the columns, one of which is
// cmd, command or program, or plain lines, each a command. name names it in
// errors.
func Read(r io.Reader, name string) ([]Line, error) {
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 1<<16), maxLine)
	var lines []Line
	var columns []string
	for n := 1; s.Scan(); n++ {
		text := strings.TrimSuffix(s.Text(), "\r")
		if n == 1 {
			text = strings.TrimPrefix(text, "\ufeff")
			if columns = header(text); columns != nil {
				continue
			}
		}
		var l Line
		var err error
		switch {
		case strings.TrimSpace(text) == "":
			continue
		case columns != nil:
			l, err = row(columns, text)
		case strings.HasPrefix(text, "{\""):
			l, err = object(text)
		default:
			l = Line{Command: text}
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		lines = append(lines, l)
	}
	if err := s.Err(); err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	return lines, nil
}

// commandColumns are the names of columns that hold what is run.
var commandColumns = []string{"cmd", "command", "program"}

// header returns the columns that a first line names, or nil.
func header(line string) []string {
	columns := strings.Split(line, "\t")
	if len(columns) < 2 || !slices.ContainsFunc(columns, func(c string) bool { return slices.Contains(commandColumns, c) }) {
		return nil
	}
	return columns
}

func row(columns []string, text string) (l Line, err error) {
	values := strings.Split(text, "\t")
	for i, v := range values[:min(len(values), len(columns))] {
		switch c := columns[i]; {
		case slices.Contains(commandColumns, c):
			l.Command = v
		case c == "shell":
			l.Shell = v
		case c == "count":
			if l.Count, err = strconv.Atoi(v); err != nil {
				return l, fmt.Errorf("count %.20q: want a number", v)
			}
		}
	}
	if l.Command == "" {
		return l, fmt.Errorf("no command in the columns %s", strings.Join(columns, ", "))
	}
	return l, nil
}

func object(text string) (Line, error) {
	var in struct {
		Cmd   *string `json:"cmd"`
		Shell string  `json:"shell"`
		Count int     `json:"count"`
	}
	if err := json.Unmarshal([]byte(text), &in); err != nil {
		return Line{}, fmt.Errorf("this line is no JSON object with \"cmd\": %w", err)
	}
	if in.Cmd == nil {
		return Line{}, fmt.Errorf("this line has no \"cmd\"")
	}
	return Line{Command: *in.Cmd, Shell: in.Shell, Count: in.Count}, nil
}
