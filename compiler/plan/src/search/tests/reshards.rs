//! Conversions between all layouts of small tensors, against the exhaustive shortest paths over the stated primitives, which
//! are written out here a second time from their definitions.

use crate::cost::{Model, Target};
use crate::extend::Extended;
use crate::saturate::Saturation;
use crate::saturate::program::SearchedProgram;
use crate::search::read;
use crate::search::steiner::Table;
use crate::{Mode, Objective, PlanOptions, saturate};
use meshloom_ir::{Axis, Layout, Mesh, Reduction};
use meshloom_source::FrontOptions;
use meshloom_syntax::elaborate::compile;
use std::collections::{BTreeMap, BTreeSet};

/// Wire bytes of all devices, by which layout leads to which.
type Edges = BTreeMap<Layout, Vec<(Layout, u64)>>;

/// The planner's conversions of a tensor of this shape that may be a partial sum.
fn planned(shape: &[u64], mesh: &Mesh) -> (Saturation, Table) {
    let subscripts = &"abc"[..shape.len()];
    let list = |s: &[u64]| s.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
    let (last, inner) = shape.split_last().expect("has a dim");
    let sizes: Vec<String> = mesh.axes.iter().map(|(n, k)| format!("{n}: {k}")).collect();
    let text = format!(
        "mesh [{}]\nentry f(x: f32[{}], y: f32[8, {last}]) -> f32[{}] {{ einsum(\"{}k,k{}->{subscripts}\", x, y) }}",
        sizes.join(", "),
        list(&[inner, &[8]].concat()),
        list(shape),
        &subscripts[..inner.len()],
        &subscripts[inner.len()..],
    );
    let out = compile("reshards.loom", &text, &FrontOptions::default());
    let func = out.elaborated.expect("is a program").entries.remove(0).func;
    let z = func.body().yields[0];
    let ext = Extended::new(func);
    let options = PlanOptions { mode: Mode::Search, ..PlanOptions::default() };
    let program = SearchedProgram::new(&ext, &options).expect("has no annotations");
    let saturation = saturate::run(&program, &options);
    let model = Model::new(&Target::default(), mesh);
    let mut problem = read::read(&program, &saturation, &model, Objective::Time).expect("has forms");
    let t = problem.tensors.iter().find(|t| t.value == z).expect("is read").table;
    let table = problem.tables.swap_remove(t).by_wire();
    (saturation, table)
}

/// Every primitive from every layout.
fn exhaustive(shape: &[u64], mesh: &Mesh, layouts: &[Layout]) -> Edges {
    let known: BTreeSet<&Layout> = layouts.iter().collect();
    let total: u64 = shape.iter().product::<u64>() * 4;
    let devices = mesh.devices();
    let local = |l: &Layout| l.dims.iter().map(|d| mesh.group_size(d)).fold(total, |n, k| n / k);
    let mut edges = Edges::new();
    for l in layouts {
        let mut out: Vec<(Layout, u64)> = Vec::new();
        let free: Vec<Axis> = mesh
            .all_axes()
            .filter(|a| !l.dims.iter().flatten().any(|x| x == a) && !l.partial.contains_key(a))
            .collect();
        let partial: Vec<Axis> = l.partial.keys().copied().collect();
        let bytes = local(l);
        // Per device, times devices: (n - 1) / n of a buffer is a whole number over all devices.
        let wire = |buffer: u64, n: u64, times: u64| buffer * times * (n - 1) * devices / n;
        for d in 0..shape.len() {
            for cut in 0..l.dims[d].len() {
                let suffix = l.dims[d][cut..].to_vec();
                let n = mesh.group_size(&suffix);
                let mut whole = l.clone();
                whole.dims[d].truncate(cut);
                out.push((whole.clone(), wire(bytes * n, n, 1)));
                for s in (0..shape.len()).filter(|&s| s != d) {
                    let mut to = whole.clone();
                    to.dims[s].extend(&suffix);
                    out.push((to, wire(bytes, n, 1)));
                }
            }
            for axes in sequences(&free) {
                let mut to = l.clone();
                to.dims[d].extend(&axes);
                out.push((to, 0));
            }
            for axes in sequences(&partial) {
                let mut to = l.clone();
                axes.iter().for_each(|a| _ = to.partial.remove(a));
                to.dims[d].extend(&axes);
                out.push((to, wire(bytes, mesh.group_size(&axes), 1)));
            }
        }
        for axes in sequences(&partial) {
            let mut to = l.clone();
            axes.iter().for_each(|a| _ = to.partial.remove(a));
            out.push((to, wire(bytes, mesh.group_size(&axes), 2)));
        }
        for axes in sequences(&free) {
            let mut to = l.clone();
            to.partial.extend(axes.iter().map(|&a| (a, Reduction::Sum)));
            out.push((to, 0));
        }
        let blocks = |l: &Layout| l.dims.iter().map(|d| mesh.group_size(d)).collect::<Vec<u64>>();
        for to in layouts.iter().filter(|to| to.partial == l.partial && blocks(to) == blocks(l) && *to != l) {
            out.push((to.clone(), bytes * devices));
        }
        out.retain(|(to, _)| known.contains(to));
        edges.insert(l.clone(), out);
    }
    edges
}

