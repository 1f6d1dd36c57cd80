//! What the tests share: evaluation, programs built by hand, finite differences.
#![allow(dead_code, reason = "each test binary uses a part")]

use meshloom_ir::{Builder, Func, Mesh, Port, Role, Tensor, TensorType, ValueId, parse, print, verify};

pub fn port(name: &str, role: Role, rank: usize) -> Port {
    Port::new(name, role, rank)
}

pub fn input(b: &mut Builder, name: &str, role: Role, ty: TensorType) -> ValueId {
    let rank = ty.rank();
    b.input(ty, port(name, role, rank))
}

pub fn loss(b: &mut Builder, v: ValueId) {
    b.output(v, port("loss", Role::Loss, 0));
}

pub fn mesh() -> Mesh {
    Mesh::new([("data", 1)])
}

pub fn eval(f: &Func, inputs: &[Tensor]) -> Vec<Tensor> {
    meshloom_ir::interp::eval(f, inputs).unwrap()
}

pub mod data;
pub mod models;
pub mod random;

/// What holds of every function that autodiff gives: it verifies, its text parses back to it, nothing in it is unused.
pub fn check(f: &Func) {
    if let Err(errors) = verify::verify(f) {
        panic!("{}", verify::show(f, &errors));
    }
    let text = print::print_with_spans(f);
    let again = parse::parse(&text).unwrap();
    assert_eq!(print::print_with_spans(&again), text);
    let pruned = meshloom_autodiff::prune(f);
    assert_eq!((pruned.ops.len(), pruned.values.len()), (f.ops.len(), f.values.len()));
}

/// What `train it = <text>` says of a loss: `sgd(loss, lr: 0.1)`.
pub fn spec(text: &str, loss: &Func) -> meshloom_ir::train::TrainSpec {
    meshloom_syntax::elaborate::train_spec(text, loss).unwrap()
}
