//! Ops that are programs: what they compute is written in Loom, in files beside the functions that import them.
//!
//! `syntax` elaborates a call of such a function for the types of the operands, and its ops stand in the place of the op.

use super::state::Import;
use meshloom_ir::{Func, ValueId, copy};
use meshloom_syntax::elaborate;

impl Import<'_> {
    /// The results of a call, such as `sinh(x0)`, in which the operands are `x0`, `x1` and so on. `text` declares what is called, and
    /// `constants` what that reads.
    ///
    /// # Errors
    /// What the operands do not fit.
    pub fn loom(
        &mut self,
        text: &str,
        constants: &str,
        call: &str,
        operands: &[ValueId],
    ) -> Result<Vec<ValueId>, String> {
        let parameter = |(k, &v): (usize, &ValueId)| format!("x{k}: {}", self.b.ty(v));
        let parameters: Vec<String> = operands.iter().enumerate().map(parameter).collect();
        let program = format!("entry called({}) {{ {call} }}\nconst {constants}\n{text}", parameters.join(", "));
        let mut func = match self.elaborated.get(&program) {
            Some(known) => known.clone(),
            None => {
                let made = elaborated(&program)?;
                self.elaborated.insert(program, made.clone());
                made
            }
        };
        // To the user all of it is the op.
        func.ops.iter_mut().for_each(|op| op.span = self.b.span);
        func.values.iter_mut().for_each(|v| v.span = self.b.span);
        Ok(copy::inline(&mut self.b, &func, operands))
    }
}

/// The one entry of a program, whose values have no names.
fn elaborated(text: &str) -> Result<Func, String> {
    let out = elaborate::without_library("called.loom", text);
    match out.elaborated.and_then(|e| e.entries.into_iter().next()) {
        Some(entry) => {
            let mut func = entry.func;
            func.values.iter_mut().for_each(|v| v.name = None);
            Ok(func)
        }
        None => Err(out.diagnostics.into_iter().next().map(|d| d.message).unwrap_or_default()),
    }
}
