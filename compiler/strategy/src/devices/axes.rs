//! The axes of a source that names none: `data` and `model`, and beside them what the model can use. `expert` splits the batch as
//! `data` does, and the experts of a mixture, so tokens travel to their experts and back. `context` splits long sequences where
//! `model` is in use too; alone it would be `model` under another name, since the planner finds what to split over an axis.
//!
//! Not here: axes of a source's own, which keep the uses that it has for them ([`super::shape`]).

use meshloom_ir::table::composite::{self, Pass};
use meshloom_ir::{Def, Func, Op, OpId, Role, ValueId};

pub const DATA: &str = "data";
pub const EXPERT: &str = "expert";
pub const CONTEXT: &str = "context";
pub const MODEL: &str = "model";

/// Positions of a sequence from which on it is worth an axis.
const LONG: u64 = 8192;
/// The same in a source that names its axes, and none for them: from here on a microbatch of one row fills a node of 80 GB for each device
/// (Llama 3 8B), and what is chosen differs from what was written.
const VERY_LONG: u64 = 65_536;

/// The axes, the outermost first.
pub fn usual(func: &Func) -> Vec<String> {
    let mut axes = vec![DATA];
    axes.extend(has_experts(func).then_some(EXPERT));
    axes.extend((positions(func) >= LONG).then_some(CONTEXT));
    axes.push(MODEL);
    axes.into_iter().map(String::from).collect()
}

/// Whether a source that names these axes has sequences that are too long for them: none of the axes has the name of the one that a source
/// without axes gets.
pub fn lacks_context(func: &Func, axes: &[String]) -> bool {
    !axes.is_empty() && !axes.iter().any(|a| a == CONTEXT) && positions(func) >= VERY_LONG
}

/// Whether parameters stand side by side, each for tokens of its own: a contraction that has a dim of a parameter as a batch dim.
fn has_experts(func: &Func) -> bool {
    func.walk(Func::BODY).into_iter().any(|o| {
        let data = func.op(o);
        let Op::DotGeneral(e) = &data.op else { return false };
        let others = |side: usize| (0..e.operands.len()).filter(move |k| *k != side).map(|k| &e.operands[k]);
        let beside = |side: usize| {
            let all = |c: &char| e.result.contains(c) && others(side).all(|o| o.contains(c));
            let shape = &func.ty(data.operands[side]).shape;
            e.operands.len() > 1 && e.operands[side].iter().zip(shape).any(|(c, n)| *n > 1 && all(c))
        };
        (0..e.operands.len()).any(|side| beside(side) && is_parameter(func, data.operands[side]))
    })
}

/// Whether a value is a parameter, or the slice of one that a loop over layers reads, up to casts and the order of its dims.
fn is_parameter(func: &Func, mut v: ValueId) -> bool {
    loop {
        v = match func.value(v).def {
            Def::Op(o, _) => match of_one(func, o) {
                Some(x) => x,
                None => return false,
            },
            Def::Arg(r, i) => match func.region(r).owner {
                None => return func.inputs.get(i as usize).is_some_and(|p| p.role == Role::Parameter),
                Some(o) => match func.op(o).op {
                    Op::Repeat { carries, .. } if i as usize >= carries => func.op(o).operands[i as usize],
                    _ => return false,
                },
            },
        };
    }
}

/// The operand of an op that changes nothing but how its elements are written.
fn of_one(func: &Func, o: OpId) -> Option<ValueId> {
    let data = func.op(o);
    let same = matches!(data.op, Op::Convert { .. } | Op::Transpose { .. } | Op::Reshape { .. });
    data.operands.first().copied().filter(|_| same)
}

/// Queries of the longest attention.
fn positions(func: &Func) -> u64 {
    let of = |o: OpId| {
        let data = func.op(o);
        let Op::Composite { name, .. } = &data.op else { return None };
        let (attention, pass) = composite::named(name)?;
        let at = attention.q.find('s')?;
        (pass == Pass::Forward).then(|| func.ty(data.operands[0]).shape.get(at).copied()).flatten()
    };
    func.walk(Func::BODY).into_iter().filter_map(of).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshloom_source::FrontOptions;
    use meshloom_syntax::elaborate::compile;

    fn axes(text: &str) -> String {
        let outcome = compile("m.loom", text, &FrontOptions::default());
        let program = outcome.elaborated.unwrap_or_else(|| panic!("{:?}", outcome.diagnostics));
        usual(&program.entries[0].func).join(",")
    }

    #[test]
    fn a_model_gets_the_axes_that_it_can_use() {
        let dense = "mesh [d: 1]
            dim batch = 8, n = 64
            struct Net { w: f32[n, n] = zeros }
            fn loss(m: Net, x: f32[batch, n]) -> f32 { mean(dot(x, m.w)) }
            train net = sgd(loss, lr: 0.1)";
        assert_eq!(axes(dense), "data,model");
        let experts = r#"mesh [d: 1]
            dim batch = 8, n = 64, experts = 4
            struct Layer { w: f32[experts, n, n] = zeros }
            struct Net { layers: [Layer; 3] }
            fn loss(m: Net, x: f32[experts, batch, n]) -> f32 {
                for p in m.layers { x = einsum("ebn,enm->ebm", x, p.w) }
                mean(x)
            }
            train net = sgd(loss, lr: 0.1)"#;
        assert_eq!(axes(experts), "data,expert,model");
        let attention = "mesh [d: 1]
            dim batch = 8, heads = 2, seq = 32768, head = 32
            struct Net { s: f32[head] = ones }
            fn loss(m: Net, x: f32[batch, heads, seq, head]) -> f32 { mean(attention(x * m.s, x, x, causal: true)) }
            train net = sgd(loss, lr: 0.1)";
        assert_eq!(axes(attention), "data,context,model");
        assert_eq!(axes(&attention.replace("32768", "1024")), "data,model");
    }
}
