//! Drawings of shards.

use meshloom_ir::{Axis, DType, Layout, Mesh, Reduction};
use meshloom_report::inspect::{Pen, Subject, draw, shards};

fn mesh() -> Mesh {
    Mesh::new([("data", 2), ("model", 4)])
}

const D: Axis = Axis(0);
const M: Axis = Axis(1);

fn layout(dims: &[&[Axis]]) -> Layout {
    Layout { dims: dims.iter().map(|d| d.to_vec()).collect(), ..Layout::replicated(dims.len()) }
}

fn drawn(shape: &[u64], layout: &Layout, mesh: &Mesh, ascii: bool) -> String {
    let s = Subject { name: "x".into(), dtype: DType::F32, shape, layout, mesh };
    draw(&s, Pen { ascii, colour: false })
}

#[test]
fn ranks_and_layouts() {
    let cases: [(&[u64], Layout); 9] = [
        (&[], layout(&[])),
        (&[8], layout(&[&[]])),
        (&[8], layout(&[&[D, M]])),
        (&[8, 6], layout(&[&[D], &[]])),
        (&[8, 8], layout(&[&[], &[M]])),
        (&[8, 8], layout(&[&[M], &[D]])),
        (&[4, 8, 16], layout(&[&[], &[M, D], &[]])),
        (&[2, 3, 4, 8], layout(&[&[D], &[], &[], &[M]])),
        (&[5, 2], layout(&[&[M], &[]])),
    ];
    let all: Vec<String> = cases.iter().map(|(shape, l)| drawn(shape, l, &mesh(), false)).collect();
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn three_split_dims_partial_values_and_many_devices() {
    let cube = Mesh::new([("x", 2), ("y", 2), ("z", 2)]);
    let split = layout(&[&[Axis(0)], &[Axis(1)], &[Axis(2)]]);
    let mut partial = layout(&[&[D], &[]]);
    partial.partial.insert(M, Reduction::Sum);
    let large = Mesh::new([("data", 64), ("model", 16)]);
    let all = [
        drawn(&[2, 4, 8], &split, &cube, true),
        drawn(&[8, 8], &partial, &mesh(), true),
        drawn(&[640, 160], &layout(&[&[D], &[M]]), &large, true),
        drawn(&[160], &layout(&[&[M]]), &large, true),
    ];
    insta::assert_snapshot!(all.join("\n"));
}

/// Every index is in the shard of every device that should have it, and the boxes cover the tensor once.
#[test]
fn shards_cover_the_tensor() {
    let mesh = mesh();
    for l in [layout(&[&[D, M], &[]]), layout(&[&[M], &[D]]), layout(&[&[], &[D]])] {
        let r = shards(&Subject { name: "x".into(), dtype: DType::F32, shape: &[13, 6], layout: &l, mesh: &mesh });
        let mut seen = vec![0; 13 * 6];
        for s in &r.shards {
            for i in s.ranges[0][0]..s.ranges[0][1] {
                for j in s.ranges[1][0]..s.ranges[1][1] {
                    seen[(i * 6 + j) as usize] += 1;
                }
            }
        }
        assert!(seen.iter().all(|&n| n == 1), "{r:?}");
        assert_eq!(r.shards.iter().map(|s| s.devices.len()).sum::<usize>(), 8);
    }
}

#[test]
fn colours_change_nothing_but_colours() {
    let l = layout(&[&[D], &[M]]);
    let s = Subject { name: "x".into(), dtype: DType::F32, shape: &[8, 8], layout: &l, mesh: &mesh() };
    let coloured = draw(&s, Pen { ascii: false, colour: true });
    let mut plain = String::new();
    let mut rest = coloured.as_str();
    while let Some((before, after)) = rest.split_once('\x1b') {
        plain += before;
        rest = after.split_once('m').map_or("", |x| x.1);
    }
    plain += rest;
    assert!(coloured.contains('\x1b'));
    assert_eq!(plain, draw(&s, Pen { ascii: false, colour: false }));
}
