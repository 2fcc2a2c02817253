package acp

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// permitted is how long a yes to a request for permission waits for the terminal/create
// that it was asked for: agents send that at once.
const permitted = time.Minute

// what is what a yes is about: a command, where and with what it runs.
type what struct{ session, command, dir, env string }

// A yes is what permission was given for. It holds once, and as long as heed says the same.
type yes struct {
	why    string    // what heed said when the person agreed; "" if he agreed elsewhere
	agreed string    // names the yes that he gave elsewhere
	until  time.Time // with the monotonic clock
}

// what is what a yes to this command is about.
func (c *Command) what() what {
	var env strings.Builder
	for _, name := range slices.Sorted(maps.Keys(c.Env)) {
		env.WriteString(name + "=" + c.Env[name] + "\x00")
	}
	return what{c.Session, plain(c.Text), c.Dir, env.String()}
}

// plain writes a text that is nothing but words as [words] writes them: agents ask about
// a line, and then have the editor run its words.
func plain(text string) string {
	for _, r := range text {
		if !strings.ContainsRune(" -_./:@%+,0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", r) {
			return text
		}
	}
	all := strings.Fields(text)
	if len(all) == 0 || strings.Contains(all[0], "=") {
		return text // an assignment, which is no program
	}
	return words(all)
}

// permit keeps a yes.
func (p *Proxy) permit(w what, y yes) {
	now := time.Now()
	maps.DeleteFunc(p.agreed, func(_ what, y yes) bool { return !now.Before(y.until) })
	if len(p.agreed) < maxKept {
		y.until = now.Add(permitted)
		p.agreed[w] = y
	}
}

// use takes a yes: it is gone then.
func (p *Proxy) use(w what) yes {
	y := p.agreed[w]
	delete(p.agreed, w)
	if !time.Now().Before(y.until) {
		return yes{}
	}
	return y
}

// forget drops what was permitted in a session.
func (p *Proxy) forget(session string) {
	maps.DeleteFunc(p.agreed, func(w what, _ yes) bool { return w.session == session })
}
