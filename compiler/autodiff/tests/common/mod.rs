//! What the tests share: evaluation, programs built by hand, finite differences.
#![allow(dead_code, reason = "each test binary uses a part")]

use meshloom_ir::table::{self, EvalCx};
use meshloom_ir::{Builder, Constraint, Func, Mesh, Op, Port, RegionId, Role, Span, Tensor, TensorType, ValueId};
use std::collections::BTreeMap;

pub fn port(name: &str, role: Role, rank: usize) -> Port {
    Port {
        name: name.into(),
        role,
        constraint: Constraint::absent(rank),
        stacked: false,
        init: None,
        range: None,
        updates: None,
        span: Span::default(),
    }
}

pub fn input(b: &mut Builder, name: &str, role: Role, ty: TensorType) -> ValueId {
    let rank = ty.rank();
    b.input(ty, port(name, role, rank))
}

pub fn loss(b: &mut Builder, v: ValueId) {
    b.output(v, port("loss", Role::Loss, 0));
}

pub fn mesh() -> Mesh {
    Mesh::new([("data", 1)])
}

pub fn eval(f: &Func, inputs: &[Tensor]) -> Vec<Tensor> {
    let mut env: BTreeMap<ValueId, Tensor> = BTreeMap::new();
    region(f, Func::BODY, inputs, &mut env)
}

fn region(f: &Func, r: RegionId, inputs: &[Tensor], env: &mut BTreeMap<ValueId, Tensor>) -> Vec<Tensor> {
    let reg = f.region(r);
    for (a, x) in reg.args.iter().zip(inputs) {
        assert_eq!(&x.ty, f.ty(*a));
        env.insert(*a, x.clone());
    }
    for &o in &reg.ops {
        let d = f.op(o);
        let xs: Vec<Tensor> = d.operands.iter().map(|x| env[x].clone()).collect();
        let outs = match &d.op {
            Op::Composite { .. } => region(f, d.regions[0], &xs, env),
            &Op::Repeat { trip, reverse, carries, xs: n } => {
                let mut cs = xs[..carries].to_vec();
                let ny = d.results.len() - carries;
                let mut ys: Vec<Vec<Tensor>> = vec![vec![]; ny];
                for k in 0..trip {
                    let i = if reverse { trip - 1 - k } else { k };
                    let mut ins = cs.clone();
                    for x in &xs[carries..carries + n] {
                        let s = x.block(0, i as usize, 1);
                        ins.push(Tensor { ty: TensorType::new(s.ty.dtype, &s.ty.shape[1..]), data: s.data });
                    }
                    ins.extend_from_slice(&xs[carries + n..]);
                    let mut out = region(f, d.regions[0], &ins, env);
                    for (y, t) in ys.iter_mut().zip(out.split_off(carries)) {
                        let shape = [&[1], &t.ty.shape[..]].concat();
                        y.push(Tensor { ty: TensorType::new(t.ty.dtype, shape), data: t.data });
                    }
                    cs = out;
                }
                for mut y in ys {
                    if reverse {
                        y.reverse();
                    }
                    cs.push(Tensor::concat(&y.iter().collect::<Vec<_>>(), 0));
                }
                cs
            }
            op => {
                let refs: Vec<&Tensor> = xs.iter().collect();
                vec![(table::def(op).unwrap().eval)(op, &refs, &EvalCx { mesh: &f.mesh, device: 0 })]
            }
        };
        for (r, x) in d.results.iter().zip(outs) {
            env.insert(*r, x);
        }
    }
    reg.yields.iter().map(|y| env[y].clone()).collect()
}

pub mod data;
pub mod models;
pub mod random;

/// What holds of every function that autodiff gives.
pub fn check(_f: &Func) {}
