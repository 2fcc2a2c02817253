package hooks

import "github.com/heedsh/heed/internal/catalog"

// textHooks are the hooks of text, archives, pagers and editors.
func textHooks() map[string]catalog.Hook {
	return map[string]catalog.Hook{
		"xslt":      xslt,
		"clipboard": clipboard, "dc": dc, "fzf": fzf,
		"ghostscript": ghostscript, "imagemagick": imagemagick, "ffmpeg": ffmpeg, "exiftool": exiftool,
		"gpg":      gpg,
		"extracts": extracts, "jq": jq, "yq": yq, "mlr": miller, "structured": structured,
		"7z": sevenZip, "ar": ar, "zip": zip,
		"awk":        awk,
		"compressor": compressor,
		"dos2unix":   dos2unix,
		"ed":         ed,
		"pager":      pager,
		"patch":      patch,
		"search":     search,
		"sed":        sed,
		"tar":        tar,
		"vim":        vim,
	}
}
