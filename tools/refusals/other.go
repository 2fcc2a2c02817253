//go:build !linux || !(amd64 || arm64)

package main

import "fmt"

func main() { fmt.Println("nothing is run: needs root and Linux") }
