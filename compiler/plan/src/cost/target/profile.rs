//! Profiles: what part of a device's peak rates a stack of software reaches, apart from the device.
//!
//! A target file describes hardware, and in `[achievable]` what Meshloom's own kernels reach on it. A profile has these figures of
//! another stack, for each architecture that rows of it were published of, and the rows themselves with what was measured and
//! what is predicted of them. How far the two are apart is the band of every prediction made with the profile. `scripts/profiles` fits
//! the figures and writes the rows.
//!
//! Not here: the profiles that are built in (`meshloom_driver::profiles`), and the fit.

use super::file::{FileAttention, attention, fraction};
use super::{Arch, Target};
use crate::cost::quantity::Unit;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Figures of a stack of software.
#[derive(Clone, PartialEq, Debug)]
pub struct Profile {
    pub name: String,
    /// What it is, in a sentence.
    pub about: String,
    /// What reviews of launch files call the stack; empty for Meshloom itself.
    pub stack: String,
    /// Where its rows were published.
    pub sources: Vec<String>,
    pub rows: Vec<ProfileRow>,
    devices: BTreeMap<Arch, Figures>,
}

/// A published throughput, and what the profile predicts of the same run.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProfileRow {
    pub name: String,
    /// Tokens a second and device.
    pub measured: f64,
    pub predicted: f64,
}

/// The profile that a target's figures are of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Profiled {
    pub name: String,
    pub rows: u64,
    /// Absent without rows.
    pub band: Option<Band>,
}

/// How long measured steps were beside predicted ones, in per mille: the least and the most of all rows of a profile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Band {
    pub least: u64,
    pub most: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    about: String,
    #[serde(default)]
    stack: String,
    #[serde(default)]
    sources: Vec<String>,
    #[serde(default)]
    device: Vec<Figures>,
    #[serde(default)]
    row: Vec<ProfileRow>,
}

/// What stands in place of a target's own figures, for one architecture. What is absent is the target's.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Figures {
    arch: String,
    contraction: Option<f64>,
    contraction8: Option<f64>,
    batched: Option<f64>,
    attention: Option<FileAttention>,
    bandwidth: Option<f64>,
    fused: Option<f64>,
    update: Option<f64>,
    launch: Option<String>,
    call: Option<String>,
    overlap: Option<bool>,
    /// Of the bandwidth of links that the target says collectives see, the part that they see here.
    links: Option<f64>,
}

impl Profile {
    /// The profile that `text` describes, under a name of the caller's.
    ///
    /// # Errors
    /// What is not TOML, a key that is unknown or missing, a figure that is none, an architecture that there is not.
    pub fn parse(name: &str, text: &str) -> Result<Profile, String> {
        let file: File = toml::from_str(text).map_err(|e| e.to_string().trim_end().to_owned())?;
        let mut devices = BTreeMap::new();
        for f in file.device {
            let none = || format!("device.arch: there is no \"{}\"", f.arch);
            let arch = Arch::by_name(&f.arch).ok_or_else(none)?;
            // A figure that is wrong is said when the profile is read, and not first when it is used.
            f.applied(&Target::default())?;
            if devices.insert(arch, f).is_some() {
                return Err(format!("device: there are two of \"{}\"", arch.name()));
            }
        }
        let whole = |x: f64| x.is_finite() && x > 0.0;
        if let Some(row) = file.row.iter().find(|r| !whole(r.measured) || !whole(r.predicted)) {
            return Err(format!("row \"{}\": throughputs are more than zero", row.name));
        }
        let (about, stack, sources, rows) = (file.about, file.stack, file.sources, file.row);
        Ok(Profile { name: name.into(), about, stack, sources, rows, devices })
    }

    /// Architectures that it has figures for.
    pub fn archs(&self) -> impl Iterator<Item = Arch> {
        self.devices.keys().copied()
    }

    /// How far its predictions are from what was measured.
    pub fn band(&self) -> Option<Band> {
        let ratio = |r: &ProfileRow| (1000.0 * r.predicted / r.measured).round() as u64;
        let ratios = || self.rows.iter().map(ratio);
        Some(Band { least: ratios().min()?, most: ratios().max()? })
    }

