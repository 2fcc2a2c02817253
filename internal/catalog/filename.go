package catalog

import (
	"path"
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
		"c", "h", "cc", "cpp", "py", "rb", "js", "ts", "java", "lua", "sql", "sqlite", "log", "conf", "ini", "cfg", "bin", "hex", "elf", "efi",
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
