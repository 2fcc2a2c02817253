package pure

import (
	"bytes"
	"encoding/base64"
)

// runOpenssl is "openssl base64" and "openssl enc -base64": -a -A -d -e -in.
// The decoder is only trusted with what OpenSSL's own encoder would print:
// with -A one line, without it lines of at most 76 digits, each ended.
func runOpenssl(j *job, args []string) error {
	o, err := parseOpenssl(args)
	if err != nil {
		return err
	}
	in, err := j.readOperand(o.file)
	if err != nil {
		return err
	}
	if o.decode {
		return o.decodeBase64(j, in)
	}
	if len(in) > j.limit {
		return errUnknown
	}
	wrap := 64
	if o.oneLine {
		wrap = 0
	}
	writeWrapped(j, base64.StdEncoding.AppendEncode(nil, in), wrap)
	return nil
}

// An opensslJob is one openssl base64 command.
type opensslJob struct {
	decode, oneLine bool
	file            string
}

func parseOpenssl(args []string) (o opensslJob, err error) {
	o.file = "-"
	if len(args) == 0 || args[0] != "base64" && args[0] != "enc" {
		return o, errUnknown
	}
	base := args[0] == "base64"
	for i := 1; i < len(args); i++ {
		switch args[i] {
		case "-d":
			o.decode = true
		case "-e":
			o.decode = false
		case "-A":
			o.oneLine = true
		case "-a", "-base64":
			base = true
		case "-in":
			if i++; i == len(args) {
				return o, errUnknown
			}
			o.file = args[i]
		default:
			return o, errUnknown
		}
	}
	if !base {
		return o, errUnknown
	}
	return o, nil
}

func (o opensslJob) decodeBase64(j *job, in []byte) error {
	lines, ended := splitLines(in, '\n')
	if o.oneLine {
		// A single base64 line is read through a buffer of 1 KiB.
		if len(lines) != 1 || len(lines[0]) > 1000 {
			return errUnknown
		}
	} else if !ended {
		return errUnknown
	}
	for i, l := range lines {
		if !o.oneLine && (len(l) > 76 || len(l)%4 != 0 || len(l) == 0 || i < len(lines)-1 && bytes.IndexByte(l, '=') >= 0) {
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
