//! A small pretty-printer after Wadler: text with places where it may break, laid out to a width.

#[derive(Clone, Debug)]
pub enum Doc {
    Text(String),
    /// A space, or a line break where the group is broken.
    Line,
    /// Nothing, or a line break.
    SoftLine,
    /// Always a line break.
    HardLine,
    /// Always a line break and an empty line.
    BlankLine,
    /// `// ..` at the end of a line. Takes no width; what follows must be a line break.
    Comment(String),
    /// Only where the group is broken.
    IfBroken(&'static str),
    Indent(Box<Doc>),
    Group(Box<Doc>),
    Concat(Vec<Doc>),
}

impl Doc {
    pub fn text(s: impl Into<String>) -> Doc {
        Doc::Text(s.into())
    }

    pub fn indent(self) -> Doc {
        Doc::Indent(Box::new(self))
    }

    pub fn group(self) -> Doc {
        Doc::Group(Box::new(self))
    }

    /// Whether it cannot be on one line.
    fn forced(&self) -> bool {
        match self {
            Doc::HardLine | Doc::BlankLine | Doc::Comment(_) => true,
            Doc::Text(_) | Doc::Line | Doc::SoftLine | Doc::IfBroken(_) => false,
            Doc::Indent(d) | Doc::Group(d) => d.forced(),
            Doc::Concat(v) => v.iter().any(Doc::forced),
        }
    }
}

const INDENT: usize = 4;

/// Lays out a document. Groups are on one line where they fit.
pub fn render(doc: &Doc, width: usize) -> String {
    let mut out = String::new();
    let mut column = 0;
    // Indentation, whether the group around is broken, what is to be written.
    let mut stack: Vec<(usize, bool, &Doc)> = vec![(0, true, doc)];
    while let Some((indent, broken, doc)) = stack.pop() {
        match doc {
            Doc::Text(s) => {
                out += s;
                column += s.chars().count();
            }
            Doc::Comment(s) => {
                out += "  ";
                out += s;
            }
            Doc::IfBroken(s) => {
                if broken {
                    out += s;
                    column += s.len();
                }
            }
            Doc::Line if !broken => {
                out.push(' ');
                column += 1;
            }
            Doc::SoftLine if !broken => {}
            Doc::Line | Doc::SoftLine | Doc::HardLine | Doc::BlankLine => {
                out.truncate(out.trim_end_matches(' ').len());
                out += if matches!(doc, Doc::BlankLine) { "\n\n" } else { "\n" };
                out += &" ".repeat(indent);
                column = indent;
            }
            Doc::Indent(d) => stack.push((indent + INDENT, broken, d)),
            Doc::Concat(v) => stack.extend(v.iter().rev().map(|d| (indent, broken, d))),
            Doc::Group(d) => {
                let broken = d.forced() || !fits(d, &stack, width.saturating_sub(column));
                stack.push((indent, broken, d));
            }
        }
    }
    out
}

/// Whether `doc` on one line, with what follows it up to the next line break, takes at most `width`.
fn fits(doc: &Doc, rest: &[(usize, bool, &Doc)], width: usize) -> bool {
    let mut left = width;
    let mut stack: Vec<(bool, &Doc)> = vec![(false, doc)];
    let mut rest = rest.iter().rev();
    loop {
        let (broken, doc) = match stack.pop() {
            Some(x) => x,
            None => match rest.next() {
                Some(&(_, broken, d)) => (broken, d),
                None => return true,
            },
        };
        let used = match doc {
            Doc::Text(s) => s.chars().count(),
            Doc::Line if !broken => 1,
            Doc::SoftLine if !broken => 0,
            Doc::Line | Doc::SoftLine | Doc::HardLine | Doc::BlankLine | Doc::Comment(_) => return true,
            Doc::IfBroken(s) if broken => s.len(),
            Doc::IfBroken(_) => 0,
            Doc::Indent(d) => {
                stack.push((broken, d));
                0
            }
            // A group that follows may break at its first chance.
            Doc::Group(d) => {
                stack.push((broken && d.forced(), d));
                0
            }
            Doc::Concat(v) => {
                stack.extend(v.iter().rev().map(|d| (broken, d)));
                0
            }
        };
        match left.checked_sub(used) {
            Some(l) => left = l,
            None => return false,
        }
    }
}
