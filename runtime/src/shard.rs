//! Converts between a global tensor and the shards of the devices, by global index ranges. No other code knows where an
//! element lies.
//!
//! A dim of `n` split `k` ways has blocks of `ceil(n / k)`; the last ones may be short or empty. The contents of the
//! padding are unspecified and never read here. What no axis splits is whole on every device: no port is partial
//! (`audit::ports` refuses that), so one copy is as good as another. Boxes are in the dims of the global tensor, also of a pipeline stage's part of a
//! stack: it begins with its first layer.

use crate::collectives::moves::StridedRows;
use meshloom_bundle::{Port, Program};
use std::hash::Hasher;
use std::ops::Range;
use twox_hash::XxHash3_64;

/// A box of a global tensor: a range for each dim.
pub type Window = Vec<Range<u64>>;

/// What a port has of its tensor: all of it, but for a pipeline stage's part of a stack; or one of its layers.
pub fn window(port: &Port, layer: Option<u64>) -> Window {
    let mut w: Window = port.global_shape.iter().map(|&n| 0..n).collect();
    if let Some(first) = w.first_mut() {
        *first = port.first_layer..port.first_layer + first.end;
    }
    if let (Some(l), Some(first)) = (layer, w.first_mut()) {
        *first = port.first_layer + l..port.first_layer + l + 1;
    }
    w
}

/// The part of a port's global tensor that a device holds.
pub fn block(program: &Program, port: &Port, device: usize) -> Window {
    let one = |(d, axes): (usize, &Vec<u32>)| {
        let (n, b) = (port.global_shape[d], port.local_shape[d]);
        let start = (program.rank_over(device, axes) * b).min(n);
        let first = if d == 0 { port.first_layer } else { 0 };
        first + start..first + (start + b).min(n)
    };
    port.layout.iter().enumerate().map(one).collect()
}

/// What two boxes have in common; `None` if that is nothing.
pub fn intersection(a: &Window, b: &Window) -> Option<Window> {
    let both: Window = a.iter().zip(b).map(|(a, b)| a.start.max(b.start)..a.end.min(b.end)).collect();
    both.iter().all(|r| r.start < r.end).then_some(both)
}

/// Whether the device is the first of those that hold the same block.
pub fn is_first_copy(program: &Program, port: &Port, device: usize) -> bool {
    let split = port.layout.concat();
    program.coordinates(device).iter().enumerate().all(|(a, &c)| c == 0 || split.contains(&(a as u32)))
}

/// Bytes of a window.
pub fn bytes(port: &Port, w: &Window) -> u64 {
    w.iter().map(|r| r.end - r.start).product::<u64>() * port.dtype.bytes()
}

/// A run of contiguous bytes, by its place in the dense window and in the device's shard.
struct Run {
    host: usize,
    shard: usize,
    len: usize,
}

/// Calls `f` for each run that the window and the device's block have in common.
fn runs(program: &Program, port: &Port, device: usize, w: &Window, mut f: impl FnMut(Run)) {
    let block = block(program, port, device);
    let Some(both) = intersection(w, &block) else { return };
    let (rank, size) = (both.len(), port.dtype.bytes());
    let len = |r: &Range<u64>| r.end - r.start;
    // Trailing dims that are whole in both are one run with the dim before them.
    let mut inner = rank;
    let mut run = 1;
    while inner > 0 {
        inner -= 1;
        run *= len(&both[inner]);
        if len(&both[inner]) != len(&w[inner]) || len(&both[inner]) != port.local_shape[inner] {
            break;
        }
    }
    let (mut host_stride, mut shard_stride) = (vec![1; rank], vec![1; rank]);
    for d in (0..rank.saturating_sub(1)).rev() {
        host_stride[d] = host_stride[d + 1] * len(&w[d + 1]);
        shard_stride[d] = shard_stride[d + 1] * port.local_shape[d + 1];
    }
    let mut at: Vec<u64> = both.iter().map(|r| r.start).collect();
    loop {
        let place = |stride: &[u64], origin: &Window| -> usize {
            let element: u64 = (0..rank).map(|d| (at[d] - origin[d].start) * stride[d]).sum();
            (element * size) as usize
        };
        f(Run {
            host: place(&host_stride, w),
            shard: port.offset as usize + place(&shard_stride, &block),
            len: (run * size) as usize,
        });
        // The next index over the dims before the run.
        let mut d = inner;
        loop {
            if d == 0 {
                return;
            }
            d -= 1;
            at[d] += 1;
            if at[d] < both[d].end {
                break;
            }
            at[d] = both[d].start;
        }
    }
}

