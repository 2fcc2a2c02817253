package cloud

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/once"
	"github.com/heedsh/heed/internal/value"
)

// kinds are the short names of kinds of objects ("kubectl api-resources"), behind the
// name of one; others are taken as they are.
var kinds = once.Value[map[string]string]{Make: func() map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(`pod: po
service: svc
deployment: deploy
namespace: ns
node: no
configmap: cm
statefulset: sts
daemonset: ds
replicaset: rs
ingress: ing
persistentvolume: pv
persistentvolumeclaim: pvc
serviceaccount: sa
cronjob: cj
horizontalpodautoscaler: hpa
customresourcedefinition: crd crds
endpoints: ep
event: ev
resourcequota: quota
networkpolicy: netpol
storageclass: sc
poddisruptionbudget: pdb
certificatesigningrequest: csr
replicationcontroller: rc
job:
secret:
role:
rolebinding:
clusterrole:
clusterrolebinding:
`) {
		one, short, _ := strings.Cut(strings.TrimSpace(line), ":")
		all[one], all[kindMany(one)] = one, one
		for s := range strings.FieldsSeq(short) {
			all[s] = one
		}
	}
	return all
}}

// kindMany is the name of several objects of a kind.
func kindMany(one string) string {
	switch {
	case one == "all" || one == "endpoints":
		return one
	case strings.HasSuffix(one, "ss"):
		return one + "es"
	case strings.HasSuffix(one, "cy"):
		return one[:len(one)-1] + "ies"
	case strings.HasSuffix(one, "s"):
		return one
	}
	return one + "s"
}

// kindOne is the name of one object of a kind as it is written on a command line.
func kindOne(word string) string {
	if one, ok := kinds.Get()[strings.ToLower(word)]; ok {
		return one
	}
	return word
}

// maxPatch is how long a patch is that is told whole.
const maxPatch = 50

// kubeNames binds, for phrases, what the operands of kubectl name: "one" the kind of
// the objects that are named, "named" their names, "kind" the kinds of which all are
// meant, and "doing" the word behind rollout and its like.
func kubeNames(m *catalog.Match) {
	objects := m.Values("object")
	if len(objects) == 0 {
		return
	}
	if slices.ContainsFunc(objects, func(v value.Value) bool { return !v.IsKnown() }) {
		return
	}
	command := m.Written()
	bind := func(name, text string) { m.Bind(name, value.Lit(text)) }
	texts := make([]string, 0, len(objects))
	for _, o := range objects {
		text := o.String()
		key, takes := strings.CutSuffix(text, "-")
		switch takes = takes && len(texts) > 0; {
		case !takes && !strings.Contains(text, "="):
			texts = append(texts, text)
		case command != "label" && command != "annotate":
		case takes:
			bind("doing", "without "+key)
		default:
			bind("doing", text)
		}
	}
	if len(texts) == 0 {
		return
	}
	if p := m.Values("patch"); command == "patch" && len(p) == 1 && len(p[0].String()) <= maxPatch {
		m.Bind("doing", p[0])
	}
	switch command {
	case "rollout", "set", "adm", "certificate", "policy":
		bind("doing", texts[0])
		texts = texts[1:]
	case "create":
		if len(texts) > 2 && (texts[0] == "secret" || texts[0] == "service" || texts[0] == "svc") {
			texts = slices.Delete(texts, 1, 2) // generic, clusterip: a kind of the kind
		}
	case "cordon", "uncordon", "drain":
		texts = append([]string{"node"}, texts...)
	case "top":
		if len(texts) > 0 && kindOne(texts[0]) != "pod" && kindOne(texts[0]) != "node" {
			return
		}
	}
	kubeBind(texts, bind)
}

// kubeBind binds the kind and the names of some operands: TYPE NAME…, TYPE/NAME…, or
// TYPE alone.
func kubeBind(texts []string, bind func(name, text string)) {
	switch {
	case len(texts) == 0 || texts[0] == "":
	case strings.Contains(texts[0], "/"):
		first, _, _ := strings.Cut(texts[0], "/")
		var names []string
		for _, t := range texts {
			kind, name, ok := strings.Cut(t, "/")
			if !ok || kindOne(kind) != kindOne(first) || name == "" {
				return // of several kinds
			}
			names = append(names, name)
		}
		kubeBindNames(kindOne(first), names, bind)
	case len(texts) == 1:
		for kind := range strings.SplitSeq(texts[0], ",") {
			if one := kindOne(kind); one == kind && strings.HasSuffix(kind, "s") {
				bind("kind", kind)
			} else {
				bind("kind", kindMany(one))
			}
		}
	case !strings.Contains(texts[0], ","):
		kubeBindNames(kindOne(texts[0]), texts[1:], bind)
	}
}

func kubeBindNames(one string, names []string, bind func(name, text string)) {
	if len(names) > 1 {
		one = kindMany(one)
	}
	bind("one", one)
	for _, n := range names {
		bind("named", n)
	}
}
