package pure

import (
	"math/big"
	"strings"
)

// Bounds of the calculators.
const (
	maxCalcBits  = 8192
	maxCalcDepth = 100
	maxCalcStack = 4096
)

// power is x^n within bounds; negative exponents would give fractions.
func power(x, n *big.Int) (*big.Int, bool) {
	if n.Sign() < 0 || !n.IsInt64() || n.Int64() > maxCalcBits || int64(x.BitLen())*n.Int64() > maxCalcBits {
		return nil, false
	}
	return new(big.Int).Exp(x, n, nil), true
}

// arithmetic is one of + - * / % on integers with a scale of 0.
func arithmetic(op byte, x, y *big.Int) (*big.Int, bool) {
	z := new(big.Int)
	switch op {
	case '+':
		z.Add(x, y)
	case '-':
		z.Sub(x, y)
	case '*':
		z.Mul(x, y)
	case '^':
		return power(x, y)
	default:
		if y.Sign() == 0 {
			return nil, false
		}
		if op == '/' {
			z.Quo(x, y)
		} else {
			z.Rem(x, y)
		}
	}
	return z, z.BitLen() <= maxCalcBits
}

// calcNumber reads digits in an input base. Letters are digits above 9; a
// digit too large for the base is cut down by the programs and left out here,
// unless it stands alone, where it has its own value.
func calcNumber(text string, base int) (*big.Int, bool) {
	if len(text) > 1000 {
		return nil, false
	}
	if len(text) == 1 {
		return big.NewInt(int64(hexDigit(text[0]))), true
	}
	return new(big.Int).SetString(strings.ToLower(text), base)
}

// calcText prints a number in an output base; long numbers are broken over
// lines by the programs and are left out.
func calcText(v *big.Int, base int) (string, bool) {
	s := strings.ToUpper(v.Text(base))
	return s, len(s) <= 60
}
