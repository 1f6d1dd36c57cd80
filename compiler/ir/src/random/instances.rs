//! Every op that stands in a global program, with operands: for tests that demand something of each op. That none is missing is tested
//! here, against the declaration of [`Op`].
//!
//! Dims are of sizes that 2 divides, 3 divides, and neither. What is not here: ops with regions, which have no entry in the table and
//! are tested by programs, and ops of local programs.

use super::layouts;
use crate::builder::Builder;
use crate::einsum::Einsum;
use crate::graph::{Func, Port, Role};
use crate::layout::{Constraint, Reduction};
use crate::mesh::Mesh;
use crate::op::Op;
use crate::table::elem::{Sig, TABLE};
use crate::table::window::Window;
use crate::types::{DType, Literal, Scalar, TensorType};

/// An op and the types of its operands, for which it has a result.
#[derive(Clone, Debug)]
pub struct Instance {
    pub op: Op,
    pub operands: Vec<TensorType>,
}

const FLOAT: DType = DType::F64;
const INT: DType = DType::I32;

/// Instances of every op that has an entry in the table.
pub fn instances() -> Vec<Instance> {
    let mut all = Vec::new();
    let mut put = |op: Op, operands: &[(DType, &[u64])]| {
        let operands = operands.iter().map(|(d, s)| TensorType::new(*d, *s)).collect();
        all.push(Instance { op, operands });
    };
    for def in TABLE {
        let dtype = match def.sig {
            Sig::Float | Sig::Number | Sig::Compare | Sig::Test | Sig::ToBits | Sig::Select => FLOAT,
            Sig::Bits | Sig::Integer | Sig::OfBits => INT,
        };
        let mut operands: Vec<(DType, &[u64])> = vec![(dtype, &[4, 6][..]); def.arity];
        if def.sig == Sig::Select {
            operands[0].0 = DType::Bool;
        }
        put(Op::elem(def.name).expect("a row of the table"), &operands);
    }
    put(Op::Constant { dtype: FLOAT, shape: vec![4, 6], value: Literal::Splat(Scalar::of(FLOAT, 3.0)) }, &[]);
    put(Op::Constant { dtype: INT, shape: vec![4], value: Literal::Dense((0..4).map(Scalar::Int).collect()) }, &[]);
    for dim in 0..2 {
        put(Op::Iota { dtype: INT, shape: vec![4, 6], dim, shard: vec![] }, &[]);
    }
    put(Op::Convert { to: DType::F32 }, &[(FLOAT, &[4, 6])]);
    put(Op::Convert { to: INT }, &[(FLOAT, &[6, 5])]);
    put(Op::Broadcast { shape: vec![4, 6, 3], dims: vec![1] }, &[(FLOAT, &[6])]);
    put(Op::Broadcast { shape: vec![4, 6, 3], dims: vec![0, 2] }, &[(FLOAT, &[4, 1])]);
    let reshapes: [(&[u64], &[u64]); 4] =
        [(&[4, 6], &[24]), (&[24], &[4, 6]), (&[6, 4], &[3, 8]), (&[4, 5, 6], &[20, 6])];
    for (from, to) in reshapes {
        put(Op::Reshape { shape: to.to_vec() }, &[(FLOAT, from)]);
    }
    put(Op::Transpose { perm: vec![2, 0, 1] }, &[(FLOAT, &[4, 6, 3])]);
    put(Op::Slice { start: vec![0, 2], limit: vec![4, 6] }, &[(FLOAT, &[4, 6])]);
    put(Op::Slice { start: vec![0, 1], limit: vec![6, 4] }, &[(INT, &[6, 5])]);
    put(Op::Pad { low: vec![0, 1], high: vec![0, 1] }, &[(FLOAT, &[6, 4])]);
    put(Op::Concatenate { dim: 1 }, &[(FLOAT, &[4, 6]), (FLOAT, &[4, 2])]);
    let fill = Scalar::of(FLOAT, 0.0);
    let same = Window { size: 3, stride: 1, dilation: 1, low: 1, high: 1, fill };
    put(Op::Windows { dim: 0, window: same }, &[(FLOAT, &[6, 4])]);
    put(Op::Windows { dim: 0, window: Window { fill: Scalar::float(-7.0), ..same } }, &[(FLOAT, &[12, 4])]);
    put(Op::Windows { dim: 1, window: Window { stride: 2, low: 0, ..same } }, &[(FLOAT, &[4, 12])]);
    put(Op::Windows { dim: 1, window: Window { dilation: 2, low: 3, ..same } }, &[(FLOAT, &[3, 12, 2])]);
    put(Op::Windows { dim: 1, window: Window { size: 6, low: 1, high: 1, ..same } }, &[(FLOAT, &[4, 6])]);
    put(Op::Windows { dim: 0, window: Window { low: -1, high: 2, fill: Scalar::Int(5), ..same } }, &[(INT, &[6, 4])]);
    put(Op::Reverse { dim: 0 }, &[(FLOAT, &[6, 4])]);
    put(Op::Reverse { dim: 1 }, &[(INT, &[4, 5])]);
    put(Op::Rotate { dim: 0, by: 1 }, &[(FLOAT, &[4, 6])]);
    put(Op::Rotate { dim: 1, by: 4 }, &[(INT, &[5, 6])]);
    for spec in ["ab,bc->ac", "abc,acd->adb", "ab,ab->", "ab,b->ba", "a,b->ab"] {
        let e = Einsum::parse(spec).expect("an einsum");
        let sizes = |l: &[char]| l.iter().map(|&c| [4, 6, 5, 12][c as usize - 'a' as usize]).collect::<Vec<u64>>();
        let shapes: Vec<Vec<u64>> = e.operands.iter().map(|o| sizes(o)).collect();
        let operands: Vec<(DType, &[u64])> = shapes.iter().map(|s| (FLOAT, s.as_slice())).collect();
        put(Op::DotGeneral(e), &operands);
    }
    for kind in [Reduction::And, Reduction::Or] {
        put(Op::Reduce { kind, dims: vec![0] }, &[(INT, &[6, 4])]);
        put(Op::Cumulative { kind, dim: 1, reverse: false, exclusive: false }, &[(INT, &[4, 6])]);
    }
    for kind in [Reduction::Sum, Reduction::Max, Reduction::Min, Reduction::Prod] {
        for dims in [vec![0], vec![1], vec![0, 1]] {
            put(Op::Reduce { kind, dims }, &[(FLOAT, &[4, 6])]);
        }
        put(Op::Reduce { kind, dims: vec![1] }, &[(INT, &[6, 5, 4])]);
        for (dim, reverse, exclusive) in [(0, false, false), (1, true, true)] {
            put(Op::Cumulative { kind, dim, reverse, exclusive }, &[(FLOAT, &[4, 6])]);
        }
    }
    for indices in [false, true] {
        put(Op::TopK { dim: 1, k: 2, largest: true, indices }, &[(FLOAT, &[4, 6])]);
        put(Op::TopK { dim: 0, k: 4, largest: false, indices }, &[(FLOAT, &[4, 6])]);
    }
    put(Op::RandomBits { shape: vec![4, 6], total: vec![4, 6], shard: vec![] }, &[(INT, &[2])]);
    put(Op::Gather { shard: vec![], total: None }, &[(FLOAT, &[6, 4]), (INT, &[4, 2])]);
    put(Op::Gather { shard: vec![], total: None }, &[(FLOAT, &[5, 3]), (INT, &[6])]);
    put(Op::Scatter { rows: 6, total: 6, shard: vec![] }, &[(INT, &[4]), (FLOAT, &[4, 6])]);
    put(Op::Scatter { rows: 5, total: 5, shard: vec![] }, &[(INT, &[4, 2]), (FLOAT, &[4, 2, 3])]);
    put(Op::Constrain(Constraint::absent(2)), &[(FLOAT, &[4, 6])]);
    all
}

