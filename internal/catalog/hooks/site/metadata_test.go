package site

import (
	"testing"

	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

func TestMetadataSecret(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]bool{
		"http://169.254.169.254/latest/meta-data/iam/security-credentials/app":                         true,
		"169.254.169.254//latest/meta-data/iam/security-credentials/app":                               true,
		"http://169.254.169.254/latest/meta-data/iam/security-credentials/":                            false,
		"http://169.254.169.254/latest/meta-data/hostname":                                             false,
		"http://[fd00:ec2::254]/latest/meta-data/iam/security-credentials/app":                         true,
		"http://2852039166/latest/meta-data/iam/security-credentials/app":                              true,
		"http://0251.0376.0251.0376/metadata/identity/oauth2/token?resource=x":                         true,
		"http://[::ffff:169.254.169.254]/metadata/identity/oauth2/token":                               true,
		"http://metadata.google.internal/computeMetadata/v1/instance/service-accounts/default/token":   true,
		"http://metadata.google.internal/computeMetadata/v1/instance/service-accounts/default/email":   false,
		"http://metadata.google.internal/computeMetadata/v1/instance/service-accounts/?recursive=true": true,
		"http://100.100.100.200/latest/meta-data/ram/security-credentials/app":                         true,
		"http://169.254.170.2/v2/credentials/0":                                                        true,
		"http://169.254.169.254/opc/v2/identity/key.pem":                                               true,
		"http://example.test/latest/meta-data/iam/security-credentials/app":                            false,
		"http://169.254.169.253/latest/meta-data/iam/security-credentials/app":                         false,
		"http://256.254.169.254/latest/meta-data/iam/security-credentials/app":                         false,
	} {
		if got := metadataSecret(value.Lit(url)); got != want {
			t.Errorf("%s: %t", url, got)
		}
	}
	open := value.Concat(value.Lit("http://169.254.170.2"), value.Lit("/"), value.Unknown(risk.CauseUnset, "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"))
	if !metadataSecret(open) {
		t.Error("a path that is not known counts at its worst")
	}
}
