package shellname

import "slices"

// languages are the languages of shells, each with the programs that read it.
// The first four are evaluated by package posix.
var languages = [...]struct {
	name     string
	programs []string
}{
	// bash(1), also "RESTRICTED SHELL"; heed-sh becomes one when it is not told which.
	{"bash", []string{"bash", "rbash", "heed-sh"}},
	// What POSIX.1-2024 sh reads.
	{"sh", []string{"sh", "dash", "ash", "posh", "yash", "busybox"}},
	// The Korn shells, read as mksh(1) does.
	{"mksh", []string{"mksh", "ksh", "lksh", "ksh93", "oksh", "pdksh", "rksh", "loksh", "ksh2020", "ksshell"}},
	// zshmisc(1), also "RESTRICTED SHELL".
	{"zsh", []string{"zsh", "rzsh", "zsh5"}},
	// tcsh(1), fish(1), and the manuals of Nushell, elvish, xonsh, murex, Ion and sash(8).
	{"csh", []string{"csh", "tcsh", "bsd-csh"}},
	{"fish", []string{"fish"}},
	{"nu", []string{"nu"}},
	{"elvish", []string{"elvish"}},
	{"xonsh", []string{"xonsh"}},
	{"murex", []string{"murex"}},
	{"ion", []string{"ion"}},
	{"sash", []string{"sash"}},
	// Oils, "osh --help".
	{"oil", []string{"oil", "osh", "ysh"}},
	// rc(1), es(1).
	{"rc", []string{"rc", "es"}},
	// Microsoft, "about_Pwsh", "about_PowerShell_exe", "cmd".
	{"powershell", []string{"powershell", "pwsh", "powershell.exe", "pwsh.exe", "pwsh-preview"}},
	{"cmd", []string{"cmd", "cmd.exe"}},
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

// ReadsSh reports whether a program is a shell that reads what is written for sh.
func ReadsSh(program string) bool {
	language, _ := Of(program)
	for i := range languages[:4] {
		if languages[i].name == language {
			return true
		}
	}
	return false
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
