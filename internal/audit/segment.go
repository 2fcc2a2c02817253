package audit

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

// segmentName is the file that begins with a row.
func segmentName(first uint64) string { return fmt.Sprintf("%012d.jsonl", first) }

// segmentFirst reads the number in a segment's name.
func segmentFirst(name string) (uint64, bool) {
	digits, ok := strings.CutSuffix(name, ".jsonl")
	n, err := strconv.ParseUint(digits, 10, 64)
	return n, ok && err == nil && n > 0 && segmentName(n) == name
}

// segments lists the segments of a log, the oldest first, by the numbers of their
// first rows. Other files do not count.
func segments(root *os.Root) ([]uint64, error) {
	d, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	defer d.Close()
	var all []uint64
	for {
		names, err := d.Readdirnames(1000)
		for _, n := range names {
			if first, ok := segmentFirst(n); ok {
				all = append(all, first)
			}
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	slices.Sort(all)
	return all, nil
}
