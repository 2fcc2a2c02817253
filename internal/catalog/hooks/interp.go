package hooks

import "github.com/heedsh/heed/internal/catalog"

// interpHooks are the hooks of shells, interpreters and programs that run others.
func interpHooks() map[string]catalog.Hook {
	return map[string]catalog.Hook{
		"shell": shell, "powershell": powershell,
		"interpreter": interpreter, "python": python, "node": node, "deno": deno, "deno-run": denoRun,
		"line-language": lineLanguage, "php": php, "lua": lua, "osascript": osascript,
		"interpreter-top": interpreterTop, "java": java, "at-files": atFiles,
		"tmux": tmux, "screen": screen, "gdb": gdb,
	}
}