impl Instance {
    /// As many functions as it takes to see every operand and the result in each of [`layouts`] of its shape, which are annotated.
    pub fn functions(&self, mesh: &Mesh) -> Vec<Func> {
        let whole = self.function(mesh);
        let types = |f: &Func| -> Vec<TensorType> {
            f.body().args.iter().chain(&f.body().yields).map(|&v| f.ty(v).clone()).collect()
        };
        let ways: Vec<_> = types(&whole).iter().map(|t| layouts(t.rank(), mesh)).collect();
        let most = ways.iter().map(Vec::len).max().unwrap_or(0);
        (0..most)
            .map(|k| {
                let mut f = whole.clone();
                for (i, port) in f.inputs.iter_mut().chain(&mut f.outputs).enumerate() {
                    // Not all in step, so that tensors meet in different layouts too.
                    port.constraint = Constraint::exactly(&ways[i][(k + 3 * i) % ways[i].len()]);
                }
                f
            })
            .collect()
    }

    /// The op between inputs and an output, nothing annotated.
    pub fn function(&self, mesh: &Mesh) -> Func {
        let mut b = Builder::new(self.op.name(), mesh.clone());
        let port = |name: String, role, t: &TensorType| Port::new(name, role, t.rank());
        let xs: Vec<_> = (self.operands.iter().enumerate())
            .map(|(i, t)| b.input(t.clone(), port(format!("x{i}"), Role::Input, t)))
            .collect();
        let y = b.emit(self.op.clone(), &xs).expect("an instance has a result");
        let out = port("y".into(), Role::Output, &b.ty(y).clone());
        b.output(y, out);
        b.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// What has no instance, and why.
    fn elsewhere(variant: &str, local: &[&str]) -> Option<&'static str> {
        Some(match variant {
            "Composite" | "Repeat" => "has regions; tested by programs",
            _ if local.contains(&variant) => "of local programs; tests/it/collectives.rs",
            _ => return None,
        })
    }

