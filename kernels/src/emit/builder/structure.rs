//! Loops and branches, as closures over their bodies.

use super::{Builder, ElemKind, Ix, Ty, Val, list, list_types};

impl Builder {
    /// `for i in (lo..hi).step_by(step)`, carrying values. A loop that is known to run at most once is not a loop.
    pub fn for_(
        &mut self,
        lo: Ix,
        hi: Ix,
        step: u64,
        carried: &[Val],
        body: impl FnOnce(&mut Builder, Ix, &[Val]) -> Vec<Val>,
    ) -> Vec<Val> {
        if lo.base == hi.base {
            if hi.offset <= lo.offset {
                return carried.to_vec();
            }
            if hi.offset - lo.offset <= step as i64 {
                return body(self, lo, carried);
            }
        }
        let (lo, hi) = (self.ix(lo), self.ix(hi));
        let step = self.int(Ty::scalar(ElemKind::Index), step as i64);
        self.loop_over(lo, hi, step, carried, body)
    }

    pub(in crate::emit) fn loop_over(
        &mut self,
        lo: Val,
        hi: Val,
        step: Val,
        carried: &[Val],
        body: impl FnOnce(&mut Builder, Ix, &[Val]) -> Vec<Val>,
    ) -> Vec<Val> {
        let iv = self.fresh(Ty::scalar(ElemKind::Index));
        let types: Vec<Ty> = carried.iter().map(|v| self.ty(*v)).collect();
        let args: Vec<Val> = types.iter().map(|t| self.fresh(*t)).collect();
        let head = format!("scf.for %{} = %{} to %{} step %{}", iv.0, lo.0, hi.0, step.0);
        let results: Vec<Val> = types.iter().map(|t| self.fresh(*t)).collect();
        if carried.is_empty() {
            self.line(format_args!("{head} {{"));
        } else {
            let inits: Vec<String> = args.iter().zip(carried).map(|(a, c)| format!("%{} = %{}", a.0, c.0)).collect();
            let (names, types) = (list(&results), list_types(&types));
            self.line(format_args!("{names} = {head} iter_args({}) -> ({types}) {{", inits.join(", ")));
        }
        self.region(|b| {
            let yields = body(b, iv.into(), &args);
            b.yields(&yields, &types);
        });
        self.line(format_args!("}}"));
        results
    }

    /// A loop without carried values.
    pub fn loop_(&mut self, lo: Ix, hi: Ix, step: u64, body: impl FnOnce(&mut Builder, Ix)) {
        self.for_(lo, hi, step, &[], |b, i, _| {
            body(b, i);
            Vec::new()
        });
    }

    pub fn if_else(
        &mut self,
        condition: Val,
        types: &[Ty],
        yes: impl FnOnce(&mut Builder) -> Vec<Val>,
        no: impl FnOnce(&mut Builder) -> Vec<Val>,
    ) -> Vec<Val> {
        let results: Vec<Val> = types.iter().map(|t| self.fresh(*t)).collect();
        if types.is_empty() {
            self.line(format_args!("scf.if %{} {{", condition.0));
        } else {
            let (names, types) = (list(&results), list_types(types));
            self.line(format_args!("{names} = scf.if %{} -> ({types}) {{", condition.0));
        }
        self.region(|b| {
            let values = yes(b);
            b.yields(&values, types);
        });
        self.line(format_args!("}} else {{"));
        self.region(|b| {
            let values = no(b);
            b.yields(&values, types);
        });
        self.line(format_args!("}}"));
        results
    }

    fn yields(&mut self, values: &[Val], types: &[Ty]) {
        if !types.is_empty() {
            self.line(format_args!("scf.yield {} : {}", list(values), list_types(types)));
        }
    }

    pub fn if_(&mut self, condition: Val, yes: impl FnOnce(&mut Builder)) {
        self.line(format_args!("scf.if %{} {{", condition.0));
        self.region(yes);
        self.line(format_args!("}}"));
    }
}
