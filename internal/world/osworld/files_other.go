//go:build !linux && !darwin

package osworld

// files is the machine's file system as a world.FS: on other systems paths have
// another form, which nothing here reads yet.
type files struct {
	unread
	near []string
}
