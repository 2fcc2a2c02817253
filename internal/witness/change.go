package witness

// What became of a file, as [Change.Kind].
const (
	Created    = "created"
	Made       = "made" // a directory
	Deleted    = "deleted"
	Written    = "written"
	Attributes = "attributes"
)

// A Change is one file that is not as it was.
type Change struct {
	Kind string
	Path string
}

// String is the change as it is printed.
func (c Change) String() string { return c.Kind + " " + c.Path }
