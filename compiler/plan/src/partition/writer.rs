//! The local program under construction: values with their claims, ops with their steps, and which shards of each global
//! tensor exist so far.

use super::generate::Forms;
use super::local::{LocalProgram, Missing};
use crate::OpOrigin;
use crate::saturate::program::SearchedProgram;
use crate::search::Solution;
use meshloom_certify::{Certificate, Claim, Step};
use meshloom_ir::padding::{Padding, after_move};
use meshloom_ir::{
    Def, Func, Layout, Literal, Op, OpData, OpId, Phase, Reduction, Region, RegionId, Scalar, Span, TensorType, Value,
    ValueId,
};
use std::collections::{BTreeMap, BTreeSet};

pub struct Writer<'p, 'a> {
    pub program: &'p SearchedProgram<'a>,
    pub solution: &'p Solution,
    pub forms: Forms,
    pub func: Func,
    /// The local region that ops are appended to.
    pub region: RegionId,
    /// Phase of the global op that is being written; conversions before it take it over.
    pub phase: Phase,
    /// What only the checker and a reader ask for; `None` where the program is made to be timed alone.
    record: Option<Record>,
    /// By the value that stands for a tensor.
    shards: Vec<Vec<(Layout, ValueId)>>,
    /// By local value: what is known of its padding.
    pub padding: Vec<Padding>,
    pub masks: BTreeMap<(ValueId, usize, Reduction), ValueId>,
    /// Loops that are written, or are being written.
    pub loops: BTreeSet<OpId>,
    /// The first tensor that was to be read in a layout that nothing brings about.
    missing: Option<Missing>,
}

#[derive(Default)]
struct Record {
    claims: Vec<Claim>,
    steps: Vec<Step>,
    origins: Vec<OpOrigin>,
}

impl<'p, 'a> Writer<'p, 'a> {
    /// One that notes what is proved and where things come from, or `brief`: then the program has the same ops and types, and no more.
    pub fn new(program: &'p SearchedProgram<'a>, solution: &'p Solution, forms: Forms, brief: bool) -> Writer<'p, 'a> {
        let mut func = Func::like(program.func);
        // About as large as the given one: to grow there step by step takes as long as to write it.
        func.values.reserve(program.func.values.len());
        func.ops.reserve(program.func.ops.len());
        Writer {
            program,
            solution,
            forms,
            func,
            region: Func::BODY,
            phase: Phase::Forward,
            record: (!brief).then(Record::default),
            shards: vec![Vec::new(); program.func.values.len()],
            padding: Vec::with_capacity(program.func.values.len()),
            masks: BTreeMap::new(),
            loops: BTreeSet::new(),
            missing: None,
        }
    }

    pub fn finish(self) -> LocalProgram {
        let mesh = self.program.func.mesh.clone();
        let Record { claims, steps, origins } = self.record.unwrap_or_default();
        let certificate = Certificate { mesh, cuts: Vec::new(), form: None, values: claims, steps };
        LocalProgram { func: self.func, certificate, origins, missing: self.missing }
    }

    /// The layout in which a tensor comes about.
    pub fn native(&self, v: ValueId) -> Layout {
        let l = self.solution.native.get(&self.program.rep(v)).cloned();
        l.unwrap_or_else(|| Layout::replicated(self.program.func.ty(v).rank()))
    }

    /// Whether some shard of `v` exists in the current region.
    pub fn exists(&self, v: ValueId) -> bool {
        self.here(v).next().is_some()
    }

    /// The shards of `v` that the current region can read. Tensors that depend on no input, and what is equal to a slice of what another
    /// loop stacked, may have shards in several regions.
    fn here(&self, v: ValueId) -> impl Iterator<Item = &(Layout, ValueId)> {
        self.shards[self.program.rep(v).index()].iter().filter(|(_, local)| {
            self.region
                == match self.func.value(*local).def {
                    Def::Op(o, _) => self.func.op(o).parent,
                    Def::Arg(r, _) => r,
                }
        })
    }

    /// `constrain` moves nothing: its result is another name of its operand.
    fn root(&self, v: ValueId) -> ValueId {
        let func = self.program.func;
        let mut at = v;
        while let Def::Op(o, _) = func.value(at).def
            && matches!(func.op(o).op, Op::Constrain(_))
        {
            at = func.op(o).operands[0];
        }
        at
    }

    /// A new local value: the shard of global `v` in `layout`.
    fn value(&mut self, v: ValueId, layout: &Layout, def: Def) -> ValueId {
        let global = self.program.func.value(v);
        // Layouts of the search fit; the fall-back keeps a mistake from panicking, and the checker refuses it.
        let shape = layout.local_shape(&global.ty.shape, &self.func.mesh).unwrap_or_else(|| global.ty.shape.clone());
        let id = ValueId(self.func.values.len() as u32);
        self.func.values.push(Value {
            ty: TensorType::new(global.ty.dtype, shape),
            def,
            name: self.record.as_ref().and(global.name.clone()),
            span: global.span,
            layout: self.record.as_ref().map(|_| layout.clone()),
        });
        let root = self.root(v);
        if let Some(record) = &mut self.record {
            record.claims.push(Claim { global: root, layout: layout.clone() });
        }
        self.padding.push(Padding::UNSPECIFIED);
        id
    }