/// Reads a window of the global tensor from the shards of some devices into `host`. What others hold is left as it is.
pub fn gather<'a>(
    program: &Program,
    port: &Port,
    w: &Window,
    host: &mut [u8],
    devices: Range<usize>,
    arena: impl Fn(usize) -> &'a [u8],
) {
    for device in devices.filter(|&d| is_first_copy(program, port, d)) {
        gather_from(program, port, w, host, device, 0, arena(device));
    }
}

/// Reads what of a window one device holds, where `piece` is its arena from byte `base` on.
pub fn gather_from(
    program: &Program,
    port: &Port,
    w: &Window,
    host: &mut [u8],
    device: usize,
    base: usize,
    piece: &[u8],
) {
    runs(program, port, device, w, |r| {
        host[r.host..r.host + r.len].copy_from_slice(&piece[r.shard - base..r.shard - base + r.len])
    });
}

/// Writes a window of the global tensor into one device's arena, as far as the device holds it.
pub fn scatter(program: &Program, port: &Port, w: &Window, host: &[u8], device: usize, arena: &mut [u8]) {
    scatter_into(program, port, w, host, device, 0, arena);
}

/// The same, where `piece` is the arena from byte `base` on.
pub fn scatter_into(
    program: &Program,
    port: &Port,
    w: &Window,
    host: &[u8],
    device: usize,
    base: usize,
    piece: &mut [u8],
) {
    runs(program, port, device, w, |r| {
        piece[r.shard - base..r.shard - base + r.len].copy_from_slice(&host[r.host..r.host + r.len])
    });
}

/// What a window and one device's block have in common, as few rows of bytes as it takes: sources are places in the device's arena,
/// destinations places in the dense window.
pub fn rows(program: &Program, port: &Port, w: &Window, device: usize) -> Vec<StridedRows> {
    let mut all: Vec<StridedRows> = Vec::new();
    runs(program, port, device, w, |r| {
        let next = StridedRows::one(r.host as u64, r.shard as u64, r.len as u64);
        if let Some(last) = all.last_mut().filter(|l| l.width == next.width) {
            // The second row says how far apart all of them are.
            let (dst, src) = (next.dst - last.dst, next.src - last.src);
            if last.rows == 1 || (dst, src) == (last.rows * last.dst_pitch, last.rows * last.src_pitch) {
                if last.rows == 1 {
                    (last.dst_pitch, last.src_pitch) = (dst, src);
                }
                last.rows += 1;
                return;
            }
        }
        all.push(next);
    });
    all
}

/// Hash of the elements of a port that one device holds, where `piece` is its arena from byte `base` on. Padding does not count.
pub fn hash(program: &Program, port: &Port, device: usize, base: usize, piece: &[u8]) -> u64 {
    let mut hash = XxHash3_64::new();
    runs(program, port, device, &window(port, None), |r| hash.write(&piece[r.shard - base..r.shard - base + r.len]));
    hash.finish()
}

/// The part of an arena that a window touches.
pub struct ArenaSpan {
    pub range: Range<usize>,
    /// Whether it touches all of it.
    pub dense: bool,
}

