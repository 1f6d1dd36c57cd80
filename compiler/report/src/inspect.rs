//! A drawing of a tensor's shards: which device holds which index ranges. Two split dims make a grid of boxes. Each
//! block of a further split dim gets a grid of its own. Dims that are not split are drawn at full size.
//!
//! Large meshes are folded: of many rows the first ones and the last are drawn, and many devices that hold the same are
//! named by what they have in common, their coordinates.

use crate::human;
use meshloom_ir::{Axis, DType, Layout, Mesh};
use serde::Serialize;
use std::collections::BTreeMap;

/// A tensor to draw.
#[derive(Clone, Debug)]
pub struct Subject<'a> {
    pub name: String,
    pub dtype: DType,
    pub shape: &'a [u64],
    pub layout: &'a Layout,
    pub mesh: &'a Mesh,
}

/// The shards of a tensor, as `inspect --json` prints them.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ShardReport {
    pub name: String,
    pub dtype: String,
    pub shape: Vec<u64>,
    /// Axes of each dim, major first.
    pub layout: Vec<Vec<String>>,
    /// Axes over which the tensor is partial.
    pub partial: Vec<String>,
    /// Of the largest shard.
    pub bytes_per_device: u64,
    /// In the order of the index ranges.
    pub shards: Vec<Shard>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Shard {
    /// `[from, to)` of each dim; empty where the dim's blocks end before this one.
    pub ranges: Vec<[u64; 2]>,
    /// Devices that hold it, by their number: the mesh's axes, the last one running fastest.
    pub devices: Vec<u64>,
}

/// Which boxes there are, and who holds them.
pub fn shards(s: &Subject<'_>) -> ShardReport {
    let mut held: BTreeMap<Vec<u64>, Vec<u64>> = BTreeMap::new();
    for device in 0..s.mesh.devices() {
        let block = s.layout.dims.iter().map(|axes| s.mesh.index_in(device, axes)).collect();
        held.entry(block).or_default().push(device);
    }
    let range = |d: usize, block: u64| {
        let size = s.shape[d].div_ceil(s.mesh.group_size(&s.layout.dims[d]));
        let end = |b: u64| b.saturating_mul(size).min(s.shape[d]);
        [end(block), end(block + 1)]
    };
    let shards: Vec<Shard> = held
        .into_iter()
        .map(|(block, devices)| Shard {
            ranges: block.iter().enumerate().map(|(d, &b)| range(d, b)).collect(),
            devices,
        })
        .collect();
    let elements = |x: &Shard| x.ranges.iter().map(|r| r[1] - r[0]).fold(1, u64::saturating_mul);
    let largest = shards.iter().map(elements).max().unwrap_or(1);
    let names = |axes: &[Axis]| axes.iter().map(|&a| s.mesh.name(a).to_string()).collect();
    ShardReport {
        name: s.name.clone(),
        dtype: s.dtype.name().into(),
        shape: s.shape.to_vec(),
        layout: s.layout.dims.iter().map(|axes| names(axes)).collect(),
        partial: names(&s.layout.partial.keys().copied().collect::<Vec<_>>()),
        bytes_per_device: largest.saturating_mul(s.dtype.bytes()),
        shards,
    }
}

/// How to draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pen {
    /// `+ - |` instead of box characters.
    pub ascii: bool,
    /// Boxes of the same devices in the same colour.
    pub colour: bool,
}

/// Width that a row of boxes takes at most, unless even two are wider.
const WIDTH: usize = 96;
/// Rows in a grid; of more, those between the first ones and the last are only counted.
const ROWS: usize = 8;
/// Grids, one for each block of the dims that are neither rows nor columns.
const GRIDS: usize = 8;

/// The drawing, every line ended by a newline.
pub fn draw(s: &Subject<'_>, pen: Pen) -> String {
    let r = shards(s);
    let mut out = vec![title(s, &r)];
    let (rows, columns) = grid_dims(s);
    let others: Vec<usize> = (0..s.shape.len())
        .filter(|d| Some(*d) != rows && Some(*d) != columns && !s.layout.dims[*d].is_empty())
        .collect();
    let mut grids: BTreeMap<Vec<[u64; 2]>, Vec<&Shard>> = BTreeMap::new();
    for x in &r.shards {
        grids.entry(others.iter().map(|&d| x.ranges[d]).collect()).or_default().push(x);
    }
    for (at, shards) in grids.iter().take(GRIDS) {
        out.push(String::new());
        if !at.is_empty() {
            let at: Vec<String> = others.iter().zip(at).map(|(d, r)| format!("dim {d}: {}", range(*r))).collect();
            out.push(format!("  {}", at.join(", ")));
        }
        out.extend(grid(s, shards, rows, columns, pen));
    }
    if grids.len() > GRIDS {
        out.push(format!("  ... {} more", grids.len() - GRIDS));
    }
    for (&a, reduction) in &s.layout.partial {
        out.push(format!(
            "  partial over {}: each of its {} devices holds a part of the {}",
            s.mesh.name(a),
            s.mesh.size(a),
            reduction.name()
        ));
    }
    out.iter().flat_map(|l| [l.trim_end(), "\n"]).collect()
}

