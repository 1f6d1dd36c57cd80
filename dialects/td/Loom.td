// The `loom` dialect: the per-device program in MLIR.
//
// Two layers share it. The program layer (mesh, program, views, launches, collectives) is what `--emit=loom-mlir` prints:
// the instruction list of a bundle over one planned arena. The math layer (exp, log, tanh, erf) is what kernels use.

#ifndef LOOM_TD
#define LOOM_TD

include "Base.td"
include "Collectives.td"
include "Math.td"
include "Program.td"

#endif // LOOM_TD
