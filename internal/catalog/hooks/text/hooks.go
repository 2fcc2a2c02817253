package text

import (
	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/hooks/system"
)

// Hook returns the hook that specs call by this name, or nil. A switch costs a
// start nothing; a map would be built each time.
func Hook(name string) catalog.Hook {
	switch name {
	case "awk":
		return system.Picks(system.AwkPicks, awkCommand)
	case "clipboard":
		return clipboard
	case "compare":
		return compare
	case "dc":
		return dc
	case "dos2unix":
		return dos2unix
	case "ed":
		return ed
	case "envsubst":
		return envsubst
	case "exiftool":
		return exiftool
	case "extracts":
		return extracts
	case "ffmpeg":
		return ffmpeg
	case "fzf":
		return fzf
	case "ghostscript":
		return ghostscript
	case "gpg-agent":
		return gpgAgent
	case "gpg":
		return gpg
	case "identify":
		return identify
	case "imagemagick":
		return imagemagick
	case "jo":
		return jo
	case "jq":
		return jq
	case "mkvextract":
		return mkvextract
	case "mlr":
		return miller
	case "pager":
		return pager
	case "patch":
		return patch
	case "search":
		return system.Picks(system.Grepped, search)
	case "ripgrep":
		return system.Picks(system.Grepped, ripgrep)
	case "sed":
		return sedCommand
	case "sox":
		return sox
	case "plays":
		return plays
	case "structured":
		return structured
	case "xidel":
		return xidel
	case "vim":
		return vim
	case "xslt":
		return xslt
	case "yq":
		return yq
	}
	return nil
}
