//! Values for the inputs of an entry: given one by one (`--input`), all in one file (`--inputs`), or drawn (`--random-inputs`); and
//! what is said where one is missing.

use crate::{Failed, Result, RunArgs, status};
use meshloom_bundle::{DType, EntryKind, Port, Role};
use meshloom_runtime::data::{Feed, Input, Value, names_in, random};
use meshloom_runtime::{Session, describe};
use std::collections::BTreeSet;
use std::path::Path;

/// Names of ports that have got values.
pub type Given = BTreeSet<String>;

/// Gives inputs their values.
///
/// # Errors
/// A name that there is none of, a file that cannot be read, a tensor of another shape or element type.
pub fn give(session: &mut Session, args: &RunArgs) -> Result<Given> {
    let mut given = Given::new();
    for path in &args.inputs {
        given.extend(all_of(session, path)?);
    }
    for input in &args.input {
        let name = session.resolve(&input.name);
        session.input(&Input { name: name.clone().unwrap_or_else(|| input.name.clone()), ..input.clone() })?;
        given.extend(name);
    }
    if let Some(seed) = args.random_inputs {
        draw(session, seed, &mut given)?;
    }
    Ok(given)
}

/// Every array of a file, to the input or parameter of its name or number.
fn all_of(session: &mut Session, path: &Path) -> Result<Given> {
    let mut given = Given::new();
    let mut unused = Vec::new();
    for array in names_in(path)? {
        match session.resolve(&array) {
            Some(name) => {
                session.input(&Input { name: name.clone(), value: Value::File(path.to_owned(), Some(array)) })?;
                given.insert(name);
            }
            None => unused.push(format!("`{array}`")),
        }
    }
    if given.is_empty() {
        return Err(Failed::usage(format!(
            "{}: none of its arrays is an input of entry `{}`: it has {}",
            path.display(),
            session.program().entry,
            unused.join(", ")
        ))
        .help("arrays are called as inputs are, or by their position: `0`, `arg0` or `arr_0` is the first argument"));
    }
    status::unused(path, "array", &unused);
    Ok(given)
}

/// Draws what nobody gave: inputs, and what a function keeps from step to step.
fn draw(session: &mut Session, seed: u64, given: &mut Given) -> Result<()> {
    let kept = session.kind() == EntryKind::Function;
    let roles: &'static [Role] = if kept { &[Role::Input, Role::State] } else { &[Role::Input] };
    let ports: Vec<Port> = session.ports(roles).filter(|p| !given.contains(&p.name)).cloned().collect();
    for p in ports {
        let layers = if p.stacked { p.global_shape[0] } else { 1 };
        for layer in 0..layers {
            let (name, shape) = match p.stacked {
                true => (p.layer_name(layer), &p.global_shape[1..]),
                false => (p.name.clone(), &p.global_shape[..]),
            };
            let range = p.range.map(|r| (r.lo, r.hi));
            session.write(&name, random::tensor(p.dtype, shape, &name, seed, range)?)?;
        }
        given.insert(p.name);
    }
    Ok(())
}

/// An input that nobody gave would be zeros, and nobody would know.
///
/// # Errors
/// Those that nobody gave.
pub fn complete(session: &Session, args: &RunArgs, given: &Given, feed: Option<&Feed>) -> Result<()> {
    let integer = |d: DType| matches!(d, DType::I32 | DType::I64 | DType::U32 | DType::U8);
    let sampled = args.prompt.is_some() && session.kind() == EntryKind::Function;
    let missing: Vec<String> = session
        .ports(&[Role::Input])
        .filter(|p| !given.contains(&p.name))
        .filter(|p| !feed.is_some_and(|f| f.feeds(&p.name)))
        .filter(|p| !(integer(p.dtype) && sampled))
        .map(|p| format!("`{}: {}`", p.name, describe(p.dtype, &p.global_shape)))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let mut text = format!("entry `{}` has no value for {}", session.program().entry, missing.join(", "));
    if let [one] = &args.inputs[..] {
        text += &format!(", which {} does not have either", one.display());
    }
    let failed = Failed::usage(text).help("give --input NAME=@file.npy");
    Err(if session.kind() == EntryKind::Train {
        failed.help("or, for rows that change from step to step, --data FILE.. (tokens) or --data NAME=FILE (arrays)")
    } else {
        failed.help("or all in one file, --inputs file.npz; or any numbers, --random-inputs SEED")
    })
}
