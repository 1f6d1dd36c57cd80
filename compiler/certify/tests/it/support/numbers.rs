//! The second judge: a local program is right if, run on all devices together, it gives the global program's numbers.

use meshloom_ir::interp::{self, spmd};
use meshloom_ir::{DType, Func, Tensor};
use meshloom_random as random;

/// The first output in which the two programs differ by more than 1e-11 of its size (f32 and shorter: by rounding).
pub fn difference(global: &Func, local: &Func, seed: u64) -> Option<String> {
    let xs = random::inputs(global, seed);
    let wanted = interp::eval(global, &xs).expect("a verified program");
    let found = match spmd::run_for(global, local, &xs) {
        Ok((found, _)) => found,
        Err(e) => return Some(e),
    };
    let ports = global.outputs.iter();
    ports.zip(wanted.iter().zip(&found)).find_map(|(port, (w, f))| apart(w, f).map(|d| format!("`{}`, {d}", port.name)))
}

/// The first element in which two tensors differ by more than that.
pub fn apart(w: &Tensor, f: &Tensor) -> Option<String> {
    if w.ty != f.ty {
        return Some(format!("{} instead of {}", f.ty, w.ty));
    }
    let tolerance = match w.ty.dtype {
        DType::F64 => 1e-11,
        DType::F32 => 1e-5,
        _ => 0.0,
    };
    let size = (0..w.len()).fold(1e-3, |m: f64, i| m.max(w.f(i).abs()));
    let far = (0..w.len()).find(|&i| {
        let (a, b) = (w.f(i), f.f(i));
        let close = (a - b).abs() <= tolerance * size || a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
        !close
    })?;
    Some(format!("element {far}: {} instead of {}", f.f(far), w.f(far)))
}
