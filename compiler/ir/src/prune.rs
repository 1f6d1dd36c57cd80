//! Dead code, ports of repeats included: a kept value that no backward op reads costs neither its copy nor its buffer, a
//! carry that nothing reads is not carried. The live part is copied into a fresh function, so ids are dense again.

use crate::graph::{Def, Func, OpData, OpId, Region, RegionId, Value, ValueId};
use crate::op::Op;

pub fn prune(func: &Func) -> Func {
    let live = live_values(func);
    let mut new = Func::like(func);
    (new.inputs, new.outputs) = (func.inputs.clone(), func.outputs.clone());
    let mut copy = Copy { old: func, new, live, map: vec![None; func.values.len()] };
    for (i, &a) in func.body().args.iter().enumerate() {
        copy.arg(a, Func::BODY, i);
    }
    copy.ops(Func::BODY, Func::BODY);
    copy.new.regions[0].yields = func.body().yields.iter().map(|&y| copy.mapped(y)).collect();
    copy.new
}

/// Which values something asked for depends on.
fn live_values(func: &Func) -> Vec<bool> {
    let mut live = vec![false; func.values.len()];
    let mut work: Vec<ValueId> = func.body().yields.clone();
    while let Some(v) = work.pop() {
        if std::mem::replace(&mut live[v.index()], true) {
            continue;
        }
        match func.value(v).def {
            Def::Op(o, i) => {
                let data = func.op(o);
                match data.op {
                    Op::Repeat { carries, .. } => {
                        let i = i as usize;
                        work.push(func.region(data.regions[0]).yields[i]);
                        work.extend(func.region(data.regions[0]).args.first().filter(|_| data.op.ends_early()));
                        if i < carries {
                            work.push(data.operands[i]);
                        }
                    }
                    // Keeps its signature, whatever of it is used.
                    Op::Composite { .. } => {
                        work.extend(&func.region(data.regions[0]).yields);
                        work.extend(data.operands.iter().chain(&data.results));
                    }
                    _ => work.extend(&data.operands),
                }
            }
            Def::Arg(r, i) => {
                let Some(owner) = func.region(r).owner.map(|o| func.op(o)) else { continue };
                work.push(owner.operands[i as usize]);
                if let Op::Repeat { carries, .. } = owner.op
                    && (i as usize) < carries
                {
                    work.push(func.region(r).yields[i as usize]);
                }
            }
        }
    }
    live
}

struct Copy<'f> {
    old: &'f Func,
    new: Func,
    live: Vec<bool>,
    map: Vec<Option<ValueId>>,
}

impl Copy<'_> {
    fn mapped(&self, v: ValueId) -> ValueId {
        self.map[v.index()].expect("a live value is defined before it is used")
    }

    fn value(&mut self, v: ValueId, def: Def) -> ValueId {
        let id = ValueId(self.new.values.len() as u32);
        self.new.values.push(Value { def, ..self.old.value(v).clone() });
        self.map[v.index()] = Some(id);
        id
    }

    fn arg(&mut self, v: ValueId, region: RegionId, at: usize) {
        let id = self.value(v, Def::Arg(region, at as u32));
        self.new.regions[region.index()].args.push(id);
    }

    fn ops(&mut self, from: RegionId, to: RegionId) {
        for &o in &self.old.region(from).ops {
            if self.old.op(o).results.iter().any(|v| self.live[v.index()]) {
                self.op(o, to);
            }
        }
    }

    fn op(&mut self, o: OpId, parent: RegionId) {
        let old = self.old;
        let data = old.op(o);
        let id = OpId(self.new.ops.len() as u32);
        let is_live = |v: ValueId| self.live[v.index()];
        // Which operands (and arguments of the body) and which results (and yields) stay.
        let mut operands: Vec<usize> = (0..data.operands.len()).collect();
        let mut results: Vec<usize> = (0..data.results.len()).collect();
        let mut op = data.op.clone();
        if let Op::Repeat { carries, xs, .. } = &mut op {
            let args = &old.region(data.regions[0]).args;
            let carried = |i: usize| is_live(args[i]) || is_live(data.results[i]);
            operands.retain(|&i| if i < *carries { carried(i) } else { is_live(args[i]) });
            results.retain(|&i| if i < *carries { carried(i) } else { is_live(data.results[i]) });
            *xs = operands.iter().filter(|&&i| (*carries..*carries + *xs).contains(&i)).count();
            *carries = operands.iter().filter(|&&i| i < *carries).count();
        }
        self.new.ops.push(OpData {
            op,
            operands: operands.iter().map(|&i| self.mapped(data.operands[i])).collect(),
            results: Vec::new(),
            regions: Vec::new(),
            parent,
            ..data.clone()
        });
        self.new.regions[parent.index()].ops.push(id);
        for &from in &data.regions {
            let to = RegionId(self.new.regions.len() as u32);
            self.new.regions.push(Region { owner: Some(id), ..Region::default() });
            for (at, &i) in operands.iter().enumerate() {
                self.arg(old.region(from).args[i], to, at);
            }
            self.ops(from, to);
            let yields = results.iter().map(|&i| self.mapped(old.region(from).yields[i])).collect();
            self.new.regions[to.index()].yields = yields;
            self.new.ops[id.index()].regions.push(to);
        }
        for (at, &i) in results.iter().enumerate() {
            let v = self.value(data.results[i], Def::Op(id, at as u32));
            self.new.ops[id.index()].results.push(v);
        }
    }
}
