package sigma

// processFields lists the fields that a process_creation event can have: the
// taxonomy appendix, and what Sysmon's event 1 has besides. Rules for another
// category are not checked: their fields are those of many log formats.
func processFields() map[string]bool {
	out := map[string]bool{}
	for _, name := range []string{
		"UtcTime", "ProcessGuid", "ProcessId", "Image", "FileVersion", "Description", "Product", "Company", "OriginalFileName",
		"CommandLine", "CurrentDirectory", "User", "LogonGuid", "LogonId", "TerminalSessionId", "IntegrityLevel", "Hashes",
		"imphash", "md5", "sha1", "sha256", "ParentProcessGuid", "ParentProcessId", "ParentImage", "ParentCommandLine", "ParentUser",
		"RuleName", "Computer", "Channel", "EventID", "Provider_Name",
	} {
		out[name] = true
	}
	return out
}
