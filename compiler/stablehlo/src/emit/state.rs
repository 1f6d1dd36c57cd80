//! What is known while a program is written: the text so far, the names of its values, and what could not be said.
//!
//! Not here: any op. Those that write ops stand above this, and the table of them ([`super`]) above all.

use super::text::{Text, TextValue};
use meshloom_ir::{Func, OpData, ValueId};
use meshloom_source::Diagnostic;

/// Writes an op: its results, or a sentence about what is in the way.
pub type EmitRule = fn(&mut Emit<'_>, &OpData, &[TextValue]) -> Result<Vec<TextValue>, String>;

/// A rule that was asked for another op than its own.
pub fn mismatch<T>() -> Result<T, String> {
    Err("the table of rules names the wrong one".to_string())
}

pub struct Emit<'f> {
    pub func: &'f Func,
    pub out: Text,
    /// What each value is called in the text.
    pub values: Vec<Option<TextValue>>,
    pub errors: Vec<Diagnostic>,
    /// Collectives so far: each has a channel of its own.
    pub channels: usize,
}

impl<'f> Emit<'f> {
    pub fn new(func: &'f Func) -> Emit<'f> {
        let values = vec![None; func.values.len()];
        Emit { func, out: Text::default(), values, errors: Vec::new(), channels: 0 }
    }

    pub fn value(&self, v: ValueId) -> TextValue {
        // The verifier saw to it that values are defined before they are used.
        self.values[v.index()].clone().unwrap_or_else(|| TextValue::new("%undefined", self.func.ty(v).clone()))
    }
}
