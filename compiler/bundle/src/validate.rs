//! Everything that must hold before a program may run. A program that passes cannot make the *runtime* read or write
//! outside an arena, overflow an address or divide by zero. Each launch has the units of its kernel, and buffers and
//! scratch memory that are as large as its kernel says that it needs ([`KernelRef::touches`]). (What a kernel does inside
//! its buffers is the business of the compiler and the certificate.)
//!
//! The checks are arithmetic on bounded integers, in `i128` where products may be large, so no input can make them
//! wrap.

use crate::error::{BundleError, BundleResult};
use crate::limits::{self, at_most, axes, mesh};
use crate::program::*;
use crate::{validate_gpu, validate_ports};
use std::collections::BTreeSet;

/// Checks a program against its own arena, mesh and kernels.
pub fn validate(p: &Program) -> BundleResult<()> {
    version(p)?;
    mesh(&p.mesh)?;
    at_most("arena_bytes", p.arena_bytes, limits::ARENA)?;
    at_most("host_bytes", p.host_bytes, limits::ARENA)?;
    at_most("scratch_bytes", p.scratch_bytes, limits::SCRATCH)?;
    if p.host_bytes > 0 && !p.arena_bytes.is_multiple_of(ALIGN) {
        return Err(BundleError::new(format!("host memory behind an arena of {} bytes", p.arena_bytes)));
    }
    kernels(p)?;
    validate_ports::ports(p, false)?;
    let mut v = Instrs { p, ids: BTreeSet::new(), seen: 0, in_action: false };
    v.list(&p.instrs, &[], "instruction ")
}

/// Checks the outline of an entry with pipeline stages. It has the mesh of all devices and the ports of the whole, and nothing that
/// runs: no kernels, instructions or wires, and arenas of 0 bytes. The offset of each of its ports is 0, since where a tensor lies is
/// said by the ranks that have parts of it. A port's layout and local shape do not speak of layers: `local_shape[0]` of a stack
/// that no axis splits is the number of all of its layers, and each rank has some of them.
///
/// # Errors
/// What is wrong, and where.
pub fn validate_outline(p: &Program) -> BundleResult<()> {
    version(p)?;
    mesh(&p.mesh)?;
    let runs = !p.kernels.is_empty() || !p.instrs.is_empty() || !p.wires.is_empty();
    if runs || p.arena_bytes != 0 || p.host_bytes != 0 || p.scratch_bytes != 0 {
        return Err(BundleError::new("is an outline, and has memory, kernels, wires or instructions"));
    }
    validate_ports::ports(p, true)
}

fn version(p: &Program) -> BundleResult<()> {
    if p.version != PROGRAM_VERSION {
        return Err(BundleError::new(format!(
            "program version {} where this reader knows {PROGRAM_VERSION}",
            p.version
        )));
    }
    Ok(())
}

fn kernels(p: &Program) -> BundleResult<()> {
    let mut names = BTreeSet::new();
    for (k, r) in p.kernels.iter().enumerate() {
        let fail = |m: String| Err(BundleError::at(format!("kernel {k}"), m));
        let word = |c: u8| c.is_ascii_alphanumeric() || c == b'_';
        for symbol in r.symbols() {
            if symbol.is_empty() || symbol.len() > limits::NAME || !symbol.bytes().all(word) {
                return fail(format!("`{}` is no symbol", symbol.escape_debug()));
            }
            if !names.insert(symbol) {
                return fail(format!("symbol `{symbol}` is there twice"));
            }
        }
        let args = u64::from(r.buffers) + u64::from(r.dims) + 2 + u64::from(r.scratch);
        if args > MAX_KERNEL_ARGS as u64 {
            return fail(format!("`{}` takes {args} arguments; at most {MAX_KERNEL_ARGS} are allowed", r.symbol));
        }
        if r.units > i64::MAX as u64 || r.scratch_bytes > p.scratch_bytes || r.touches.len() != r.buffers as usize {
            let (buffers, of) = (r.touches.len(), r.buffers);
            return fail(format!(
                "`{}` has {} units, {} bytes of scratch memory of {}, and says of {buffers} of {of} buffers what it touches",
                r.symbol, r.units, r.scratch_bytes, p.scratch_bytes
            ));
        }
        validate_gpu::check(p, r).or_else(fail)?;
    }
    Ok(())
}

