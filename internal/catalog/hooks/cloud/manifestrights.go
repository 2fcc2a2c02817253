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

// Bounds on manifests, which are hostile input: bytes and documents that are
// read, nesting, and nodes that are looked at.
const (
	maxManifest      = 256 << 10
	maxManifestDocs  = 256
	maxManifestDepth = 100
	maxManifestNodes = 50_000
	maxManifestFound = 8
)

// A rightsReader collects what a manifest asks for beyond an ordinary
// container: what takes away the border between it and its host, and grants of
// rights over the cluster.
type rightsReader struct {
	nodes int
	found []catalog.Effect
}

// manifestRights adds the rights that manifests in YAML or JSON ask for
// (Kubernetes documentation, "Pod Security Standards", "Using RBAC
// Authorization"). What cannot be read adds nothing: applying it is an effect
// of its own.
func manifestRights(text string, r *catalog.Result) {
	reader := rightsReader{}
	for _, doc := range yamlDocuments(text) {
		reader.object(doc, 0)
	}
	r.Effects = append(r.Effects, reader.found...)
}

// yamlDocuments parses the documents of a text up to the first that is broken.
func yamlDocuments(text string) []*yaml.Node {
	if len(text) > maxManifest || nestsDeeply(text) {
		return nil
	}
	var docs []*yaml.Node
	decoder := yaml.NewDecoder(strings.NewReader(text))
	for len(docs) < maxManifestDocs {
		doc := new(yaml.Node)
		if decoder.Decode(doc) != nil {
			break
		}
		docs = append(docs, doc)
	}
	return docs
}

// nestsDeeply reports whether text may open more flow collections inside one
// another than anybody writes.
func nestsDeeply(text string) bool {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '[', '{':
			if depth++; depth > maxManifestDepth {
				return true
			}
		case ']', '}':
			depth = max(0, depth-1)
		}
	}
	return false
}

func (p *rightsReader) add(detail risk.Kind, target value.Value) {
	same := func(e catalog.Effect) bool { return e.Kind == detail && e.Target.String() == target.String() }
	if len(p.found) < maxManifestFound && !slices.ContainsFunc(p.found, same) {
		p.found = append(p.found, catalog.Effect{Verb: risk.PrivGain, Target: target, Kind: detail})
	}
}

// object looks at a node and all below it.
func (p *rightsReader) object(n *yaml.Node, depth int) {
	if p.nodes++; p.nodes > maxManifestNodes || depth > maxManifestDepth {
		return
	}
	switch n.Kind {
	case yaml.AliasNode: // what it stands for is looked at in its own place
	case yaml.MappingNode:
		if yamlText(n, "kind") == "CustomResourceDefinition" { // it describes objects and is none of them
			return
		}
		p.roles(n)
		for i := 0; i+1 < len(n.Content); i += 2 {
			p.field(n.Content[i].Value, yamlTarget(n.Content[i+1]))
			p.object(n.Content[i+1], depth+1)
		}
	default:
		for _, c := range n.Content {
			p.object(c, depth+1)
		}
	}
}

// field looks at one key of an object.
func (p *rightsReader) field(key string, n *yaml.Node) {
	switch key {
	case "hostPID", "hostIPC", "hostNetwork":
		if yamlTrue(n) {
			p.add(risk.KindHostNamespace, value.Value{})
		}
	case "hostPath":
		at := value.Lit(yamlText(n, "path"))
		if detail := hostMount(hostBind{source: at}); detail != risk.NoKind {
			p.add(detail, at)
		}
	case "securityContext":
		if yamlTrue(yamlGet(n, "privileged")) || yamlTrue(yamlGet(yamlGet(n, "windowsOptions"), "hostProcess")) {
			p.add(risk.KindPrivileged, value.Value{})
		}
		for _, c := range yamlList(yamlGet(yamlGet(n, "capabilities"), "add")) {
			if hostCapability(c) {
				p.add(risk.KindCapabilities, value.Value{})
			}
		}
		for _, profile := range []string{"seccompProfile", "appArmorProfile"} {
			if yamlText(yamlGet(n, profile), "type") == "Unconfined" {
				p.add(risk.KindUnconfined, value.Value{})
			}
		}
	}
}

