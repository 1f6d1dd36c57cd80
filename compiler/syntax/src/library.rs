//! The library: Loom files that ship with the compiler. They are the definition of what their functions mean.

/// Name and text of each file.
pub const FILES: &[(&str, &str)] = &[
    ("lib/activation.loom", include_str!("../lib/activation.loom")),
    ("lib/attention.loom", include_str!("../lib/attention.loom")),
    ("lib/loss.loom", include_str!("../lib/loss.loom")),
    ("lib/norm.loom", include_str!("../lib/norm.loom")),
];
