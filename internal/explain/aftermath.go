package explain

import (
	"strings"

	"github.com/heedsh/heed/risk"
)

// withAftermath adds to the deletion of one thing at a service what goes with it or stops
// working, where there is room.
func withAftermath(text string, e *risk.Effect) string {
	more := aftermath(text, e)
	if more == "" || length(text+"; "+more) >= maxSentence {
		return text
	}
	return text + tail + "; " + more
}

// aftermath is what goes with what an effect deletes at a service, or stops working without
// it; "" where the sentence says such already, or the kind of thing is none that is known.
func aftermath(text string, e *risk.Effect) string {
	if e.Verb != risk.RemoteDestroy && e.Verb != risk.RemoteChange || e.Many || e.Unresolved != "" {
		return ""
	}
	said := strings.TrimSuffix(plain(text), ".")
	if strings.ContainsAny(said, ";:") && !strings.Contains(said, "://") || e.Certainty == risk.Possible {
		return ""
	}
	verb, what, _ := strings.Cut(said, " ")
	switch verb {
	case "Deletes", "Removes", "Destroys", "Terminates":
	default:
		return ""
	}
	for _, told := range []string{" and all ", " with its ", " with their ", " and its ", " and the ", " and what ", ", ", " if "} {
		if strings.Contains(what, told) {
			return ""
		}
	}
	if strings.HasPrefix(what, "s3://") || strings.HasPrefix(what, "gs://") {
		return "it comes back only if the bucket keeps earlier versions"
	}
	kind, named := strings.CutPrefix(what, "the ")
	if !named {
		kind = what
	}
	for _, of := range []string{" of ", " on ", " with ", " from ", " in ", " ("} {
		kind, _, _ = strings.Cut(kind, of)
	}
	name := 1 // what it is called may stand last
	if target := Visible(e.Target); target != "" {
		if head, _, ok := strings.Cut(kind+" ", " "+target+" "); ok {
			kind, name = head, 0
		}
	}
	words := strings.Fields(strings.ToLower(kind))
	for to := len(words); to > 0 && to >= len(words)-name; to-- {
		for from := range to {
			if goes := goesWith(strings.Join(words[from:to], " ")); goes != "" {
				return goes
			}
		}
	}
	return ""
}

// goesWith is what the deletion of a thing takes with it or breaks, as the manuals of those
// services say that have things of that name; "" of a name that means different things, and
// has no row with the service's name before it.
func goesWith(thing string) string {
	switch thing {
	// Machines and what they store.
	case "ec2 instance":
		return "what is only on its local disks is lost"
	case "google cloud virtual machine":
		return "its boot disk goes with it unless that is kept"
	case "azure virtual machine":
		return "its disks stay unless they were set to go with it"
	case "volume", "disk", "azure disk":
		return "what is on it comes back only from a snapshot or a backup"
	case "snapshot", "db snapshot", "cluster snapshot", "backup":
		return "nothing can be restored from it any more"
	case "ec2 image", "ami":
		return "nothing new can be started from it; what runs stays"
	case "container image", "registry image":
		return "what pulls it fails"
	case "key pair":
		return "machines that have it already keep it"
	case "db instance", "db cluster", "sql instance", "sql server", "database", "sql database", "cosmos db account", "table", "keyspace", "collection":
		return "its data comes back only from a backup"
	case "storage account", "storage container", "file share", "file system", "r2 bucket":
		return "all that is in it goes with it"
	case "s3 bucket":
		return "S3 refuses while anything is in it"
	case "cache cluster", "redis cache", "replication group":
		return "what it holds is lost unless there is a snapshot"
	// What is sent and what listens.
	case "topic", "sns topic":
		return "what publishes to it fails from then on"
	case "subscription":
		return "what listened through it gets nothing more"
	case "queue", "stream":
		return "its messages go with it, and what sends to it fails"
	case "vhost", "virtual host":
		return "its queues and their messages go with it"
	case "webhook":
		return "events are no longer sent to it"
	case "email identity":
		return "nothing can be sent from it any more"
	// What watches.
	case "alarm", "metric alarm", "alert", "monitor", "alert rule", "alert policy":
		return "it warns nobody any more"
	case "health check":
		return "what fails over by it no longer does"
	case "log group", "log stream":
		return "its logs cannot be brought back"
	case "metric filter":
		return "its metric gets no more values, and alarms on it go blind"
	case "dashboard":
		return "its layout is gone unless it is kept elsewhere"
	// Who may do what.
	case "iam role":
		return "AWS refuses while policies are attached to it"
	case "iam policy":
		return "AWS refuses while it is attached to anybody"
	case "role", "permission", "role assignment":
		return "who has it loses the rights that it gives"
	case "iam user", "user", "service account":
		return "what signs in as it no longer can"
	case "user pool":
		return "all its users go with it"
	case "access key", "api key", "ssh key", "deploy key", "token", "api token", "client secret":
		return "what signs in with it is refused from then on"
	case "secret", "parameter", "config", "config map", "configmap":
		return "what reads it fails from then on"
	// Nets.
	case "security group", "network security group":
		return "its rules go with it; refused while something uses it"
	case "security rule", "firewall rule":
		return "other traffic gets through, or is stopped, from then on"
	case "load balancer", "listener", "ingress", "gateway":
		return "what is reached through it is down"
	case "subnet", "vpc", "virtual network", "internet gateway", "nat gateway", "route table":
		return "refused while something uses it"
	case "public ip address", "elastic ip address", "static ip address":
		return "the address is given back, and others may get it"
	case "managed zone", "hosted zone", "dns zone":
		return "names in it no longer resolve"
	case "dns record", "record set":
		return "the name no longer resolves by it"
	case "distribution":
		return "refused unless it is switched off first"
	case "cache policy", "origin request policy", "response headers policy":
		return "refused while a distribution uses it"
	// What runs and what it serves.
	case "function", "lambda function", "cloud function", "function app", "api", "rest api", "http api", "stage", "endpoint":
		return "what calls it fails from then on"
	case "web app", "app", "run service", "container app", "swarm service", "app service", "website":
		return "what it serves is down from then on"
	case "usage plan":
		return "its limits and its links to API keys go with it"
	case "eks cluster":
		return "AWS refuses while node groups are in it"
	case "ecs cluster":
		return "AWS refuses while services run in it"
	case "kubernetes cluster", "aks cluster", "gke cluster":
		return "all that runs on it stops and goes with it"
	case "node pool", "nodegroup", "node group":
		return "what runs on its nodes is moved, or stops"
	case "schedule", "cron job", "cronjob", "scheduler job", "trigger", "scheduled job":
		return "nothing is started by it any more"
	case "pipeline", "workflow":
		return "its settings and its runs go with it"
	case "runner":
		return "jobs that wait for it are not run"
	case "add-on", "addon":
		return "what it provided is gone"
	// What holds other things.
	case "resource group", "namespace", "environment":
		return "all that is in it goes with it"
	case "cloudformation stack":
		return "the resources that it made go with it, but for those set to be kept"
	case "registry repository", "container registry":
		return "all that is stored in it goes with it"
	case "change set":
		return "its stack stays as it is"
	case "codespace":
		return "what was not pushed from it is lost"
	case "gist":
		return "its history and comments go with it"
	case "flag", "feature flag":
		return "what asks for it gets its default"
	}
	return ""
}
