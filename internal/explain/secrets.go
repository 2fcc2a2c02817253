package explain

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/risk"
)

func secrets(e *risk.Effect, at place) string {
	if e.Verb == risk.SecretSend {
		return "Sends " + secret(e, at) + " to " + orElse(acted(e, at), "the network")
	}
	return "Shows " + secret(e, at)
}

// secret names the secret that is read or sent.
func secret(e *risk.Effect, at place) string {
	switch from := holder(e, at); {
	case from == "":
		return "a secret"
	case e.Source.IsZero() && risk.IsNoun(e.Target):
		return from
	case e.Source.IsZero() && e.Program != "" && !strings.ContainsAny(e.Target[:1], "/.$<"): // what a store of secrets calls it
		return "the secret " + from
	default:
		return "the " + orElse(contents(file(e)), "secret") + " in " + from
	}
}

// holder names what a secret is read from, or returns "".
func holder(e *risk.Effect, at place) string {
	switch name, ok := e.Source.Named(); {
	case e.Source == risk.FromSecret(), e.Source.IsZero() && (e.Target == "" || e.Target == risk.FromSecret().String()):
		return ""
	case ok:
		return at.named(name)
	case !e.Source.IsZero():
		return e.Source.String()
	}
	if strings.HasPrefix(e.Target, "<find ") { // what a search finds
		return orElse(Gap(e.Target, risk.CauseOutput, at.dir, at.home), at.named(e.Target))
	}
	return at.named(e.Target)
}

// file is the path of what a secret is read from, as far as it is one.
func file(e *risk.Effect) string {
	if name, ok := e.Source.Named(); ok {
		return name
	}
	if e.Source.IsZero() {
		return e.Target
	}
	return ""
}

// contents is what a file of credentials holds, without an article, by what it is called
// and where it is (the manual pages of those that read it: shadow(5), ssh-keygen(1),
// netrc(5), npmrc, and so on); "" of one that is not known, or that is no file.
func contents(file string) string {
	dir, name := path.Split(file)
	switch {
	case strings.ContainsAny(file, "*?$<") || !strings.HasPrefix(file, "/"):
		return ""
	case file == "/etc/shadow", file == "/etc/shadow-", file == "/etc/master.passwd":
		return "password hashes of all accounts"
	case file == "/etc/gshadow", file == "/etc/gshadow-":
		return "password hashes of all groups"
	case file == "/etc/security/opasswd":
		return "earlier password hashes of accounts"
	case strings.HasSuffix(file, "/.ssh"):
		return "SSH keys"
	case strings.HasPrefix(name, "id_") && path.Ext(name) == "":
		return "private SSH key"
	case strings.HasSuffix(file, "/.aws/credentials"):
		return "AWS access keys"
	case strings.HasSuffix(file, "/.kube/config"):
		return "logins to Kubernetes clusters"
	case strings.HasSuffix(file, "/.docker/config.json"):
		return "logins to image registries"
	case strings.HasSuffix(file, "/serviceaccount/token"):
		return "Kubernetes token of this container"
	case strings.HasSuffix(dir, "/.gnupg/private-keys-v1.d/"):
		return "private GnuPG key"
	}
	switch name {
	case ".env":
		return "secrets"
	case ".netrc", "_netrc":
		return "logins to servers"
	case ".git-credentials":
		return "logins to Git hosts"
	case ".pgpass":
		return "database passwords"
	case ".npmrc", ".pypirc":
		return "logins to package registries"
	case ".bash_history", ".zsh_history":
		return "typed commands with any secrets"
	}
	return ""
}

// holding is what a file of credentials holds, as a clause has it: "which holds a private
// SSH key".
func holding(file string) string {
	what := orElse(contents(file), "credentials")
	if strings.HasPrefix(what, "private ") || strings.HasPrefix(what, "Kubernetes ") {
		what = "a " + what
	}
	return "which holds " + what
}

// nameSecrets says of a secret that is shown or sent, and was changed on its way so that
// nobody knows whose it is, from which file it came: the only one of credentials that is
// read at all.
func (in *Input) nameSecrets() {
	lost := func(e risk.Effect) bool {
		return e.Source == risk.FromSecret() || e.Source.IsZero() && e.Verb == risk.SecretRead && e.Target == risk.FromSecret().String()
	}
	if !slices.ContainsFunc(in.Effects, lost) {
		return
	}
	only := ""
	for i := range in.Effects {
		switch e := &in.Effects[i]; {
		case e.Scope != risk.IsSecret || e.Verb != risk.FSRead:
			if (e.Verb == risk.SecretRead || e.Verb == risk.SecretSend) && !lost(*e) {
				return // another secret
			}
		case e.Many || e.Unresolved != "" || only != "" && only != e.Target:
			return
		default:
			only = e.Target
		}
	}
	if only == "" {
		return
	}
	in.Effects = slices.Clone(in.Effects)
	for i := range in.Effects {
		if lost(in.Effects[i]) {
			in.Effects[i].Source = risk.From(only)
		}
	}
}

// shownOf reports whether a sentence tells of a file of credentials, which is only read,
// what is in it and that it is shown, sent or copied.
func (in *Input) shownOf(read *risk.Effect, text string, at place) bool {
	name := at.path(read.Target)
	if !strings.Contains(text, name) {
		return false
	}
	return strings.Contains(text, "holds secrets") || strings.Contains(text, orElse(contents(read.Target), "secret")+" in "+name)
}
