package catalog

import (
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

func TestEnglish(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{one("instances"), "instance"},
		{one("policies"), "policy"},
		{one("addresses"), "address"},
		{one("status"), "status"},
		{one("app services"), "app service"},
		{one("keys"), "key"},
		{one("access"), "access"},
		{one("dns"), "dns"},
		{one("indexes"), "index"},
		{one("databases"), "database"},
		{one("VMs"), "VM"},
		{one("DNS"), "DNS"},
		{many("policy"), "policies"},
		{many("key"), "keys"},
		{many("bus"), "buses"},
		{many("instances"), "instances"},
		{many("DNS"), "DNS"},
		{many("VM"), "VMs"},
		{many("DB instance"), "DB instances"},
		{many("patch"), "patches"},
		{article("app"), "an"},
		{article("SQL database"), "an"},
		{article("VM"), "a"},
		{article("user"), "a"},
		{article("key"), "a"},
		{thirdPerson("deploy"), "deploys"},
		{thirdPerson("retry"), "retries"},
		{thirdPerson("push"), "pushes"},
		{thirdPerson("attach"), "attaches"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

// Every phrase for services parses, and no verb has two meanings.
func TestDefaultsParse(t *testing.T) {
	s := defaults.Get()
	if len(s.phrases) != 7 {
		t.Fatalf("%d phrases", len(s.phrases))
	}
	for i, p := range s.phrases {
		if s.templates[i] == nil || p.When.Op == Always {
			t.Errorf("%q does not parse", p.Text)
		}
	}
	for w, a := range acts.Get() {
		if a.says == "" || a.says[0] < 'A' || a.says[0] > 'Z' {
			t.Errorf("%s: %q", w, a.says)
		}
	}
}

// program is one with subcommands as a spec has them: "vm list" asks, "vm delete"
// and "vm drop-ips" destroy.
func tableProgram() *Program {
	leaf := func(name string, verb risk.Verb) *Subcommand {
		return NewSubcommand(Command{Name: name, Syntax: AnyOption, Operands: []Operand{{Arg: Arg{Name: "word"}, Many: true}}, Effects: []Rule{{Verb: verb}}})
	}
	vm := Command{Name: "vm", Sub: []*Subcommand{
		leaf("list show", risk.RemoteRead), leaf("delete", risk.RemoteDestroy), leaf("create", risk.RemoteChange), leaf("check", risk.RemoteChange), leaf("list-ips", risk.RemoteRead), leaf("frob", risk.RemoteChange),
	}}
	p := &Program{Names: []string{"cloud"}, Command: Command{Name: "cloud", Syntax: AnyOption | Parameters, Sub: []*Subcommand{NewSubcommand(vm)}}}
	p.Keep(&Notes{Terms: []Term{{"vm", "virtual machine"}, {"ips", "IP addresses"}}, Within: []string{"zone"}})
	return p
}

func TestTold(t *testing.T) {
	p := tableProgram()
	show := func(_ string, words []value.Value) string {
		var texts []string
		for _, w := range words {
			text, ok := w.Known()
			if !ok {
				return ""
			}
			texts = append(texts, text)
		}
		return strings.Join(texts, ", ")
	}
	for line, want := range map[string]string{
		"vm list":                      "Lists the virtual machines with cloud",
		"vm list --zone z1":            "Lists the virtual machines of zone z1 with cloud",
		"vm show web":                  "Shows the virtual machine web with cloud",
		"vm show --other x web":        "Shows the virtual machine with cloud", // web may be a second word of --other
		"vm show --vm-id 7":            "Shows the virtual machine 7 with cloud",
		"vm delete --vm-ids 7 8":       "Deletes the virtual machines 7, 8 with cloud",
		"vm delete a=secret":           "Deletes the virtual machine a with cloud",
		"vm create":                    "Creates a virtual machine with cloud",
		"vm list-ips":                  "Lists the IP addresses of the virtual machine with cloud",
		"vm check":                     "", // an act that only asks, and an effect that changes
		"vm frob x":                    "", // no verb
		"vm delete --zone z1 --name w": "Deletes the virtual machine w of zone z1 with cloud",
	} {
		var args []value.Value
		for w := range strings.FieldsSeq(line) {
			args = append(args, value.Lit(w))
		}
		said, _ := p.Match(args).Apply().Say(show)
		if said.Text != want {
			t.Errorf("%s:\n got %q\nwant %q", line, said.Text, want)
		}
	}
	if said, ok := p.Match([]value.Value{value.Lit("vm"), value.Lit("delete"), value.Of(value.Hole{Name: "x"})}).Apply().Say(show); ok {
		t.Errorf("a word that is not known is told: %q", said.Text)
	}
}
