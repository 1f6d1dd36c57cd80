//! Attention of long sequences on eight CPU devices, as machine code: keys that go round, and heads exchanged for positions
//! (Ulysses), train as one device does; with masks, heads in groups, and lengths that do not divide.
#![cfg(feature = "llvm")]

use crate::support::*;
use meshloom_driver::{Program, Scheduled};
use meshloom_ir::DType;
use meshloom_plan::Mode;
use meshloom_runtime::HostTensor;

const MODEL: &str = "
mesh [data: 1, seq: 1]
dim batch = 2, length = 32, d = 16, heads = 8, kv = 8, head = 4, value = 4

struct P {
    wq: f32[d, heads, head] = normal(0.3),
    wk: f32[d, kv, head]    = normal(0.3),
    wv: f32[d, kv, value]   = normal(0.3),
}

fn loss(
    p: P,
    x: f32[batch, length, d] @ [data, seq, _],
    y: f32[batch, heads, length, value] @ [data, _, seq, _],
) -> f32 {
    let q = einsum(\"bsd,dhe->bhse\", x, p.wq)Q
    let k = einsum(\"bsd,dhe->bhse\", x, p.wk)Q
    let v = einsum(\"bsd,dhe->bhse\", x, p.wv)Q
    mse(attention(q, k, v, causal: CAUSAL) @ [data, _, seq, _], y)
}
train step = sgd(loss, lr: 0.5)
";

/// How attention is split.
#[derive(Clone, Copy, PartialEq, Debug)]
enum How {
    Ring,
    Ulysses,
}

fn planned(how: How, mesh: Sizes<'_>, dims: Sizes<'_>, causal: bool, dtype: DType) -> Program<Scheduled> {
    let layout = if how == How::Ulysses { " @ [data, seq, _, _]" } else { " @ [data, _, seq, _]" };
    let text = MODEL.replace(")Q\n", &format!("){layout}\n")).replace("CAUSAL", &causal.to_string());
    let mut o = on(mesh, "");
    o.front.dims = sizes(dims);
    if dtype == DType::BF16 {
        o.front.precision = Some(dtype);
    } else {
        o.front.float = Some(dtype);
    }
    o.plan.mode = Mode::Search;
    o.plan.disabled_rules.insert("ring-attention".into());
    o.plan.ring = (how == How::Ring).then(|| vec!["seq".to_string()]);
    compiled("ring.loom", &text, &o)
}

/// Losses of four steps, and the parameters after them.
fn trained(p: &Program<Scheduled>, [length, _, value]: [u64; 3], dtype: DType) -> Vec<f64> {
    let mut s = session(p);
    s.initialize().unwrap_or_else(|e| panic!("{e}"));
    for (name, shape) in [("x", vec![2, length, 16]), ("y", vec![2, 8, length, value])] {
        let values: Vec<f64> = (0..shape.iter().product()).map(|i| (i * 29 % 71) as f64 / 35.0 - 1.0).collect();
        let tensor = match dtype {
            DType::F64 => HostTensor::f64(&shape, &values),
            _ => HostTensor::f32(&shape, &values.iter().map(|&x| x as f32).collect::<Vec<_>>()),
        };
        s.write(name, tensor).unwrap_or_else(|e| panic!("{e}"));
    }
    let mut out: Vec<f64> = (0..4).map(|_| s.step().unwrap_or_else(|e| panic!("{e}")).loss.expect("a loss")).collect();
    for name in ["wq", "wk", "wv"] {
        out.extend(s.read(name).unwrap_or_else(|e| panic!("{e}")).to_f64().expect("numbers"));
    }
    out
}

#[test]
fn long_sequences_train_as_on_one_device() {
    let alone = [("data", 1), ("seq", 1)];
    let both = &[How::Ring, How::Ulysses][..];
    for (mesh, dims, causal, dtype, within, ways) in [
        ([("data", 1), ("seq", 8)], [32, 8, 4], true, DType::F64, 1e-11, both),
        ([("data", 2), ("seq", 4)], [32, 2, 6], false, DType::F32, 1e-5, both),
        ([("data", 1), ("seq", 8)], [29, 2, 6], true, DType::F64, 1e-11, both),
        ([("data", 2), ("seq", 2)], [32, 2, 4], true, DType::BF16, 2e-2, &both[..1]),
    ] {
        let sizes = [("length", dims[0]), ("kv", dims[1]), ("value", dims[2])];
        let one = planned(How::Ulysses, &alone, &sizes, causal, dtype);
        let want = trained(&one, dims, dtype);
        for &how in ways {
            let p = planned(how, &mesh, &sizes, causal, dtype);
            let what = format!("{how:?} on {mesh:?}, {dims:?}, {dtype:?}");
            let scheduled = &p.entries[0].scheduled;
            assert_eq!(scheduled.expanded, [], "{what}");
            let found = trained(&p, dims, dtype);
            assert_eq!(found.len(), want.len(), "{what}");
            for (g, w) in found.iter().zip(&want) {
                assert!((g - w).abs() <= within * w.abs().max(1.0), "{what}: {g}, should be {w}");
            }
        }
    }
}

/// A window that reaches over all positions is none, whatever other axes the mesh has; and one that looks ahead is compared with
/// positions that something is added to. Both kernels are proved.
#[test]
fn windows_on_split_positions_are_proved() {
    for (masks, length, kernel) in [("true, window: 3", 2, "window: 0"), ("false, window: 3", 8, "window: 3")] {
        let text = MODEL.replace(")Q\n", ") @ [data, _, seq, _]\n").replace("CAUSAL", masks);
        let mut o = on(&[("data", 2), ("seq", 2)], "");
        o.front.dims = sizes(&[("length", length)]);
        o.front.float = Some(DType::F64);
        o.plan.mode = Mode::Follow;
        let p = compiled("ring.loom", &text, &o);
        let attends = |k: &meshloom_kernels::spec::KernelSpec| format!("{k:?}").contains(kernel);
        assert!(p.entries.iter().any(|e| e.scheduled.kernels.iter().any(attends)), "no attention with {kernel}");
        let open: Vec<_> = p.entries.iter().flat_map(|e| &e.audit.unfollowed).collect();
        assert!(open.is_empty(), "{masks}: {open:?}");
    }
}
