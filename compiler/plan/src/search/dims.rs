//! The dims of a model, across its tensors. Dims that ops tie together by a factor are one dim of the model (the batch, the
//! heads, the vocabulary), forward, backward and in the optimizer. Data, tensor, sequence and expert parallelism all lay a mesh
//! axis along one such dim everywhere at once. No site would begin that move alone.

use super::homes;
use super::problem::{Choice, Problem, SearchTensor, SiteSource};
use crate::saturate::port_sources;
use crate::saturate::program::{RegionPort, SearchedProgram};
use meshloom_ir::{Func, Op, OpId, Role, ValueId};
use std::collections::BTreeMap;
use std::rc::Rc;

pub struct Dims {
    /// Model dims by how many elements they run through, most first.
    pub order: Vec<usize>,
    pub axes: usize,
    /// Tensors that are optimizer state, by position; none where no loop is in another, so that no sums go through both.
    pub state: Vec<u32>,
}

/// By op and factor: a dim that the factor runs along.
type Factors = BTreeMap<(OpId, usize), u32>;

/// Dims of values, of which some are one.
struct Union {
    parent: Vec<u32>,
    /// By value: where its dims start.
    first: Vec<u32>,
}

impl Union {
    fn find(&mut self, mut x: u32) -> u32 {
        while self.parent[x as usize] != x {
            self.parent[x as usize] = self.parent[self.parent[x as usize] as usize];
            x = self.parent[x as usize];
        }
        x
    }

    fn dim(&self, v: ValueId, d: usize) -> u32 {
        self.first[v.index()] + d as u32
    }

    fn tie(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a.max(b) as usize] = a.min(b);
    }
}

impl Dims {
    /// Finds them, and notes in the problem's options which each axis is laid along.
    pub fn new(program: &SearchedProgram<'_>, problem: &mut Problem) -> Dims {
        let func = program.func;
        let mut u = Union { parent: Vec::new(), first: Vec::new() };
        for v in &func.values {
            u.first.push(u.parent.len() as u32);
            let n = u.parent.len() as u32;
            u.parent.extend(n..n + v.ty.shape.len() as u32);
        }
        let mut factors = Factors::new();
        for &o in &program.order {
            let Some(rule) = program.rule(o) else {
                continue;
            };
            let data = func.op(o);
            let sides = [(&data.operands, &rule.operands), (&data.results, &rule.results)];
            for (vs, lists) in sides {
                for (&v, dims) in vs.iter().zip(lists) {
                    for (d, fs) in dims.iter().enumerate() {
                        // An axis splits a dim by its major factor.
                        let Some(&f) = fs.iter().find(|&&f| rule.sizes[f] != 1) else {
                            continue;
                        };
                        let here = u.dim(v, d);
                        // What merely copies along a dim ties nothing.
                        if program.generated(v) {
                            continue;
                        }
                        match factors.get(&(o, f)) {
                            Some(&there) => u.tie(here, there),
                            None => _ = factors.insert((o, f), here),
                        }
                    }
                }
            }
        }
        for v in (0..func.values.len() as u32).map(ValueId).filter(|&v| program.live(v)) {
            same(&mut u, program, v, program.rep(v), 0);
            let Some(p) = program.port(v) else {
                continue;
            };
            for s in port_sources(program, p, v) {
                let shift =
                    i64::from(matches!(p, RegionPort::Slice(..))) - i64::from(matches!(p, RegionPort::Stack(..)));
                same(&mut u, program, v, s, shift);
            }
        }
        let mut weight: BTreeMap<u32, u128> = BTreeMap::new();
        for v in (0..func.values.len() as u32).map(ValueId).filter(|&v| program.live(v) && !program.generated(v)) {
            for d in 0..func.ty(v).rank() {
                if func.ty(v).shape[d] > 1 {
                    let root = u.dim(v, d);
                    let root = u.find(root);
                    *weight.entry(root).or_default() +=
                        u128::from(func.ty(v).elements()) * u128::from(program.weight(v));
                }
            }
        }
        let mut roots: Vec<(u128, u32)> = weight.into_iter().map(|(r, w)| (w, r)).collect();
        roots.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        // Each has a bit; the rest, least in use, is left to the other moves.
        roots.truncate(u64::BITS as usize);
        let number: BTreeMap<u32, usize> = roots.iter().enumerate().map(|(i, r)| (r.1, i)).collect();
        ModelDims { union: u, number, factors }.note_laid(program, problem);
        problem.families = homes::families(program, problem);
        let tensors = &problem.tensors;
        let inner = |o: &&OpId| matches!(func.op(**o).op, Op::Repeat { .. }) && func.op(**o).parent != Func::BODY;
        let nested = program.order.iter().any(|o| inner(&o));
        let kept = |t: &&(u32, ValueId)| match program.port(t.1) {
            Some(RegionPort::Input(i)) => nested && func.inputs[i].role == Role::State,
            _ => false,
        };
        let tensors: Vec<(u32, ValueId)> = (0..).zip(tensors.iter().map(|t| t.value)).collect();
        let state = tensors.iter().filter(kept).map(|t| t.0).collect();
        Dims { order: (0..roots.len()).collect(), axes: program.axes.len(), state }
    }
}

