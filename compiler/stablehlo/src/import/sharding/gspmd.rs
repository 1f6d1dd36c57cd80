//! Shardings of GSPMD: `{devices=[2,1,4]<=[8] last_tile_dim_replicate}`, as JAX printed them before Shardy, and as XLA does.
//!
//! A tile assignment is an array of device numbers. It has a dim for each dim of the tensor, and further dims for devices over
//! which the tensor is replicated, manual, or partial. Each of its dims is an axis without a name; the digits of that axis
//! ([`super::devices`]) say which axes of the IR's mesh it is.

use super::devices::{self, Devices, Digit, Written};
use crate::lexer::Token;
use crate::module::TextOp;
use meshloom_ir::mesh::MAX_DEVICES;
use meshloom_ir::{Axis, Constraint, DimSpec, Reduction};

/// What the devices along a dim behind those of the tensor have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SubgroupType {
    Copies,
    Manual,
    Parts,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Sharding {
    /// Copies on all devices, or all of it on one.
    Replicated,
    /// All axes are manual.
    Manual,
    /// It says nothing.
    Open,
    /// The axes of the tensor's dims, and those behind them.
    Tiles { dims: Vec<Written>, behind: Vec<(SubgroupType, Written)> },
}

const OUT: &str = "lower the step with `jax_use_shardy_partitioner`, which JAX 0.5 and later have by default";

/// Whether all of a tensor is to lie on one device.
pub fn is_maximal(text: &str) -> bool {
    text.trim_matches('"').trim_start_matches(['{', ' ']).starts_with("maximal")
}

/// Reads one sharding, in quotes or not.
///
/// # Errors
/// It is no sharding, or its devices are in no order that axes have.
pub fn read(text: &str) -> Result<Sharding, String> {
    let inner = text.trim_matches('"').trim();
    let inner = inner.strip_prefix('{').and_then(|t| t.strip_suffix('}')).unwrap_or(inner).trim();
    let wrong = || format!("`{}` is no sharding that is supported\n{OUT}", text.trim_matches('"'));
    let first = inner.split([' ', '=', ',']).next().unwrap_or_default();
    match first {
        "" | "unknown" | "shard_as" | "shard_like" => return Ok(Sharding::Open),
        "replicated" | "maximal" => return Ok(Sharding::Replicated),
        "manual" => return Ok(Sharding::Manual),
        "devices" => {}
        _ => return Err(wrong()),
    }
    let rest = inner.strip_prefix("devices=").ok_or_else(wrong)?;
    let (sizes, rest) = numbers(rest).ok_or_else(wrong)?;
    let count = sizes.iter().fold(1u64, |n, &s| n.saturating_mul(s));
    if sizes.contains(&0) || count > MAX_DEVICES {
        return Err(wrong());
    }
    let (ids, rest) = match rest.strip_prefix("<=") {
        Some(rest) => {
            let (shape, rest) = numbers(rest).ok_or_else(wrong)?;
            if shape.iter().fold(1u64, |n, &s| n.saturating_mul(s)) != count {
                return Err(wrong());
            }
            let (perm, rest) = match rest.strip_prefix('T') {
                Some(rest) => {
                    let (perm, rest) = numbers(rest).ok_or_else(wrong)?;
                    (perm.into_iter().map(|p| p as usize).collect(), rest)
                }
                None => ((0..shape.len()).collect::<Vec<_>>(), rest),
            };
            (turned(&shape, &perm).ok_or_else(wrong)?, rest)
        }
        None => {
            let end = rest.find([' ', 'l', 'm']).unwrap_or(rest.len());
            let ids: Result<Vec<u64>, _> = rest[..end].split(',').map(|n| n.trim().parse()).collect();
            (ids.map_err(|_| wrong())?, &rest[end..])
        }
    };
    if ids.len() as u64 != count {
        return Err(wrong());
    }
    let rest = rest.trim();
    let behind: Vec<SubgroupType> = if rest.starts_with("last_tile_dim_replicate") {
        vec![SubgroupType::Copies]
    } else if let Some(list) = rest.strip_prefix("last_tile_dims={").and_then(|t| t.split('}').next()) {
        let kind = |name: &str| match name.trim() {
            "replicated" => Some(SubgroupType::Copies),
            "manual" => Some(SubgroupType::Manual),
            "unreduced" => Some(SubgroupType::Parts),
            _ => None,
        };
        list.split(',').map(kind).collect::<Option<_>>().ok_or_else(wrong)?
    } else {
        Vec::new()
    };
    let named: Vec<(String, u64)> = sizes.into_iter().map(|s| (String::new(), s)).collect();
    let mut dims = devices::axes(&named, &ids).ok_or_else(|| {
        format!("the devices of `{}` are in no order that axes of a mesh have\n{OUT}", text.trim_matches('"'))
    })?;
    let split = dims.len().checked_sub(behind.len()).ok_or_else(wrong)?;
    let behind = behind.into_iter().zip(dims.split_off(split)).collect();
    Ok(Sharding::Tiles { dims, behind })
}

