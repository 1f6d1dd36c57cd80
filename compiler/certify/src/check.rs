//! The proof, by induction over the local program in its order. The step of the op that defines a value proves the
//! value's claim. A step may rest only on claims of values that are defined before it in the same region. After a wrong
//! op, its claims are taken as given, so one mistake is reported once, at its place.
//!
//! If the certificate has a form, the global program is that of the form. Values that the form proves equal are one
//! tensor ([`crate::forms`]), and a claim may name any of them.

mod padding;
mod region;
mod state;

pub(crate) use state::Checker;

use crate::certificate::{Certificate, Step};
use crate::claim::{Globals, Pins, meaningful, satisfies};
use crate::classes::Classes;
use crate::forms;
use crate::reject::{Rejection, with_text};
use crate::{reshard, structure};
use meshloom_ir::{Def, Func, Layout, Op, OpId, Port, RegionId, ValueId, table};

/// A certificate that holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Proof {
    /// Local ops whose step was checked, those of bodies included.
    pub steps: usize,
}

/// Checks `local` against `global`. Every device of the mesh runs `local` on shards of the inputs, as claimed. Its
/// outputs must be shards of the outputs of `global`.
///
/// # Errors
/// Every op whose step does not hold, in program order, and what is wrong with the ports.
pub fn check(global: &Func, local: &Func, cert: &Certificate) -> Result<Proof, Vec<Rejection>> {
    structure::verified(local).map_err(|r| with_text(local, r))?;
    structure::global(global).map_err(|e| vec![Rejection::program(e)])?;
    let cut =
        cert.given(global).map_err(|e| vec![Rejection::program(format!("its loops are not cut as claimed: {e}"))])?;
    let global = cut.as_ref();
    let given = global.ops.len();
    let (global, classes, rejected) = match &cert.form {
        None => (global, Classes::new(global), Vec::new()),
        Some(form) => {
            let refused = |r: forms::Refused| Rejection::form(&form.func, r.op, r.message);
            let (classes, wrong) = forms::check(global, form).map_err(|r| vec![refused(r)])?;
            (&form.func, classes, wrong.into_iter().map(refused).collect())
        }
    };
    structure::local(global, local, cert).map_err(|e| vec![Rejection::program(e)])?;
    let g = Globals::new(global, classes, given);
    let mut checker = Checker {
        pins: Pins::new(&g),
        g,
        local,
        cert,
        seen: vec![false; local.values.len()],
        known: padding::Known::new(local),
        steps: 0,
        rejected,
    };
    checker.inputs();
    checker.region(Func::BODY, Func::BODY, false);
    checker.outputs();
    checker.pinned();
    if checker.rejected.is_empty() {
        Ok(Proof { steps: checker.steps })
    } else {
        Err(with_text(local, checker.rejected))
    }
}

