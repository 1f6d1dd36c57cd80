//! Manual regions: the global form of a local program computes what its devices compute together.

use crate::common::close;
use meshloom_ir::graph::{Port, Role};
use meshloom_ir::interp::{eval, spmd};
use meshloom_ir::manual::{Split, enter, leave, lift};
use meshloom_ir::print::print;
use meshloom_ir::verify::verify;
use meshloom_ir::{Axis, Builder, DType, Einsum, Func, Layout, Mesh, Op, Reduction, TensorType, ValueId};
use meshloom_random::{Rng, tensor};

fn port(name: &str, role: Role, rank: usize) -> Port {
    Port::new(name, role, rank)
}

/// A local program and its global form.
struct Both {
    local: Func,
    global: Func,
}

/// `body` makes a local program of its inputs; each is given by its shape on one device and how the whole is split. The results
/// are put together along dim 0 by all axes of the mesh.
fn both(
    mesh: &Mesh,
    inputs: &[(Vec<u64>, Split)],
    body: impl FnOnce(&mut Builder, &[ValueId]) -> Vec<ValueId>,
) -> Both {
    let manual: Vec<Axis> = mesh.all_axes().collect();
    let mut l = Builder::new("local", mesh.clone());
    let args: Vec<ValueId> = inputs
        .iter()
        .enumerate()
        .map(|(i, (shape, split))| {
            let v =
                l.input(TensorType::new(DType::F64, shape.clone()), port(&format!("x{i}"), Role::Input, shape.len()));
            l.func.values[v.index()].layout = Some(Layout { dims: split.clone(), partial: Default::default() });
            v
        })
        .collect();
    let results = body(&mut l, &args);
    for (i, &r) in results.iter().enumerate() {
        let rank = l.ty(r).rank();
        let mut dims = vec![Vec::new(); rank];
        dims[0] = manual.clone();
        l.func.values[r.index()].layout = Some(Layout { dims, partial: Default::default() });
        l.output(r, port(&format!("y{i}"), Role::Output, rank));
    }
    let local = l.finish();
    verify(&local).unwrap();

    let mut g = Builder::new("global", mesh.clone());
    let mut lifted = Vec::new();
    for (i, (shape, split)) in inputs.iter().enumerate() {
        let whole: Vec<u64> = shape.iter().zip(split).map(|(n, axes)| n * mesh.group_size(axes)).collect();
        let rank = whole.len();
        let v = g.input(TensorType::new(DType::F64, whole), port(&format!("x{i}"), Role::Input, rank));
        lifted.push(enter(&mut g, v, split, &vec![Vec::new(); rank], &manual));
    }
    let out = lift(&mut g, &local, &manual, &lifted).unwrap();
    for (i, x) in out.iter().enumerate() {
        let rank = g.ty(x.value).rank() - x.over.len();
        let mut split = vec![Vec::new(); rank];
        split[0] = manual.clone();
        let v = leave(&mut g, x, &split, &vec![Vec::new(); rank], &manual).unwrap();
        g.output(v, port(&format!("y{i}"), Role::Output, rank));
    }
    let global = g.finish();
    verify(&global).unwrap();
    Both { local, global }
}

fn agree(b: &Both, seed: u64) {
    let mut rng = Rng::new(seed);
    let inputs: Vec<_> = b.global.body().args.iter().map(|&v| tensor(&mut rng, b.global.ty(v), (0, 9))).collect();
    let whole = eval(&b.global, &inputs).unwrap();
    let (shards, _) = spmd::run_global(&b.local, &inputs).unwrap();
    for (i, (x, y)) in whole.iter().zip(&shards).enumerate() {
        close(x, y, 1e-11)
            .unwrap_or_else(|e| panic!("output {i} of case {seed}: {e}\n{}\n{}", print(&b.local), print(&b.global)));
    }
}

fn meshes() -> Vec<Mesh> {
    vec![
        Mesh::new([("a", 2)]),
        Mesh::new([("a", 4)]),
        Mesh::new([("a", 2), ("b", 2)]),
        Mesh::new([("a", 3), ("b", 2)]),
        Mesh::new([("a", 1), ("b", 2)]),
    ]
}

/// The axes of a collective: any, in any order.
fn group(rng: &mut Rng, mesh: &Mesh) -> Vec<Axis> {
    let mut axes: Vec<Axis> = mesh.all_axes().collect();
    rng.shuffle(&mut axes);
    axes.truncate(1 + rng.below(axes.len()));
    axes
}

