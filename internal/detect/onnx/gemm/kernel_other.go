//go:build !amd64

package gemm

func kernel(depth int, a, b, c []float32, stride int) {
	kernelGo(depth, a, b, c, stride)
}

func pack(dst []float32, src []byte, rows, stride int) { packGo(dst, src, rows, stride) }
