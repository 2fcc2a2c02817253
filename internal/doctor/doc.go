// Package doctor looks whether heed works and whether the agent asks it.
//
// In go the environment and the directory of a session; out come checks: what was
// looked at, what came of it, and what to do about it. Settings are read and never
// changed. It starts one program, and only if it is this very heed or stands in the
// user's or the administrator's own settings: the hook, with commands as text whose
// answers are known.
package doctor
