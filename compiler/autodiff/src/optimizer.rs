//! One parameter's update: the front end makes a function of an optimizer, and this copies its body to where the step
//! updates.
//!
//! That function is about one parameter. Each entry of a list of structs is one parameter, so its norm is its own. But
//! the list is one buffer, and its update is one op for all entries. So ops are copied with the list's dim in front:
//! ops that reduce, move or contract dims count them from one further on. A `for` is one loop over all entries.

use meshloom_ir::op::Op;
use meshloom_ir::train::Update;
use meshloom_ir::{Builder, Func, RegionId, Role, TensorType, ValueId};

/// The input of a loss that is the number of the step, for its random numbers: the optimizer's counter takes its place.
pub const RANDOM_STEP: &str = "random.step";

/// Names of the state that an update keeps, before the parameter's path.
pub fn state_names(update: &Update) -> impl Iterator<Item = &str> {
    update.inputs.iter().filter(|p| p.role == Role::State).map(|p| p.name.as_str())
}

/// A value, and whether it has the list's dim in front.
#[derive(Clone, Copy)]
pub struct ListedValue {
    pub value: ValueId,
    pub listed: bool,
}

/// Appends the ops of `f` on `args`. With `entries`, each result has the list's dim in front, whether or not its arguments have it.
///
/// # Errors
/// The name of an op that has no form over a list, or that has a region and is no `for`.
pub fn apply(
    b: &mut Builder,
    f: &Func,
    args: &[ListedValue],
    entries: Option<u64>,
) -> Result<Vec<ListedValue>, &'static str> {
    Copy { f, entries, map: vec![ListedValue { value: ValueId(0), listed: false }; f.values.len()] }.region(
        b,
        Func::BODY,
        args,
    )
}

/// An update on its way into a step.
struct Copy<'a> {
    f: &'a Func,
    entries: Option<u64>,
    /// What stands for each value of the update.
    map: Vec<ListedValue>,
}

impl Copy<'_> {
    /// Appends the ops of a region on `args`; what it yields.
    fn region(
        &mut self,
        b: &mut Builder,
        region: RegionId,
        args: &[ListedValue],
    ) -> Result<Vec<ListedValue>, &'static str> {
        let f = self.f;
        for (&a, &x) in f.region(region).args.iter().zip(args) {
            self.map[a.index()] = x;
        }
        for &o in &f.region(region).ops {
            let data = f.op(o);
            let operands: Vec<ListedValue> = data.operands.iter().map(|x| self.map[x.index()]).collect();
            let listed = operands.iter().any(|x| x.listed);
            let results = match (&data.op, &data.regions[..]) {
                (op @ Op::Repeat { early: false, .. }, &[body]) => self.repeat(b, op, body, &operands)?,
                (op, []) => {
                    let value = match self.entries {
                        Some(n) if listed => over_list(b, op, &operands, n)?,
                        _ => b.op(op.clone(), &operands.iter().map(|x| x.value).collect::<Vec<_>>()),
                    };
                    vec![ListedValue { value, listed }]
                }
                (op, _) => return Err(op.name()),
            };
            for (&r, x) in data.results.iter().zip(results) {
                self.map[r.index()] = x;
            }
        }
        Ok(f.region(region).yields.iter().map(|y| self.map[y.index()]).collect())
    }

    /// A `for`, whose carries are those of all entries. The list's dim stands behind that of the iterations in what the loop
    /// slices and stacks.
    fn repeat(
        &mut self,
        b: &mut Builder,
        op: &Op,
        body: RegionId,
        operands: &[ListedValue],
    ) -> Result<Vec<ListedValue>, &'static str> {
        let &Op::Repeat { trip, reverse, carries, xs, .. } = op else { return Err(op.name()) };
        let behind = |b: &mut Builder, x: ValueId| {
            let mut order: Vec<usize> = (0..b.shape(x).len()).collect();
            order.swap(0, 1);
            b.transpose(x, &order)
        };
        let (mut outer, mut inner) = (Vec::new(), Vec::new());
        for (i, &x) in operands.iter().enumerate() {
            let listed = x.listed || i < carries && self.entries.is_some();
            let value = match self.entries {
                Some(n) if i < carries => self::listed(b, x, n),
                Some(_) if i < carries + xs && listed => behind(b, x.value),
                _ => x.value,
            };
            outer.push(value);
            inner.push((b.ty(value).clone(), listed));
        }
        let region = b.open();
        let mut args = Vec::new();
        for (i, (ty, listed)) in inner.into_iter().enumerate() {
            let ty = match (carries..carries + xs).contains(&i) {
                true => TensorType::new(ty.dtype, ty.shape[1..].to_vec()),
                false => ty,
            };
            args.push(ListedValue { value: b.arg(region, ty), listed });
        }
        let yields = self.region(b, body, &args);
        let yields = match yields {
            Ok(yields) => yields,
            Err(e) => {
                b.close(Vec::new());
                return Err(e);
            }
        };
        let mut ids = Vec::new();
        for (i, &y) in yields.iter().enumerate() {
            ids.push(match self.entries {
                Some(n) if i < carries => self::listed(b, y, n),
                _ => y.value,
            });
        }
        b.close(ids);
        let results = b.repeat(trip, reverse, carries, xs, &outer, region).map_err(|_| op.name())?;
        let of = |b: &mut Builder, (i, value): (usize, ValueId)| {
            let listed = yields[i].listed || i < carries && self.entries.is_some();
            let value = if i >= carries && listed { behind(b, value) } else { value };
            ListedValue { value, listed }
        };
        Ok(results.into_iter().enumerate().map(|r| of(b, r)).collect())
    }
}

/// A value with the list's dim in front, repeated if it did not have it.
pub fn listed(b: &mut Builder, x: ListedValue, entries: u64) -> ValueId {
    if x.listed {
        return x.value;
    }
    let own = b.shape(x.value);
    let dims: Vec<usize> = (1..=own.len()).collect();
    b.broadcast(x.value, &[&[entries], &own[..]].concat(), &dims)
}

fn over_list(b: &mut Builder, op: &Op, operands: &[ListedValue], n: u64) -> Result<ValueId, &'static str> {
    let op = match op {
        Op::DotGeneral(spec) => {
            let all: Vec<char> = spec.operands.concat();
            let entry = ('a'..='z').chain('A'..='Z').find(|c| !all.contains(c)).ok_or("dot_general")?;
            let mut spec = spec.clone();
            for (subscripts, x) in spec.operands.iter_mut().zip(operands) {
                if x.listed {
                    subscripts.insert(0, entry);
                }
            }
            spec.result.insert(0, entry);
            return Ok(b.op(Op::DotGeneral(spec), &operands.iter().map(|x| x.value).collect::<Vec<_>>()));
        }
        op => (op.entry().batch)(op, &[n]).map_err(|_| op.name())?,
    };
    let operands: Vec<ValueId> = operands.iter().map(|&x| listed(b, x, n)).collect();
    Ok(b.op(op, &operands))
}
