package catalog

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/bits"
	"reflect"
	"slices"
	"strings"
)

// The blob is: an 8-byte magic, the SHA-256 of all that follows it, the number
// of names, one fixed-size index row per name in sorted order and one behind them,
// then the names and the programs. An index row holds where the name and where the
// program begins, each a little-endian uint32, so that a look-up is a binary search
// in the embedded string and opening the blob costs nothing; a name ends where the
// next one begins.
//
// A program is, as a string, its fields in the order of their declaration: strings as twice
// their length and their contents, or as an odd number if they are one of [common],
// slices as a length and their contents, integers as varints, structs as a varint
// that has a bit for each field that is not zero, and those fields (a boolean is
// that bit, and nothing more), pointers as what they point at, a subcommand as its
// name and, as a string, its command without it. The digest covers the layout too,
// because a change of the types changes the bytes.

const (
	magic    = "heedcat4"
	rowSize  = 8
	tableAt  = len(magic) + sha256.Size + 4
	maxItems = 1 << 16
)

type blob string

func (b blob) u32(at int) int { return int(binary.LittleEndian.Uint32([]byte(b[at : at+4]))) }

func (b blob) count() int {
	if len(b) < tableAt || string(b[:len(magic)]) != magic {
		return 0
	}
	return b.u32(tableAt - 4)
}

func (b blob) digest() string {
	if b.count() == 0 {
		return ""
	}
	return string(b[len(magic) : len(magic)+sha256.Size])
}

func (b blob) name(i int) string {
	row := tableAt + i*rowSize
	return string(b[b.u32(row):b.u32(row+rowSize)])
}

func (b blob) names() []string {
	out := make([]string, b.count())
	for i := range out {
		out[i] = b.name(i)
	}
	return out
}

func (b blob) find(name string) (*Program, bool) {
	low, high := 0, b.count()
	for low < high {
		mid := (low + high) / 2
		if b.name(mid) < name {
			low = mid + 1
		} else {
			high = mid
		}
	}
	if low == b.count() || b.name(low) != name {
		return nil, false
	}
	p := new(Program)
	d := decoder{data: string(b[b.u32(tableAt+low*rowSize+4):])}
	d.data = d.string()
	d.value(reflect.ValueOf(p).Elem())
	return p, true
}

// Encode writes programs as a blob.
func Encode(programs []*Program) ([]byte, error) {
	type row struct {
		name string
		i    int
	}
	var rows []row
	var data bytes.Buffer
	places := make([]int, len(programs))
	for i, p := range programs {
		places[i] = data.Len()
		encodeApart(&data, reflect.ValueOf(p).Elem())
		for _, n := range p.Names {
			rows = append(rows, row{n, i})
		}
	}
	slices.SortFunc(rows, func(a, b row) int { return strings.Compare(a.name, b.name) })
	for i := 1; i < len(rows); i++ {
		if rows[i].name == rows[i-1].name {
			return nil, fmt.Errorf("two specs describe %q: %s and %s", rows[i].name, programs[rows[i].i].Names[0], programs[rows[i-1].i].Names[0])
		}
	}
	var table, names bytes.Buffer
	for _, r := range rows {
		names.WriteString(r.name)
	}
	nameAt := tableAt + (len(rows)+1)*rowSize
	dataAt := nameAt + names.Len()
	u32 := func(n int) { _ = binary.Write(&table, binary.LittleEndian, uint32(n)) }
	u32(len(rows))
	for _, r := range rows {
		u32(nameAt)
		u32(dataAt + places[r.i])
		nameAt += len(r.name)
	}
	u32(nameAt)
	u32(dataAt + data.Len())
	body := slices.Concat(table.Bytes(), names.Bytes(), data.Bytes())
	sum := sha256.Sum256(body)
	return slices.Concat([]byte(magic), sum[:], body), nil
}

func encode(w *bytes.Buffer, v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		if i := slices.Index(common[:], v.String()); i >= 0 {
			w.Write(binary.AppendUvarint(nil, uint64(2*i+1)))
			return
		}
		w.Write(binary.AppendUvarint(nil, uint64(2*v.Len())))
		w.WriteString(v.String())
	case reflect.Bool: // true, or it were not written
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		w.Write(binary.AppendUvarint(nil, v.Uint()))
	case reflect.Slice:
		w.Write(binary.AppendUvarint(nil, uint64(v.Len())))
		for i := range v.Len() {
			encode(w, v.Index(i))
		}
	case reflect.Struct:
		var fields []int
		var given uint64
		for i := range v.NumField() {
			if f := v.Field(i); !f.IsZero() && (f.Kind() != reflect.Slice || f.Len() > 0) {
				fields, given = append(fields, i), given|1<<i
			}
		}
		w.Write(binary.AppendUvarint(nil, given))
		for _, i := range fields {
			encode(w, v.Field(i))
		}
	case reflect.Pointer:
		switch p := v.Interface().(type) {
		case *Kept:
			encode(w, reflect.ValueOf(p.encoded))
		case *Subcommand:
			command := *p.Command()
			command.Name = ""
			encode(w, reflect.ValueOf(p.Name))
			encodeApart(w, reflect.ValueOf(command))
		default:
			encode(w, v.Elem())
		}
	default:
		panic("catalog: no encoding for " + v.Type().String())
	}
}

// encodeApart writes a value as a string, so that it can be passed over.
func encodeApart(w *bytes.Buffer, v reflect.Value) {
	var body bytes.Buffer
	encode(&body, v)
	encode(w, reflect.ValueOf(body.String()))
}

type decoder struct{ data string }

func (d *decoder) uvarint() uint64 {
	var n uint64
	for shift := 0; len(d.data) > 0; shift += 7 {
		c := d.data[0]
		d.data = d.data[1:]
		n |= uint64(c&0x7f) << shift
		if c < 0x80 {
			break
		}
	}
	return n
}

func (d *decoder) string() string {
	n := d.uvarint()
	if n&1 == 1 {
		if n /= 2; n < uint64(len(common)) {
			return common[n]
		}
		return ""
	}
	n = min(n/2, uint64(len(d.data)))
	s := d.data[:n]
	d.data = d.data[n:]
	return s
}

func (d *decoder) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(d.string())
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(d.uvarint())
	case reflect.Slice:
		n := min(int(d.uvarint()), maxItems)
		if n == 0 {
			return
		}
		if subs, ok := v.Addr().Interface().(*[]*Subcommand); ok {
			*subs = d.subcommands(n)
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			d.value(v.Index(i))
		}
	case reflect.Struct:
		fields := d.uvarint() & (1<<v.NumField() - 1)
		for ; fields != 0; fields &= fields - 1 {
			d.value(v.Field(bits.TrailingZeros64(fields)))
		}
	case reflect.Pointer:
		if k, ok := v.Addr().Interface().(**Kept); ok {
			*k = &Kept{encoded: d.string()}
			return
		}
		v.Set(reflect.New(v.Type().Elem()))
		d.value(v.Elem())
	}
}

func (d *decoder) subcommands(n int) []*Subcommand {
	all, subs := make([]Subcommand, n), make([]*Subcommand, n)
	for i := range all {
		all[i].Name, all[i].encoded = d.string(), d.string()
		subs[i] = &all[i]
	}
	return subs
}
