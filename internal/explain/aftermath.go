package explain

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/risk"
)

// withAftermath adds to what is done to things at a service what goes with them or stops
// working, where there is room.
func (in *Input) withAftermath(text string, e *risk.Effect) string {
	before, more := text, aftermath(text, e, in.actOf(e))
	if more == "" {
		return text
	}
	if length(text+"; "+more) >= maxSentence { // what is lost comes before who is asked
		if text = strings.Replace(text, ", asking first at a terminal", "", 1); length(text+"; "+more) >= maxSentence {
			return before
		}
	}
	return text + tail + "; " + more
}

// aftermath is what goes with what an effect deletes or stops at a service, or no longer works
// without it; "" where the sentence says such already, or the kind of thing is none that is known.
func aftermath(text string, e *risk.Effect, a *Act) string {
	if e.Verb != risk.RemoteDestroy && e.Verb != risk.RemoteChange && e.Verb != risk.DBDestroy || e.Many || e.Unresolved != "" || e.Certainty == risk.Possible {
		return ""
	}
	said := strings.TrimSuffix(plain(text), ".")
	if strings.Contains(said, "; ") || strings.Contains(said, ": ") {
		return ""
	}
	verb, what, _ := strings.Cut(said, " ")
	if e.Verb == risk.DBDestroy {
		if strings.Contains(what, "role ") || !slices.Contains([]string{"Deletes", "Drops", "Empties", "Destroys"}, verb) || strings.Contains(what, " if ") {
			return ""
		}
		return "only a backup brings that back"
	}
	for _, told := range []string{" and all ", " with its ", " with their ", " and its ", " and the ", " and what ", " if ", ", "} {
		if strings.Contains(strings.Replace(what, ", asking first", "", 1), told) {
			return ""
		}
	}
	if object := strings.TrimPrefix(what, "everything below "); (strings.HasPrefix(object, "s3://") || strings.HasPrefix(object, "gs://")) && comesOf(verb) != nil {
		return "it comes back only if the bucket keeps earlier versions"
	}
	kind, several := kindOf(strings.TrimPrefix(what, "the "), e, a)
	rows := comesOf(verb)
	if rows == nil || kind == "" {
		return ""
	}
	words := strings.Fields(strings.ToLower(kind))
	for from := range words {
		if comes, known := rows(strings.Join(words[from:], " ")); known {
			if several {
				comes = ofMany(comes)
			}
			return comes
		}
	}
	return ""
}

// kindOf is what the thing is called that is deleted or stopped, with the service's name before
// it, without what it is called itself; several is set for more than one. It is "" where that
// is not sure.
func kindOf(what string, e *risk.Effect, a *Act) (kind string, several bool) {
	service := ""
	for _, at := range []string{"GitHub", "GitLab", "Heroku", "Auth0 tenant"} {
		if strings.Contains(what, " on "+at) || strings.Contains(what, " of the "+at) {
			service = at + " "
		}
	}
	if a != nil && a.Thing != "" {
		before, rest, found := strings.Cut(what, a.Thing)
		if !found || strings.Contains(a.Thing, " of the ") || strings.Contains(rest, " from ") { // of which service is not known, or it stays
			return "", false
		}
		return service + before + a.Kind, a.Several
	}
	if strings.HasPrefix(e.Where, "context ") { // of a cluster: pod web
		if thing, named, _ := strings.Cut(what, " "); named != "" {
			return "cluster " + thing, false
		}
	}
	target := Visible(e.Target)
	if head, _, named := strings.Cut(what+" ", " "+target+" "); named && target != "" {
		return service + head, false
	}
	for _, of := range []string{" of ", " on ", " with ", " from ", " in ", " as ", " ("} {
		what, _, _ = strings.Cut(what, of)
	}
	return service + what, false
}

// ofMany says of more than one thing what is said of one.
func ofMany(s string) string {
	words := strings.Split(s, " ")
	for i, w := range words {
		switch strings.TrimRight(w, ",") {
		case "it":
			words[i] = "them" + w[len("it"):]
		case "its":
			words[i] = "their"
		}
	}
	return strings.Join(words, " ")
}

// comesOf is what comes of what a verb says for the things of services, by what they are
// called; nil for a verb of which nothing is known.
func comesOf(verb string) func(thing string) (comes string, known bool) {
	switch verb {
	case "Deletes", "Removes", "Destroys", "Terminates", "Deregisters", "Drops", "Releases":
		return goesWith
	case "Revokes":
		return revoked
	case "Purges", "Empties", "Clears":
		return emptied
	case "Stops":
		return comesOfStop
	case "Disables":
		return disabled
	case "Restarts", "Reboots":
		return restarted
	}
	return nil
}

