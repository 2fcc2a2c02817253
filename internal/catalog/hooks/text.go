package hooks

import "github.com/heedsh/heed/internal/catalog"

// textHooks are the hooks of text, archives, pagers and editors.
func textHooks() map[string]catalog.Hook {
	return map[string]catalog.Hook{
		"7z":          sevenZip,
		"ar":          ar,
		"awk":         picks(awkPicks, awkCommand),
		"grep":        picks(grepped, nil),
		"echo":        echo,
		"printf":      printFormatted,
		"clipboard":   clipboard,
		"compressor":  compressor,
		"dc":          dc,
		"dos2unix":    dos2unix,
		"ed":          ed,
		"exiftool":    exiftool,
		"extracts":    extracts,
		"ffmpeg":      ffmpeg,
		"fzf":         fzf,
		"ghostscript": ghostscript,
		"gpg":         gpg,
		"imagemagick": imagemagick,
		"jq":          jq,
		"mlr":         miller,
		"pager":       pager,
		"patch":       patch,
		"search":      picks(grepped, search),
		"sed":         sedCommand,
		"structured":  structured,
		"tar":         tar,
		"vim":         vim,
		"xslt":        xslt,
		"yq":          yq,
		"zip":         zip,
	}
}
