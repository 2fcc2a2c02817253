package hooks

import "github.com/heedsh/heed/internal/catalog"

// interpHooks are the hooks of shells, interpreters and programs that run others.
func interpHooks() map[string]catalog.Hook {
	return map[string]catalog.Hook{
		"shell": shell, "powershell": powershell,
		"interpreter": interpreter, "ipython": ipython, "python": framework(python), "node": node, "deno": deno, "deno-run": denoRun,
		"line-language": framework(lineLanguage), "php": framework(php), "symfony-console": symfonyConsole, "lua": lua, "osascript": osascript,
		"interpreter-top": interpreterTop, "java": java, "at-files": atFiles,
		"runner": runner, "busctl": busctl, "ansible": ansible, "terminal": terminal, "many-hosts": manyHosts, "salt": salt, "defaults": defaults,
		"check-by-ssh": checkBySSH, "dosbox": dosbox,
		"print-jobs": printJobs, "lwp": lwp, "pic": pic, "tdbtool": tdbtool, "volshell": volshell, "wall": wall, "server-directives": serverDirectives,
		"agent": agent, "agent-top": agentTop, "tmux": tmux, "tmate": tmate, "gotty": gotty, "screen": screen, "gdb": gdb,
	}
}
