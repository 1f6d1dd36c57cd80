//! Parameters and results of an entry: one tensor with a last dim of two, which has real and imaginary part side by side. In memory
//! and in files that is what numpy's complex64 and complex128 are.

use super::number::ComplexParts;
use crate::import::state::Import;
use crate::module::TextOp;
use meshloom_ir::{DimSpec, Op as Ir, Port, TensorType, ValueId};

/// Makes a port of numbers one of their parts: the dim of the two parts is not split, whatever is said of the others.
pub fn mark(port: &mut Port) {
    port.complex = true;
    port.constraint.absent = false;
    port.constraint.dims.push(DimSpec::Exactly(Vec::new()));
}

impl<'m> Import<'m> {
    /// The parts of a parameter of the entry; `ty` is the type of each.
    ///
    /// # Errors
    /// It is larger than a tensor may be.
    pub fn separated(&mut self, ty: TensorType, port: Port) -> Result<ComplexParts, String> {
        let shape = ty.shape.clone();
        let both = TensorType::new(ty.dtype, [&shape[..], &[2]].concat());
        let v = self.b.input(both, port);
        let mut one = |part| {
            let side = self.range(v, shape.len(), part, part + 1)?;
            self.emit(Ir::Reshape { shape: shape.clone() }, &[side])
        };
        Ok([one(0)?, one(1)?])
    }

    /// What an entry returns as its results, and whether they are complex.
    ///
    /// # Errors
    /// They are larger than a tensor may be.
    pub fn joined(&mut self, ops: &[TextOp<'m>], made: Vec<ValueId>) -> Result<Vec<(ValueId, bool)>, String> {
        let end = ops.iter().find(|op| op.name.ends_with("return"));
        let names = end.map(|op| op.operands()).unwrap_or_default();
        let mut parts = made.into_iter();
        let mut out = Vec::new();
        for name in names {
            let Some(re) = parts.next() else { break };
            if !self.is_complex(name) {
                out.push((re, false));
                continue;
            }
            let mut sides = vec![re];
            sides.extend(parts.next());
            let shape = [&self.b.shape(re)[..], &[1]].concat();
            for side in &mut sides {
                *side = self.emit(Ir::Reshape { shape: shape.clone() }, &[*side])?;
            }
            out.push((self.emit(Ir::Concatenate { dim: shape.len() - 1 }, &sides)?, true));
        }
        Ok(out)
    }
}
