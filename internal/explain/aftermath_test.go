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
