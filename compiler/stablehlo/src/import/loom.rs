//! Ops that are programs: what they compute is written in Loom, in files beside the functions that import them.
//!
//! `syntax` elaborates a call of such a function for the types of the operands, and its ops stand in the place of the op.

use super::state::Import;
use meshloom_ir::{Func, ValueId, copy};
use meshloom_source::{FrontOptions, Outcome};
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
        let program = format!("entry called({}) {{ {call} }}\nconst {constants}\n{text}", self.parameters_of(operands));
        self.inlined_loom(program, operands, elaborate::without_library)
    }

    /// As [`Import::loom`], of a function of Loom's library, such as `attention(x0, x1, x2)`.
    ///
    /// # Errors
    /// What the operands do not fit.
    pub fn library(&mut self, call: &str, operands: &[ValueId]) -> Result<Vec<ValueId>, String> {
        let program = format!("entry called({}) {{ {call} }}\n", self.parameters_of(operands));
        self.inlined_loom(program, operands, |name, text| elaborate::compile(name, text, &FrontOptions::default()))
    }

    /// `x0: f32[2, 3], x1: i32[]`
    fn parameters_of(&self, operands: &[ValueId]) -> String {
        let parameter = |(k, &v): (usize, &ValueId)| format!("x{k}: {}", self.b.ty(v));
        operands.iter().enumerate().map(parameter).collect::<Vec<_>>().join(", ")
    }

    fn inlined_loom(
        &mut self,
        program: String,
        operands: &[ValueId],
        read: impl Fn(&str, &str) -> Outcome,
    ) -> Result<Vec<ValueId>, String> {
        let mut func = match self.elaborated.get(&program) {
            Some(known) => known.clone(),
            None => {
                let made = elaborated(read("called.loom", &program))?;
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
fn elaborated(out: Outcome) -> Result<Func, String> {
    match out.elaborated.and_then(|e| e.entries.into_iter().next()) {
        Some(entry) => {
            let mut func = entry.func;
            func.values.iter_mut().for_each(|v| v.name = None);
            Ok(func)
        }
        None => Err(out.diagnostics.into_iter().next().map(|d| d.message).unwrap_or_default()),
    }
}
