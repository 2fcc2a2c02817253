package pure

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// The columns of wc in the order it prints them.
const (
	wcLines = iota
	wcWords
	wcChars
	wcBytes
	wcWidth
	wcColumns
)

// runWc is wc(1) of coreutils: -c -l -L -m -w. Several counts of standard
// input are padded differently for a pipe and for a file, so only a single
// count of it is certain.
func runWc(j *job, args []string) error {
	p, err := grammar{
		short: "clLmw",
		long:  []string{"c|bytes", "m|chars", "l|lines", "L|max-line-length", "w|words"},
	}.getopt(args)
	if err != nil {
		return err
	}
	var show [wcColumns]bool
	for i, key := range []string{"l", "w", "m", "c", "L"} {
		show[i] = p.has(key) || len(p.opts) == 0 && (key == "l" || key == "w" || key == "c")
	}
	columns := 0
	for _, s := range show {
		if s {
			columns++
		}
	}
	w := wcJob{show: show, single: columns == 1 && len(p.operands) <= 1}
	files := p.operands
	if len(files) == 0 {
		files = []string{""}
	}
	for _, f := range files {
		if err := w.add(j, f); err != nil {
			return err
		}
	}
	width := 1
	if !w.single {
		width = len(strconv.Itoa(w.size))
	}
	if len(files) > 1 {
		w.rows, files = append(w.rows, w.total), append(files, "total")
	}
	for i, row := range w.rows {
		wcPrint(j, row, show, width, files[i])
	}
	return nil
}

// A wcJob collects the counts of one wc command.
type wcJob struct {
	show   [wcColumns]bool
	single bool // one count of one input: not padded
	rows   [][wcColumns]int
	total  [wcColumns]int
	size   int // bytes of all files: decides the padding
}

// add counts one operand; "" is standard input without a name.
func (w *wcJob) add(j *job, name string) error {
	var in []byte
	var err error
	switch {
	case name != "" && name != "-":
		in, err = j.readPath(name)
	case w.single:
		in, err = j.readStdin()
	default:
		err = errUnknown
	}
	if err != nil {
		return err
	}
	row, ok := wcCount(j, in, w.show)
	if !ok {
		return errUnknown
	}
	widest := max(w.total[wcWidth], row[wcWidth])
	for i := range row {
		w.total[i] += row[i]
	}
	w.total[wcWidth] = widest
	w.size += len(in)
	w.rows = append(w.rows, row)
	return nil
}

func wcPrint(j *job, row [wcColumns]int, show [wcColumns]bool, width int, name string) {
	sep := ""
	for i, n := range row {
		if show[i] {
			j.writeString(fmt.Sprintf("%s%*d", sep, width, n))
			sep = " "
		}
	}
	if name != "" {
		j.writeString(" " + name)
	}
	j.writeByte('\n')
}

// wcCount counts one input; it answers false where the locale or the version
// decides what a word, a character or a column is.
func wcCount(j *job, in []byte, show [wcColumns]bool) (row [wcColumns]int, ok bool) {
	row[wcLines] = bytes.Count(in, []byte{'\n'})
	row[wcBytes] = len(in)
	row[wcChars] = len(in)
	if show[wcChars] {
		wide, ok := j.chars(in)
		if !ok {
			return row, false
		}
		if wide {
			row[wcChars] = utf8.RuneCount(in)
		}
	}
	if !show[wcWords] && !show[wcWidth] {
		return row, true
	}
	inWord, column := false, 0
	for _, c := range in {
		switch {
		case isSpace(c):
			inWord = false
		case !isPrint(c):
			return row, false
		case !inWord:
			inWord = true
			row[wcWords]++
		}
		switch c {
		case '\n', '\r', '\f':
			column = 0
		case '\t':
			column += 8 - column%8
		case '\v':
		default:
			column++
		}
		row[wcWidth] = max(row[wcWidth], column)
	}
	return row, true
}
