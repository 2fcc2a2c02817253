package sigma

import "sort"

// A Field is one name and value of an event. The name is case-sensitive and
// written as rules write it.
type Field struct {
	Name, Value string
}

// An Event is what happened, as fields. Where a name occurs twice the first
// counts. A field that is not known must be left out, not be empty: rules tell
// the two apart (null and the empty string).
//
// A process_creation event has these fields, named as Sysmon names them
// (specification, taxonomy appendix, "Process Creation Events"):
//
//	Image              the program's full path: /usr/bin/curl, C:\Windows\System32\cmd.exe
//	CommandLine        the whole command line, the program's name first
//	CurrentDirectory   the directory it starts in; Sysmon's ends with a backslash
//	User               the account's name; on Windows DOMAIN\name
//	ParentImage        full path of the program that starts it
//	ParentCommandLine  that program's command line
//	ParentUser         that program's account
//	ProcessId, ParentProcessId, ProcessGuid, ParentProcessGuid
//	LogonId, LogonGuid, TerminalSessionId, IntegrityLevel   (Windows)
//	OriginalFileName, Product, Company, Description, FileVersion
//	                   from the version resource of a Windows program
//	Hashes             MD5=…,SHA256=…,IMPHASH=… of the program; or md5, sha1, sha256, imphash
//	UtcTime            2026-11-21 22:35:40.123
//
// Values that are not UTF-8 are read with U+FFFD for each bad byte.
type Event []Field

// Get returns the value of a field, and whether the event has it.
func (e Event) Get(name string) (string, bool) {
	for i := range e {
		if e[i].Name == name {
			return e[i].Value, true
		}
	}
	return "", false
}

// EventOf makes an event of a map, its fields in the order of their names.
func EventOf(fields map[string]string) Event {
	e := make(Event, 0, len(fields))
	for k, v := range fields {
		e = append(e, Field{k, v})
	}
	sort.Slice(e, func(i, j int) bool { return e[i].Name < e[j].Name })
	return e
}

// A LogSource says where an event comes from, or which events a rule is for.
// In a rule an empty part stands for any; in an event it stands for none.
type LogSource struct {
	Category, Product, Service string
}

// ProcessCreation is the log source of started programs on a product: linux,
// macos or windows.
func ProcessCreation(product string) LogSource {
	return LogSource{Category: "process_creation", Product: product}
}

// covers reports whether a rule for source s applies to events of source ev.
func (s LogSource) covers(ev LogSource) bool {
	return (s.Category == "" || s.Category == ev.Category) &&
		(s.Product == "" || s.Product == ev.Product) &&
		(s.Service == "" || s.Service == ev.Service)
}
