package osworld

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/heedsh/heed/internal/world/osworld/mountinfo"
)

// maxMounts bounds what is read of the table of mounts: 8 MiB is some 50,000
// mounts.
const maxMounts = 8 << 20

// readMounts reads the mounts this process sees. Where proc is not mounted (a
// chroot) nothing is known, and nothing is likely to hang: the table is then
// only the root, of type "unknown".
func readMounts() (mountinfo.Table, error) {
	const name = "/proc/self/mountinfo"
	file, err := openRaw(name)
	if errors.Is(err, fs.ErrNotExist) {
		var t mountinfo.Table
		t.Add(mountinfo.New("/", "unknown", "", 0))
		return t, nil
	}
	if err != nil {
		return mountinfo.Table{}, err
	}
	defer file.close()
	text, err := readCapped(file, name, 32<<10, maxMounts) // its size is given as 0
	if err != nil {
		return mountinfo.Table{}, err
	}
	t, err := mountinfo.Parse(string(text))
	if err != nil {
		return mountinfo.Table{}, fmt.Errorf("parse %s: %w", name, err)
	}
	return t, nil
}
