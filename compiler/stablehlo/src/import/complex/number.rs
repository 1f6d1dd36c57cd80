//! A complex number as rules have it: two values.

use crate::import::state::Import;
use crate::module::TextOp;
use meshloom_ir::ValueId;

/// What a rule makes: the results, both parts of each.
pub type Made = Result<Vec<ValueId>, String>;

/// Real and imaginary parts.
pub type ComplexParts = [ValueId; 2];

impl<'m> Import<'m> {
    /// Both parts of an op's only complex operands, or of real ones and zero.
    ///
    /// # Errors
    /// Another number of operands.
    pub fn numbers<const N: usize>(&mut self, op: &TextOp<'m>) -> Result<[ComplexParts; N], String> {
        let names = op.operands();
        let mut all = Vec::new();
        for name in &names {
            let parts = self.values(&[name])?;
            let parts = self.lifted(parts)?;
            all.push(match parts[..] {
                [re, im] => [re, im],
                [re] => [re, self.b.constant_like(re, 0.0)],
                _ => return Err(format!("`{name}` is no number")),
            });
        }
        all.try_into().map_err(|_| format!("`{}` takes {N} operands, and has {}", op.name, names.len()))
    }
}
