//! Moves that are written as sums: where one element of a line is wanted, all others are zeros in a sum over the line, which is split
//! like any other sum.
//!
//! Sums of floats would lose the sign of a zero. So it is the bits that are summed up, as integers: what comes out is what was
//! there, of every type.

use super::state::Import;
use meshloom_ir::{DType, Reduction, ValueId};

impl Import<'_> {
    /// Elements as integers that have all of their bits.
    ///
    /// # Errors
    /// Never, of a type that the IR has.
    pub fn as_integers(&mut self, x: ValueId) -> Result<ValueId, String> {
        match self.b.ty(x).dtype {
            DType::Bool => self.convert(x, DType::I32),
            DType::F32 | DType::F64 => self.elem("bits_of_float", &[x]),
            d if d.is_float() => {
                let wide = self.convert(x, DType::F32)?;
                self.elem("bits_of_float", &[wide])
            }
            _ => Ok(x),
        }
    }

    /// Elements of type `to`, of what [`Import::as_integers`] made of them.
    ///
    /// # Errors
    /// Never, of such integers.
    pub fn of_integers(&mut self, bits: ValueId, to: DType) -> Result<ValueId, String> {
        let x = if to.is_float() { self.elem("float_of_bits", &[bits])? } else { bits };
        self.convert(x, to)
    }

    /// Of each line along `dims` the one integer where `here` holds; zero where it holds nowhere.
    ///
    /// # Errors
    /// The shapes differ.
    pub fn one_integer_where(&mut self, here: ValueId, x: ValueId, dims: &[usize]) -> Result<ValueId, String> {
        let zero = self.b.constant_like(x, 0.0);
        let kept = self.select(here, x, zero)?;
        self.reduce(Reduction::Sum, kept, dims)
    }
}
