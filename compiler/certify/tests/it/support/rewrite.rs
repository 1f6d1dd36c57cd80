//! Rewritten programs: what may stand in a certificate's form. Some are written out, some are random, and every law's
//! generator gives one.

use super::Rng;
use super::programs::{dot, input, mesh, output};
use meshloom_certify::laws::{self, Law};
use meshloom_certify::{Equal, Form};
use meshloom_ir::copy::{ValueMap, copy_op};
use meshloom_ir::*;

pub struct Rewritten {
    pub global: Func,
    pub form: Form,
}

fn equal(a: ValueId, b: ValueId, law: &str) -> Equal {
    Equal { a, b, law: law.into() }
}

/// A train step's loops: the forward one stashes more than it must, and the backward body has a copy of the forward ops behind
/// each stash. Two stacks of weights, and stashes of what enters and what leaves an iteration, all of one type.
pub fn recomputed() -> Rewritten {
    let mut b = Builder::new("recomputed", mesh());
    let square = TensorType::new(DType::F64, [8, 8]);
    let [w, v] = ["w", "v"].map(|n| input(&mut b, n, &[3, 8, 8]));
    let [x, scale] = ["x", "scale"].map(|n| input(&mut b, n, &[8, 8]));
    let body = b.open();
    let [c, wi, vi, s] = [0; 4].map(|_| b.arg(body, square.clone()));
    let h = dot(&mut b, "bi,ij->bj", c, wi);
    let a = b.elem("tanh", &[h]);
    let g = dot(&mut b, "bi,ij->bj", a, vi);
    let gs = b.mul(g, s);
    let n = b.add(c, gs);
    b.close(vec![n, c, a, n]);
    let f = b.repeat(3, false, 1, 2, &[x, w, v, scale], body).expect("forward");
    b.phase = Phase::Backward;
    let one = b.constant(DType::F64, &[8, 8], 1.0);
    let back = b.open();
    let [ct, wi, vi, c, a, n, s] = [0; 7].map(|_| b.arg(back, square.clone()));
    let dgs = b.mul(ct, s);
    let da = dot(&mut b, "bj,ij->bi", dgs, vi);
    let aa = b.mul(a, a);
    let l = b.constant_like(aa, 1.0);
    let slope = b.sub(l, aa);
    let dh = b.mul(da, slope);
    let dw = dot(&mut b, "bi,bj->ij", c, dh);
    let dc = dot(&mut b, "bj,ij->bi", dh, wi);
    let next = b.add(ct, dc);
    let seen = b.mul(n, n);
    b.close(vec![next, dw, seen]);
    let r = b.repeat(3, true, 1, 5, &[one, w, v, f[1], f[2], f[3], scale], back).expect("backward");
    for (v, name) in [(f[0], "y"), (r[0], "dx"), (r[1], "dw"), (r[2], "seen")] {
        output(&mut b, v, name);
    }
    let global = b.finish();
    let mut b = Builder::resume(global.clone());
    let equal = b.within(back, |b| {
        let h = dot(b, "bi,ij->bj", c, wi);
        let again = b.elem("tanh", &[h]);
        let g = dot(b, "bi,ij->bj", again, vi);
        let gs = b.mul(g, s);
        let left = b.add(c, gs);
        vec![equal(a, again, laws::CONGRUENCE), equal(n, left, laws::CONGRUENCE)]
    });
    Rewritten { global, form: Form { func: b.finish(), equal } }
}

