// Package gemm multiplies float32 matrices: what a transformer spends nearly
// all of its time on.
//
// In come a dense matrix and a [Source] that hands out pieces of the other
// one, so that weights are read where they lie, in whatever number format, and
// are never copied as a whole. Out comes the product.
//
// Every element of a product is summed in the order of the inner dimension,
// with each product and each sum rounded to float32. No fused multiply-add is
// used, so the portable code, the AVX code and any number of processors give
// the same bits: a verdict can be recomputed on another machine.
package gemm
