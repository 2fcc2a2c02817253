package cloud

import (
	"path"
	"slices"
	"strings"
)

// clusterTells are the commands of a program that only show something, as its words
// stand in a line: a pattern for each, several with commas between, one place from the
// next with slashes (reference manual of each; virsh(1); VBoxManage manual; lxc(1);
// ctr(8); qm(1)). Those behind ! print credentials. What is not listed changes something
// or runs something: operands come behind commands, and may be called like one.
func clusterTells(program string) string {
	switch program {
	case "k0s":
		return "status sysinfo etcd/member-list !kubeconfig !token/list"
	case "k3s", "rke2":
		return "check-config etcd-snapshot/ls,list secrets-encrypt/status certificate/check !token/list"
	case "microk8s":
		return "status addons/list,repo !config"
	case "kops":
		return "!get/secret,secrets,keypair,keypairs get validate"
	case "kubeadm":
		return "config/print config/images/list certs/check-expiration upgrade/plan,diff !token/list"
	case "talosctl":
		return "get health logs dmesg dashboard services containers processes stats memory mounts disks list,ls usage,du time netstat events " +
			"image/list,default config/info,contexts etcd/members,status cluster/show inspect/dependencies"
	case "clusterctl":
		return "describe config/repositories init/list-images upgrade/plan !get/kubeconfig"
	case "vcluster", "rdctl":
		return "list,ls,list-settings extension,snapshot/list,ls info"
	case "colima":
		return "status list,ls ssh-config"
	case "limactl":
		return "list,ls info validate show-ssh disk,snapshot/list,ls"
	case "multipass":
		return "list,ls info find networks get aliases"
	case "rosa":
		return "list describe verify whoami logs !token"
	case "odo":
		return "list describe logs registry preference/view"
	}
	return clusterTellsToo(program)
}

func clusterTellsToo(program string) string {
	switch program {
	case "kn":
		return "service,services,revision,revisions,route,routes,source,sources,domain,domains,broker,brokers,trigger,triggers,channel,channels,subscription,subscriptions,eventtype,plugin,plugins/list,ls,describe,list-types " +
			"source/*/list,ls,describe"
	case "tkn":
		return "pipeline,pipelines,p,pipelinerun,pipelineruns,pr,task,tasks,t,taskrun,taskruns,tr,clustertask,clustertasks,ct,customrun,eventlistener,el,triggertemplate,tt,triggerbinding,tb,clustertriggerbinding,ctb,bundle,resource,condition/" +
			"list,ls,describe,desc,logs,export hub/search,info,get"
	case "argo":
		return "list,ls get logs watch wait lint template,cron,cluster-template/list,ls,get,lint archive/list,get,list-label-keys,list-label-values !auth/token"
	case "cmctl":
		return "check/api status/certificate inspect/secret"
	case "crossplane":
		return "trace beta/trace"
	case "up":
		return "organization,org,repository,repo,robot,controlplane,ctp,team,group,space/list,get profile/list,current"
	case "kyverno":
		return "test jp"
	case "calicoctl":
		return "get convert node/status,checksystem ipam/show,check"
	case "werf":
		return "config/list,render,graph"
	case "devspace":
		return "list logs analyze print"
	case "telepresence":
		return "status list config/view"
	case "okteto":
		return "status logs endpoints validate namespace,context,pipeline,preview/list,ls"
	case "helmfile":
		return "list lint template diff build status show-dag"
	case "oras":
		return "discover resolve manifest/fetch,fetch-config repo,repository/ls,list,tags,show-tags"
	case "consul-k8s":
		return "status proxy/list,read,stats,log troubleshoot config/read"
	case "tanzu":
		return "cluster,management-cluster,mc,context,plugin/list,ls,get,current,search,describe package/available,installed,repository/list,get"
	case "crictl":
		return "ps pods images image img info stats statsp logs inspect inspecti inspectp imagefsinfo events metricsp"
	case "ctr":
		return "info events images,image,i,containers,container,c,tasks,task,t,snapshots,snapshot,namespaces,namespace,ns,plugins,plugin,leases,sandboxes/ls,list,info,check,usage,ps,metrics,tree content,leases,lease/ls,list"
	}
	return machineTells(program)
}

