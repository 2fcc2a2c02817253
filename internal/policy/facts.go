package policy

import (
	"net/url"
	"strings"

	"github.com/heedsh/heed/risk"
)

// Host is the machine or service that an effect talks to: where it happens, or
// the host of its target.
func Host(e *risk.Effect) string {
	if e.Host != "" {
		return e.Host
	}
	switch e.Verb {
	case risk.NetFetch, risk.NetSend, risk.NetConnect, risk.VCSPush, risk.VCSForce, risk.SecretSend, risk.ExecRemote:
	default:
		return ""
	}
	target := e.Target
	if e.Where != "" && (e.Verb == risk.VCSPush || e.Verb == risk.VCSForce) {
		target = strings.TrimPrefix(e.Where, "remote ")
	}
	if u, err := url.Parse(target); err == nil && u.Host != "" {
		return strings.ToLower(u.Hostname())
	}
	// user@host:path, as ssh, scp and git have it; host:port.
	host := target[strings.IndexByte(target, '@')+1:]
	if i := strings.IndexAny(host, ":/"); i >= 0 {
		host = host[:i]
	}
	return strings.ToLower(host)
}

// Branch is the branch that an effect changes: of a remote, without its name.
func Branch(e *risk.Effect) string {
	switch e.Verb {
	case risk.VCSPush, risk.VCSForce:
		_, branch, ok := strings.Cut(e.Target, "/")
		if !ok {
			branch = e.Target
		}
		return branch
	case risk.VCSRewrite, risk.VCSLocal, risk.VCSDiscard:
		return e.Target
	}
	return ""
}

// Cluster is what a remote target belongs to, without the word for what it is:
// "prod" of "context prod".
func Cluster(e *risk.Effect) string {
	switch kind, name, ok := strings.Cut(e.Where, " "); {
	case !ok:
		return e.Where
	case kind == "context" || kind == "profile" || kind == "project" || kind == "workspace" || kind == "subscription" || kind == "account":
		return name
	}
	return e.Where
}
