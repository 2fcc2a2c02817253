package catalog

import "testing"

func TestEnglish(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{one("instances"), "instance"}, {one("policies"), "policy"}, {one("addresses"), "address"}, {one("status"), "status"},
		{one("app services"), "app service"}, {one("keys"), "key"}, {one("access"), "access"}, {one("dns"), "dns"}, {one("indexes"), "index"},
		{one("databases"), "database"}, {one("VMs"), "VM"}, {one("DNS"), "DNS"},
		{many("policy"), "policies"}, {many("key"), "keys"}, {many("bus"), "buses"}, {many("instances"), "instances"}, {many("DNS"), "DNS"},
		{many("VM"), "VMs"}, {many("DB instance"), "DB instances"}, {many("patch"), "patches"},
		{article("app"), "an app"[:2]}, {article("SQL database"), "an"}, {article("VM"), "a"}, {article("user"), "a"}, {article("key"), "a"},
		{thirdPerson("deploy"), "deploys"}, {thirdPerson("retry"), "retries"}, {thirdPerson("push"), "pushes"}, {thirdPerson("attach"), "attaches"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

// Every phrase for services parses, and no verb has two meanings.
func TestDefaultsParse(t *testing.T) {
	s := defaults.Get()
	if len(s.phrases) != 5 {
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
