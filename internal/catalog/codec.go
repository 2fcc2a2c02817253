package catalog

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// The blob is: an 8-byte magic, the SHA-256 of all that follows it, the number
// of names, one fixed-size index row per name in sorted order, then the data.
// An index row holds offset and length of the name and of the program, each a
// little-endian uint32, so that a look-up is a binary search in the embedded
// string and opening the blob costs nothing.
//
// A program is its fields in the order of their declaration: strings as twice
// their length and their contents, or as an odd number if they are one of [common],
// slices as a length and their contents, integers as varints, booleans as a
// byte, structs as how many fields follow and those fields (the last ones, which
// most options and effects leave empty, are not written), pointers as a presence
// byte and what they point at, a subcommand as its name and, as a string, its
// command. The digest covers the layout too, because a change of the types
// changes the bytes.

const (
	magic    = "heedcat3"
	rowSize  = 16
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
	at := b.u32(row)
	return string(b[at : at+b.u32(row+4)])
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
	row := tableAt + low*rowSize
	at := b.u32(row + 8)
	p := new(Program)
	d := decoder{data: string(b[at : at+b.u32(row+12)])}
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
	places := make([][2]int, len(programs))
	for i, p := range programs {
		at := data.Len()
		encode(&data, reflect.ValueOf(p).Elem())
		places[i] = [2]int{at, data.Len() - at}
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
	dataAt := tableAt + len(rows)*rowSize
	nameAt := dataAt + data.Len()
	var table, names bytes.Buffer
	u32 := func(n int) { _ = binary.Write(&table, binary.LittleEndian, uint32(n)) }
	u32(len(rows))
	for _, r := range rows {
		u32(nameAt + names.Len())
		u32(len(r.name))
		u32(dataAt + places[r.i][0])
		u32(places[r.i][1])
		names.WriteString(r.name)
	}
	body := slices.Concat(table.Bytes(), data.Bytes(), names.Bytes())
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
	case reflect.Bool:
		b := byte(0)
		if v.Bool() {
			b = 1
		}
		w.WriteByte(b)
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		w.Write(binary.AppendUvarint(nil, v.Uint()))
	case reflect.Slice:
		w.Write(binary.AppendUvarint(nil, uint64(v.Len())))
		for i := range v.Len() {
			encode(w, v.Index(i))
		}
	case reflect.Struct:
		n := v.NumField()
		for n > 0 && v.Field(n-1).IsZero() {
			n--
		}
		w.WriteByte(byte(n))
		for i := range n {
			encode(w, v.Field(i))
		}
	case reflect.Pointer:
		if k, ok := v.Interface().(*Kept); ok {
			text := ""
			if k != nil {
				text = k.encoded
			}
			encode(w, reflect.ValueOf(text))
			return
		}
		if s, ok := v.Interface().(*Subcommand); ok {
			var body bytes.Buffer
			encode(&body, reflect.ValueOf(s.Command()).Elem())
			encode(w, reflect.ValueOf(s.Name))
			encode(w, reflect.ValueOf(body.String()))
			return
		}
		if v.IsNil() {
			w.WriteByte(0)
			return
		}
		w.WriteByte(1)
		encode(w, v.Elem())
	default:
		panic("catalog: no encoding for " + v.Type().String())
	}
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
		v.SetBool(d.uvarint() == 1)
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
		for i := range int(min(d.uvarint(), uint64(v.NumField()))) {
			d.value(v.Field(i))
		}
	case reflect.Pointer:
		if k, ok := v.Addr().Interface().(**Kept); ok {
			if text := d.string(); text != "" {
				*k = &Kept{encoded: text}
			}
			return
		}
		if d.uvarint() == 1 {
			v.Set(reflect.New(v.Type().Elem()))
			d.value(v.Elem())
		}
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
