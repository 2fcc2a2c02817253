package onnx

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path"
	"slices"
	"sync"

	"github.com/heedsh/heed/internal/detect/onnx/graph"
	"github.com/heedsh/heed/internal/detect/onnx/token"
)

// The intents, in the order of [Result.Probabilities].
const (
	Benign = iota
	Reconnaissance
	Destructive
	Exfiltration
	Persistence
	// Intents is their number.
	Intents
)

// Names returns the intents' names, as a model's labels spell them.
func Names() [Intents]string {
	return [Intents]string{"BENIGN", "RECONNAISSANCE", "DESTRUCTIVE", "EXFILTRATION", "PERSISTENCE"}
}

// The defaults of [Options].
const (
	// DefaultBudget lets a model of CodeBERT's size read 512 tokens.
	DefaultBudget = 1 << 36
	// DefaultMemory is the bytes of intermediate results.
	DefaultMemory = 1 << 29
	// maxModel bounds each file. ONNX files hold at most 2 GB; weights beside
	// them may be larger, but no classifier that answers in time has them.
	maxModel = 2 << 30
	// maxTokens bounds the length of a sequence, whatever a model says.
	maxTokens = 4096
	// defaultTokens is the length where a model says nothing.
	defaultTokens = 512
)

// Errors that [errors.Is] finds in what [Classifier.Classify] returns.
var (
	// ErrBudget says that the work budget was spent.
	ErrBudget = graph.ErrBudget
	// ErrMemory says that the memory budget was spent.
	ErrMemory = graph.ErrMemory
)

// Options change how a model is run. The zero value is good.
type Options struct {
	// Budget is the work of one classification in multiplications; 2 cores do
	// some 20 to 30 thousand million of them in a second. 0 is
	// [DefaultBudget].
	Budget int64
	// Memory is the bytes that intermediate results may take at one time; 0
	// is [DefaultMemory]. Weights are not counted: they lie in the file.
	Memory int64
	// MaxTokens is the longest sequence; 0 leaves it to the model.
	MaxTokens int
	// Engine runs the model; nil is heed's own.
	Engine Engine
}

// An Engine prepares models to be run.
type Engine interface {
	// Load prepares a model for computing its output of that name, or its only
	// one. open reads files beside the model.
	Load(model []byte, output string, open func(name string) ([]byte, error)) (Session, error)
}

// A Session is a model that can be run, by several goroutines at once.
type Session interface {
	Inputs() []graph.Input
	// Run gives every input one row of numbers and returns the output.
	Run(inputs map[string][]int64, limit graph.Limit) (numbers []float32, dims []int, err error)
}

// own is the [Engine] that heed brings.
type own struct{}

func (own) Load(model []byte, output string, open func(string) ([]byte, error)) (Session, error) {
	return graph.Load(model, output, open)
}

// A Bytes is a file of a file system that has its content in memory already,
// for example mapped. [Open] then uses that memory, which must not change, and
// copies nothing.
type Bytes interface {
	fs.File
	Bytes() []byte
}

// A Result is what a model says of a text.
type Result struct {
	// Probabilities of the intents; their sum is 1.
	Probabilities [Intents]float32
	// Tokens is the length of the sequence that was read.
	Tokens int
	// Truncated says that the text was longer than the model reads: what
	// stands at its end was not seen.
	Truncated bool
}

// A Classifier is safe for concurrent use.
type Classifier struct {
	session   Session
	tokenizer *token.Tokenizer
	labels    labels
	options   Options
	limit     int // tokens of a sequence
	fixed     int // the only length that the model takes, or 0
	firstPos  int64
	digest    func() string
}

// Open prepares the model in the file of that name. Its neighbours are read
// from the same directory of fsys.
func Open(fsys fs.FS, name string, options Options) (*Classifier, error) {
	c := &Classifier{options: options}
	c.options.Budget = orElse(options.Budget, DefaultBudget)
	c.options.Memory = orElse(options.Memory, DefaultMemory)
	if options.Engine == nil {
		c.options.Engine = own{}
	}
	f := &files{fsys: fsys, dir: path.Dir(name)}
	model, err := f.read(path.Base(name), maxModel)
	if err != nil {
		return nil, fmt.Errorf("reading the model: %w", err)
	}
	config, err := loadConfig(f.side)
	if err != nil {
		return nil, err
	}
	if c.labels, err = config.labels(); err != nil {
		return nil, err
	}
	if c.tokenizer, err = token.Load(f.side); err != nil {
		return nil, err
	}
	output := "logits"
	c.session, err = c.options.Engine.Load(model, output, func(name string) ([]byte, error) { return f.read(name, maxModel) })
	if err != nil {
		return nil, err
	}
	if err := c.fit(config); err != nil {
		return nil, err
	}
	c.digest = sync.OnceValue(f.digest)
	return c, nil
}

func orElse(v, otherwise int64) int64 {
	if v == 0 {
		return otherwise
	}
	return v
}

