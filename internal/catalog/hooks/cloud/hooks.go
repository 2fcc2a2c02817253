package cloud

import "github.com/heedsh/heed/internal/catalog"

// Hook returns the hook that specs call by this name, or nil. A switch costs a
// start nothing; a map would be built each time.
func Hook(name string) catalog.Hook {
	switch name {
	case "aws":
		return awsHook
	case "az-where":
		return azWhere
	case "cluster":
		return cluster
	case "compose-config":
		return composeConfig
	case "compose-exec":
		return composeExec
	case "compose-rights":
		return composeRights
	case "compose-volumes":
		return composeVolumes
	case "container":
		return container
	case "container-again":
		return containerAgain
	case "container-inspect":
		return containerInspect
	case "container-copy":
		return containerCopy
	case "engine-host":
		return engineHost
	case "gcloud-where":
		return gcloudWhere
	case "image-build":
		return imageBuild
	case "image-scan":
		return imageScan
	case "kube-change":
		return kubeChange
	case "kube-delete":
		return kubeDelete
	case "kube-exec":
		return kubeExec
	case "kube-play":
		return kubePlay
	case "kube-secret":
		return kubeSecret
	case "kustomize":
		return kustomize
	case "kustomized":
		return kustomizedManifests
	case "kube-where":
		return kubeWhere
	case "qemu-img":
		return qemuImg
	case "remote-command":
		return remoteCommand
	case "terraform-console":
		return terraformConsole
	case "terraform-output":
		return terraformOutput
	case "terraform-where":
		return terraformWhere
	}
	return nil
}
