package cli

import "os"

// mkfifo leaves a directory: Windows has no pipe among its files, and this is what else
// cannot be read there.
func mkfifo(name string) error { return os.Mkdir(name, 0o700) }
