//! Checks of ports: shapes, layouts, and that no two tensors that live across steps share memory.

use crate::error::{BundleError, BundleResult};
use crate::limits::{self, axes};
use crate::program::*;
use std::collections::BTreeSet;

/// Of an outline, ports have no place in memory.
pub(crate) fn ports(p: &Program, outline: bool) -> BundleResult<()> {
    let mut names = BTreeSet::new();
    let mut losses = 0;
    for port in &p.ports {
        let limit = port.stacked && port.global_shape.first().is_some_and(|&n| n > limits::LAYERS);
        let at = |m| BundleError { limit, ..BundleError::at(format!("port `{}`", port.name.escape_debug()), m) };
        one(p, port).and_then(|()| if outline { nowhere(port) } else { in_arena(p, port) }).map_err(at)?;
        losses += usize::from(port.role == Role::Loss);
        if port.alias.is_none() && !names.insert((port.role, &port.name, port.first_layer)) {
            return Err(BundleError::at(format!("port `{}`", port.name), "is there twice"));
        }
    }
    if losses > 1 {
        return Err(BundleError::new(format!("{losses} losses; a program has at most one")));
    }
    if outline { Ok(()) } else { no_overlap(p) }
}

fn in_arena(p: &Program, port: &Port) -> std::result::Result<(), String> {
    if !port.offset.is_multiple_of(ALIGN) {
        return Err(format!("offset {}, which is no multiple of {ALIGN}", port.offset));
    }
    let end = port.offset.checked_add(port.bytes);
    if p.in_host(port.offset) {
        let most = p.arena_bytes + p.host_bytes;
        if !matches!(port.role, Role::Parameter | Role::State) || end.is_none_or(|e| e > most) {
            let at = port.offset - p.arena_bytes;
            return Err(format!("{} bytes at byte {at} of {} in the host's memory", port.bytes, p.host_bytes));
        }
        return Ok(());
    }
    if end.is_none_or(|e| e > p.arena_bytes) {
        return Err(format!("{} bytes at offset {} of an arena of {}", port.bytes, port.offset, p.arena_bytes));
    }
    Ok(())
}

fn nowhere(port: &Port) -> std::result::Result<(), String> {
    if port.offset != 0 || port.first_layer != 0 {
        return Err(format!("offset {} and first layer {} in an outline", port.offset, port.first_layer));
    }
    Ok(())
}

fn one(p: &Program, port: &Port) -> std::result::Result<(), String> {
    if port.name.is_empty() || port.name.len() > limits::NAME || port.name.contains(char::is_control) {
        return Err(format!("needs a name of at most {} printable bytes", limits::NAME));
    }
    let rank = port.global_shape.len();
    if rank > limits::RANK || port.local_shape.len() != rank || port.layout.len() != rank {
        let (l, y) = (port.local_shape.len(), port.layout.len());
        return Err(format!("global shape of {rank} dims, local shape of {l}, layout of {y}"));
    }
    let pairs = matches!(port.dtype, DType::F32 | DType::F64) && port.global_shape.last() == Some(&2);
    if port.unsigned && port.dtype != DType::I64 || port.complex && (port.unsigned || !pairs) {
        let what = if port.unsigned { "unsigned integers of 64 bits" } else { "complex numbers" };
        return Err(format!("{what} that are held as {}{:?}", port.dtype.name(), port.global_shape));
    }
    axes(p, &port.layout.concat())?;
    for (d, by) in port.layout.iter().enumerate() {
        let (n, k) = (port.global_shape[d], p.group_size(by));
        if port.local_shape[d] != n.div_ceil(k) {
            return Err(format!("dim {d} of {n} split {k} ways gives {}, not {}", n.div_ceil(k), port.local_shape[d]));
        }
    }
    let size = |shape: &[u64]| shape.iter().try_fold(port.dtype.bytes(), |a, &b| a.checked_mul(b));
    if size(&port.local_shape) != Some(port.bytes) || size(&port.global_shape).is_none_or(|b| b > limits::ARENA) {
        let (t, s) = (port.dtype.name(), &port.local_shape);
        return Err(format!("{} bytes for a local {t}{s:?} of a global {:?}", port.bytes, port.global_shape));
    }
    let numbers = port.name.matches('*').count();
    let named = !port.entries.is_empty();
    if port.stacked != (numbers == 1 || named) || (port.stacked && rank == 0) || (numbers > 1 && !named) {
        let what = "a stacked tensor has a layer dim, and one `*` in its name or names for its layers, others neither";
        return Err(what.into());
    }
    if !port.entries.is_empty() && (!port.stacked || port.entries.len() as u64 != port.global_shape[0]) {
        return Err(format!("names for {} layers", port.entries.len()));
    }
    if !port.stacked && port.first_layer > 0 {
        return Err(format!("begins with layer {} and is not stacked", port.first_layer));
    }
    if port.stacked && port.first_layer > limits::LAYERS {
        return Err(format!("begins with layer {}; at most {} are allowed", port.first_layer, limits::LAYERS));
    }
    if port.stacked && port.global_shape[0] > limits::LAYERS {
        return Err(format!("{} layers; at most {} are allowed", port.global_shape[0], limits::LAYERS));
    }
    if matches!(port.role, Role::Loss | Role::Metric) && rank != 0 {
        return Err(format!("a {:?} is a scalar, not {:?}", port.role, port.global_shape));
    }
    if let Some(a) = port.alias {
        let same = p
            .ports
            .get(a as usize)
            .is_some_and(|o| o.offset == port.offset && o.bytes == port.bytes && o.alias.is_none());
        if !same {
            return Err(format!("is said to be port {a}, which lies elsewhere"));
        }
    }
    if port.range.is_some_and(|r| r.lo >= r.hi) {
        return Err("an empty range of values".into());
    }
    match port.init {
        Init::Normal { std: x } | Init::Uniform { bound: x } if !(x.is_finite() && x >= 0.0) => {
            Err(format!("initial values of width {x}"))
        }
        Init::Normal { .. } | Init::Uniform { .. } if !port.dtype.is_float() => {
            Err(format!("random initial values of {}", port.dtype.name()))
        }
        _ => Ok(()),
    }
}

/// Parameters, state and inputs are all alive when a step begins, so they lie apart.
fn no_overlap(p: &Program) -> BundleResult<()> {
    let lives =
        |q: &&Port| q.alias.is_none() && q.bytes > 0 && matches!(q.role, Role::Parameter | Role::State | Role::Input);
    let mut live: Vec<&Port> = p.ports.iter().filter(lives).collect();
    live.sort_by_key(|q| q.offset);
    for w in live.windows(2) {
        if w[0].offset + w[0].bytes > w[1].offset {
            return Err(BundleError::at(
                format!("port `{}`", w[1].name),
                format!("overlaps `{}` in the arena", w[0].name),
            ));
        }
    }
    Ok(())
}
