//! A change that may help where no plan fits: other settings, and how a command line or a source has them.
//!
//! Not here: which changes there are ([`super::possible`]).

use crate::settings::Settings;

/// A change of what the caller and the source say.
#[derive(Clone)]
pub struct Change {
    shown: String,
    pub settings: Settings,
}

impl Change {
    /// No change.
    pub fn of(settings: Settings) -> Change {
        Change { shown: String::new(), settings }
    }

    /// The change as a command line would have it. No two changes have the same text.
    pub fn shown(&self) -> &str {
        &self.shown
    }

    /// The same with one more option.
    pub fn and(&self, shown: String, change: impl FnOnce(&mut Settings)) -> Change {
        let shown = [self.shown.as_str(), shown.as_str()].into_iter().filter(|s| !s.is_empty()).collect::<Vec<_>>();
        let mut made = Change { shown: shown.join(" "), ..self.clone() };
        change(&mut made.settings);
        made
    }

    /// The same on a mesh of these sizes.
    pub fn on(&self, sizes: Vec<(String, u64)>) -> Change {
        let shown: Vec<String> = sizes.iter().filter(|s| s.1 > 1).map(|(n, s)| format!("{n}={s}")).collect();
        self.and(format!("--mesh {}", shown.join(",")), |s| s.front.mesh = Some(sizes))
    }
}

/// What is changed, in the order in which remedies that fit are named: what costs least comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ChangeKind {
    Search,
    Recompute,
    Offload,
    Accumulate,
    /// Of a block that names so many axes.
    Layout(usize),
    Mesh,
    Batch,
    /// Along an axis of the mesh, by its position.
    Devices(usize),
    /// Several of these.
    Together,
}

/// The same change in rising degrees.
pub struct Degrees {
    pub kind: ChangeKind,
    pub steps: Vec<Change>,
}
