//! When no plan fits into memory: what would help, and by how much. Nothing is estimated. Each remedy is an option of the
//! command line, and the program is checked and planned again with that option.

use crate::program::{CompileOptions, Elaborated, Program};
use meshloom_ir::Role;
use meshloom_plan::{Mode, Recompute};
use meshloom_report::human::bytes;

/// Times that an axis is doubled, or a batch halved, until it fits.
const DOUBLINGS: u32 = 5;

/// A change of options, and what a device would then hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remedy {
    /// What to type: `--mesh data=16,model=4`.
    pub option: String,
    pub needs: u64,
    pub fits: bool,
}

impl Remedy {
    /// `--recompute auto: 5.1 GiB, fits`
    pub fn text(&self, needed: u64) -> String {
        let less = needed.saturating_sub(self.needs);
        let outcome = match (self.fits, less) {
            (true, _) => "fits".to_string(),
            (false, n) => format!("{} less, which is not enough", bytes(n as f64)),
        };
        format!("{}: {} per device, {outcome}", self.option, bytes(self.needs as f64))
    }
}

/// What a device holds, in bytes, and whether there is that much.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Need {
    pub bytes: u64,
    pub fits: bool,
}

/// Remedies for an entry that needs `needed` bytes on a device: those that fit first, and of each the smallest change that
/// does. What would not help is left out. `again` plans the entry under other options, and gives `None` where that cannot be.
pub fn remedies(
    program: &Program,
    entry: &Elaborated,
    options: &CompileOptions,
    needed: u64,
    again: &dyn Fn(&CompileOptions) -> Option<Need>,
) -> Vec<Remedy> {
    let mut found = Vec::new();
    let mut ask = |option: String, options: CompileOptions| -> bool {
        let Some(Need { bytes: needs, fits }) = again(&options) else { return false };
        if needs < needed || fits {
            found.push(Remedy { option, needs, fits });
        }
        fits
    };
    if options.plan.mode == Mode::Follow {
        let mut o = options.clone();
        o.plan.mode = Mode::Search;
        ask("--plan search".into(), o);
    }
    let loops = entry.global.ops.iter().filter_map(|d| d.recompute);
    let said = options.plan.recompute_all.map_or_else(
        || loops.chain([entry.plan_options(&options.plan).recompute]).collect::<Vec<_>>(),
        |all| vec![all],
    );
    if said.contains(&Recompute::None) && options.plan.mode == Mode::Search {
        let mut o = options.clone();
        o.plan.recompute_all = Some(Recompute::Auto);
        ask("--recompute auto".into(), o);
    }
    if let Some(layout) = &program.layout
        && options.plan.mode == Mode::Search
        && options.front.layout_file.is_none()
    {
        let mut o = options.clone();
        o.front.layout = None;
        ask(format!("without --layout {layout}"), o);
    }
    let mesh = entry.mesh();
    for axis in mesh.all_axes() {
        for k in 1..=DOUBLINGS {
            let sizes: Vec<(String, u64)> = mesh
                .all_axes()
                .map(|a| (mesh.name(a).to_string(), mesh.size(a) << if a == axis { k } else { 0 }))
                .collect();
            let shown: Vec<String> = sizes.iter().filter(|s| s.1 > 1).map(|(n, s)| format!("{n}={s}")).collect();
            let mut o = options.clone();
            o.front.mesh = Some(sizes);
            if ask(format!("--mesh {}", shown.join(",")), o) {
                break;
            }
        }
    }
    if let Some(batch) = batch(entry) {
        for k in 1..=DOUBLINGS {
            let size = batch >> k;
            if size == 0 || size << k != batch {
                break;
            }
            let mut o = options.clone();
            o.front.dims.retain(|d| d.0 != "batch");
            o.front.dims.push(("batch".into(), size));
            if ask(format!("--dim batch={size}"), o) {
                break;
            }
        }
    }
    // Of the steps towards one remedy the last says it all.
    let kind = |r: &Remedy| r.option.split('=').next().map(str::to_string);
    let mut out: Vec<Remedy> = Vec::new();
    for r in found {
        let stem = |r: &Remedy| (kind(r), r.option.matches(',').count());
        match out.last_mut() {
            Some(last) if !last.fits && r.needs < last.needs && stem(last) == stem(&r) => *last = r,
            _ => out.push(r),
        }
    }
    out.sort_by_key(|r| (!r.fits, if r.fits { 0 } else { r.needs }));
    out
}

/// The batch, if the program has one that can be made smaller: dim 0 of its first input.
fn batch(entry: &Elaborated) -> Option<u64> {
    let func = &entry.global;
    let at = func.inputs.iter().position(|p| p.role == Role::Input)?;
    func.ty(func.body().args[at]).shape.first().copied()
}
