package gitstate

import (
	"slices"
	"sync"

	"github.com/heedsh/heed/internal/world"
)

const (
	// statWorkers look at files while the walk goes on. More than two gain only
	// where the disk is slow.
	statWorkers   = 2
	statBatchSize = 256
)

// A statPool looks at files beside the walk. What it finds depends neither on the
// number of workers nor on their order.
type statPool struct {
	r       *repo
	set     *settings
	written int64 // when the index was

	work    chan *statBatch
	wg      sync.WaitGroup
	batches []*statBatch
	now     *statBatch
}

// statJobs are files of one directory to look at.
type statJobs struct {
	abs     string
	names   []string
	entries []*entry // to compare with, one a name; nil: only the size is wanted
}

// newStatJobs has room for some of at most n files.
func newStatJobs(abs string, n int) statJobs {
	n = min(n, 32)
	return statJobs{abs: abs, names: make([]string, 0, n), entries: make([]*entry, 0, n)}
}

func (j *statJobs) add(name string, e *entry) {
	j.names = append(j.names, name)
	j.entries = append(j.entries, e)
}

// A statBatch is some directories, and what was found in them.
type statBatch struct {
	jobs []statJobs
	size int

	unsure   []unsureFile
	modified []*entry
	bytes    int64
	failed   bool
}

type unsureFile struct {
	e    *entry
	abs  string
	info world.Info
}

func newStatPool(r *repo, set *settings, written int64) *statPool {
	return &statPool{r: r, set: set, written: written, now: &statBatch{}}
}

// ask hands the files of a directory in.
func (p *statPool) ask(j statJobs) {
	if len(j.names) == 0 {
		return
	}
	p.now.jobs = append(p.now.jobs, j)
	if p.now.size += len(j.names); p.now.size < statBatchSize {
		return
	}
	if p.work == nil {
		p.work = make(chan *statBatch, 1024)
		for range statWorkers {
			p.wg.Go(func() {
				for b := range p.work {
					p.run(b)
				}
			})
		}
	}
	p.batches = append(p.batches, p.now)
	p.work <- p.now
	p.now = &statBatch{}
}

// close says that no more will be asked for.
func (p *statPool) close() {
	p.batches = append(p.batches, p.now)
	p.run(p.now)
	if p.work != nil {
		close(p.work)
		for b := range p.work { // lend a hand
			p.run(b)
		}
	}
}

// run looks at the files of one batch.
func (p *statPool) run(b *statBatch) {
	var infos []world.Info
	for i := range b.jobs {
		j := &b.jobs[i]
		infos = slices.Grow(infos[:0], len(j.names))[:len(j.names)]
		failed := p.r.g.lstatIn(j.abs, j.names, infos)
		for k, e := range j.entries {
			p.judge(b, j, k, e, &infos[k], slices.Contains(failed, k))
		}
	}
}

func (p *statPool) judge(b *statBatch, j *statJobs, k int, e *entry, info *world.Info, failed bool) {
	switch {
	case failed:
		b.failed = true
		if e != nil {
			b.modified = append(b.modified, e)
		}
		return
	case e != nil && e.flags&skipWorktree != 0 && (info.Kind == world.Missing || info.Kind == world.Dir): // as it should be
	case e != nil:
		switch e.compare(info, p.set, p.written) {
		case changed:
			b.modified = append(b.modified, e)
		case unsure:
			b.unsure = append(b.unsure, unsureFile{e, join(j.abs, j.names[k]), *info})
		}
	}
	b.bytes += info.Size
}

// A statResult is what was found, in the order in which it was asked for.
type statResult struct {
	modified []*entry
	bytes    int64
	complete bool
}

// wait returns the result when every file has been looked at. Those that only
// their bytes can tell are hashed now: in order, up to the limits, the rest counts
// as modified.
func (p *statPool) wait() statResult {
	p.wg.Wait()
	out := statResult{complete: true}
	files, size := 0, int64(0)
	var hash []*unsureFile
	for _, b := range p.batches {
		out.bytes += b.bytes
		out.complete = out.complete && !b.failed
		out.modified = append(out.modified, b.modified...)
		for i := range b.unsure {
			u := &b.unsure[i]
			if files >= maxHashFiles || size+u.info.Size > maxHashBytes || u.info.Size > maxHash {
				out.modified = append(out.modified, u.e)
				continue
			}
			files++
			size += u.info.Size
			hash = append(hash, u)
		}
	}
	differs := make([]bool, len(hash))
	var wg sync.WaitGroup
	for k := range min(statWorkers, len(hash)) { // mostly none: waking a processor costs more than the walk
		wg.Go(func() {
			for i := k; i < len(hash); i += statWorkers {
				differs[i] = !p.r.sameBytes(hash[i].e, hash[i].abs, &hash[i].info)
			}
		})
	}
	wg.Wait()
	for i, u := range hash {
		if differs[i] {
			out.modified = append(out.modified, u.e)
		}
	}
	return out
}
