//! The parts of which the text forms of specs consist ([`crate::spec::kernel::Kernel::text`]): bodies with one node per
//! line, accesses, and attention.

use crate::attention::{AttentionShape, Strides};
use crate::expr::{Access, Body, Node};
use crate::matmul::Operand;
use crate::target::ATTENTION_TUNING;
use std::fmt::{self, Display, Formatter};

/// A list of sizes.
pub(crate) struct Dims<'a>(pub &'a [u64]);

impl Display for Dims<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let text: Vec<String> = self.0.iter().map(u64::to_string).collect();
        write!(f, "[{}]", text.join(", "))
    }
}

impl Display for Access {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let strides: Vec<String> = self.strides.iter().map(i64::to_string).collect();
        write!(f, "b{}[{}]", self.buffer, strides.join(", "))?;
        if self.offset != 0 {
            write!(f, " + {}", self.offset)?;
        }
        if let Some(s) = self.start {
            write!(f, " + d{} * {}", s.dim, s.stride)?;
        }
        Ok(())
    }
}

impl Display for Body {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let buffers: Vec<String> =
            self.buffers.iter().enumerate().map(|(i, d)| format!("b{i}: {}", d.name())).collect();
        writeln!(f, "  buffers {}", buffers.join(", "))?;
        for (i, n) in self.nodes.iter().enumerate() {
            write!(f, "  %{i} = ")?;
            match n {
                Node::Leaf(a) => writeln!(f, "load {a}"),
                Node::Gather { access, index, stride, rows } => {
                    writeln!(f, "gather {access}, row %{} of {rows} * {stride}", index.0)
                }
                // The value is for people and the bits are for the hash: some values print alike.
                Node::Const { dtype, bits } if !dtype.is_float() => {
                    writeln!(f, "const {} : {}", *bits as i64, dtype.name())
                }
                Node::Const { dtype, bits } => {
                    writeln!(f, "const {} : {} 0x{bits:x}", f64::from_bits(*bits), dtype.name())
                }
                Node::Iota { dim } => writeln!(f, "iota {dim}"),
                Node::Dim { dim } => writeln!(f, "dim d{dim}"),
                Node::Elem { op, dtype, args } => {
                    let args: Vec<String> = args.iter().map(|a| format!("%{}", a.0)).collect();
                    writeln!(f, "{} {} : {}", op.name(), args.join(", "), dtype.name())
                }
                Node::Reduce { kind, arg } => writeln!(f, "reduce {} %{}", kind.name(), arg.0),
                Node::Acc => writeln!(f, "accumulator"),
            }?;
        }
        self.outputs.iter().try_for_each(|o| writeln!(f, "  store %{} to {}", o.node.0, o.access))
    }
}

impl Display for Operand {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Operand::Packed => write!(f, "packed"),
            Operand::Direct { access, k_stride } => write!(f, "{access} + k * {k_stride}"),
        }
    }
}

impl Display for Strides {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "[{}, {}, {}, {}] + {}", self.batch, self.head, self.group, self.seq, self.offset)
    }
}

pub(crate) fn attention(
    f: &mut Formatter<'_>,
    name: &str,
    s: &AttentionShape,
    operands: &[(&str, Strides)],
) -> fmt::Result {
    let mut mask = String::new();
    if s.causal {
        mask.push_str(" causal");
    }
    if s.window > 0 {
        mask.push_str(&format!(" window {}", s.window));
    }
    if s.shifted {
        mask.push_str(" shifted");
    }
    if s.is_narrow() {
        mask.push_str(&format!(" log-sum-exp {}", s.computed().name()));
    }
    if s.by_threads {
        mask.push_str(" by threads");
    }
    writeln!(
        f,
        "{name} {} batch {} heads {} group {} queries {} keys {} head {} value {}{mask} scale {} 0x{:x} \
         tuning {ATTENTION_TUNING}",
        s.dtype.name(),
        s.batch,
        s.heads,
        s.group,
        s.q_len,
        s.kv_len,
        s.head,
        s.value,
        s.scale(),
        s.scale
    )?;
    operands.iter().try_for_each(|(name, at)| writeln!(f, "  {name} {at}"))?;
    let segments = s.segments.iter().flatten().zip(["queries", "keys"]);
    segments.into_iter().try_for_each(|(at, of)| writeln!(f, "  segments of {of} {at}"))
}

#[cfg(test)]
mod tests {
    use crate::expr::{Access, Body, DType, Elem, Reduction};
    use crate::spec::{Fused, KernelSpec};

    #[test]
    fn reads_like_a_program() {
        let mut b = Body::new(&[DType::F32, DType::F32]);
        let x = b.leaf(Access::new(0, &[8, 1]).at(4));
        let max = b.reduce(Reduction::Max, x);
        let d = b.elem(Elem::Subtract, &[x, max]);
        b.output(d, Access::new(1, &[8, 1]).from_dim(0, 64));
        let spec = KernelSpec::Fused(Fused { shape: vec![3, 8], body: b });
        let text = "fused [3, 8]
  buffers b0: f32, b1: f32
  %0 = load b0[8, 1] + 4
  %1 = reduce max %0
  %2 = subtract %0, %1 : f32
  store %2 to b1[8, 1] + d0 * 64
";
        assert_eq!(spec.to_string(), text);
        assert!(spec.symbol().starts_with("fused_") && spec.symbol().len() == 22);
        assert_eq!(spec.dims(), 1);
    }
}
