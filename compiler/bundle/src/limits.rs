//! Limits that no real program reaches, and every absurd one does; and the checks that every part of a program shares.

use crate::error::{BundleError, BundleResult};
use crate::program::{MeshAxis, Program};

/// The limit of `ir::verify`.
pub const DEVICES: u64 = 1 << 20;
pub const AXES: usize = 16;
pub const RANK: usize = 16;
pub const ARENA: u64 = 1 << 44;
pub const SCRATCH: u64 = ARENA;
pub const INSTRUCTIONS: usize = 1 << 20;
/// The limit of `ir::verify`.
pub const TRIP: u64 = 1 << 32;
/// Entries of a stack that have names of their own.
pub const LAYERS: u64 = 1 << 16;
pub const NAME: usize = 512;
/// Of the name of an entry, which is part of the names of members ([`MEMBER`]).
pub const ENTRY: usize = 200;
/// Of the name of a member.
pub const MEMBER: usize = 256;
pub const BUCKET: usize = 256;

/// Whether a name is one of plain characters, as names of members are made of.
pub fn is_plain(name: &str) -> bool {
    name.bytes().all(|c| c.is_ascii_alphanumeric() || b"._-".contains(&c))
}

pub(crate) fn mesh(mesh: &[MeshAxis]) -> BundleResult<()> {
    if mesh.len() > AXES {
        return Err(BundleError::new(format!("a mesh of {} axes; at most {} are allowed", mesh.len(), AXES)));
    }
    let mut devices = 1u64;
    for (k, a) in mesh.iter().enumerate() {
        if a.size == 0 || a.name.is_empty() || a.name.len() > NAME {
            return Err(BundleError::new(format!("mesh axis {k} needs a name and a size of at least 1")));
        }
        if mesh[..k].iter().any(|b| b.name == a.name) {
            return Err(BundleError::new(format!("mesh axis `{}` is there twice", a.name)));
        }
        devices = devices.saturating_mul(u64::from(a.size));
    }
    at_most("devices", devices, DEVICES)
}

pub(crate) fn at_most(what: &str, value: u64, limit: u64) -> BundleResult<()> {
    if value > limit {
        Err(BundleError::limit(format!("{what} is {value}; at most {limit} is allowed")))
    } else {
        Ok(())
    }
}

/// Axes must exist and be named once.
pub(crate) fn axes(p: &Program, axes: &[u32]) -> std::result::Result<(), String> {
    for (k, &a) in axes.iter().enumerate() {
        if a as usize >= p.mesh.len() {
            return Err(format!("mesh axis {a} of a mesh with {} axes", p.mesh.len()));
        }
        if axes[..k].contains(&a) {
            return Err(format!("mesh axis `{}` is named twice", p.mesh[a as usize].name));
        }
    }
    Ok(())
}
