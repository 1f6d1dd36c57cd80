//! The profiles that are built in: files of `compiler/driver/profiles`, read like any other.
//!
//! They lie here and not beside the targets because they change as rows are published, and nothing below decides by them.
//!
//! Not here: what a profile is (`meshloom_plan::cost::Profile`).

use meshloom_plan::cost::Profile;

const BUILTIN: &[(&str, &str)] = &[
    ("meshloom", include_str!("../profiles/meshloom.toml")),
    ("pytorch-2024", include_str!("../profiles/pytorch-2024.toml")),
    ("torchtitan-2025", include_str!("../profiles/torchtitan-2025.toml")),
    ("megatron-2021", include_str!("../profiles/megatron-2021.toml")),
    ("megatron-2025", include_str!("../profiles/megatron-2025.toml")),
];

/// Their names. Of several for one stack, the latest stands last.
pub fn names() -> impl Iterator<Item = &'static str> {
    BUILTIN.iter().map(|b| b.0)
}

pub fn builtin(name: &str) -> Option<Profile> {
    let (name, text) = BUILTIN.iter().find(|b| b.0 == name)?;
    Profile::parse(name, text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshloom_plan::cost::Target;

    #[test]
    fn what_is_built_in_is_fitted_to_rows() {
        for (name, text) in BUILTIN {
            let profile = Profile::parse(name, text).unwrap_or_else(|e| panic!("{name}: {e}"));
            let fitted = profile.archs().next().is_none() || profile.rows.len() >= 3;
            assert!(fitted && !profile.about.is_empty(), "{name}");
        }
    }

    #[test]
    fn the_default_changes_no_figure() {
        let meshloom = builtin("meshloom").expect("it is built in");
        for name in Target::names() {
            let target = Target::builtin(name).expect("it is built in");
            let with = meshloom.of(&target).expect("it is for all targets");
            assert_eq!(Target { profile: None, ..with }, target);
        }
    }
}
