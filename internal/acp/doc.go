// Package acp stands between an agent and its editor in the Agent Client Protocol:
// JSON-RPC, a message a line.
//
// In go the streams of both; out go the same bytes, but for two requests of the agent.
// session/request_permission about a command and terminal/create are judged by whoever
// made the proxy: what is let run is answered with allow_once, or passed; what a person
// is asked about reaches him with badge and sentence; what is refused never does.
// A yes to once holds for the terminal of the same command, once and for a short time.
// allow_always is never chosen. What cannot be read as one message is not passed, since
// the editor might read another one in it. It starts and assesses nothing.
package acp