fn title(s: &Subject<'_>, r: &ShardReport) -> String {
    let list = |v: &[u64]| format!("[{}]", v.iter().map(u64::to_string).collect::<Vec<_>>().join(", "));
    let mesh: Vec<String> = s.mesh.axes.iter().map(|(n, k)| format!("{n}={k}")).collect();
    let largest: Vec<u64> =
        (0..s.shape.len()).map(|d| s.shape[d].div_ceil(s.mesh.group_size(&s.layout.dims[d]))).collect();
    let dims = if s.shape.is_empty() { String::new() } else { list(s.shape) };
    let held = if s.shape.is_empty() { "a copy".into() } else { list(&largest) };
    format!(
        "{}: {}{dims} laid out {} on {}; each device holds {held}, {}",
        s.name,
        r.dtype,
        s.layout.show(s.mesh),
        if mesh.is_empty() { "1 device".into() } else { mesh.join(" x ") },
        human::bytes(r.bytes_per_device as f64)
    )
}

/// The dims drawn downwards and to the right: the last two that are split, where there are two.
fn grid_dims(s: &Subject<'_>) -> (Option<usize>, Option<usize>) {
    let rank = s.shape.len();
    let split: Vec<usize> = (0..rank).filter(|&d| s.mesh.group_size(&s.layout.dims[d]) > 1).collect();
    match split.as_slice() {
        [.., a, b] => (Some(*a), Some(*b)),
        // A split dim goes to the right only if it is the last one, as matrices are written.
        [d] if d + 1 < rank => (Some(*d), Some(rank - 1)),
        [d] => (d.checked_sub(1), Some(*d)),
        [] => (rank.checked_sub(2), rank.checked_sub(1)),
    }
}

fn range(r: [u64; 2]) -> String {
    if r[0] == r[1] { "empty".into() } else { format!("{}..{}", r[0], r[1]) }
}

/// One grid with the ranges at its edges.
fn grid(s: &Subject<'_>, shards: &[&Shard], rows: Option<usize>, columns: Option<usize>, pen: Pen) -> Vec<String> {
    let key = |x: &Shard, d: Option<usize>| d.map_or([0, 0], |d| x.ranges[d]);
    let lines = |d: Option<usize>| {
        let mut v: Vec<[u64; 2]> = Vec::new();
        for x in shards {
            // Blocks beyond the end of an uneven dim are all empty, and drawn as one.
            if !v.contains(&key(x, d)) {
                v.push(key(x, d));
            }
        }
        v.sort();
        v
    };
    let (down, right) = (lines(rows), lines(columns));
    let last_row = down.last().copied().filter(|_| down.len() > ROWS);
    let (mut down, hidden_rows) = cut(down, if last_row.is_some() { ROWS - 1 } else { ROWS });
    down.extend(last_row);
    let hidden_rows = hidden_rows.saturating_sub(usize::from(last_row.is_some()));
    let cell = |a: [u64; 2], b: [u64; 2]| {
        let mut held: Vec<u64> = shards
            .iter()
            .filter(|x| key(x, rows) == a && key(x, columns) == b)
            .flat_map(|x| x.devices.iter().copied())
            .collect();
        held.sort_unstable();
        (devices(s.mesh, &held), held.first().copied().unwrap_or(0))
    };
    let widest = |right: &[[u64; 2]]| {
        let boxes = down.iter().flat_map(|&a| right.iter().map(move |&b| (a, b)));
        let boxes = boxes.map(|(a, b)| cell(a, b).0.chars().count());
        boxes.chain(right.iter().map(|&r| range(r).chars().count())).max().unwrap_or(1)
    };
    let most = (WIDTH / (widest(&right) + 3)).max(2);
    let (right, hidden_columns) = cut(right, most);
    let cells: Vec<Vec<(String, u64)>> = down.iter().map(|&a| right.iter().map(|&b| cell(a, b)).collect()).collect();
    let label = |d: Option<usize>, r: [u64; 2]| d.map_or(String::new(), |_| range(r));
    let width = widest(&right);
    let side = down.iter().map(|&r| label(rows, r).chars().count()).max().unwrap_or(0);
    let name = rows.map_or(String::new(), |d| dim_name(s, d));
    let side = side.max(name.chars().count());
    let ink = if pen.ascii { ASCII } else { BOX };
    let mut out = Vec::new();
    if let Some(d) = columns {
        out.push(format!("  {:side$}   {}", "", dim_name(s, d)));
        let heads: Vec<String> = right.iter().map(|&r| format!("{:<w$}", range(r), w = width + 2)).collect();
        let more = if hidden_columns > 0 { format!(" ... {hidden_columns} more") } else { String::new() };
        out.push(format!("  {name:side$}   {}{more}", heads.join(" ")));
    }
    let rule = |left: char, middle: char, end: char| {
        let bar = ink.across.to_string().repeat(width + 2);
        let bars = vec![bar; right.len()].join(&middle.to_string());
        format!("  {:side$}  {left}{bars}{end}", "")
    };
    out.push(rule(ink.corners[0], ink.down_t, ink.corners[1]));
    for (i, &a) in down.iter().enumerate() {
        let row: Vec<String> =
            cells[i].iter().map(|(c, first)| format!(" {} ", paint(c, *first, width, pen))).collect();
        let bar = ink.upright.to_string();
        out.push(format!("  {:side$}  {bar}{}{bar}", label(rows, a), row.join(&bar)));
        if i + 1 < down.len() {
            out.push(rule(ink.left_t, ink.cross, ink.right_t));
        }
        if i + 2 == down.len() && hidden_rows > 0 {
            out.push(format!("  {:side$}  ... {hidden_rows} more", ""));
            out.push(rule(ink.left_t, ink.cross, ink.right_t));
        }
    }
    out.push(rule(ink.corners[2], ink.up_t, ink.corners[3]));
    out
}

