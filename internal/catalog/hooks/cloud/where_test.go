package cloud_test

import (
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/hooks"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/overlay"
)

// settings is a file system of nothing but texts.
type settings map[string]string

func (s settings) Lstat(name string) (world.Info, error) {
	if _, ok := s[name]; ok {
		return world.Info{Kind: world.Regular}, nil
	}
	return world.Info{}, nil
}
func (settings) Readlink(string) (string, error)            { return "", world.ErrNotExist }
func (settings) ReadDir(string, int) ([]world.Entry, error) { return nil, world.ErrNotExist }
func (settings) ReadFile(string, int64) ([]byte, error)     { return nil, world.ErrNotRead } // a secret is not read
func (settings) Mount(string) (world.Mount, error)          { return world.Mount{}, nil }
func (s settings) Lines(name, prefix string) (world.Lines, error) {
	return world.LinesOf(s[name], prefix), nil
}

// state is a Terraform state of n resources, and what is no resource of it.
func state(n int) string {
	return "{\n  \"resources\": [\n" + strings.Repeat("    {\n      \"mode\": \"managed\",\n      \"type\": \"t\"\n    },\n", n) +
		"    {\n      \"mode\": \"data\"\n    }\n  ]\n}\n"
}

// TestWhere: options come before variables, and variables before settings.
func TestWhere(t *testing.T) {
	t.Parallel()
	files := settings{
		"/h/.kube/config": "apiVersion: v1\ncurrent-context: \"dev\"\nusers:\n- user: {token: secret}\n", "/k": "current-context: k\n",
		"/h/.config/gcloud/active_config": "work\n", "/h/.config/gcloud/configurations/config_work": "[core]\nproject = p1\n", "/h/.config/gcloud/configurations/config_other": "project = p2\n",
		"/w/.terraform/environment": "staging", "/w/sub/.terraform/environment": "sub",
		"/w/terraform.tfstate.d/staging/terraform.tfstate": state(3), "/w/one.tfstate": state(1), "/w/terraform.tfstate": state(9),
	}
	c := catalog.New(hooks.Find)
	for _, tt := range []struct {
		line, env, want string
	}{
		{"kubectl delete pod x", "", "context dev"},
		{"kubectl --context prod delete pod x", "", "context prod"},
		{"kubectl delete pod x", "KUBECONFIG=/none:/k", "context k"},
		{"kubectl --kubeconfig /k delete pod x", "", "context k"},
		{"kubectl delete pod x", "KUBECONFIG=/none", ""},
		{"helm uninstall web --kube-context prod", "", "context prod"},
		{"aws --profile prod ec2 terminate-instances --instance-ids i", "AWS_PROFILE=dev", "profile prod"},
		{"aws ec2 terminate-instances --instance-ids i", "AWS_PROFILE=dev", "profile dev"},
		{"aws ec2 terminate-instances --instance-ids i", "", ""},
		{"gcloud compute instances delete vm", "", "project p1"},
		{"gcloud compute instances delete vm", "CLOUDSDK_ACTIVE_CONFIG_NAME=other", "project p2"},
		{"gcloud compute instances delete vm", "CLOUDSDK_ACTIVE_CONFIG_NAME=../x", ""},
		{"gcloud compute instances delete vm --project p3", "", "project p3"},
		{"az group delete -n g --subscription s", "", "subscription s"},
		{"terraform destroy", "", "workspace staging, 3 resources in its state"},
		{"terraform apply -auto-approve -state=one.tfstate", "", "workspace staging, 1 resource in its state"},
		{"terraform destroy", "TF_WORKSPACE=default", "workspace default, 9 resources in its state"},
		{"terraform plan", "", "workspace staging"},
		{"terraform -chdir=sub destroy", "", "workspace sub"},
		{"terraform destroy", "TF_WORKSPACE=prod", "workspace prod"},
	} {
		words := strings.Fields(tt.line)
		p, ok := c.Lookup(words[0])
		if !ok {
			t.Fatalf("no spec for %s", words[0])
		}
		var args []value.Value
		for _, w := range words[1:] {
			args = append(args, value.Lit(w))
		}
		name, text, set := strings.Cut(tt.env, "=")
		w := &world.World{FS: overlay.New(files), User: world.User{Home: "/h"}}
		r := c.Describe(p, args, &catalog.Site{World: w, Dir: "/w", Name: words[0], Env: func(n string) (value.Value, bool, bool) {
			return value.Lit(text), set && n == name, false
		}})
		found := false
		for _, e := range r.Effects {
			if strings.HasPrefix(string(e.Verb), "remote.") {
				found = true
				if e.Where != tt.want {
					t.Errorf("%s %s: %q, want %q", tt.env, tt.line, e.Where, tt.want)
				}
			}
		}
		if !found {
			t.Errorf("%s: no remote effect", tt.line)
		}
	}
}
