//! What each target has had in all runs so far: the number of its next case, processor time, and findings. Kept in a file, so that a
//! run goes on where the one before ended, and no case is run twice.
//!
//! ```text
//! parser seed 0 cases 18250 seconds 812.4 findings 0
//! ```

use crate::targets::ALL;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// Of one target.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spent {
    /// The number of the next case.
    pub cases: u64,
    /// Of a processor.
    pub seconds: f64,
    pub findings: u64,
}

/// Of all targets by their names, for one seed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ledger {
    pub seed: u64,
    pub of: BTreeMap<String, Spent>,
}

impl Ledger {
    /// Reads a file; an empty ledger of `seed` where there is none.
    ///
    /// # Errors
    /// A file that cannot be read, a line that is none of a ledger, and a ledger of another seed.
    pub fn read(path: &Path, seed: u64) -> Result<Ledger, String> {
        let named = |what: String| format!("{}: {what}", path.display());
        match std::fs::read_to_string(path) {
            Ok(text) => Ledger::parse(&text, seed).map_err(named),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(Ledger { seed, of: BTreeMap::new() }),
            Err(e) => Err(named(e.to_string())),
        }
    }

    fn parse(text: &str, seed: u64) -> Result<Ledger, String> {
        let mut of = BTreeMap::new();
        for (i, line) in text.lines().enumerate() {
            let words: Vec<&str> = line.split_whitespace().collect();
            let [name, "seed", s, "cases", cases, "seconds", seconds, "findings", findings] = words[..] else {
                return Err(format!("line {}: is not `TARGET seed N cases N seconds N findings N`", i + 1));
            };
            let number = |what: &str| what.parse::<u64>().map_err(|e| format!("line {}: {what}: {e}", i + 1));
            if number(s)? != seed {
                return Err(format!("line {}: is of seed {s}, and cases of seed {seed} are asked for", i + 1));
            }
            let seconds: f64 = seconds.parse().map_err(|e| format!("line {}: {seconds}: {e}", i + 1))?;
            of.insert(name.to_owned(), Spent { cases: number(cases)?, seconds, findings: number(findings)? });
        }
        Ok(Ledger { seed, of })
    }

    /// One line for each target, in the order of the table; targets that are gone come last.
    pub fn text(&self) -> String {
        let line = |(name, s): (&str, &Spent)| {
            let Spent { cases, seconds, findings } = s;
            format!("{name} seed {} cases {cases} seconds {seconds:.1} findings {findings}\n", self.seed)
        };
        let known = ALL.iter().filter_map(|t| self.of.get(t.name).map(|s| (t.name, s)));
        let gone = self.of.iter().filter(|(name, _)| ALL.iter().all(|t| t.name != *name));
        known.chain(gone.map(|(n, s)| (n.as_str(), s))).map(line).collect()
    }

    /// Writes the file, at once or not at all.
    ///
    /// # Errors
    /// Of the system.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let new = path.with_extension("new");
        std::fs::write(&new, self.text())?;
        std::fs::rename(&new, path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ledger_reads_what_it_writes() {
        let some = Spent { cases: 12, seconds: 3.5, findings: 1 };
        let of = [("plan", some), ("parser", Spent::default()), ("gone", some)];
        let ledger = Ledger { seed: 7, of: of.map(|(n, s)| (n.to_owned(), s)).into() };
        let text = ledger.text();
        assert!(text.starts_with("parser seed 7 cases 0 seconds 0.0 findings 0\nplan seed 7 "), "{text}");
        assert_eq!(Ledger::parse(&text, 7), Ok(ledger));
        assert!(Ledger::parse(&text, 8).is_err_and(|e| e.starts_with("line 1: is of seed 7")));
        assert!(Ledger::parse("parser 3\n", 7).is_err());
        assert_eq!(Ledger::read(Path::new("/nonexistent/ledger"), 3), Ok(Ledger { seed: 3, of: BTreeMap::new() }));
    }
}
