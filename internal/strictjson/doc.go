// Package strictjson reads a JSON object as every other reader would.
//
// In go bytes that anybody may have written; out come the object's members, in
// their order, with the values as they are written. encoding/json takes names in
// any case and the last of two: a text that two readers understand differently
// must not be judged in one of its meanings, so names are exact here, a name that
// comes again is told as that, and nothing may follow the object.
//
// Errors are predicates: whoever reads puts the subject before them ("the payload
// is empty").
package strictjson
