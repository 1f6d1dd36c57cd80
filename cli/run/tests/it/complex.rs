//! Complex numbers, from files to what is printed and saved: complex64 and complex128 of numpy, `C64` of safetensors.

use crate::common;
use crate::integers::{npy, said};
use meshloom_bundle::*;
use safetensors::{Dtype, SafeTensors};
use std::path::Path;
use std::process::Command;

/// `y = i x` of complex64, `w = i z` of complex128, `t = 2 s`.
fn bundle(dir: &Path) {
    let c = "void f(const float *x, const double *z, float *y, double *w, const float *s, float *t) {
        for (int i = 0; i < 3; i++) { y[2 * i] = -x[2 * i + 1]; y[2 * i + 1] = x[2 * i]; }
        w[0] = -z[1]; w[1] = z[0];
        t[0] = 2 * s[0]; t[1] = 2 * s[1];
    }";
    let mut p = common::program(&[("data", 1)], 4096);
    let port = |p: &Program, name, role, dtype, shape: &[u64], at| {
        let layout = vec![&[][..]; shape.len()];
        Port { complex: true, ..common::port(p, name, role, dtype, shape, &layout, at) }
    };
    let (narrow, wide) = (DType::F32, DType::F64);
    p.ports = vec![
        port(&p, "x", Role::Input, narrow, &[3, 2], 0),
        port(&p, "z", Role::Input, wide, &[2], 64),
        port(&p, "s", Role::Input, narrow, &[2], 128),
        port(&p, "y", Role::Output, narrow, &[3, 2], 256),
        port(&p, "w", Role::Output, wide, &[2], 320),
        port(&p, "t", Role::Output, narrow, &[2], 384),
    ];
    p.kernels = vec![common::kernel("f", 6, 0, false)];
    let at = BufRef::fixed;
    let buffers = vec![at(0, 24), at(64, 16), at(256, 24), at(320, 16), at(128, 8), at(384, 8)];
    p.instrs = vec![common::launch(0, buffers, vec![2, 3, 5], 1, vec![])];
    let bundle = common::bundle(vec![(EntryKind::Function, p)], c);
    std::fs::write(dir.join("c.loomx"), write(&bundle.contents).unwrap()).unwrap();
    let put = |name: &str, descr: &str, shape: &[usize], bytes: Vec<u8>| {
        std::fs::write(dir.join(name), npy(descr, shape, &bytes)).unwrap();
    };
    let x = [1.0f32, 2.0, -0.5, 0.25, 3.0, -4.0];
    put("x.npy", "<c8", &[3], x.map(f32::to_le_bytes).concat());
    put("pairs.npy", "<f4", &[3, 2], x.map(f32::to_le_bytes).concat());
    put("four.npy", "<c8", &[4], vec![0; 32]);
    put("z.npy", "<c16", &[], [0.1f64, 1e300].map(f64::to_le_bytes).concat());
    put("s.npy", "<c8", &[], [1.5f32, -1.0].map(f32::to_le_bytes).concat());
}

fn run(dir: &Path, x: &str, more: &[&str]) -> (i32, String, String) {
    let mut c = Command::new(env!("CARGO_BIN_EXE_meshloom-run"));
    c.current_dir(dir).args(["c.loomx", "--launcher", "none", "--input", &format!("x=@{x}")]);
    c.args(["--input", "z=@z.npy", "--input", "s=@s.npy"]).args(more);
    said(&mut c)
}

#[test]
fn files_to_results() {
    let dir = tempfile::tempdir().unwrap();
    bundle(dir.path());
    let (code, text, said) = run(dir.path(), "x.npy", &[]);
    let y = "y complex64[3] = [-2.0+1.0j, -0.25-0.5j, 4.0+3.0j]\n";
    assert!(code == 0 && text.contains(y), "{text}{said}");
    assert!(text.contains("w complex128[] = -1e300+0.1j\n") && text.contains("t complex64[] = 3.0-2.0j\n"), "{text}");
    let (code, text, said) = run(dir.path(), "x.npy", &["--json", "--steps", "2"]);
    assert!(code == 0 && text.contains(r#""t":[3.0,-2.0]"#), "{text}{said}");
    let (code, _, said) = run(dir.path(), "x.npy", &["--save-outputs", "out.safetensors"]);
    assert_eq!(code, 0, "{said}");
    let bytes = std::fs::read(dir.path().join("out.safetensors")).unwrap();
    let file = SafeTensors::deserialize(&bytes).unwrap();
    let (y, w) = (file.tensor("y").unwrap(), file.tensor("w").unwrap());
    assert_eq!((y.dtype(), y.shape()), (Dtype::C64, &[3][..]));
    assert_eq!(y.data(), [-2.0f32, 1.0, -0.25, -0.5, 4.0, 3.0].map(f32::to_le_bytes).concat());
    assert_eq!((w.dtype(), w.shape()), (Dtype::F64, &[2][..]));
    // And from there: i times i.
    let (code, text, said) = run(dir.path(), "out.safetensors:y", &[]);
    assert!(code == 0 && text.contains("y complex64[3] = [-1.0-2.0j, 0.5-0.25j, -3.0+4.0j]\n"), "{text}{said}");
}

#[test]
fn other_types_and_shapes_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    bundle(dir.path());
    for (file, why) in [
        ("pairs.npy", "x=@pairs.npy: expected complex64[3], found f32[3, 2]"),
        ("four.npy", "x=@four.npy: expected complex64[3], found complex64[4]"),
        ("z.npy", "x=@z.npy: expected complex64[3], found complex128[]"),
    ] {
        let (code, _, said) = run(dir.path(), file, &[]);
        assert!(code == 2 && said.contains(why), "{code} {said}");
    }
}
