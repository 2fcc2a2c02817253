package hooks

import "github.com/heedsh/heed/internal/catalog"

// cloudHooks are the hooks of containers, clusters and cloud command lines.
func cloudHooks() map[string]catalog.Hook {
	return map[string]catalog.Hook{
		"container": container, "container-again": containerAgain, "container-copy": containerCopy, "image-build": imageBuild, "engine-host": engineHost,
	}
}