    /// The layout of a local value, where that is noted.
    pub fn layout(&self, v: ValueId) -> Option<Layout> {
        self.func.value(v).layout.clone()
    }

    /// A new argument of a local region.
    pub fn argument(&mut self, region: RegionId, v: ValueId, layout: &Layout) -> ValueId {
        let n = self.func.region(region).args.len() as u32;
        let id = self.value(v, layout, Def::Arg(region, n));
        self.func.regions[region.index()].args.push(id);
        id
    }

    /// A new region, still without an owner.
    pub fn open(&mut self) -> RegionId {
        self.func.regions.push(Region::default());
        RegionId(self.func.regions.len() as u32 - 1)
    }

    /// Appends an op whose results are shards of the given global values.
    pub fn push(
        &mut self,
        op: Op,
        from: OpFrom,
        operands: Vec<ValueId>,
        results: &[(ValueId, Layout)],
    ) -> Vec<ValueId> {
        let id = OpId(self.func.ops.len() as u32);
        let locals: Vec<ValueId> =
            results.iter().enumerate().map(|(i, (v, l))| self.value(*v, l, Def::Op(id, i as u32))).collect();
        let OpFrom { step, origin, regions, span, phase, weight_grad } = from;
        for r in &regions {
            self.func.regions[r.index()].owner = Some(id);
        }
        self.func.ops.push(OpData {
            op,
            operands,
            results: locals.clone(),
            regions,
            parent: self.region,
            span,
            phase,
            weight_grad,
            recompute: None,
        });
        if let (Step::Reshard, [x], [r]) = (&step, &self.func.op(id).operands[..], &locals[..]) {
            self.padding[r.index()] = after_move(&self.func.op(id).op, &self.padding[x.index()], self.func.ty(*x));
        }
        self.func.regions[self.region.index()].ops.push(id);
        if let Some(record) = &mut self.record {
            record.steps.push(step);
            record.origins.push(origin);
        }
        locals
    }

    /// Takes note that a shard exists.
    pub fn keep(&mut self, v: ValueId, layout: Layout, local: ValueId) {
        self.shards[self.program.rep(v).index()].push((layout, local));
    }

    pub fn find(&self, v: ValueId, layout: &Layout) -> Option<ValueId> {
        self.here(v).find(|s| s.0 == *layout).map(|s| s.1)
    }

    /// Takes note that nothing brings `v` about in `layout`: a mistake of the planner. Zeros stand in its place, so that the program
    /// can be written to its end; it is no plan.
    pub fn lacks(&mut self, v: ValueId, layout: &Layout) -> ValueId {
        let (func, ty) = (self.program.func, self.program.func.ty(v));
        let shape = layout.local_shape(&ty.shape, &func.mesh).unwrap_or_else(|| ty.shape.clone());
        let op = Op::Constant { dtype: ty.dtype, shape, value: Literal::Splat(Scalar::of(ty.dtype, 0.0)) };
        let span = func.value(v).span;
        if self.missing.is_none() {
            let what = format!("`{}` ({ty}) in layout {}", self.program.name(v), layout.show(&func.mesh));
            self.missing = Some(Missing { what, span });
        }
        self.push(op, OpFrom::new(span, self.phase), Vec::new(), &[(v, layout.clone())])[0]
    }

    /// Appends a conversion.
    pub fn convert(&mut self, v: ValueId, step: Op, to: &Layout, from: ValueId) -> ValueId {
        let span = self.program.func.value(v).span;
        let how = OpFrom { step: Step::Reshard, origin: OpOrigin::Reshard(v), ..OpFrom::new(span, self.phase) };
        let local = self.push(step, how, vec![from], &[(v, to.clone())])[0];
        self.keep(v, to.clone(), local);
        local
    }

    /// Appends all conversions of a tensor that an op has just made.
    pub fn convert_all(&mut self, v: ValueId) {
        let v = self.program.rep(v);
        let layouts: Vec<Layout> =
            self.solution.conversions.get(&v).into_iter().flatten().map(|c| c.to.clone()).collect();
        for l in layouts {
            self.get(v, &l);
        }
    }
}

/// What an op is beside operation, operands and results.
pub struct OpFrom {
    pub step: Step,
    pub origin: OpOrigin,
    pub regions: Vec<RegionId>,
    pub span: Span,
    pub phase: Phase,
    pub weight_grad: bool,
}

impl OpFrom {
    pub fn new(span: Span, phase: Phase) -> OpFrom {
        OpFrom {
            step: Step::Reshard,
            origin: OpOrigin::Reshard(ValueId(0)),
            regions: Vec::new(),
            span,
            phase,
            weight_grad: false,
        }
    }

    /// The local counterpart of a global op.
    pub fn global(func: &Func, o: OpId, step: Step) -> OpFrom {
        let data = func.op(o);
        OpFrom {
            step,
            origin: OpOrigin::Op(o),
            regions: Vec::new(),
            span: data.span,
            phase: data.phase,
            weight_grad: data.weight_grad,
        }
    }
}
