package recipe

import (
	"testing"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
)

func FuzzDebuggerCommand(f *testing.F) {
	f.Add("shell rm x")
	f.Add("python import os\npipe p x | sh")
	f.Fuzz(func(_ *testing.T, text string) {
		debuggerCommand((&catalog.Program{Names: []string{"gdb"}}).Match(nil), &catalog.Result{}, value.Lit(text))
	})
}
