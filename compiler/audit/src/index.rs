//! An index of what lies in an arena, by address.
//!
//! An arena has hundreds of pieces, and nearly every question is about a few of them. So pieces are kept in the order of their
//! first addresses, and each has the latest end of all pieces up to it. A search for a span goes backwards from the span's end.
//! It stops at a piece whose latest end is no later than the span's beginning: neither that piece nor one before it reaches
//! into the span. Pieces that overlap are ordered by when they were written.
//!
//! Not here: what lies there, and what of it can be read ([`crate::memory`]).

use smallvec::SmallVec;

/// Addresses from the first to behind the last.
pub(crate) type Span = (i64, i64);

/// Something at addresses.
#[derive(Clone, Debug)]
pub(crate) struct Lying<T> {
    pub span: Span,
    /// When it was written: no two have the same number.
    pub born: u64,
    pub what: T,
    /// Where this and those before it end at the latest.
    latest: i64,
}

/// Some of what lies in an arena; most often few.
pub(crate) type Some<'a, T> = SmallVec<[&'a Lying<T>; 8]>;

/// In the order of their first addresses.
#[derive(Clone, Debug)]
pub(crate) struct Index<T>(Vec<Lying<T>>);

impl<T> Default for Index<T> {
    fn default() -> Index<T> {
        Index(Vec::new())
    }
}

impl<T> Index<T> {
    /// All that may have bytes in a span, the one that begins last first.
    fn around(&self, to: Span) -> impl Iterator<Item = &Lying<T>> {
        let end = self.0.partition_point(|x| x.span.0 < to.1);
        self.0[..end].iter().rev().take_while(move |x| x.latest > to.0).filter(move |x| x.span.1 > to.0)
    }

    /// The same, in the order in which they were written.
    pub fn near(&self, to: Span) -> Some<'_, T> {
        let mut found: Some<'_, T> = self.around(to).collect();
        found.sort_unstable_by_key(|x| x.born);
        found
    }

    /// All that may have bytes in a span and were written after `born`.
    pub fn over(&self, to: Span, born: u64) -> impl Iterator<Item = &Lying<T>> {
        self.around(to).filter(move |x| x.born > born)
    }

    /// All that were written after `born`, in the order in which they were written.
    pub fn since(&self, born: u64) -> Vec<&Lying<T>> {
        let mut found: Vec<&Lying<T>> = self.0.iter().filter(|x| x.born > born).collect();
        found.sort_unstable_by_key(|x| x.born);
        found
    }

    /// All, in the order in which they were written.
    pub fn by_age(&self) -> Vec<&Lying<T>> {
        let mut found: Vec<&Lying<T>> = self.0.iter().collect();
        found.sort_unstable_by_key(|x| x.born);
        found
    }

    /// Adds what was written last, and removes what lies within its span and is hidden by it.
    pub fn put(&mut self, span: Span, born: u64, what: T, hides: impl Fn(&T) -> bool) {
        let first = self.0.partition_point(|x| x.span.0 < span.0);
        let within = self.0[first..].iter().take_while(|x| x.span.0 <= span.1);
        let is_hidden = |x: &(usize, &Lying<T>)| x.1.span.1 <= span.1 && hides(&x.1.what);
        let hidden: SmallVec<[usize; 4]> = within.enumerate().filter(is_hidden).map(|x| first + x.0).collect();
        let new = Lying { span, born, what, latest: i64::MIN };
        let Some((&place, others)) = hidden.split_first() else {
            self.0.insert(first, new);
            return self.measure(first, first);
        };
        others.iter().rev().for_each(|&i| drop(self.0.remove(i)));
        self.0[place] = new;
        self.0[first..=place].rotate_right(1);
        self.measure(first, hidden[hidden.len() - 1]);
    }

    /// Keeps only what `keep` accepts.
    pub fn retain(&mut self, keep: impl Fn(&T) -> bool) {
        self.0.retain(|x| keep(&x.what));
        self.measure(0, self.0.len());
    }

    /// Computes the latest ends again, from position `first` on, after changes up to position `last`.
    fn measure(&mut self, first: usize, last: usize) {
        let mut latest = first.checked_sub(1).map_or(i64::MIN, |i| self.0[i].latest);
        for (i, x) in self.0.iter_mut().enumerate().skip(first) {
            latest = latest.max(x.span.1);
            // The ends of later ones stay as they are.
            if i > last && x.latest == latest {
                break;
            }
            x.latest = latest;
        }
    }

    pub fn into_all(self) -> impl Iterator<Item = T> {
        self.0.into_iter().map(|x| x.what)
    }
}

impl<T: Clone> Index<T> {
    /// An index of only those that may have bytes in a span.
    pub fn of_part(&self, to: Span) -> Index<T> {
        let mut part = Index(self.around(to).cloned().collect());
        part.0.reverse();
        part.measure(0, part.0.len());
        part
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshloom_ir::random::Rng;

    /// Compares the index with a list that is searched from its first entry to its last, and from which hidden entries are
    /// removed.
    #[test]
    fn it_finds_what_a_list_has() {
        let mut rng = Rng::new(7);
        let mut span = |most| {
            let start = rng.below(200) as i64;
            (start, start + 1 + rng.below(most) as i64)
        };
        let (mut index, mut list): (Index<u64>, Vec<(Span, u64)>) = (Index::default(), Vec::new());
        let mut gone = 0;
        for born in 1..2000 {
            let of = span(if born % 50 == 0 { 100 } else { 12 });
            // Some stay although something lies over them, as pieces do that have gaps.
            let hides = |x: &u64| !x.is_multiple_of(3);
            let before = list.len();
            list.retain(|x| !(of.0 <= x.0.0 && x.0.1 <= of.1 && hides(&x.1)));
            gone += before - list.len();
            list.push((of, born));
            index.put(of, born, born, hides);
            if born % 10 == 0 {
                list.retain(|x| x.1 % 30 != born / 10 % 30);
                index.retain(|&x| x % 30 != born / 10 % 30);
            }
            let to = span(30);
            let want: Vec<u64> = list.iter().filter(|x| x.0.0 < to.1 && x.0.1 > to.0).map(|x| x.1).collect();
            assert_eq!(index.near(to).iter().map(|x| x.born).collect::<Vec<_>>(), want);
            assert_eq!(index.of_part(to).by_age().iter().map(|x| x.born).collect::<Vec<_>>(), want);
            let after: Vec<u64> = want.into_iter().filter(|&b| b > born / 2).collect();
            let mut over: Vec<u64> = index.over(to, born / 2).map(|x| x.born).collect();
            over.sort_unstable();
            assert_eq!(over, after);
            let young: Vec<u64> = list.iter().map(|x| x.1).filter(|&b| b > born / 2).collect();
            assert_eq!(index.since(born / 2).iter().map(|x| x.born).collect::<Vec<_>>(), young);
        }
        assert!(gone > 500 && list.len() > 50, "{gone} were hidden, {} stayed", list.len());
    }
}
