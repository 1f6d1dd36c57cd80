// Element-wise functions that kernels are written with. `loom-expand-math` turns them into polynomials, so that a kernel
// never calls libm or libdevice and gives the same bits on every CPU.

#ifndef LOOM_MATH_TD
#define LOOM_MATH_TD

include "Base.td"

def Loom_Float : AnyTypeOf<[F32, F64, FixedVectorOfAnyRank<[F32, F64]>], "f32, f64 or a fixed-size vector of them">;

class Loom_MathOp<string mnemonic, string what> : Loom_Op<mnemonic, [Pure, SameOperandsAndResultType]> {
  let summary = what;
  let arguments = (ins Loom_Float:$operand);
  let results = (outs Loom_Float:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
}

def Loom_ExpOp : Loom_MathOp<"exp", "e to the power of the operand">;
def Loom_LogOp : Loom_MathOp<"log", "natural logarithm">;
def Loom_TanhOp : Loom_MathOp<"tanh", "hyperbolic tangent">;
def Loom_ErfOp : Loom_MathOp<"erf", "error function">;

#endif // LOOM_MATH_TD
