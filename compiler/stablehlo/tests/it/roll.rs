//! Rolled programs: equal to what they were to the last bit, in f64, and with the loops that they should have.

use meshloom_autodiff::{TrainOptions, train_step};
use meshloom_ir::interp::eval;
use meshloom_ir::{Builder, DType, Einsum, Func, Mesh, Op, Port, Reduction, Role, Tensor, TensorType, ValueId};
use meshloom_stablehlo::roll::roll;
use proptest::prelude::*;
use std::collections::BTreeMap;

const ROWS: u64 = 2;
const WIDTH: u64 = 3;

/// What a layer does to the stream, one after another.
#[derive(Clone, Copy, Debug)]
pub enum Piece {
    /// By a matrix of the layer.
    Dot,
    /// By a matrix that all layers share.
    Tied,
    Bias,
    Tanh,
    /// Minus its mean over the row.
    Centre,
    /// Plus what it was when the layer began.
    Residual,
    /// Times a number, the same in all layers.
    Scale,
    /// Times a vector of the program's input, computed anew in each layer.
    Mask,
}

fn piece() -> impl Strategy<Value = Piece> {
    use Piece::*;
    prop::sample::select(vec![Dot, Tied, Bias, Tanh, Centre, Residual, Scale, Mask])
}

#[derive(Clone, Debug)]
pub struct Model {
    /// Kinds of layers, taken in turn: one, or two for ABAB.
    pub kinds: Vec<Vec<Piece>>,
    pub layers: usize,
    /// Done in the first layer, or in the last one, only.
    pub first: Option<Piece>,
    pub last: Option<Piece>,
    pub optimizer: &'static str,
}

pub fn model() -> impl Strategy<Value = Model> {
    let layer = || {
        prop::collection::vec(piece(), 1..6).prop_map(|mut p| {
            p.splice(0..0, [Piece::Dot, Piece::Tanh]);
            p.extend([Piece::Bias, Piece::Residual, Piece::Scale]);
            p
        })
    };
    let kinds = prop_oneof![3 => prop::collection::vec(layer(), 1), 1 => prop::collection::vec(layer(), 2)];
    let extra = || prop_oneof![3 => Just(None), 1 => piece().prop_map(Some)];
    let optimizer = prop::sample::select(vec!["sgd(loss, lr: 0.1)", "adamw(loss, lr: 0.1)"]);
    (kinds, 1usize..7, extra(), extra(), optimizer).prop_map(|(kinds, layers, first, last, optimizer)| Model {
        kinds,
        layers,
        first,
        last,
        optimizer,
    })
}

fn ty(shape: &[u64]) -> TensorType {
    TensorType::new(DType::F64, shape)
}

struct Build {
    b: Builder,
    parameters: BTreeMap<String, ValueId>,
}

impl Build {
    fn parameter(&mut self, name: String, shape: &[u64]) -> ValueId {
        if let Some(&v) = self.parameters.get(&name) {
            return v;
        }
        let v = self.b.input(ty(shape), Port::new(name.clone(), Role::Parameter, shape.len()));
        self.parameters.insert(name, v);
        v
    }

    fn dot(&mut self, x: ValueId, w: ValueId) -> ValueId {
        self.b.dot(Einsum::parse("bi,io->bo").unwrap(), x, w)
    }

    fn piece(&mut self, p: Piece, layer: usize, i: usize, x: ValueId, begun: ValueId, mask: ValueId) -> ValueId {
        let own = |field: &str| format!("blocks.{layer}.{field}{i}");
        match p {
            Piece::Dot => {
                let w = self.parameter(own("w"), &[WIDTH, WIDTH]);
                self.dot(x, w)
            }
            Piece::Tied => {
                let w = self.parameter("tied".into(), &[WIDTH, WIDTH]);
                self.dot(x, w)
            }
            Piece::Bias => {
                let w = self.parameter(own("b"), &[WIDTH]);
                let w = self.b.broadcast(w, &[ROWS, WIDTH], &[1]);
                self.b.add(x, w)
            }
            Piece::Tanh => self.b.elem("tanh", &[x]),
            Piece::Centre => {
                let sum = self.b.reduce(Reduction::Sum, x, &[1]);
                let n = self.b.constant_like(sum, WIDTH as f64);
                let mean = self.b.div(sum, n);
                let mean = self.b.unreduce(mean, x, &[1]);
                self.b.sub(x, mean)
            }
            Piece::Residual => self.b.add(x, begun),
            Piece::Scale => {
                let half = self.b.constant_like(x, 0.5);
                self.b.mul(x, half)
            }
            Piece::Mask => {
                let one = self.b.constant_like(mask, 1.0);
                let m = self.b.add(mask, one);
                let m = self.b.broadcast(m, &[ROWS, WIDTH], &[1]);
                self.b.mul(x, m)
            }
        }
    }
}

