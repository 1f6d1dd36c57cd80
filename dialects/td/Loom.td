// The `loom` dialect: the per-device program in MLIR.
//
// Two layers share it. The program layer (mesh, program, views, launches, collectives) is what `--emit=loom-mlir`
// prints: the instruction list of a bundle over one planned arena. The math layer (exp, log, tanh, erf) is what kernels
// are written with: pure element-wise functions that `loom-expand-math` turns into polynomials, so that a kernel never
// calls libm or libdevice and gives the same bits on every CPU.

#ifndef LOOM_TD
#define LOOM_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

def Loom_Dialect : Dialect {
  let name = "loom";
  let cppNamespace = "::loom";
  let summary = "per-device programs: mesh, arena views, kernel launches, collectives, portable math";
}

class Loom_Op<string mnemonic, list<Trait> traits = []> : Op<Loom_Dialect, mnemonic, traits>;

//===-- Math ---------------------------------------------------------------===//

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

#endif // LOOM_TD
