//! What the tests of the op table share.
#![allow(dead_code)]

use meshloom_ir::tensor::Data;
use meshloom_ir::{Assignment, DType, FactorRule, Layout, Mesh, Reduction, Tensor, TensorType, interp};
use meshloom_random::{self as random, Rng};

pub fn ty(dtype: DType, shape: &[u64]) -> TensorType {
    TensorType::new(dtype, shape)
}

/// Every assignment over at most two axes of the mesh that the rule admits.
pub fn assignments(rule: &FactorRule, mesh: &Mesh) -> Vec<Assignment> {
    let one: Vec<(Option<usize>, usize)> =
        (0..rule.sizes.len()).map(|f| (Some(f), 0)).chain((0..rule.sets()).map(|s| (None, s))).collect();
    let with = |a: &Assignment, axis, (factor, set): (Option<usize>, usize)| {
        let mut a = a.clone();
        match factor {
            Some(f) => a.factors.entry(f).or_default().push(axis),
            None => {
                a.linear.insert(axis, set);
            }
        }
        a
    };
    let none = Assignment::default();
    let mut all = vec![none.clone()];
    for x in mesh.all_axes() {
        for &p in &one {
            let a = with(&none, x, p);
            for y in mesh.all_axes().filter(|&y| y != x) {
                // Pairs in both orders: they differ where both axes split one factor.
                let pairs = one.iter().filter(|&&q| y > x || (q == p && p.0.is_some()));
                all.extend(pairs.map(|&q| with(&a, y, q)));
            }
            all.push(a);
        }
    }
    all.retain(|a| rule.admits(a, mesh));
    all
}

/// Shards of `t` on all devices; where the layout is partial, random parts that combine to `t`.
pub fn split(rng: &mut Rng, t: &Tensor, layout: &Layout, mesh: &Mesh) -> Vec<Tensor> {
    let axes: Vec<_> = layout.partial.keys().copied().collect();
    let whole = Layout { dims: layout.dims.clone(), partial: Default::default() };
    if let Some(kind) = layout.partial.values().copied().find(|&r| r != Reduction::Sum) {
        assert!(layout.partial.values().all(|&r| r == kind), "two reductions partial at once");
        let parts = parts_of(rng, t, kind, mesh.group_size(&axes));
        let part = |d| &parts[mesh.index_in(d, &axes) as usize];
        return (0..mesh.devices()).map(|d| interp::shard(part(d), &whole, mesh, d).unwrap()).collect();
    }
    let mut first = t.clone();
    let mut parts = Vec::new();
    for _ in 1..mesh.group_size(&axes) {
        let noise = random::tensor(rng, &t.ty, (-50, 50));
        match (&mut first.data, &noise.data) {
            (Data::Float(a), Data::Float(b)) => a.iter_mut().zip(b).for_each(|(a, b)| *a -= b),
            (Data::Int(a), Data::Int(b)) => {
                a.iter_mut().zip(b).for_each(|(a, b)| *a = meshloom_ir::tensor::wrap(t.ty.dtype, *a - b))
            }
            _ => unreachable!(),
        }
        parts.push(noise);
    }
    parts.insert(0, first);
    let part = |d| &parts[mesh.index_in(d, &axes) as usize];
    (0..mesh.devices()).map(|d| interp::shard(part(d), &whole, mesh, d).unwrap()).collect()
}

/// `n` tensors that combine to `t`: each element is held by one of them, chosen at random. Under max and min the others hold
/// something beyond it, as far as the neutral element, and under the others the element or the neutral one, as it does for both.
fn parts_of(rng: &mut Rng, t: &Tensor, kind: Reduction, n: u64) -> Vec<Tensor> {
    let neutral = meshloom_ir::table::contract::identity_of(kind, t.ty.dtype);
    let down = if kind == Reduction::Max { -1.0 } else { 1.0 };
    let extreme = matches!(kind, Reduction::Max | Reduction::Min);
    let mut parts = vec![t.clone(); n as usize];
    for i in 0..t.len() {
        let holder = rng.below(n as usize);
        for (k, part) in parts.iter_mut().enumerate().filter(|(k, _)| *k != holder) {
            let far = rng.chance(20) || kind == Reduction::Prod;
            let step = 1 + rng.below(5) as i64 + k as i64;
            match &mut part.data {
                Data::Float(v) => v[i] = if far { neutral.as_f64() } else { v[i] + down * step as f64 },
                Data::Int(v) if !extreme => v[i] = if far { neutral.as_f64() as i64 } else { v[i] },
                Data::Int(v) => {
                    let moved = meshloom_ir::tensor::wrap(t.ty.dtype, v[i] + down as i64 * step);
                    let beyond = if kind == Reduction::Max { moved < v[i] } else { moved > v[i] };
                    v[i] = if far || !beyond { neutral.as_f64() as i64 } else { moved };
                }
            }
        }
    }
    parts
}

/// Integers equal, floats to `tolerance` of the larger of 1 and their size.
pub fn close(a: &Tensor, b: &Tensor, tolerance: f64) -> Result<(), String> {
    if a.ty != b.ty {
        return Err(format!("{} against {}", a.ty, b.ty));
    }
    for i in 0..a.len() {
        let fits = match (&a.data, &b.data) {
            (Data::Float(a), Data::Float(b)) => {
                let (x, y) = (a[i], b[i]);
                (x.is_nan() && y.is_nan()) || x == y || (x - y).abs() <= tolerance * x.abs().max(1.0)
            }
            (Data::Int(a), Data::Int(b)) => a[i] == b[i],
            _ => false,
        };
        if !fits {
            return Err(format!("element {i} is {} against {}", a.f(i), b.f(i)));
        }
    }
    Ok(())
}
