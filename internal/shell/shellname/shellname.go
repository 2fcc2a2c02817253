package shellname

import "slices"

// languages are the languages of shells, each with the programs that read it.
// The first four are evaluated by package posix.
var languages = [...]struct {
	name     string
	programs []string
}{
	{"bash", []string{"bash", "rbash"}},                                          // bash(1), also "RESTRICTED SHELL"
	{"sh", []string{"sh", "dash", "ash", "posh", "yash", "busybox"}},             // what POSIX.1-2024 sh reads
	{"mksh", []string{"mksh", "ksh", "lksh", "ksh93", "oksh", "pdksh"}},          // the Korn shells, read as mksh(1) does
	{"zsh", []string{"zsh", "rzsh"}},                                             // zshmisc(1), "RESTRICTED SHELL"
	{"csh", []string{"csh", "tcsh"}},                                             // tcsh(1)
	{"fish", []string{"fish"}},                                                   // fish(1)
	{"nu", []string{"nu"}},                                                       // Nushell
	{"elvish", []string{"elvish"}},                                               // elvish(1)
	{"xonsh", []string{"xonsh"}},                                                 // xonsh(1)
	{"rc", []string{"rc", "es"}},                                                 // rc(1), es(1)
	{"powershell", []string{"powershell", "pwsh", "powershell.exe", "pwsh.exe"}}, // Microsoft, "about_Pwsh"
	{"cmd", []string{"cmd", "cmd.exe"}},                                          // Microsoft, "cmd"
}

// Of returns the language that the shell of this name reads: the name by which a
// front, a spec or a request calls it. ok is false if the program is no shell.
func Of(program string) (language string, ok bool) {
	for i := range languages {
		if slices.Contains(languages[i].programs, program) {
			return languages[i].name, true
		}
	}
	return "", false
}

// Is reports whether a program of this name is a shell.
func Is(program string) bool {
	_, ok := Of(program)
	return ok
}

// Programs returns the names of the shells that read a language. The caller may
// keep and change the list.
func Programs(language string) []string {
	for i := range languages {
		if languages[i].name == language {
			return slices.Clone(languages[i].programs)
		}
	}
	return nil
}
