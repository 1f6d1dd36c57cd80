//! Every op that stands in a global program, with operands: for tests that demand something of each op. That none is missing is tested
//! here, against the declaration of [`Op`].
//!
//! What is not here: ops with regions, which are tested by programs, and ops of local programs.

use super::layouts;
use meshloom_ir::builder::Builder;
use meshloom_ir::graph::{Func, Port, Role};
use meshloom_ir::layout::Constraint;
use meshloom_ir::mesh::Mesh;
use meshloom_ir::op::Op;
use meshloom_ir::table::entries;
use meshloom_ir::types::{DType, TensorType};

/// An op and the types of its operands, for which it has a result.
#[derive(Clone, Debug)]
pub struct Instance {
    pub op: Op,
    pub operands: Vec<TensorType>,
}

/// Instances of every op that one device computes by itself: the samples of all entries ([`meshloom_ir::OpDef::samples`]).
pub fn instances() -> Vec<Instance> {
    let mut all = Vec::new();
    let mut put = |op: Op, operands: &[(DType, &[u64])]| {
        let operands = operands.iter().map(|(d, s)| TensorType::new(*d, *s)).collect();
        all.push(Instance { op, operands });
    };
    entries().for_each(|d| (d.samples)(&mut put));
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
    use meshloom_ir::table::elem::TABLE;
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
        let declared = include_str!("../../../compiler/ir/src/op.rs")
            .split("pub enum Op {")
            .nth(1)
            .expect("the declaration of Op");
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
