package gitstate

import (
	"errors"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/world"
)

const maxPackedRefs = 64 << 20

var errPackedRefs = errors.New("bad packed-refs line")

// packedRefs is the file of that name: one ref a line, sorted by name.
type packedRefs struct {
	refs []packedRef
}

type packedRef struct {
	name string
	id   string // in hexadecimal
}

func (r *repo) packedRefs() (*packedRefs, error) {
	p, _, err := load(r.g, kindPackedRefs, join(r.commonDir, "packed-refs"), maxPackedRefs, parsePackedRefs)
	if errors.Is(err, world.ErrNotExist) {
		return &packedRefs{}, nil
	}
	return p, err
}

// parsePackedRefs reads "<id> <name>" lines. "# pack-refs with:" is a header and
// "^<id>" the commit that the tag before it peels to (git's refs/packed-backend.c).
func parsePackedRefs(data []byte) (*packedRefs, error) {
	p := &packedRefs{}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || line[0] == '#' || line[0] == '^' {
			continue
		}
		id, name, ok := strings.Cut(line, " ")
		if !ok || (len(id) != sha1Algo.hexSize() && len(id) != sha256Algo.hexSize()) {
			return nil, errPackedRefs
		}
		if validRefName(name) {
			p.refs = append(p.refs, packedRef{name: name, id: id})
		}
	}
	byName := func(a, b packedRef) int { return strings.Compare(a.name, b.name) }
	if !slices.IsSortedFunc(p.refs, byName) {
		slices.SortStableFunc(p.refs, byName)
	}
	return p, nil
}

func (p *packedRefs) at(name string) (int, bool) {
	return slices.BinarySearchFunc(p.refs, name, func(r packedRef, name string) int {
		return strings.Compare(r.name, name)
	})
}

func (p *packedRefs) find(name string) (oid, bool) {
	i, ok := p.at(name)
	if !ok {
		return "", false
	}
	id := p.refs[i].id
	return hashAlgo(len(id) / 2).parse(id)
}

func (p *packedRefs) names(prefix string) []string {
	var out []string
	from, _ := p.at(prefix)
	for _, r := range p.refs[from:] {
		if !strings.HasPrefix(r.name, prefix) {
			break
		}
		out = append(out, r.name)
	}
	return out
}
