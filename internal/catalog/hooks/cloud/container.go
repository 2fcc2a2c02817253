package cloud

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// A hostBind is a directory of the host that a container sees.
type hostBind struct {
	source, target value.Value
	readOnly       bool
}

// container says what a container that is run may do to its host, and which
// command runs in it (docker run reference).
func container(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	image, ok := m.Value("image")
	if !ok {
		return
	}
	binds := containerBinds(m)
	workdir, _ := m.Value("workdir")
	if s.Name == "docker-compose" || s.Name == "podman-compose" {
		of, dir := composeBinds(m, s, image.String())
		if binds = append(binds, of...); workdir.Empty() {
			workdir = dir
		}
	}
	for _, b := range binds {
		if detail := hostMount(b); detail != risk.NoKind {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.PrivGain, Target: b.source, Kind: detail})
		} else if store := secretStore(b.source); store != "" && !ownClient(image, store) {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.PrivGain, Target: b.source, Kind: risk.KindSecretsForAnImageThatWasNotInspected})
		}
	}
	containerRights(m, r)
	if s.Name != "docker-compose" && m.Written() == "create" { // nothing of it runs before it is started
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.RemoteChange, Target: image, Arg: "image", Kind: risk.KindContainer})
		return
	}
	r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecUnknown, Target: image, Arg: "image", Kind: risk.KindContainer})
	argv := m.Values("command")
	if entry, given := m.Value("entrypoint"); given && !entry.Empty() {
		argv = append([]value.Value{entry}, argv...)
	}
	if len(argv) == 0 {
		return
	}
	label := s.Name + " run " + image.String()
	r.Runs = append(r.Runs, catalog.Run{Argv: argv, Wrap: catalog.Wrapped{Label: label, Container: image.String(), Binds: asBinds(binds), Workdir: workdir}})
	for _, b := range binds {
		if run, touches := onHost(m, b, argv); touches && !b.readOnly {
			run.Wrap.Label = label
			r.Runs = append(r.Runs, run)
		}
	}
}

// asBinds are the directories of the host as what is run sees them; a name
// without a slash is a volume's.
func asBinds(binds []hostBind) (all []catalog.Bind) {
	for _, b := range binds {
		if text := b.source.Prefix(); b.source.IsKnown() && !strings.HasPrefix(text, "/") && !strings.HasPrefix(text, ".") {
			continue
		}
		all = append(all, catalog.Bind{Source: b.source, Target: b.target, ReadOnly: b.readOnly})
	}
	return all
}

// containerRights are the options that take away what separates a container
// from its host.
func containerRights(m *catalog.Match, r *catalog.Result) {
	gain := func(detail risk.Kind, target value.Value) {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.PrivGain, Target: target, Kind: detail})
	}
	if v, given := m.Value("privileged"); m.Has("privileged") && !(given && site.IsLiteral(v, "false")) {
		gain(risk.KindPrivileged, value.Value{})
	}
	if slices.ContainsFunc(m.Values("namespace"), func(v value.Value) bool { return site.IsLiteral(v, "host") }) {
		gain(risk.KindHostNamespace, value.Value{})
	}
	for _, v := range m.Values("capability") {
		if !v.IsKnown() || hostCapability(v.String()) {
			gain(risk.KindCapabilities, value.Value{})
			break
		}
	}
	for _, v := range m.Values("security") {
		if unconfined(v.String()) {
			gain(risk.KindUnconfined, value.Value{})
			break
		}
	}
	for _, v := range m.Values("device") {
		text := v.Prefix()
		for _, d := range []string{"/dev/sd", "/dev/nvme", "/dev/vd", "/dev/xvd", "/dev/hd", "/dev/mem", "/dev/kmem", "/dev/disk", "/dev/mapper", "/dev/dm-", "/dev/port", "/dev/loop", "/dev/md"} {
			if strings.HasPrefix(text, d) || text == "/dev" || strings.HasPrefix(text, "/dev:") {
				gain(risk.KindDevice, v.Split(":")[0])
				break
			}
		}
	}
}

// hostCapability reports whether a capability gives a container power over its
// host (capabilities(7)).
func hostCapability(name string) bool {
	name = strings.TrimPrefix(strings.ToUpper(name), "CAP_")
	return slices.Contains([]string{"ALL", "SYS_ADMIN", "SYS_PTRACE", "SYS_MODULE", "SYS_RAWIO", "DAC_READ_SEARCH", "DAC_OVERRIDE", "BPF", "SYS_BOOT"}, name)
}

