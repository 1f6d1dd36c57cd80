//! Loops, branches and calls as JAX prints them: `tests/data/stablehlo/control` has programs with inputs and JAX's outputs.

use meshloom_ir::interp::eval;
use meshloom_ir::{DType, Func, Op, Tensor};
use meshloom_source::FrontOptions;
use safetensors::SafeTensors;
use std::path::PathBuf;

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/stablehlo/control").join(name)
}

fn import(name: &str) -> Func {
    let text = std::fs::read_to_string(file(&format!("{name}.mlir"))).unwrap();
    let out = meshloom_stablehlo::compile("f.mlir", &text, &FrontOptions::default());
    let said: Vec<_> = out.diagnostics.iter().map(|d| d.message.as_str()).collect();
    let func = out.elaborated.unwrap_or_else(|| panic!("{name}: {said:?}")).entries.remove(0).func;
    meshloom_ir::verify::verify(&func).unwrap_or_else(|e| panic!("{name}: {e:?}"));
    func
}

/// `in0`, `in1` .. of the file, or `out0`, `out1` ..
fn tensors(data: &SafeTensors<'_>, kind: &str) -> Vec<Tensor> {
    let of = |i: usize| data.tensor(&format!("{kind}{i}")).ok();
    let read = |t: safetensors::tensor::TensorView<'_>| {
        let shape: Vec<u64> = t.shape().iter().map(|&n| n as u64).collect();
        let words = t.data().chunks_exact(4).map(|c| <[u8; 4]>::try_from(c).unwrap());
        match t.dtype() {
            safetensors::Dtype::F32 => {
                Tensor::floats(DType::F32, &shape, words.map(|w| f64::from(f32::from_le_bytes(w))).collect())
            }
            _ => Tensor::ints(DType::I32, &shape, words.map(|w| i64::from(i32::from_le_bytes(w))).collect()),
        }
    };
    (0..).map_while(of).map(read).collect()
}

/// Runs a program on one device; it gives what JAX gives.
fn as_jax(name: &str) -> Func {
    let func = import(name);
    let bytes = std::fs::read(file(&format!("{name}.safetensors"))).unwrap();
    let data = SafeTensors::deserialize(&bytes).unwrap();
    let (inputs, expected) = (tensors(&data, "in"), tensors(&data, "out"));
    let got = eval(&func, &inputs).unwrap_or_else(|e| panic!("{name}: {e:?}"));
    assert_eq!(got.len(), expected.len(), "{name}");
    for (k, (got, want)) in got.iter().zip(&expected).enumerate() {
        assert_eq!(got.ty, want.ty, "{name} result {k}");
        for e in 0..want.len() {
            let (g, w) =
                if want.ty.dtype.is_float() { (got.f(e), want.f(e)) } else { (got.i(e) as f64, want.i(e) as f64) };
            assert!((g - w).abs() <= 1e-5 * w.abs().max(1.0), "{name} result {k} element {e}: {g}, JAX has {w}");
        }
    }
    func
}

/// A loop: iterations, direction, carries, xs, ys.
type Loop = (u64, bool, usize, usize, usize);

fn loops(func: &Func) -> Vec<Loop> {
    let all = func.walk(Func::BODY).into_iter().map(|o| func.op(o));
    all.filter_map(|data| match data.op {
        Op::Repeat { trip, reverse, carries, xs, .. } => {
            Some((trip, reverse, carries, xs, data.results.len() - carries))
        }
        _ => None,
    })
    .collect()
}

/// Rows at computed places: in a scan there are none.
fn lookups(func: &Func) -> usize {
    func.walk(Func::BODY).into_iter().filter(|&o| matches!(func.op(o).op, Op::Gather { .. })).count()
}

#[test]
fn scans_are_repeats() {
    let expected: [(&str, &[Loop]); 6] = [
        ("scan_carry_ys", &[(5, false, 1, 1, 1)]),
        ("scan_reverse", &[(5, true, 1, 1, 1)]),
        ("scan_grad", &[(5, false, 1, 1, 2), (5, true, 1, 3, 1)]),
        ("scan_checkpoint", &[(5, false, 1, 1, 1), (5, true, 1, 2, 1)]),
        ("scan_of_scan", &[(2, false, 1, 1, 1), (3, false, 1, 1, 0)]),
        ("scan_unrolled_part", &[(2, false, 1, 0, 1)]),
    ];
    for (name, want) in expected {
        let func = as_jax(name);
        assert_eq!(loops(&func), want, "{name}");
        assert_eq!(lookups(&func), 0, "{name}");
    }
}

#[test]
fn loops_that_count_are_repeats() {
    let fori = as_jax("fori");
    assert_eq!(loops(&fori), [(5, false, 1, 1, 0)], "the counter is an entry");
    let in_place = as_jax("fori_in_place");
    assert_eq!(loops(&in_place), [(5, false, 0, 2, 1)], "rows are read and replaced one by one");
    let at_set = as_jax("fori_at_set");
    assert_eq!(loops(&at_set), [(4, false, 0, 3, 2)], "rows of one and columns of the other");
    assert_eq!(lookups(&at_set), 0);
    let recurrence = as_jax("fori_recurrence");
    assert_eq!(loops(&recurrence)[0].2, 1, "the row before has to be the new one");
    let down = as_jax("fori_down");
    assert_eq!(loops(&down), [(5, false, 1, 1, 0)]);
}

#[test]
fn branches_and_calls() {
    for name in ["cond", "switch", "vmap_cond", "remat", "custom_vjp", "nested_jit", "associative_scan"] {
        as_jax(name);
    }
    let func = as_jax("composite");
    let named = |o: &meshloom_ir::OpId| matches!(&func.op(*o).op, Op::Composite { name, .. } if name == "my.gated");
    assert_eq!(func.walk(Func::BODY).iter().filter(|o| named(o)).count(), 2);
}

#[test]
fn loops_that_end_by_what_they_compute() {
    for name in ["while_data", "while_in_cond"] {
        let func = as_jax(name);
        assert!(func.ops.iter().any(|o| o.op.ends_early()), "{name}");
    }
}
