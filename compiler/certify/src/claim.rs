//! What makes a claim meaningful, before any step is checked: the layout fits the global tensor, and the local value
//! has the type of its shard.

use crate::certificate::Claim;
use crate::classes::{Classes, TermId};
use meshloom_ir::live::live_values;
use meshloom_ir::{Axis, Constraint, DType, Def, Func, Layout, Mesh, Op, RegionId, TensorType, ValueId};
use std::collections::BTreeMap;

/// The global program as the steps see it: which of its values are one tensor.
pub(crate) struct Globals<'a> {
    pub func: &'a Func,
    roots: Vec<ValueId>,
    classes: Classes,
    /// The number of ops of the user's program. Later ops are a form's.
    given: usize,
}

impl<'a> Globals<'a> {
    pub fn new(func: &'a Func, classes: Classes, given: usize) -> Globals<'a> {
        let mut roots: Vec<ValueId> = (0..func.values.len() as u32).map(ValueId).collect();
        for o in func.walk(Func::BODY) {
            let data = func.op(o);
            if matches!(data.op, Op::Constrain(_)) {
                roots[data.results[0].index()] = roots[data.operands[0].index()];
            }
        }
        Globals { func, roots, classes, given }
    }

    /// The value whose definition `v` goes by: the start of the chain of `constrain` that ends in `v`.
    pub fn root(&self, v: ValueId) -> ValueId {
        self.roots[v.index()]
    }

    /// Whether two values are one tensor. A `constrain` moves nothing, and the certificate's form may say that more
    /// values are equal. Inside loops, they are equal in each iteration.
    pub fn same(&self, a: ValueId, b: ValueId) -> bool {
        self.classes.same(a, b)
    }

    /// A key that all values of one tensor share, in the region where `v` stands. The region is part of the key, since
    /// layouts are pinned where they are written, and a tensor of one loop may also be at hand in the body of another.
    pub fn place(&self, v: ValueId) -> Option<(RegionId, TermId)> {
        Some((self.region_of(v), self.classes.class(v)?))
    }

    /// The region a value belongs to.
    pub fn region_of(&self, v: ValueId) -> RegionId {
        match self.func.value(v).def {
            Def::Op(o, _) => self.func.op(o).parent,
            Def::Arg(r, _) => r,
        }
    }

    /// The constraint that a `constrain` imposes on its result.
    pub fn constraint(&self, v: ValueId) -> Option<&'a Constraint> {
        match self.func.value(v).def {
            Def::Op(o, _) => match &self.func.op(o).op {
                Op::Constrain(c) => Some(c),
                _ => None,
            },
            Def::Arg(..) => None,
        }
    }
}

/// Whether `layout` is one that an annotation asks for. Axes of size 1 split nothing, so either may leave them out.
pub(crate) fn satisfies(layout: &Layout, c: &Constraint, mesh: &Mesh) -> bool {
    let mut real = layout.clone();
    let counts = |a: &Axis| mesh.size(*a) != 1;
    real.dims.iter_mut().for_each(|d| d.retain(counts));
    real.partial.retain(|a, _| counts(a));
    c.admits(layout) || c.effective(mesh).admits(&real)
}

/// Checks that `claim` can be made of local value `v`, in a region that stands for `region` of the global program.
pub(crate) fn meaningful(
    g: &Globals<'_>,
    local: &Func,
    v: ValueId,
    claim: &Claim,
    region: RegionId,
) -> Result<(), String> {
    let mesh = &g.func.mesh;
    let global = g.func.value(claim.global);
    let value = local.value(v);
    let shown = claim.layout.show(mesh);
    if g.region_of(claim.global) != region {
        return Err(format!("%{} claims to be global %{}, which belongs to another region", v.0, claim.global.0));
    }
    let Some(shape) = claim.layout.local_shape(&global.ty.shape, mesh) else {
        return Err(format!(
            "{shown} is no layout of global %{}, {}: its rank differs or an axis is used twice",
            claim.global.0, global.ty
        ));
    };
    if value.ty.dtype != global.ty.dtype || value.ty.shape != shape {
        return Err(format!(
            "%{} is {}, but a shard of global %{}, {}, under {shown} is {}",
            v.0,
            value.ty,
            claim.global.0,
            global.ty,
            TensorType::new(global.ty.dtype, shape)
        ));
    }
    let mut kinds = claim.layout.partial.values();
    if let Some(first) = kinds.next() {
        if kinds.any(|k| k != first) {
            // A sum of maxima is not a maximum of sums.
            return Err(format!("{shown} is partial under different reductions, which has no one meaning"));
        }
        if global.ty.dtype == DType::Bool {
            return Err(format!("{shown} of a bool: partial values are of numbers only"));
        }
    }
    if value.layout.as_ref().is_some_and(|l| *l != claim.layout) {
        return Err(format!(
            "the program says that %{} has layout {}, its claim says {shown}",
            v.0,
            value.layout.as_ref().map_or(String::new(), |l| l.show(mesh))
        ));
    }
    if let Some(c) = g.constraint(claim.global)
        && !satisfies(&claim.layout, c, mesh)
    {
        return Err(format!(
            "global %{} is pinned to {}, but %{} holds it as {shown}",
            claim.global.0,
            c.show(mesh),
            v.0
        ));
    }
    Ok(())
}

/// The layouts that the user pinned inside the program, and whether some shard has each of them.
pub(crate) struct Pins {
    /// For each tensor: the `constrain` results that it goes by, and whether one of its shards has the pinned layout.
    by_place: BTreeMap<(RegionId, TermId), Vec<(ValueId, bool)>>,
    /// The first shard of each tensor.
    first: BTreeMap<(RegionId, TermId), ValueId>,
}

impl Pins {
    pub fn new(g: &Globals<'_>) -> Pins {
        let mut by_place: BTreeMap<(RegionId, TermId), Vec<(ValueId, bool)>> = BTreeMap::new();
        // An annotation on an expression that nothing reads asks for nothing. Nor does a copy of an annotation among a
        // form's ops: the user wrote it once, where it stands.
        let live = live_values(g.func);
        for (i, op) in g.func.ops.iter().enumerate().filter(|(_, o)| matches!(o.op, Op::Constrain(_))) {
            let v = op.results[0];
            if i >= g.given || !live[v.index()] {
                continue;
            }
            if let Some(place) = g.place(v) {
                by_place.entry(place).or_default().push((v, false));
            }
        }
        Pins { by_place, first: BTreeMap::new() }
    }

    /// Notes the layout of a shard.
    pub fn note(&mut self, g: &Globals<'_>, v: ValueId, claim: &Claim) {
        let Some(place) = g.place(claim.global) else { return };
        if let Some(pins) = self.by_place.get_mut(&place) {
            self.first.entry(place).or_insert(v);
            for (result, met) in pins {
                *met |= g.constraint(*result).is_some_and(|c| satisfies(&claim.layout, c, &g.func.mesh));
            }
        }
    }

    /// Pinned values in use whose layout no shard has, each with a shard of the tensor. A tensor that the local program
    /// does not compute needs no layout.
    pub fn missing(&self) -> Vec<(ValueId, ValueId)> {
        let shards = self.first.iter();
        shards
            .flat_map(|(place, &v)| {
                let pins = self.by_place.get(place).into_iter().flatten();
                pins.filter(|p| !p.1).map(move |p| (p.0, v))
            })
            .collect()
    }
}
