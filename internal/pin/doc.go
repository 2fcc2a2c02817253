// Package pin keeps and checks the PIN by which a person consents to what cannot be
// taken back.
//
// In go digits, from a person's terminal; out comes that they are right, or a typed
// error: [Wrong], [Wait], [ErrNone]. There is no default, and no way in by a variable
// or an argument: callers hand over bytes, which are wiped. The file holds an argon2id
// hash with its salt and costs, how often it was guessed wrong, and when last.
//
// Five tries, then a wait that doubles from one minute to a day and survives
// restarts. A try is on the disk before it is compared, under a lock, so that killing
// heed or guessing in parallel gains none; a clock that is set back shortens no wait.
//
// It keeps nothing from its own account: whoever may write the file may exchange it,
// and who may read it can try all digits elsewhere (docs/threat-model.md).
package pin