/// Adds a random op on some of `pool`, all of which have two dims.
fn grow(b: &mut Builder, rng: &mut Rng, mesh: &Mesh, pool: &mut Vec<ValueId>, loops: bool) {
    let x = rng.pick(pool);
    let s = b.shape(x);
    let axes = group(rng, mesh);
    let n = mesh.group_size(&axes);
    let dim = rng.below(2);
    let kind = rng.pick(&[Reduction::Sum, Reduction::Max, Reduction::Min]);
    let v = match [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 10][rng.below(if loops { 12 } else { 11 })] {
        0 => b.op(Op::AllReduce { axes, kind }, &[x]),
        1 if s[dim] * n <= 48 => b.op(Op::AllGather { axes, dim, size: None }, &[x]),
        2 if s[dim].is_multiple_of(n) => b.op(Op::ReduceScatter { axes, dim, kind }, &[x]),
        3 if s[dim].is_multiple_of(n) && s[1 - dim] * n <= 48 => {
            b.op(Op::AllToAll { axes, split: dim, concat: 1 - dim, size: None }, &[x])
        }
        4 => {
            let i = b.op(Op::Iota { dtype: DType::F64, shape: vec![1], dim: 0, shard: axes }, &[]);
            let i = b.broadcast(i, &[1, s[1]], &[0]);
            let i = b.reshape(i, &[s[1]]);
            let i = b.broadcast(i, &s, &[1]);
            b.add(x, i)
        }
        5 => b.transpose(x, &[1, 0]),
        6 => {
            let r = b.reduce(kind, x, &[dim]);
            b.unreduce(r, x, &[dim])
        }
        7 => b.op(Op::Cumulative { kind, dim, reverse: rng.chance(50), exclusive: false }, &[x]),
        8 => {
            let y = rng.pick(pool);
            if b.shape(y)[1] == s[1] && b.shape(y)[0] <= 24 {
                let e = Einsum::parse("ik,jk->ij").unwrap();
                let v = b.dot(e, x, y);
                b.elem("tanh", &[v])
            } else {
                b.elem("tanh", &[x])
            }
        }
        11 => {
            let by = rng.below(mesh.size(axes[0]) as usize) as u64;
            b.op(Op::CollectiveShift { by, mirror: rng.below(2) == 1, axes: vec![axes[0]] }, &[x])
        }
        10 => {
            let body = b.open();
            let ty = b.ty(x).clone();
            let (carry, same) = (b.arg(body, ty.clone()), b.arg(body, ty));
            let mut inner = vec![carry, same];
            for _ in 0..3 {
                grow(b, rng, mesh, &mut inner, false);
            }
            let last = *inner.last().unwrap();
            let like = inner.iter().rev().copied().find(|&v| b.shape(v) == s).unwrap();
            let next = b.elem("tanh", &[like]);
            b.close(vec![next, last]);
            let out = b.repeat(2, rng.chance(50), 1, 0, &[x, x], body).unwrap();
            let stack = b.reduce(Reduction::Sum, out[1], &[0]);
            pool.push(stack);
            out[0]
        }
        _ => {
            let y = pool.iter().copied().find(|&y| b.shape(y) == s).unwrap_or(x);
            let two = b.constant(DType::F64, &s, 0.5);
            let y = b.mul(y, two);
            b.sub(x, y)
        }
    };
    pool.push(v);
}

#[test]
fn the_global_form_computes_what_the_devices_compute() {
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let mesh = rng.pick(&meshes());
        let mut split = || -> (Vec<u64>, Split) {
            let mut axes = group(&mut rng, &mesh);
            let mut dims = vec![Vec::new(), Vec::new()];
            if rng.chance(30) {
                axes.pop();
            }
            dims[rng.below(2)] = axes;
            (vec![12, 6 * (1 + rng.below(2) as u64)], dims)
        };
        let inputs = [split(), split()];
        let b = both(&mesh, &inputs, |b, args| {
            let mut pool = args.to_vec();
            for _ in 0..7 {
                grow(b, &mut rng, &mesh, &mut pool, true);
            }
            pool.split_off(pool.len() - 3)
        });
        agree(&b, seed);
    }
}

#[test]
fn a_result_that_varies_is_not_the_same_on_all_devices() {
    let mesh = Mesh::new([("a", 2), ("b", 2)]);
    let manual: Vec<Axis> = mesh.all_axes().collect();
    let mut g = Builder::new("g", mesh);
    let v = g.input(TensorType::new(DType::F64, [8, 4]), port("x", Role::Input, 2));
    let none = vec![Vec::new(); 2];
    let x = enter(&mut g, v, &vec![vec![Axis(1)], vec![Axis(0)]], &none, &manual);
    assert_eq!(g.shape(x.value), [2, 2, 4, 2]);
    assert_eq!(leave(&mut g, &x, &vec![vec![Axis(0)], vec![]], &none, &manual), Err(vec![Axis(1)]));
    assert!(leave(&mut g, &x, &vec![vec![], vec![Axis(0), Axis(1)]], &none, &manual).is_ok());
}
