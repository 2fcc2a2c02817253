package cloud

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
	"go.yaml.in/yaml/v4"
)

// kubeSecret notices secrets whose contents are printed: any output format but
// the table and the names shows them ("kubectl get --help").
func kubeSecret(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	kustomizedManifests(m, s, r)
	format, _ := m.Value("format")
	text := format.String()
	raw, isRaw := m.Value("raw")
	secret := isRaw && strings.Contains(raw.String(), "/secrets")
	if isRaw && slices.ContainsFunc(strings.Split(raw.String(), "/"), func(p string) bool { return p == "proxy" || p == "exec" || p == "attach" || p == "portforward" }) {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.RemoteChange, Target: raw}) // goes on to what answers there, and asks it
	}
	if how, file, ok := strings.Cut(text, "="); ok && strings.HasSuffix(how, "-file") { // a template, whose faults are quoted
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: value.Lit(file), Shown: true})
	}
	if text != "" && text != "wide" && text != "name" {
		for _, v := range m.Values("manifest") {
			manifest, _ := site.SiteFile(s, v)
			secret = secret || kindSecret(manifest)
		}
	}
	if m.Node().Name == "get describe" && text != "" && text != "wide" && text != "name" {
		for _, v := range m.Values("object") {
			for kind := range strings.SplitSeq(v.String(), ",") {
				kind, _, _ = strings.Cut(kind, "/")
				kind, group, _ := strings.Cut(strings.ToLower(kind), ".") // secrets.v1. is the core's, secrets.example.com another's
				secret = secret || (kind == "secret" || kind == "secrets") && !strings.Contains(strings.TrimSuffix(group, "."), ".")
			}
		}
	}
	if secret || m.Written() == "describe" && describesToken(m.Values("object")) {
		site.NetAdd(r, risk.SecretRead, risk.NoKind)
		r.Prints = catalog.PrintsSecret
	}
}

// kindSecret reports whether a manifest has a secret among its objects.
func kindSecret(manifest string) bool {
	return slices.ContainsFunc(yamlDocuments(manifest), func(doc *yaml.Node) bool {
		return len(doc.Content) > 0 && yamlText(doc.Content[0], "kind") == "Secret"
	})
}

// describesToken reports whether what is described may be the secret of a service
// account: of these, and of no others, the token is shown in full (describeSecret in
// k8s.io/kubectl/pkg/describe). They are called NAME-token-XXXXX, or as somebody
// chose to; all secrets of a namespace, or one whose name is not known, may be one.
func describesToken(objects []value.Value) bool {
	secret := func(kind string) bool {
		kind, group, _ := strings.Cut(strings.ToLower(kind), ".")
		return (kind == "secret" || kind == "secrets") && !strings.Contains(strings.TrimSuffix(group, "."), ".")
	}
	token := func(name value.Value) bool {
		return !name.IsKnown() || strings.Contains(strings.ToLower(name.Prefix()), "token")
	}
	if len(objects) == 0 {
		return false
	}
	if !strings.Contains(objects[0].Prefix(), "/") {
		kinds := strings.Split(objects[0].Prefix(), ",")
		return slices.ContainsFunc(kinds, secret) && (len(objects) == 1 || slices.ContainsFunc(objects[1:], token))
	}
	return slices.ContainsFunc(objects, func(v value.Value) bool {
		kind, _, _ := strings.Cut(v.Prefix(), "/")
		return secret(kind) && token(v.Cut(min(len(kind)+1, len(v.Prefix()))))
	})
}

