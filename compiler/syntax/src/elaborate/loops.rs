//! What `for`, `while` and `scan` have in common: the body of a loop is a region whose arguments are the carries, then one
//! entry of each stacked tensor, then what the body reads from outside.
//!
//! Not here: which variables a loop carries ([`super::block`]), and what each kind of loop does with its results.

use super::state::{Elab, IterationNumber, OpenRegion, Scope, Variable};
use super::value::{TensorVal, Val};
use crate::ast::Name;
use meshloom_ir::{DType, Op, RegionId, Span, TensorType, ValueId};
use meshloom_source::Diagnostic;

/// What a loop goes over: a carry from `start` on, and the entries of stacked tensors, from the last one where it is in `reverse`.
pub(super) struct Over<'v> {
    pub count: u64,
    pub start: &'v Val,
    pub stacked: &'v Val,
    pub reverse: bool,
}

/// Makes a body: of the carry and an entry, the next carry's tensors and what is stacked.
type LoopBody<'b, E> = &'b mut dyn FnMut(&mut E, Val, Val) -> Option<(Vec<ValueId>, Val)>;

impl Elab<'_> {
    /// Opens the body of a loop.
    pub(super) fn open_loop(&mut self, span: Span) -> RegionId {
        self.locate(span);
        let id = self.builder.open();
        self.regions.push(OpenRegion {
            id,
            captures: Vec::new(),
            copies: Vec::new(),
            number: IterationNumber::Unasked,
            meaning: false,
        });
        id
    }

    /// Carried variables as arguments of the body `id`: a scope that has them, and their values.
    pub(super) fn carried_arguments(&mut self, id: RegionId, carried: &[Name], initial: &[Val]) -> (Scope, Vec<Val>) {
        let mut scope = Scope::new();
        let mut arguments = Vec::new();
        for (name, value) in carried.iter().zip(initial) {
            let inner = value.map(&mut |t| {
                let arg = self.builder.arg(id, Elab::ir_type(t));
                self.name_value(arg, &name.text);
                TensorVal { id: arg, ..t.clone() }
            });
            arguments.push(inner.clone());
            scope.insert(name.text.clone(), Variable { value: inner, span: name.span });
        }
        (scope, arguments)
    }

    /// One entry of the stacked tensors `element`, as arguments of the body `id`.
    pub(super) fn entry_arguments(&mut self, id: RegionId, element: &Val) -> Val {
        element.map(&mut |t| {
            let dims = t.dims.get(1..).unwrap_or(&[]).to_vec();
            let ty = TensorType::new(t.dtype, dims.iter().map(|d| d.size).collect::<Vec<_>>());
            let arg = self.builder.arg(id, ty);
            self.same_source(t.id, arg);
            self.entry_of_state(t.id, arg);
            TensorVal { id: arg, dtype: t.dtype, dims, units: Vec::new() }
        })
    }

    /// A `repeat` whose body `body` makes, of the carry and an entry: the next carry's tensors, and what is stacked. Gives the last carry
    /// and what was stacked, and one iteration's part of the latter; `None` where something was reported.
    pub(super) fn loop_over(
        &mut self,
        over: &Over<'_>,
        span: Span,
        body: LoopBody<'_, Self>,
    ) -> Option<(Vec<ValueId>, Val)> {
        let (first, sliced) = (over.start.tensors(), over.stacked.tensors());
        let mut operands: Vec<ValueId> = first.iter().chain(&sliced).map(|t| t.id).collect();
        let (carries, sliced) = (first.len(), sliced.len());
        let id = self.open_loop(span);
        let carry = over.start.map(&mut |t| TensorVal { id: self.builder.arg(id, Elab::ir_type(t)), ..t.clone() });
        let item = self.entry_arguments(id, over.stacked);
        let made = body(self, carry, item);
        let told = self.told_here();
        let also = made.iter().flat_map(|m| m.1.tensors()).count();
        let yields = made
            .iter()
            .flat_map(|(next, y)| next.iter().copied().chain(y.tensors().iter().map(|t| t.id)).collect::<Vec<_>>());
        let yields: Vec<ValueId> = yields.chain(told.iter().map(|t| t.value.id)).collect();
        let ids: Vec<ValueId> = yields.into_iter().map(|v| self.here(v)).collect();
        self.builder.close(if made.is_some() { ids } else { Vec::new() });
        let region = self.regions.pop()?;
        let numbers = self.captured(&region, over.count, carries + sliced, &mut operands, span)?;
        let (_, y) = made.filter(|_| !self.exhausted)?;
        let operands: Vec<ValueId> = operands.into_iter().map(|v| self.here(v)).collect();
        self.locate(span);
        match self.builder.repeat(over.count, over.reverse, carries, sliced + numbers, &operands, id) {
            Ok(results) => {
                self.told_by_loop(told, results.get(carries + also..).unwrap_or_default(), over.count);
                Some((results, y))
            }
            Err(message) => {
                self.error(Diagnostic::error("invalid", message).at(span, "in this scan"));
                None
            }
        }
    }

    /// Closes the body of a loop of `trip` iterations after `ports` arguments and `operands`. If the body asked for the
    /// number of its iteration, the numbers become one more stacked operand. Gives how many were added, 0 or 1; `None`
    /// where something was reported.
    pub(super) fn captured(
        &mut self,
        region: &OpenRegion,
        trip: u64,
        ports: usize,
        operands: &mut Vec<ValueId>,
        span: Span,
    ) -> Option<usize> {
        let mut added = 0;
        if let IterationNumber::Argument(number) = region.number {
            let numbers = Op::Iota { dtype: DType::I32, shape: vec![trip], dim: 0, shard: Vec::new() };
            operands.push(self.emit(numbers, &[], span)?);
            self.builder.move_arg(region.id, number, ports);
            added = 1;
        }
        operands.extend(region.captures.iter().map(|c| c.0));
        Some(added)
    }

    /// Gives carried variables their values after the loop.
    pub(super) fn assign_carried(
        &mut self,
        carried: &[Name],
        initial: Vec<Val>,
        mut results: impl Iterator<Item = ValueId>,
    ) {
        for (name, value) in carried.iter().zip(initial) {
            let after = value.map(&mut |t| TensorVal { id: results.next().unwrap_or(t.id), ..t.clone() });
            for t in after.tensors() {
                self.name_value(t.id, &name.text);
            }
            self.assign(name, after);
        }
    }

    /// Gives carried variables no value, after something wrong was reported.
    pub(super) fn fail_carried(&mut self, carried: &[Name]) {
        carried.iter().for_each(|name| self.assign(name, Val::Error));
    }
}
