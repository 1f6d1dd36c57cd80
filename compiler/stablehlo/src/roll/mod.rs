//! Rolls repeated layers into loops.
//!
//! A program that was traced has every layer written out: forward, backward, and its part of the optimizer. Planning would
//! decide about each of them on its own, in time that grows with the depth. Here ops that repeat become a `repeat`, with what
//! differs between iterations stacked: parameters that were given layer by layer become one input, whose entries keep their
//! names; and what the optimizer does to each layer becomes ops on the stacks.
//!
//! It is exact: every element of every output is computed by the same ops, in the same order, as before. Nothing is recognised
//! by name. It stands here and not among the planner's rewrites because only programs that come through this door are written
//! out (a Loom source has loops), and because a planner that had to find the layers first would be as slow as one without.
//!
//! In order: [`number`] says which values are equal; [`detect`] where the line of ops repeats; [`wiring`] whether the repeated
//! ops read each other alike, and where an iteration begins; [`body`] what a loop reads; [`pack`] which other ops are one op on
//! stacks; [`units`] puts all that in order, and [`emit`] writes it. [`stacks`] is what they share: which values lie in one
//! tensor.
//!
//! Not here: loops in loops of one program that was written out twice over (the outer one is found, and its body stays as it
//! is), and layers between which other ops stand.

mod analysis;
mod analyze;
mod body;
mod detect;
mod emit;
mod found;
mod number;
mod pack;
mod ports;
mod stacks;
mod units;
mod wiring;

use analysis::Analysis;
use meshloom_ir::verify::verify;
use meshloom_ir::{DType, Func, Span};

/// A rolled program, and what is to be said about it.
pub struct Rolled {
    pub func: Func,
    /// Iterations of each loop, and ops in its body.
    pub loops: Vec<(usize, usize)>,
    /// Why ops that repeat were not rolled, and where.
    pub left: Option<(String, Span)>,
}

/// Rolls what can be rolled. A program in which nothing repeats comes back as it is.
pub fn roll(func: &Func) -> Rolled {
    let mut a = Analysis::new(func);
    let left = a.left.as_ref().filter(|l| a.loops.iter().all(|x| x.len() < l.times * l.ops)).map(|l| {
        let message =
            format!("{} times {} ops in a row are alike, and not rolled into a loop: {}", l.times, l.ops, l.why);
        (message, func.op(l.at).span)
    });
    let loops: Vec<(usize, usize)> = a.loops.iter().map(|l| (l.count, l.period)).collect();
    if loops.is_empty() {
        return Rolled { func: func.clone(), loops, left };
    }
    let rolled = emit::emit(&mut a);
    match stands_for(func, &rolled) {
        Ok(()) => Rolled { func: rolled, loops, left },
        Err(why) => {
            let first = a.loops.first().and_then(|l| a.line.ops.get(l.start));
            let span = first.map_or_else(Span::default, |&op| func.op(op).span);
            let message =
                format!("layers that repeat stay as they came, since their loop is not the same program: {why}");
            Rolled { func: func.clone(), loops: Vec::new(), left: Some((message, span)) }
        }
    }
}

/// Whether a rolled program can stand for the given one: it is a program, and has the same inputs and outputs, each in one place,
/// by itself or as an entry of a stack. What it computes is compared by tests alone (`tests/it/roll.rs`).
///
/// # Errors
/// What is wrong with it.
fn stands_for(given: &Func, rolled: &Func) -> Result<(), String> {
    verify(rolled).map_err(|all| all.first().map_or_else(String::new, ToString::to_string))?;
    for outputs in [false, true] {
        let (mut was, mut is) = (named_ports(given, outputs), named_ports(rolled, outputs));
        was.sort();
        is.sort();
        if let Some(lost) = was.iter().find(|p| is.binary_search(p).is_err()) {
            return Err(format!("`{}` is not in it", lost.0));
        }
        if was.len() != is.len() {
            return Err(format!("it has {} inputs or outputs, and not {}", is.len(), was.len()));
        }
    }
    Ok(())
}

/// Name, element type and shape of each input or output; of a stack, of each entry.
fn named_ports(func: &Func, outputs: bool) -> Vec<(String, DType, Vec<u64>)> {
    let (ports, values) =
        if outputs { (&func.outputs, &func.body().yields) } else { (&func.inputs, &func.body().args) };
    let mut out = Vec::new();
    for (p, &v) in ports.iter().zip(values) {
        let ty = func.ty(v);
        if !p.stacked {
            out.push((p.name.clone(), ty.dtype, ty.shape.clone()));
            continue;
        }
        for i in 0..ty.shape[0] {
            let own = p.entries.get(i as usize).cloned();
            let name = own.unwrap_or_else(|| p.name.replace('*', &(p.first_layer + i).to_string()));
            out.push((name, ty.dtype, ty.shape[1..].to_vec()));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshloom_ir::{Builder, Mesh, Port, Role, TensorType};

    /// Two inputs, or a stack of them, and their sum.
    fn program(stacked: bool, entries: &[&str]) -> Func {
        let mut b = Builder::new("f", Mesh::default());
        let ty = |shape: &[u64]| TensorType { dtype: DType::F32, shape: shape.to_vec() };
        let sum = if stacked {
            let names = entries.iter().map(ToString::to_string).collect();
            let port = Port { stacked: true, entries: names, ..Port::new("w*", Role::Input, 2) };
            let all = b.input(ty(&[2, 4]), port);
            b.reduce(meshloom_ir::Reduction::Sum, all, &[0])
        } else {
            let [x, y] = ["w0", "w1"].map(|n| b.input(ty(&[4]), Port::new(n, Role::Input, 1)));
            b.add(x, y)
        };
        b.output(sum, Port::new("out", Role::Output, 1));
        b.finish()
    }

    #[test]
    fn what_is_not_the_same_program_is_not_taken() {
        let given = program(false, &[]);
        assert_eq!(stands_for(&given, &program(true, &[])), Ok(()));
        assert_eq!(stands_for(&given, &program(true, &["w1", "w0"])), Ok(()));
        assert_eq!(stands_for(&given, &program(true, &["w0", "w0"])), Err("`w1` is not in it".to_string()));
        let said = stands_for(&given, &program(true, &["w0", "w1", "w2"]));
        assert!(said.is_err_and(|e| e.contains("names for 3 entries")));
    }
}
