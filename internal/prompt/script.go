package prompt

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/heedsh/heed/internal/wrap/shellargs"
)

//go:embed heed.zsh
var zshScript string

//go:embed heed.bash
var bashScript string

//go:embed heed.fish
var fishScript string

//go:embed heed.nu
var nuScript string

// Shells are those that have a set-up.
func Shells() []string { return []string{"zsh", "bash", "fish", "nu"} }

// native reports whether heed reads the language of a shell.
func native(shell string) bool { return shell == "bash" || shell == "zsh" }

// dialect is the language that lines of a shell are judged in.
func dialect(shell string) string {
	if native(shell) {
		return shell
	}
	return "bash"
}

// Script is the set-up of a shell that asks this heed, an absolute path.
func Script(shell, heed string) (string, error) {
	text, quoted := "", shellargs.Quote(heed)
	switch shell {
	case "zsh":
		text = zshScript
	case "bash":
		text = bashScript
	case "fish":
		text, quoted = fishScript, "'"+strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(heed)+"'"
	case "nu":
		text, quoted = nuScript, `"`+strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(heed)+`"`
	default:
		return "", fmt.Errorf("name the shell: %s", strings.Join(Shells(), ", "))
	}
	return strings.ReplaceAll(text, "@HEED@", quoted), nil
}
