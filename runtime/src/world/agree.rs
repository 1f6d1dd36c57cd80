//! What all ranks must have alike, compared in one exchange.
//!
//! Every rank votes with a hash. All ranks hear the bitwise or of the votes, and the bitwise or of their complements. A
//! bit that is set in both differed between two voters. So the exchange is as small for a thousand ranks as for two.
//! Who differs is asked only when something does.
//!
//! Not here: what is compared. That is a table of [`Fingerprint`]s in the command line (`cli/run/src/agree.rs`), and the
//! copies of tensors ([`crate::replicas`]).

use super::ranks::ranks;
use super::run::World;
use super::spot::Spot;
use crate::error::{Result, RuntimeError};
use std::hash::Hasher;
use twox_hash::XxHash3_64;

/// Bytes of what a rank says of its own value.
const SAID: usize = 256;

/// Hashes that are compared, each with the votes of all who have one.
pub(crate) struct Votes(Vec<[u64; 2]>);

impl Votes {
    /// Nobody has voted on any of `n` values.
    pub fn new(n: usize) -> Votes {
        Votes(vec![[0; 2]; n])
    }

    pub fn add(&mut self, value: usize, hash: u64) {
        self.0[value][0] |= hash;
        self.0[value][1] |= !hash;
    }

    /// Adds the votes of all other processes, which vote on equally many values at the same time.
    pub fn combine(&mut self, world: &World, spot: Spot) {
        let mut bytes: Vec<u8> = self.0.iter().flatten().flat_map(|w| w.to_le_bytes()).collect();
        world.combine(&mut bytes, spot);
        let words = bytes.as_chunks::<8>().0.iter().map(|&b| u64::from_le_bytes(b)).collect::<Vec<u64>>();
        self.0 = words.as_chunks::<2>().0.to_vec();
    }

    /// The values on which two voters differ.
    pub fn contested(&self) -> Vec<usize> {
        (0..self.0.len()).filter(|&i| self.0[i][0] & self.0[i][1] != 0).collect()
    }
}

/// One thing that all ranks must have alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    /// What it is, for the sentence that says that it differs: `the data (--data)`.
    pub what: &'static str,
    /// What this rank has, for people: `x.npy, 40 rows`.
    pub is: String,
    pub hash: u64,
    /// Hashes of its parts by name, where naming the first part that differs helps.
    pub parts: Vec<(String, u64)>,
}

impl Fingerprint {
    pub fn new(what: &'static str, is: impl Into<String>, hash: u64) -> Fingerprint {
        Fingerprint { what, is: is.into(), hash, parts: Vec::new() }
    }

    pub fn of_bytes(what: &'static str, is: impl Into<String>, bytes: &[u8]) -> Fingerprint {
        Fingerprint::new(what, is, XxHash3_64::oneshot(bytes))
    }

    /// The hash follows from names and hashes of the parts.
    pub fn of_parts(what: &'static str, is: impl Into<String>, parts: Vec<(String, u64)>) -> Fingerprint {
        let mut hash = XxHash3_64::new();
        for (name, part) in &parts {
            hash.write(name.as_bytes());
            hash.write_u64(*part);
        }
        Fingerprint { what, is: is.into(), hash: hash.finish(), parts }
    }
}

impl World {
    /// Compares fingerprints with those of all other ranks, which give equally many, in the same order, at the same time.
    ///
    /// # Errors
    /// The first that differs, and what each rank has (kind `Usage`): the same sentence on all ranks. The run has ended in
    /// order then, and nobody waits for this rank any more.
    pub fn agree(&self, all: &[Fingerprint]) -> Result<()> {
        let mut votes = Votes::new(all.len());
        all.iter().enumerate().for_each(|(i, f)| votes.add(i, f.hash));
        votes.combine(self, Spot::AGREE);
        let contested = votes.contested();
        let Some(&first) = contested.first() else { return Ok(()) };
        let mut message = self.difference(&all[first]);
        if contested.len() > 1 {
            let more: Vec<&str> = contested[1..].iter().map(|&i| all[i].what).collect();
            message += &format!("; these differ as well: {}", more.join(", "));
        }
        self.finish();
        Err(RuntimeError::usage("before the first step", message))
    }

    /// Which ranks have what.
    fn difference(&self, f: &Fingerprint) -> String {
        let hashes = self.gather(f.hash);
        let said = self.gather_text(&f.is);
        let part = self.part_that_differs(f).map_or(String::new(), |p| format!(", first in `{p}`"));
        let mut groups: Vec<(u64, Vec<usize>)> = Vec::new();
        for (rank, &hash) in hashes.iter().enumerate() {
            match groups.iter_mut().find(|g| g.0 == hash) {
                Some(g) => g.1.push(rank),
                None => groups.push((hash, vec![rank])),
            }
        }
        let one = |(hash, who): &(u64, Vec<usize>)| {
            let has = if who.len() == 1 { "has" } else { "have" };
            format!("{} {has} {} ({:012x})", ranks(who), said[who[0]], hash >> 16)
        };
        // The fewest first: they are the likeliest to be wrong.
        groups.sort_by_key(|g| g.1.len());
        let each: Vec<String> = groups.iter().map(one).collect();
        format!("ranks disagree on {}{part}: {}", f.what, each.join("; "))
    }

    /// The name of the first part that differs, where all ranks have equally many.
    fn part_that_differs<'a>(&self, f: &'a Fingerprint) -> Option<&'a str> {
        let counts = self.gather(f.parts.len() as u64);
        if counts.iter().any(|&n| n != counts[0]) {
            return None;
        }
        let mut votes = Votes::new(f.parts.len());
        f.parts.iter().enumerate().for_each(|(i, p)| votes.add(i, p.1));
        votes.combine(self, Spot::AGREE);
        votes.contested().first().map(|&i| f.parts[i].0.as_str())
    }

    /// A short text of each process, by rank.
    fn gather_text(&self, own: &str) -> Vec<String> {
        let mut bytes = vec![0; SAID * self.size];
        let n = own.floor_char_boundary(SAID);
        bytes[SAID * self.rank..][..n].copy_from_slice(&own.as_bytes()[..n]);
        self.combine(&mut bytes, Spot::AGREE);
        bytes.chunks(SAID).map(|b| String::from_utf8_lossy(b).trim_end_matches('\0').to_owned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn votes_that_differ_are_found() {
        let mut votes = Votes::new(4);
        for (value, hash) in [(0, 7), (0, 7), (1, 7), (1, 3), (2, 0), (2, u64::MAX)] {
            votes.add(value, hash);
        }
        assert_eq!(votes.contested(), [1, 2], "of value 3 nobody has a hash");
    }

    #[test]
    fn parts_make_the_hash() {
        let of = |parts: &[(&str, u64)]| {
            Fingerprint::of_parts("x", "", parts.iter().map(|p| (p.0.to_owned(), p.1)).collect()).hash
        };
        assert_eq!(of(&[("a", 1), ("b", 2)]), of(&[("a", 1), ("b", 2)]));
        assert_ne!(of(&[("a", 1), ("b", 2)]), of(&[("a", 2), ("b", 1)]));
    }
}