    #[test]
    fn every_op_has_an_instance_or_a_reason() {
        let declared = include_str!("../op.rs").split("pub enum Op {").nth(1).expect("the declaration of Op");
        let declared = declared.split("\n}\n").next().expect("its end");
        fn names(text: &str) -> Vec<&str> {
            let variants = text.lines().filter_map(|l| l.strip_prefix("    "));
            let variants = variants.filter(|l| l.starts_with(|c: char| c.is_ascii_uppercase()));
            variants.map(|l| l.split([' ', '(', ',']).next().unwrap_or(l)).collect()
        }
        let variants: BTreeSet<&str> = names(declared).into_iter().collect();
        let local = names(declared.split("// Local programs only.").nth(1).expect("those of local programs"));
        assert!(local.len() >= 9, "{local:?}");
        assert!(variants.len() >= 26 && variants.contains("DotGeneral"), "{variants:?}");
        let shown: Vec<String> = instances().iter().map(|i| format!("{:?}", i.op)).collect();
        let found: BTreeSet<&str> = shown.iter().map(|s| s.split([' ', '(', '{']).next().unwrap_or(s)).collect();
        for v in variants {
            match elsewhere(v, &local) {
                None => assert!(found.contains(v), "`{v}` has no instance"),
                Some(why) => assert!(!found.contains(v), "`{v}` has an instance, and a reason to have none: {why}"),
            }
        }
        let elems: BTreeSet<&str> = instances().iter().map(|i| i.op.name()).collect();
        assert!(TABLE.iter().all(|d| elems.contains(d.name)));
    }

    #[test]
    fn every_layout_is_met() {
        let mesh = Mesh::new([("a", 2), ("b", 3)]);
        assert_eq!(layouts(2, &mesh).len(), 11);
        for i in instances() {
            let functions = i.functions(&mesh);
            for p in 0..=i.operands.len() {
                let of = |f: &Func| f.inputs.iter().chain(&f.outputs).nth(p).map(|p| p.constraint.clone());
                let met: BTreeSet<_> = functions.iter().map(of).collect();
                let rank = of(&functions[0]).map_or(0, |c| c.dims.len());
                assert_eq!(met.len(), layouts(rank, &mesh).len(), "{:?}", i.op);
            }
        }
    }
}
