//! Which lists of values lie, or will lie, in one tensor with a leading dim, and where in that tensor a list of values is found.
//! The lists are entries of a parameter that was given layer by layer, of what a loop stacks, or of what an op on such tensors
//! makes.

use meshloom_ir::ValueId;
use std::collections::HashMap;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StackId(pub usize);

#[derive(Default)]
pub struct Stacks {
    entries: Vec<Vec<ValueId>>,
    /// By value: the stacks that have it, and where.
    of: HashMap<ValueId, Vec<(StackId, usize)>>,
}

impl Stacks {
    pub fn add(&mut self, entries: Vec<ValueId>) -> StackId {
        let id = StackId(self.entries.len());
        for (i, &v) in entries.iter().enumerate() {
            self.of.entry(v).or_default().push((id, i));
        }
        self.entries.push(entries);
        id
    }

    pub fn entries(&self, s: StackId) -> &[ValueId] {
        &self.entries[s.0]
    }

    pub fn count(&self) -> usize {
        self.entries.len()
    }

    /// The stacks that have `v`, in the order in which they were made.
    pub fn places(&self, v: ValueId) -> &[(StackId, usize)] {
        self.of.get(&v).map_or(&[], |p| p.as_slice())
    }

    /// A stack that has `values` one after another, and where they begin.
    pub fn find(&self, values: &[ValueId]) -> Option<(StackId, usize)> {
        let all = self.places(*values.first()?).iter();
        all.copied().find(|&(s, at)| self.entries(s).get(at..at + values.len()).is_some_and(|e| e == values))
    }

    /// A stack that is exactly `values`.
    pub fn exactly(&self, values: &[ValueId]) -> Option<StackId> {
        let all = self.places(*values.first()?).iter();
        all.copied().find(|&(s, at)| at == 0 && self.entries(s) == values).map(|p| p.0)
    }
}
