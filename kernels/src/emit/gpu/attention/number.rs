//! The arithmetic that attention needs of a GPU beside matmuls: powers of two, pairs rounded for tensor cores, and indices that
//! are recomputed rather than kept in registers.

use crate::emit::builder::{Builder, ElemKind, Ix, Ty, Val};
use crate::emit::elem::convert;
use crate::emit::gpu::block::{EmitMode, MmaType};

const F32: Ty = Ty { kind: ElemKind::F32, lanes: 0 };
const I32: Ty = Ty { kind: ElemKind::I32, lanes: 0 };
const I64: Ty = Ty { kind: ElemKind::I64, lanes: 0 };

impl Builder {
    /// Two numbers, rounded to what tensor cores multiply: a word of a fragment.
    pub fn rounded_pair(&mut self, factor: MmaType, low: Val, high: Val) -> Val {
        let kind = if factor == MmaType::F16 { ElemKind::F16 } else { ElemKind::Bf16 };
        let name = if factor == MmaType::F16 { "f16" } else { "bf16" };
        if self.form() == EmitMode::Emulated {
            let pair = [low, high].map(|v| convert(self, v, kind));
            let pair = self.elements(&pair);
            let (ty, number) = (self.ty(pair), pair.number());
            let word =
                self.op(Ty::vector(ElemKind::I32, 1), format_args!("vector.bitcast %{number} : {ty} to vector<1xi32>"));
            return self.extract(word, 0);
        }
        let pair = self.op(
            I32,
            format_args!(
                "llvm.call_intrinsic \"llvm.nvvm.ff2{name}x2.rn\"(%{}, %{}) : (f32, f32) -> vector<2x{name}>",
                high.number(),
                low.number()
            ),
        );
        self.op(I32, format_args!("llvm.bitcast %{} : vector<2x{name}> to i32", pair.number()))
    }

    /// Two to the power of an f32, to 22 bits: one instruction of a GPU.
    pub fn exp2(&mut self, x: Val) -> Val {
        if self.form() == EmitMode::Emulated {
            let log = self.float(F32, std::f64::consts::LN_2);
            let x = self.binary("mulf", x, log);
            return self.unary("loom.exp", x);
        }
        self.op(F32, format_args!("llvm.call_intrinsic \"llvm.nvvm.ex2.approx.ftz\"(%{}) : (f32) -> f32", x.number()))
    }

    /// The same index, of which the compiler does not know that it is: what is made of it is not kept in registers from before, where
    /// LLVM would put it.
    pub fn afresh(&mut self, x: Ix) -> Ix {
        if self.form() == EmitMode::Emulated {
            return x;
        }
        let x = self.ix(x);
        let x = self.cast("index_cast", x, ElemKind::I64).number();
        let x = self.op(
            I64,
            format_args!("llvm.inline_asm has_side_effects \"mov.b64 $0, $1;\", \"=l,l\" %{x} : (i64) -> i64"),
        );
        self.cast("index_cast", x, ElemKind::Index).into()
    }
}
