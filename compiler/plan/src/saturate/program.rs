//! The global program as the planner sees it: what is alive, how often each region runs, factor rules, what the
//! annotations pin, and which tensors are made from nothing.

use crate::ask::written::{self, WrittenSplits};
use crate::extend::Extended;
use crate::saturate::layers;
use crate::saturate::uneven::Asked;
use crate::{Mode, PlanError, PlanOptions};
use meshloom_ir::live::live_with;
use meshloom_ir::op::Op;
use meshloom_ir::table::region::{CompositeDims, body_factors, composite_dims};
use meshloom_ir::{
    Assignment, Axis, Constraint, Def, DimSpec, FactorRule, Func, Layout, OpId, RegionId, Role, ValueId, table,
};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// How a value enters or leaves a region.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RegionPort {
    /// Argument of the program's body.
    Input(usize),
    /// Body argument and result `1` of repeat `0`: both one layout, with what the carry starts as and becomes.
    Carry(OpId, usize),
    /// Body argument: a slice of a stacked operand.
    Slice(OpId, usize),
    /// Body argument: an operand as it is.
    Invariant(OpId, usize),
    /// Result: what the body yields, stacked.
    Stack(OpId, usize),
}

pub struct SearchedProgram<'a> {
    /// With the alternatives.
    pub func: &'a Func,
    pub mode: Mode,
    /// Parts of a sum are added up before anything but a sum rounds them.
    pub strict_float: bool,
    /// By value: the least value that is the same tensor.
    alike: Vec<ValueId>,
    /// By least value: all that are the same tensor, where there are several.
    pub members: BTreeMap<ValueId, Vec<ValueId>>,
    /// Axes of more than one device, in the mesh's order. The others never split anything.
    pub axes: Vec<Axis>,
    /// By op; for ops that are alive and not inside a composite.
    pub rules: Vec<Option<FactorRule>>,
    /// By value; values inside composites are not.
    pub live: Vec<bool>,
    /// By region: how often it runs in one step.
    pub trips: Vec<u64>,
    /// By value: it depends on no input, so each device can make any shard of it.
    pub generated: Vec<bool>,
    /// By least value of such a tensor: the first op that makes it from tensors of this kind. The least value itself may be an
    /// argument of a loop's body, which takes a slice of a stack of constants.
    pub makers: BTreeMap<ValueId, OpId>,
    /// By input.
    pub inputs: Vec<Constraint>,
    /// By output; `None` where any layout that is not partial will do.
    pub outputs: Vec<Option<Constraint>>,
    /// By op: what a `constrain` pins.
    pub pinned: Vec<Option<Constraint>>,
    /// By op: how it is computed, as what stands on its operands and its result says.
    written: BTreeMap<OpId, WrittenSplits>,
    /// By value: dim 0 is that of the layers of pipeline stages, and stays whole.
    pub layered: Vec<bool>,
    /// By value: of layers whose devices have room for it.
    pub roomy: Vec<bool>,
    /// Live ops in program order, those of a repeat's body after it.
    pub order: Vec<OpId>,
    /// Composites and transposes of what they give, proved to give what others do, that are taken in place of these.
    pub preferred: Vec<OpId>,
    asked: Asked,
    /// By composite, made when first asked for: programs are written many times.
    composites: RefCell<BTreeMap<OpId, Rc<CompositeBody>>>,
}

/// What is the same of a composite's body in all local forms.
pub struct CompositeBody {
    pub dims: CompositeDims,
    /// By op of the body.
    pub rules: Vec<Option<FactorRule>>,
}

/// Windows that are cut may stay split in the blocks that they have, and so may what is cut from a dim that was in blocks.
fn note_cuts(asked: &mut Asked, func: &Func, order: &[OpId]) {
    for &o in order {
        let Op::Slice { limit, .. } = &func.op(o).op else { continue };
        let x = func.op(o).operands[0];
        let Some(made) = func.def_op(x).map(|w| func.op(w)) else { continue };
        let whole = &func.ty(x).shape;
        match &made.op {
            Op::Windows { dim, .. } => asked.note_cut(whole[*dim], limit[*dim], &func.mesh),
            Op::Reshape { .. } if func.ty(made.operands[0]).rank() == whole.len() + 1 => {
                let cut = whole.iter().zip(limit).filter(|(n, limit)| n != limit);
                cut.for_each(|(&n, &limit)| asked.note_cut(n, limit, &func.mesh));
            }
            _ => {}
        }
    }
}