impl Checker<'_> {
    /// Accepts a value as defined, if its claim has a meaning.
    fn define(&mut self, v: ValueId, region: RegionId) -> Result<(), String> {
        self.seen[v.index()] = true;
        let claim = &self.cert.values[v.index()];
        meaningful(&self.g, self.local, v, claim, region)?;
        self.pins.note(&self.g, v, claim);
        Ok(())
    }

    /// Checks the ops of local region `r`, which stands for `of` in the global program.
    pub fn region(&mut self, r: RegionId, of: RegionId, in_kernel: bool) {
        let local = self.local;
        for &a in &local.region(r).args {
            if let Err(e) = self.define(a, of) {
                self.reject_value(a, e);
            }
        }
        for &o in &local.region(r).ops {
            self.steps += 1;
            let data = local.op(o);
            let own = |v: ValueId| match local.value(v).def {
                Def::Op(def, _) => local.op(def).parent == r,
                Def::Arg(region, _) => region == r,
            };
            if let Some(v) = data.operands.iter().find(|v| !self.seen[v.index()] || !own(**v)) {
                self.reject(o, format!("uses %{}, which is not defined before it in this region", v.0));
            }
            let defined: Result<Vec<()>, String> = data.results.iter().map(|&v| self.define(v, of)).collect();
            match defined {
                // A claim without a meaning proves nothing, so the step is not checked.
                Err(e) => self.reject(o, e),
                Ok(_) => {
                    if let Err(e) = self.step(o, of, in_kernel) {
                        self.reject(o, e);
                    }
                }
            }
        }
        for &y in &local.region(r).yields {
            if !self.seen[y.index()] {
                self.reject_value(y, format!("%{} is yielded by a region it is not in", y.0));
            }
        }
    }

    fn step(&mut self, o: OpId, of: RegionId, in_kernel: bool) -> Result<(), String> {
        let data = self.local.op(o);
        match &self.cert.steps[o.index()] {
            Step::Reshard => {
                if in_kernel {
                    return Err("a reshard inside a composite, which one kernel runs".into());
                }
                self.reshard(o)?;
                self.known.after_move(self.local, o);
                Ok(())
            }
            Step::Op { global, assignment } => {
                let g = self.global_op(*global, of)?;
                // A rotation of a split dim is a shift between devices. No other pair of ops differs like this.
                let shift =
                    matches!((&self.g.func.op(g).op, &data.op), (Op::Rotate { .. }, Op::CollectiveShift { .. }));
                if data.op.collective_axes().is_some() && !shift {
                    return Err(format!(
                        "`{}` moves a tensor between layouts; it is no local form of global op {}",
                        data.op.name(),
                        global.0
                    ));
                }
                let func = self.g.func;
                let gop = func.op(g);
                let rule = if in_kernel { table::region::body_factors(func, g) } else { table::factors(func, g) };
                let (Some(def), Some(rule)) = (table::def(&gop.op), rule) else {
                    return Err(format!(
                        "global op {}, `{}`, has no local form of this kind: its step is that of a region",
                        g.0,
                        gop.op.name()
                    ));
                };
                let known = assignment
                    .factors
                    .values()
                    .flatten()
                    .chain(assignment.linear.keys())
                    .all(|a| a.index() < func.mesh.axes.len());
                if !known || !rule.admits(assignment, &func.mesh) {
                    return Err(format!(
                        "`{}` may not be split so: the assignment names an unknown factor or linear set, a factor that must stay \
                         whole or divide and does not, or an axis twice",
                        gop.op.name()
                    ));
                }
                self.names("operand", &data.operands, &gop.operands)?;
                self.names("result", &data.results, &gop.results)?;
                for (i, &v) in data.operands.iter().enumerate() {
                    self.layout_is(v, "operand", i, &rule.operand_layout(assignment, i))?;
                }
                for (i, &v) in data.results.iter().enumerate() {
                    self.layout_is(v, "result", i, &rule.result_layout(assignment, i))?;
                }
                let local_form = (def.localize)(
                    &gop.op,
                    &table::Local { mesh: &func.mesh, rule: &rule, assignment, result: self.local.ty(data.results[0]) },
                );
                if local_form != data.op {
                    return Err(format!(
                        "is not the local form of global op {}: expected {local_form:?}, found {:?}",
                        g.0, data.op
                    ));
                }
                if in_kernel && shift {
                    return Err("communicates inside a composite, which one kernel runs".into());
                }
                // A kernel can be told positions: attention's mask between blocks of queries and of keys needs them.
                if in_kernel && data.op.reads_device() && !matches!(data.op, Op::Iota { .. }) {
                    return Err("differs from device to device inside a composite, which one kernel runs".into());
                }
                self.known.after_op(self.local, &func.mesh, o, &gop.op, &rule, assignment)
            }
            Step::Region { global } => {
                let g = self.global_op(*global, of)?;
                region::check(self, o, g, in_kernel)
            }
        }
    }

    /// The global op of a step, if it stands in the region that is being proved.
    fn global_op(&self, g: OpId, of: RegionId) -> Result<OpId, String> {
        match self.g.func.ops.get(g.index()) {
            Some(data) if data.parent == of => Ok(g),
            Some(_) => Err(format!("its global op {} belongs to another region", g.0)),
            None => Err(format!("its global op {} does not exist", g.0)),
        }
    }

    /// Checks that local values claim these global values, in order.
    fn names(&self, what: &str, locals: &[ValueId], globals: &[ValueId]) -> Result<(), String> {
        if locals.len() != globals.len() {
            return Err(format!("has {} {what}s, its global op has {}", locals.len(), globals.len()));
        }
        for (i, (&l, &g)) in locals.iter().zip(globals).enumerate() {
            let claimed = self.claim(l).global;
            if !self.g.same(claimed, g) {
                return Err(format!(
                    "{what} {i}, %{}, is a shard of global %{}, but the global op has %{} there",
                    l.0, claimed.0, g.0
                ));
            }
        }
        Ok(())
    }

    fn layout_is(&self, v: ValueId, what: &str, i: usize, wanted: &Layout) -> Result<(), String> {
        let found = &self.claim(v).layout;
        if found == wanted {
            return Ok(());
        }
        let mesh = &self.g.func.mesh;
        Err(format!(
            "{what} {i}, %{}, is {}, but this local form {} {}",
            v.0,
            found.show(mesh),
            if what == "operand" { "takes" } else { "gives" },
            wanted.show(mesh)
        ))
    }

    fn reshard(&self, o: OpId) -> Result<(), String> {
        let data = self.local.op(o);
        let ([from], [to]) = (&data.operands[..], &data.results[..]) else {
            return Err("a reshard has one operand and one result".into());
        };
        let (a, b) = (self.claim(*from), self.claim(*to));
        if !self.g.same(a.global, b.global) {
            return Err(format!("takes a shard of global %{} for one of global %{}", a.global.0, b.global.0));
        }
        let mesh = &self.g.func.mesh;
        let after = reshard::after(&data.op, &a.layout, &self.g.func.ty(a.global).shape, mesh)
            .unwrap_or_else(|| Err(format!("`{}` computes; it is no reshard of its operand", data.op.name())))?;
        if after != b.layout {
            return Err(format!(
                "takes {} to {}, not to {} as claimed",
                &a.layout.show(mesh),
                &after.show(mesh),
                &b.layout.show(mesh)
            ));
        }
        Ok(())
    }

    fn inputs(&mut self) {
        let (global, local) = (self.g.func, self.local);
        for (i, (&l, &g)) in local.body().args.iter().zip(&global.body().args).enumerate() {
            self.port("input", l, g, &local.inputs[i], &global.inputs[i]);
        }
    }

    fn outputs(&mut self) {
        let (global, local) = (self.g.func, self.local);
        for (i, (&l, &g)) in local.body().yields.iter().zip(&global.body().yields).enumerate() {
            self.port("output", l, g, &local.outputs[i], &global.outputs[i]);
            let Some(j) = local.outputs[i].updates else {
                continue;
            };
            let Some(&input) = local.body().args.get(j) else {
                self.reject_value(l, format!("output {i} updates input {j}, which does not exist"));
                continue;
            };
            if self.claim(input).layout != self.claim(l).layout {
                let mesh = &global.mesh;
                let message = format!(
                    "output `{}` is the next value of `{}`, but has layout {} instead of {}",
                    local.outputs[i].name,
                    local.inputs[j].name,
                    self.claim(l).layout.show(mesh),
                    &self.claim(input).layout.show(mesh)
                );
                self.reject_value(l, message);
            }
        }
    }

    /// Checks that local value `l`, as `port` of the program, is global value `g` in a layout that the port admits.
    fn port(&mut self, what: &str, l: ValueId, g: ValueId, port: &Port, global: &Port) {
        let claim = self.claim(l);
        if !self.g.same(claim.global, g) {
            let message = format!(
                "{what} `{}` must be global %{}, but %{} is a shard of global %{}",
                global.name, g.0, l.0, claim.global.0
            );
            return self.reject_value(l, message);
        }
        for c in [&global.constraint, &port.constraint] {
            if !satisfies(&claim.layout, c, &self.g.func.mesh) {
                let mesh = &self.g.func.mesh;
                let layout = &claim.layout.show(mesh);
                let message = if c.absent {
                    format!("{what} `{}` is left partial: {layout}", global.name)
                } else {
                    format!("{what} `{}` is pinned to {}, but has layout {layout}", global.name, c.show(mesh))
                };
                return self.reject_value(l, message);
            }
        }
    }

    /// Checks that for every layout which the user pinned inside the program, some shard of the tensor has that layout.
    fn pinned(&mut self) {
        let global = self.g.func;
        let mesh = &global.mesh;
        for (result, made) in self.pins.missing() {
            if let Some(c) = self.g.constraint(result) {
                let message =
                    format!("global %{} is pinned to {}, but no shard of it has that layout", result.0, c.show(mesh));
                self.reject_value(made, message);
            }
        }
    }
}
