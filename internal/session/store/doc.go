// Package store keeps what sessions of agents have behind them (package session)
// between two calls: a file for each session, of this account and readable by nobody
// else, written whole and in turn.
//
// In go an agent's name, a session's id and the time; out comes its state. One that
// cannot be read, for whatever reason, comes with a [*Fault] and is
// [session.Lost]: anything may have happened in it, and it is judged like that. The
// files are hostile input. Sessions that nobody has touched for longer than their
// entries count are removed; where there are too many for that, those that come
// later count as lost, because one of them may be among the removed.
package store
