package own

import "io/fs"

// rootsOnly reports whether only root can change a file: that is the access list's
// matter there, which is not read.
func rootsOnly(fs.FileInfo) bool { return true }
