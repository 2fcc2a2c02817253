// Package daemon keeps requests, PINs and logs under an account of its own, out of
// reach of the accounts whose commands they are about (heed daemon --system).
//
// In go calls over a unix socket, a line of JSON each; out come the answers of the same
// stores that heed uses without it (packages approval, pin and audit), which lie in a
// directory an account. The kernel says whose process calls, and no word in a call does;
// a call is about the caller's account, and only root is shown, and answers, those of
// others. Where a person is needed it looks who started the caller, and holds the PIN
// against its hash itself.
//
// [Client] is the same from the other side: it talks only to a socket that the wanted
// account listens on, and every fault is an error, never a yes. What was acknowledged
// is on the disk. Neither side judges or runs anything.
package daemon