// unconfined reports whether a security option takes a confinement away.
func unconfined(option string) bool {
	text := strings.ReplaceAll(strings.ToLower(option), ":", "=")
	return strings.Contains(text, "unconfined") || strings.Contains(text, "label=disable") || strings.Contains(text, "no-new-privileges=false") || strings.Contains(text, "systempaths=")
}

// containerBinds are the directories of the host that -v and --mount name.
func containerBinds(m *catalog.Match) []hostBind {
	var out []hostBind
	for _, v := range m.Values("volume") {
		parts := v.Split(":")
		if len(parts) == 4 && len(parts[0].Prefix()) == 1 { // C:\dir:/dir
			parts = parts[1:]
		}
		if len(parts) < 2 {
			continue
		}
		b := hostBind{source: parts[0], target: parts[1]}
		if len(parts) > 2 {
			b.readOnly = slices.Contains(strings.Split(parts[2].String(), ","), "ro")
		}
		out = append(out, b)
	}
	for _, v := range m.Values("mount") {
		var b hostBind
		isBind := false
		for _, field := range v.Split(",") {
			key, _, found := strings.Cut(field.Prefix(), "=")
			switch {
			case key == "type":
				isBind = field.String() == "type=bind"
			case found && (key == "src" || key == "source"):
				b.source = field.Cut(len(key) + 1)
			case found && (key == "dst" || key == "destination" || key == "target"):
				b.target = field.Cut(len(key) + 1)
			case key == "readonly" || key == "ro":
				b.readOnly = !strings.HasSuffix(field.String(), "false")
			}
		}
		if isBind && !b.source.Empty() {
			out = append(out, b)
		}
	}
	return out
}

// hostMount says why a directory of the host in a container gives the
// container power over the host, or "" if it does not.
func hostMount(b hostBind) risk.Kind {
	text := b.source.Prefix()
	if strings.HasSuffix(b.source.Suffix(), ".sock") {
		for _, engine := range []string{"docker", "podman", "containerd", "crio", "cri-o"} {
			if strings.Contains(text+b.source.Suffix(), engine) {
				return risk.KindContainerEngineSocket
			}
		}
	}
	if !b.source.IsKnown() || !strings.HasPrefix(text, "/") {
		return risk.NoKind
	}
	clean := "/" + strings.Trim(text, "/.")
	for _, fine := range []string{"/etc/localtime", "/etc/timezone", "/etc/ssl", "/etc/ca-certificates", "/etc/pki", "/etc/hosts", "/etc/resolv.conf", "/etc/letsencrypt", "/etc/machine-id", "/etc/os-release", "/dev/shm", "/dev/dri", "/dev/snd", "/dev/bus/usb", "/dev/null", "/usr/share", "/usr/local", "/usr/src", "/run/user", "/var/www", "/var/lib/postgresql", "/var/tmp"} {
		if clean == fine || strings.HasPrefix(clean, fine+"/") {
			return risk.NoKind
		}
	}
	first, rest, _ := strings.Cut(clean[1:], "/")
	switch first {
	case "", "etc", "root", "boot", "bin", "sbin", "lib", "lib64", "usr", "dev", "System", "Library":
		return risk.KindHostMount
	case "proc", "sys":
		if !b.readOnly {
			return risk.KindHostMount
		}
	case "var", "run":
		if rest == "" || rest == "run" || rest == "lib" || strings.HasPrefix(rest, "lib/docker") || strings.HasPrefix(rest, "lib/kubelet") || strings.HasPrefix(rest, "spool/cron") || rest == "log" && !b.readOnly {
			return risk.KindHostMount
		}
	case "home", "Users":
		if !strings.Contains(rest, "/") {
			return risk.KindHostMount
		}
	case "private", "mnt", "opt", "host":
		if rest == "" || strings.HasPrefix(rest, "etc") || first == "mnt" && len(rest) == 1 {
			return risk.KindHostMount
		}
	}
	return risk.NoKind
}

