//! The program of one device under construction, with claim and step of each value and op.

use meshloom_certify::{Certificate, Claim, Step};
use meshloom_ir::{
    Assignment, Constraint, Def, FactorRule, Func, Layout, Op, OpData, OpId, Region, RegionId, TensorType, Value,
    ValueId, table,
};

pub struct Local<'a> {
    global: &'a Func,
    pub func: Func,
    pub certificate: Certificate,
    region: RegionId,
}

impl<'a> Local<'a> {
    pub fn new(global: &'a Func) -> Local<'a> {
        let certificate = Certificate {
            mesh: global.mesh.clone(),
            cuts: Vec::new(),
            form: None,
            values: Vec::new(),
            steps: Vec::new(),
        };
        Local { global, func: Func::like(global), certificate, region: Func::BODY }
    }

    /// An input of the program, as it lies.
    pub fn input(&mut self, i: usize, layout: &Layout) -> ValueId {
        let v = self.global.body().args[i];
        let mut port = self.global.inputs[i].clone();
        port.constraint = Constraint::exactly(layout);
        self.func.inputs.push(port);
        self.argument(Func::BODY, v, layout)
    }

    pub fn output(&mut self, i: usize, local: ValueId, layout: &Layout) {
        let mut port = self.global.outputs[i].clone();
        port.constraint = Constraint::exactly(layout);
        self.func.outputs.push(port);
        self.func.regions[0].yields.push(local);
    }

    fn argument(&mut self, region: RegionId, v: ValueId, layout: &Layout) -> ValueId {
        let n = self.func.region(region).args.len() as u32;
        let id = self.value(v, layout, Def::Arg(region, n));
        self.func.regions[region.index()].args.push(id);
        id
    }

    fn value(&mut self, v: ValueId, layout: &Layout, def: Def) -> ValueId {
        let value = self.global.value(v);
        let shape = layout.local_shape(&value.ty.shape, &self.func.mesh).unwrap_or_else(|| value.ty.shape.clone());
        let id = ValueId(self.func.values.len() as u32);
        self.func.values.push(Value {
            ty: TensorType::new(value.ty.dtype, shape),
            def,
            name: value.name.clone(),
            span: value.span,
            layout: Some(layout.clone()),
        });
        self.certificate.values.push(Claim { global: v, layout: layout.clone() });
        id
    }

    fn push(
        &mut self,
        op: Op,
        like: OpId,
        step: Step,
        operands: Vec<ValueId>,
        results: &[(ValueId, Layout)],
    ) -> Vec<ValueId> {
        self.push_with(op, like, step, operands, results, Vec::new())
    }

    fn push_with(
        &mut self,
        op: Op,
        like: OpId,
        step: Step,
        operands: Vec<ValueId>,
        results: &[(ValueId, Layout)],
        regions: Vec<RegionId>,
    ) -> Vec<ValueId> {
        let id = OpId(self.func.ops.len() as u32);
        let made: Vec<ValueId> =
            results.iter().enumerate().map(|(i, (v, l))| self.value(*v, l, Def::Op(id, i as u32))).collect();
        for r in &regions {
            self.func.regions[r.index()].owner = Some(id);
        }
        let data = self.global.op(like);
        let (results, parent) = (made.clone(), self.region);
        self.func.ops.push(OpData { op, operands, results, regions, parent, ..data.clone() });
        self.func.regions[self.region.index()].ops.push(id);
        self.certificate.steps.push(step);
        made
    }

    /// The local form of an op.
    pub fn form(&self, o: OpId, rule: &FactorRule, a: &Assignment) -> Op {
        let data = self.global.op(o);
        let ty = self.global.ty(data.results[0]);
        let layout = rule.result_layout(a, 0);
        let shape = layout.local_shape(&ty.shape, &self.func.mesh).unwrap_or_else(|| ty.shape.clone());
        let result = TensorType::new(ty.dtype, shape);
        match table::def(&data.op) {
            Some(def) => {
                let local = table::Local { mesh: &self.func.mesh, rule, assignment: a, result: &result };
                (def.localize)(&data.op, &local)
            }
            None => data.op.clone(),
        }
    }

    /// Writes an op under an assignment; gives its results.
    pub fn op(&mut self, o: OpId, rule: &FactorRule, a: &Assignment, operands: Vec<ValueId>) -> Vec<ValueId> {
        let results = self.results(o, rule, a);
        if matches!(self.global.op(o).op, Op::Composite { .. }) {
            return self.composite(o, a, operands, &results);
        }
        let op = self.form(o, rule, a);
        self.push(op, o, Step::Op { global: o, assignment: a.clone() }, operands, &results)
    }

    fn results(&self, o: OpId, rule: &FactorRule, a: &Assignment) -> Vec<(ValueId, Layout)> {
        let results = self.global.op(o).results.iter().enumerate();
        results.map(|(i, &v)| (v, rule.result_layout(a, i))).collect()
    }

    /// A collective after a value.
    pub fn reshard(&mut self, v: ValueId, near: OpId, op: Op, local: ValueId, to: &Layout) -> ValueId {
        self.push(op, near, Step::Reshard, vec![local], &[(v, to.clone())])[0]
    }

    fn composite(
        &mut self,
        o: OpId,
        a: &Assignment,
        operands: Vec<ValueId>,
        results: &[(ValueId, Layout)],
    ) -> Vec<ValueId> {
        let global = self.global;
        let dims = table::region::composite_dims(global, o);
        let body = self.body(
            global.op(o).regions[0],
            |v| dims.layout(global, v, a),
            |o, rule| dims.assignment(global, o, rule, a),
        );
        self.push_with(global.op(o).op.clone(), o, Step::Region { global: o }, operands, results, vec![body])
    }

    /// A loop whose operands are all whole.
    pub fn whole_loop(&mut self, o: OpId, operands: Vec<ValueId>) -> Vec<ValueId> {
        let global = self.global;
        let whole = |v: ValueId| Layout::replicated(global.ty(v).rank());
        let body = self.body(global.op(o).regions[0], whole, |_, _| Assignment::default());
        let results: Vec<(ValueId, Layout)> = global.op(o).results.iter().map(|&v| (v, whole(v))).collect();
        self.push_with(global.op(o).op.clone(), o, Step::Region { global: o }, operands, &results, vec![body])
    }

    /// The body of an op, whose ops are all written as they are told to.
    fn body(
        &mut self,
        of: RegionId,
        layout: impl Fn(ValueId) -> Layout,
        assignment: impl Fn(OpId, &FactorRule) -> Assignment,
    ) -> RegionId {
        let global = self.global;
        self.func.regions.push(Region::default());
        let region = RegionId(self.func.regions.len() as u32 - 1);
        let outer = std::mem::replace(&mut self.region, region);
        let mut known = std::collections::BTreeMap::new();
        for &v in &global.region(of).args {
            let local = self.argument(region, v, &layout(v));
            known.insert(v, local);
        }
        for &o in &global.region(of).ops {
            let data = global.op(o);
            let operands: Vec<ValueId> = data.operands.iter().filter_map(|v| known.get(v).copied()).collect();
            let made = match table::region::body_factors(global, o) {
                Some(rule) => self.op(o, &rule, &assignment(o, &rule), operands),
                None => self.whole_loop(o, operands),
            };
            known.extend(data.results.iter().copied().zip(made));
        }
        let yields = global.region(of).yields.iter().filter_map(|v| known.get(v).copied()).collect();
        self.func.regions[region.index()].yields = yields;
        self.region = outer;
        region
    }
}
