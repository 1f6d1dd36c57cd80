//! What is written as StableHLO reads back as the same program: for each op of the IR, and for random programs.

use meshloom_ir::interp::eval;
use meshloom_ir::{Builder, DType, Func, Mesh, Port, Role, Tensor, TensorType};
use meshloom_random as random;
use meshloom_source::FrontOptions;

fn mesh() -> Mesh {
    Mesh::new([("data", 2), ("model", 3)])
}

fn written(f: &Func) -> String {
    meshloom_stablehlo::emit::global(f).unwrap_or_else(|e| panic!("{e:?}"))
}

/// The function that a text says, or what the importer has to say of it.
fn read(text: &str) -> Result<Func, Vec<String>> {
    let out = meshloom_stablehlo::compile("f.mlir", text, &FrontOptions::default());
    match out.elaborated {
        Some(mut e) => Ok(e.entries.remove(0).func),
        None => Err(out.diagnostics.into_iter().map(|d| d.message).collect()),
    }
}

fn values(t: &Tensor) -> Vec<f64> {
    (0..t.len()).map(|i| if t.ty.dtype.is_float() { t.f(i) } else { t.i(i) as f64 }).collect()
}

/// Whether two programs give the same: bit by bit, but for what a contraction may add up in another order.
fn agree(what: &str, f: &Func, back: &Func) {
    meshloom_ir::verify::verify(back).unwrap_or_else(|e| panic!("{what}: {e:?}"));
    let inputs = random::inputs(f, 7);
    let (want, got) = (eval(f, &inputs).unwrap(), eval(back, &inputs).unwrap());
    assert_eq!(want.len(), got.len(), "{what}");
    for (w, g) in want.iter().zip(&got) {
        assert_eq!(w.ty, g.ty, "{what}");
        for (a, b) in values(w).iter().zip(&values(g)) {
            let same = a == b || a.is_nan() && b.is_nan() || (a - b).abs() <= 1e-12 * a.abs().max(1.0);
            assert!(same, "{what}: {b} where {a} is due\n{}", written(f));
        }
    }
}

/// StableHLO has no `abs` of unsigned integers.
#[test]
fn magnitudes_of_unsigned_integers() {
    for dtype in [DType::U8, DType::U32] {
        let mut b = Builder::new("f", mesh());
        let x = b.input(TensorType::new(dtype, [3]), Port::new("x", Role::Input, 1));
        let size = b.elem("abs", &[x]);
        b.output(size, Port::new("size", Role::Output, 1));
        let f = b.finish();
        let text = written(&f);
        assert!(!text.contains("stablehlo.abs"), "{text}");
        agree("magnitudes", &f, &read(&text).unwrap());
    }
}

#[test]
fn every_op_reads_back() {
    for i in random::instances() {
        let f = i.function(&mesh());
        let back = read(&written(&f)).unwrap_or_else(|why| panic!("{}: {why:?}\n{}", f.name, written(&f)));
        agree(f.name.as_str(), &f, &back);
    }
}

#[test]
fn random_programs_read_back() {
    for seed in 0..60 {
        let f = random::program(seed, &random::RandomOptions::new(mesh()));
        let back = read(&written(&f)).unwrap_or_else(|why| panic!("seed {seed}: {why:?}\n{}", written(&f)));
        agree(&f.name, &f, &back);
        let again = read(&written(&back)).unwrap_or_else(|why| panic!("seed {seed}, again: {why:?}"));
        agree(&f.name, &f, &again);
    }
}