// kubeDelete names what goes as its arguments do: TYPE NAME…, TYPE/NAME…, or
// all of a TYPE ("kubectl delete --help"), in a namespace that is told.
func kubeDelete(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	kustomizedManifests(m, s, r)
	objects := m.Values("object")
	if len(objects) == 0 || m.Has("dry") {
		return
	}
	kind := value.Value{}
	if text := objects[0].String(); !strings.Contains(text, "/") && len(objects) > 1 {
		kind, objects = value.Concat(objects[0], value.Lit(" ")), objects[1:]
	} else if !strings.Contains(text, "/") && (m.Has("all") || m.Has("selector")) {
		kind = value.Lit("all ")
	}
	place := value.Value{}
	if n, ok := m.Value("namespace"); ok {
		place = value.Concat(value.Lit(" in "), n)
	}
	for _, o := range objects {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.RemoteDestroy, Target: value.Concat(kind, o, place), Forced: m.Has("force")})
	}
}

// onlyAsks makes of what would change the cluster a question, for something of a kind.
func onlyAsks(r *catalog.Result, kind risk.Kind) {
	for i := range r.Effects {
		if e := &r.Effects[i]; e.Verb == risk.RemoteChange {
			e.Verb = risk.RemoteRead
			if kind != risk.NoKind {
				e.Kind = kind
			}
		}
	}
}

// kubeChange looks at the first operands of the commands that change a
// cluster: which of them only ask, grant rights or hand out credentials.
func kubeChange(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	kubeFetch(r)
	kustomizedManifests(m, s, r)
	objects := m.Values("object")
	word := func(i int) string {
		if i < len(objects) {
			return objects[i].String()
		}
		return ""
	}
	command := kubeCommand(s.Args)
	switch {
	case command == "rollout" && (word(0) == "status" || word(0) == "history"), command == "set" && word(0) == "last-applied", command == "apply" && word(0) == "view-last-applied":
		if strings.HasPrefix(strings.ToLower(word(1)), "secret") && word(0) == "view-last-applied" { // the annotation has the data too
			site.NetAdd(r, risk.SecretRead, risk.NoKind)
			r.Prints = catalog.PrintsSecret
		}
		onlyAsks(r, risk.NoKind)
	case command == "set" && word(0) == "env" && m.Has("lists"):
		onlyAsks(r, risk.KindVariablesOfAnotherMachine)
	case command == "create" && (word(0) == "clusterrolebinding" || word(0) == "rolebinding") && !m.Has("dry"):
		e := catalog.Effect{Verb: risk.PrivGain, Kind: risk.KindClusterRole}
		if len(objects) > 1 {
			e.Target = objects[1]
		}
		r.Effects = append(r.Effects, e)
	case command == "create" && word(0) == "token":
		site.NetAdd(r, risk.SecretRead, risk.NoKind)
		r.Prints = catalog.PrintsSecret
	case command == "replace" && m.Has("force") && !m.Has("dry"):
		for i := range r.Effects {
			if e := &r.Effects[i]; e.Verb == risk.RemoteChange {
				e.Verb, e.Kind = risk.RemoteDestroy, risk.KindReplacedObjects
			} else {
				e.Forced = false
			}
		}
	case command == "adm" && (word(0) == "policy" || word(0) == "add-cluster-role-to-user"):
		site.NetAdd(r, risk.PrivGain, risk.KindClusterRole)
	}
	if !m.Has("dry") && (command == "apply" || command == "create" || command == "replace" || command == "patch") {
		for _, v := range m.Values("manifest") {
			if text, ok := site.GivenText(s, r, v); ok {
				manifestRights(text, r)
			}
		}
		for _, v := range m.Values("patch") {
			manifestRights(site.Filled(v), r)
		}
	}
	for _, v := range m.Values("file") {
		if name, _, ok := strings.Cut(v.Prefix(), "="); ok && !strings.Contains(name, "/") {
			v = v.Cut(len(name) + 1)
		}
		read := site.ReadOf(v)
		r.Effects = slices.Insert(r.Effects, 0, read)
		for i := range r.Effects {
			if e := &r.Effects[i]; e.Verb == risk.RemoteChange {
				e.Carries = append(e.Carries, catalog.Source{Path: v})
			}
		}
	}
}

