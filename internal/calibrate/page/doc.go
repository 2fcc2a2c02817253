// Package page writes a calibration as a page for people.
//
// In goes a report; out comes one HTML file that needs nothing else: its plots are
// drawn in it as SVG, nothing in it is loaded from anywhere and nothing in it runs, and
// it can be read in the light, in the dark and on paper. Texts of the log are data in
// it: what no terminal should see is made visible, and the template escapes the rest.
// The package finds nothing itself and opens no file.
package page
