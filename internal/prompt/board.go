package prompt

import "os"

// A board is a file with the last answer. Reading it never waits, so that a shell that can
// give reading no limit looks there again until the answer is its own.
type board struct{ f *os.File }

// Write implements [io.Writer]. The answer begins with a zero byte until all of it is there.
func (b board) Write(text []byte) (int, error) {
	if len(text) == 0 {
		return 0, nil
	}
	if _, err := b.f.WriteAt([]byte{0}, 0); err != nil {
		return 0, err
	}
	if err := b.f.Truncate(int64(len(text))); err != nil {
		return 0, err
	}
	if _, err := b.f.WriteAt(text[1:], 1); err != nil {
		return 0, err
	}
	if _, err := b.f.WriteAt(text[:1], 0); err != nil {
		return 0, err
	}
	return len(text), nil
}