// goesWith is what the deletion of a thing takes with it or breaks, as the manuals of those
// services say that have things of that name. A name that means different things has rows with
// the service's name before it only; a row without words is of one that is like no other.
func goesWith(thing string) (string, bool) {
	for _, of := range []func(string) string{objects, machines, messages, watchers, rights, nets, servers, holders} {
		if says := of(thing); says != "" {
			return strings.TrimSuffix(says, "-"), true
		}
	}
	return "", false
}

// machines are those that compute, and what stores data.
func machines(thing string) string {
	switch thing {
	case "ec2 instance":
		return "no undo: its root disk goes with it unless that is set to stay"
	case "google cloud virtual machine":
		return "its boot disk goes with it unless that is kept"
	case "azure virtual machine":
		return "its disks stay unless they were set to go with it"
	case "launch template":
		return "instances that it made stay"
	case "volume", "disk", "azure disk":
		return "what is on it comes back only from a snapshot or a backup"
	case "cloudhsmv2 backup":
		return "-"
	case "droplet", "linode":
		return "what is on its disk comes back only from a snapshot or a backup"
	case "snapshot", "db snapshot", "cluster snapshot", "backup", "recovery point":
		return "nothing can be restored from it any more"
	case "restore":
		return "what it restored stays"
	case "ec2 image", "ami", "google cloud image", "azure image":
		return "nothing new can be started from it; what runs stays"
	case "container image", "registry image":
		return "what pulls it fails"
	case "key pair":
		return "machines that have it already keep it"
	case "glue table", "glue database", "athena data catalog":
		return "the data that it describes stays"
	case "bigtable table":
		return "it can be undeleted for 7 days"
	case "azure sql server", "google cloud sql instance":
		return "all its databases go with it"
	case "db instance", "db cluster", "sql instance", "sql server", "database", "sql database", "cosmos db account", "dynamodb table", "storage table", "keyspace", "postgres database", "redis database":
		return "its data comes back only from a backup"
	case "storage account", "storage container", "file share", "file system", "cognito identity pool":
		return "all that is in it goes with it"
	case "s3 bucket":
		return "S3 refuses while anything is in it"
	case "r2 bucket", "google cloud storage bucket":
		return "refused while anything is in it"
	case "kv namespace":
		return "all its keys and values go with it"
	case "cache cluster", "redis cache", "replication group":
		return "what it holds is lost unless it was saved before"
	case "azure blob", "s3 object":
		return "it comes back only if earlier versions are kept"
	}
	return ""
}

// objects are those of a Kubernetes cluster.
func objects(thing string) string {
	switch thing {
	case "cluster pod":
		return "a new one is made if a deployment or the like owns it"
	case "cluster deployment", "cluster daemonset", "cluster replicaset", "cluster job":
		return "its pods go with it"
	case "cluster statefulset":
		return "its pods go with it; their volumes stay by default"
	case "cluster cronjob":
		return "its jobs and their pods go with it"
	case "cluster service", "cluster ingress":
		return "nothing is reached through it any more"
	case "cluster configmap", "cluster secret":
		return "pods that need it no longer start"
	case "cluster persistentvolumeclaim":
		return "its data goes with it, if its volume is not set to stay"
	case "cluster customresourcedefinition":
		return "all objects of that kind go with it"
	case "cluster role", "cluster clusterrole", "cluster rolebinding", "cluster clusterrolebinding":
		return "whom it gave rights loses them"
	}
	return ""
}

// messages are what is sent, and what listens.
func messages(thing string) string {
	switch thing {
	case "sns topic":
		return "its subscriptions go with it, and what publishes to it fails"
	case "service bus topic":
		return "its subscriptions and messages go with it, and what sends to it fails"
	case "kafka topic":
		return "its messages go with it"
	case "pub/sub topic":
		return "what publishes to it fails; its subscriptions stay and get nothing new"
	case "pub/sub subscription":
		return "messages that wait in it are dropped"
	case "sns subscription", "event grid subscription":
		return "what listened through it gets nothing more"
	case "sqs queue", "storage queue", "service bus queue", "event hub", "kinesis stream":
		return "its messages go with it, and what sends to it fails"
	case "queue":
		return "what waits in it is lost"
	case "stream consumer", "consumer group":
		return "what it has read so far is forgotten"
	case "vhost":
		return "its queues and their messages go with it"
	case "webhook":
		return "events are no longer sent to it"
	case "ses email identity", "ses identity":
		return "nothing can be sent from it any more"
	case "ses template", "ses email template", "sendgrid template", "ses configuration set":
		return "what sends mail with it fails"
	case "ses receipt rule", "ses receipt rule set":
		return "mail is no longer handled by it"
	case "eventbridge rule":
		return "nothing is started by it any more; AWS refuses while it has targets"
	case "sqs message":
		return "nobody else gets it"
	}
	return ""
}

