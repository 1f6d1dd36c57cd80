//! Values for the inputs of an entry: given one by one (`--input`), all in one file (`--inputs`), or drawn
//! (`--random-inputs`); and the message for an input without a value.

use crate::{Failed, Result, RunArgs, status};
use meshloom_bundle::{DType, EntryKind, Init, Port, Role};
use meshloom_runtime::data::feed::Item;
use meshloom_runtime::data::{Feed, Input, InputSource, names_in, random};
use meshloom_runtime::{Session, describe_port, named};
use std::collections::BTreeSet;
use std::path::Path;

/// Inputs without a value that a message names.
const LISTED: usize = 8;

/// Names of ports, or of layers of them, that have got values.
pub type Given = BTreeSet<String>;

/// Whether the values that `args` name are there, under names that the entry has and in the types and shapes of its ports, and whether
/// every input has one: what is known before a plan is made and kernels are compiled. Values are read later.
///
/// # Errors
/// An unknown name, a file that is missing or cannot be read, a tensor of another shape, inputs without a value.
pub fn check(ports: &[Port], kind: EntryKind, entry: &str, args: &RunArgs) -> Result<()> {
    files(args)?;
    let mut given = Given::new();
    for path in &args.inputs {
        let arrays = names_in(path)?;
        let mut any = false;
        for array in &arrays {
            if let Some(name) = named::resolve(ports, array) {
                any = true;
                given.insert(name);
                named::fits(ports, entry, array, &InputSource::File(path.clone(), Some(array.clone())))?;
            }
        }
        if !any {
            return Err(unlike(path, entry, &arrays.iter().map(|a| format!("`{a}`")).collect::<Vec<_>>()));
        }
    }
    for input in &args.input {
        named::fits(ports, entry, &input.name, &input.value)?;
        given.extend(named::resolve(ports, &input.name));
    }
    // Which inputs tokens are for is found out when they are read.
    if args.random_inputs.is_some() || args.data.iter().any(|d| matches!(d, Item::Tokens(_))) {
        return Ok(());
    }
    let feeds = |name: &str| args.data.iter().any(|d| matches!(d, Item::Rows { input, .. } if input == name));
    let ports: Vec<&Port> = ports.iter().filter(|p| begins_without(p, args)).collect();
    have_values(&ports, Asked { kind, entry, args }, &given, &feeds)
}

/// Whether everything that is to be read is there. It is not opened: what is a pipe could be read once.
fn files(args: &RunArgs) -> Result<()> {
    let data = args.data.iter().chain(&args.eval_data).map(|d| match d {
        Item::Tokens(file) | Item::Rows { file, .. } => file,
    });
    let resumed = args.resume.iter().filter(|r| r.as_os_str() != "auto");
    let all = data.chain(&args.tokenizer).chain(&args.load).chain(&args.rename).chain(resumed);
    for path in all {
        std::fs::metadata(path).map_err(|e| Failed::usage(format!("{}: cannot be read: {e}", path.display())))?;
    }
    Ok(())
}

/// A file of which nothing is of the entry.
fn unlike(path: &Path, entry: &str, arrays: &[String]) -> Failed {
    let (path, arrays) = (path.display(), arrays.join(", "));
    Failed::usage(format!("{path}: none of its arrays is an input of entry `{entry}`: it has {arrays}"))
        .help("arrays are called as inputs are, or by their position: `0`, `arg0` or `arr_0` is the first argument")
}

/// Gives inputs their values.
///
/// # Errors
/// An unknown name, a file that cannot be read, a tensor of another shape or element type.
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
        draw(session, seed, loaded(args), &mut given)?;
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
                session.input(&Input { name: name.clone(), value: InputSource::File(path.to_owned(), Some(array)) })?;
                given.insert(name);
            }
            None => unused.push(format!("`{array}`")),
        }
    }
    if given.is_empty() {
        return Err(unlike(path, &session.program().entry, &unused));
    }
    status::unused(path, "array", &unused);
    Ok(given)
}

/// State has values from a file of weights or a checkpoint.
fn loaded(args: &RunArgs) -> bool {
    !args.load.is_empty() || args.resume.is_some()
}

