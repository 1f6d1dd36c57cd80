//! Plans of one model under several choices, as `what-if` prints them: a table, and JSON.

use crate::human;
use crate::model::{TotalsReport, with_band};
use crate::table::{Align, Table};
use serde::Serialize;

/// One row for each choice, in the order in which they were asked for.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct WhatIfReport {
    pub schema: u32,
    pub entry: String,
    pub target: String,
    pub rows: Vec<WhatIfRow>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct WhatIfRow {
    /// Axes and sizes: `data=4 x model=2`.
    pub mesh: String,
    pub devices: u64,
    /// The layout block; null where the source is planned as it is.
    pub layout: Option<String>,
    /// Collectives in the per-device program.
    pub collectives: usize,
    /// Of one step on one device; null where there is no plan.
    pub totals: Option<TotalsReport>,
    /// Why there is none.
    pub refused: Option<String>,
}

impl WhatIfReport {
    /// The text of `what-if --json`.
    pub fn json(&self) -> String {
        format!("{}\n", serde_json::to_string(self).unwrap_or_default())
    }

    /// The table; a row without a plan says why below it.
    pub fn text(&self) -> String {
        use Align::{Left, Right};
        let mut table = Table::new(&[
            ("mesh", Left),
            ("layout", Left),
            ("step", Right),
            ("tokens/s", Right),
            ("MFU", Right),
            ("peak", Right),
            ("wire", Right),
            ("collectives", Right),
        ]);
        let mut refused = Vec::new();
        for r in &self.rows {
            let layout = r.layout.clone().unwrap_or_else(|| "as annotated".into());
            let figures = match &r.totals {
                Some(t) => [
                    with_band(t.predicted_step_us, t.profile.as_ref()),
                    t.tokens_per_second.map_or(String::new(), human::count),
                    t.mfu.map_or(String::new(), |m| format!("{:.1}%", m * 100.0)),
                    t.peak_bytes_per_device.map_or(String::new(), |b| human::bytes(b as f64)),
                    human::bytes(t.wire_bytes_per_device),
                    r.collectives.to_string(),
                ],
                None => {
                    let why = r.refused.as_deref().unwrap_or("no plan");
                    refused.push(format!("  {}, {layout}: {why}", r.mesh));
                    ["-"; 6].map(str::to_string)
                }
            };
            table.row([r.mesh.clone(), layout].into_iter().chain(figures));
        }
        let mut out = vec![format!("{}: target {}", self.entry, self.target), String::new()];
        out.extend(table.lines());
        let profile = self.rows.iter().find_map(|r| r.totals.as_ref()?.profile.as_ref());
        out.extend(profile.iter().flat_map(|p| [String::new(), format!("band: {}", p.from())]));
        if !refused.is_empty() {
            out.push(String::new());
            out.extend(refused);
        }
        out.join("\n") + "\n"
    }
}