// watchers are what looks after other things.
func watchers(thing string) string {
	switch thing {
	case "alarm", "metric alarm", "alert rule", "alert policy":
		return "nobody is warned by it any more"
	case "monitor":
		return "nothing is watched by it any more"
	case "route 53 health check":
		return "records that still name it may answer wrongly"
	case "log group", "log stream":
		return "its logs cannot be brought back"
	case "cloudwatch retention policy":
		return "logs are then kept for ever"
	case "diagnostic setting":
		return "what it sent to logs and metrics ends"
	case "metric filter":
		return "its metric gets no more values, and alarms on it go blind"
	case "dashboard":
		return "its layout is gone unless it is kept elsewhere"
	}
	return ""
}

// rights are who may do what, and with what.
func rights(thing string) string {
	switch thing {
	case "google cloud iam role":
		return "it can be undeleted for 7 days"
	case "google cloud iam service account":
		return "it can be undeleted for 30 days"
	case "google cloud iam policy", "swarm secret", "swarm config":
		return "-"
	case "iam role":
		return "AWS refuses while policies are attached to it"
	case "iam policy":
		return "AWS refuses while it is attached to anybody"
	case "iam user":
		return "AWS refuses while keys, policies or groups are left on it"
	case "iam group":
		return "AWS refuses while users or policies are left in it"
	case "iam access key", "iam service account key":
		return "what signs in with it is refused from then on"
	case "role", "permission", "role assignment":
		return "who has it loses the rights that it gives"
	case "user", "service principal", "app registration":
		return "what signs in as it no longer can"
	case "user pool":
		return "all its users go with it"
	case "auth0 tenant application", "auth0 tenant app":
		return "nobody can sign in through it any more"
	case "auth0 tenant api":
		return "no tokens are given for it any more"
	case "auth0 tenant organization":
		return "its members lose what it gives; they stay users"
	case "auth0 tenant action", "auth0 tenant rule":
		return "it no longer runs at logins"
	case "github ssh key", "gitlab ssh key", "access key", "api key", "deploy key", "token", "api token", "client secret":
		return "what signs in with it is refused from then on"
	case "azure ssh key", "ssh key":
		return "machines that have it already keep it"
	case "github actions secret", "github actions variable":
		return "workflows get an empty value for it"
	case "azure key vault", "key vault secret", "key vault key", "key vault certificate":
		return "it can be recovered for 7 to 90 days, as the vault is set"
	case "secret", "parameter", "keyvaluemap", "app setting":
		return "what reads it fails from then on"
	case "secrets manager resource policy":
		return "whom only it lets in is refused from then on"
	}
	return ""
}

// nets are what joins machines.
func nets(thing string) string {
	switch thing {
	case "security group", "network security group":
		return "its rules go with it; refused while something uses it"
	case "sql firewall rule":
		return "clients that only it lets in are refused"
	case "security rule", "firewall rule":
		return "other traffic gets through, or is stopped, from then on"
	case "load balancer", "elb listener", "ingress":
		return "what is reached through it is down"
	case "elb rule":
		return "what it routed goes where the next rule sends it"
	case "ec2 nat gateway":
		return "what reaches the internet through it no longer does"
	case "target group", "subnet", "vpc", "virtual network", "internet gateway", "route table", "google cloud network", "network interface":
		return "refused while something uses it"
	case "public ip address", "elastic ip address", "static ip address", "floating ip", "ec2 address", "google cloud address":
		return "others may get the address from then on"
	case "hosted zone", "managed zone":
		return "refused while records of names are in it"
	case "azure dns zone":
		return "its records go with it, and names in it no longer resolve"
	case "dns record", "dns record set":
		return "the name no longer resolves by it"
	case "cloudfront distribution":
		return "refused unless it is switched off first"
	case "cloudfront cache policy", "cloudfront origin request policy", "cloudfront response headers policy", "cloudfront function", "cloudfront key group":
		return "refused while a distribution uses it"
	}
	return ""
}

