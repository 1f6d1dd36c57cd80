//! Several plans in one bundle: the same entries for other numbers of devices, each a whole bundle that is a member of the
//! first (`others/8-devices.loomx`).
//!
//! Whole bundles, because everything that holds for a bundle then holds for each plan: its programs, proof and kernels
//! are checked together, and a reader of one plan needs nothing of the others. One file stays one signature.

use crate::error::{BundleError, BundleResult};
use crate::manifest::{EntryKind, MANIFEST, Manifest};
use crate::read::Bundle;
use std::collections::BTreeSet;

impl Bundle {
    /// Devices of the mesh that it is planned for.
    pub fn devices(&self) -> u64 {
        devices(&self.manifest)
    }

    /// This plan, then the others.
    pub fn plans(&self) -> impl Iterator<Item = &Bundle> {
        std::iter::once(self).chain(&self.others)
    }

    /// The plan for so many devices.
    pub fn for_devices(&self, n: u64) -> Option<&Bundle> {
        self.plans().find(|p| p.devices() == n)
    }

    /// The plan that so many processes run: the one with a device for each, else the first whose devices they share evenly.
    pub fn for_processes(&self, n: u64) -> Option<&Bundle> {
        self.for_devices(n).or_else(|| self.plans().find(|p| n > 0 && p.devices().is_multiple_of(n)))
    }
}

fn devices(m: &Manifest) -> u64 {
    m.mesh.iter().map(|a| u64::from(a.size)).fold(1, u64::saturating_mul)
}

/// The member that holds another plan.
pub(crate) fn member(other: &Bundle) -> String {
    format!("others/{}-devices.loomx", other.devices())
}

/// What must hold between the plans of a bundle: one for each number of devices, of the same entries, for the same target.
pub(crate) fn consistent(m: &Manifest, others: &[Bundle]) -> BundleResult<()> {
    let entries =
        |m: &Manifest| m.entries.iter().map(|e| (e.name.clone(), e.kind)).collect::<Vec<(String, EntryKind)>>();
    let mut sizes = BTreeSet::from([devices(m)]);
    for (listed, other) in m.others.iter().zip(others) {
        let fail = |message: String| Err(BundleError::new(message).in_member(&listed.member));
        if listed.devices != other.devices() {
            return fail(format!("is for {} devices, and {MANIFEST} says {}", other.devices(), listed.devices));
        }
        if !sizes.insert(other.devices()) {
            return fail(format!("is a second plan for {} devices", other.devices()));
        }
        if other.manifest.target != m.target {
            return fail(format!("is for target {}, and the bundle for {}", other.manifest.target, m.target));
        }
        if entries(&other.manifest) != entries(m) {
            return fail("has other entries than the bundle".into());
        }
        if !other.others.is_empty() {
            return fail("has other plans of its own".into());
        }
    }
    Ok(())
}
