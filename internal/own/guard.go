package own

import (
	"github.com/heedsh/heed/internal/audit"
	"github.com/heedsh/heed/internal/gate/approval"
	"github.com/heedsh/heed/internal/guard"
	"github.com/heedsh/heed/internal/pin"
	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/internal/session/store"
)

// Guard is what stands before the commands of the person of an environment: a service,
// that person's log, and the requests that wait for him.
func Guard(with *service.Service, env []string) *guard.Guard {
	g := &guard.Guard{Service: with}
	g.Records.Log, g.Records.Err = Log(env)
	g.Store, g.StoreErr = approval.Open(Getenv(env))
	g.Sessions, g.SessionsErr = store.Open(Getenv(env))
	g.PIN = func() (*pin.Store, bool) {
		p, err := pin.Open(Getenv(env))
		if err != nil {
			return nil, false
		}
		// One that cannot be read is there: nobody gets around it by spoiling it.
		is, err := p.Exists()
		return p, is || err != nil
	}
	return g
}

// Log is the log of the person of an environment. Only root's settings switch it off.
func Log(env []string) (*audit.Log, error) {
	dir, err := audit.Dir(Getenv(env))
	if err != nil {
		return nil, err
	}
	managed := audit.Managed{By: ManagedPolicy}
	if f, err := readPolicy(ManagedPolicy, policy.Managed); err == nil {
		managed.Off = f.LogOff
	}
	return audit.Open(dir, audit.Options{Managed: managed})
}
