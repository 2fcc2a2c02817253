package engine

import (
	"strings"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
)

// interpreted is the command that the kernel runs for a script: what its first
// line says, the script and its words (execve(2), "Interpreter scripts").
func interpreted(st *shell.State, inv *shell.Invocation, p program) (*shell.Invocation, bool) {
	content, _, made := st.FS.Content(p.path)
	text, known := content.Known()
	if !made && p.info.Kind == world.Regular {
		b, err := st.FS.ReadFile(p.path, maxScript)
		text, known = string(b), err == nil
	}
	interpreter, argument, ok := shell.Shebang(text)
	if !known || !ok {
		return nil, false
	}
	words := []shell.Word{{Value: value.Lit(interpreter)}}
	if argument != "" {
		words = append(words, shell.Word{Value: value.Lit(argument)})
	}
	script := shell.Word{Value: value.Lit(p.path)}
	if name, _ := inv.Argv[0].Value.Known(); strings.Contains(name, "/") {
		script = inv.Argv[0]
	}
	next := *inv
	next.Argv = append(append(words, script), inv.Argv[1:]...)
	return &next, true
}
