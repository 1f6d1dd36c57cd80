//! Names in scope while a tree is walked, innermost last. Asking for one takes as long in a block of many variables as in a small one.

use std::collections::BTreeMap;

#[derive(Default)]
pub struct Scoped {
    names: Vec<String>,
    /// How often each is there: an inner one hides those of the same name.
    count: BTreeMap<String, usize>,
}

impl Scoped {
    pub fn push(&mut self, name: String) {
        *self.count.entry(name.clone()).or_default() += 1;
        self.names.push(name);
    }

    pub fn contains(&self, name: &str) -> bool {
        self.count.contains_key(name)
    }

    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Leaves the first `len` names.
    pub fn truncate(&mut self, len: usize) {
        for name in self.names.drain(len.min(self.names.len())..) {
            match self.count.get_mut(&name) {
                Some(n) if *n > 1 => *n -= 1,
                _ => drop(self.count.remove(&name)),
            }
        }
    }

    pub fn clear(&mut self) {
        self.truncate(0);
    }
}

impl Extend<String> for Scoped {
    fn extend<T: IntoIterator<Item = String>>(&mut self, names: T) {
        names.into_iter().for_each(|n| self.push(n));
    }
}

impl FromIterator<String> for Scoped {
    fn from_iter<T: IntoIterator<Item = String>>(names: T) -> Scoped {
        let mut out = Scoped::default();
        out.extend(names);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outer_name_is_there_again_behind_the_inner_one() {
        let mut s: Scoped = ["a", "b", "a"].map(String::from).into_iter().collect();
        s.truncate(2);
        assert!(s.contains("a") && s.contains("b"));
        s.truncate(1);
        assert!(s.contains("a") && !s.contains("b") && s.len() == 1);
        s.clear();
        assert!(!s.contains("a"));
    }
}
