//! The arguments of kernels with bodies, of contractions and of attention: which buffers, in which order, how they are
//! used, and how far they reach. Entries of other kernels list their own.

use crate::attention::{AttentionShape, Strides};
use crate::dot::Dot;
use crate::expr::{Access, Body, DType, Node};
use crate::geometry::{extent, product};
use crate::matmul::{Matmul, Operand, Pack, TILE_ROWS, panel_cols};
use crate::spec::kernel::{Arg, BufferRole};

pub(crate) fn pack(s: &Pack) -> Vec<Arg> {
    let mut args = of_body(&s.body, &s.space());
    let panels = &mut args[s.panels as usize];
    (panels.name, panels.role, panels.elements) = ("panels".into(), BufferRole::Write, s.elements());
    args
}

pub(crate) fn matmul(s: &Matmul) -> Vec<Arg> {
    let mut args = of_body(&s.body, &s.space());
    let lead = s.batch.len();
    let of_operand = |operand: &Operand, dims: &[u64], packed: u64| match operand {
        Operand::Packed => (packed, None),
        Operand::Direct { access, k_stride } => {
            let (mut access, mut space) = (access.clone(), [&s.batch[..], dims].concat());
            access.strides.push(*k_stride);
            space.push(s.k);
            (extent(&access, &space), access.start)
        }
    };
    debug_assert!(lead + s.m.len() + s.n.len() == s.space().len());
    let a = of_operand(&s.a, &s.m, s.row_tiles() * s.k * TILE_ROWS);
    let b = of_operand(&s.b, &s.n, product(&s.batch) * s.col_panels() * s.k * panel_cols(s.dtype()));
    for (arg, name, (elements, start)) in [(0, "a", a), (1, "b", b)] {
        (args[arg].name, args[arg].role, args[arg].elements) = (name.into(), BufferRole::Read, elements);
        args[arg].started.extend(start.map(|s| (s, elements)));
    }
    if s.spills()
        && let Some(o) = s.body.outputs.first()
    {
        args[o.access.buffer as usize].role = BufferRole::Write;
    }
    args
}

pub(crate) fn dot(s: &Dot) -> Vec<Arg> {
    let mut args = of_body(&s.body, &s.space());
    for (i, (access, free)) in [(&s.a, &s.m), (&s.b, &s.n)].into_iter().enumerate() {
        let space = [&s.batch[..], free, &s.k].concat();
        let elements = extent(access, &space);
        (args[i].name, args[i].elements) = (["a", "b"][i].into(), elements);
        args[i].started.extend(access.start.map(|s| (s, elements)));
    }
    args
}

pub(crate) fn arg(name: &str, dtype: DType, role: BufferRole, elements: u64) -> Arg {
    Arg { name: name.into(), dtype, role, elements, started: Vec::new() }
}

pub(crate) fn of_body(body: &Body, space: &[u64]) -> Vec<Arg> {
    let mut args: Vec<Arg> =
        body.buffers.iter().enumerate().map(|(i, &dtype)| arg(&format!("b{i}"), dtype, BufferRole::Read, 0)).collect();
    let mut reach = |a: &Access, rows: i64| {
        let (arg, elements) = (&mut args[a.buffer as usize], extent(a, space) + rows as u64);
        arg.elements = arg.elements.max(elements);
        arg.started.extend(a.start.map(|s| (s, elements)));
    };
    let mut read = vec![false; body.buffers.len()];
    for n in &body.nodes {
        match n {
            Node::Leaf(a) => {
                reach(a, 0);
                read[a.buffer as usize] = true;
            }
            Node::Gather { access, stride, rows, .. } => {
                reach(access, (*rows as i64 - 1).max(0) * stride);
                read[access.buffer as usize] = true;
            }
            _ => {}
        }
    }
    for o in &body.outputs {
        reach(&o.access, 0);
    }
    for o in &body.outputs {
        let b = o.access.buffer as usize;
        args[b].role = if read[b] { BufferRole::ReadWrite } else { BufferRole::Write };
    }
    args
}

/// Operands in order. Segments come after the first three.
pub(crate) fn of_attention(
    s: &AttentionShape,
    operands: &[(&str, Strides)],
    written: &dyn Fn(&str) -> bool,
) -> Vec<Arg> {
    let reach = |at: Strides, dims: [u64; 5]| {
        let strides = vec![at.batch, at.head, at.group, at.seq, 1];
        extent(&Access { buffer: 0, offset: at.offset, strides, start: None }, &dims)
    };
    let mut args: Vec<Arg> = operands
        .iter()
        .map(|&(name, at)| {
            let keys = matches!(name, "k" | "v" | "dk" | "dv");
            let (group, len) = if keys { (1, s.kv_len) } else { (s.group, s.q_len) };
            let row = match name {
                "lse" => 1,
                "q" | "k" | "dq" | "dk" => s.head,
                _ => s.value,
            };
            let role = if written(name) { BufferRole::Write } else { BufferRole::Read };
            let dtype = if name == "lse" { s.computed() } else { s.dtype };
            arg(name, dtype, role, reach(at, [s.batch, s.heads, group, len, row]))
        })
        .collect();
    if let Some([q, k]) = s.segments {
        let of = |name, at, len| arg(name, DType::I32, BufferRole::Read, reach(at, [s.batch, 1, 1, len, 1]));
        args.splice(3..3, [of("q_segments", q, s.q_len), of("k_segments", k, s.kv_len)]);
    }
    args
}