// roles looks at an object of the rights system: who gets everything, and
// roles that may do everything or give themselves more.
func (p *rightsReader) roles(n *yaml.Node) {
	name := value.Lit(yamlText(yamlGet(n, "metadata"), "name"))
	switch yamlText(n, "kind") {
	case "ClusterRoleBinding", "RoleBinding":
		role := yamlText(yamlGet(n, "roleRef"), "name")
		granted := role == "cluster-admin" || role == "system:masters"
		if subjects := yamlGet(n, "subjects"); subjects != nil && subjects.Kind == yaml.SequenceNode {
			for _, s := range subjects.Content {
				who := yamlText(yamlTarget(s), "name")
				granted = granted || who == "system:anonymous" || who == "system:unauthenticated" || who == "system:masters"
			}
		}
		if granted {
			p.add(risk.KindClusterRole, name)
		}
	case "ClusterRole", "Role":
		rules := yamlGet(n, "rules")
		if rules == nil || rules.Kind != yaml.SequenceNode {
			return
		}
		for _, rule := range rules.Content {
			verbs, resources := yamlList(yamlGet(rule, "verbs")), yamlList(yamlGet(rule, "resources"))
			all := slices.Contains(verbs, "*") && slices.Contains(resources, "*")
			if all || slices.Contains(verbs, "escalate") || slices.Contains(verbs, "bind") || slices.Contains(verbs, "impersonate") {
				p.add(risk.KindClusterRole, name)
			}
		}
	}
}

// yamlTarget follows one alias; an alias of an alias cannot be written.
func yamlTarget(n *yaml.Node) *yaml.Node {
	if n != nil && n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// yamlGet returns the value of a key of a mapping, or nil.
func yamlGet(n *yaml.Node, key string) *yaml.Node {
	if n = yamlTarget(n); n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return yamlTarget(n.Content[i+1])
		}
	}
	return nil
}

// yamlText returns the text of a scalar below a key, or "".
func yamlText(n *yaml.Node, key string) string {
	if v := yamlGet(n, key); v != nil && v.Kind == yaml.ScalarNode {
		return v.Value
	}
	return ""
}

func yamlTrue(n *yaml.Node) bool {
	n = yamlTarget(n)
	return n != nil && n.Kind == yaml.ScalarNode && strings.EqualFold(n.Value, "true")
}

// yamlList returns the scalars of a sequence, or of a single scalar.
func yamlList(n *yaml.Node) []string {
	if n = yamlTarget(n); n == nil {
		return nil
	}
	if n.Kind == yaml.ScalarNode {
		return []string{n.Value}
	}
	var all []string
	if n.Kind == yaml.SequenceNode {
		for _, c := range n.Content {
			if c = yamlTarget(c); c.Kind == yaml.ScalarNode {
				all = append(all, c.Value)
			}
		}
	}
	return all
}

// kubePlay reads the pods that podman is to play.
func kubePlay(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	for _, v := range m.Values("manifest") {
		if text, ok := site.GivenText(s, r, v); ok {
			manifestRights(text, r)
		}
	}
}

// composeRights reads what the services of a Compose file may do to their
// host (Compose file reference, "Services").
func composeRights(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	for _, text := range composeTexts(m, s) {
		p := rightsReader{}
		for _, doc := range yamlDocuments(text) {
			if len(doc.Content) == 0 {
				continue
			}
			services := yamlGet(doc.Content[0], "services")
			if services == nil || services.Kind != yaml.MappingNode {
				continue
			}
			for i := 1; i < len(services.Content) && i < maxManifestNodes; i += 2 {
				p.service(yamlTarget(services.Content[i]))
			}
		}
		r.Effects = append(r.Effects, p.found...)
	}
}

// service looks at one service of a Compose file.
func (p *rightsReader) service(n *yaml.Node) {
	if yamlTrue(yamlGet(n, "privileged")) {
		p.add(risk.KindPrivileged, value.Value{})
	}
	for _, key := range []string{"pid", "userns_mode"} {
		if yamlText(n, key) == "host" {
			p.add(risk.KindHostNamespace, value.Value{})
		}
	}
	if slices.ContainsFunc(yamlList(yamlGet(n, "cap_add")), hostCapability) {
		p.add(risk.KindCapabilities, value.Value{})
	}
	if slices.ContainsFunc(yamlList(yamlGet(n, "security_opt")), unconfined) {
		p.add(risk.KindUnconfined, value.Value{})
	}
	volumes := yamlGet(n, "volumes")
	if volumes == nil || volumes.Kind != yaml.SequenceNode {
		return
	}
	for _, v := range volumes.Content {
		var b hostBind
		switch v = yamlTarget(v); v.Kind {
		case yaml.ScalarNode:
			source, rest, mounted := strings.Cut(v.Value, ":")
			if !mounted {
				continue
			}
			b = hostBind{source: value.Lit(source), readOnly: strings.HasSuffix(rest, ":ro")}
		case yaml.MappingNode:
			if yamlText(v, "type") != "bind" {
				continue
			}
			b = hostBind{source: value.Lit(yamlText(v, "source")), readOnly: yamlTrue(yamlGet(v, "read_only"))}
		default:
			continue
		}
		if detail := hostMount(b); detail != risk.NoKind {
			p.add(detail, b.source)
		}
	}
}
