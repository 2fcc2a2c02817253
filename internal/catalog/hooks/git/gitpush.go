package git

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// push says which branches of which remote are changed, and how (git-push(1)).
func (g *gitCall) push() {
	words := g.m.Operands()
	remote, named := g.pushRemote(words)
	specs := words[min(1, len(words)):]
	if !g.m.Has("dry") {
		if address, ok := g.remoteURL(remote); ok && named {
			g.pushTo(remote, address)
		}
		g.pushSpecs(remote, named, specs)
	}
}

// pushTo says what connecting to the address does beyond pushing: an address
// on the command line is a place nobody configured.
func (g *gitCall) pushTo(remote, address value.Value) {
	scheme, _, helper := strings.Cut(address.Prefix(), "::")
	given := gitAddress(remote.Prefix())
	switch {
	case helper && gitScheme(scheme) && given:
		g.transport(address)
	case helper && gitScheme(scheme):
		g.configured(address)
	case given && !gitLocal(address.Prefix()) && !strings.HasPrefix(address.Prefix(), "file:"):
		g.effect(risk.NetSend, address, risk.NoKind)
	}
}

// pushRemote finds the remote that is pushed to (git-push(1), "<repository>").
func (g *gitCall) pushRemote(words []value.Value) (remote value.Value, named bool) {
	if len(words) > 0 {
		return words[0], true
	}
	if v, ok := g.m.Value("repo"); ok {
		return v, true
	}
	if g.repo == nil {
		return value.Lit("the remote"), false
	}
	branch, _ := g.repo.Head()
	for _, key := range []string{"branch." + branch + ".pushRemote", "remote.pushDefault", "branch." + branch + ".remote"} {
		if name := g.lastConfig(key); name != "" {
			return value.Lit(name), true
		}
	}
	if g.lastConfig("remote.origin.url") != "" {
		return value.Lit("origin"), true
	}
	return value.Lit("the remote"), false
}

func (g *gitCall) pushSpecs(remote value.Value, named bool, specs []value.Value) {
	verb, detail := risk.VCSPush, risk.NoKind
	switch {
	case g.m.Has("delete"):
		verb, detail = risk.VCSForce, risk.KindDelete
	case g.m.Has("mirror"):
		g.effect(risk.VCSForce, remote, risk.KindMirror)
		return
	case g.m.Has("overwrite"):
		verb = risk.VCSForce
	case g.m.Has("lease"):
		verb, detail = risk.VCSForce, risk.KindLease
	}
	if g.m.Has("prune") {
		g.effect(risk.VCSForce, remote, risk.KindPrune)
	}
	if len(specs) == 0 {
		g.pushDefault(remote, named, verb, detail)
		return
	}
	for i := 0; i < len(specs); i++ {
		spec := specs[i]
		if text, _ := spec.Known(); text == "tag" && i+1 < len(specs) {
			i++
			spec = specs[i]
			if verb == risk.VCSPush && !strings.HasPrefix(spec.Prefix(), "+") {
				g.pushes(verb, gitOnRemote(remote, g.shortRef(spec)), risk.KindTag, spec)
				continue
			}
		}
		g.pushSpec(remote, spec, verb, detail)
	}
}

// pushSpec is one refspec: [+]src:dst, [+]ref, or :dst, which deletes.
func (g *gitCall) pushSpec(remote, spec value.Value, verb risk.Verb, detail risk.Kind) {
	if strings.HasPrefix(spec.Prefix(), "^") {
		return
	}
	if strings.HasPrefix(spec.Prefix(), "+") {
		spec = spec.Cut(1)
		if verb == risk.VCSPush {
			verb = risk.VCSForce
		}
	}
	src, dst, ok := gitCut(spec, ":")
	switch {
	case ok && src.Empty() && dst.Empty():
		dst = value.Lit("*") // ":" pushes all matching branches
	case ok && src.Empty():
		verb, detail = risk.VCSForce, risk.KindDelete
	case !ok:
		src, dst = spec, spec
	}
	if verb == risk.VCSPush && detail == risk.NoKind && g.isTag(src) {
		detail = risk.KindTag
	}
	g.pushes(verb, gitOnRemote(remote, g.shortRef(dst)), detail, src)
}

// isTag reports whether what is pushed is a tag: one that is there, or, while there is no
// branch of the name, one that is called as versions are.
func (g *gitCall) isTag(src value.Value) bool {
	name, known := src.Known()
	switch {
	case !known || name == "":
		return false
	case strings.HasPrefix(name, "refs/"):
		return strings.HasPrefix(name, "refs/tags/")
	case g.repo == nil || g.repo.Ref("refs/heads/"+name) != "":
		return false
	case g.repo.Ref("refs/tags/"+name) != "":
		return true
	}
	digits := strings.TrimPrefix(name, "v")
	return digits != "" && strings.Trim(digits[:1], "0123456789") == "" && (digits != name || strings.Contains(name, "."))
}

// pushes is effect, and says which revision takes the target's place.
func (g *gitCall) pushes(verb risk.Verb, target value.Value, detail risk.Kind, src value.Value) {
	rev, _ := src.Known()
	g.r.Effects = append(g.r.Effects, catalog.Effect{Verb: verb, Target: target, Kind: detail, Rev: rev})
}

// shortRef drops refs/heads/ and refs/tags/ and names the branch of HEAD.
func (g *gitCall) shortRef(ref value.Value) value.Value {
	text := ref.Prefix()
	for _, p := range []string{"refs/heads/", "refs/tags/"} {
		if strings.HasPrefix(text, p) {
			return ref.Cut(len(p))
		}
	}
	if s, known := ref.Known(); known && (s == "HEAD" || s == "@") && g.repo != nil {
		if branch, _ := g.repo.Head(); branch != "" {
			return value.Lit(branch)
		}
	}
	return ref
}

func gitOnRemote(remote, ref value.Value) value.Value {
	return value.Concat(remote, value.Lit("/"), ref)
}

// pushDefault is a push without refspecs: --all, --tags, or what push.default
// and the upstream say (git-config(1), "push.default").
func (g *gitCall) pushDefault(remote value.Value, named bool, verb risk.Verb, detail risk.Kind) {
	if g.m.Has("all") {
		if detail == risk.NoKind {
			detail = risk.KindAllBranches
		}
		g.effect(verb, remote, detail)
		return
	}
	if g.m.Has("tags") {
		if detail == risk.NoKind {
			detail = risk.KindTags
		}
		g.effect(verb, remote, detail)
		return
	}
	src := value.Value{}
	if branch := g.pushBranch(remote); named && branch != "" {
		remote, src = gitOnRemote(remote, value.Lit(branch)), value.Lit(world.HEAD)
	}
	g.pushes(verb, remote, detail, src)
}

// pushBranch is the branch that a plain push updates; "" if that is not known.
func (g *gitCall) pushBranch(remote value.Value) string {
	name, known := remote.Known()
	if g.repo == nil || !known {
		return ""
	}
	branch, _ := g.repo.Head()
	if branch == "" || g.lastConfig("remote."+name+".push") != "" {
		return ""
	}
	switch g.lastConfig("push.default") {
	case "matching":
		return "*"
	case "nothing":
		return ""
	case "upstream", "tracking":
		if merge := g.lastConfig("branch." + branch + ".merge"); merge != "" {
			return strings.TrimPrefix(merge, "refs/heads/")
		}
	}
	return branch
}
