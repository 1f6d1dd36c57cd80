//! Random numbers: `random_uniform`, `random_normal`, `random_bits`. They are functions of a key and of an element's
//! index. So a program has the same numbers on every mesh, and the same numbers when a gradient recomputes a value.
//!
//! The key is made of the run's seed, the number of the step, the place in the program (the functions that led to it,
//! and how often it was reached), and the iteration of every enclosing loop. Seed and step are state that the program
//! is given: `random.seed` begins as `--seed`, and training takes `random.step` for its own counter.
//!
//! In a manual region, a dim that is a device's block of a split dim is drawn as that block of the whole tensor:
//! `random_uniform(x)` is the device's part of what it would be outside. Along dims that are not split, all devices
//! draw the same numbers.

use super::dynamic::{counter, joined};
use super::primitive::{Args, Given, Prim, need};
use super::state::{Elab, Roots};
use super::value::{Dim, Num, TensorVal, Val};
use meshloom_ir::layout::Constraint;
use meshloom_ir::{Axis, DType, Init, Op, Port, Role, Scalar, Span, TensorType, ValueId};
use meshloom_source::Diagnostic;

pub const PRIMS: &[Prim] = &[
    Prim { name: "random_uniform", params: &["dims"], run: uniform },
    Prim { name: "random_normal", params: &["dims"], run: normal },
    Prim { name: "random_bits", params: &["dims"], run: bits },
];

/// Ports of the seed and of the step's number. No parameter has a name with a dot.
pub const SEED: &str = "random.seed";
pub const STEP: &str = "random.step";

/// `random_uniform(dims)`: in 0..1, in steps of 2^-24. In place of sizes a tensor may stand, whose dims and type it then has.
pub fn uniform(cx: &mut Elab<'_>, p: &Prim, args: Args) -> Val {
    let like = need!(args, 0);
    let Some((dims, dtype)) = shape(cx, &like) else { return Val::Error };
    unit(cx, p, &dims, dtype, args.span).map_or(Val::Error, Val::Tensor)
}

/// `random_normal(dims)`: of mean 0 and variance 1, by Box and Muller's formula.
pub fn normal(cx: &mut Elab<'_>, p: &Prim, args: Args) -> Val {
    let like = need!(args, 0);
    let Some((dims, dtype)) = shape(cx, &like) else { return Val::Error };
    let run = |cx: &mut Elab<'_>| {
        let span = args.span;
        let (u, v) = (unit(cx, p, &dims, dtype, span)?, unit(cx, p, &dims, dtype, span)?);
        let number = |cx: &mut Elab<'_>, x: f64| cx.scalar(Num::Float(x), dtype, span);
        let (one, two, turn) = (number(cx, 1.0)?, number(cx, -2.0)?, number(cx, std::f64::consts::TAU)?);
        let left = joined(cx, p, "subtract", &[one, u], span)?;
        let log = joined(cx, p, "log", &[left], span)?;
        let square = joined(cx, p, "multiply", &[two, log], span)?;
        let radius = joined(cx, p, "sqrt", &[square], span)?;
        let angle = joined(cx, p, "multiply", &[turn, v], span)?;
        let cosine = joined(cx, p, "cosine", &[angle], span)?;
        joined(cx, p, "multiply", &[radius, cosine], span)
    };
    run(cx).map_or(Val::Error, Val::Tensor)
}

/// `random_bits(dims)`: 32 of them in each i32.
pub fn bits(cx: &mut Elab<'_>, p: &Prim, args: Args) -> Val {
    let like = need!(args, 0);
    let Some((dims, _)) = shape(cx, &like) else { return Val::Error };
    words(cx, p, &dims, args.span).map_or(Val::Error, Val::Tensor)
}

/// The dims that are asked for, and the element type of floats.
fn shape(cx: &mut Elab<'_>, g: &Given) -> Option<(Vec<Dim>, DType)> {
    let float = cx.program.float.unwrap_or(DType::F32);
    match &g.value {
        Val::Tensor(t) if t.dtype.is_float() => Some((t.dims.clone(), t.dtype)),
        Val::Tensor(t) => {
            let d = Diagnostic::error("type-mismatch", format!("random numbers are floats, not {}", t.dtype));
            cx.error(d.at(g.span, format!("this is {}", g.value)).help("give sizes: `[batch, seq]`"));
            None
        }
        _ => Some((cx.sizes(g, None)?, float)),
    }
}

/// The upper 24 bits as a fraction: exact in f32, and the same number in every float that holds it.
fn unit(cx: &mut Elab<'_>, p: &Prim, dims: &[Dim], dtype: DType, span: Span) -> Option<TensorVal> {
    let bits = words(cx, p, dims, span)?;
    let eight = cx.scalar(Num::Int(8), DType::I32, span)?;
    let upper = joined(cx, p, "shift_right_logical", &[bits, eight], span)?;
    let id = cx.emit(Op::Convert { to: dtype }, &[upper.id], span)?;
    let scale = cx.scalar(Num::Float(1.0 / f64::from(1 << 24)), dtype, span)?;
    joined(cx, p, "multiply", &[TensorVal { id, dtype, ..upper }, scale], span)
}

