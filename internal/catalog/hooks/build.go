package hooks

import "github.com/heedsh/heed/internal/catalog"

// buildHooks are the hooks of package managers, build tools and test runners.
func buildHooks() map[string]catalog.Hook {
	return map[string]catalog.Hook{
		"npm-script": npmScript, "npm-lifecycle": npmLifecycle, "npm-root": npmRoot, "npm-command": npmCommand,
		"npm-workspace": inWorkspace, "npm-config": npmConfig, "npm-create": npmCreate, "npx": npx,
		"yarn-node": sameProgram, "version-exec": versionExec, "mise-exec": toolVersions, "uvx": uvx, "python-run": pythonRun,
		"make": makeHook, "cmake": cmakeHook,
		"composer": composer, "composer-script": composerScript,
		"assignments": assignments, "concurrently": concurrently, "npm-run-all": npmRunAll,
		"db-tasks": dbTasks, "rpm": rpmHook, "migration": migration, "artisan": artisan, "rails": rails, "linter": linter, "python-formatter": pythonFormatter, "checker": checker, "coverage-run": coverageRun, "cross-env": crossEnv, "always-recursive": alwaysRecursive, "server": server, "release": release, "compiler": compiler, "objcopy": objcopy, "apt": apt, "dpkg": dpkg, "pacman": pacman, "nix": nix, "packages-by-name": packagesByName, "linker": linker, "go-env": goEnv, "compiler-files": compilerFiles, "git-package": gitPackage,
	}
}
