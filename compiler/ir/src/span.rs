//! Positions in source files: a file number and a byte range. Lines and columns are computed where text is shown
//! (`syntax::source`), so that the IR stays small and independent of the text.

/// A source file, as an index into the front end's source map.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct FileId(pub u32);

/// A byte range `start..end` of a source file. The default span (`0..0` of file 0) means "no place".
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Span {
    pub file: FileId,
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn new(file: FileId, start: usize, end: usize) -> Span {
        Span { file, start: start as u32, end: end as u32 }
    }

    /// True for values that no source line stands behind (inserted by the compiler).
    pub fn is_none(&self) -> bool {
        self.end == 0
    }

    /// The smallest span covering both; files are assumed equal.
    pub fn to(self, other: Span) -> Span {
        if self.is_none() {
            return other;
        }
        if other.is_none() {
            return self;
        }
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}