// machineTells is clusterTells for what manages machines of a host.
func machineTells(program string) string {
	switch program {
	case "lxc", "incus":
		return "list,ls info monitor top config,image,network,profile,storage,project,remote,cluster,operation,alias,warning/list,ls,show,get,info,list-leases,list-allocations,current,get-default " +
			"image/alias/list config/trust,device,template,metadata/list,show,get network,storage/acl,forward,peer,zone,volume,bucket/list,show,get,info"
	case "lxd":
		return "waitready"
	case "virsh":
		return "list echo pwd uri sysinfo hostname capabilities dom*info domstate domstats domblklist domblkstat domblkerror domiflist domifaddr domifstat domif-getlink dommemstat domcontrol domhostname " +
			"domid domname domuuid domcapabilities vcpucount vcpuinfo guestinfo dumpxml freecell freepages maxvcpus nodeinfo nodecpumap nodecpustats nodememstats nodedev-list nodedev-info nodedev-dumpxml cpu-models " +
			"hypervisor-cpu-models net-list net-info net-dumpxml net-dhcp-leases net-name net-uuid net-port-list iface-list iface-dumpxml iface-mac iface-name nwfilter-list nwfilter-dumpxml nwfilter-binding-list " +
			"pool-list pool-info pool-dumpxml pool-capabilities pool-name pool-uuid vol-list vol-info vol-dumpxml vol-key vol-name vol-path vol-pool " +
			"snapshot-list snapshot-info snapshot-dumpxml snapshot-parent checkpoint-list checkpoint-info checkpoint-dumpxml checkpoint-parent secret-list secret-dumpxml event !secret-get-value !domdisplay"
	case "VBoxManage", "vboxmanage":
		return "list showvminfo showmediuminfo showhdinfo getextradata guestproperty/get,enumerate snapshot/*/list,showvminfo metrics/list,query natnetwork/list unattended/detect"
	case "prlctl":
		return "list snapshot-list statistics"
	case "vmrun":
		return "list listSnapshots listProcessesInGuest listDirectoryInGuest listNetworkAdapters listHostNetworks listPortForwardings checkToolsState getGuestIPAddress fileExistsInGuest directoryExistsInGuest"
	case "govc":
		return "ls find about about.cert tree events tasks alarms collect *.info *.ls *.tree"
	case "xe":
		return "*-list *-param-get *-param-list host-get-*"
	case "qm", "pct":
		return "list config showcmd status listsnapshot pending df cpusets"
	case "pvesh":
		return "get ls usage"
	case "pveum":
		return "user,group,role,acl,realm,pool/list,permissions user/token,tfa/list,permissions"
	}
	return ""
}

// clusterShows reports whether the words of a command only show something, and whether
// that is a credential.
func clusterShows(program string, words []string) (shows, secret bool) {
	if len(words) == 0 || slices.ContainsFunc(words, func(w string) bool { return program == "virsh" && strings.Contains(w, ";") }) { // several commands
		return false, false
	}
	return showsBy(clusterTells(program), words)
}

// showsBy is clusterShows by a list of commands.
func showsBy(tells string, words []string) (shows, secret bool) {
	if slices.Contains([]string{"help", "version", "completion", ""}, words[0]) {
		return true, false
	}
	for entry := range strings.FieldsSeq(tells) {
		entry, secret := strings.CutPrefix(entry, "!")
		places := strings.Split(entry, "/")
		if len(places) > len(words) {
			continue
		}
		matches := true
		for i, p := range places {
			matches = matches && oneOf(p, words[i])
		}
		if matches {
			return true, secret
		}
	}
	return false, false
}

// oneOf reports whether a word matches one of the patterns of a place.
func oneOf(patterns, word string) bool {
	for p := range strings.SplitSeq(patterns, ",") {
		if match, err := path.Match(p, word); err == nil && match {
			return true
		}
	}
	return false
}