fn words(cx: &mut Elab<'_>, p: &Prim, dims: &[Dim], span: Span) -> Option<TensorVal> {
    let key = key(cx, p, span)?;
    let shape: Vec<u64> = dims.iter().map(|d| d.size).collect();
    let mut shard: Vec<Vec<Axis>> = dims.iter().map(|d| super::placed::manual_split(cx, d)).collect();
    let of = |(&n, axes): (&u64, &Vec<Axis>)| n * cx.mesh().group_size(axes);
    let total = shape.iter().zip(&shard).map(of).collect();
    if shard.iter().all(Vec::is_empty) {
        shard.clear();
    }
    let id = cx.emit(Op::RandomBits { shape, total, shard }, &[key.id], span)?;
    Some(TensorVal { id, dtype: DType::I32, dims: dims.to_vec(), units: Vec::new() })
}

fn draw(cx: &mut Elab<'_>, key: &TensorVal, dims: Vec<Dim>, span: Span) -> Option<TensorVal> {
    let shape: Vec<u64> = dims.iter().map(|d| d.size).collect();
    let id = cx.emit(Op::RandomBits { shape: shape.clone(), total: shape, shard: Vec::new() }, &[key.id], span)?;
    Some(TensorVal { id, dtype: DType::I32, dims, units: Vec::new() })
}

/// The key of this place, in this iteration of all loops around it.
fn key(cx: &mut Elab<'_>, p: &Prim, span: Span) -> Option<TensorVal> {
    let scalar = |id: ValueId| TensorVal { id, dtype: DType::I32, dims: Vec::new(), units: Vec::new() };
    let roots = roots(cx);
    let [seed, step] = [roots.seed, roots.step].map(scalar);
    let mut key = pair(cx, p, [seed, step], span)?;
    key = draw(cx, &key, vec![Dim::plain(2)], span)?;
    let place = place(cx, p);
    let [high, low] = [(place >> 32) as u32, place as u32].map(|w| Num::Int(i64::from(w as i32)));
    let (high, low) = (cx.scalar(high, DType::I32, span)?, cx.scalar(low, DType::I32, span)?);
    key = folded(cx, p, key, [high, low], span)?;
    let mut numbers = roots.iterations;
    numbers.extend((0..cx.regions.len()).filter_map(|i| cx.iteration(i)));
    for number in numbers {
        let number = scalar(number);
        let zero = cx.scalar(Num::Int(0), DType::I32, span)?;
        key = folded(cx, p, key, [zero, number], span)?;
    }
    Some(key)
}

/// A new key, of a key and two words.
fn folded(cx: &mut Elab<'_>, p: &Prim, key: TensorVal, words: [TensorVal; 2], span: Span) -> Option<TensorVal> {
    let words = pair(cx, p, words, span)?;
    let mixed = joined(cx, p, "xor", &[key, words], span)?;
    draw(cx, &mixed, vec![Dim::plain(2)], span)
}

/// Two scalars as a vector.
fn pair(cx: &mut Elab<'_>, p: &Prim, [x, y]: [TensorVal; 2], span: Span) -> Option<TensorVal> {
    let at = counter(cx, Dim::plain(2), span)?;
    let zero = cx.scalar(Num::Int(0), DType::I32, span)?;
    let first = joined(cx, p, "compare_eq", &[at, zero], span)?;
    joined(cx, p, "select", &[first, x, y], span)
}

fn roots(cx: &mut Elab<'_>) -> Roots {
    if let Some(roots) = &cx.random {
        return roots.clone();
    }
    let seed = input(cx, SEED, Init::Seed);
    let step = input(cx, STEP, Init::Constant(Scalar::float(0.0)));
    let iterations = (0..cx.around).map(|_| input(cx, "random.round", Init::Constant(Scalar::float(0.0)))).collect();
    let roots = Roots { seed, step, iterations };
    cx.random = Some(roots.clone());
    roots
}

/// The roots of a manual region that stands here, in the order of its inputs.
pub fn given(cx: &mut Elab<'_>) -> Vec<ValueId> {
    let roots = roots(cx);
    let mut all = vec![roots.seed, roots.step];
    all.extend(roots.iterations);
    all.extend((0..cx.regions.len()).filter_map(|i| cx.iteration(i)));
    all.into_iter().map(|v| cx.here(v)).collect()
}

fn input(cx: &mut Elab<'_>, name: &str, init: Init) -> ValueId {
    let port = Port {
        name: name.into(),
        role: Role::State,
        constraint: Constraint::absent(0),
        stacked: false,
        first_layer: 0,
        entries: Vec::new(),
        complex: false,
        unsigned: false,
        init: Some(init),
        range: None,
        updates: None,
        of: None,
        host: false,
        span: Span::default(),
    };
    cx.builder.input(TensorType::scalar(DType::I32), port)
}

/// A number for the place in the program: the functions that are open, the primitive, and how often these came together before.
/// Lines and columns are no part of it: a comment changes no random number.
fn place(cx: &mut Elab<'_>, p: &Prim) -> u64 {
    let mut path: String = cx.frames.iter().map(|f| format!("{}/", f.function.def.name.text)).collect();
    path += p.name;
    let seen = cx.places.entry(path.clone()).or_insert(0);
    path += &format!("#{seen}");
    *seen += 1;
    // FNV-1a.
    path.bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}
