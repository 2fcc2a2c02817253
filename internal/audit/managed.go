package audit

// Managed is what root's settings (/etc/heed) say about the log. Nothing else can
// switch it off: no setting of a user's, no workspace, no variable, no argument.
type Managed struct {
	// Off says that nothing is recorded.
	Off bool
	// By is the file that says so.
	By string
}
