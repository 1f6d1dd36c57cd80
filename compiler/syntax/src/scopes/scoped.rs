//! Names in scope while a tree is walked, innermost last, each with what it means. Asking for one takes as long in a block of many
//! variables as in a small one.

use std::collections::BTreeMap;

pub struct Scoped<T = ()> {
    names: Vec<(String, T)>,
    /// Where each name stands: an inner one hides those of the same name.
    places: BTreeMap<String, Vec<usize>>,
}

impl<T> Default for Scoped<T> {
    fn default() -> Self {
        Scoped { names: Vec::new(), places: BTreeMap::new() }
    }
}

impl<T> Scoped<T> {
    pub fn push(&mut self, name: String, means: T) {
        self.places.entry(name.clone()).or_default().push(self.names.len());
        self.names.push((name, means));
    }

    pub fn contains(&self, name: &str) -> bool {
        self.places.contains_key(name)
    }

    pub fn get(&self, name: &str) -> Option<&T> {
        let place = *self.places.get(name)?.last()?;
        Some(&self.names[place].1)
    }

    /// All of them, innermost last.
    pub fn all(&self) -> &[(String, T)] {
        &self.names
    }

    pub fn depth(&self) -> usize {
        self.names.len()
    }

    /// Leaves the first `len` names.
    pub fn truncate(&mut self, len: usize) {
        for (name, _) in self.names.drain(len.min(self.names.len())..) {
            let Some(places) = self.places.get_mut(&name) else { continue };
            places.pop();
            if places.is_empty() {
                self.places.remove(&name);
            }
        }
    }

    pub fn clear(&mut self) {
        self.truncate(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outer_name_is_there_again_behind_the_inner_one() {
        let mut s = Scoped::default();
        for (i, name) in ["a", "b", "a"].into_iter().enumerate() {
            s.push(name.to_string(), i);
        }
        assert_eq!((s.get("a"), s.get("b")), (Some(&2), Some(&1)));
        s.truncate(2);
        assert_eq!((s.get("a"), s.get("b")), (Some(&0), Some(&1)));
        s.truncate(1);
        assert!(s.contains("a") && !s.contains("b") && s.depth() == 1);
        s.clear();
        assert!(!s.contains("a"));
    }
}
