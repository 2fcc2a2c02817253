// Package net says what the programs do that talk to other machines: transfers,
// requests, tunnels, remote shells.
//
// In go a match and the site of the invocation; out comes the result. Nothing is
// looked up or connected.
package net