/// Non-empty sequences of some of the axes.
fn sequences(axes: &[Axis]) -> Vec<Vec<Axis>> {
    let mut out: Vec<Vec<Axis>> = Vec::new();
    let mut last: Vec<Vec<Axis>> = vec![Vec::new()];
    for _ in axes {
        last = last
            .iter()
            .flat_map(|s| axes.iter().filter(|a| !s.contains(a)).map(|&a| [s.clone(), vec![a]].concat()))
            .collect();
        out.extend(last.iter().cloned());
    }
    out
}

fn shortest<'e>(edges: &'e Edges, from: &'e Layout) -> BTreeMap<&'e Layout, u64> {
    let mut best: BTreeMap<&Layout, u64> = BTreeMap::from([(from, 0)]);
    let mut open: BTreeSet<(u64, &Layout)> = BTreeSet::from([(0, from)]);
    while let Some((cost, at)) = open.pop_first() {
        for (to, wire) in &edges[at] {
            let c = cost + wire;
            if best.get(to).is_none_or(|&b| c < b) {
                best.insert(to, c);
                open.insert((c, to));
            }
        }
    }
    best
}

/// How many layouts there are: the axes that are split in some order, cut into a list for each dim; the others hold copies or
/// parts of a sum.
fn every(rank: usize, axes: usize) -> usize {
    let falling = |n: usize, k: usize| (0..k).map(|i| n - i).product::<usize>();
    let choose = |n: usize, k: usize| falling(n, k) / falling(k, k);
    (0..=axes).map(|k| falling(axes, k) * choose(k + rank - 1, k) * 2usize.pow((axes - k) as u32)).sum()
}

#[test]
fn conversions_move_no_more_than_the_shortest_path() {
    let two = [[2u64, 2], [4, 2], [2, 4]].map(|[x, y]| vec![("x", x), ("y", y)]);
    for sizes in two.into_iter().chain([vec![("x", 2), ("y", 2), ("z", 2)]]) {
        let mesh = Mesh::new(sizes);
        for rank in 1..=3usize {
            let shape = vec![16u64; rank];
            let (saturation, mut table) = planned(&shape, &mesh);
            let layouts: Vec<Layout> =
                table.layouts.iter().map(|&l| saturation.tables.layouts.get(l).clone()).collect();
            assert_eq!(layouts.len(), every(rank, mesh.axes.len()), "all layouts are there");
            let edges = exhaustive(&shape, &mesh, &layouts);
            for (i, from) in layouts.iter().enumerate() {
                let best = shortest(&edges, from);
                for (j, to) in layouts.iter().enumerate() {
                    let found = table.distance(i as u16, j as u16).map(|p| p.wire);
                    let least = best.get(to).copied();
                    assert_eq!(found, least, "{} to {} on {mesh}", from.show(&mesh), to.show(&mesh));
                }
            }
        }
    }
}

/// jax-ml/jax#21562: two axes change dims at once.
#[test]
fn moving_two_axes_never_holds_the_whole_tensor() {
    let mesh = Mesh::new([("x", 4u64), ("y", 2)]);
    let shape = [16u64, 16, 16];
    let (saturation, mut table) = planned(&shape, &mesh);
    let (x, y) = (Axis(0), Axis(1));
    let from = Layout { dims: vec![vec![y], vec![], vec![x]], partial: BTreeMap::new() };
    let to = Layout { dims: vec![vec![], vec![x, y], vec![]], partial: BTreeMap::new() };
    let at = |l: &Layout| {
        let found = table.layouts.iter().position(|&i| saturation.tables.layouts.get(i) == l);
        found.expect("is a layout of the tensor") as u16
    };
    let (from, to) = (at(&from), at(&to));
    let mut largest = 0;
    let mut steps = Vec::new();
    table.grow(from, &[to], &mut |s| steps.push(s));
    for s in steps {
        largest = largest.max(table.bytes[s.edge.to as usize]);
    }
    assert!(largest <= 16 * 16 * 16 * 4 / 4, "{largest} bytes on one device");
}
