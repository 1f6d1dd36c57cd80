//! What a `train` asks of its optimizer.

use super::program::FnRef;
use crate::ast::{Expr, Name};
use meshloom_ir::Span;

/// A setting that `train` gives.
pub(super) type Setting<'a> = (&'a Name, &'a Expr);

/// What a function of an update is made from.
pub(super) struct Request<'a> {
    pub optimizer: FnRef<'a>,
    /// Code of the declaration is seen as this function sees it.
    pub user: FnRef<'a>,
    /// The optimizer's name where the declaration calls it.
    pub callee: &'a Name,
    pub call: Span,
    pub settings: Vec<Setting<'a>>,
    /// Limit of each element of the gradient.
    pub clip_value: Option<Setting<'a>>,
    /// Decay of the exponential moving average, where one is kept.
    pub ema: Option<Setting<'a>>,
}