// servers are what runs, and what is called.
func servers(thing string) string {
	switch thing {
	case "function", "lambda function", "function app", "rest api", "http api", "api gateway stage", "sagemaker endpoint":
		return "what calls it fails from then on"
	case "api gateway resource", "api gateway route", "api gateway method":
		return "what calls it fails once the API is deployed again"
	case "web app", "static web app", "logic app", "run service", "container app", "swarm service":
		return "what it serves is down from then on"
	case "azure container":
		return "what runs in it stops, and what only it held is lost"
	case "app service plan":
		return "refused while apps are on it"
	case "api gateway usage plan":
		return "its limits and its links to API keys go with it"
	case "eks cluster":
		return "AWS refuses while node groups are in it"
	case "ecs cluster":
		return "AWS refuses while services run in it"
	case "kubernetes cluster":
		return "all that runs on it stops and goes with it"
	case "node pool", "nodegroup", "node group":
		return "what runs on its nodes is moved, or stops"
	case "schedule", "scheduler job", "trigger":
		return "nothing is started by it any more"
	case "azure pipeline":
		return "its settings and its runs go with it"
	case "workflow run":
		return "its logs and artifacts go with it"
	case "athena work group":
		return "refused while queries are in it, unless --recursive-delete-option is given"
	case "athena named query":
		return "the tables stay"
	case "github actions cache":
		return "later runs fill it again"
	case "github label":
		return "it is taken off all issues and pull requests"
	case "github project":
		return "the issues and pull requests in it stay"
	case "runner":
		return "it gets no more jobs"
	case "add-on":
		return "what it provided is gone"
	}
	return ""
}

// holders are what holds other things.
func holders(thing string) string {
	switch thing {
	case "azure resource group", "service bus namespace", "event hubs namespace", "event hub namespace", "environment":
		return "all that is in it goes with it"
	case "elastic beanstalk environment":
		return "its machines and load balancers go with it"
	case "cloudformation stack":
		return "the resources that it made go with it, but for those set to be kept"
	case "registry repository", "container registry":
		return "all that is stored in it goes with it"
	case "codecommit repository":
		return "its history goes with it, and pushes to it fail"
	case "azure git repository":
		return "its branches, history and pull requests go with it"
	case "devops project":
		return "its repositories, boards and pipelines go with it"
	case "api management service":
		return "what calls APIs through it fails; it can be recovered for 48 hours"
	case "google cloud project":
		return "all that is in it stops; it can be restored for 30 days"
	case "swarm stack":
		return "its services and networks go with it; volumes stay"
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

// revoked is what comes of it that a service takes something back.
func revoked(thing string) (string, bool) {
	switch thing {
	case "token", "access token", "api token", "api key", "certificate":
		return "what uses it is refused from then on", true
	}
	return "", false
}

// emptied is what comes of it that a service forgets what a thing holds, or for good what
// was deleted before.
func emptied(thing string) (string, bool) {
	switch thing {
	case "queue", "sqs queue", "stream":
		return "all messages in it are lost; it stays itself", true
	case "key vault", "key vault secret", "key vault key", "key vault certificate":
		return "it was deleted before, and cannot be recovered after this", true
	}
	return "", false
}

// comesOfStop is what comes of it that a service stops a thing.
func comesOfStop(thing string) (string, bool) {
	switch thing {
	case "ec2 instance":
		return "its volumes stay, and what is only on its local disks is lost", true
	case "azure virtual machine":
		return "it is billed on until it is deallocated", true
	case "google cloud virtual machine":
		return "its disks stay, and are billed on", true
	case "rds db instance", "rds db cluster":
		return "RDS starts it again by itself after 7 days", true
	case "web app", "function app", "logic app", "container app", "kubernetes cluster":
		return "what it serves is down until it is started again", true
	case "azure container":
		return "what only it held is lost", true
	}
	return "", false
}

// disabled is what comes of it that a service switches a thing off.
func disabled(thing string) (string, bool) {
	switch thing {
	case "github workflow":
		return "nothing starts it until it is enabled again", true
	case "google cloud service":
		return "what calls it from the project fails", true
	}
	return "", false
}

// restarted is what comes of it that a service starts a thing anew.
func restarted(thing string) (string, bool) {
	switch thing {
	case "ec2 instance", "virtual machine", "rds db instance", "web app", "function app", "logic app", "azure container":
		return "what it serves is down meanwhile", true
	}
	return "", false
}
