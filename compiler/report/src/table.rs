//! Rows with aligned columns.

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Align {
    Left,
    Right,
}

/// A heading with rows below it; the rows are indented by two more blanks than the heading.
pub struct Table {
    pub align: Vec<Align>,
    pub head: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new(columns: &[(&str, Align)]) -> Table {
        Table {
            align: columns.iter().map(|c| c.1).collect(),
            head: columns.iter().map(|c| c.0.to_string()).collect(),
            rows: Vec::new(),
        }
    }

    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Lines without blanks at their ends. A column that is empty everywhere takes no room.
    pub fn lines(&self) -> Vec<String> {
        let mut all: Vec<Vec<String>> = vec![self.head.clone()];
        all.extend(self.rows.iter().map(|r| {
            let mut r = r.clone();
            if let Some(first) = r.first_mut() {
                first.insert_str(0, "  ");
            }
            r
        }));
        let width = |c: usize| all.iter().filter_map(|r| r.get(c)).map(|s| s.chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..self.head.len()).map(width).collect();
        all.iter().map(|r| self.line(r, &widths)).collect()
    }

    fn line(&self, cells: &[String], widths: &[usize]) -> String {
        let mut s = String::new();
        for ((cell, &w), align) in cells.iter().zip(widths).zip(&self.align) {
            if w == 0 {
                continue;
            }
            if !s.is_empty() {
                s += "   ";
            }
            let pad = " ".repeat(w - cell.chars().count());
            match align {
                Align::Left => s.extend([cell.as_str(), &pad]),
                Align::Right => s.extend([pad.as_str(), cell]),
            }
        }
        s.truncate(s.trim_end().len());
        s
    }
}
