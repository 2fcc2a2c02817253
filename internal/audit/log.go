package audit

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"time"
)

// Options say how a log is kept. The zero value is right for most callers.
type Options struct {
	// Managed are root's settings.
	Managed Managed
	// Wait is how long to wait for other writers; 0 means 2 seconds.
	Wait time.Duration
	// SegmentBytes is how long a segment becomes before the next is begun; 0 means
	// 16 MiB.
	SegmentBytes int64
	// Now is the clock; nil means the system's.
	Now func() time.Time
	// Random gives what tells two logs apart; nil means the system's.
	Random func() uint64
}

// The bounds that Options are given if they say nothing.
const (
	defaultWait    = 2 * time.Second
	defaultSegment = 16 << 20
)

// A Log is an append-only log in a directory. It is safe for concurrent use, by
// this process and by others. It holds no file open between calls.
type Log struct {
	dir     string
	managed Managed
	wait    time.Duration
	segment int64
	now     func() time.Time
	random  func() uint64
	write   func(f *os.File, text []byte) error // of a segment; tests make it fail
}

// Open names a log. Nothing is read or made yet: the directory comes with the
// first row.
func Open(dir string, opt Options) (*Log, error) {
	if !filepath.IsAbs(dir) {
		return nil, errors.New("opening the log: " + dir + " is no absolute path")
	}
	l := &Log{dir: filepath.Clean(dir), managed: opt.Managed, wait: opt.Wait, segment: opt.SegmentBytes, now: opt.Now, random: opt.Random, write: writeSynced}
	if l.wait <= 0 {
		l.wait = defaultWait
	}
	if l.segment <= 0 {
		l.segment = defaultSegment
	}
	if l.now == nil {
		l.now = time.Now
	}
	if l.random == nil {
		l.random = systemRandom
	}
	return l, nil
}

// Dir is the log's directory.
func (l *Log) Dir() string { return l.dir }

// Off reports whether root's settings switched the log off, and the file that says
// so.
func (l *Log) Off() (by string, off bool) { return l.managed.By, l.managed.Off }

func systemRandom() uint64 {
	var b [8]byte
	_, _ = rand.Read(b[:]) // it never fails
	return binary.LittleEndian.Uint64(b[:])
}

// writeSynced writes and waits until the disk has it.
func writeSynced(f *os.File, text []byte) error {
	if _, err := f.Write(text); err != nil {
		return err
	}
	return f.Sync()
}
