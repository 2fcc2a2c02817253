#include "textflag.h"

// func vfork(flags uintptr) (pid, errno uintptr)
//
// The child goes on with this stack: the return address, which it overwrites, is kept in a
// register. As package syscall does it.
TEXT ·vfork(SB), NOSPLIT|NOFRAME, $0-24
	MOVQ flags+0(FP), DI
	MOVQ $0, SI
	MOVQ $0, DX
	MOVQ $0, R10
	MOVQ $0, R8
	MOVQ $0, R9
	MOVQ $56, AX             // SYS_CLONE
	POPQ R12
	SYSCALL
	PUSHQ R12
	CMPQ AX, $0xfffffffffffff001
	JLS  ok
	MOVQ $0, pid+8(FP)
	NEGQ AX
	MOVQ AX, errno+16(FP)
	RET

ok:
	MOVQ AX, pid+8(FP)
	MOVQ $0, errno+16(FP)
	RET
