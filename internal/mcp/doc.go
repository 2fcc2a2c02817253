// Package mcp offers heed to agents over the Model Context Protocol: the tools check,
// explain, run and pending, and the log as resources.
//
// In go calls of an agent, over two streams or over HTTP; out come answers, and of run
// what its command printed. A command of run passes the guard as a hook's does, and runs
// only if the guard lets it: what a person has to agree to is kept as a request and
// refused. Nothing here answers a request, changes a rule or knows a tier: there is no
// tool for any of it. Over HTTP each message needs a token, and one that a browser sends
// for a page is refused.
package mcp
