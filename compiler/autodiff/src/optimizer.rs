//! One parameter's update: the front end makes a function of an optimizer, and this copies its body to where the step
//! updates.
//!
//! That function is about one parameter. Each entry of a list of structs is one parameter, so its norm is its own. But
//! the list is one buffer, and its update is one op for all entries. So ops are copied with the list's dim in front:
//! ops that reduce, move or contract dims count them from one further on.

use meshloom_ir::op::Op;
use meshloom_ir::train::Update;
use meshloom_ir::{Builder, Func, Role, ValueId};

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
/// The name of an op that has no form over a list, or that has a region.
pub fn apply(
    b: &mut Builder,
    f: &Func,
    args: &[ListedValue],
    entries: Option<u64>,
) -> Result<Vec<ListedValue>, &'static str> {
    let nothing = ListedValue { value: ValueId(0), listed: false };
    let mut map = vec![nothing; f.values.len()];
    for (&a, &x) in f.body().args.iter().zip(args) {
        map[a.index()] = x;
    }
    for &o in &f.body().ops {
        let data = f.op(o);
        if !data.regions.is_empty() {
            return Err(data.op.name());
        }
        let operands: Vec<ListedValue> = data.operands.iter().map(|x| map[x.index()]).collect();
        let listed = operands.iter().any(|x| x.listed);
        let value = match entries {
            Some(n) if listed => over_list(b, &data.op, &operands, n)?,
            _ => b.op(data.op.clone(), &operands.iter().map(|x| x.value).collect::<Vec<_>>()),
        };
        map[data.results[0].index()] = ListedValue { value, listed };
    }
    Ok(f.body().yields.iter().map(|y| map[y.index()]).collect())
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