/// `[2,1,4]` or `(1,0)`, and what follows.
fn numbers(text: &str) -> Option<(Vec<u64>, &str)> {
    let close = match text.chars().next()? {
        '[' => ']',
        '(' => ')',
        _ => return None,
    };
    let (list, rest) = text[1..].split_once(close)?;
    let all = list.split(',').map(|n| n.trim().parse().ok()).collect::<Option<Vec<u64>>>()?;
    Some((all, rest))
}

/// The numbers from 0 on in this shape, its dims in the order of `perm`.
fn turned(shape: &[u64], perm: &[usize]) -> Option<Vec<u64>> {
    let mut seen = perm.to_vec();
    seen.sort_unstable();
    if seen != (0..shape.len()).collect::<Vec<_>>() {
        return None;
    }
    let stride = |d: usize| shape[d + 1..].iter().product::<u64>();
    let mut ids = vec![0u64];
    for &d in perm {
        let s = stride(d);
        ids = ids.into_iter().flat_map(|base| (0..shape[d]).map(move |k| base + k * s)).collect();
    }
    Some(ids)
}

/// The shardings of a tuple's parts, or the one that it is.
pub fn tuple(text: &str) -> Vec<&str> {
    let inner = text.trim_matches('"').trim();
    let Some(parts) = inner.strip_prefix("{{").and_then(|t| t.strip_suffix("}}")) else { return vec![inner] };
    parts.split("}, {").flat_map(|p| p.split("},{")).collect()
}

/// All digits that a text names, to find the pieces of device numbers.
///
/// # Errors
/// As [`read`].
pub fn all_digits(text: &str) -> Result<Vec<Digit>, String> {
    let mut out = Vec::new();
    for one in tuple(text) {
        if let Sharding::Tiles { dims, behind } = read(one)? {
            out.extend(dims.iter().chain(behind.iter().map(|b| &b.1)).flat_map(|a| a.digits.clone()));
        }
    }
    Ok(out)
}

/// The dims that `backend_config = "unspecified_dims=[0,2]"` leaves open.
pub fn unspecified(op: &TextOp<'_>) -> Vec<usize> {
    let text = op.attr("backend_config").and_then(|t| t.first()?.leaf(Token::Str)).unwrap_or_default();
    let list = text.split_once("unspecified_dims=").and_then(|t| numbers(t.1));
    list.map(|l| l.0.into_iter().map(|d| d as usize).collect()).unwrap_or_default()
}

