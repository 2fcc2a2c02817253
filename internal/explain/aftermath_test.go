package explain

import (
	"testing"

	"github.com/heedsh/heed/risk"
)

func TestAftermath(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, target, want string }{
		{"Deletes the Google Cloud Pub/Sub topic orders.", "orders", "what publishes to it fails; its subscriptions stay and get nothing new"},
		{"Deletes the EC2 key pair.", "", "machines that have it already keep it"},
		{"Deletes the role rol_1 of the tenant.", "rol_1", "who has it loses the rights that it gives"},
		{"Deletes SSH key 7 on GitHub.", "7", "what signs in with it is refused from then on"},
		{"Deletes s3://b/k.", "s3://b/k", "it comes back only if the bucket keeps earlier versions"},
		{"Deletes the API Gateway authorizer a1 of API z9.", "a1", ""},       // a gateway is not what goes
		{"Deletes the queues a and b with tool.", "a", ""},                   // several
		{"Deletes the volume v and the data in it.", "v", ""},                // told
		{"Deletes the vault v; it may be recoverable for a while.", "v", ""}, // told
		{"Lists the topic orders.", "orders", ""},
	} {
		if got := aftermath(tt.text, &risk.Effect{Verb: risk.RemoteDestroy, Target: tt.target}, nil); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.text, got, tt.want)
		}
	}
	for _, e := range []risk.Effect{
		{Verb: risk.RemoteDestroy, Target: "t", Unresolved: "$T"},
		{Verb: risk.RemoteDestroy, Target: "t", Many: true},
		{Verb: risk.RemoteDestroy, Target: "t", Certainty: risk.Possible},
		{Verb: risk.RemoteRead, Target: "t"},
	} {
		if got := aftermath("Deletes the SNS topic t.", &e, nil); got != "" {
			t.Errorf("%+v: got %q", e, got)
		}
	}
}

func TestAftermathOfNamed(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text, thing, kind string
		several           bool
		want              string
	}{
		{"Deletes the Google Cloud IAM role auditor.", "IAM role", "IAM role", false, "it can be undeleted for 7 days"},
		{"Deletes the Azure table entity of account a.", "table entity", "table entity", false, ""},
		{"Deletes the Glue table t of database d.", "Glue table", "Glue table", false, "the data that it describes stays"},
		{"Deletes the SQS queues a and b.", "SQS queues", "SQS queue", true, "their messages go with them, and what sends to them fails"},
		{"Removes the IAM user lena from group ops.", "IAM user", "IAM user", false, ""},
		{"Deletes the address of the virtual machine v.", "address of the virtual machine", "address of the virtual machine", false, ""},
		{"Deletes the role r of the Auth0 tenant, asking first at a terminal.", "role", "role", false, "who has it loses the rights that it gives"},
		{"Stops the RDS DB instance d.", "RDS DB instance", "RDS DB instance", false, "RDS starts it again by itself after 7 days"},
		{"Restarts the Azure web app w.", "web app", "web app", false, "what it serves is down meanwhile"},
		{"Purges the SQS queue.", "SQS queue", "SQS queue", false, "all messages in it are lost; it stays itself"},
		{"Revokes the token t.", "token", "token", false, "what uses it is refused from then on"},
		{"Disables the rule r.", "rule", "rule", false, ""},
		{"Deletes the topic 5 with tool.", "topic", "topic", false, ""}, // of a forum, or of a broker
	} {
		a := &Act{Thing: tt.thing, Kind: tt.kind, Several: tt.several}
		if got := aftermath(tt.text, &risk.Effect{Verb: risk.RemoteDestroy}, a); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.text, got, tt.want)
		}
	}
	for text, want := range map[string]string{
		"Deletes pod web-1 of namespace shop":   "a new one is made if a deployment or the like owns it",
		"Deletes statefulset db":                "its pods go with it; their volumes stay by default",
		"Deletes widget w of namespace factory": "",
	} {
		if got := aftermath(text+" (context blue).", &risk.Effect{Verb: risk.RemoteDestroy, Where: "context blue"}, nil); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

func TestWithAftermath(t *testing.T) {
	t.Parallel()
	in, e := &Input{Acts: []Act{{Thing: "virtual machine", Kind: "virtual machine"}}}, &risk.Effect{Verb: risk.RemoteDestroy}
	const long = "Deletes the Google Cloud virtual machine edge-production-2 of zone europe-west4-a"
	if got := plain(in.withAftermath(long+", asking first at a terminal", e)); got != long+"; its boot disk goes with it unless that is kept" {
		t.Errorf("what is lost does not come before who is asked: %q", got)
	}
}
