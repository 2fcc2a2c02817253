package audit

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestRealDisk fills a small disk, and makes it read-only, in a mount namespace of
// its own.
func TestRealDisk(t *testing.T) {
	t.Parallel()
	c := self("small disk", t.TempDir())
	c.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	out, err := c.CombinedOutput()
	switch {
	case errors.Is(err, syscall.EPERM), errors.Is(err, syscall.ENOSYS), errors.Is(err, syscall.EINVAL), c.ProcessState != nil && c.ProcessState.ExitCode() == 77:
		t.Skipf("no mount namespace here: %v %s", err, out)
	case err != nil:
		t.Errorf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}

// smallDisk is the program that TestRealDisk starts.
func smallDisk(dir string) int {
	if err := syscall.Mount("none", dir, "tmpfs", 0, "size=128k"); err != nil {
		fmt.Println(err)
		return 77
	}
	if err := fillDisk(filepath.Join(dir, "heed", "log"), dir); err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

func fillDisk(at, dir string) error {
	l, err := Open(at, Options{SegmentBytes: 16 << 10})
	if err != nil {
		return err
	}
	var acked []Receipt
	var f *Fault
	for i := 0; f == nil; i++ {
		r, err := l.Append(background(), sample(i))
		if err == nil {
			acked = append(acked, r)
		} else if !errors.As(err, &f) || f.Trouble != Full {
			return fmt.Errorf("the disk is full: %w", err)
		}
	}
	fmt.Println(f)
	complete := func() error {
		n := 0
		for r, err := range l.Rows(background(), Filter{}) {
			if err != nil {
				return err
			}
			if r.Seq > 1 && r.Seq-2 < uint64(len(acked)) && r.Hash == acked[r.Seq-2].Hash {
				n++
			}
		}
		r, err := l.Verify(background(), nil, nil)
		if err != nil || !r.Whole() || n != len(acked) {
			return fmt.Errorf("%d rows of %d, %w, %+v", n, len(acked), err, r)
		}
		return nil
	}
	if err := complete(); err != nil {
		return err
	}
	// With room again it goes on.
	if err := syscall.Mount("none", dir, "tmpfs", syscall.MS_REMOUNT, "size=1m"); err != nil {
		return err
	}
	r, err := l.Append(background(), sample(1))
	if err != nil {
		return err
	}
	acked = append(acked, r)
	if err := complete(); err != nil {
		return err
	}
	if err := syscall.Mount("none", dir, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		return err
	}
	if _, err := l.Append(background(), sample(1)); !errors.As(err, &f) || f.Trouble != ReadOnly {
		return fmt.Errorf("the disk is read-only: %w", err)
	}
	fmt.Println(f)
	if h, _, err := l.Head(background()); err != nil || h != r.Head() {
		return fmt.Errorf("%v, %w", h, err)
	}
	return complete()
}
