//! The engine of both interpreters: runs regions op by op for a number of devices in lock step. A tensor lives from its
//! definition to its last use. Regions take all they use as arguments, so one slot per value is enough even in loops.

use super::collective::{self, Wire};
use crate::graph::{Func, OpData, OpId, RegionId, ValueId};
use crate::op::Op;
use crate::table::{self, EvalCx};
use crate::tensor::{Data, Tensor};
use crate::types::TensorType;
use crate::verify::{show, verify};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The most elements that a tensor may have here: 1 GiB of them.
pub const MAX_INTERPRETED: u64 = 1 << 27;

/// One value on every device.
pub type Row = Vec<Rc<Tensor>>;
/// Several values on every device.
pub type Rows = Vec<Row>;

pub struct Machine<'a> {
    func: &'a Func,
    devices: u64,
    slots: Vec<Option<Row>>,
    /// For each op the values that nobody needs after it.
    dies: Vec<Vec<ValueId>>,
    /// Bytes that each device sent, per collective.
    pub sent: BTreeMap<OpId, Vec<u64>>,
}

impl<'a> Machine<'a> {
    pub fn new(func: &'a Func, devices: u64) -> Result<Machine<'a>, String> {
        verify(func).map_err(|e| show(func, &e))?;
        let mut machine = Machine {
            func,
            devices,
            slots: vec![None; func.values.len()],
            dies: vec![Vec::new(); func.ops.len()],
            sent: BTreeMap::new(),
        };
        machine.lifetimes(Func::BODY)?;
        Ok(machine)
    }

    fn lifetimes(&mut self, r: RegionId) -> Result<(), String> {
        let func = self.func;
        let region = func.region(r);
        let mut needed: Vec<ValueId> = region.yields.clone();
        needed.sort_unstable();
        let mut later: std::collections::BTreeSet<ValueId> = needed.into_iter().collect();
        for &v in &region.args {
            fits(func.ty(v))?;
        }
        for &o in region.ops.iter().rev() {
            let data = func.op(o);
            for &v in data.results.iter().chain(&data.operands) {
                if later.insert(v) {
                    self.dies[o.index()].push(v);
                }
            }
            for &v in &data.results {
                fits(func.ty(v))?;
            }
            for &inner in &data.regions {
                self.lifetimes(inner)?;
            }
        }
        Ok(())
    }

    /// Runs the function's body; one row per input and output.
    pub fn run(&mut self, inputs: Rows) -> Result<Rows, String> {
        let func = self.func;
        let args = &func.body().args;
        if inputs.len() != args.len() {
            return Err(format!("`{}` has {} inputs; {} were given", func.name, args.len(), inputs.len()));
        }
        for ((row, &v), port) in inputs.iter().zip(args).zip(&func.inputs) {
            if let Some(t) = row.iter().find(|t| t.ty != *func.ty(v)) {
                let (want, got) = (func.ty(v), &t.ty);
                return Err(format!("input `{}` is {want}; {got} was given", port.name));
            }
        }
        self.region(Func::BODY, inputs)
    }

    fn region(&mut self, r: RegionId, args: Rows) -> Result<Rows, String> {
        let region = self.func.region(r);
        for (&v, row) in region.args.iter().zip(args) {
            self.slots[v.index()] = Some(row);
        }
        for &o in &region.ops {
            self.op(o)?;
        }
        let out = region.yields.iter().map(|&v| self.get(v)).collect();
        for &v in region.args.iter().chain(&region.yields) {
            self.slots[v.index()] = None;
        }
        Ok(out)
    }

    fn get(&self, v: ValueId) -> Row {
        self.slots[v.index()].clone().expect("the verifier saw that definitions come before uses")
    }

    fn op(&mut self, o: OpId) -> Result<(), String> {
        let data = self.func.op(o);
        let operands: Rows = data.operands.iter().map(|&v| self.get(v)).collect();
        let results = match &data.op {
            Op::Repeat { .. } => self.repeat(data, operands)?,
            Op::Composite { .. } => self.region(data.regions[0], operands)?,
            op if op.collective_axes().is_some() => {
                let mut wire = Wire::new(self.devices);
                let row = collective::run(op, &self.func.mesh, &operands[0], &mut wire);
                let sent = self.sent.entry(o).or_insert_with(|| vec![0; self.devices as usize]);
                for (total, s) in sent.iter_mut().zip(wire.sent) {
                    *total += s;
                }
                vec![row.into_iter().map(Rc::new).collect()]
            }
            op => vec![self.compute(op, &operands)?],
        };
        for (&v, row) in data.results.iter().zip(results) {
            self.slots[v.index()] = Some(row);
        }
        for v in &self.dies[o.index()] {
            self.slots[v.index()] = None;
        }
        Ok(())
    }

    fn compute(&self, op: &Op, operands: &Rows) -> Result<Row, String> {
        let def = table::def(op).ok_or_else(|| format!("`{}` cannot be evaluated", op.name()))?;
        Ok((0..self.devices)
            .map(|device| {
                let xs: Vec<&Tensor> = operands.iter().map(|r| &*r[device as usize]).collect();
                let mesh = &self.func.mesh;
                Rc::new((def.eval)(op, &xs, &EvalCx { mesh, device }))
            })
            .collect())
    }

    fn repeat(&mut self, data: &OpData, mut operands: Rows) -> Result<Rows, String> {
        let &Op::Repeat { trip, reverse, carries, xs, early } = &data.op else { unreachable!("called for repeat") };
        let invariants = operands.split_off(carries + xs);
        let stacked = operands.split_off(carries);
        let mut carried = operands;
        let mut ys: Vec<Rows> = vec![Vec::new(); data.results.len() - carries];
        for step in 0..trip {
            if early && !goes_on(&carried[0])? {
                break;
            }
            let i = if reverse { trip - 1 - step } else { step };
            let slices = stacked.iter().map(|row| row.iter().map(|t| Rc::new(row_of(t, i as usize))).collect::<Row>());
            let args = carried.into_iter().chain(slices).chain(invariants.iter().cloned());
            let args: Rows = args.collect();
            carried = self.region(data.regions[0], args)?;
            for (y, row) in ys.iter_mut().zip(carried.split_off(carries)) {
                y.push(row);
            }
        }
        for (mut y, &v) in ys.into_iter().zip(&data.results[carries..]) {
            if reverse {
                y.reverse();
            }
            let stack = |d: usize| Rc::new(stack(self.func.ty(v), y.iter().map(|row| &*row[d])));
            carried.push((0..self.devices as usize).map(stack).collect());
        }
        Ok(carried)
    }
}

/// What the condition of a `while` says, on all devices alike.
fn goes_on(row: &Row) -> Result<bool, String> {
    let first = row[0].i(0) != 0;
    match row.iter().all(|t| (t.i(0) != 0) == first) {
        true => Ok(first),
        false => Err("devices do not agree on whether a `while` goes on".into()),
    }
}

/// Whether a tensor is small enough. Sizes of zero are left out of the product: strides are computed from the others.
fn fits(ty: &TensorType) -> Result<(), String> {
    let n = ty.shape.iter().fold(1u64, |n, &d| n.saturating_mul(d.max(1)));
    if n <= MAX_INTERPRETED {
        return Ok(());
    }
    Err(format!("{ty} is too large to interpret (at most {MAX_INTERPRETED} elements)"))
}

/// Entry `i` along dim 0.
fn row_of(t: &Tensor, i: usize) -> Tensor {
    let ty = TensorType::new(t.ty.dtype, &t.ty.shape[1..]);
    let n = ty.elements() as usize;
    let data = match &t.data {
        Data::Float(v) => Data::Float(v[i * n..(i + 1) * n].to_vec()),
        Data::Int(v) => Data::Int(v[i * n..(i + 1) * n].to_vec()),
    };
    Tensor { ty, data }
}

/// The tensors as entries along a new dim 0.
fn stack<'t>(ty: &TensorType, rows: impl Iterator<Item = &'t Tensor>) -> Tensor {
    let mut out = Tensor::zeros(&TensorType::new(ty.dtype, vec![0]));
    for t in rows {
        match (&mut out.data, &t.data) {
            (Data::Float(o), Data::Float(v)) => o.extend(v),
            (Data::Int(o), Data::Int(v)) => o.extend(v),
            _ => unreachable!("one dtype, as the verifier saw to"),
        }
    }
    out.ty = ty.clone();
    out
}