impl<'a> SearchedProgram<'a> {
    pub fn new(ext: &'a Extended, options: &PlanOptions) -> Result<SearchedProgram<'a>, Vec<PlanError>> {
        let (func, mesh) = (&ext.func, &ext.func.mesh);
        let axes = mesh.all_axes().filter(|&a| mesh.size(a) > 1).collect();
        let (alike, members) = alike(ext);
        let live = live_values(func, &alike, &members);
        let (order, trips) = order(func, &live);
        let (mut rules, mut pinned) = (vec![None; func.ops.len()], vec![None; func.ops.len()]);
        let mut errors = Vec::new();
        for &o in &order {
            rules[o.index()] = table::factors(func, o);
            let data = func.op(o);
            if let Op::Constrain(c) = &data.op {
                let what = func.value(data.results[0]).name.clone().unwrap_or_else(|| "this expression".into());
                pinned[o.index()] = Some(checked(func, data.results[0], c, &what, data.span, &mut errors));
            }
        }
        let mut inputs = input_pins(func, options.mode, &mut errors);
        let mut outputs = Vec::new();
        for (i, p) in func.outputs.iter().enumerate() {
            let c = checked(func, func.body().yields[i], &p.constraint, &p.name, p.span, &mut errors);
            let c = (!c.absent).then_some(c);
            if let (Some(c), Some(j)) = (&c, p.updates) {
                next_value(func, i, j, c, &mut inputs, &mut errors);
            }
            outputs.push(c);
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let mut makers = BTreeMap::new();
        let generated = if options.disabled_rules.contains("generate") {
            vec![false; func.values.len()]
        } else {
            let mut made = generated(func, &order);
            for &o in &order {
                let v = func.op(o).results[0];
                if made[v.index()] {
                    makers.entry(alike[v.index()]).or_insert(o);
                }
            }
            // Whatever else computes it, a tensor that depends on no input is made where it is read.
            for all in members.values() {
                let any = all.iter().any(|v| made[v.index()]);
                all.iter().for_each(|v| made[v.index()] = any);
            }
            made
        };
        let proved = |v: &ValueId| members.contains_key(&alike[v.index()]);
        let preferred = ext.preferred.iter().copied().filter(|&o| func.op(o).results.iter().all(proved)).collect();
        let stacks = |first: Option<u64>| layers::stacks(func, options.layers.as_deref().zip(first), members.values());
        let (layered, roomy) = (stacks(Some(0)), stacks(options.roomy));
        let mut asked = Asked::new(options.mode == Mode::Search);
        let ports = func.body().args.iter().zip(inputs.iter().map(Some));
        let ports = ports.chain(func.body().yields.iter().zip(outputs.iter().map(Option::as_ref)));
        let inside = order.iter().filter_map(|&o| Some((func.op(o).results.first()?, pinned[o.index()].as_ref())));
        for (&v, c) in ports.chain(inside).filter_map(|(v, c)| Some((v, c?))) {
            asked.note(c, &func.ty(v).shape, mesh);
        }
        note_cuts(&mut asked, func, &order);
        Ok(SearchedProgram {
            func,
            strict_float: options.target.strict_float,
            mode: options.mode,
            alike,
            members,
            axes,
            written: written_splits(ext, &order, &rules),
            rules,
            live,
            trips,
            generated,
            makers,
            inputs,
            outputs,
            pinned,
            layered,
            roomy,
            order,
            preferred,
            asked,
            composites: RefCell::default(),
        })
    }

    /// Whether a tensor of `shape` may be considered in a layout: it divides, or annotations ask for it.
    pub fn fits(&self, shape: &[u64], l: &Layout) -> bool {
        self.asked.admits(l, shape, &self.func.mesh)
    }

    /// Whether a dim of size `n` may be split by `axis`.
    pub fn reaches(&self, n: u64, axis: Axis) -> bool {
        self.asked.reaches(n, axis, &self.func.mesh)
    }

    /// Whether input `i` may have a layout: its own annotation and those of its next values admit it.
    pub fn admits(&self, i: usize, l: &Layout) -> bool {
        let next = self.func.outputs.iter().zip(&self.outputs).filter(|(p, _)| p.updates == Some(i));
        let mut next = next.filter_map(|(_, c)| c.as_ref());
        self.inputs[i].admits(l) && next.all(|c| c.admits(l))
    }

    /// The value that stands for all that are the same tensor.
    pub fn rep(&self, v: ValueId) -> ValueId {
        self.alike[v.index()]
    }

    /// How a value that no op computes comes about; `None` for results of ops other than `repeat`.
    pub fn port(&self, v: ValueId) -> Option<RegionPort> {
        match self.func.value(v).def {
            Def::Arg(r, i) => {
                let i = i as usize;
                let Some(o) = self.func.region(r).owner else {
                    return Some(RegionPort::Input(i));
                };
                let Op::Repeat { carries, xs, .. } = self.func.op(o).op else {
                    return None;
                };
                Some(match i {
                    _ if i < carries => RegionPort::Carry(o, i),
                    _ if i < carries + xs => RegionPort::Slice(o, i),
                    _ => RegionPort::Invariant(o, i),
                })
            }
            Def::Op(o, i) => match self.func.op(o).op {
                Op::Repeat { carries, .. } if (i as usize) < carries => Some(RegionPort::Carry(o, i as usize)),
                Op::Repeat { .. } => Some(RegionPort::Stack(o, i as usize)),
                _ => None,
            },
        }
    }

    /// The body of a repeat.
    pub fn body(&self, o: OpId) -> RegionId {
        self.func.op(o).regions[0]
    }

    pub fn region_of(&self, v: ValueId) -> RegionId {
        match self.func.value(v).def {
            Def::Op(o, _) => self.func.op(o).parent,
            Def::Arg(r, _) => r,
        }
    }

    /// How often `v` is computed in one step.
    pub fn weight(&self, v: ValueId) -> u64 {
        self.trips[self.region_of(v).index()]
    }

    /// Whether an annotation says anything of an axis.
    pub fn names(&self, axis: Axis) -> bool {
        let outputs = self.outputs.iter().chain(&self.pinned).flatten();
        self.inputs.iter().chain(outputs).any(|c| {
            let dims = c.dims.iter().any(|d| match d {
                DimSpec::Exactly(axes) | DimSpec::AtLeast(axes) => axes.contains(&axis),
            });
            dims || c.partial.contains_key(&axis) || c.replicated.contains(&axis)
        })
    }

    pub fn live(&self, v: ValueId) -> bool {
        self.live[v.index()]
    }

    pub fn generated(&self, v: ValueId) -> bool {
        self.generated[v.index()]
    }

    /// The factor rule of a live op.
    pub fn rule(&self, o: OpId) -> Option<&FactorRule> {
        self.rules[o.index()].as_ref()
    }

    /// Whether `o` is computed as it is written.
    pub fn as_written(&self, o: OpId, a: &Assignment) -> bool {
        self.written.get(&o).is_none_or(|said| written::admits(said, a))
    }

    /// The body of the composite `o`.
    pub fn composite(&self, o: OpId) -> Rc<CompositeBody> {
        let made = || {
            let ops = &self.func.region(self.func.op(o).regions[0]).ops;
            let rules = ops.iter().map(|&inner| body_factors(self.func, inner)).collect();
            Rc::new(CompositeBody { dims: composite_dims(self.func, o), rules })
        };
        self.composites.borrow_mut().entry(o).or_insert_with(made).clone()
    }

    /// What names a value in messages.
    pub fn name(&self, v: ValueId) -> String {
        match (&self.func.value(v).name, self.func.value(v).def) {
            (Some(n), _) => n.clone(),
            (None, Def::Op(o, _)) => self.func.op(o).op.name().to_string(),
            (None, Def::Arg(..)) => "an argument".into(),
        }
    }
}

/// The layout `l` of a value as the layout of a stack of such values.
pub fn stacked(l: &Layout) -> Layout {
    let mut s = l.clone();
    s.dims.insert(0, Vec::new());
    s
}

/// The layout of a slice of a stack in layout `l`; `None` if the stack's dim 0 is split.
pub fn unstacked(l: &Layout) -> Option<Layout> {
    let mut s = l.clone();
    (!s.dims.is_empty() && s.dims.remove(0).is_empty()).then_some(s)
}

/// Classes of values that are one tensor, by their least.
fn alike(ext: &Extended) -> (Vec<ValueId>, BTreeMap<ValueId, Vec<ValueId>>) {
    let mut parent: Vec<u32> = (0..ext.func.values.len() as u32).collect();
    let find = |parent: &mut Vec<u32>, mut v: u32| {
        while parent[v as usize] != v {
            parent[v as usize] = parent[parent[v as usize] as usize];
            v = parent[v as usize];
        }
        v
    };
    for e in &ext.equal {
        let (a, b) = (find(&mut parent, e.a.0), find(&mut parent, e.b.0));
        parent[a.max(b) as usize] = a.min(b);
    }
    let alike: Vec<ValueId> = (0..parent.len() as u32).map(|v| ValueId(find(&mut parent, v))).collect();
    let mut members: BTreeMap<ValueId, Vec<ValueId>> = BTreeMap::new();
    for (v, &r) in alike.iter().enumerate() {
        members.entry(r).or_default().push(ValueId(v as u32));
    }
    members.retain(|_, all| all.len() > 1);
    (alike, members)
}

/// Which values an output may depend on, in whatever form its tensors are computed; through the ports of repeats: a carry
/// is alive as a whole, a slice, an invariant or a stacked result by itself.
fn live_values(func: &Func, alike: &[ValueId], members: &BTreeMap<ValueId, Vec<ValueId>>) -> Vec<bool> {
    // A class comes along with the first of its values, once: ten thousand equal constants are one class.
    let mut seen = vec![false; func.values.len()];
    live_with(func, |v, work| {
        let class = alike[v.index()];
        if !std::mem::replace(&mut seen[class.index()], true) {
            work.extend(members.get(&class).into_iter().flatten());
        }
    })
}

/// Live ops in order, without the bodies of composites; and how often each region runs.
fn order(func: &Func, live: &[bool]) -> (Vec<OpId>, Vec<u64>) {
    let mut trips = vec![1u64; func.regions.len()];
    let mut out = Vec::new();
    let mut open = vec![func.body().ops.iter()];
    while let Some(top) = open.last_mut() {
        let Some(&o) = top.next() else {
            open.pop();
            continue;
        };
        let data = func.op(o);
        if !data.results.iter().any(|r| live[r.index()]) {
            continue;
        }
        out.push(o);
        if let Op::Repeat { .. } = data.op {
            let r = data.regions[0];
            trips[r.index()] = trips[data.parent.index()].saturating_mul(data.op.iterations());
            open.push(func.region(r).ops.iter());
        }
    }
    (out, trips)
}

/// Values that depend on no input and cost next to nothing to make.
fn generated(func: &Func, order: &[OpId]) -> Vec<bool> {
    let mut made = vec![false; func.values.len()];
    for &o in order {
        let data = func.op(o);
        if data.op.is_cheap() && data.operands.iter().all(|v| made[v.index()]) {
            made[data.results[0].index()] = true;
        }
    }
    made
}

/// By op: how it is computed as it is written. What is recognised in single ops stands in no source.
fn written_splits(ext: &Extended, order: &[OpId], rules: &[Option<FactorRule>]) -> BTreeMap<OpId, WrittenSplits> {
    let given = order.iter().filter(|o| !ext.preferred.contains(o));
    let said = given.filter_map(|&o| Some((o, written::factors(&ext.func, o, rules[o.index()].as_ref()?))));
    said.filter(|(_, said)| !said.is_empty()).collect()
}

/// What pins each input: its annotation; without one nothing when everything open is searched, and otherwise that it is not
/// split, where optimizer state goes with its parameter.
fn input_pins(func: &Func, mode: Mode, errors: &mut Vec<PlanError>) -> Vec<Constraint> {
    let mut pins: Vec<Constraint> = Vec::new();
    for (i, p) in func.inputs.iter().enumerate() {
        let mut pin = checked(func, func.body().args[i], &p.constraint, &p.name, p.span, errors);
        // Entries that have names of their own are on all devices, each of which has a name for every one.
        if let (false, Some(entries)) = (p.entries.is_empty(), pin.dims.first_mut().filter(|_| p.constraint.absent)) {
            *entries = DimSpec::Exactly(Vec::new());
        }
        pins.push(pin);
    }
    if mode == Mode::Search {
        return pins;
    }
    let parameter = |i: usize| {
        let (p, shape) = (&func.inputs[i], &func.ty(func.body().args[i]).shape);
        func.inputs.iter().enumerate().position(|(j, q)| {
            let same = p.of.as_ref() == Some(&q.name) && p.first_layer == q.first_layer;
            q.role == Role::Parameter && same && func.ty(func.body().args[j]).shape == *shape
        })
    };
    let absent: Vec<usize> = (0..pins.len()).filter(|&i| pins[i].absent).collect();
    for &i in &absent {
        pins[i] = Constraint::exactly(&Layout::replicated(pins[i].dims.len()));
    }
    for &i in &absent {
        if func.inputs[i].role == Role::State
            && let Some(j) = parameter(i)
        {
            pins[i] = pins[j].clone();
        }
    }
    pins
}

/// An output that is an input's next value has the input's layout, so what is written on it is written on the input.
fn next_value(func: &Func, i: usize, j: usize, c: &Constraint, inputs: &mut [Constraint], errors: &mut Vec<PlanError>) {
    let (output, input) = (&func.outputs[i], &func.inputs[j]);
    if input.constraint.absent {
        inputs[j] = c.clone();
        return;
    }
    match meet(&inputs[j], c) {
        Some(both) => inputs[j] = both,
        None => {
            let message = format!(
                "`{}` is the next value of `{}`, but one is laid out {} and the other {}",
                output.name,
                input.name,
                c.show(&func.mesh),
                inputs[j].show(&func.mesh)
            );
            errors.push(PlanError::new(output.span, message).help("give both one layout, or the output none"));
        }
    }
}

/// What satisfies both annotations.
fn meet(a: &Constraint, b: &Constraint) -> Option<Constraint> {
    let dims = a.dims.iter().zip(&b.dims).map(|(x, y)| match (x, y) {
        (DimSpec::Exactly(x), DimSpec::Exactly(y)) => (x == y).then(|| DimSpec::Exactly(x.clone())),
        (DimSpec::Exactly(x), DimSpec::AtLeast(y)) | (DimSpec::AtLeast(y), DimSpec::Exactly(x)) => {
            x.starts_with(y).then(|| DimSpec::Exactly(x.clone()))
        }
        (DimSpec::AtLeast(x), DimSpec::AtLeast(y)) if x.starts_with(y) => Some(DimSpec::AtLeast(x.clone())),
        (DimSpec::AtLeast(x), DimSpec::AtLeast(y)) => y.starts_with(x).then(|| DimSpec::AtLeast(y.clone())),
    });
    let dims: Vec<DimSpec> = dims.collect::<Option<_>>()?;
    let axes: Vec<Axis> = dims.iter().flat_map(|(DimSpec::Exactly(x) | DimSpec::AtLeast(x))| x.clone()).collect();
    let once = axes.iter().enumerate().all(|(i, a)| !axes[..i].contains(a));
    let replicated = a.replicated.union(&b.replicated).copied().collect();
    (a.partial == b.partial && once).then(|| Constraint {
        partial: a.partial.clone(),
        replicated,
        ..Constraint::of(dims)
    })
}

/// An annotation without the axes of size 1, once it is seen that it can hold.
fn checked(
    func: &Func,
    v: ValueId,
    c: &Constraint,
    what: &str,
    span: meshloom_ir::Span,
    errors: &mut Vec<PlanError>,
) -> Constraint {
    let (mesh, shape) = (&func.mesh, &func.ty(v).shape);
    let mut error = |message: String| errors.push(PlanError::new(span, message));
    let axes = |d: &DimSpec| match d {
        DimSpec::Exactly(a) | DimSpec::AtLeast(a) => a.clone(),
    };
    let mut seen = vec![false; mesh.axes.len()];
    let named: Vec<Axis> = c.dims.iter().flat_map(&axes).chain(c.partial.keys().copied()).collect();
    if c.dims.len() != shape.len() {
        error(format!("the layout of `{what}` has {} dims, the tensor {}", c.dims.len(), shape.len()));
        return Constraint::absent(shape.len());
    }
    for a in named {
        let before = seen.get_mut(a.index()).map(|s| std::mem::replace(s, true));
        match before {
            None => error(format!("the layout of `{what}` names an axis that the mesh {mesh} does not have")),
            Some(true) => error(format!("the layout of `{what}` names axis `{}` twice", mesh.name(a))),
            Some(false) => {}
        }
    }
    c.effective(mesh)
}
