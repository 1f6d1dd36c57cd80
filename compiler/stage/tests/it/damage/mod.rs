//! Damaged programs of ranks, kind by kind: ops and loops here, ports and wires in [`ports`], steps in [`order`].

pub mod order;
mod ports;
pub mod together;

use meshloom_certify::staged::{Rank, RankInput, RankLoop, RankOutput, RankStep};
use meshloom_ir::types::Literal;
use meshloom_ir::{Def, Func, Op, OpData, OpId, Reduction, RegionId, Scalar, Value, ValueId};

#[derive(Clone)]
pub struct Owned {
    pub func: Func,
    pub inputs: Vec<RankInput>,
    pub outputs: Vec<RankOutput>,
    pub actions: Vec<RankLoop>,
    pub steps: Vec<RankStep>,
}

impl Owned {
    fn rank(&self) -> Rank<'_> {
        Rank {
            func: &self.func,
            inputs: self.inputs.clone(),
            outputs: self.outputs.clone(),
            actions: self.actions.clone(),
            steps: self.steps.clone(),
        }
    }
}

#[derive(Clone)]
pub struct Whole(pub Vec<Owned>);

impl Whole {
    pub fn ranks(&self) -> Vec<Rank<'_>> {
        self.0.iter().map(Owned::rank).collect()
    }
}