// fit checks that the model takes what is given to it, and how long it may be.
func (c *Classifier) fit(config *config) error {
	c.limit = orDefault(config.MaxTokens, c.tokenizer.Limit())
	c.limit = orDefault(c.limit, defaultTokens)
	if n := config.positions(); n > 0 {
		c.limit = min(c.limit, n)
	}
	if c.options.MaxTokens > 0 {
		c.limit = min(c.limit, c.options.MaxTokens)
	}
	c.limit = min(c.limit, maxTokens)
	c.firstPos = config.firstPosition()
	ids := false
	for _, in := range c.session.Inputs() {
		switch in.Name {
		case "input_ids":
			ids = true
		case "attention_mask", "token_type_ids", "position_ids":
		default:
			return fmt.Errorf("the model has the input %.60q: only input_ids, attention_mask, token_type_ids and position_ids are known", in.Name)
		}
		if len(in.Dims) == 0 {
			continue
		}
		if len(in.Dims) != 2 || in.Dims[0] > 1 {
			return fmt.Errorf("the model's input %s has the shape %v, want one row of tokens", in.Name, in.Dims)
		}
		if n := in.Dims[1]; n > 0 {
			c.fixed = n
		}
	}
	if !ids {
		return errors.New("the model has no input called input_ids")
	}
	if c.fixed > maxTokens {
		return fmt.Errorf("the model takes %d tokens, at most %d are given", c.fixed, maxTokens)
	}
	if c.fixed > 0 {
		c.limit = min(c.limit, c.fixed)
	}
	if c.limit < 4 {
		return fmt.Errorf("sequences of %d tokens are too short", c.limit)
	}
	return nil
}

func orDefault(v, otherwise int) int {
	if v <= 0 {
		return otherwise
	}
	return v
}

// Digest names the model, its labels and its tokenizer: SHA-256 over every
// file that was read, in hexadecimal. It takes as long as reading the model,
// once.
func (c *Classifier) Digest() string { return c.digest() }

// Classify returns the probabilities of the intents of a text. The same model
// and text give the same bits, on any machine with heed's own engine.
func (c *Classifier) Classify(text string) (Result, error) {
	ids, truncated := c.tokenizer.Encode(text, c.limit)
	r := Result{Tokens: len(ids), Truncated: truncated}
	logits, dims, err := c.session.Run(c.inputs(ids), graph.Limit{Work: c.options.Budget, Memory: c.options.Memory})
	if err != nil {
		return Result{}, fmt.Errorf("running the model: %w", err)
	}
	if len(dims) > 0 && dims[len(dims)-1] != len(logits) {
		return Result{}, fmt.Errorf("the model's output has the shape %v, want one row of logits", dims)
	}
	if r.Probabilities, err = c.labels.probabilities(logits); err != nil {
		return Result{}, err
	}
	return r, nil
}

// inputs makes the model's inputs of a sequence, filled up if the model takes
// one length only.
func (c *Classifier) inputs(ids []int64) map[string][]int64 {
	n := max(len(ids), c.fixed)
	mask, types, positions := make([]int64, n), make([]int64, n), make([]int64, n)
	pad := c.tokenizer.Pad()
	for i := range n {
		if i < len(ids) {
			mask[i], positions[i] = 1, c.firstPos+int64(i)
		} else {
			ids = append(ids, pad)
			positions[i] = max(0, c.firstPos-1)
		}
	}
	return map[string][]int64{"input_ids": ids, "attention_mask": mask, "token_type_ids": types, "position_ids": positions}
}

// files reads the model's files and remembers them.
type files struct {
	fsys fs.FS
	dir  string
	seen []seenFile
}

type seenFile struct {
	name string
	data []byte
}

// side reads a small file beside the model.
func (f *files) side(name string) ([]byte, error) { return f.read(name, 64<<20) }

func (f *files) read(name string, limit int64) (data []byte, err error) {
	file, err := f.fsys.Open(path.Join(f.dir, name))
	if err != nil {
		return nil, err
	}
	defer func() {
		if cerr := file.Close(); err == nil && cerr != nil {
			err = fmt.Errorf("closing %s: %w", name, cerr)
		}
	}()
	if b, ok := file.(Bytes); ok {
		data = b.Bytes()
	} else if data, err = readAll(file, name, limit); err != nil {
		return nil, err
	}
	f.seen = append(f.seen, seenFile{name, data})
	return data, nil
}

// readAll reads a regular file into memory of its size, once.
func readAll(file fs.File, name string, limit int64) ([]byte, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", name)
	}
	if info.Size() > limit {
		return nil, fmt.Errorf("%s has %d bytes, at most %d are read", name, info.Size(), limit)
	}
	data := make([]byte, info.Size())
	if _, err := io.ReadFull(file, data); err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	return data, nil
}

// digest is SHA-256 over name, length and content of each file, by name.
func (f *files) digest() string {
	list := slices.Clone(f.seen)
	slices.SortFunc(list, func(a, b seenFile) int {
		switch {
		case a.name < b.name:
			return -1
		case a.name > b.name:
			return 1
		}
		return 0
	})
	h := sha256.New()
	for _, file := range list {
		var size [8]byte
		binary.LittleEndian.PutUint64(size[:], uint64(len(file.data)))
		h.Write([]byte(file.name + "\x00"))
		h.Write(size[:])
		h.Write(file.data)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// finite reports whether v is a number.
func finite(v float32) bool { return !math.IsNaN(float64(v)) && !math.IsInf(float64(v), 0) }
