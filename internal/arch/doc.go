// Package arch holds no code, only tests over the tree itself: that imports
// point one way, that what judges a command cannot touch the machine, that
// every package says what it is, that the program starts without working, and
// that assessing a command runs nothing, writes nothing and connects to
// nothing, as the kernel saw it.
package arch
