//! Tables as CSV text, in the grammar of PyTorch's `torch.distributed.pipelining` (`_Action` and `_load_csv` in
//! torch/distributed/pipelining/schedules.py), so that tables go from one to the other.
//!
//! ```text
//! table   = row*                       one row for each rank, from rank 0
//! row     = cell ("," cell)* newline   one cell for each slot
//! cell    = "" | action | "(" action ";" action ")OVERLAP_F_B"
//! action  = stage kind microbatch | stage ("UNSHARD" | "RESHARD" | "REDUCE_GRAD")
//! kind    = "F" | "I" | "W" | "B" | "SEND_F" | "RECV_F" | "SEND_B" | "RECV_B"
//! ```
//!
//! An empty cell is idle. Blanks around a cell do not count, and a cell may stand in double quotes. PyTorch overlooks what
//! follows an action in a cell, and takes an `F` without a microbatch; both are errors here, because they are slips.

use crate::action::{ActionKind, Cell, PipelineAction};
use std::fmt;
use std::ops::Range;

/// Stages and microbatches have numbers below this.
const NUMBERS: u32 = 1 << 20;

/// A cell that is no cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CsvError {
    pub file: String,
    /// From 1; row `n` is rank `n - 1`.
    pub row: usize,
    /// From 1, in cells; column `n` is slot `n - 1`.
    pub column: usize,
    pub cell: String,
    pub reason: String,
}

impl fmt::Display for CsvError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CsvError { file, row, column, cell, reason } = self;
        write!(f, "{file}: row {row} (rank {}), column {column} (slot {}): `{cell}`: {reason}", row - 1, column - 1)
    }
}

impl std::error::Error for CsvError {}

/// Reads a table. `file` is what errors call it.
///
/// # Errors
/// The first cell that is not of the grammar, with its row and column.
pub fn parse(file: &str, text: &str) -> Result<Vec<Vec<Cell>>, CsvError> {
    let (rows, wrong) = parse_all(file, text);
    wrong.into_iter().next().map_or(Ok(rows), Err)
}

/// Reads a table, and every cell that is not of the grammar; such a cell is idle in the table.
pub fn parse_all(file: &str, text: &str) -> (Vec<Vec<Cell>>, Vec<CsvError>) {
    let mut wrong = Vec::new();
    let mut rows = Vec::new();
    for (r, places) in places(text).into_iter().enumerate() {
        let mut row = Vec::with_capacity(places.len());
        for (c, place) in places.into_iter().enumerate() {
            let written = text.get(place).unwrap_or_default();
            row.push(self::cell(unquoted(written)).unwrap_or_else(|reason| {
                let cell = written.chars().take(40).collect();
                wrong.push(CsvError { file: file.into(), row: r + 1, column: c + 1, cell, reason });
                Cell::Idle
            }));
        }
        rows.push(row);
    }
    (rows, wrong)
}

/// Where the cells of a table stand, in bytes of the text and without blanks: for each row that of each cell.
pub fn places(text: &str) -> Vec<Vec<Range<usize>>> {
    let mark = text.len() - text.strip_prefix('\u{feff}').unwrap_or(text).len();
    let mut rows = Vec::new();
    let mut start = mark;
    for line in text.get(mark..).unwrap_or_default().split_inclusive('\n') {
        let mut row = Vec::new();
        let mut at = start;
        if !line.trim().is_empty() {
            for cell in line.split(',') {
                let before = cell.len() - cell.trim_start().len();
                let from = if cell.trim().is_empty() { at } else { at + before };
                row.push(from..from + cell.trim().len());
                at += cell.len() + 1;
            }
        }
        rows.push(row);
        start += line.len();
    }
    rows
}

/// Writes a table; [`parse`] reads it back.
pub fn print(rows: &[Vec<Cell>]) -> String {
    let row = |cells: &Vec<Cell>| cells.iter().map(Cell::to_string).collect::<Vec<_>>().join(",") + "\n";
    rows.iter().map(row).collect()
}

fn unquoted(cell: &str) -> &str {
    cell.strip_prefix('"').and_then(|c| c.strip_suffix('"')).unwrap_or(cell).trim()
}

fn cell(text: &str) -> Result<Cell, String> {
    if text.is_empty() {
        return Ok(Cell::Idle);
    }
    let Some(inner) = text.strip_prefix('(') else { return action(text).map(Cell::One) };
    let (parts, after) = inner.split_once(')').ok_or("the bracket is not closed")?;
    if after.trim() != "OVERLAP_F_B" {
        return Err(format!("`OVERLAP_F_B` stands behind a bracket, not `{}`", after.trim()));
    }
    let parts: Vec<&str> = parts.split(';').map(str::trim).collect();
    let [a, b] = parts[..] else {
        return Err(format!("an overlapped pair has 2 actions, not {}", parts.len()));
    };
    let pair = [action(a)?, action(b)?];
    let kinds = (pair[0].kind, pair[1].kind);
    match kinds {
        (ActionKind::F, ActionKind::B | ActionKind::I) | (ActionKind::B | ActionKind::I, ActionKind::F) => {
            Ok(Cell::Overlap(pair))
        }
        _ => Err("an overlapped pair is an F and a B, or an F and an I".into()),
    }
}

