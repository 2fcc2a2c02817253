package cloud

import (
	"slices"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/catalog"
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