// kubeCommand returns the first word that is one of the commands that change.
func kubeCommand(args []value.Value) string {
	for _, a := range args {
		switch text := a.String(); text {
		case "rollout", "create", "replace", "apply", "set", "adm", "edit", "patch", "scale", "label", "annotate", "expose", "autoscale", "taint", "cordon", "uncordon", "certificate":
			return text
		}
	}
	return ""
}

// kubeFetch turns manifests that are URLs into what is fetched.
func kubeFetch(r *catalog.Result) {
	for i := range r.Effects {
		if e := &r.Effects[i]; e.Verb == risk.FSRead && (site.NetScheme(e.Target) == "https" || site.NetScheme(e.Target) == "http") {
			e.Verb, e.Forced = risk.NetFetch, false
		}
	}
}

// kubeExec takes the command behind the pod, with or without "--".
func kubeExec(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	pod, _ := m.Value("pod")
	argv := m.Values("command")
	for i, a := range s.Args {
		if site.IsLiteral(a, "--") {
			argv = s.Args[i+1:]
			break
		}
	}
	if len(argv) == 0 {
		return
	}
	r.Runs = append(r.Runs, catalog.Run{Argv: argv, Wrap: catalog.Wrapped{Label: s.Name + " exec " + pod.String(), Container: pod.String()}})
}

// clusterDestroys are command words after which something is gone.
func clusterDestroys(word string) bool {
	return slices.Contains([]string{
		"delete", "del", "destroy", "rm", "remove", "undefine", "uninstall", "reset", "purge", "unregistervm", "deletevm", "factory-reset", "prune", "vol-delete", "vol-wipe",
		"pool-delete", "pool-destroy", "net-destroy", "net-undefine", "pool-undefine", "snapshot-delete", "snapshot-revert", "closemedium", "down", "deletesnapshot", "unprovision", "terminate", "wipe", "revert", "force-delete",
		"dispose", "uninstall-all", "rmp", "rmi", "kill-all", "revertToSnapshot", "deleteSnapshot", "deleteVM", "vm.destroy", "rollback", "restore",
	}, word)
}

// cluster reads the command words of tools that manage clusters, machines and
// what runs there: which word comes where differs, but they agree on verbs.
func cluster(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	words := m.Values("word")
	if s.Name == "lima" { // the words are a command for the machine (lima(1))
		if i := slices.IndexFunc(s.Args, func(v value.Value) bool { return !strings.HasPrefix(v.Prefix(), "-") }); i >= 0 {
			r.Runs = append(r.Runs, catalog.Run{Argv: s.Args[i:], Wrap: catalog.Wrapped{Label: "lima", Host: "default"}})
		}
		return
	}
	if clusterShell(s, words, r) {
		return
	}
	clusterRights(s, r)
	texts := make([]string, 0, len(words))
	for _, w := range words {
		texts = append(texts, w.String())
	}
	if shows, secret := clusterShows(s.Name, texts); shows {
		if secret {
			site.NetAdd(r, risk.SecretRead, risk.NoKind)
			r.Prints = catalog.PrintsSecret
		}
		return
	}
	rest := func(skip int) value.Value {
		left := slices.Delete(slices.Clone(words), skip, skip+1)
		return site.JoinedWords(left)
	}
	for i, t := range texts[:min(len(texts), 4)] {
		if clusterDestroys(t) {
			if !m.Has("dry") {
				r.Effects = append(r.Effects, catalog.Effect{Verb: risk.RemoteDestroy, Target: rest(i), Forced: m.Has("force")})
			}
			return
		}
	}
	if s.Name == "werf" && len(texts) > 0 && texts[0] == "render" && !m.Has("dry") { // builds the images that it has no tags of
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecProject, Target: site.JoinedWords(words)})
		return
	}
	if s.Name == "virsh" && len(texts) == 0 && s.HasStdin { // commands, as they are typed
		r.ReadsStdin = true
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.RemoteChange, Kind: risk.KindCommandsThatWereNotInspected})
		return
	}
	if len(texts) == 0 || m.Has("dry") {
		return
	}
	e := catalog.Effect{Verb: risk.RemoteChange, Target: site.JoinedWords(words)}
	switch s.Name {
	case "devspace", "okteto", "helmfile", "werf":
		e.Verb = risk.ExecProject
	}
	r.Effects = append(r.Effects, e)
}

