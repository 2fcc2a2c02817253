package explain

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/risk"
)

func network(e *risk.Effect, at place) string {
	to := orElse(acted(e, at), "the network")
	switch {
	case e.Verb == risk.NetFetch:
		return "Downloads from " + to
	case e.Verb == risk.NetSend:
		if name, ok := e.Source.Named(); ok && strings.HasPrefix(name, "/") {
			return "Sends " + at.path(name) + " to " + to
		}
		return "Sends data to " + to
	case e.Verb == risk.NetConnect:
		return "Connects to " + to
	case to == "the network":
		return "Accepts connections from the network"
	}
	return "Accepts connections on " + to
}

func packages(e *risk.Effect, at place) string {
	what := orElse(acted(e, at), "packages")
	switch e.Verb {
	case risk.PkgInstall:
		return "Installs " + what + installNote
	case risk.PkgRemove:
		return "Removes " + what
	}
	return "Publishes " + what + " for everybody"
}

// installNote is what comes with an installation.
const installNote = tail + ", whose install scripts can run code"

// containers reports whether a program's state is that of a container engine,
// mostly on this machine.
func containers(program string) bool {
	return slices.Contains([]string{"docker", "docker-compose", "podman", "podman-compose", "nerdctl", "buildah"}, program)
}

// kept names what a service or database keeps.
func kept(e *risk.Effect, at place) string {
	switch {
	case e.Target != "":
		return acted(e, at)
	case strings.HasPrefix(string(e.Verb), "db."):
		return "the database"
	case containers(base(e.Program)):
		return "what " + quote(base(e.Program)) + " keeps"
	case e.Program != "":
		return "remote state through " + quote(base(e.Program))
	}
	return "the service"
}

func services(e *risk.Effect, at place) string {
	verb := "Destroys "
	switch e.Verb {
	case risk.RemoteRead, risk.DBRead:
		verb = "Reads the state of "
		if e.Target == "" && e.Verb == risk.RemoteRead && !containers(base(e.Program)) {
			verb = "Reads "
		}
	case risk.RemoteChange, risk.DBChange:
		verb = "Changes "
		if e.Scope == risk.IsLoopback && (e.Kind == risk.KindDelete || e.Kind == risk.KindDeleteRequest) {
			verb = "Deletes "
		}
	}
	if containers(base(e.Program)) && e.Target == "" && e.Kind != risk.NoKind {
		return verb + e.Kind.String() + " of " + quote(base(e.Program)) + whereabouts(e)
	}
	s := verb + kept(e, at)
	// A bare name says little without whose it is: 42 of gh.
	if e.Target != "" && !risk.IsNoun(e.Target) && e.Program != "" && strings.HasPrefix(string(e.Verb), "remote.") && !strings.ContainsAny(e.Target, "/:") {
		s += " through " + quote(base(e.Program))
	}
	s += whereabouts(e)
	if e.Kind != risk.NoKind && (verb == "Destroys " || e.Target == "" && verb == "Changes ") {
		s += " (" + e.Kind.String() + ")"
	}
	return s
}

// deleteRequest names the machine that is asked to delete something, and what, by the last
// words of the address; "" where it has none.
func deleteRequest(e *risk.Effect) string {
	_, rest, ok := strings.Cut(e.Target, "://")
	if e.Kind != risk.KindDeleteRequest || !ok || e.Unresolved != "" || strings.ContainsAny(rest, "{}[]@") {
		return ""
	}
	rest, _, _ = strings.Cut(rest, "?")
	host, resource, _ := strings.Cut(rest, "/")
	words := strings.FieldsFunc(resource, func(r rune) bool { return r == '/' })
	if host == "" || len(words) == 0 {
		return ""
	}
	return "Asks " + quote(host) + " to delete " + quote(strings.Join(words[max(0, len(words)-2):], "/")) + whereabouts(e)
}
