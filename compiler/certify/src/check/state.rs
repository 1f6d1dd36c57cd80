//! Where a proof stands: what is defined, what is known of padding, and what was rejected.

use super::padding::Known;
use crate::certificate::{Certificate, Claim};
use crate::claim::{Globals, Pins};
use crate::reject::Rejection;
use meshloom_ir::{Def, Func, OpId, ValueId};

pub(crate) struct Checker<'a> {
    pub g: Globals<'a>,
    pub local: &'a Func,
    pub cert: &'a Certificate,
    /// Local values defined so far in the open regions.
    pub(super) seen: Vec<bool>,
    pub known: Known,
    pub(super) pins: Pins,
    pub(super) steps: usize,
    pub(super) rejected: Vec<Rejection>,
}

impl Checker<'_> {
    pub fn reject(&mut self, op: OpId, message: impl Into<String>) {
        self.rejected.push(Rejection::at(self.local, op, message));
    }

    /// Rejects at the op that defines `v`, or at the program where an argument does.
    pub(super) fn reject_value(&mut self, v: ValueId, message: String) {
        match self.local.value(v).def {
            Def::Op(o, _) => self.reject(o, message),
            Def::Arg(r, _) => match self.local.region(r).owner {
                Some(o) => self.reject(o, message),
                None => self.rejected.push(Rejection::program(message)),
            },
        }
    }

    pub fn claim(&self, v: ValueId) -> &Claim {
        &self.cert.values[v.index()]
    }
}
