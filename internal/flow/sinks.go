package flow

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/workspace"
	"github.com/heedsh/heed/risk"
)

// Every word of a program that asks a service for something goes to that service:
// what was read from files is sent with it, though nothing says "upload".

// asks reports whether an effect hands the program's words to somebody else, and
// is otherwise one of reading.
func asks(e *risk.Effect) bool {
	return (e.Verb == risk.NetFetch || e.Verb == risk.RemoteRead) && e.Scope != risk.IsLoopback
}

// sends tells of what a request for something carries in its words.
func (d *Deed) sends(e *risk.Effect) {
	if !asks(e) || d.Result.Match == nil || d.Result.Help {
		return
	}
	m := d.Result.Match
	for i := range m.Args {
		b := &m.Args[i]
		v := b.Value
		if v.IsKnown() && v.Taint() == 0 || b.Arg.Role == catalog.SecretArg || b.Arg.Role == catalog.Argv || b.Arg.Role.OfFile() {
			continue
		}
		send := *e
		send.Verb, send.Kind, send.By.Rule = risk.NetSend, risk.KindInWords, "flow"
		switch t := v.Taint(); {
		case t.Has(value.Secret) || t.Has(value.Credential) && (m.IsOperand(b) || strings.Contains(v.Prefix(), "://")) && exposed(v):
			d.ToNet(d.State, d.Inv.Span, send, t, d.SecretName(v))
		case t.Has(value.Untrusted|value.Outside|value.Private) && !t.Has(value.Network):
			d.tell(send)
		case t.Has(value.Network), !d.unbounded(v):
			continue
		default:
			d.tell(send)
		}
		return
	}
}

// unbounded reports whether a value has a part that a program printed and that
// can be any text: a word of a shape is a name, and no file's contents; what the
// same service just told is no news to it.
func (d *Deed) unbounded(v value.Value) bool {
	for _, h := range v.Holes() {
		told := h.Lists.Of == value.OfService && h.Lists.Named == d.Program || h.Lists.Of == value.OfRefs
		if h.Cause == risk.CauseOutput && h.Shape == value.AnyText && len(h.OneOf) == 0 && !told {
			return true
		}
	}
	return false
}

// exposed reports whether a word shows the credential in it to who gets it: all of
// it, or anywhere but where a URL has its password.
func exposed(v value.Value) bool {
	_, open := spelledOut(v)
	return open || len(v.Parts()) == 1
}

// rawProtocol reports whether a URL is of a protocol in which its path is a
// command to the server (curl(1), "PROTOCOLS").
func rawProtocol(url string) bool {
	scheme, _, ok := strings.Cut(url, "://")
	if !ok {
		return false
	}
	return strings.Contains(rawSchemes, " "+strings.ToLower(scheme)+" ")
}

// rawSchemes are the schemes of such protocols.
const rawSchemes = " dict gopher gophers telnet ldap ldaps smtp smtps imap imaps pop3 pop3s mqtt rtsp rtmp smb smbs tftp "

// scopeOf is where an effect of the network happens.
func scopeOf(target string) risk.Scope { return workspace.HostScope(workspace.URLHost(target)) }