struct Instrs<'a> {
    p: &'a Program,
    ids: BTreeSet<u32>,
    seen: usize,
    /// Whether the outermost loop around is the actions of a stage.
    in_action: bool,
}

impl Instrs<'_> {
    /// `trips` are those of the enclosing loops, outermost first.
    fn list(&mut self, instrs: &[Instr], trips: &[u64], prefix: &str) -> BundleResult<()> {
        for (k, instr) in instrs.iter().enumerate() {
            self.seen += 1;
            at_most("the number of instructions", self.seen as u64, limits::INSTRUCTIONS as u64)?;
            let place = format!("{prefix}{k}");
            match instr {
                Instr::Loop { trip, .. } if *trip > limits::TRIP => {
                    let most = limits::TRIP;
                    return Err(BundleError::at(place, format!("a trip count of {trip}; at most {most} is allowed")));
                }
                Instr::Loop { .. } | Instr::While(_) if trips.len() == LOOPS => {
                    return Err(BundleError::at(place, format!("loops nested more than {LOOPS} deep")));
                }
                Instr::Loop { trip, body } => {
                    let inner: Vec<u64> = trips.iter().copied().chain([*trip]).collect();
                    self.list(body, &inner, &format!("{place}."))?;
                }
                Instr::While(w) => self.early(w, trips, &place)?,
                Instr::Actions(a) => self.actions(a, trips, &place)?,
                _ => {
                    let one = self.one(instr, trips);
                    one.map_err(|m| BundleError {
                        limit: self.seen > limits::INSTRUCTIONS,
                        ..BundleError::at(place, m)
                    })?;
                }
            }
        }
        Ok(())
    }

    fn early(&mut self, w: &While, trips: &[u64], place: &str) -> BundleResult<()> {
        let fail = |m: String| Err(BundleError::at(place, m));
        // Without a limit, what moves on with each iteration does not fit any arena.
        let most = match w.most {
            Some(n) if n > limits::TRIP => {
                return fail(format!("a trip count of {n}; at most {} is allowed", limits::TRIP));
            }
            n => n.unwrap_or(u64::MAX - 1),
        };
        // The condition is asked for once more than the body runs.
        let with = |n: u64| trips.iter().copied().chain([n]).collect::<Vec<u64>>();
        if w.going.bytes != 1 {
            return fail(format!("a condition of {} bytes", w.going.bytes));
        }
        self.buffer("the condition", &w.going, &with(most + 1), 1).or_else(fail)?;
        self.list(&w.body, &with(most), &format!("{place}."))?;
        self.list(&w.after, &with(most + 1), &format!("{place}.after."))
    }

    /// The actions of a stage: each once for each microbatch, and those of one action in their order.
    fn actions(&mut self, a: &Actions, trips: &[u64], place: &str) -> BundleResult<()> {
        let fail = |m: String| Err(BundleError::at(place, m));
        if !trips.is_empty() {
            return fail("the actions of a stage inside of a loop".into());
        }
        if a.microbatches == 0 || a.microbatches > limits::TRIP {
            return fail(format!("{} microbatches", a.microbatches));
        }
        self.seen = self.seen.saturating_add(a.order.len());
        at_most("the number of instructions", self.seen as u64, limits::INSTRUCTIONS as u64)?;
        let mut next = vec![0; a.bodies.len()];
        for turn in &a.order {
            match next.get_mut(turn.action as usize) {
                Some(n) if *n == turn.microbatch => *n += 1,
                _ => return fail(format!("action {} of microbatch {} out of its turn", turn.action, turn.microbatch)),
            }
        }
        if let Some(k) = next.iter().position(|&n| n != a.microbatches) {
            return fail(format!("action {k} runs for {} of {} microbatches", next[k], a.microbatches));
        }
        self.in_action = true;
        for (k, action) in a.bodies.iter().enumerate() {
            self.list(&action.body, &[a.microbatches], &format!("{place}.{k}."))?;
        }
        self.in_action = false;
        Ok(())
    }

    fn transfer(&mut self, t: &Transfer, sends: bool, trips: &[u64]) -> std::result::Result<(), String> {
        let wires = &self.p.wires;
        let wire = wires.get(t.wire as usize).ok_or_else(|| format!("wire {} of {}", t.wire, wires.len()))?;
        // Steps of a whole device: of an action, or of the program, and of no loop.
        let each = self.in_action && trips.len() == 1;
        if wire.sends != sends || wire.each != each || trips.len() != usize::from(each) {
            return Err(format!("wire `{}` is not used as it says", wire.name.escape_debug()));
        }
        let elements = wire.shape.iter().try_fold(1u64, |n, &d| n.checked_mul(d)).ok_or("its size overflows")?;
        let dtype = wire.dtype;
        self.buffer("what is transferred", &t.buf, trips, dtype.bytes())?;
        exact("what is transferred", &t.buf, elements, dtype)
    }

    fn one(&mut self, instr: &Instr, trips: &[u64]) -> std::result::Result<(), String> {
        match instr {
            Instr::Loop { .. } | Instr::While(_) | Instr::Actions(_) => Ok(()),
            Instr::Send(t) => self.transfer(t, true, trips),
            Instr::Receive(t) => self.transfer(t, false, trips),
            Instr::Launch(l) => self.launch(l, trips),
            Instr::Collective(c) => self.collective(c, trips),
            Instr::Bucket(all) => self.bucket(all, trips),
            Instr::Copy { src, dst, bytes } => {
                for (what, b) in [("source", src), ("destination", dst)] {
                    if self.p.in_host(b.offset) {
                        self.in_host(what, b, trips)?;
                    } else {
                        self.buffer(what, b, trips, 1)?;
                    }
                }
                if self.p.in_host(src.offset) && self.p.in_host(dst.offset) {
                    return Err("copies from the host's memory to the host's memory".into());
                }
                if src.bytes != *bytes || dst.bytes != *bytes {
                    return Err(format!("copies {bytes} bytes between buffers of {} and {}", src.bytes, dst.bytes));
                }
                self.disjoint(src, dst, trips)
            }
            Instr::Fill { dst, dtype, count, .. } => {
                self.buffer("destination", dst, trips, dtype.bytes())?;
                exact("destination", dst, *count, *dtype)
            }
        }
    }

    fn launch(&self, l: &Launch, trips: &[u64]) -> std::result::Result<(), String> {
        let k = self
            .p
            .kernels
            .get(l.kernel as usize)
            .ok_or_else(|| format!("kernel {} of {}", l.kernel, self.p.kernels.len()))?;
        if l.args.len() != k.buffers as usize || l.dims.len() != k.dims as usize {
            let (a, d) = (l.args.len(), l.dims.len());
            return Err(format!(
                "`{}` takes {} buffers and {} dims; {a} and {d} are given",
                k.symbol, k.buffers, k.dims
            ));
        }
        if l.units != k.units {
            return Err(format!("{} units of `{}`, which has {}", l.units, k.symbol, k.units));
        }
        for (i, a) in l.args.iter().enumerate() {
            self.buffer(&format!("argument {i} of `{}`", k.symbol), a, trips, 1)?;
        }
        if let Some(w) = l.writes.iter().find(|&&w| w as usize >= l.args.len()) {
            return Err(format!("writes argument {w} of {}", l.args.len()));
        }
        if let Some(p) = k.gpu.as_ref().and_then(|g| g.gemm.as_ref()) {
            validate_gpu::gemm_fits(p, l).map_err(|what| format!("`{}`: {what}", k.symbol.escape_debug()))?;
        }
        if let Some(g) = &k.gpu {
            validate_gpu::fits(g, l).map_err(|what| format!("`{}`: {what}", k.symbol.escape_debug()))?;
        }
        for d in &l.dims {
            if let Dim::ShardStart { axes: a, block } = d {
                axes(self.p, a)?;
                let n = self.p.group_size(a) as i128;
                if *block < 0 || i128::from(*block) * n > i128::from(i64::MAX) {
                    return Err(format!("a shard start with blocks of {block}"));
                }
            }
        }
        self.touched(l, k)
    }

    /// Each buffer holds what the kernel touches of it, on every device.
    fn touched(&self, l: &Launch, k: &KernelRef) -> std::result::Result<(), String> {
        for (i, (arg, all)) in l.args.iter().zip(&k.touches).enumerate() {
            for t in all {
                let later = match t.start {
                    None => 0,
                    Some(s) => {
                        let what = || format!("argument {i} of `{}` begins where no dim says", k.symbol);
                        let greatest = match l.dims.get(s.dim as usize).ok_or_else(what)? {
                            Dim::Const(n) if *n < 0 => return Err(what()),
                            Dim::Const(n) => i128::from(*n),
                            Dim::ShardStart { axes, block } => {
                                i128::from(*block) * (self.p.group_size(axes) as i128 - 1)
                            }
                        };
                        greatest.saturating_mul(i128::from(s.stride))
                    }
                };
                let needs = later.saturating_add(i128::from(t.bytes));
                if needs > i128::from(arg.bytes) {
                    let message =
                        format!("`{}` touches {needs} bytes of argument {i}, which has {}", k.symbol, arg.bytes);
                    return Err(message);
                }
            }
        }
        Ok(())
    }

    fn collective(&mut self, c: &Collective, trips: &[u64]) -> std::result::Result<(), String> {
        if !self.ids.insert(c.id) {
            return Err(format!("collective id {} is there twice", c.id));
        }
        axes(self.p, &c.axes)?;
        let n = self.p.group_size(&c.axes);
        let (src, dst) = c.kind.elements(n).ok_or("its size overflows")?;
        if let CollectiveKind::CollectivePermute { pairs, .. } = &c.kind {
            let (mut from, mut to) = (BTreeSet::new(), BTreeSet::new());
            for &(a, b) in pairs {
                if u64::from(a) >= n || u64::from(b) >= n || !from.insert(a) || !to.insert(b) {
                    return Err(format!("pair ({a}, {b}) in a group of {n}: a rank sends and receives at most once"));
                }
            }
        }
        if let CollectiveKind::AllReduce { reduction, .. } | CollectiveKind::ReduceScatter { reduction, .. } = c.kind {
            let bits = matches!(reduction, Reduction::And | Reduction::Or);
            match c.dtype {
                d if d.is_int() => {}
                d if d.is_float() && !bits => {}
                other => return Err(format!("a reduction of {} by {reduction:?}", other.name())),
            }
        }
        self.buffer("source", &c.src, trips, c.dtype.bytes())?;
        self.buffer("destination", &c.dst, trips, c.dtype.bytes())?;
        exact("source", &c.src, src, c.dtype)?;
        exact("destination", &c.dst, dst, c.dtype)?;
        if matches!(c.kind, CollectiveKind::AllReduce { .. }) && c.src == c.dst {
            Ok(())
        } else {
            self.disjoint(&c.src, &c.dst, trips)
        }
    }

    /// Members run in any order and concurrently, so none may write what another reads or writes.
    fn bucket(&mut self, all: &[Collective], trips: &[u64]) -> std::result::Result<(), String> {
        let Some(first) = all.first() else { return Err("a bucket of no collectives".into()) };
        at_most("the number of collectives in a bucket", all.len() as u64, limits::BUCKET as u64)
            .map_err(|e| e.message)?;
        for (k, c) in all.iter().enumerate() {
            if !c.kind.alike(&first.kind) || c.dtype != first.dtype || c.axes != first.axes {
                return Err(format!("collectives {} and {} differ, and are in one bucket", first.id, c.id));
            }
            self.collective(c, trips)?;
            for other in &all[..k] {
                for (a, b) in [(&c.src, &other.dst), (&c.dst, &other.src), (&c.dst, &other.dst)] {
                    self.disjoint(a, b, trips)
                        .map_err(|m| format!("collectives {} and {} of a bucket: {m}", other.id, c.id))?;
                }
            }
        }
        Ok(())
    }

    /// The buffer lies in the arena in every iteration.
    fn buffer(&self, what: &str, b: &BufRef, trips: &[u64], element: u64) -> std::result::Result<(), String> {
        let (first, last) = span(what, b, trips, element)?;
        if first < 0 || last > i128::from(self.p.arena_bytes) {
            return Err(format!("{what} spans bytes {first}..{last} of an arena of {}", self.p.arena_bytes));
        }
        Ok(())
    }

    /// The buffer lies in the host's memory in every iteration.
    fn in_host(&self, what: &str, b: &BufRef, trips: &[u64]) -> std::result::Result<(), String> {
        let (first, last) = span(what, b, trips, 1)?;
        let begin = i128::from(self.p.arena_bytes);
        if first < begin || last > begin + i128::from(self.p.host_bytes) {
            let of = self.p.host_bytes;
            return Err(format!("{what} spans bytes {}..{} of {of} in the host's memory", first - begin, last - begin));
        }
        Ok(())
    }

    /// The two do not overlap in any iteration. Both were found to lie in memory.
    fn disjoint(&mut self, a: &BufRef, b: &BufRef, trips: &[u64]) -> std::result::Result<(), String> {
        // Where both move alike with a loop, one iteration says it for all.
        let mut at: Iterations = [0; LOOPS];
        let apart: Vec<usize> = (0..trips.len()).filter(|&d| a.moves.0[d] != b.moves.0[d]).collect();
        // What alternates is where it was after as many iterations as both periods divide.
        let period = |i: LoopIndex| match i {
            LoopIndex::Fixed => Some(1),
            LoopIndex::IterMod { period, .. } => Some(period.max(1)),
            _ => None,
        };
        let apart: Vec<(usize, u64)> = apart
            .into_iter()
            .map(|d| {
                let both = period(a.moves.0[d].index).zip(period(b.moves.0[d].index));
                (d, both.map_or(trips[d], |(p, q)| p.saturating_mul(q).min(trips[d])))
            })
            .collect();
        let iterations = apart.iter().fold(1u64, |n, &(_, t)| n.saturating_mul(t));
        // Each iteration is counted as an instruction, so that this loop cannot be made to take long.
        self.seen = self.seen.saturating_add(iterations as usize);
        at_most("the number of instructions", self.seen as u64, limits::INSTRUCTIONS as u64).map_err(|e| e.message)?;
        for i in 0..iterations {
            let mut rest = i;
            for &(d, t) in &apart {
                at[d] = rest % t;
                rest /= t;
            }
            let (x, y) = (a.at(&at), b.at(&at));
            if x < y.saturating_add(b.bytes) && y < x.saturating_add(a.bytes) {
                return Err(format!("source at byte {x} and destination at byte {y} overlap"));
            }
        }
        Ok(())
    }
}