impl Model {
    /// The loss, every layer written out.
    fn loss(&self) -> Func {
        let mut m = Build { b: Builder::new("f", Mesh::new([("data", 2)])), parameters: BTreeMap::new() };
        let mut x = m.b.input(ty(&[ROWS, WIDTH]), Port::new("x", Role::Parameter, 2));
        let mask = m.b.input(ty(&[WIDTH]), Port::new("mask", Role::Input, 1));
        for layer in 0..self.layers {
            let begun = x;
            let mut pieces = self.kinds[layer % self.kinds.len()].clone();
            let extra = [self.first.filter(|_| layer == 0), self.last.filter(|_| layer + 1 == self.layers)];
            pieces.splice(1..1, extra.into_iter().flatten());
            for (i, &p) in pieces.iter().enumerate() {
                x = m.piece(p, layer, i, x, begun, mask);
            }
        }
        let head = m.parameter("tied".into(), &[WIDTH, WIDTH]);
        let y = m.dot(x, head);
        let square = m.b.mul(y, y);
        let loss = m.b.reduce(Reduction::Sum, square, &[0, 1]);
        m.b.output(loss, Port::new("loss", Role::Loss, 0));
        m.b.finish()
    }

    pub fn step(&self) -> Func {
        let loss = self.loss();
        let spec = meshloom_syntax::elaborate::train_spec(self.optimizer, &loss).unwrap();
        train_step(&loss, &spec, &TrainOptions::default()).unwrap()
    }
}

fn loops(f: &Func) -> Vec<u64> {
    let trip = |o| match f.op(o).op {
        Op::Repeat { trip, .. } => Some(trip),
        _ => None,
    };
    f.body().ops.iter().filter_map(|&o| trip(o)).collect()
}

/// Values for an input, from its name.
fn value(name: &str, ty: &TensorType) -> Tensor {
    let seed = name.bytes().fold(7u64, |h, b| h.wrapping_mul(31).wrapping_add(u64::from(b)));
    let at = |i: u64| (((seed + 977 * i) % 2003) as f64 / 2003.0 - 0.5) * 1.3;
    match ty.dtype.is_float() {
        // Second moments are no negative numbers.
        true if name.starts_with("v.") => {
            Tensor::floats(ty.dtype, &ty.shape, (0..ty.elements()).map(|i| at(i).abs()).collect())
        }
        true => Tensor::floats(ty.dtype, &ty.shape, (0..ty.elements()).map(at).collect()),
        false => Tensor::ints(ty.dtype, &ty.shape, vec![1; ty.elements() as usize]),
    }
}

/// Names of the entries of a port.
fn names(p: &Port, n: u64) -> Vec<String> {
    let numbered = (0..n).map(|i| p.name.replace('*', &i.to_string()));
    if p.entries.is_empty() { numbered.collect() } else { p.entries.clone() }
}

/// All outputs by name, entries of stacks by theirs, as bits.
pub fn run(f: &Func) -> BTreeMap<String, Vec<u64>> {
    meshloom_ir::verify::verify(f).unwrap_or_else(|e| panic!("{e:?}\n{}", meshloom_ir::print::print(f)));
    let inputs: Vec<Tensor> = f
        .inputs
        .iter()
        .zip(&f.body().args)
        .map(|(p, &a)| {
            let ty = f.ty(a);
            if !p.stacked {
                return value(&p.name, ty);
            }
            let one = TensorType::new(ty.dtype, &ty.shape[1..]);
            let all = names(p, ty.shape[0]).into_iter().flat_map(|n| floats(&value(&n, &one)));
            Tensor::floats(ty.dtype, &ty.shape, all.collect())
        })
        .collect();
    let outputs = eval(f, &inputs).unwrap();
    let mut out = BTreeMap::new();
    for (p, t) in f.outputs.iter().zip(outputs) {
        let bits: Vec<u64> = floats(&t).into_iter().map(f64::to_bits).collect();
        if p.stacked {
            let n = t.ty.shape[0];
            let each = bits.chunks(bits.len() / n as usize).map(<[u64]>::to_vec);
            out.extend(names(p, n).into_iter().zip(each));
        } else {
            out.insert(p.name.clone(), bits);
        }
    }
    out
}

