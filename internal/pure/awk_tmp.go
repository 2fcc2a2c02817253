package pure
func runAwk(j *job, args []string) error { return errUnknown }
