//! The one error of this crate. It names the member of the bundle, the place in it, and what is wrong.

/// What is wrong with a bundle or a program. The caller knows the file's name and puts it in front.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BundleError {
    /// Member of the archive, `manifest.json` or `programs/gpt.json`; `None` for the archive itself.
    pub member: Option<String>,
    /// Place in the member: `instruction 12`, `port tok`. Empty when the member as a whole is meant.
    pub place: String,
    pub message: String,
    /// Whether the program is sound and larger than any that is run ([`crate::limits`]).
    pub limit: bool,
}

pub type BundleResult<T, E = BundleError> = std::result::Result<T, E>;

impl BundleError {
    pub fn new(message: impl Into<String>) -> BundleError {
        BundleError { member: None, place: String::new(), message: message.into(), limit: false }
    }

    pub fn at(place: impl Into<String>, message: impl Into<String>) -> BundleError {
        BundleError { member: None, place: place.into(), message: message.into(), limit: false }
    }

    /// An error about a limit.
    pub fn limit(message: impl Into<String>) -> BundleError {
        BundleError { limit: true, ..BundleError::new(message) }
    }

    pub fn in_member(mut self, member: &str) -> BundleError {
        self.member.get_or_insert_with(|| member.to_owned());
        self
    }
}

impl std::fmt::Display for BundleError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(m) = &self.member {
            write!(f, "{m}: ")?;
        }
        if !self.place.is_empty() {
            write!(f, "{}: ", self.place)?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for BundleError {}