/// Draws what has no value yet: inputs, and what a function keeps from step to step unless it was loaded.
fn draw(session: &mut Session, seed: u64, loaded: bool, given: &mut Given) -> Result<()> {
    let kept = session.kind() == EntryKind::Function && !loaded;
    let roles: &'static [Role] = if kept { &[Role::Input, Role::State] } else { &[Role::Input] };
    let ports: Vec<Port> = session.ports(roles).cloned().collect();
    for p in ports {
        for name in missing(&p, given) {
            let shape = if p.stacked { &p.global_shape[1..] } else { &p.global_shape[..] };
            let range = p.range.map(|r| (r.lo, r.hi));
            session.write(&name, random::tensor(p.dtype, shape, &name, seed, range)?)?;
        }
        given.insert(p.name);
    }
    Ok(())
}

/// What has no value of a tensor: itself, or layers of it.
fn missing(p: &Port, given: &Given) -> Vec<String> {
    let names: Vec<String> = match p.stacked {
        true => (0..p.global_shape[0]).map(|l| p.layer_name(l)).collect(),
        false => vec![p.name.clone()],
    };
    let whole = given.contains(&p.name);
    names.into_iter().filter(|n| !whole && !given.contains(n)).collect()
}

/// Refuses inputs without a value, which would silently be zeros. The same goes for state that has no initial value of its own
/// and was not loaded.
///
/// # Errors
/// The inputs and state without a value.
pub fn complete(session: &Session, args: &RunArgs, given: &Given, feed: Option<&Feed>) -> Result<()> {
    let ports: Vec<&Port> = session.ports(&[Role::Input, Role::State]).filter(|p| begins_without(p, args)).collect();
    let asked = Asked { kind: session.kind(), entry: &session.program().entry, args };
    have_values(&ports, asked, given, &|name| feed.is_some_and(|f| f.feeds(name)))
}

/// Whether a port has no value but one that is given: an input, or state that has no initial value of its own and is not loaded.
fn begins_without(p: &Port, args: &RunArgs) -> bool {
    p.role == Role::Input || (p.role == Role::State && p.init == Init::Given && !loaded(args))
}

/// What is run.
#[derive(Clone, Copy)]
struct Asked<'a> {
    kind: EntryKind,
    entry: &'a str,
    args: &'a RunArgs,
}

/// Whether each of `ports` has got a value, or `feeds` says that data brings it.
fn have_values(ports: &[&Port], of: Asked<'_>, given: &Given, feeds: &dyn Fn(&str) -> bool) -> Result<()> {
    let Asked { kind, entry, args } = of;
    let integer = DType::is_int;
    let sampled = !args.prompt.is_empty() && kind == EntryKind::Function;
    let without: Vec<(&Port, Vec<String>)> = ports
        .iter()
        .copied()
        .filter(|p| !feeds(&p.name))
        .filter(|p| !(integer(p.dtype) && sampled))
        .map(|p| (p, missing(p, given)))
        .filter(|(_, names)| !names.is_empty())
        .collect();
    let all: Vec<String> = without
        .iter()
        .flat_map(|(p, names)| {
            let shape = if p.stacked { &p.global_shape[1..] } else { &p.global_shape[..] };
            let of = describe_port(p, shape);
            names.iter().map(move |name| format!("`{name}: {of}`"))
        })
        .collect();
    if all.is_empty() {
        return Ok(());
    }
    let mut list = all[..all.len().min(LISTED)].join(", ");
    if all.len() > LISTED {
        list += &format!(" and {} more", all.len() - LISTED);
    }
    let mut text = format!("entry `{entry}` has no value for {list}");
    if let [one] = &args.inputs[..] {
        text += &format!(", which {} does not have either", one.display());
    }
    let failed = Failed::usage(text).help("give --input NAME=@file.npy");
    let failed = match kind {
        EntryKind::Train => failed
            .help("or, for rows that change from step to step, --data FILE.. (tokens) or --data NAME=FILE (arrays)"),
        _ => failed.help("or all in one file, --inputs file.npz; or any numbers, --random-inputs SEED"),
    };
    let state = without.iter().any(|(p, _)| p.role == Role::State);
    Err(if state {
        failed.help("or all that is kept from step to step, --load FILE (safetensors, a checkpoint)")
    } else {
        failed
    })
}
