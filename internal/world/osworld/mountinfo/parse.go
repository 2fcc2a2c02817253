package mountinfo

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrMalformed says that a line is not in the kernel's format.
var ErrMalformed = errors.New("malformed mountinfo line")

// Parse reads the format of /proc/self/mountinfo, one mount a line:
//
//	36 35 98:0 /mnt1 /mnt/parent rw,noatime master:1 - ext3 /dev/root rw
//	id parent major:minor root point options optional… - type source super-options
//
// A line of another shape is an error: a mount that is overlooked could hang
// whoever looks into it. Source: proc_pid_mountinfo(5).
func Parse(text string) (Table, error) {
	var t Table
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSuffix(line, "\n")
		if line == "" {
			continue
		}
		m, err := parseLine(line)
		if err != nil {
			return Table{}, fmt.Errorf("line %d: %w", n, err)
		}
		t.Add(m)
	}
	return t, nil
}

func parseLine(line string) (Mount, error) {
	// There may be any number of optional fields; the first lone hyphen ends them.
	head, tail, ok := strings.Cut(line, " - ")
	if !ok {
		return Mount{}, fmt.Errorf("%w: no separator", ErrMalformed)
	}
	before := strings.SplitN(head, " ", 7)
	after := strings.SplitN(tail, " ", 3)
	if len(before) < 6 || len(after) < 2 {
		return Mount{}, fmt.Errorf("%w: too few fields", ErrMalformed)
	}
	dev, err := parseDev(before[2])
	if err != nil {
		return Mount{}, err
	}
	point := unescape(before[4])
	if !strings.HasPrefix(point, "/") {
		return Mount{}, fmt.Errorf("%w: mount point %q", ErrMalformed, before[4])
	}
	options := ""
	if len(after) == 3 {
		options = after[2]
	}
	return New(point, unescape(after[0]), options, dev), nil
}

// parseDev turns major:minor into the number that stat reports in st_dev.
// Source: makedev(3); the layout is glibc's gnu_dev_makedev.
func parseDev(s string) (uint64, error) {
	a, b, ok := strings.Cut(s, ":")
	major, err1 := strconv.ParseUint(a, 10, 32)
	minor, err2 := strconv.ParseUint(b, 10, 32)
	if !ok || err1 != nil || err2 != nil {
		return 0, fmt.Errorf("%w: device %q", ErrMalformed, s)
	}
	return (major&0xfff)<<8 | (major&^0xfff)<<32 | minor&0xff | (minor&^0xff)<<12, nil
}

// unescape undoes the kernel's octal escapes of space, tab, newline, hash and
// backslash (seq_file.c, mangle_path). Anything else stays as it is.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+3 < len(s) && s[i+1] >= '0' && s[i+1] <= '3' && octal(s[i+2]) && octal(s[i+3]) {
			b.WriteByte((s[i+1]-'0')<<6 | (s[i+2]-'0')<<3 | (s[i+3] - '0'))
			i += 3
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func octal(c byte) bool { return '0' <= c && c <= '7' }
