//! Ops with bodies. A `repeat` is proved by induction over its iterations. Each carry has one layout, from before the
//! first iteration to after the last. Slices and stacked results keep theirs, with the dim of iterations not split.
//! Invariants keep theirs. A `composite` is proved as its body.

use crate::check::Checker;
use meshloom_ir::{Def, Layout, Op, OpId, RegionId, ValueId};

pub(crate) fn check(c: &mut Checker<'_>, o: OpId, g: OpId, in_kernel: bool) -> Result<(), String> {
    let (local, global) = (c.local.op(o), c.g.func.op(g));
    let ports = match (&local.op, &global.op) {
        (Op::Repeat { trip, reverse, early, .. }, Op::Repeat { trip: n, reverse: back, early: ends, .. }) => {
            if early != ends {
                return Err(format!("is a `{}`, its global op a `{}`", local.op.name(), global.op.name()));
            }
            if trip != n || reverse != back {
                let way = |r: bool| if r { "in reverse" } else { "forward" };
                return Err(format!("runs {trip} times {}, its global op {n} times {}", way(*reverse), way(*back)));
            }
            repeat(c, o, g)
        }
        (Op::Composite { .. }, Op::Composite { .. }) => {
            if local.op != global.op {
                return Err("its name or attributes are not those of its global op".into());
            }
            composite(c, o, g)
        }
        (l, g) => Err(format!("`{}` does not stand for a region op `{}`", l.name(), g.name())),
    };
    let kernel = in_kernel || matches!(local.op, Op::Composite { .. });
    let (body, of) = (local.regions[0], global.regions[0]);
    // Operands that come in unchanged have the padding that they had. Of carries and slices nothing is known.
    let as_it_is = match local.op {
        Op::Repeat { carries, xs, .. } => carries + xs,
        _ => 0,
    };
    let (args, yields) = (&c.local.region(body).args, &c.local.region(body).yields);
    for (&x, &a) in local.operands.iter().zip(args).skip(as_it_is) {
        c.known.alias(a, x);
    }
    c.region(body, of, kernel);
    if matches!(local.op, Op::Composite { .. }) {
        for (&r, &y) in local.results.iter().zip(yields) {
            c.known.alias(r, y);
        }
    }
    ports
}

/// Checks that `inner` has the layout that a port with `outer` gives it.
fn agrees(c: &Checker<'_>, what: &str, i: usize, outer: ValueId, inner: ValueId, stacked: bool) -> Result<(), String> {
    let (a, b) = (&c.claim(outer).layout, &c.claim(inner).layout);
    let wanted = if stacked {
        let mut l = b.clone();
        l.dims.insert(0, Vec::new());
        l
    } else {
        b.clone()
    };
    if *a == wanted {
        return Ok(());
    }
    let mesh = &c.g.func.mesh;
    let shown = |l: &Layout| l.show(mesh);
    Err(format!("{what} {i} is {} outside (%{}) and {} inside (%{})", shown(a), outer.0, shown(b), inner.0))
}

fn is(c: &Checker<'_>, what: &str, i: usize, l: ValueId, g: ValueId) -> Result<(), String> {
    let claimed = c.claim(l).global;
    if c.g.same(claimed, g) {
        return Ok(());
    }
    Err(format!("{what} {i}, %{}, is a shard of global %{}, not of %{}", l.0, claimed.0, g.0))
}

fn composite(c: &Checker<'_>, o: OpId, g: OpId) -> Result<(), String> {
    let (local, global) = (c.local.op(o), c.g.func.op(g));
    let body = c.local.region(local.regions[0]);
    let of = c.g.func.region(global.regions[0]);
    if local.operands.len() != global.operands.len() || local.results.len() != global.results.len() {
        return Err("its operands and results are not those of its global op".into());
    }
    for (i, (&x, &a)) in local.operands.iter().zip(&body.args).enumerate() {
        is(c, "operand", i, x, global.operands[i])?;
        is(c, "body argument", i, a, of.args[i])?;
        agrees(c, "operand", i, x, a, false)?;
    }
    for (i, (&r, &y)) in local.results.iter().zip(&body.yields).enumerate() {
        is(c, "yield", i, y, of.yields[i])?;
        is(c, "result", i, r, global.results[i])?;
        agrees(c, "result", i, r, y, false)?;
    }
    Ok(())
}

fn repeat(c: &Checker<'_>, o: OpId, g: OpId) -> Result<(), String> {
    let (local, global) = (c.local.op(o), c.g.func.op(g));
    let (Op::Repeat { carries, xs, .. }, Op::Repeat { carries: gc, xs: gx, .. }) = (&local.op, &global.op) else {
        return Err("is no repeat".into());
    };
    let (carries, xs, gc, gx) = (*carries, *xs, *gc, *gx);
    let body = c.local.region(local.regions[0]);
    let of = c.g.func.region(global.regions[0]);
    for (i, (&x, &a)) in local.operands.iter().zip(&body.args).enumerate() {
        let port = if i < carries {
            "carry"
        } else if i < carries + xs {
            "slice"
        } else {
            "invariant"
        };
        let j = argument(c, a, global.regions[0])
            .ok_or_else(|| format!("{port} {i}, %{}, is no argument of the global body", a.0))?;
        let same_kind = (j < gc) == (i < carries) && (j < gc + gx) == (i < carries + xs);
        if !same_kind {
            return Err(format!(
                "{port} {i}, %{}, stands for argument {j} of the global body, which is no {port}",
                a.0
            ));
        }
        is(c, port, i, x, global.operands[j])?;
        agrees(c, port, i, x, a, i >= carries && i < carries + xs)?;
        // All devices must leave a `while` after the same iteration, so its condition is one scalar, the same on all.
        if local.op.ends_early() && (i == 0) != (j == 0) {
            return Err(format!("{port} {i}, %{}, stands for argument {j}: the condition comes first", a.0));
        }
        if local.op.ends_early() && i == 0 && !c.claim(a).layout.is_replicated() {
            return Err(format!("its condition, %{}, is not the same on all devices", a.0));
        }
        if i < carries {
            let (y, r) = (body.yields[i], local.results[i]);
            is(c, "next value of carry", i, y, of.yields[j])?;
            is(c, "last value of carry", i, r, global.results[j])?;
            agrees(c, "carry", i, r, a, false)?;
            agrees(c, "next value of carry", i, x, y, false)?;
        }
    }
    for (i, (&r, &y)) in local.results.iter().zip(&body.yields).enumerate().skip(carries) {
        let j = match c.g.func.value(c.g.root(c.claim(r).global)).def {
            Def::Op(op, j) if op == g && j as usize >= gc => j as usize,
            _ => {
                return Err(format!("stacked result {i}, %{}, is no stacked result of global op {}", r.0, g.0));
            }
        };
        is(c, "stacked yield", i, y, of.yields[j])?;
        agrees(c, "stacked result", i, r, y, true)?;
    }
    Ok(())
}

/// The argument of global region `of` that the local argument `a` claims to be.
fn argument(c: &Checker<'_>, a: ValueId, of: RegionId) -> Option<usize> {
    match c.g.func.value(c.g.root(c.claim(a).global)).def {
        Def::Arg(r, j) if r == of => Some(j as usize),
        _ => None,
    }
}
