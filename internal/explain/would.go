package explain

import "strings"

// Verbs in other forms than the third person, in which phrases have them.

// wouldBe is a sentence about what a command would do: "Gives a shell" is "Would give a
// shell" then.
func wouldBe(text string) string {
	verb, rest, ok := strings.Cut(text, " ")
	if !ok || !strings.HasSuffix(verb, "s") || len(verb) < 4 || verb == "Fails" || strings.Trim(verb, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
		return text
	}
	for _, next := range []string{"closes", "deletes", "lists", "makes", "prints", "pushes", "removes", "runs", "shows", "starts", "stops", "switches"} {
		rest = strings.Replace(rest, " and "+next+" ", " and "+infinitive(next)+" ", 1)
	}
	return "Would " + infinitive(lower(verb)) + " " + rest
}

// infinitive is the plain form of a verb in the third person.
func infinitive(verb string) string {
	switch {
	case verb == "has":
		return "have"
	case verb == "does", verb == "goes", strings.HasSuffix(verb, "shes"), strings.HasSuffix(verb, "tches"), strings.HasSuffix(verb, "aches") && verb != "caches",
		strings.HasSuffix(verb, "sses"), strings.HasSuffix(verb, "xes"):
		return strings.TrimSuffix(verb, "es")
	case strings.HasSuffix(verb, "ies") && verb != "ties" && verb != "lies":
		return strings.TrimSuffix(verb, "ies") + "y"
	}
	return strings.TrimSuffix(verb, "s")
}

// participle is the past participle of a verb in the third person that begins a phrase, of
// those by which it is clear what is not done: "Compiles"; "" of others.
func participle(verb string) string {
	stem := strings.TrimSuffix(lower(verb), "s")
	switch verb {
	case "Builds":
		return "built"
	case "Rewrites":
		return "rewritten"
	case "Sends":
		return "sent"
	case "Splits":
		return "split"
	case "Commits", "Formats":
		return stem + "ted"
	case "Plans", "Scans":
		return stem + "ned"
	case "Strips", "Unzips":
		return stem + "ped"
	case "Applies", "Copies", "Minifies", "Verifies", "Analyses", "Archives", "Assembles", "Calculates", "Compares", "Compiles", "Composes", "Compresses", "Creates", "Decodes",
		"Deletes", "Encodes", "Generates", "Measures", "Merges", "Moves", "Optimizes", "Patches", "Publishes", "Pushes", "Removes", "Renames", "Resizes", "Restores", "Stages",
		"Translates", "Updates", "Validates":
		return stem + "d"
	case "Adds", "Checks", "Converts", "Decrypts", "Deploys", "Downloads", "Edits", "Encrypts", "Exports", "Extracts", "Filters", "Imports", "Installs", "Joins", "Links", "Loads",
		"Mounts", "Packs", "Plays", "Records", "Renders", "Signs", "Sorts", "Tests", "Uninstalls", "Unpacks", "Uploads":
		return stem + "ed"
	}
	return ""
}
