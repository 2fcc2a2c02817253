// Package screen asks a person at a terminal that can be drawn on.
//
// In goes a gate.Question, or for Watch a desk of requests; out comes what the person
// said. The badge leads, always; what stands below it changes its order, and the keys
// their letters and places, from command to command and from time to time, so that no
// habit answers. REVIEW has letters and places of its own, takes no yes in the first
// second, and takes a typed word or the PIN. Nothing that was typed before the question
// was drawn counts, Enter alone runs nothing, and every fault is a no.
//
// What is drawn is lines of pieces, worked out without a terminal (ask.go, view.go,
// text.go); Bubble Tea carries keys in and lines out (screen.go). No text of a command
// reaches the terminal but through text.go, which lets no character pass that could
// move the cursor. It assesses, decides and runs nothing.
package screen
