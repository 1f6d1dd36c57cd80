//! What the last plan decided, carried over to the text as it is now: lines that changed since lose their notes.

use crate::check::{PlanNote, Planned};

/// The notes of a plan, and the text that was planned.
#[derive(Default)]
pub struct Notes {
    pub text: String,
    pub all: Vec<PlanNote>,
}

impl Notes {
    /// Those of a file; of the planned file itself, on the lines where they are in `now`.
    pub fn of(&self, path: &str, main: &str, now: &str) -> Vec<PlanNote> {
        let here = self.all.iter().filter(|n| n.file == path);
        if path != main || now == self.text {
            return here.cloned().collect();
        }
        let (then, now): (Vec<&str>, Vec<&str>) = (self.text.lines().collect(), now.lines().collect());
        let before = then.iter().zip(&now).take_while(|(a, b)| a == b).count();
        let room = then.len().min(now.len()) - before;
        let behind = then.iter().rev().zip(now.iter().rev()).take(room).take_while(|(a, b)| a == b).count();
        let moved = |n: &PlanNote| {
            let line = usize::try_from(n.line).ok()?.checked_sub(1)?;
            let line = match line {
                l if l < before => l,
                l if l >= then.len() - behind => l + now.len() - then.len(),
                _ => return None,
            };
            Some(PlanNote { line: line as u64 + 1, ..n.clone() })
        };
        here.filter_map(moved).collect()
    }
}

/// Layouts among notes, of a tensor on a line that ends in the name: `up` of `blocks.*.up`. One for each that differs.
pub fn layouts(notes: &[PlanNote], line: u64, name: &str) -> Vec<(String, Vec<String>)> {
    let mut out: Vec<(String, Vec<String>)> = Vec::new();
    for n in notes.iter().filter(|n| n.line == line) {
        let Planned::Layout { entry, name: full, layout } = &n.what else { continue };
        if full.rsplit('.').next() != Some(name) {
            continue;
        }
        match out.iter_mut().find(|o| o.0 == *layout) {
            Some(o) => o.1.push(entry.clone()),
            None => out.push((layout.clone(), vec![entry.clone()])),
        }
    }
    out
}

/// Collectives on a line: what, why, and in which entries.
pub fn collectives(notes: &[PlanNote], line: u64) -> Vec<(String, String, Vec<String>)> {
    let mut out: Vec<(String, String, Vec<String>)> = Vec::new();
    for n in notes.iter().filter(|n| n.line == line) {
        let Planned::Collective { entry, text, why } = &n.what else { continue };
        match out.iter_mut().find(|o| o.0 == *text) {
            Some(o) if o.2.contains(entry) => {}
            Some(o) => o.2.push(entry.clone()),
            None => out.push((text.clone(), why.clone(), vec![entry.clone()])),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_stay_on_the_lines_that_stayed() {
        let note = |line| PlanNote {
            file: "a".into(),
            line,
            column: 1,
            what: Planned::Layout { entry: "e".into(), name: format!("m.x{line}"), layout: "[_]".into() },
        };
        let notes = Notes { text: "1\n2\n3\n4\n".into(), all: (1..=4).map(note).collect() };
        let lines = |now: &str| notes.of("a", "a", now).iter().map(|n| n.line).collect::<Vec<_>>();
        assert_eq!(lines("1\n2\n3\n4\n"), [1, 2, 3, 4]);
        assert_eq!(lines("1\n2\nnew\nnew\n3\n4\n"), [1, 2, 5, 6]);
        assert_eq!(lines("1\nother\n3\n4\n"), [1, 3, 4]);
        assert_eq!(lines("1\n4\n"), [1, 2]);
        assert_eq!(lines(""), [0u64; 0]);
        assert_eq!(layouts(&notes.all, 2, "x2"), [("[_]".to_string(), vec!["e".to_string()])]);
        assert!(layouts(&notes.all, 2, "x3").is_empty());
    }
}