/// A loop of two carries that is there a second time, with its carries the other way round.
pub fn loops() -> Rewritten {
    let mut b = Builder::new("loops", mesh());
    let [x, y] = ["x", "y"].map(|n| input(&mut b, n, &[8, 4]));
    let w = input(&mut b, "w", &[3, 8, 4]);
    let one = |b: &mut Builder, swapped: bool| {
        let body = b.open();
        let ty = TensorType::new(DType::F64, [8, 4]);
        let [p, q, wi] = [0; 3].map(|_| b.arg(body, ty.clone()));
        let (p, q) = if swapped { (q, p) } else { (p, q) };
        let a = b.mul(p, wi);
        let next_q = b.add(q, a);
        let next_p = b.elem("tanh", &[next_q]);
        b.close(if swapped { vec![next_q, next_p, a] } else { vec![next_p, next_q, a] });
        let starts = if swapped { [y, x, w] } else { [x, y, w] };
        b.repeat(3, false, 2, 1, &starts, body).expect("a loop")
    };
    let f = one(&mut b, false);
    let both = b.add(f[0], f[1]);
    output(&mut b, both, "both");
    output(&mut b, f[2], "a");
    let global = b.finish();
    let mut b = Builder::resume(global.clone());
    let g = one(&mut b, true);
    let again = b.add(g[1], g[0]);
    let equal = vec![
        equal(f[0], g[1], laws::ITERATION),
        equal(f[1], g[0], laws::ITERATION),
        equal(f[2], g[2], laws::CONGRUENCE),
        equal(both, again, laws::CONGRUENCE),
    ];
    Rewritten { global, form: Form { func: b.finish(), equal } }
}

/// An instance of a law: a program with both sides, which the form says are equal.
pub fn instance(law: &Law, seed: u64) -> Rewritten {
    let mut b = Builder::new(law.name, mesh());
    let (left, right) = (law.sample)(&mut Rng::new(seed), &mut b);
    output(&mut b, left, "left");
    output(&mut b, right, "right");
    let func = b.finish();
    Rewritten { global: func.clone(), form: Form { func, equal: vec![equal(left, right, law.name)] } }
}

/// Copies of ops, whole loops among them, and transposes there and back, added to any program.
pub fn by_dice(global: &Func, seed: u64) -> Rewritten {
    let mut rng = Rng::new(seed);
    let mut b = Builder::resume(global.clone());
    let mut form = Vec::new();
    let loops: Vec<RegionId> = global
        .walk(Func::BODY)
        .into_iter()
        .filter(|&o| matches!(global.op(o).op, Op::Repeat { .. }))
        .map(|o| global.op(o).regions[0])
        .collect();
    for r in [Func::BODY].into_iter().chain(loops) {
        let region = global.region(r).clone();
        let ops = region.ops.iter().filter(|&&o| !matches!(global.op(o).op, Op::Constrain(_)));
        let ops: Vec<OpId> = ops.copied().collect();
        let mut copies = ValueMap::new();
        for _ in 0..3 {
            if !ops.is_empty() && rng.chance(70) {
                let o = rng.pick(&ops);
                b.within(r, |b| copy_op(b, o, &mut copies));
                let law = match global.op(o).op {
                    Op::Repeat { .. } => laws::ITERATION,
                    _ => laws::CONGRUENCE,
                };
                form.extend(global.op(o).results.iter().map(|v| equal(*v, copies[v], law)));
            }
            let values = region.args.iter().chain(ops.iter().flat_map(|&o| &global.op(o).results));
            // Bools are never partial, which the dice that place transposes do not know.
            let fit = |v: &ValueId| global.ty(*v).rank() > 1 && global.ty(*v).dtype != DType::Bool;
            let values: Vec<ValueId> = values.copied().filter(fit).collect();
            if !values.is_empty() && rng.chance(50) {
                let v = rng.pick(&values);
                let mut perm: Vec<usize> = (0..global.ty(v).rank()).collect();
                rng.shuffle(&mut perm);
                let mut back = vec![0; perm.len()];
                perm.iter().enumerate().for_each(|(i, &p)| back[p] = i);
                let same = b.within(r, |b| {
                    let there = b.op(Op::Transpose { perm }, &[v]);
                    b.op(Op::Transpose { perm: back }, &[there])
                });
                form.push(equal(v, same, "transpose-transpose"));
            }
        }
    }
    Rewritten { global: global.clone(), form: Form { func: b.finish(), equal: form } }
}
