package hooks

import (
	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/lang/sql"
)

// cloudHooks are the hooks of containers, clusters and cloud command lines.
func cloudHooks() map[string]catalog.Hook {
	return map[string]catalog.Hook{
		"aws": awsHook, "kube-where": kubeWhere, "gcloud-where": gcloudWhere, "az-where": azWhere, "terraform-where": terraformWhere, "compose-volumes": composeVolumes, "compose-rights": composeRights, "kube-play": kubePlay, "aws-sql": serviceSQL(sql.Any, "the database", false), "bq-sql": serviceSQL(sql.MySQL, "", true), "hosted-sql": serviceSQL(sql.Any, "the database", true),
		"project-sql": serviceSQL(sql.Any, "the database of this project", true), "kube-secret": kubeSecret, "kube-change": kubeChange, "kube-delete": kubeDelete, "kube-exec": kubeExec, "cluster": cluster, "qemu-img": qemuImg, "image-scan": imageScan,
		"container": container, "container-again": containerAgain, "container-copy": containerCopy, "image-build": imageBuild, "engine-host": engineHost, "engine-listens": engineListens, "engine-service": engineService,
	}
}
