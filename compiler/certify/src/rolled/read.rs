//! Reads a program into terms: its outputs by name, entries of stacked ones by theirs.

use super::ports;
use super::refusal::Refusal;
use super::terms::Terms;
use crate::term_ref::TermRef;
use meshloom_ir::{Func, Op, OpData, RegionId, ValueId};
use std::collections::{BTreeMap, HashMap};

/// Ops that running loops on paper may come to, for each op of the given program, and in any case.
const MORE: usize = 8;
const SOME: usize = 10_000;

/// The term of each output. Where the program is the rolled one, of a given program of `unroll` ops, the loops that the given one
/// does not have are run on paper.
///
/// # Errors
/// A value that is read where it is not known.
pub(super) fn outputs(
    terms: &mut Terms,
    func: &Func,
    unroll: Option<usize>,
) -> Result<BTreeMap<String, TermRef>, Refusal> {
    let left = unroll.map(|ops| ops * MORE + SOME);
    let mut reader = Reader { terms, func, left, at: HashMap::new(), bodies: HashMap::new() };
    for (p, &v) in func.inputs.iter().zip(&func.body().args) {
        let ty = func.ty(v);
        let one = ports::entry_type(p, ty);
        let names = ports::names(p, ty).into_iter();
        let all: Vec<TermRef> = names.map(|n| reader.terms.input(n, one.clone())).collect();
        let term = if p.stacked { reader.terms.stack(&all, ty.clone()) } else { all[0] };
        reader.at.insert(v, term);
    }
    let yields = reader.region(Func::BODY)?;
    let mut out = BTreeMap::new();
    for ((p, &v), t) in func.outputs.iter().zip(&func.body().yields).zip(yields) {
        for (i, name) in ports::names(p, func.ty(v)).into_iter().enumerate() {
            let t = if p.stacked { reader.terms.entry(i as u64, t) } else { t };
            out.insert(name, t);
        }
    }
    reader.terms.reading = None;
    Ok(out)
}

struct Reader<'a> {
    terms: &'a mut Terms,
    func: &'a Func,
    /// Ops that may still be read in loops that are run on paper; `None`: no loop is.
    left: Option<usize>,
    at: HashMap<ValueId, TermRef>,
    bodies: HashMap<RegionId, TermRef>,
}

impl Reader<'_> {
    fn of(&self, v: ValueId) -> Result<TermRef, Refusal> {
        let found = self.at.get(&v).copied();
        found.ok_or_else(|| Refusal::whole(format!("a body reads %{} from around it", v.0)))
    }

    /// What a region yields, once its arguments have their terms.
    fn region(&mut self, r: RegionId) -> Result<Vec<TermRef>, Refusal> {
        let func = self.func;
        for &o in &func.region(r).ops {
            let data = func.op(o);
            self.terms.reading = self.left.is_none().then_some(o);
            let of = data.operands.iter().map(|&v| self.of(v)).collect::<Result<Vec<_>, _>>()?;
            let results = match data.regions.as_slice() {
                [] => {
                    let results = data.results.iter().enumerate();
                    results.map(|(i, &v)| self.terms.op(&data.op, i, &of, func.ty(v).clone())).collect()
                }
                regions => self.with_bodies(data, regions, &of)?,
            };
            self.at.extend(data.results.iter().copied().zip(results));
        }
        func.region(r).yields.iter().map(|&v| self.of(v)).collect()
    }

    fn with_bodies(&mut self, data: &OpData, regions: &[RegionId], of: &[TermRef]) -> Result<Vec<TermRef>, Refusal> {
        let func = self.func;
        let mut bodies = Vec::new();
        for &r in regions {
            bodies.push(self.body(r)?);
        }
        let types: Vec<_> = data.results.iter().map(|&v| func.ty(v).clone()).collect();
        if let (&Op::Repeat { trip, early: false, .. }, Some(left), Some(ty)) = (&data.op, self.left, types.first())
            && !self.terms.knows(&data.op, of, &bodies, ty)
        {
            let ops = trip.saturating_mul(func.region(regions[0]).ops.len() as u64 + 1);
            if ops <= left as u64 {
                self.left = Some(left - ops as usize);
                return self.run(data, of);
            }
        }
        let results = types.into_iter().enumerate();
        Ok(results.map(|(i, ty)| self.terms.with_bodies(&data.op, i, of, &bodies, ty)).collect())
    }

    /// A body as a function of its arguments, which are all that it sees.
    fn body(&mut self, r: RegionId) -> Result<TermRef, Refusal> {
        if let Some(&t) = self.bodies.get(&r) {
            return Ok(t);
        }
        let func = self.func;
        let args = func.region(r).args.iter().enumerate();
        let inside = args.map(|(i, &v)| (v, self.terms.arg(i, func.ty(v).clone()))).collect();
        let around = std::mem::replace(&mut self.at, inside);
        // A loop in a body stands there in both programs.
        let left = self.left.take();
        let reading = self.terms.reading;
        let yields = self.region(r);
        (self.at, self.left) = (around, left);
        self.terms.reading = reading;
        let t = self.terms.body(yields?);
        self.bodies.insert(r, t);
        Ok(t)
    }

    /// The results of a loop, iteration by iteration.
    fn run(&mut self, data: &OpData, of: &[TermRef]) -> Result<Vec<TermRef>, Refusal> {
        let func = self.func;
        let &Op::Repeat { trip, reverse, carries, xs, .. } = &data.op else { return Ok(Vec::new()) };
        let (region, args) = (data.regions[0], &func.region(data.regions[0]).args);
        let mut carried = of[..carries].to_vec();
        let mut stacked = vec![vec![None; trip as usize]; data.results.len() - carries];
        for turn in 0..trip {
            let i = if reverse { trip - 1 - turn } else { turn };
            for (j, &a) in args.iter().enumerate() {
                let t = match j {
                    j if j < carries => carried[j],
                    j if j < carries + xs => self.terms.entry(i, of[j]),
                    j => of[j],
                };
                self.at.insert(a, t);
            }
            let yields = self.region(region)?;
            for (list, &y) in stacked.iter_mut().zip(&yields[carries..]) {
                list[i as usize] = Some(y);
            }
            carried = yields[..carries].to_vec();
        }
        let mut out = carried;
        for (list, &v) in stacked.into_iter().zip(&data.results[carries..]) {
            let all: Vec<TermRef> = list.into_iter().flatten().collect();
            out.push(self.terms.stack(&all, func.ty(v).clone()));
        }
        Ok(out)
    }
}
