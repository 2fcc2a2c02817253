package pure

import (
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"compress/zlib"
	"io"
	"slices"
	"strings"
)

// runGunzip is gzip -d, gunzip and zcat of GNU gzip as far as they write to
// standard output. Compressing is not computed: its bytes vary with the
// version.
func runGunzip(j *job, args []string) error {
	p, err := grammar{
		short: "cdfknNqtv0123456789",
		long: []string{
			"c|stdout", "c|to-stdout", "d|decompress", "d|uncompress", "f|force", "k|keep", "n|no-name",
			"N|name", "q|quiet", "v|verbose", "fast", "best",
		},
	}.getopt(args)
	if err != nil || !j.unset("GZIP") || p.has("t") {
		return errUnknown
	}
	decode := j.name != "gzip" || p.has("d")
	toStdout := j.name == "zcat" || j.name == "gzcat" || p.has("c")
	return decompress(j, p, decode, toStdout, func(r io.Reader) (io.Reader, error) {
		return gzip.NewReader(r)
	})
}

// runBunzip is bzip2 -d, bunzip2 and bzcat as far as they write to standard
// output.
func runBunzip(j *job, args []string) error {
	p, err := grammar{
		short: "cdfkqsv123456789",
		long:  []string{"c|stdout", "d|decompress", "f|force", "k|keep", "q|quiet", "s|small", "v|verbose"},
	}.getopt(args)
	if err != nil || !j.unset("BZIP", "BZIP2") {
		return errUnknown
	}
	decode := j.name != "bzip2" || p.has("d")
	toStdout := j.name == "bzcat" || p.has("c")
	return decompress(j, p, decode, toStdout, bunzip)
}

// The bounds of decoding bzip2 with the least room.
const (
	smallBzip2 = 32 << 10 // compressed bytes
	smallBlock = 1 << 20  // decoded bytes
)

// bunzip decodes bzip2. Its header says how large a block may be, for which room is
// made first, 900 kB mostly; one of a short text is small, so that it is tried with
// the least room.
func bunzip(r io.Reader) (io.Reader, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	if len(data) > 4 && len(data) <= smallBzip2 && string(data[:3]) == "BZh" && '1' < data[3] && data[3] <= '9' {
		least := slices.Clone(data)
		least[3] = '1'
		out, err := io.ReadAll(io.LimitReader(bzip2.NewReader(bytes.NewReader(least)), smallBlock))
		if err == nil && len(out) < smallBlock {
			return bytes.NewReader(out), nil
		}
	}
	return bzip2.NewReader(bytes.NewReader(data)), nil
}

// decompress expands each operand, or standard input. Operands without -c
// would be replaced on disk.
func decompress(j *job, p parsed, decode, toStdout bool, open func(io.Reader) (io.Reader, error)) error {
	if !decode || len(p.operands) > 0 && !toStdout {
		return errUnknown
	}
	files := p.operands
	if len(files) == 0 {
		files = []string{"-"}
	}
	j.decoded = true
	for _, f := range files {
		in, err := j.readOperand(f)
		if err != nil {
			return err
		}
		r, err := open(bytes.NewReader(in))
		if err != nil {
			return errUnknown // not compressed: -f would copy it
		}
		if err := j.copyFrom(r); err != nil {
			return err
		}
	}
	return nil
}

// copyFrom writes what r yields, at most the output limit.
func (j *job) copyFrom(r io.Reader) error {
	out, err := io.ReadAll(io.LimitReader(r, int64(j.limit-len(j.out))+1))
	if err != nil {
		return errUnknown
	}
	j.write(out)
	return nil
}

// runZlibFlate is zlib-flate -uncompress of qpdf and pigz -dz style input.
func runZlibFlate(j *job, args []string) error {
	if len(args) != 1 || strings.TrimLeft(args[0], "-") != "uncompress" || !strings.HasPrefix(args[0], "-") {
		return errUnknown
	}
	in, err := j.readStdin()
	if err != nil {
		return err
	}
	r, err := zlib.NewReader(bytes.NewReader(in))
	if err != nil {
		return errUnknown
	}
	j.decoded = true
	return j.copyFrom(r)
}
