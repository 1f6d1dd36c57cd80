//! Several plans in one bundle: the same entries for other numbers of devices, each a whole bundle that is a member of the
//! first (`others/8-devices.loomx`).
//!
//! Whole bundles, because everything that holds for a bundle then holds for each plan: its programs, proof and kernels
//! are checked together, and a reader of one plan needs nothing of the others. One file stays one signature.

use crate::error::{BundleError, BundleResult};
use crate::manifest::{EntryKind, MANIFEST, Manifest};
use std::collections::BTreeSet;

/// Devices of the mesh that a bundle is planned for.
pub(crate) fn devices(m: &Manifest) -> u64 {
    m.mesh.iter().map(|a| u64::from(a.size)).fold(1, u64::saturating_mul)
}

/// The member that holds a plan for so many devices.
pub(crate) fn member(devices: u64) -> String {
    format!("others/{devices}-devices.loomx")
}

/// What must hold between the plans of a bundle: one for each number of devices, of the same entries, for the same target.
pub(crate) fn consistent<'a>(m: &Manifest, others: impl Iterator<Item = &'a Manifest>) -> BundleResult<()> {
    let entries =
        |m: &Manifest| m.entries.iter().map(|e| (e.name.clone(), e.kind)).collect::<Vec<(String, EntryKind)>>();
    let mut sizes = BTreeSet::from([devices(m)]);
    for (listed, other) in m.others.iter().zip(others) {
        let fail = |message: String| Err(BundleError::new(message).in_member(&listed.member));
        let n = devices(other);
        if listed.devices != n {
            return fail(format!("is for {n} devices, and {MANIFEST} says {}", listed.devices));
        }
        if !sizes.insert(n) {
            return fail(format!("is a second plan for {n} devices"));
        }
        if other.target != m.target {
            return fail(format!("is for target {}, and the bundle for {}", other.target, m.target));
        }
        if entries(other) != entries(m) {
            return fail("has other entries than the bundle".into());
        }
        if !other.others.is_empty() {
            return fail("has other plans of its own".into());
        }
    }
    Ok(())
}
