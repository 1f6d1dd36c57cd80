//! The library: Loom files that ship with the compiler. They define what their functions mean.

/// Name and text of each file.
pub const FILES: &[(&str, &str)] = &[
    ("lib/activation.loom", include_str!("../lib/activation.loom")),
    ("lib/attention.loom", include_str!("../lib/attention.loom")),
    ("lib/conv.loom", include_str!("../lib/conv.loom")),
    ("lib/layer.loom", include_str!("../lib/layer.loom")),
    ("lib/loss.loom", include_str!("../lib/loss.loom")),
    ("lib/moe.loom", include_str!("../lib/moe.loom")),
    ("lib/norm.loom", include_str!("../lib/norm.loom")),
    ("lib/optimizer.loom", include_str!("../lib/optimizer.loom")),
    ("lib/schedule.loom", include_str!("../lib/schedule.loom")),
];
