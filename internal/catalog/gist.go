package catalog

import "github.com/heedsh/heed/risk"

// Gist is the summary of the command that was matched itself; "" where only the
// program that it is a part of has one, which is about all that the program does.
func (r *Result) Gist() string {
	if r.Match == nil || r.Help || r.Summary != r.Match.Node().Summary {
		return ""
	}
	return r.Summary
}

// OnlyReads reports whether nothing that may stand behind the matched command makes it
// do more than read, as far as the grammar says: its summary is then true of every
// invocation.
func (m *Match) OnlyReads() bool {
	for _, c := range m.Chain {
		if c.Hook != "" {
			return false
		}
		for i := range c.Effects {
			if e := &c.Effects[i]; !readsOnly(e.Verb, e.Role) {
				return false
			}
		}
		for i := range c.Options {
			if a := c.Options[i].Value; a != nil && !readsOnly("", a.Role) {
				return false
			}
		}
		for i := range c.Operands {
			if !readsOnly("", c.Operands[i].Role) {
				return false
			}
		}
	}
	return true
}

// readsOnly reports whether a verb, or where there is none a role, is one of reading.
func readsOnly(v risk.Verb, role Role) bool {
	switch v {
	case "", risk.FSRead, risk.RemoteRead, risk.DBRead, risk.NetFetch, risk.NetConnect:
	default:
		return false
	}
	switch role {
	case Data, Pattern, Reads, Shows, URL, Host, Config, SecretArg, Dir, Object:
		return true
	}
	return false
}