pub type Mutants = Vec<(&'static str, Vec<Whole>)>;
pub type Parts = Vec<(usize, Option<(u64, u64)>)>;

/// Most places of a kind in one rank.
const PLACES: usize = 3;

/// The kinds of damaged programs and ports, and how many of each are refused at least.
pub const PROGRAMS: &[(&str, usize)] = &[
    ("operands exchanged", 6),
    ("another operand", 20),
    ("another function", 6),
    ("a summand left out", 6),
    ("a summand twice", 6),
    ("another constant", 6),
    ("another reduction", 4),
    ("reduces another dim", 1),
    ("a collective left out", 4),
    ("another axis of the mesh", 2),
    ("transposes otherwise", 2),
    ("contracts otherwise", 4),
    ("slices elsewhere", 1),
    ("a carry starts otherwise", 6),
    ("a carry is not carried on", 6),
    ("carries exchanged", 4),
    ("stacks exchanged", 4),
    ("the loop runs the other way", 4),
    ("reads another microbatch", 6),
    ("reads another layer", 4),
    ("reads another stack", 4),
    ("a gradient counts twice", 4),
    ("a gradient is left out", 4),
    ("one iteration less", 6),
    ("an output is another value", 6),
    ("an update is left out", 6),
    ("updates another input", 4),
    ("updates nothing", 6),
    ("an output left out", 6),
    ("outputs exchanged", 2),
    ("another input", 6),
    ("layers of another run", 4),
    ("layers of an output of another run", 4),
    ("a layer more", 4),
    ("all layers", 4),
    ("inputs exchanged", 2),
    ("another initial value", 6),
    ("another role", 6),
    ("another range", 1),
    ("another name", 6),
    ("begins with another layer", 6),
    ("another type of device layout", 4),
    ("wires exchanged by the sender", 1),
    ("wires exchanged by the receiver", 1),
    ("a wire sends another value", 4),
    ("a wire to another rank", 2),
    ("a wire from another rank", 2),
    ("a wire is not sent", 4),
    ("a wire is sent twice", 4),
    ("a wire of single microbatches is one of all", 4),
    ("ranks exchanged", 1),
];

/// The numbers below `n`, each once, in an order that is spread over all.
fn spread(n: usize) -> impl Iterator<Item = usize> {
    let coprime = |k: &usize| (2..=*k).all(|d| !k.is_multiple_of(d) || !n.is_multiple_of(d));
    let step = (n * 5 / 8..n).find(coprime).unwrap_or(1).max(1);
    (0..n).map(move |i| i * step % n)
}

/// Some changes of an op of a rank.
fn ops(w: &Whole, change: impl Fn(&mut Func, OpId) -> bool) -> Vec<Whole> {
    places(
        w,
        |r| r.func.walk(Func::BODY).len(),
        |r, i| {
            let o = r.func.walk(Func::BODY)[i];
            change(&mut r.func, o)
        },
    )
}

/// Some changes of a rank at one of so many places.
pub fn places(w: &Whole, count: impl Fn(&Owned) -> usize, change: impl Fn(&mut Owned, usize) -> bool) -> Vec<Whole> {
    let mut out = Vec::new();
    for k in 0..w.0.len() {
        let changed = spread(count(&w.0[k])).filter_map(|i| {
            let mut r = w.0[k].clone();
            change(&mut r, i).then_some(r)
        });
        for r in changed.take(PLACES).collect::<Vec<_>>() {
            let mut m = w.clone();
            m.0[k] = r;
            out.push(m);
        }
    }
    out
}

/// Values of the type of `v` that stand before op `o` in its region, other than `v`.
fn others(f: &Func, o: OpId, v: ValueId) -> Vec<ValueId> {
    let region = f.region(f.op(o).parent);
    let before = region.ops.iter().take_while(|&&x| x != o).flat_map(|&x| &f.op(x).results);
    let fits = |x: &ValueId| *x != v && f.ty(*x) == f.ty(v) && f.value(*x).layout == f.value(v).layout;
    region.args.iter().chain(before).copied().filter(fits).collect()
}

pub fn carries(f: &Func, o: OpId) -> Option<(u64, usize, usize)> {
    match f.op(o).op {
        Op::Repeat { trip, carries, xs, .. } => Some((trip, carries, xs)),
        _ => None,
    }
}

/// A new op just before `o`, with a result like `like`.
fn before(f: &mut Func, o: OpId, op: Op, operands: Vec<ValueId>, like: ValueId) -> ValueId {
    let (id, v) = (OpId(f.ops.len() as u32), ValueId(f.values.len() as u32));
    let parent = f.op(o).parent;
    f.values.push(Value { def: Def::Op(id, 0), ..f.value(like).clone() });
    f.ops.push(OpData { op, operands, results: vec![v], regions: Vec::new(), parent, ..f.op(o).clone() });
    let list = &mut f.regions[parent.index()].ops;
    let at = list.iter().position(|&x| x == o).unwrap_or(0);
    list.insert(at, id);
    v
}

/// Puts `new` where `old` is read, in the region of `old` and what it yields.
fn replace(f: &mut Func, region: RegionId, old: ValueId, new: ValueId) {
    let list = f.region(region).ops.clone();
    for o in list {
        for x in &mut f.ops[o.index()].operands {
            if *x == old {
                *x = new;
            }
        }
    }
    for y in &mut f.regions[region.index()].yields {
        if *y == old {
            *y = new;
        }
    }
}

fn yields(f: &mut Func, o: OpId) -> &mut Vec<ValueId> {
    let region = f.op(o).regions[0];
    &mut f.regions[region.index()].yields
}

#[allow(clippy::too_many_lines, reason = "a list of kinds")]
pub fn programs(w: &Whole) -> Mutants {
    let add = |f: &Func, o: OpId| f.op(o).op.name() == "add";
    let mut out: Mutants = Vec::new();
    out.push((
        "operands exchanged",
        ops(w, |f, o| {
            let [x, y] = f.op(o).operands[..] else { return false };
            let matters = ["subtract", "divide", "compare"].contains(&f.op(o).op.name())
                || matches!(f.op(o).op, Op::DotGeneral(_));
            let fits = x != y && f.ty(x) == f.ty(y) && matters;
            f.ops[o.index()].operands.swap(0, 1);
            fits
        }),
    ));
    for seed in 0..4 {
        out.push((
            "another operand",
            ops(w, |f, o| {
                let all = f.op(o).operands.clone();
                let Some(i) = (0..all.len()).nth(seed % 2) else { return false };
                let found = others(f, o, all[i]);
                let Some(&new) = found.get(seed / 2 * found.len() / 2) else { return false };
                f.ops[o.index()].operands[i] = new;
                true
            }),
        ));
    }
    out.push((
        "another function",
        ops(w, |f, o| {
            let other = match f.op(o).op.name() {
                "add" => "subtract",
                "multiply" => "add",
                "subtract" | "divide" => "multiply",
                "exponential" => "tanh",
                "maximum" => "minimum",
                "sqrt" | "rsqrt" | "tanh" => "exponential",
                _ => return false,
            };
            f.ops[o.index()].op = Op::elem(other).unwrap();
            true
        }),
    ));
    out.push((
        "a summand left out",
        ops(w, |f, o| {
            let [x, _] = f.op(o).operands[..] else { return false };
            let (fits, region, old) = (add(f, o), f.op(o).parent, f.op(o).results[0]);
            replace(f, region, old, x);
            fits
        }),
    ));
    out.push((
        "a summand twice",
        ops(w, |f, o| {
            let [x, y] = f.op(o).operands[..] else { return false };
            f.ops[o.index()].operands = vec![y, y];
            add(f, o) && x != y
        }),
    ));
    out.push((
        "another constant",
        ops(w, |f, o| {
            let float = f.ty(f.op(o).results[0]).dtype.is_float();
            match &mut f.ops[o.index()].op {
                Op::Constant { value: Literal::Splat(x), .. } => {
                    *x = if float { Scalar::float(x.as_f64() * 3.0 + 0.5) } else { Scalar::Int(1 - x.as_i64()) };
                    true
                }
                _ => false,
            }
        }),
    ));
    out.push((
        "another reduction",
        ops(w, |f, o| match &mut f.ops[o.index()].op {
            Op::Reduce { kind, .. } | Op::AllReduce { kind, .. } | Op::ReduceScatter { kind, .. } => {
                *kind = if *kind == Reduction::Sum { Reduction::Max } else { Reduction::Sum };
                true
            }
            _ => false,
        }),
    ));
    out.push((
        "reduces another dim",
        ops(w, |f, o| {
            let shape = f.ty(*f.op(o).operands.first().unwrap_or(&ValueId(0))).shape.clone();
            match &mut f.ops[o.index()].op {
                Op::Reduce { dims, .. } if dims.len() == 1 => {
                    let d = dims[0];
                    let other = (0..shape.len()).find(|&e| e != d && shape[e] == shape[d] && e.abs_diff(d) == 1);
                    other.is_some_and(|e| {
                        dims[0] = e;
                        true
                    })
                }
                // Between neighbours of one size only; else the type changes.
                Op::CumLogSumExp { reverse, .. } | Op::Cumulative { reverse, .. } => {
                    *reverse = !*reverse;
                    true
                }
                Op::Broadcast { dims, .. } if dims.len() == 1 && shape.len() == 1 => {
                    let d = dims[0];
                    dims[0] = d.saturating_sub(1);
                    d > 0
                }
                _ => false,
            }
        }),
    ));
    out.push((
        "a collective left out",
        ops(w, |f, o| {
            let fits = matches!(f.op(o).op, Op::AllReduce { .. } | Op::PartialSplit { .. });
            let (region, old) = (f.op(o).parent, f.op(o).results[0]);
            if let Some(&x) = f.op(o).operands.first().filter(|_| fits) {
                f.values[x.index()].layout = f.value(old).layout.clone();
                replace(f, region, old, x);
            }
            fits
        }),
    ));
    out.push((
        "another axis of the mesh",
        ops(w, |f, o| {
            let count = f.mesh.axes.len() as u16;
            match &mut f.ops[o.index()].op {
                Op::AllReduce { axes, .. } | Op::PartialSplit { axes } => {
                    let new = meshloom_ir::Axis(u8::try_from((u16::from(axes[0].0) + 1) % count).unwrap());
                    *axes = vec![new];
                    true
                }
                _ => false,
            }
        }),
    ));
    out.push((
        "transposes otherwise",
        ops(w, |f, o| {
            let shape = f.ty(*f.op(o).operands.first().unwrap_or(&ValueId(0))).shape.clone();
            match &mut f.ops[o.index()].op {
                Op::Transpose { perm } => {
                    let n = perm.len();
                    perm.swap(0, n - 1);
                    let same = shape[perm[0]] == shape[perm[n - 1]];
                    same && n > 1
                }
                Op::Iota { dim, shape, .. } if shape.len() > 1 => {
                    *dim = (*dim + 1) % shape.len();
                    true
                }
                Op::Reshape { .. } | Op::Elem(_) => false,
                _ => false,
            }
        }),
    ));
    out.push((
        "contracts otherwise",
        ops(w, |f, o| {
            let types: Vec<Vec<u64>> = f.op(o).operands.iter().map(|&x| f.ty(x).shape.clone()).collect();
            let Op::DotGeneral(e) = &mut f.ops[o.index()].op else { return false };
            // Two dims of one size of the second operand change places.
            let shape = &types[1];
            for i in 0..shape.len() {
                for j in 0..i {
                    if shape[i] == shape[j] {
                        e.operands[1].swap(i, j);
                        return true;
                    }
                }
            }
            e.operands.swap(0, 1);
            types[0] == types[1]
        }),
    ));
    out.push((
        "slices elsewhere",
        ops(w, |f, o| {
            let shape = f.ty(*f.op(o).operands.first().unwrap_or(&ValueId(0))).shape.clone();
            match &mut f.ops[o.index()].op {
                Op::Slice { start, limit } => match (0..shape.len()).find(|&d| start[d] > 0 || limit[d] < shape[d]) {
                    Some(d) if limit[d] < shape[d] => {
                        start[d] += 1;
                        limit[d] += 1;
                        true
                    }
                    Some(d) => {
                        start[d] -= 1;
                        limit[d] -= 1;
                        true
                    }
                    None => false,
                },
                Op::ShardSlice { .. } | Op::Pad { .. } => false,
                Op::Gather { .. } => {
                    let x = f.op(o).operands[1];
                    let found = others(f, o, x);
                    found.first().is_some_and(|&new| {
                        f.ops[o.index()].operands[1] = new;
                        true
                    })
                }
                _ => false,
            }
        }),
    ));
    out.push((
        "a carry starts otherwise",
        ops(w, |f, o| {
            let Some((_, n @ 1.., _)) = carries(f, o) else { return false };
            let i = n / 2;
            let x = f.op(o).operands[i];
            if let Some(&new) = others(f, o, x).first() {
                f.ops[o.index()].operands[i] = new;
                return true;
            }
            let ty = f.ty(x).clone();
            let one =
                Op::Constant { dtype: ty.dtype, shape: ty.shape, value: Literal::Splat(Scalar::of(ty.dtype, 1.0)) };
            let new = before(f, o, one, Vec::new(), x);
            f.ops[o.index()].operands[i] = new;
            true
        }),
    ));
    for last in [false, true] {
        out.push((
            "a carry is not carried on",
            ops(w, |f, o| {
                let Some((_, n @ 1.., _)) = carries(f, o) else { return false };
                let i = if last { n - 1 } else { 0 };
                let arg = f.region(f.op(o).regions[0]).args[i];
                yields(f, o)[i] = arg;
                true
            }),
        ));
    }
    out.push((
        "carries exchanged",
        ops(w, |f, o| {
            let Some((_, n, _)) = carries(f, o) else { return false };
            let same = |f: &Func, i: usize, j: usize| {
                let y = &f.region(f.op(o).regions[0]).yields;
                y[i] != y[j] && f.ty(y[i]) == f.ty(y[j])
            };
            let Some((i, j)) = (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).find(|&(i, j)| same(f, i, j)) else {
                return false;
            };
            yields(f, o).swap(i, j);
            true
        }),
    ));
    out.push((
        "stacks exchanged",
        ops(w, |f, o| {
            let Some((_, n, _)) = carries(f, o) else { return false };
            let all = yields(f, o).clone();
            let pairs = (n..all.len()).flat_map(|i| (n..i).map(move |j| (i, j)));
            let Some((i, j)) = pairs.into_iter().find(|&(i, j)| all[i] != all[j] && f.ty(all[i]) == f.ty(all[j]))
            else {
                return false;
            };
            yields(f, o).swap(i, j);
            true
        }),
    ));
    out.push((
        "the loop runs the other way",
        ops(w, |f, o| match &mut f.ops[o.index()].op {
            Op::Repeat { reverse, carries: 1.., trip: 2.., .. } => {
                *reverse = !*reverse;
                true
            }
            _ => false,
        }),
    ));
    for (name, body) in [("reads another microbatch", true), ("reads another layer", false)] {
        for last in [false, true] {
            out.push((
                name,
                ops(w, |f, o| {
                    let Some((2.., n, xs @ 1..)) = carries(f, o) else { return false };
                    let i = if last { n + xs - 1 } else { n };
                    let x = f.op(o).operands[i];
                    let new = before(f, o, Op::Rotate { dim: 0, by: 1, mirror: false }, vec![x], x);
                    f.ops[o.index()].operands[i] = new;
                    (f.op(o).parent == Func::BODY) == body
                }),
            ));
        }
    }
    out.push((
        "reads another stack",
        ops(w, |f, o| {
            let Some((_, n, xs)) = carries(f, o) else { return false };
            for i in n..n + xs {
                let x = f.op(o).operands[i];
                if let Some(&new) = others(f, o, x).iter().find(|y| f.def_op(**y) == f.def_op(x)) {
                    f.ops[o.index()].operands[i] = new;
                    return true;
                }
            }
            false
        }),
    ));
    for twice in [true, false] {
        let name = if twice { "a gradient counts twice" } else { "a gradient is left out" };
        out.push((
            name,
            ops(w, |f, o| {
                let Some((_, n @ 1.., _)) = carries(f, o) else { return false };
                let region = f.op(o).regions[0];
                let sum = |i: usize| {
                    let d = f.def_op(f.region(region).yields[i])?;
                    let arg = f.region(region).args[i];
                    (add(f, d) && f.op(d).operands.contains(&arg)).then_some((i, d, arg))
                };
                let Some((i, d, arg)) = (0..n).rev().find_map(sum) else { return false };
                let y = f.region(region).yields[i];
                if twice {
                    let Some(&g) = f.op(d).operands.iter().find(|x| **x != arg) else { return false };
                    let new = before(f, d, Op::elem("add").unwrap(), vec![arg, g], y);
                    let place = f.op(d).operands.iter().position(|x| *x == arg).unwrap();
                    f.ops[d.index()].operands[place] = new;
                } else {
                    yields(f, o)[i] = arg;
                }
                f.op(o).parent == Func::BODY
            }),
        ));
    }
    out.push((
        "one iteration less",
        ops(w, |f, o| match &mut f.ops[o.index()].op {
            Op::Repeat { trip, .. } => {
                *trip -= 1;
                true
            }
            _ => false,
        }),
    ));
    out.extend(ports::ports(w));
    out.extend(ports::wires(w));
    out
}