/// Where in a device's arena a window lies, if the device holds anything of it.
pub fn span(program: &Program, port: &Port, w: &Window, device: usize) -> Option<ArenaSpan> {
    let mut found: Option<(Range<usize>, usize)> = None;
    runs(program, port, device, w, |r| {
        let (range, sum) = found.get_or_insert((r.shard..r.shard, 0));
        *range = range.start.min(r.shard)..range.end.max(r.shard + r.len);
        *sum += r.len;
    });
    found.map(|(range, sum)| ArenaSpan { dense: sum == range.len(), range })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use meshloom_bundle::*;

    /// A program that does nothing, on a mesh of axes `a0`, `a1` ..
    pub fn program(mesh: &[u32]) -> Program {
        let axis = |(k, &size): (usize, &u32)| MeshAxis { name: format!("a{k}"), size };
        Program {
            version: PROGRAM_VERSION,
            entry: "t".into(),
            mesh: mesh.iter().enumerate().map(axis).collect(),
            arena_bytes: 1 << 16,
            host_bytes: 0,
            scratch_bytes: 0,
            tokens_per_step: 0,
            kernels: vec![],
            ports: vec![],
            wires: vec![],
            instrs: vec![],
        }
    }

    /// Scattering and gathering any window gives it back, with even, uneven and empty shards, and each device holds its block.
    #[test]
    fn scatter_then_gather() {
        let p = program(&[2, 3]);
        for (shape, layout) in [
            (vec![4, 6], vec![vec![0], vec![1]]),
            (vec![5, 7, 2], vec![vec![1], vec![0], vec![]]),
            (vec![3, 12], vec![vec![], vec![1, 0]]),
            (vec![3, 4], vec![vec![0, 1], vec![]]),
            (vec![2, 3, 4], vec![vec![], vec![], vec![]]),
            (vec![], vec![]),
        ] {
            let local: Vec<u64> =
                shape.iter().zip(&layout).map(|(&n, a): (&u64, &Vec<u32>)| n.div_ceil(p.group_size(a))).collect();
            let n: u64 = shape.iter().product();
            let port = Port {
                name: "x".into(),
                role: Role::Input,
                dtype: DType::I32,
                bytes: local.iter().product::<u64>() * 4,
                global_shape: shape.clone(),
                local_shape: local,
                layout,
                offset: 64,
                stacked: false,
                first_layer: 0,
                entries: Vec::new(),
                complex: false,
                unsigned: false,
                alias: None,
                init: Init::Zeros,
                range: None,
            };
            let host: Vec<u8> = (0..n as i32).flat_map(|x| x.to_le_bytes()).collect();
            let mut arenas = vec![vec![0xee; 64 + port.bytes as usize]; p.devices()];
            for (d, a) in arenas.iter_mut().enumerate() {
                scatter(&p, &port, &window(&port, None), &host, d, a);
            }
            let read = |w: &Window| {
                let mut read = vec![0; bytes(&port, w) as usize];
                gather(&p, &port, w, &mut read, 0..6, |d| arenas[d].as_slice());
                read
            };
            assert_eq!(read(&window(&port, None)), host, "{shape:?}");
            // As rows of bytes it is the same.
            let mut passed = vec![0; host.len()];
            for d in (0..p.devices()).filter(|&d| is_first_copy(&p, &port, d)) {
                for r in rows(&p, &port, &window(&port, None), d) {
                    for row in 0..r.rows {
                        let (from, to) = ((r.src + row * r.src_pitch) as usize, (r.dst + row * r.dst_pitch) as usize);
                        passed[to..to + r.width as usize].copy_from_slice(&arenas[d][from..from + r.width as usize]);
                    }
                }
            }
            assert_eq!(passed, host, "{shape:?}");
            for layer in 0..shape.first().copied().unwrap_or(0) {
                let w = window(&port, Some(layer));
                let len = host.len() / shape[0] as usize;
                let at = layer as usize * len;
                assert_eq!(read(&w), host[at..at + len]);
            }
        }
    }
}