    /// `target` as the stack uses it. A profile that has figures for no architecture leaves all to the target.
    ///
    /// # Errors
    /// It has figures for other architectures.
    pub fn of(&self, target: &Target) -> Result<Target, String> {
        let mut out = match self.devices.get(&target.arch) {
            Some(figures) => figures.applied(target)?,
            None if self.devices.is_empty() => target.clone(),
            None => {
                let known: Vec<&str> = self.archs().map(Arch::name).collect();
                let (name, arch) = (&self.name, target.arch.name());
                let known = known.join(", ");
                return Err(format!(
                    "the profile `{name}` has no figures for {arch}, which `{}` is; it has {known}",
                    target.name
                ));
            }
        };
        out.profile = Some(Profiled { name: self.name.clone(), rows: self.rows.len() as u64, band: self.band() });
        Ok(out)
    }
}

impl Figures {
    fn applied(&self, target: &Target) -> Result<Target, String> {
        let mut out = target.clone();
        let key = |k: &str| format!("device \"{}\": {k}", self.arch);
        let part = |k: &str, x: Option<f64>| x.map(|x| fraction(&key(k), x)).transpose();
        let a = &mut out.achievable;
        let set = |to: &mut u64, x: Option<u64>| *to = x.unwrap_or(*to);
        set(&mut a.contraction, part("contraction", self.contraction)?);
        a.contraction8 = part("contraction8", self.contraction8)?.or(a.contraction8);
        a.batched = part("batched", self.batched)?.or(a.batched);
        if let Some(rates) = &self.attention {
            a.attention = attention(&key("attention"), rates)?;
        }
        set(&mut a.bandwidth, part("bandwidth", self.bandwidth)?);
        set(&mut a.fused, part("fused", self.fused)?);
        set(&mut a.update, part("update", self.update)?);
        let time = |k: &str, x: &Option<String>| {
            x.as_ref().map(|t| Unit::Time.parse(t).map_err(|e| format!("{}: {e}", key(k)))).transpose()
        };
        set(&mut out.launch, time("launch", &self.launch)?);
        set(&mut out.call, time("call", &self.call)?);
        out.overlap = self.overlap.unwrap_or(out.overlap);
        if let Some(links) = part("links", self.links)? {
            out.levels.iter_mut().for_each(|l| l.achievable = (l.achievable * links / 1000).max(1));
        }
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_band_is_from_the_rows() {
        let text = "about = \"a\"\n[[device]]\narch = \"sm_90a\"\ncontraction = 0.5\nlinks = 0.5\n
            [[row]]\nname = \"a\"\nmeasured = 100\npredicted = 90\n[[row]]\nname = \"b\"\nmeasured = 100\npredicted = 120\n";
        let profile = Profile::parse("p", text).expect("a profile");
        let h100 = Target::builtin("h100-sxm").expect("it is built in");
        let with = profile.of(&h100).expect("it has figures");
        assert_eq!(with.achievable.contraction, 500);
        assert_eq!(with.levels[0].achievable, h100.levels[0].achievable / 2);
        let band = Some(Band { least: 900, most: 1200 });
        assert_eq!(with.profile, Some(Profiled { name: "p".into(), rows: 2, band }));
        let a100 = Target::builtin("a100-80g").expect("it is built in");
        let refused = profile.of(&a100).expect_err("no figures for it");
        assert!(refused.contains("has no figures for sm_80"), "{refused}");
    }

    #[test]
    fn errors_name_the_key() {
        for (text, part) in [
            ("about = \"a\"\n[[device]]\narch = \"sm_91\"", "there is no \"sm_91\""),
            ("about = \"a\"\n[[device]]\narch = \"sm_80\"\nfused = 2", "device \"sm_80\": fused: 2 is not a fraction"),
            ("about = \"a\"\n[[device]]\narch = \"sm_80\"\n[[device]]\narch = \"sm_80\"", "there are two of \"sm_80\""),
            (
                "about = \"a\"\n[[row]]\nname = \"r\"\nmeasured = 0\npredicted = 1",
                "row \"r\": throughputs are more than zero",
            ),
            ("stack = \"a\"", "missing field `about`"),
        ] {
            let e = Profile::parse("p", text).expect_err(part);
            assert!(e.contains(part), "{e}");
        }
    }
}
