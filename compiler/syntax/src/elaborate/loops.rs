//! What `for`, `while` and `scan` have in common: the body of a loop is a region whose arguments are the carries, then one
//! entry of each stacked tensor, then what the body reads from outside.
//!
//! Not here: which variables a loop carries ([`super::block`]), and what each kind of loop does with its results.

use super::state::{Elab, IterationNumber, OpenRegion, Scope, Variable};
use super::value::{TensorVal, Val};
use crate::ast::Name;
use meshloom_ir::{DType, Op, RegionId, Span, TensorType, ValueId};

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