fn action(text: &str) -> Result<PipelineAction, String> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (stage, rest) = text.split_at(digits);
    if stage.is_empty() {
        return Err("an action begins with the number of its stage: `2F0`".into());
    }
    let Some(kind) = ActionKind::ALL.into_iter().find(|k| rest.starts_with(k.text())) else {
        let names: Vec<_> = ActionKind::ALL.iter().rev().map(|k| k.text()).collect();
        return Err(format!("no kind of action; there are {}", names.join(", ")));
    };
    let (stage, after) = (number("stage", stage)?, &rest[kind.text().len()..]);
    if kind.whole_stage() {
        return match after {
            "" => Ok(PipelineAction::new(stage, kind, 0)),
            _ => Err(format!("{} is of a whole stage and has no microbatch", kind.text())),
        };
    }
    if after.is_empty() {
        return Err(format!("{} has no microbatch", kind.text()));
    }
    if !after.bytes().all(|b| b.is_ascii_digit()) {
        return Err(format!("`{after}` is no number of a microbatch"));
    }
    Ok(PipelineAction::new(stage, kind, number("microbatch", after)?))
}

fn number(what: &str, digits: &str) -> Result<u32, String> {
    let n = digits.parse::<u32>().ok().filter(|n| *n < NUMBERS);
    n.ok_or_else(|| format!("{what} {digits} is too large; numbers are below {NUMBERS}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_pytorch_writes() {
        let text = "0F0,0F1,,0B0\r\n ,\"1F0\", 1I0 ,1W0,(1F1;1B0)OVERLAP_F_B\r\n1UNSHARD,0SEND_F1,1RECV_F1,1REDUCE_GRAD,1RESHARD";
        let rows = parse("a.csv", text).expect("a table");
        assert_eq!(rows.iter().map(Vec::len).collect::<Vec<_>>(), [4, 5, 5]);
        assert_eq!(rows[0][2], Cell::Idle);
        assert_eq!(
            rows[1][4].actions(),
            [PipelineAction::new(1, ActionKind::F, 1), PipelineAction::new(1, ActionKind::B, 0)]
        );
        assert_eq!(parse("b.csv", &print(&rows)), Ok(rows));
    }

    #[test]
    fn places_are_those_of_the_text() {
        let text = "\u{feff} 0F0 ,,0X1\r\n\n1F0, 1Q\n";
        let texts: Vec<Vec<&str>> = places(text).iter().map(|r| r.iter().map(|p| &text[p.clone()]).collect()).collect();
        assert_eq!(texts, [vec!["0F0", "", "0X1"], vec![], vec!["1F0", "1Q"]]);
        let wrong: Vec<_> = parse_all("t.csv", text).1.into_iter().map(|e| (e.row, e.column, e.cell)).collect();
        assert_eq!(wrong, [(1, 3, "0X1".into()), (3, 2, "1Q".into())]);
    }

    #[test]
    fn says_where_and_why() {
        for (text, place, reason) in [
            ("0F0,0Q1", (1, 2), "no kind"),
            ("0F0\nF0", (2, 1), "number of its stage"),
            ("0F0x", (1, 1), "`0x` is no number"),
            ("0F", (1, 1), "F has no microbatch"),
            ("0UNSHARD3", (1, 1), "whole stage"),
            ("(0F0;0B1", (1, 1), "not closed"),
            ("(0F0;0B1)OVERLAP", (1, 1), "OVERLAP_F_B"),
            ("(0F0;0B1;0B2)OVERLAP_F_B", (1, 1), "2 actions, not 3"),
            ("(0F0;0F1)OVERLAP_F_B", (1, 1), "an F and a B"),
            ("0F99999999999", (1, 1), "too large"),
            ("0f0", (1, 1), "no kind"),
        ] {
            let e = parse("t.csv", text).expect_err(text);
            assert_eq!((e.row, e.column), place, "{e}");
            assert!(e.reason.contains(reason), "{e}");
        }
        let e = parse("t.csv", ",0X0").expect_err("wrong").to_string();
        assert!(e.starts_with("t.csv: row 1 (rank 0), column 2 (slot 1): `0X0`: no kind of action"), "{e}");
    }
}
