package cli

// stackDepth is about how deep the stack gets for an ordinary command, in bytes.
const stackDepth = 48 << 10

// deepen gives the stack of a goroutine that is about to assess the size that it
// will need while there is little on it: to grow step by step, copying what is
// there, costs one answer in twenty of its time. b is empty.
//
//go:noinline
func deepen(b []byte) {
	var room [stackDepth]byte
	copy(room[:], b)
}
