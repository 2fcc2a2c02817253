// Package mcpserver is the command line of heed-mcp, the server that `heed mcp` becomes.
//
// In go flags, standard streams and the environment; the protocol goes out, over the
// standard streams or HTTP. It joins package mcp to the guard as package cli does for
// hooks. It stands apart from cli so that no hook pays for what the SDK of the protocol
// makes before main; it decides nothing.
package mcpserver
