//! Which tensor of an entry a name means: its own name, the name of one of its layers, or an argument's position.
//!
//! Over ports alone, so that names can be looked up before anything is planned. Not here: values.

use crate::data::InputSource;
use crate::data::arrays::Array;
use crate::error::{Result, RuntimeError};
use crate::host::describe_port;
use meshloom_bundle::{Port, arguments};

/// Names that a message lists.
const LISTED: usize = 12;

/// Ports whose memory is their own: an updated parameter is no other tensor than the parameter.
fn own(ports: &[Port]) -> impl Iterator<Item = (usize, &Port)> {
    ports.iter().enumerate().filter(|(_, p)| p.alias.is_none())
}

/// The index of the port of a name, and the layer if the name is a layer's.
///
/// # Errors
/// No port has the name; the nearest ones are named.
pub fn find(ports: &[Port], entry: &str, name: &str) -> Result<(usize, Option<u64>)> {
    if let Some((i, _)) = own(ports).find(|(_, p)| p.name == name) {
        return Ok((i, None));
    }
    for (i, p) in own(ports).filter(|(_, p)| p.stacked) {
        if let Some(layer) = p.layer_named(name) {
            return Ok((i, Some(layer)));
        }
    }
    let known: Vec<&str> = own(ports).map(|(_, p)| p.name.as_str()).collect();
    let near = nearest(name, &known);
    let rest = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            let mut list = known[..known.len().min(LISTED)].join(", ");
            if known.len() > LISTED {
                list += &format!(" and {} more (`meshloom inputs` lists inputs)", known.len() - LISTED);
            }
            format!("it has {list}")
        }
    };
    Err(RuntimeError::usage(name, format!("is no input, output or parameter of entry `{entry}`; {rest}")))
}

fn has(ports: &[Port], name: &str) -> bool {
    own(ports).any(|(_, p)| p.name == name || (p.stacked && p.layer_named(name).is_some()))
}

/// The name in the program of the input, parameter or output that `name` means: its own name, the name of one of its layers, or
/// an argument's position, `0`, `arg0` or `arr_0`. Where layers are stacked, only arguments without names have positions.
pub fn resolve(ports: &[Port], name: &str) -> Option<String> {
    if has(ports, name) {
        return Some(name.to_string());
    }
    let number = name.strip_prefix("arg").or_else(|| name.strip_prefix("arr_")).unwrap_or(name);
    let n: usize = number.parse().ok().filter(|_| number.bytes().all(|b| b.is_ascii_digit()))?;
    if arguments(ports).any(|p| p.stacked) {
        // Arguments without names of their own are called by their positions, layers of stacks too.
        let own_name = format!("arg{n}");
        return has(ports, &own_name).then_some(own_name);
    }
    arguments(ports).nth(n).map(|p| p.name.clone())
}

/// Whether a value can be one of this name: the name is known, and a file has an array of the type and shape. Values are not read.
///
/// # Errors
/// An unknown name, a file that cannot be read, another shape, an element type that is not converted.
pub fn fits(ports: &[Port], entry: &str, name: &str, value: &InputSource) -> Result<()> {
    let name = resolve(ports, name).unwrap_or_else(|| name.to_string());
    let (index, layer) = find(ports, entry, &name)?;
    let InputSource::File(path, array) = value else { return Ok(()) };
    let array = Array::open(path, array.as_deref())?;
    let p = &ports[index];
    let shape = if layer.is_some() { &p.global_shape[1..] } else { &p.global_shape[..] };
    if array.shape != shape || array.complex != p.complex {
        let (expected, found) = (describe_port(p, shape), array.describe());
        return Err(RuntimeError::usage(
            format!("{name}=@{}", array.place),
            format!("expected {expected}, found {found}"),
        ));
    }
    Ok(())
}

/// The known name that is nearest to a mistyped one, if one is near.
fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let limit = match name.chars().count() {
        // Any letter is one edit from any other.
        0..=1 => 0,
        2 => 1,
        3..=5 => 2,
        _ => 3,
    };
    let near = known.iter().map(|k| (strsim::damerau_levenshtein(name, k), *k)).filter(|(d, _)| *d <= limit);
    near.min_by_key(|(d, _)| *d).map(|(_, k)| k)
}
