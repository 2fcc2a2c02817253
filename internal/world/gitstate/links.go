package gitstate

import "bytes"

// Links lists the gitlinks of the index: submodules, and repositories that were
// added as they are. Most repositories have none, which the bytes of the index
// tell without its being parsed.
func (r *repo) Links(limit int) []string {
	all, _, err := load(r.g, kindLinks, r.indexFile, maxIndex, r.parseLinks)
	if err != nil {
		return nil
	}
	return all[:min(len(all), max(limit, 0))]
}

func (r *repo) parseLinks(data []byte) ([]string, error) {
	// The mode of an entry is four bytes (gitformat-index(5)); entries may also
	// stand in the file that the extension "link" names.
	if !bytes.Contains(data, []byte{0, 0, modeGitlink >> 8, 0}) && !bytes.Contains(data, []byte("link")) {
		return nil, nil
	}
	x, err := r.parseIndex(data)
	if err != nil {
		return nil, err
	}
	var all []string
	for i := range x.entries {
		if e := &x.entries[i]; e.isGitlink() && (len(all) == 0 || all[len(all)-1] != e.path) {
			all = append(all, e.path)
		}
	}
	return all, nil
}