// clusterShell finds commands that are run inside a machine or container, and
// the kubectl that some tools bring along.
func clusterShell(s *catalog.Site, words []value.Value, r *catalog.Result) bool {
	if len(words) == 0 {
		return false
	}
	first := words[0].String()
	if first == "kubectl" || first == "ctr" && s.Name == "k3s" || first == "crictl" {
		i := slices.IndexFunc(s.Args, func(v value.Value) bool { return site.IsLiteral(v, first) })
		argv := slices.Clone(s.Args[i:])
		if len(argv) > 1 && site.IsLiteral(argv[1], "--") {
			argv = slices.Delete(argv, 1, 2)
		}
		r.Runs = append(r.Runs, catalog.Run{Argv: argv})
		return true
	}
	if first != "exec" && first != "ssh" && first != "shell" && first != "guestcontrol" && first != "enter" && first != "console" {
		return false
	}
	where := s.Name
	argv := words[1:]
	if named := first != "ssh" || s.Name != "colima"; named && len(argv) > 0 {
		where, argv = argv[0].String(), argv[1:]
	}
	for i, a := range s.Args {
		if site.IsLiteral(a, "--") {
			argv = s.Args[i+1:]
			break
		}
	}
	if len(argv) == 0 {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecShell, Kind: risk.KindInteractive})
		return true
	}
	wrap := catalog.Wrapped{Label: s.Name + " " + first, Host: where}
	if s.Name == "lxc" || s.Name == "incus" || s.Name == "crictl" || s.Name == "pct" || s.Name == "ctr" {
		wrap = catalog.Wrapped{Label: s.Name + " " + first, Container: where}
	}
	r.Runs = append(r.Runs, catalog.Run{Argv: argv, Wrap: wrap})
	return true
}

// clusterRights finds what gives a container of lxc or ctr the host's rights.
func clusterRights(s *catalog.Site, r *catalog.Result) {
	if s.Name != "lxc" && s.Name != "incus" && s.Name != "ctr" {
		return
	}
	for _, a := range s.Args {
		text := a.String()
		switch {
		case strings.HasPrefix(text, "security.privileged=true"), text == "--privileged", strings.HasPrefix(text, "raw.lxc="), text == "security.nesting=true" && s.Name == "ctr":
			site.NetAdd(r, risk.PrivGain, risk.KindPrivileged)
		case strings.HasPrefix(text, "source=/") && hostMount(hostBind{source: a.Cut(len("source="))}) != risk.NoKind:
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.PrivGain, Target: a.Cut(len("source=")), Kind: risk.KindHostMount})
		case strings.HasPrefix(text, "type=bind,") && (strings.Contains(text, "src=/,") || strings.Contains(text, "src=/etc") || strings.Contains(text, "src=/root")):
			site.NetAdd(r, risk.PrivGain, risk.KindHostMount)
		}
	}
}

// qemuImg writes the last file that create, convert and their like name.
func qemuImg(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	command, _ := m.Value("command")
	words := m.Values("word")
	if s.Name != "qemu-img" {
		for _, v := range m.Values("command") {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: v})
		}
		return
	}
	if len(words) == 0 {
		return
	}
	write := func(v value.Value) { r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: v}) }
	switch command.String() {
	case "create", "resize", "amend", "commit", "rebase", "snapshot", "bitmap":
		write(words[0])
	case "convert", "dd":
		for _, v := range words[:len(words)-1] {
			r.Effects = append(r.Effects, site.ReadOf(v))
		}
		write(words[len(words)-1])
	case "info", "compare", "map", "measure":
		readImages(words, r)
	case "check":
		readImages(words, r)
		if slices.ContainsFunc(s.Args, func(v value.Value) bool {
			return strings.HasPrefix(v.Prefix(), "-r") || strings.HasPrefix(v.Prefix(), "--r") || !v.IsKnown() && v.Prefix() == ""
		}) {
			write(words[len(words)-1])
		}
	default:
		readImages(words, r)
		site.NotUnderstood(r, command)
	}
}