/// Which dim of the model each dim of a value, and each factor of an op, is one with.
struct ModelDims {
    union: Union,
    /// By root of the union: its number, for those that are told apart.
    number: BTreeMap<u32, usize>,
    factors: Factors,
}

impl ModelDims {
    /// Notes in the options of a problem which each axis is laid along, and which sites lay it along what.
    fn note_laid(mut self, program: &SearchedProgram<'_>, problem: &mut Problem) {
        let Problem { sites, tensors, .. } = problem;
        let mut laid = vec![vec![Vec::new(); self.number.len()]; program.axes.len()];
        for (s, site) in (0..).zip(sites) {
            let mut any = vec![0u64; program.axes.len()];
            for option in &mut site.options {
                option.along = self.along(program, tensors, option);
                any.iter_mut().zip(&option.along).for_each(|(any, along)| *any |= along);
            }
            for (any, sites) in any.into_iter().zip(&mut laid) {
                sites.iter_mut().enumerate().filter(|(d, _)| any >> d & 1 == 1).for_each(|(_, sites)| sites.push(s));
            }
        }
        problem.laid = laid.into_iter().map(|dims| dims.into_iter().map(Rc::from).collect()).collect();
    }

    /// By axis: the model dims that an option lays it along.
    fn along(&mut self, program: &SearchedProgram<'_>, tensors: &[SearchTensor], option: &Choice) -> Box<[u64]> {
        let ModelDims { union: u, number, factors } = self;
        let mut out = vec![0u64; program.axes.len()];
        match option.source {
            SiteSource::Op(o) => {
                for (axis, &slot) in option.slots.iter().enumerate().filter(|s| (1..1000).contains(s.1)) {
                    if let Some(&at) = factors.get(&(o, slot as usize - 1))
                        && let Some(&n) = number.get(&u.find(at))
                    {
                        out[axis] |= 1 << n;
                    }
                }
            }
            _ => {
                let wants = if option.natives.is_empty() { &option.kids } else { &option.natives };
                for w in wants.iter().take(1) {
                    let v = tensors[w.tensor as usize].value;
                    for (axis, &slot) in option.slots.iter().enumerate().filter(|s| (1..1000).contains(s.1)) {
                        let at = u.dim(v, slot as usize - 1);
                        if let Some(&n) = number.get(&u.find(at)) {
                            out[axis] |= 1 << n;
                        }
                    }
                }
            }
        }
        out.into()
    }
}

/// Both values are one tensor, but for `shift` leading dims that the second has more.
fn same(u: &mut Union, program: &SearchedProgram<'_>, v: ValueId, w: ValueId, shift: i64) {
    let (n, m) = (program.func.ty(v).rank() as i64, program.func.ty(w).rank() as i64);
    for d in 0..n {
        let e = d + shift;
        if e >= 0 && e < m {
            let (a, b) = (u.dim(v, d as usize), u.dim(w, e as usize));
            u.tie(a, b);
        }
    }
}
