package catalog

import (
	"path"
	"slices"
	"strings"
)

// LooksLikeFile reports whether a word is surely meant as the name of a file, by what it
// ends with: no host is called so, and no setting.
func LooksLikeFile(text string) bool {
	if strings.Contains(text, "://") || strings.ContainsAny(text, " =:@") {
		return false
	}
	base := path.Base(text)
	ext := path.Ext(base)
	if ext == "" || base[0] == '.' {
		return false
	}
	switch ext[1:] {
	case "txt", "md", "json", "yaml", "yml", "toml", "csv", "tsv", "xml", "html", "htm", "svg", "png", "jpg", "jpeg", "gif", "bmp", "tiff", "webp",
		"pdf", "doc", "docx", "odt", "xls", "xlsx", "pptx", "mp3", "mp4", "mkv", "avi", "mov", "wav", "flac", "ogg", "iso", "img", "qcow2",
		"zip", "tar", "gz", "tgz", "xz", "bz2", "7z", "rar", "zst", "rpm", "deb", "jar", "war", "apk", "sif", "whl",
		"c", "h", "cc", "cpp", "py", "rb", "js", "ts", "java", "lua", "sql", "sqlite", "log", "conf", "ini", "cfg", "cnf", "bin", "hex", "elf", "efi",
		"ttf", "otf", "pem", "crt", "tf", "tfvars", "nix", "proto", "wasm", "pcap", "dsc", "tex", "bib", "bak":
		return true
	}
	return false
}

// IsPackageFile reports whether a word is called as files of packages are.
func IsPackageFile(text string) bool {
	switch path.Ext(text) {
	case ".rpm", ".deb", ".whl", ".apk", ".snap", ".vsix", ".nupkg", ".flatpak":
		return !strings.Contains(text, "://")
	}
	return false
}

// IsImageFile reports whether a word is called as files of disks and containers are.
func IsImageFile(text string) bool {
	switch path.Ext(text) {
	case ".sif", ".iso", ".qcow2", ".vmdk", ".vdi":
		return !strings.Contains(text, "://")
	}
	return false
}

// IsDisk reports whether a word is a disk, or a part of one, as Linux calls them (devices.txt
// of the kernel's documentation).
func IsDisk(text string) bool {
	name, ok := strings.CutPrefix(text, "/dev/")
	return ok && slices.ContainsFunc([]string{"sd", "hd", "vd", "xvd", "nvme", "mmcblk"}, func(kind string) bool { return strings.HasPrefix(name, kind) })
}

// IsFile reports whether a word of a place that is called so is surely a file: where
// packages come from elsewhere, one that is written as a path, or as such a file is called.
func (a *Arg) IsFile(text string) bool {
	switch a.Role {
	case Writes, Appends, Creates, Host, URL, Pattern:
		return false
	}
	here := strings.HasPrefix(text, "./") || strings.HasPrefix(text, "../")
	if a.Role == Plugin && here && (strings.HasSuffix(text, ".so") || strings.HasSuffix(text, ".dylib")) {
		return true
	}
	switch a.Name {
	case "device", "disk", "partition":
		return strings.HasPrefix(text, "/dev/")
	case "mountpoint":
		return here || path.IsAbs(text)
	case "package", "app", "plugin", "extension", "chart":
		return here || IsPackageFile(text)
	case "image":
		return here || IsImageFile(text)
	case "archive", "document":
		return here || LooksLikeFile(text)
	}
	return false
}

// IsInput reports whether what an option names is what the work is done on, or with,
// and a program fails without: a script, a list of names, a file of values, the key of an
// encryption or the password that a file holds. Many do without an identity, a history, a
// configuration, a list of what to leave out or a cookie jar that is not there.
func (a *Arg) IsInput() bool {
	switch a.Role {
	case Reads, Shows, Uploads, Script:
	default:
		return false
	}
	switch a.Name {
	case "file", "files", "in", "input", "list", "list-file", "filter-file", "script", "env-file", "manifest", "image", "reference", "rules",
		"source", "batch", "patch", "description", "from", "capture", "dump", "model", "text", "archive", "policy", "body-file", "vars",
		"varfile", "commands", "baseline", "package", "attachment", "requirements", "changes", "compared", "plan", "results", "values",
		"bundle", "makefile", "justfile", "gemfile", "rakefile", "project", "query", "queryfile", "template", "picture", "prompt-file", "message",
		"test", "request", "pipeline", "job", "mail", "wave", "dates", "exclusions", "words", "dictionary", "added", "apks", "authority", "body",
		"bom", "capabilities", "cert", "certificate", "chain", "check", "compendium", "constraints", "content", "cover", "credential", "cuesheet",
		"exclude", "firmware", "flows", "hosts", "included", "jar", "key", "keystore", "lock", "lockfile", "lua", "magic", "map", "names", "order",
		"passfile", "password", "password-file", "passwordfile", "pattern", "patterns", "polygon", "profile", "random", "recipients", "recover",
		"reload", "renames", "resume", "root", "rows", "timing", "to", "verify", "weights":
		return true
	}
	return false
}