fn floats(t: &Tensor) -> Vec<f64> {
    (0..t.len()).map(|i| if t.ty.dtype.is_float() { t.f(i) } else { t.i(i) as f64 }).collect()
}

pub fn plain(layers: usize) -> Model {
    use Piece::*;
    let layer = vec![Centre, Dot, Bias, Tanh, Tied, Dot, Residual];
    Model { kinds: vec![layer], layers, first: None, last: None, optimizer: "adamw(loss, lr: 0.1)" }
}

#[test]
fn a_train_step_is_two_loops_and_ops_on_stacks() {
    let (short, long) = (roll(&plain(4).step()), roll(&plain(12).step()));
    assert_eq!((loops(&short.func), loops(&long.func)), (vec![4, 4], vec![12, 12]));
    // As many ops, whatever the depth: but for the sum of the gradients' norms, which adds number after number.
    let others = |f: &Func| f.body().ops.iter().filter(|&&o| !f.ty(f.op(o).results[0]).shape.is_empty()).count();
    let slices = |f: &Func| f.body().ops.iter().filter(|&&o| matches!(f.op(o).op, Op::Slice { .. })).count();
    assert_eq!(others(&short.func) - slices(&short.func), others(&long.func) - slices(&long.func));
    let backward = |o: &&meshloom_ir::OpId| matches!(long.func.op(**o).op, Op::Repeat { reverse: true, .. });
    assert_eq!(long.func.body().ops.iter().filter(backward).count(), 1);
    let stacked: Vec<&str> = long.func.inputs.iter().filter(|p| p.stacked).map(|p| p.name.as_str()).collect();
    let expected = ["b2", "w1", "w5"].map(|f| format!("blocks.*.{f}"));
    assert_eq!(stacked.len(), 9, "{stacked:?}");
    assert!(expected.iter().all(|e| stacked.contains(&e.as_str())), "{stacked:?}");
}

#[test]
fn pairs_of_layers_are_one_iteration() {
    let mut m = plain(8);
    m.kinds.push(vec![Piece::Dot, Piece::Scale, Piece::Residual, Piece::Tanh, Piece::Bias]);
    assert_eq!(loops(&roll(&m.step()).func), [4, 4]);
}

#[test]
fn another_first_or_last_layer_stays_outside() {
    for (first, last) in [(Some(Piece::Mask), None), (None, Some(Piece::Bias))] {
        let m = Model { first, last, ..plain(6) };
        assert_eq!(loops(&roll(&m.step()).func), [5, 5], "{first:?} {last:?}");
    }
}

/// Of a softmax JAX keeps exponentials, their sums, one over the sums' squares, and the quotients.
#[test]
fn one_value_of_a_chain_is_kept() {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/stablehlo");
    let text = std::fs::read_to_string(format!("{dir}/gpt_tiny.dp8.mlir")).unwrap();
    let options = Default::default();
    let func = meshloom_stablehlo::compile("gpt.mlir", &text, &options).elaborated.unwrap().entries.remove(0).func;
    assert_eq!(loops(&func), [2, 2]);
    let forward = func.body().ops.iter().map(|&o| func.op(o)).find(|d| matches!(d.op, Op::Repeat { .. })).unwrap();
    let scores = forward.results.iter().filter(|&&v| func.ty(v).shape == [2, 8, 4, 32, 32]).count();
    assert_eq!(scores, 1, "the exponentials");
}

#[test]
fn what_does_not_repeat_stays_as_it_is() {
    let f = plain(1).step();
    let rolled = roll(&f);
    assert_eq!(meshloom_ir::print::print(&rolled.func), meshloom_ir::print::print(&f));
    assert!(rolled.left.is_none());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rolled_equals_unrolled(m in model()) {
        let f = m.step();
        let rolled = roll(&f).func;
        prop_assert_eq!(run(&f), run(&rolled), "{}", meshloom_ir::print::print(&rolled));
        let again = roll(&m.step()).func;
        prop_assert_eq!(meshloom_ir::print::print(&again), meshloom_ir::print::print(&rolled));
    }

    #[test]
    fn alike_layers_are_rolled(m in model()) {
        let m = Model { first: None, last: None, layers: 3 * m.kinds.len(), ..m };
        let found = loops(&roll(&m.step()).func);
        // Short backward layers are left as they are.
        prop_assert!(!found.is_empty() && found.iter().all(|&n| n >= 2), "{found:?}");
    }
}
