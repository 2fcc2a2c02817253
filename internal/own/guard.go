package own

import (
	"context"
	"fmt"
	"iter"
	"os/user"
	"strconv"
	"time"

	"github.com/heedsh/heed/internal/audit"
	"github.com/heedsh/heed/internal/daemon"
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
	k := Keep(env)
	g := &guard.Guard{Service: with, Records: guard.Records{Log: k.Log, Err: k.LogErr}, Store: k.Requests, StoreErr: k.RequestsErr}
	g.Sessions, g.SessionsErr = store.Open(Getenv(env))
	g.PIN = func() (guard.PIN, bool) {
		if k.PINErr != nil {
			return nil, false
		}
		// One that cannot be read is there: nobody gets around it by spoiling it.
		is, err := k.PIN.Exists()
		return k.PIN, is || err != nil
	}
	return g
}

// A Log is what heed log and its kind read: an [audit.Log] of this account, or the
// daemon's.
type Log interface {
	guard.Log
	Follow(ctx context.Context, f audit.Filter, every time.Duration) iter.Seq2[audit.Row, error]
}

// Kept are the places where a person's requests, PIN and log are, each with what keeps it
// from being used.
type Kept struct {
	Requests    guard.Requests
	RequestsErr error
	PIN         guard.PIN
	PINErr      error
	Log         Log
	LogErr      error
}

// Keep finds where the things of the person of an environment are kept: with the daemon,
// if root's settings say so, and nowhere else then.
func Keep(env []string) Kept {
	f, err := readPolicy(ManagedPolicy, policy.Managed)
	if err != nil {
		err = fmt.Errorf("root's settings do not say where: %w", err)
		return Kept{RequestsErr: err, PINErr: err, LogErr: err}
	}
	getenv := Getenv(env)
	if f.Daemon != "" {
		return keptBy(f.Daemon, getenv)
	}
	var k Kept
	if s, err := approval.Open(getenv); err != nil {
		k.RequestsErr = err
	} else {
		k.Requests = s
	}
	if p, err := pin.Open(getenv); err != nil {
		k.PINErr = err
	} else {
		k.PIN = p
	}
	dir, err := audit.Dir(getenv)
	if err != nil {
		k.LogErr = err
		return k
	}
	if l, err := audit.Open(dir, audit.Options{Managed: audit.Managed{By: ManagedPolicy, Off: f.LogOff}}); err != nil {
		k.LogErr = err
	} else {
		k.Log = l
	}
	return k
}

// keptBy asks the daemon of an account.
func keptBy(account string, getenv func(string) string) Kept {
	uid, err := accountID(account)
	if err != nil {
		err = fmt.Errorf("%s wants heed's daemon: %w", ManagedPolicy, err)
		return Kept{RequestsErr: err, PINErr: err, LogErr: err}
	}
	c := &daemon.Client{Socket: daemon.Socket, UID: uid}
	if local, err := approval.Open(getenv); err == nil {
		c.Local = local
	}
	return Kept{Requests: c, PIN: &daemon.PIN{Client: c}, Log: &daemon.Log{Client: c}}
}

func accountID(account string) (int, error) {
	u, err := user.Lookup(account)
	if err != nil {
		return 0, fmt.Errorf("looking the account up: %w", err)
	}
	uid, err := strconv.Atoi(u.Uid)
	switch {
	case err != nil:
		return 0, fmt.Errorf("looking the account up: %w", err)
	case uid == 0:
		return 0, fmt.Errorf("the daemon needs an account of its own, and %s is root", account)
	}
	return uid, nil
}

// LogOf is the log of the person of an environment. Only root's settings switch it off.
func LogOf(env []string) (Log, error) {
	k := Keep(env)
	return k.Log, k.LogErr
}

// Daemon is what root's settings say of the daemon: the account that it runs under, ""
// if there is none, and of the log.
func Daemon() (account string, log audit.Managed, err error) {
	f, err := readPolicy(ManagedPolicy, policy.Managed)
	if err != nil {
		return "", audit.Managed{}, err
	}
	return f.Daemon, audit.Managed{By: ManagedPolicy, Off: f.LogOff}, nil
}