// secretStore names the store of credentials that a directory or file of the
// host is, by the last part of its path that says so, or "".
func secretStore(source value.Value) string {
	text := strings.TrimRight(source.Prefix()+source.Suffix(), "/")
	if source.IsKnown() {
		text = strings.TrimRight(source.Prefix(), "/")
	}
	if strings.HasSuffix(text, ".pub") || strings.HasSuffix(text, "known_hosts") || strings.HasSuffix(text, ".ssh/config") || strings.HasSuffix(text, ".aws/config") {
		return ""
	}
	for _, store := range []string{".ssh", ".aws", ".gnupg", ".kube", ".docker", ".azure", ".config/gcloud", ".config/gh", ".password-store", ".netrc", ".git-credentials", ".vault-token", ".pgpass", ".config/op"} {
		at := strings.LastIndex(text, "/"+store)
		if strings.HasPrefix(text, store) {
			at = -1
		} else if at < 0 {
			continue
		}
		rest := text[at+1+len(store):]
		if store == ".docker" && rest != "/config.json" && !ownHome(text[:max(at, 0)]) { // projects keep other things below that name
			continue
		}
		if rest == "" || rest[0] == '/' {
			return store
		}
	}
	return ""
}

// ownHome reports whether a directory is somebody's home by its place.
func ownHome(dir string) bool {
	rest, inHome := strings.CutPrefix(dir, "/home/")
	if !inHome {
		rest, inHome = strings.CutPrefix(dir, "/Users/")
	}
	return inHome && !strings.Contains(rest, "/") || dir == "/root" || dir == "~"
}

// ownClient reports whether an image is the maker's own client of a store: it
// uses the credentials as what they are.
func ownClient(image value.Value, store string) bool {
	name, known := image.Known()
	if !known {
		return false
	}
	if i := strings.LastIndexByte(name, ':'); i > strings.LastIndexByte(name, '/') {
		name = name[:i]
	}
	name = strings.TrimPrefix(strings.TrimPrefix(name, "docker.io/"), "public.ecr.aws/")
	switch store {
	case ".aws":
		return name == "amazon/aws-cli" || name == "aws-cli/aws-cli"
	case ".azure":
		return name == "mcr.microsoft.com/azure-cli"
	case ".config/gcloud":
		return name == "google/cloud-sdk" || strings.HasPrefix(name, "gcr.io/google.com/cloudsdktool/")
	case ".kube":
		return name == "bitnami/kubectl" || name == "registry.k8s.io/kubectl" || name == "alpine/k8s" || name == "alpine/helm"
	}
	return false
}

// onHost restates a command in a container as what it does to the directory of
// the host that is mounted there: words that name the place in the container
// get its path on the host.
func onHost(m *catalog.Match, b hostBind, argv []value.Value) (catalog.Run, bool) {
	source, target := b.source.Prefix(), strings.TrimSuffix(b.target.String(), "/")
	if !b.target.IsKnown() || len(target) < 2 || !strings.HasPrefix(source, "/") && !strings.HasPrefix(source, ".") && !strings.HasPrefix(source, "~") && b.source.IsKnown() {
		return catalog.Run{}, false
	}
	by := b.source
	if text, known := by.Known(); known && len(text) > 1 {
		by = value.Lit(strings.TrimSuffix(text, "/"))
	}
	run := catalog.Run{Argv: slices.Clone(argv)}
	touched := false
	for i, v := range argv {
		text := v.Prefix()
		for at := strings.Index(text, target); at >= 0; at = strings.Index(text, target) {
			end := at + len(target)
			bounded := end == len(text) || strings.IndexByte("/ ;&|'\"\n)*", text[end]) >= 0
			if !bounded || at > 0 && strings.IndexByte(" ='\"\n;(", text[at-1]) < 0 {
				break
			}
			// The rest of the word is looked at as it is: one place is enough to
			// say what happens there.
			rest := v.Cut(end)
			if site.IsLiteral(by, "/") && strings.HasPrefix(rest.Prefix(), "/") {
				rest = v.Cut(end + 1)
			}
			run.Argv[i] = value.Concat(value.Lit(text[:at]), by, rest)
			touched = true
			break
		}
	}
	dir, given := m.Value("workdir")
	if within, known := dir.Known(); given && known && (within == target || strings.HasPrefix(within, target+"/")) {
		at := value.Concat(by, value.Lit(strings.TrimPrefix(within, target)))
		run.Dir = &at
		touched = touched || slices.Contains([]string{"rm", "find", "shred", "git", "mv", "truncate"}, argv[0].String())
	}
	return run, touched
}