/// The first byte that a buffer has in any iteration, and the one behind its last; aligned to elements.
fn span(what: &str, b: &BufRef, trips: &[u64], element: u64) -> std::result::Result<(i128, i128), String> {
    let (mut first, mut last) = (i128::from(b.offset), i128::from(b.offset) + i128::from(b.bytes));
    for (depth, m) in b.moves.0.iter().enumerate() {
        let (lo, hi) = range(what, m.index, trips.get(depth).copied())?;
        let stride = i128::from(m.stride);
        first += stride * lo;
        last += stride * hi;
        if !m.stride.is_multiple_of(element) {
            return Err(format!("{what} with stride {} is not aligned to {element} bytes", m.stride));
        }
    }
    if !b.offset.is_multiple_of(element) {
        return Err(format!("{what} at offset {} is not aligned to {element} bytes", b.offset));
    }
    Ok((first, last))
}

/// Least and greatest value of an index in a loop of `trip` iterations.
fn range(what: &str, index: LoopIndex, trip: Option<u64>) -> std::result::Result<(i128, i128), String> {
    Ok(match (index, trip) {
        (LoopIndex::Fixed, _) => (0, 0),
        (_, None) => return Err(format!("{what} moves with an iteration, outside a loop")),
        (LoopIndex::IterReversed { trip: r, .. }, Some(t)) if r != t => {
            return Err(format!("{what} counts back from {r} in a loop of {t}"));
        }
        (LoopIndex::IterMod { period, .. }, Some(_)) if period == 0 || period > limits::TRIP => {
            return Err(format!("{what} has a period of {period}"));
        }
        (LoopIndex::IterMod { period, .. }, Some(_)) => (0, i128::from(period) - 1),
        (LoopIndex::Iter { delta } | LoopIndex::IterReversed { delta, .. }, Some(t)) => {
            (i128::from(delta), i128::from(delta) + i128::from(t.max(1)) - 1)
        }
    })
}

fn exact(what: &str, b: &BufRef, count: u64, dtype: DType) -> std::result::Result<(), String> {
    match count.checked_mul(dtype.bytes()) {
        Some(n) if n == b.bytes => Ok(()),
        _ => Err(format!("{what} holds {} bytes, not {count} x {}", b.bytes, dtype.name())),
    }
}