fn dim_name(s: &Subject<'_>, d: usize) -> String {
    let axes: Vec<&str> = s.layout.dims[d].iter().map(|&a| s.mesh.name(a)).collect();
    if axes.is_empty() { format!("dim {d}") } else { format!("dim {d}: {}", axes.join(", ")) }
}

/// The first of a list, and how many are left out.
fn cut<T>(mut v: Vec<T>, most: usize) -> (Vec<T>, usize) {
    let hidden = if v.len() > most { v.len() - most } else { 0 };
    v.truncate(most);
    (v, hidden)
}

/// `0, 4` or `0-3, 8-11`; where that gets long, what all of them have in common: `model=3 (64 devices)`.
fn devices(mesh: &Mesh, held: &[u64]) -> String {
    const MOST: usize = 4;
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for &d in held {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == d => *last = d,
            _ => runs.push((d, d)),
        }
    }
    let show = |&(a, b): &(u64, u64)| match b - a {
        0 => a.to_string(),
        1 => format!("{a}, {b}"),
        _ => format!("{a}-{b}"),
    };
    if let Some(common) = common(mesh, held).filter(|_| runs.len() > MOST) {
        return format!("{common} ({} devices)", held.len());
    }
    match runs.as_slice() {
        [head @ .., last] if runs.len() > MOST => {
            let head: Vec<String> = head[..2].iter().map(show).collect();
            format!("{}, .. {} ({})", head.join(", "), show(last), held.len())
        }
        all => all.iter().map(show).collect::<Vec<_>>().join(", "),
    }
}

/// The coordinates that devices have in common, where all that have them are there.
fn common(mesh: &Mesh, held: &[u64]) -> Option<String> {
    let first = *held.first()?;
    let axes = (0..mesh.axes.len()).map(|a| Axis(a as u8)).filter(|&a| mesh.size(a) > 1);
    let at = |device: u64, a: Axis| mesh.index_in(device, &[a]);
    let same: Vec<Axis> = axes.filter(|&a| held.iter().all(|&d| at(d, a) == at(first, a))).collect();
    let all = mesh.devices() / mesh.group_size(&same);
    let named: Vec<String> = same.iter().map(|&a| format!("{}={}", mesh.name(a), at(first, a))).collect();
    (all == held.len() as u64 && !named.is_empty()).then(|| named.join(" "))
}

/// The text of a box; boxes of the same devices in one of six colours.
fn paint(text: &str, first: u64, width: usize, pen: Pen) -> String {
    let pad = " ".repeat(width.saturating_sub(text.chars().count()));
    if !pen.colour {
        return format!("{text}{pad}");
    }
    format!("\x1b[{}m{text}\x1b[0m{pad}", 31 + first % 6)
}

struct Ink {
    across: char,
    upright: char,
    corners: [char; 4],
    down_t: char,
    up_t: char,
    left_t: char,
    right_t: char,
    cross: char,
}

const BOX: Ink = Ink {
    across: '─',
    upright: '│',
    corners: ['┌', '┐', '└', '┘'],
    down_t: '┬',
    up_t: '┴',
    left_t: '├',
    right_t: '┤',
    cross: '┼',
};

const ASCII: Ink = Ink {
    across: '-',
    upright: '|',
    corners: ['+', '+', '+', '+'],
    down_t: '+',
    up_t: '+',
    left_t: '+',
    right_t: '+',
    cross: '+',
};