// containerAgain runs "docker container run" as "docker run", and "docker
// compose" as the program that it was.
func containerAgain(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	argv := []value.Value{value.Lit(s.Name)}
	group := m.Chain[1].Name
	if group == "compose" {
		argv[0] = value.Lit(s.Name + "-compose")
		if s.Name != "podman" {
			argv[0] = value.Lit("docker-compose")
		}
		r.Runs = append(r.Runs, catalog.Run{Argv: append(argv, m.Values("command")...)})
		return
	}
	// The group's own word is the first of the words that names it.
	for i, a := range s.Args {
		text, known := a.Known()
		if known && slices.Contains(strings.Fields(group), text) {
			r.Runs = append(r.Runs, catalog.Run{Argv: append(argv, s.Args[i+1:]...)})
			return
		}
	}
}

// engineHost connects to the engine that -H names, unless that is a local
// socket.
func engineHost(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	for _, v := range m.Values("host") {
		if !strings.HasPrefix(v.Prefix(), "unix:") && !strings.HasPrefix(v.Prefix(), "/") {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetConnect, Target: v})
		}
	}
}

// containerInspect is what inspect shows: all that is set of a container or an
// image, its environment too, or what a template leaves of that. Templates stand
// behind --format or -f (docker inspect, "--format"); the environment is
// .Config.Env, or with all else in .Config and in the whole.
func containerInspect(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if m.Written() != "inspect" {
		return
	}
	for _, v := range s.Args {
		text := site.Filled(v)
		switch {
		case !strings.Contains(text, "{{"):
		case strings.Contains(text, "Env"):
			showsVariables(m, r, text)
			return
		case !strings.Contains(text, " .}}") && !strings.Contains(text, "{{.}}") && !strings.Contains(text, ".Config}}") && !strings.Contains(text, ".Config }}"):
			return
		}
	}
	showsVariables(m, r, "")
}

// showsVariables says that the environment of a container is shown, or what text leaves
// of it. An image has what its maker set, which is nobody's secret.
func showsVariables(m *catalog.Match, r *catalog.Result, text string) {
	site.ShowsEnvironmentOf(r, text)
	if words := m.Path(); len(words) == 2 || words[1] == "container" {
		target, _ := m.Value("word")
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.RemoteRead, Target: target, Kind: risk.KindVariablesOfAnotherMachine})
	}
}

// containerCopy tells CONTAINER:PATH from a path of the host (docker cp).
func containerCopy(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	elsewhere := func(v value.Value) bool {
		text := v.Prefix()
		i := strings.IndexByte(text, ':')
		return i > 0 && !strings.ContainsAny(text[:i], "/.") || i < 0 && strings.HasPrefix(strings.TrimLeft(v.Suffix(), "/"), ":")
	}
	source, _ := m.Value("source")
	dest, ok := m.Value("dest")
	if !ok {
		return
	}
	if !elsewhere(source) && !site.IsLiteral(source, "-") {
		r.Effects = append(r.Effects, site.ReadOf(source))
	}
	switch {
	case elsewhere(dest):
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.RemoteChange, Target: dest})
	case !site.IsLiteral(dest, "-"):
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: dest, Arg: "dest"})
	}
}

// imageBuild runs a Dockerfile: one of the project, or one from elsewhere.
func imageBuild(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	context, given := m.Value("context")
	e := catalog.Effect{Verb: risk.ExecProject, Target: context, Kind: risk.KindDockerfile}
	if scheme := site.NetScheme(context); scheme != "" || strings.HasPrefix(context.Prefix(), "git@") || strings.HasPrefix(context.Prefix(), "github.com/") {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetFetch, Target: context})
		e.Verb = risk.ExecUnknown
	}
	if site.IsLiteral(context, "-") {
		r.ReadsStdin, e.Verb = true, risk.ExecUnknown
	}
	if given || m.Has("file") {
		r.Effects = append(r.Effects, e)
	}
	if m.Has("push") {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.PkgPublish})
	}
	for _, v := range m.Values("allow") {
		if site.IsLiteral(v, "security.insecure") {
			site.NetAdd(r, risk.PrivGain, risk.KindPrivileged)
		}
	}
	for _, v := range m.Values("volume") {
		b := hostBind{source: v.Split(":")[0]}
		if detail := hostMount(b); detail != risk.NoKind {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.PrivGain, Target: b.source, Kind: detail})
		}
	}
	for _, v := range m.Values("output") {
		text := v.String()
		for _, field := range v.Split(",") {
			if dest := strings.TrimPrefix(field.Prefix(), "dest="); dest != field.Prefix() {
				r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: field.Cut(len("dest=")), Recursive: strings.Contains(text, "local")})
			}
		}
		if !strings.Contains(text, "=") && text != "-" {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: v, Recursive: true})
		}
	}
}
