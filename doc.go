// Package heed reads a terminal command before it runs and works out what it
// would really do here, so that a person or a policy can decide in a glance.
//
// [New] makes an [Engine]; [Engine.Assess] answers a [risk.Request] with a
// [risk.Assessment]: a tier, the least approval it needs, and one sentence
// that names the real targets and the real loss. Nothing is run, nothing is
// written and nothing is sent while a command is assessed, and the same
// request in the same world always gives the same answer.
package heed
