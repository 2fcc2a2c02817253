// Package ownfile opens the directories and files that heed keeps of an account:
// its log, requests that wait, sessions.
//
// In go names; out come a directory that belongs to this account, that nobody else
// may write and that is no link, regular files in it of which the same is true, and
// locks. Whatever is not so is a [*Foreign], and never opened. What somebody else
// put there is hostile: links and FIFOs are not followed and not waited for.
package ownfile
