package catalog_test

import (
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/compile"
	"github.com/heedsh/heed/internal/value"
)

// TestManner holds what options make of what is shown, in all spellings.
func TestManner(t *testing.T) {
	t.Parallel()
	c := catalog.New(nil)
	for line, want := range map[string]string{
		"kubectl get pods -o json":                         "Shows pods as JSON",
		"kubectl get pods -ojson":                          "Shows pods as JSON",
		"kubectl get pods -o=json":                         "Shows pods as JSON",
		"kubectl get pods --output json":                   "Shows pods as JSON",
		"kubectl get pods --output=yaml":                   "Shows pods as YAML",
		"brew outdated --json":                             "Lists packages that have a newer version as JSON",
		"docker ps --format {{.ID}}":                       "Lists the running containers, only ID",
		"docker ps --format {{range.Ports}}{{.}}{{end}}":   "Lists the running containers",
		"docker ps --filter name=a --filter status=exited": "Lists the running containers, only where name=a and status=exited",
		"aws s3 ls --output json":                          "Lists the S3 buckets",
		"ping -c 1 a.test":                                 "Pings a.test once",
		"top -b -n1":                                       "Prints processes and how busy the machine is, once",
		"az vm delete --name a -o table":                   "Deletes the Azure virtual machine a, asking first",
	} {
		var args []value.Value
		words := strings.Fields(line)
		for _, w := range words[1:] {
			args = append(args, value.Lit(w))
		}
		p, ok := c.Lookup(words[0])
		if !ok {
			t.Fatalf("no spec of %s", words[0])
		}
		if said, _ := p.Match(args).Apply().Say(compile.Words); said.Text != want {
			t.Errorf("%s\n\tsays %q\n\twant %q", line, said.Text, want)
		}
	}
}
