//! `while condition { .. }` and `while condition, at_most: n { .. }`: a loop that runs as long as a computed bool
//! holds.
//!
//! It becomes the IR's `while`, whose first carry says whether the loop goes on. The condition is computed before the
//! loop and again at the end of each iteration, so there is one body and no region for the condition. Once the
//! condition fails, no further iteration runs. The number of iterations is not known while compiling. So no gradient
//! goes back through the loop, and the loop itself counts its iterations, which random numbers need.

use super::state::{Elab, IterationNumber, Scope};
use super::value::{Num, Val};
use crate::ast::{Block, Expr, Name};
use meshloom_ir::verify::{MAX_NESTING, MAX_TRIP};
use meshloom_ir::{DType, Span, TensorType, ValueId};
use meshloom_source::Diagnostic;

impl Elab<'_> {
    pub(super) fn while_loop(&mut self, span: Span, condition: &Expr, most: Option<&Expr>, body: &Block) {
        let carried = self.assigned(body);
        if self.while_region(span, condition, most, body, &carried).is_none() {
            self.fail_carried(&carried);
        }
    }

    /// `None` where something was reported.
    fn while_region(
        &mut self,
        span: Span,
        condition: &Expr,
        most: Option<&Expr>,
        body: &Block,
        carried: &[Name],
    ) -> Option<()> {
        let trip = match most {
            Some(most) => Some(self.at_most(most)?),
            None => None,
        };
        if carried.is_empty() {
            let d = Diagnostic::error("loop-type", "this loop changes no variable, so its condition stays as it is");
            self.error(d.at(condition.span, "").help("assign a variable that is declared before the loop"));
            return None;
        }
        let first = match self.expr(condition) {
            Val::Bool(false) => return Some(()),
            value => self.goes_on(&value, condition)?,
        };
        if self.regions.len() + 2 > MAX_NESTING {
            let message = format!("loops nest at most {} deep", MAX_NESTING - 2);
            self.error(Diagnostic::error("too-large", message).at(span, ""));
            return None;
        }
        let mut operands = vec![first];
        let mut initial: Vec<Val> = Vec::new();
        for name in carried {
            let v = self.variable(&name.text)?.clone();
            let value = self.carry(name, &v);
            if value.is_error() {
                return None;
            }
            operands.extend(value.tensors().iter().map(|t| t.id));
            initial.push(value);
        }
        let mut carries = operands.len();

        let id = self.open_loop(span);
        self.builder.arg(id, TensorType::scalar(DType::Bool));
        let (scope, before) = self.carried_arguments(id, carried, &initial);
        self.frame().scopes.push(scope);
        self.loop_body(body);
        let next = self.expr(condition);
        let scope = self.frame().scopes.pop().unwrap_or_default();
        let mut yields = self.while_yields(&next, condition, body, carried, &before, &scope);
        let number = match self.regions.last()?.number {
            IterationNumber::Argument(number) => Some(number),
            _ => None,
        };
        if let (Some(number), Some(yields)) = (number, &mut yields) {
            let one = self.builder.constant(DType::I32, &[], 1.0);
            yields.push(self.builder.add(number, one));
        }
        let closed: Vec<ValueId> = yields.clone().unwrap_or_default().into_iter().map(|v| self.here(v)).collect();
        self.builder.close(closed);
        let told = self.told_here();
        let region = self.regions.pop()?;
        self.nothing_told(
            told,
            "a `while`",
            "its number of iterations is not known: carry the value out in a variable",
        );
        yields.filter(|_| !self.exhausted)?;

        if let Some(number) = number {
            operands.push(self.builder.constant(DType::I32, &[], 0.0));
            self.builder.move_arg(id, number, carries);
            carries += 1;
        }
        operands.extend(region.captures.iter().map(|c| c.0));
        let operands: Vec<ValueId> = operands.into_iter().map(|v| self.here(v)).collect();
        self.locate(span);
        match self.builder.while_loop(trip, carries, &operands, id) {
            Ok(results) => {
                self.assign_carried(carried, initial, results.into_iter().skip(1));
                Some(())
            }
            Err(message) => {
                self.error(Diagnostic::error("invalid", message).at(span, "in this loop"));
                None
            }
        }
    }

    /// Whether there is a next iteration, and each variable after this one.
    fn while_yields(
        &mut self,
        next: &Val,
        condition: &Expr,
        body: &Block,
        carried: &[Name],
        before: &[Val],
        scope: &Scope,
    ) -> Option<Vec<ValueId>> {
        let mut yields = vec![self.goes_on(next, condition)?];
        for (name, before) in carried.iter().zip(before) {
            let after = scope.get(&name.text).map_or(Val::Error, |v| v.value.clone());
            yields.extend(self.carried_back(name, before, &after, body.span)?);
        }
        Some(yields)
    }

    fn at_most(&mut self, most: &Expr) -> Option<u64> {
        let d = match self.expr(most) {
            Val::Number(Num::Int(n), _) if (1..=MAX_TRIP as i64).contains(&n) => return Some(n as u64),
            Val::Error => return None,
            Val::Number(n, _) => {
                Diagnostic::error("size", format!("a loop has from 1 to {MAX_TRIP} iterations, not {n}"))
                    .at(most.span, "")
            }
            other => Diagnostic::error("not-constant", format!("`at_most` is a constant whole number, not {other}"))
                .at(most.span, "not known while compiling")
                .help("leave it out for a loop without a limit, or make the limit a part of the condition"),
        };
        self.error(d);
        None
    }

    /// The condition as a scalar of the IR.
    fn goes_on(&mut self, value: &Val, condition: &Expr) -> Option<ValueId> {
        let d = match value {
            Val::Tensor(t) if t.dtype == DType::Bool && t.rank() == 0 => {
                return self.solid(t, condition.span).map(|t| t.id);
            }
            Val::Error => return None,
            Val::Bool(_) => Diagnostic::error("loop-type", "this condition does not depend on what the loop computes")
                .at(condition.span, "a constant")
                .help("for a fixed number of iterations, use `for i in 0..n`"),
            other => {
                Diagnostic::error("type-mismatch", format!("`while` goes on as long as one bool holds, not {other}"))
                    .at(condition.span, "")
                    .help("make one number of a tensor before comparing it: `max(abs(x)) > 1e-6`")
            }
        };
        self.error(d);
        None
    }
}
