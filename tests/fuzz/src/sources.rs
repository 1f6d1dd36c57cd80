//! Programs and modules that the fuzzed inputs start from.

pub const SOURCES: &[&str] = &[
    include_str!("../../../examples/gpt.loom"),
    include_str!("../../../examples/mlp.loom"),
    include_str!("../../filetests/elaborate/attention.loom"),
    include_str!("../../filetests/elaborate/layers.loom"),
    include_str!("../../filetests/elaborate/layout_block.loom"),
    include_str!("../../filetests/parse/ragged.loom"),
];

pub const MODULES: &[&str] = &[
    include_str!("../../data/stablehlo/mlp.dp2tp4.mlir"),
    include_str!("../../data/stablehlo/plans/12_common_gather.mlir"),
    include_str!("../../data/stablehlo/control/scan_checkpoint.mlir"),
    include_str!("../../data/stablehlo/control/scan_of_scan.mlir"),
    include_str!("../../data/stablehlo/control/fori_in_place.mlir"),
    include_str!("../../data/stablehlo/control/switch.mlir"),
    include_str!("../../data/stablehlo/control/vmap_cond.mlir"),
    include_str!("../../data/stablehlo/control/composite.mlir"),
    include_str!("../../data/stablehlo/control/associative_scan.mlir"),
];

/// Small enough to be planned many times in a second.
pub const SMALL: &[&str] = &[
    include_str!("../../filetests/local/mlp.loom"),
    include_str!("../../filetests/elaborate/mlp.loom"),
    include_str!("../../filetests/elaborate/layout_block.loom"),
];

/// A file test without its expectation.
pub fn head(text: &'static str) -> &'static str {
    text.split("// ----- ").next().unwrap_or(text)
}

/// A program that is planned at once.
pub fn small() -> &'static str {
    head(SMALL[0])
}
