package pure

import (
	"bytes"
	"fmt"
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
	single := columns == 1 && len(p.operands) <= 1
	files := p.operands
	if len(files) == 0 {
		files = []string{""}
	}
	rows := make([][wcColumns]int, 0, len(files)+1)
	var total [wcColumns]int
	size := 0
	for _, f := range files {
		var in []byte
		switch {
		case single && (f == "" || f == "-"):
			in, err = j.readStdin()
		case f == "" || f == "-":
			err = errUnknown
		default:
			in, err = j.readPath(f)
		}
		if err != nil {
			return err
		}
		row, ok := wcCount(j, in, show)
		if !ok {
			return errUnknown
		}
		size += len(in)
		for i := range row {
			total[i] += row[i]
		}
		total[wcWidth] = max(total[wcWidth]-row[wcWidth], row[wcWidth])
		rows = append(rows, row)
	}
	width := 1
	if !single {
		width = len(fmt.Sprint(size))
	}
	if len(files) > 1 {
		rows, files = append(rows, total), append(files, "total")
	}
	for i, row := range rows {
		wcPrint(j, row, show, width, files[i])
	}
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
