//! What the tests of the op table share.
#![allow(dead_code)]

use meshloom_ir::random::{self, Rng};
use meshloom_ir::tensor::Data;
use meshloom_ir::{Assignment, DType, FactorRule, Layout, Mesh, Reduction, Tensor, TensorType, interp};

pub fn ty(dtype: DType, shape: &[u64]) -> TensorType {
    TensorType::new(dtype, shape)
}

/// Every assignment over at most two axes of the mesh that the rule admits.
pub fn assignments(rule: &FactorRule, mesh: &Mesh) -> Vec<Assignment> {
    let one: Vec<(Option<usize>, usize)> =
        (0..rule.sizes.len()).map(|f| (Some(f), 0)).chain((0..rule.linear.len()).map(|s| (None, s))).collect();
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
    assert!(layout.partial.values().all(|&r| r == Reduction::Sum));
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
    let whole = Layout { dims: layout.dims.clone(), partial: Default::default() };
    let part = |d| &parts[mesh.index_in(d, &axes) as usize];
    (0..mesh.devices()).map(|d| interp::shard(part(d), &whole, mesh, d).unwrap()).collect()
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
