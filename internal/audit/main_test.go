package audit

import (
	"fmt"
	"os"
	"testing"
	"time"
)

// TestMain makes this test binary also the programs that tests start and kill.
func TestMain(m *testing.M) {
	switch os.Getenv("HEED_AUDIT_ROLE") {
	case "writer":
		os.Exit(writer(os.Getenv("HEED_AUDIT_DIR"), false))
	case "slow writer":
		os.Exit(writer(os.Getenv("HEED_AUDIT_DIR"), true))
	case "small disk":
		os.Exit(smallDisk(os.Getenv("HEED_AUDIT_DIR")))
	case "once":
		os.Exit(hook(os.Getenv("HEED_AUDIT_DIR")))
	}
	os.Exit(m.Run())
}

// writer appends rows until it is killed, and says of each that it was
// acknowledged. A slow one stops in the middle of every write, so that it is
// killed there.
func writer(dir string, slow bool) int {
	l, err := Open(dir, Options{SegmentBytes: 64 << 10, Wait: 20 * time.Second})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if slow {
		l.write = func(f *os.File, text []byte) error {
			if _, err := f.Write(text[:len(text)/2]); err != nil {
				return err
			}
			time.Sleep(3 * time.Millisecond)
			return writeSynced(f, text[len(text)/2:])
		}
	}
	for i := 0; ; i++ {
		r, err := l.Append(background(), sample(i))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		fmt.Println(r.Head())
	}
}

// hook appends one row, as a hook does.
func hook(dir string) int {
	l, err := Open(dir, Options{})
	if err == nil {
		_, err = l.Append(background(), sample(1))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}
