//! The elaborated oracle models compute what JAX computed, in the interpreter: the first loss of each run.

use meshloom_ir::interp::eval;
use meshloom_ir::{Role, Tensor};
use meshloom_source::FrontOptions;
use meshloom_source::diagnostic::{Style, render_all};
use meshloom_syntax::elaborate::compile;

fn splitmix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The formula by which the oracles' parameters and data are made, bit by bit.
fn bits(name: &str, n: u64) -> Vec<u64> {
    let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3));
    (1..=n).map(|i| splitmix(hash.wrapping_add(i.wrapping_mul(0x9E37_79B9_7F4A_7C15)))).collect()
}

fn uniform(name: &str, shape: &[u64], scale: f64) -> Vec<f64> {
    bits(name, shape.iter().product())
        .into_iter()
        .map(|z| {
            let u = (z >> 40) as f32 * 2f32.powi(-24);
            f64::from((2.0 * u - 1.0) * scale as f32)
        })
        .collect()
}

fn tokens(name: &str, batch: u64, columns: u64, vocab: u64) -> Vec<i64> {
    bits(name, batch * columns).into_iter().map(|z| ((z >> 33) % vocab) as i64).collect()
}

fn loss(name: &str, source: &str, make: &dyn Fn(&str, &[u64], Role) -> Tensor) -> f64 {
    let out = compile(name, source, &FrontOptions::default());
    let Some(elaborated) = out.elaborated else {
        panic!("{}", render_all(&out.diagnostics, &out.sources, Style::Plain))
    };
    let func = &elaborated.entries[0].func;
    let inputs: Vec<Tensor> = func
        .inputs
        .iter()
        .zip(&func.body().args)
        .map(|(port, &v)| make(&port.name, &func.ty(v).shape, port.role))
        .collect();
    let out = eval(func, &inputs).expect("the program runs");
    out[0].f(0)
}

fn floats(shape: &[u64], data: Vec<f64>) -> Tensor {
    Tensor::floats(meshloom_ir::DType::F32, shape, data)
}

#[test]
fn mlp() {
    let l = loss("oracle_mlp.loom", include_str!("../../../../examples/oracle_mlp.loom"), &|name, shape, role| {
        let scale = match (name, role) {
            ("w1", _) => (3.0f64 / 128.0).sqrt(),
            ("w2", _) => (3.0f64 / 512.0).sqrt(),
            (_, Role::Input) => 1.0,
            _ => 0.0,
        };
        floats(shape, uniform(&format!("mlp/{name}"), shape, scale))
    });
    assert!((l / 0.504_147_291_183_471_7 - 1.0).abs() < 1e-6, "{l}");
}

#[test]
fn gpt_tiny() {
    let (batch, seq, vocab) = (8, 32, 256);
    let all = tokens("gpt_tiny/tokens", batch, seq + 1, vocab);
    let linear = 0.02 * 3f64.sqrt();
    let l = loss("gpt_tiny.loom", include_str!("../../../../examples/gpt_tiny.loom"), &|name, shape, role| {
        if role == Role::Input {
            let shift = usize::from(name == "targets");
            let rows = all.chunks(seq as usize + 1).flat_map(|r| r[shift..shift + seq as usize].to_vec()).collect();
            return Tensor::ints(meshloom_ir::DType::I32, shape, rows);
        }
        let field = name.rsplit('.').next().unwrap_or(name);
        let one = |path: String, shape: &[u64]| -> Vec<f64> {
            let n = shape.iter().product::<u64>() as usize;
            if field.ends_with("_g") {
                vec![1.0; n]
            } else if shape.len() == 1 {
                vec![0.0; n]
            } else {
                uniform(&path, shape, linear)
            }
        };
        let data = match name.strip_prefix("blocks.*.") {
            Some(f) => (0..shape[0]).flat_map(|i| one(format!("gpt_tiny/h{i}/{f}"), &shape[1..])).collect(),
            None => one(format!("gpt_tiny/{name}"), shape),
        };
        floats(shape, data)
    });
    assert!((l / 5.551_241_397_857_666 - 1.0).abs() < 1e-6, "{l}");
}
