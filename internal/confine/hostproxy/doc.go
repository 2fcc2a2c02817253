// Package hostproxy is the only way out of a confined command's network: a proxy that
// lets it reach the hosts that it was granted, and no other.
//
// In go a listener and hosts with their ports; out goes what is asked of these, by
// CONNECT for TLS and by requests with a whole address for plain HTTP, and what was
// refused is told. Names are looked up here, outside of the box, and what they come to is
// held against where no name may lead: this machine, private networks, the services that
// clouds tell their credentials by. The first message of TLS has to name the host that
// CONNECT named. What follows is not read.
package hostproxy
