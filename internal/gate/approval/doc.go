// Package approval keeps the requests that wait for a person, and binds a yes to one
// command in one world, once.
//
// In go a command, the record of its assessment (package replay), its answer and what
// a person would be shown of it (package consent); out come Facts, their digest, and
// in words what differs between two of them. A Store keeps requests in files that only
// their owner can read: the request, its answer, and that the answer was used are a
// file each, made once and never changed, so that of two who answer or use a request
// one wins, whatever is killed on the way. It hands requests out by the beginning of
// their digest.
//
// Of a command that holds a secret an HMAC is kept, with a key of the store's own, and
// the text without the secret.
//
// Files that are read are hostile input: whoever could write them can propose a
// command, and no more, because facts are always made anew before anything runs.
// The store touches its own directory and follows no link there. Nothing here
// runs a program, reads a variable or knows what the approver says.
package approval
