//! `while condition, at_most: n { .. }`: a loop that goes on as long as a computed bool holds.
//!
//! It is the `repeat` of a `for` with one more carry, whether it still goes on: a round after the condition failed leaves every
//! variable as it is. So it is planned, certified and differentiated as any loop, and the number of its rounds, which memory and
//! costs depend on, is known while compiling. All rounds are run.

use super::value::{Num, Tensor, Val};
use super::{Elab, OpenRegion, Rounds, Scope, Variable};
use crate::ast::{Block, Expr, Name};
use crate::diagnostic::Diagnostic;
use meshloom_ir::verify::{MAX_NESTING, MAX_TRIP};
use meshloom_ir::{DType, Op, Span, TensorType, ValueId};

impl Elab<'_> {
    pub(super) fn while_loop(&mut self, span: Span, condition: &Expr, most: &Expr, body: &Block) {
        let carried = self.assigned(body);
        if self.while_region(span, condition, most, body, &carried).is_none() {
            carried.iter().for_each(|name| self.assign(name, Val::Error));
        }
    }

    /// `None` where something was reported.
    fn while_region(
        &mut self,
        span: Span,
        condition: &Expr,
        most: &Expr,
        body: &Block,
        carried: &[Name],
    ) -> Option<()> {
        let trip = self.at_most(most)?;
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
        let carries = operands.len();

        self.locate(span);
        let id = self.builder.open();
        self.regions.push(OpenRegion { id, captures: Vec::new(), copies: Vec::new(), rounds: Rounds::Unasked });
        let going = self.builder.arg(id, TensorType::scalar(DType::Bool));
        let mut scope = Scope::new();
        let mut before = Vec::new();
        for (name, value) in carried.iter().zip(&initial) {
            let inner = value.map(&mut |t| {
                let arg = self.builder.arg(id, Elab::ir_type(t));
                self.name_value(arg, &name.text);
                Tensor { id: arg, ..t.clone() }
            });
            before.push(inner.clone());
            scope.insert(name.text.clone(), Variable { value: inner, span: name.span });
        }
        self.frame().scopes.push(scope);
        self.loop_body(body);
        let next = self.expr(condition);
        let scope = self.frame().scopes.pop().unwrap_or_default();
        let yields = self.while_yields(&next, condition, body, going, carried, &before, &scope);
        let closed: Vec<ValueId> = yields.clone().unwrap_or_default().into_iter().map(|v| self.here(v)).collect();
        self.builder.close(closed);
        let region = self.regions.pop()?;
        yields.filter(|_| !self.exhausted)?;

        let mut xs = 0;
        if let Rounds::Argument(round) = region.rounds {
            let numbers = Op::Iota { dtype: DType::I32, shape: vec![trip], dim: 0, shard: Vec::new() };
            operands.push(self.emit(numbers, &[], span)?);
            self.builder.move_arg(id, round, carries);
            xs = 1;
        }
        operands.extend(region.captures.iter().map(|c| c.0));
        let operands: Vec<ValueId> = operands.into_iter().map(|v| self.here(v)).collect();
        self.locate(span);
        match self.builder.repeat(trip, false, carries, xs, &operands, id) {
            Ok(results) => {
                let mut results = results.into_iter().skip(1);
                for (name, value) in carried.iter().zip(initial) {
                    let after = value.map(&mut |t| Tensor { id: results.next().unwrap_or(t.id), ..t.clone() });
                    for t in after.tensors() {
                        self.name_value(t.id, &name.text);
                    }
                    self.assign(name, after);
                }
                Some(())
            }
            Err(message) => {
                self.error(Diagnostic::error("invalid", message).at(span, "in this loop"));
                None
            }
        }
    }

    /// Whether the next round goes on, and each variable after this one, which changes it only if this one went on.
    #[allow(clippy::too_many_arguments)] // the parts of a `while`
    fn while_yields(
        &mut self,
        next: &Val,
        condition: &Expr,
        body: &Block,
        going: ValueId,
        carried: &[Name],
        before: &[Val],
        scope: &Scope,
    ) -> Option<Vec<ValueId>> {
        let next = self.goes_on(next, condition)?;
        let still = Op::elem("and")?;
        let mut yields = vec![self.emit(still, &[going, next], condition.span)?];
        for (name, before) in carried.iter().zip(before) {
            let after = scope.get(&name.text).map_or(Val::Error, |v| v.value.clone());
            let ids = self.carried_back(name, before, &after, body.span)?;
            for (t, id) in before.tensors().iter().zip(ids) {
                if t.id == id {
                    yields.push(id);
                    continue;
                }
                let shape = t.shape();
                let mask = if shape.is_empty() {
                    going
                } else {
                    self.emit(Op::Broadcast { shape, dims: Vec::new() }, &[going], name.span)?
                };
                let select = Op::elem("select")?;
                yields.push(self.emit(select, &[mask, id, t.id], name.span)?);
            }
        }
        Some(yields)
    }

    fn at_most(&mut self, most: &Expr) -> Option<u64> {
        let d = match self.expr(most) {
            Val::Number(Num::Int(n), _) if (1..=MAX_TRIP as i64).contains(&n) => return Some(n as u64),
            Val::Error => return None,
            Val::Number(n, _) => {
                Diagnostic::error("size", format!("a loop has from 1 to {MAX_TRIP} rounds, not {n}")).at(most.span, "")
            }
            other => Diagnostic::error("not-constant", format!("`at_most` is a constant whole number, not {other}"))
                .at(most.span, "not known while compiling")
                .help("memory is planned before anything runs, and for as many rounds"),
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
                .help("for a fixed number of rounds, use `for i in 0..n`"),
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
