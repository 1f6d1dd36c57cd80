//! Random programs, meshes, layouts and data, for the tests of all crates. Everything follows from a seed, on every machine: a failing
//! case is named by its number. The seeded numbers themselves are in `ir`, since laws take their samples from them.
//!
//! Programs are well-typed and touch most of the op table. Their numbers are of moderate size, so that sharded and global runs
//! can be compared to eleven digits. They branch on integers and on exact floats, so that rounding never changes a
//! choice.

mod attend;
mod decide;
mod instances;
mod integers;
mod kinds;
mod operands;
mod program;

use meshloom_ir::graph::Func;
use meshloom_ir::layout::{Constraint, DimSpec, Layout, Slot};
use meshloom_ir::mesh::{Axis, Mesh};
use meshloom_ir::tensor::Tensor;
use meshloom_ir::types::{DType, TensorType};

pub use decide::AGREE;
pub use instances::{Instance, instances};
pub use kinds::{Closeness, KINDS, OPERANDS, kind};
pub use meshloom_ir::random::Rng;
pub use program::{RandomOptions, program};

/// Ends of a type's range, their neighbours, and numbers that one type has and the next smaller one has not.
fn ends(dtype: DType) -> &'static [i64] {
    const I64: &[i64] = &[
        i64::MIN,
        i64::MIN + 1,
        i64::MAX,
        i64::MAX - 1,
        (1 << 53) + 1,
        (1 << 53) - 1,
        -(1 << 53) - 1,
        i32::MIN as i64 - 1,
        u32::MAX as i64,
        -1,
        0,
        2,
    ];
    const I32: &[i64] =
        &[i32::MIN as i64, i32::MIN as i64 + 1, i32::MAX as i64, (1 << 24) + 1, -(1 << 24) - 1, -1, 0, 7];
    const U32: &[i64] = &[u32::MAX as i64, u32::MAX as i64 - 1, 1 << 31, (1 << 31) - 1, (1 << 24) + 1, 0, 1, 5];
    const I8: &[i64] = &[-128, -127, 127, 126, -1, 0, 5];
    const U8: &[i64] = &[255, 254, 128, 127, 0, 1, 3];
    match dtype {
        DType::I64 => I64,
        DType::I32 => I32,
        DType::U32 => U32,
        DType::I8 => I8,
        _ => U8,
    }
}

/// Floats in -1..1; integers in `range`, and where that has no end every other one at an end of the type's own.
pub fn tensor(rng: &mut Rng, ty: &TensorType, range: (i64, i64)) -> Tensor {
    let n = ty.elements() as usize;
    if ty.dtype.is_float() {
        return Tensor::floats(ty.dtype, &ty.shape, (0..n).map(|_| rng.unit()).collect());
    }
    let width = range.1.wrapping_sub(range.0).max(1) as usize;
    let ends = (range == (i64::MIN, i64::MAX)).then(|| ends(ty.dtype));
    let number = |rng: &mut Rng| match ends {
        Some(ends) if rng.chance(50) => rng.pick(ends).min(range.1 - 1),
        Some(_) => (rng.bits() as i64).min(range.1 - 1),
        None => range.0 + rng.below(width) as i64,
    };
    Tensor::ints(ty.dtype, &ty.shape, (0..n).map(|_| number(rng)).collect())
}

/// Data for a program's inputs, within the ranges that they declare.
pub fn inputs(func: &Func, seed: u64) -> Vec<Tensor> {
    let mut rng = Rng::new(seed);
    let ports = func.body().args.iter().zip(&func.inputs);
    ports.map(|(&v, port)| tensor(&mut rng, func.ty(v), port.range.unwrap_or((0, 4)))).collect()
}

/// One to three axes of size 1 to 4, at most `devices` of them together.
pub fn mesh(rng: &mut Rng, devices: u64) -> Mesh {
    let names = ["data", "model", "expert"];
    let mut left = devices.max(1);
    let mut axes = Vec::new();
    for name in &names[..1 + rng.below(3)] {
        let size = rng.pick(&[1, 2, 2, 3, 4]).min(left);
        left /= size;
        axes.push((*name, size));
    }
    Mesh::new(axes)
}

/// A layout that divides `shape`; nothing is partial.
pub fn layout(rng: &mut Rng, shape: &[u64], mesh: &Mesh) -> Layout {
    split(rng, shape, mesh, false)
}

fn split(rng: &mut Rng, shape: &[u64], mesh: &Mesh, uneven: bool) -> Layout {
    let mut l = Layout::replicated(shape.len());
    let mut axes: Vec<Axis> = mesh.all_axes().collect();
    rng.shuffle(&mut axes);
    for a in axes {
        if shape.is_empty() || rng.chance(40) {
            continue;
        }
        let d = rng.below(shape.len());
        let with: Vec<Axis> = l.dims[d].iter().copied().chain([a]).collect();
        if uneven || shape[d].is_multiple_of(mesh.group_size(&with)) {
            l.dims[d] = with;
        }
    }
    l
}

/// Each dim split by each axis of the mesh, and by each pair: two dims by two axes, and one dim by both in either order; and the layout
/// of copies. Not all of them divide every shape.
pub fn layouts(rank: usize, mesh: &Mesh) -> Vec<Layout> {
    let whole = Layout::replicated(rank);
    let with = |l: &Layout, d: usize, a: Axis| l.with(a, Slot::Split(d));
    let mut all = vec![whole.clone()];
    for (a, d) in mesh.all_axes().flat_map(|a| (0..rank).map(move |d| (a, d))) {
        let one = with(&whole, d, a);
        for (b, e) in mesh.all_axes().flat_map(|b| (0..rank).map(move |e| (b, e))) {
            // Two dims once, one dim in both orders.
            if a != b && (d == e || a < b) {
                all.push(with(&one, e, b));
            }
        }
        all.push(one);
    }
    all
}

/// An annotation that some layout without partial axes satisfies: closed, with open dims, or absent. Its axes divide `shape`
/// unless it may be `uneven`.
pub fn constraint(rng: &mut Rng, shape: &[u64], mesh: &Mesh, uneven: bool) -> Constraint {
    let mut c = Constraint::exactly(&split(rng, shape, mesh, uneven));
    match rng.below(3) {
        0 => return Constraint::absent(shape.len()),
        1 => {
            for d in &mut c.dims {
                if let (DimSpec::Exactly(a), true) = (&*d, rng.chance(50)) {
                    *d = DimSpec::AtLeast(a.clone());
                }
            }
        }
        _ => {}
    }
    c
}
