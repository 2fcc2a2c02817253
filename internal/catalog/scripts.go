package catalog

import (
	"slices"
	"strings"
)

// ScriptProgram names the program of the catalog that a script is, by the
// script's name and place (Django "django-admin and manage.py"; Laravel
// "Artisan Console"; Rails "The Rails Command Line"; Symfony "Console
// Commands").
func ScriptProgram(name string) (string, bool) {
	base := name[strings.LastIndexByte(name, '/')+1:]
	dir := strings.TrimSuffix(strings.TrimSuffix(name, base), "/")
	dir = dir[strings.LastIndexByte(dir, '/')+1:]
	switch {
	case base == "manage.py" || base == "artisan":
		return base, true
	case (base == "rails" || base == "rake") && (dir == "bin" || dir == "script"):
		return base, true
	case base == "console" && dir == "bin":
		return "symfony-console", true
	case base == "django-admin" && dir == "bin":
		return base, true
	}
	return "", false
}

// builders are the scripts by which a source tree is configured and built. They
// are to a clone what its makefile is (Autoconf manual, "Making configure
// Scripts"; setuptools; ExtUtils::MakeMaker; the Gradle and Maven wrappers).
var builders = []string{
	"configure", "autogen.sh", "bootstrap", "bootstrap.sh", "buildconf", "config", "Configure", "setup.py", "Makefile.PL", "Build.PL", "gradlew", "mvnw",
	"build.sh", "make.sh", "waf", "b2",
}

// BuildsTree reports whether a script builds the tree that it lies in, by its
// name.
func BuildsTree(file string) bool {
	return slices.Contains(builders, file[strings.LastIndexByte(file, '/')+1:])
}
