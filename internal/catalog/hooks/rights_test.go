package hooks

import (
	"slices"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

func manifests() map[string][]string {
	return map[string][]string{
		"kind: Pod\nspec:\n  hostPID: true\n  hostNetwork: false\n":                                              {"host namespace"},
		`{"kind":"Pod","spec":{"containers":[{"securityContext":{"privileged":true}}]}}`:                         {"privileged"},
		"kind: Pod\nspec: {volumes: [{hostPath: {path: /etc/kubernetes}}]}":                                      {"host mount"},
		"kind: Pod\nspec: {volumes: [{hostPath: {path: /data/app}}]}":                                            nil,
		"kind: List\nitems:\n- kind: Pod\n  spec:\n    securityContext: {capabilities: {add: [CAP_SYS_PTRACE]}}": {"capabilities"},
		"kind: Pod\nspec: {securityContext: {seccompProfile: {type: Unconfined}}}":                               {"unconfined"},
		"kind: ConfigMap\ndata: {a: 'hostPID: true'}\n---\nkind: Pod\nspec: {hostIPC: 'true'}":                   {"host namespace"},
		"kind: ClusterRole\nrules: [{apiGroups: ['*'], resources: ['*'], verbs: ['*']}]":                         {"cluster role"},
		"kind: Role\nrules: [{resources: [pods], verbs: ['*']}, {resources: [roles], verbs: [bind]}]":            {"cluster role"},
		"kind: Role\nrules: [{resources: [pods], verbs: [get, list]}]":                                           nil,
		"kind: RoleBinding\nroleRef: {name: view}\nsubjects: [{name: 'system:anonymous'}]":                       {"cluster role"},
		"kind: CustomResourceDefinition\nspec: {hostPID: true}":                                                  nil,
		"a: &x {privileged: true}\nkind: Pod\nspec: {securityContext: *x}":                                       {"privileged"},
		"a: &x [*x]\n":            nil,
		"not: [closed":            nil,
		strings.Repeat("[", 5000): nil,
	}
}

func TestManifestRights(t *testing.T) {
	t.Parallel()
	for text, want := range manifests() {
		r := &catalog.Result{}
		manifestRights(text, r)
		var got []string
		for _, e := range r.Effects {
			got = append(got, e.Kind.String())
		}
		if !slices.Equal(got, want) {
			t.Errorf("%.80q: %q, want %q", text, got, want)
		}
	}
}

func FuzzManifestRights(f *testing.F) {
	for text := range manifests() {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := &catalog.Result{}
		manifestRights(text, r)
		if len(r.Effects) > maxManifestFound {
			t.Errorf("%d effects", len(r.Effects))
		}
		for _, e := range r.Effects {
			if e.Verb != risk.PrivGain {
				t.Errorf("a manifest means %s", e.Verb)
			}
		}
	})
}

func BenchmarkManifestRights(b *testing.B) {
	b.ReportAllocs()
	text := strings.Repeat("kind: Deployment\nspec:\n  template:\n    spec:\n      containers:\n      - {name: a, image: b}\n---\n", 100)
	for b.Loop() {
		manifestRights(text, &catalog.Result{})
	}
}

func TestMetadataSecret(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]bool{
		"http://169.254.169.254/latest/meta-data/iam/security-credentials/app":                         true,
		"169.254.169.254//latest/meta-data/iam/security-credentials/app":                               true,
		"http://169.254.169.254/latest/meta-data/iam/security-credentials/":                            false,
		"http://169.254.169.254/latest/meta-data/hostname":                                             false,
		"http://[fd00:ec2::254]/latest/meta-data/iam/security-credentials/app":                         true,
		"http://2852039166/latest/meta-data/iam/security-credentials/app":                              true,
		"http://0251.0376.0251.0376/metadata/identity/oauth2/token?resource=x":                         true,
		"http://[::ffff:169.254.169.254]/metadata/identity/oauth2/token":                               true,
		"http://metadata.google.internal/computeMetadata/v1/instance/service-accounts/default/token":   true,
		"http://metadata.google.internal/computeMetadata/v1/instance/service-accounts/default/email":   false,
		"http://metadata.google.internal/computeMetadata/v1/instance/service-accounts/?recursive=true": true,
		"http://100.100.100.200/latest/meta-data/ram/security-credentials/app":                         true,
		"http://169.254.170.2/v2/credentials/0":                                                        true,
		"http://169.254.169.254/opc/v2/identity/key.pem":                                               true,
		"http://example.test/latest/meta-data/iam/security-credentials/app":                            false,
		"http://169.254.169.253/latest/meta-data/iam/security-credentials/app":                         false,
		"http://256.254.169.254/latest/meta-data/iam/security-credentials/app":                         false,
	} {
		if got := metadataSecret(value.Lit(url)); got != want {
			t.Errorf("%s: %t", url, got)
		}
	}
	open := value.Concat(value.Lit("http://169.254.170.2"), value.Lit("/"), value.Unknown(risk.CauseUnset, "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"))
	if !metadataSecret(open) {
		t.Error("a path that is not known counts at its worst")
	}
}

func TestForgeRights(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		method, url, body string
		want              risk.Verb
	}{
		{"PUT", "https://api.github.com/repos/o/r/collaborators/u", "", risk.PrivGain},
		{"GET", "https://api.github.com/repos/o/r/collaborators/u", "", ""},
		{"POST", "https://git.test/api/v4/projects/1/members?x=1", "user_id=2", risk.PrivGain},
		{"POST", "https://git.test/api/v4/projects/1/issues", "members", ""},
		{"DELETE", "https://git.test/api/v4/projects/1/protected_branches/main", "", risk.DefenseEvade},
		{"POST", "https://git.test/api/v4/projects/1/protected_branches", "", ""},
		{"PATCH", "https://git.test/api/v3/repos/o/r", `{"private": false}`, risk.PrivGain},
		{"PATCH", "https://git.test/api/v3/repos/o/r", `{"private": true, "description": "public"}`, ""},
		{"PUT", "https://gitlab.test/api/v4/projects/1", "visibility=public", risk.PrivGain},
		{"POST", "https://shop.test/api/v1/members", "", ""},
		{"POST", "https://api.github.com/user/keys", "", risk.PrivGain},
	} {
		path, _ := forgeURL(value.Lit(c.url))
		if path == nil {
			path = []string{"x"}
		}
		if known := func() bool { _, ok := forgeURL(value.Lit(c.url)); return ok }(); !known {
			if c.want != "" {
				t.Errorf("%s: no code host", c.url)
			}
			continue
		}
		if got, _ := forgeRights(&forgeRequest{method: c.method, path: path, body: c.body}); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.method, c.url, got, c.want)
		}
	}
}

func TestForeignDisplay(t *testing.T) {
	t.Parallel()
	for display, want := range map[string]bool{
		":0": false, "unix:0": false, "localhost:10.0": false, "127.0.0.1:0": false, "[::1]:0": false, "tcp/localhost:0": false,
		"192.0.2.1:0": true, "desk:0.0": true, "[2001:db8::1]:0": true, "tcp/192.0.2.1:1": true,
	} {
		if got := foreignDisplay(value.Lit(display)); got != want {
			t.Errorf("%s: %t", display, got)
		}
	}
}