/// What a sharding says of a tensor of `rank` dims, of which `open` may be split further. `None` where it says nothing.
///
/// # Errors
/// As [`read`]; it is of another rank, or of devices that the mesh has not.
pub fn constraint(devices: &Devices, text: &str, rank: usize, open: &[usize]) -> Result<Option<Constraint>, String> {
    let pinned = |d: usize, axes: Vec<Axis>| {
        if open.contains(&d) { DimSpec::AtLeast(axes) } else { DimSpec::Exactly(axes) }
    };
    match read(text)? {
        Sharding::Open | Sharding::Manual => Ok(None),
        Sharding::Replicated => Ok(Some(Constraint::of((0..rank).map(|d| pinned(d, Vec::new())).collect()))),
        Sharding::Tiles { dims, behind } => {
            if dims.len() != rank {
                return Err(format!("the sharding has {} dims, and the tensor {rank}", dims.len()));
            }
            let of = |a: &Written| devices.axes(&a.digits).ok_or_else(|| "the mesh has no such devices".to_string());
            let dims = dims.iter().map(&of).collect::<Result<Vec<_>, _>>()?;
            let mut c = Constraint::of(dims.into_iter().enumerate().map(|(d, axes)| pinned(d, axes)).collect());
            for (_, a) in behind.iter().filter(|b| b.0 == SubgroupType::Parts) {
                c.partial.extend(of(a)?.into_iter().map(|a| (a, Reduction::Sum)));
            }
            Ok(Some(c))
        }
    }
}

/// The axes that are manual by a sharding: those of its manual dims, or all.
///
/// # Errors
/// As [`read`].
pub fn manual(devices: &Devices, text: &str) -> Result<Vec<Axis>, String> {
    let mut out = match read(text)? {
        Sharding::Manual => devices.mesh.all_axes().collect(),
        Sharding::Tiles { behind, .. } => {
            let manual = behind.iter().filter(|b| b.0 == SubgroupType::Manual);
            manual.filter_map(|b| devices.axes(&b.1.digits)).flatten().collect()
        }
        _ => Vec::new(),
    };
    out.sort_unstable();
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dims(text: &str) -> Vec<Vec<(u64, u64)>> {
        match read(text) {
            Ok(Sharding::Tiles { dims, behind }) => {
                let all = dims.iter().chain(behind.iter().map(|b| &b.1));
                all.map(|a| a.digits.iter().map(|d| (d.stride, d.size)).collect()).collect()
            }
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn tile_assignments() {
        assert_eq!(dims("{devices=[2,1,4]<=[8] last_tile_dim_replicate}"), [vec![(4, 2)], vec![], vec![(1, 4)]]);
        assert_eq!(dims("\"{devices=[4,2]<=[2,4]T(1,0)}\""), [vec![(1, 4)], vec![(4, 2)]]);
        assert_eq!(dims("{devices=[2,2]0,2,1,3}"), [vec![(1, 2)], vec![(2, 2)]]);
        assert_eq!(dims("{devices=[1,2,2]0,1,2,3 last_tile_dims={manual}}"), [vec![], vec![(2, 2)], vec![(1, 2)]]);
        assert_eq!(dims("{devices=[8,1]<=[2,2,2]T(0,2,1)}"), [vec![(4, 2), (1, 2), (2, 2)], vec![]]);
        for (text, want) in [
            ("{replicated}", Sharding::Replicated),
            ("{maximal device=3}", Sharding::Replicated),
            ("{manual}", Sharding::Manual),
            ("{unknown shard_as 0}", Sharding::Open),
        ] {
            assert_eq!(read(text), Ok(want));
        }
        for wrong in [
            "{devices=[2,2]0,1,3,2}",
            "{devices=[2,2]<=[8]}",
            "{devices=[2]<=[2]T(1)}",
            "{devices=[0]<=[0]}",
            "{devices=[2,2]0,1,2}",
            "{devices=[2]<=[2] last_tile_dims={a}}",
            "{devices=[]}",
            "{devices=[99999999999,99999999999]<=[9]}",
            "{some}",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        assert_eq!(tuple("\"{{replicated}, {devices=[2]<=[2]}}\""), ["replicated", "devices=[2]<=[2]"]);
    }
}
