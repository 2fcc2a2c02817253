package pure

import (
	"crypto/md5"  //nolint:gosec // the program's own algorithm
	"crypto/sha1" //nolint:gosec // the program's own algorithm
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"fmt"
	"hash"
	"strings"
)

// newHash is the algorithm behind md5sum, sha256sum and so on, with its name
// for --tag.
func newHash(program string) (h hash.Hash, name string) {
	switch program {
	case "md5sum":
		return md5.New(), "MD5" //nolint:gosec // the program's own algorithm
	case "sha1sum":
		return sha1.New(), "SHA1" //nolint:gosec // the program's own algorithm
	case "sha224sum":
		return sha256.New224(), "SHA224"
	case "sha256sum":
		return sha256.New(), "SHA256"
	case "sha384sum":
		return sha512.New384(), "SHA384"
	case "sha512sum":
		return sha512.New(), "SHA512"
	}
	return nil, ""
}

// runDigest is md5sum(1) and the sha*sum programs of coreutils: -b -t -z
// --tag. Checking (-c) is not computed.
func runDigest(j *job, args []string) error {
	p, err := grammar{
		short: "btz", long: []string{"b|binary", "t|text", "z|zero", "tag"},
	}.getopt(args)
	if err != nil {
		return err
	}
	files := p.operands
	if len(files) == 0 {
		files = []string{"-"}
	}
	mode := " "
	for _, o := range p.opts {
		switch o.key {
		case "b":
			mode = "*"
		case "t":
			mode = " "
		}
	}
	for _, f := range files {
		if strings.ContainsAny(f, "\\\n\r") {
			return errUnknown // such names are escaped
		}
		in, err := j.readOperand(f)
		if err != nil {
			return err
		}
		h, name := newHash(j.name)
		h.Write(in)
		sum := hex.EncodeToString(h.Sum(nil))
		if p.has("tag") {
			if p.has("t") {
				return errUnknown
			}
			j.writeString(fmt.Sprintf("%s (%s) = %s", name, f, sum))
		} else {
			j.writeString(sum + " " + mode + f)
		}
		j.writeByte(lineEnd(p))
	}
	return nil
}

// crcTable is the table of POSIX cksum: the polynomial 0x04C11DB7, most
// significant bit first.
func crcTable() *[256]uint32 {
	var t [256]uint32
	for i := range t {
		c := uint32(i) << 24
		for range 8 {
			if c&0x80000000 != 0 {
				c = c<<1 ^ 0x04C11DB7
			} else {
				c <<= 1
			}
		}
		t[i] = c
	}
	return &t
}

// runCksum is cksum(1) of POSIX: the CRC and the length, without options.
func runCksum(j *job, args []string) error {
	p, err := grammar{}.getopt(args)
	if err != nil {
		return err
	}
	files := p.operands
	if len(files) == 0 {
		files = []string{""}
	}
	t := crcTable()
	for _, f := range files {
		operand := f
		if operand == "" {
			operand = "-"
		}
		in, err := j.readOperand(operand)
		if err != nil {
			return err
		}
		var crc uint32
		for _, c := range in {
			crc = crc<<8 ^ t[byte(crc>>24)^c]
		}
		for n := len(in); n > 0; n >>= 8 {
			crc = crc<<8 ^ t[byte(crc>>24)^byte(n)]
		}
		j.writeString(fmt.Sprintf("%d %d", ^crc, len(in)))
		if f != "" {
			j.writeString(" " + f)
		}
		j.writeByte('\n')
	}
	return nil
}
