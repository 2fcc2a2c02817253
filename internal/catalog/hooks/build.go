package hooks

import "github.com/heedsh/heed/internal/catalog"

// buildHooks are the hooks of package managers, build tools and test runners.
func buildHooks() map[string]catalog.Hook {
	return map[string]catalog.Hook{
		// JavaScript
		"npm-script": npmScript, "npm-lifecycle": npmLifecycle, "npm-version": npmVersion, "npm-root": npmRoot, "npm-command": npmCommand,
		"npm-workspace": inWorkspace, "npm-config": npmConfig, "npm-create": npmCreate, "npx": npx, "pnpm-dlx": pnpmDlx,
		"shell-words": shellWords, "yarn-node": sameProgram, "version-exec": versionExec,
		"cross-env": crossEnv, "assignments": assignments, "concurrently": concurrently, "npm-run-all": npmRunAll,
		"always-recursive": alwaysRecursive, "release": release, "server": server,
		// Python
		"uvx": uvx, "python-run": pythonRun, "mise-exec": toolVersions, "git-package": gitPackage,
		"coverage-run": coverageRun, "python-formatter": pythonFormatter,
		// Other languages
		"composer": composer, "composer-script": composerScript, "composer-root": composerRoot,
		"bundle": bundle, "jvm-build": jvmBuild, "apple-build": appleBuild, "perl-packages": perlPackages,
		"go-env": goEnv, "linker": linker, "linter": linter, "checker": checker,
		// Builds
		"make": makeHook, "just": just, "task": taskHook, "cmake": cmakeHook, "compiler": compiler, "compiler-files": compilerFiles, "objcopy": objcopy,
		// Systems
		"apt": apt, "dpkg": dpkg, "rpm": rpmHook, "pacman": pacman, "nix": nix, "packages-by-name": packagesByName,
		// Databases
		"pip-config": pipConfig, "source-settings": sourceSettings, "gem-sources": gemSources, "db-tasks": dbTasks, "migration": migration, "artisan": artisan, "rails": rails,
	}
}
