//! The other judge: a local program is right if, run on all devices at once, it gives the global program's numbers.

use super::Rng;
use meshloom_ir::interp::{self, spmd};
use meshloom_ir::*;

/// Inputs for a program: floats of moderate size, integers within their range.
pub fn inputs(global: &Func, seed: u64) -> Vec<Tensor> {
    let mut rng = Rng::new(seed);
    let types = global.body().args.iter().map(|&v| global.ty(v));
    types
        .zip(&global.inputs)
        .map(|(ty, port)| {
            let n = ty.elements() as usize;
            if ty.dtype.is_float() {
                let mut x = || (rng.next() % 2000) as f64 / 1000.0 - 1.0;
                return Tensor::floats(ty.dtype, &ty.shape, (0..n).map(|_| x()).collect());
            }
            let (lo, hi) = port.range.unwrap_or((0, 2));
            let mut x = || lo + rng.below((hi - lo) as usize) as i64;
            Tensor::ints(ty.dtype, &ty.shape, (0..n).map(|_| x()).collect())
        })
        .collect()
}

/// The first output in which the two programs differ by more than 1e-11 of its size (f32 and shorter: by rounding).
pub fn difference(global: &Func, local: &Func, seed: u64) -> Option<String> {
    let xs = inputs(global, seed);
    let wanted = interp::eval(global, &xs).expect("a verified program");
    let found = match spmd::run_whole(local, &xs) {
        Ok((found, _)) => found,
        Err(e) => return Some(e),
    };
    let ports = global.outputs.iter();
    ports.zip(wanted.iter().zip(&found)).find_map(|(port, (w, f))| {
        let tolerance = match w.ty.dtype {
            DType::F64 => 1e-11,
            DType::F32 => 1e-5,
            _ => 0.0,
        };
        let size = (0..w.len()).fold(1e-3, |m: f64, i| m.max(w.f(i).abs()));
        let far = (0..w.len()).find(|&i| {
            let (a, b) = (w.f(i), f.f(i));
            (a - b).abs() > tolerance * size && a.to_bits() != b.to_bits()
        });
        let far = far?;
        Some(format!("`{}`, element {far}: {} instead of {}", port.name, f.f(far), w.f(far)))
    })
}
