//! What a design review has to know of a cluster beside the target: failures, storage, power and the taper of its network, from TOML.
//!
//! A target says what a step takes, and these figures what a run takes. They stand in a file of their own because two clusters of the same
//! devices differ in them. The built-in file (`compiler/driver/clusters/usual.toml`) has a source for each figure; a file of the user's
//! changes some of them.
//!
//! Not here: the review ([`crate::design`]).

use serde::Deserialize;
use std::collections::BTreeMap;

const USUAL: &str = include_str!("../clusters/usual.toml");

/// A cluster.
#[derive(Clone, PartialEq, Debug)]
pub struct Cluster {
    /// The file that was given, or `usual`.
    pub name: String,
    /// Hours of one device between two interruptions.
    pub device_hours: f64,
    /// Minutes from an interruption until training goes on.
    pub restart_minutes: f64,
    /// Bytes per second that all devices together write.
    pub storage: f64,
    /// Bytes per second that one device writes at most.
    pub device_storage: f64,
    /// Watts of a device with its share of the node, by target.
    pub watts: BTreeMap<String, f64>,
    /// What the building takes over what its machines take.
    pub building: f64,
    /// How many times less the outermost level carries than its links together.
    pub taper: f64,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct File {
    failures: Failures,
    storage: Storage,
    power: Power,
    network: Network,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Failures {
    device_hours: Option<f64>,
    restart_minutes: Option<f64>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Storage {
    bandwidth: Option<f64>,
    device_bandwidth: Option<f64>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Power {
    watts: BTreeMap<String, f64>,
    building: Option<f64>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Network {
    taper: Option<f64>,
}

impl Cluster {
    /// The built-in one.
    pub fn usual() -> Cluster {
        let nothing = Cluster {
            name: "usual".into(),
            device_hours: f64::INFINITY,
            restart_minutes: 0.0,
            storage: f64::INFINITY,
            device_storage: f64::INFINITY,
            watts: BTreeMap::new(),
            building: 1.0,
            taper: 1.0,
        };
        // A test reads it.
        nothing.clone().changed("usual", USUAL).unwrap_or(nothing)
    }

    /// This one with what a file says otherwise; `name` is the file's.
    ///
    /// # Errors
    /// What is not TOML, a key that there is not, a figure that is not above 0 (a taper or a building below 1).
    pub fn changed(self, name: &str, text: &str) -> Result<Cluster, String> {
        let file: File = toml::from_str(text).map_err(|e| e.to_string().trim_end().to_owned())?;
        let above = |key: &str, given: Option<f64>, old: f64, least: f64| match given {
            None => Ok(old),
            Some(x) if x.is_finite() && x >= least && x > 0.0 => Ok(x),
            Some(x) if least > 0.0 => Err(format!("{key} is {x}, and has to be {least} or more")),
            Some(x) => Err(format!("{key} is {x}, and has to be more than 0")),
        };
        let mut watts = self.watts;
        for (target, w) in file.power.watts {
            let w = above(&format!("power.watts.{target}"), Some(w), 0.0, 0.0)?;
            watts.insert(target, w);
        }
        Ok(Cluster {
            name: name.to_owned(),
            device_hours: above("failures.device_hours", file.failures.device_hours, self.device_hours, 0.0)?,
            restart_minutes: match file.failures.restart_minutes {
                Some(0.0) => 0.0,
                given => above("failures.restart_minutes", given, self.restart_minutes, 0.0)?,
            },
            storage: above("storage.bandwidth", file.storage.bandwidth, self.storage, 0.0)?,
            device_storage: above("storage.device_bandwidth", file.storage.device_bandwidth, self.device_storage, 0.0)?,
            watts,
            building: above("power.building", file.power.building, self.building, 1.0)?,
            taper: above("network.taper", file.network.taper, self.taper, 1.0)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshloom_plan::cost::Target;

    #[test]
    fn the_usual_cluster_is_read_and_names_targets() {
        let usual = Cluster::usual();
        assert!(usual.device_hours.is_finite() && usual.storage.is_finite() && usual.device_storage.is_finite());
        assert!(usual.watts.keys().all(|t| Target::builtin(t).is_some()));
    }

    #[test]
    fn a_file_changes_what_it_says() {
        let other = Cluster::usual().changed("c.toml", "[network]\ntaper = 2\n").unwrap();
        assert_eq!(other, Cluster { name: "c.toml".into(), taper: 2.0, ..Cluster::usual() });
        for (text, wrong) in [
            ("[network]\ntaper = 0.5", "network.taper is 0.5, and has to be 1 or more"),
            ("[failures]\ndevice_hours = -1", "failures.device_hours is -1, and has to be more than 0"),
            ("[failures]\ndevice_hours = nan", "failures.device_hours is NaN, and has to be more than 0"),
            ("[power]\nwatts = { h200 = 0 }", "power.watts.h200 is 0, and has to be more than 0"),
        ] {
            assert_eq!(Cluster::usual().changed("c.toml", text), Err(wrong.into()));
        }
        let unknown = Cluster::usual().changed("c.toml", "[power]\nwatt = 3").unwrap_err();
        assert!(unknown.contains("line 2") && unknown.contains("watt"), "{unknown}");
    }
}