// readImages reads images, which may be addresses of servers (qemu(1), "Device URL Syntax").
func readImages(words []value.Value, r *catalog.Result) {
	for _, v := range words {
		if scheme := site.NetScheme(v); scheme != "" && scheme != "file" {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetFetch, Target: v})
			continue
		}
		r.Effects = append(r.Effects, site.ReadOf(v))
	}
}

// imageScan tells signing and publishing from looking, and an output file
// from the name of a format.
func imageScan(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	for _, v := range m.Values("out") {
		if s.Name == "trivy" || s.Name == "cosign" || s.Name == "hadolint" {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: v})
		} else if _, file, ok := strings.Cut(v.String(), "="); ok {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: value.Lit(file)})
		}
	}
	words := site.NetWords(m)
	if len(words) == 0 {
		return
	}
	switch words[0] {
	case "sign", "sign-blob", "attest", "attest-blob", "attach", "copy", "upload", "monitor", "save", "load":
		site.NetAdd(r, risk.PkgPublish, risk.NoKind)
	case "clean":
		site.NetAdd(r, risk.RemoteDestroy, risk.KindCache)
	case "generate-key-pair", "import-key-pair":
		site.NetAdd(r, risk.SecretRead, risk.KindNewKey)
	default:
		scans(m, s, words, r)
	}
}

// scanTells are the commands of programs that look at images which only show something,
// as [clusterTells] has it. What stands behind a | are the other commands of a program
// that takes something to look at in the place of a command (manual of each).
func scanTells(program string) (tells, others string) {
	switch program {
	case "cosign":
		return "verify verify-attestation verify-blob verify-blob-attestation tree triangulate public-key manifest,dockerfile/verify download/signature,attestation,sbom piv-tool,pkcs11-tool/list-tokens,list-keys-uris env", ""
	case "trivy":
		return "image,i filesystem,fs rootfs repository,repo config,conf vm sbom convert plugin/list,ls,l,search,info vex/repo/list", ""
	case "snyk":
		return "iac/test,describe container/test", ""
	case "docker-slim":
		return "lint xray", ""
	case "syft":
		return "scan packages convert cataloger/list", "attest login"
	case "grype":
		return "db/check,list,status,search,providers,diff explain", "db"
	case "dive":
		return "", "build"
	case "dockle", "dockle-action":
		return "", "-"
	}
	return "", ""
}

// scans says what a command of those programs does that publishes nothing.
func scans(m *catalog.Match, s *catalog.Site, words []string, r *catalog.Result) {
	for _, v := range m.Values("template") {
		if strings.HasPrefix(v.Prefix(), "@") {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: v.Cut(1), Shown: true})
		}
	}
	tells, others := scanTells(s.Name)
	looks := others != "" && !slices.Contains(strings.Fields(others), words[0])
	switch shows, _ := showsBy(tells, words); {
	case shows, looks, s.Name == "snyk" && words[0] == "test" && m.Given("--docker"): // an image
	case s.Name == "dive", s.Name == "snyk" && words[0] == "test": // builds the image; asks the project's own tools what it needs
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecProject, Target: m.Values("word")[len(words)-1]})
	case s.Name == "snyk" && words[0] == "code":
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetSend, Target: value.Lit("snyk")})
	default:
		site.NotUnderstood(r, m.Values("word")[0])
	}
}
