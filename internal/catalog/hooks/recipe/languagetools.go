package recipe

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/hooks/site"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// bundle reads `bundle` alone, which installs, and a program that is named
// without exec (Bundler 2.5, bundle(1)).
func bundle(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	if len(m.Chain) > 1 || m.Has("help") {
		return
	}
	if words := m.Values("word"); len(words) > 0 {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecProject, Target: words[0]})
		return
	}
	r.Effects = append(r.Effects, catalog.Effect{Verb: risk.PkgInstall, Target: value.Lit("dependencies of this project")})
}

// jvmBuild reads the phases and tasks of Maven, Gradle and their kin: those
// that delete what was built, and those that publish.
func jvmBuild(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	maven := strings.HasPrefix(s.Name, "mvn")
	if maven && (obeyed(s, ".mvn/jvm.config") || obeyed(s, ".mvn/maven.config") || obeyed(s, ".mvn/extensions.xml")) {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: value.Lit(".mvn"), Kind: risk.KindConfiguration})
	}
	if m.Help || m.Has("help") || m.Has("list") && maven {
		return
	}
	tasks := m.Values("task")
	if len(tasks) == 0 {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecProject, Target: value.Lit("the build"), Kind: risk.KindBuild})
	}
	for _, t := range tasks {
		name := lastTask(t.String())
		switch {
		case name == "clean" || name == "clean:clean":
			products := map[bool]string{true: "target", false: "build"}[maven || s.Name == "sbt" || s.Name == "lein"]
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSDelete, Target: value.Lit(products), Kind: risk.KindBuildProducts})
			if maven {
				continue
			}
		case name == "deploy" || strings.HasPrefix(name, "publish") && !strings.HasSuffix(name, "Local") || strings.HasPrefix(name, "uploadArchives") || name == "release:perform":
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.PkgPublish, Target: value.Lit("packages of this project")})
		case strings.Contains(strings.ToLower(name), "flyway") && strings.HasSuffix(strings.ToLower(name), "clean"):
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.DBDestroy, Target: value.Lit("the database of this project")})
		}
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecProject, Target: t, Kind: risk.KindBuild})
	}
}

// obeyed reports whether a file of settings is surely there.
func obeyed(s *catalog.Site, name string) bool {
	kind, ok := site.KindAt(s, name)
	return ok && kind != world.Missing
}

// nox loads the project's sessions whatever it is asked for; tox only reads its
// settings to list them.
func nox(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if s.Name == "nox" && m.Has("list") {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecProject, Target: value.Lit("the tests")})
	}
}

// lastTask cuts the project path off a task of Gradle: ":app:clean".
func lastTask(name string) string {
	if !strings.HasPrefix(name, ":") {
		return name
	}
	return name[strings.LastIndexByte(name, ':')+1:]
}

// appleBuild tells the programs of Apple's tool chain apart by their names.
func appleBuild(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if m.Has("help") || m.Has("list") {
		return
	}
	words := m.Values("action")
	first := ""
	if len(words) > 0 {
		first, _ = words[0].Known()
	}
	e := catalog.Effect{Verb: risk.ExecProject, Target: value.Lit("the build")}
	packages := catalog.Effect{Verb: risk.PkgInstall, Target: value.Lit("dependencies of this project")}
	switch {
	case m.Has("setup"), s.Name == "xcode-select" && len(words) > 0:
		e = catalog.Effect{Verb: risk.SysConfig, Target: value.Lit("the developer tools")}
	case s.Name == "xcode-select":
		return
	case s.Name == "xcrun":
		if len(words) > 0 {
			r.Runs = append(r.Runs, catalog.Run{Argv: words})
		}
		return
	case s.Name == "pod" && slices.Contains([]string{"install", "update", "repo", "setup"}, first), s.Name == "carthage" && first != "version", s.Name == "tuist" && first == "install", s.Name == "xcodes" && first == "install":
		e = packages
	case s.Name == "pod" && first == "trunk" && len(words) > 1:
		switch sub, _ := words[1].Known(); sub {
		case "push":
			e = catalog.Effect{Verb: risk.PkgPublish, Target: value.Lit("this project")}
		case "delete":
			e = catalog.Effect{Verb: risk.RemoteDestroy, Target: value.Lit("a published version")}
		case "me", "info":
			return
		default:
			e = catalog.Effect{Verb: risk.RemoteChange, Target: value.Lit("the registry account")}
		}
	case s.Name == "pod" && slices.Contains([]string{"", "outdated", "search", "env", "list", "spec", "ipc"}, first), s.Name == "fastlane" && slices.Contains([]string{"actions", "action"}, first):
		return
	case s.Name == "xcodes" && (slices.Contains([]string{"", "list", "installed", "version"}, first) || first == "runtimes" && len(words) == 1):
		return
	case s.Name == "xcodes" && slices.Contains([]string{"runtimes", "download", "update"}, first):
		e = catalog.Effect{Verb: risk.PkgInstall, Target: value.Lit("the developer tools")}
	case s.Name == "xcodes" && (first == "select" || first == "signout"):
		e = catalog.Effect{Verb: risk.SysConfig, Target: value.Lit("the developer tools")}
	case s.Name == "xcodes" && first == "uninstall":
		e = catalog.Effect{Verb: risk.PkgRemove, Target: value.Lit("the developer tools")}
	}
	r.Effects = append(r.Effects, e)
}
