//! Meshes of so many devices for a traced program that names none.
//!
//! A traced program has no settings that could be chosen beside its mesh, so all of them are candidates: axes `data` and `model` take all
//! sizes with that product, `model` within a node.
//!
//! Not here: meshes of Loom models, which are composed of plans of their layers ([`super::choose`]).

/// Sizes of both axes, with those that are given.
pub fn meshes(devices: u64, node: u64, given: &[(String, u64)]) -> Vec<Vec<(String, u64)>> {
    let fits = |mesh: &[(String, u64)]| given.iter().all(|g| mesh.contains(g));
    let model = (1..=node.min(devices)).filter(|m| devices.is_multiple_of(*m));
    model.map(|m| vec![("data".into(), devices / m), ("model".into(), m)]).filter(|mesh| fits(mesh)).collect()
}

#[cfg(test)]
mod tests {
    use super::meshes;

    #[test]
    fn the_model_axis_stays_within_a_node() {
        let shown = |all: Vec<Vec<(String, u64)>>| all.iter().map(|m| (m[0].1, m[1].1)).collect::<Vec<_>>();
        assert_eq!(shown(meshes(16, 8, &[])), [(16, 1), (8, 2), (4, 4), (2, 8)]);
        assert_eq!(shown(meshes(6, 8, &[])), [(6, 1), (3, 2), (2, 3), (1, 6)]);
        assert_eq!(shown(meshes(16, 8, &[("model".into(), 4)])), [(4, 4)]);
        assert!(meshes(16, 8, &[("pipe".into(), 4)]).is_empty());
        assert!(meshes(0, 8, &[]).is_empty());
    }
}
