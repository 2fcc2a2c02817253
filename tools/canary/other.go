//go:build !linux

package main

import "fmt"

func main() { fmt.Println("not attacked: needs root, Linux and overlayfs") }
