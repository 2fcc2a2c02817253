#include "textflag.h"

// func kernelAVX(depth int, a, b, c *float32, stride int)
//
// Y0 to Y11 hold the tile: six rows of two vectors. Each step loads one row of
// the panel (Y12, Y13) and adds its products with the six numbers of a column
// of a. Multiplication and addition are separate instructions on purpose: see
// the package comment.
TEXT ·kernelAVX(SB), NOSPLIT, $0-40
	MOVQ depth+0(FP), CX
	MOVQ a+8(FP), SI
	MOVQ b+16(FP), DI
	MOVQ c+24(FP), DX
	MOVQ stride+32(FP), R8
	SHLQ $2, R8
	LEAQ (DX)(R8*1), R9
	LEAQ (DX)(R8*2), R10
	LEAQ (R9)(R8*2), R11
	LEAQ (DX)(R8*4), R12
	LEAQ (R9)(R8*4), R13
	VMOVUPS (DX), Y0
	VMOVUPS 32(DX), Y1
	VMOVUPS (R9), Y2
	VMOVUPS 32(R9), Y3
	VMOVUPS (R10), Y4
	VMOVUPS 32(R10), Y5
	VMOVUPS (R11), Y6
	VMOVUPS 32(R11), Y7
	VMOVUPS (R12), Y8
	VMOVUPS 32(R12), Y9
	VMOVUPS (R13), Y10
	VMOVUPS 32(R13), Y11

step:
	VMOVUPS (DI), Y12
	VMOVUPS 32(DI), Y13

	VBROADCASTSS 0(SI), Y14
	VMULPS Y12, Y14, Y15
	VADDPS Y15, Y0, Y0
	VMULPS Y13, Y14, Y15
	VADDPS Y15, Y1, Y1

	VBROADCASTSS 4(SI), Y14
	VMULPS Y12, Y14, Y15
	VADDPS Y15, Y2, Y2
	VMULPS Y13, Y14, Y15
	VADDPS Y15, Y3, Y3

	VBROADCASTSS 8(SI), Y14
	VMULPS Y12, Y14, Y15
	VADDPS Y15, Y4, Y4
	VMULPS Y13, Y14, Y15
	VADDPS Y15, Y5, Y5

	VBROADCASTSS 12(SI), Y14
	VMULPS Y12, Y14, Y15
	VADDPS Y15, Y6, Y6
	VMULPS Y13, Y14, Y15
	VADDPS Y15, Y7, Y7

	VBROADCASTSS 16(SI), Y14
	VMULPS Y12, Y14, Y15
	VADDPS Y15, Y8, Y8
	VMULPS Y13, Y14, Y15
	VADDPS Y15, Y9, Y9

	VBROADCASTSS 20(SI), Y14
	VMULPS Y12, Y14, Y15
	VADDPS Y15, Y10, Y10
	VMULPS Y13, Y14, Y15
	VADDPS Y15, Y11, Y11

	ADDQ $64, DI
	ADDQ $24, SI
	DECQ CX
	JNZ step

	VMOVUPS Y0, (DX)
	VMOVUPS Y1, 32(DX)
	VMOVUPS Y2, (R9)
	VMOVUPS Y3, 32(R9)
	VMOVUPS Y4, (R10)
	VMOVUPS Y5, 32(R10)
	VMOVUPS Y6, (R11)
	VMOVUPS Y7, 32(R11)
	VMOVUPS Y8, (R12)
	VMOVUPS Y9, 32(R12)
	VMOVUPS Y10, (R13)
	VMOVUPS Y11, 32(R13)
	VZEROUPPER
	RET

// func cpuAVX() bool
//
// CPUID leaf 1, ECX: bit 28 is AVX, bit 27 OSXSAVE; XCR0 bits 1 and 2 say that
// the operating system keeps the vector registers. Source: Intel SDM volume 1,
// 14.3 "Detection of Intel AVX Instructions".
TEXT ·cpuAVX(SB), NOSPLIT, $0-1
	MOVB $0, ret+0(FP)
	MOVL $1, AX
	XORL CX, CX
	CPUID
	ANDL $(1<<28 | 1<<27), CX
	CMPL CX, $(1<<28 | 1<<27)
	JNE  no
	XORL CX, CX
	XGETBV
	ANDL $6, AX
	CMPL AX, $6
	JNE  no
	MOVB $1, ret+0(FP)

no:
	RET

// func packAVX(dst *float32, src *byte, rows, stride int)
//
// Copies 64 bytes of each row.
TEXT ·packAVX(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ rows+16(FP), CX
	MOVQ stride+24(FP), R8

row:
	VMOVUPS (SI), Y0
	VMOVUPS 32(SI), Y1
	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 32(DI)
	ADDQ R8, SI
	ADDQ $64, DI
	DECQ CX
	JNZ row
	VZEROUPPER
	RET
