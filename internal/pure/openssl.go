package pure

import (
	"bytes"
	"encoding/base64"
)

// runOpenssl is "openssl base64" and "openssl enc -base64": -a -A -d -e -in.
// The decoder is only trusted with what OpenSSL's own encoder would print:
// with -A one line, without it lines of at most 76 digits, each ended.
func runOpenssl(j *job, args []string) error {
	if len(args) == 0 {
		return errUnknown
	}
	decode, oneLine, base := false, false, args[0] == "base64"
	if !base && args[0] != "enc" {
		return errUnknown
	}
	file := "-"
	for i := 1; i < len(args); i++ {
		switch args[i] {
		case "-d":
			decode = true
		case "-e":
			decode = false
		case "-A":
			oneLine = true
		case "-a", "-base64":
			base = true
		case "-in":
			if i++; i == len(args) {
				return errUnknown
			}
			file = args[i]
		default:
			return errUnknown
		}
	}
	if !base {
		return errUnknown
	}
	in, err := j.readOperand(file)
	if err != nil {
		return err
	}
	if !decode {
		if len(in) > j.limit {
			return errUnknown
		}
		wrap := 64
		if oneLine {
			wrap = 0
		}
		writeWrapped(j, base64.StdEncoding.AppendEncode(nil, in), wrap)
		return nil
	}
	lines, ended := splitLines(in, '\n')
	if oneLine {
		// A single base64 line is read through a buffer of 1 KiB.
		if len(lines) != 1 || len(lines[0]) > 1000 {
			return errUnknown
		}
	} else if !ended {
		return errUnknown
	}
	for i, l := range lines {
		if !oneLine && (len(l) > 76 || len(l)%4 != 0 || len(l) == 0 || i < len(lines)-1 && bytes.IndexByte(l, '=') >= 0) {
			return errUnknown
		}
	}
	out, err := base64.StdEncoding.AppendDecode(nil, bytes.Join(lines, nil))
	if err != nil {
		return errUnknown
	}
	j.decoded = true
	j.write(out)
	return nil
}
