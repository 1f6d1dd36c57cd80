//! How programs write what the compiler has enums of: a table of names for each. The names are a file format, so they stand here
//! once more, and stay when the compiler calls something otherwise.
//!
//! What a table lacks no program has. A program of a compilation with such a value is not written, and a file with it is refused.

use meshloom_scalar::{DType, Reduction, Role};
use serde::{Deserialize, Deserializer, Serializer, de, ser};
use std::fmt::Debug;

pub(crate) trait Encoded: Copy + PartialEq + Debug + 'static {
    const NAMES: &'static [(Self, &'static str)];
}

impl Encoded for DType {
    const NAMES: &'static [(DType, &'static str)] = &[
        (DType::F32, "f32"),
        (DType::F64, "f64"),
        (DType::F16, "f16"),
        (DType::BF16, "bf16"),
        (DType::I32, "i32"),
        (DType::I64, "i64"),
        (DType::U32, "u32"),
        (DType::I8, "i8"),
        (DType::U8, "u8"),
        (DType::Bool, "bool"),
    ];
}

impl Encoded for Reduction {
    const NAMES: &'static [(Reduction, &'static str)] = &[
        (Reduction::Sum, "sum"),
        (Reduction::Max, "max"),
        (Reduction::Min, "min"),
        (Reduction::Prod, "prod"),
        (Reduction::And, "and"),
        (Reduction::Or, "or"),
    ];
}

impl Encoded for Role {
    const NAMES: &'static [(Role, &'static str)] = &[
        // Saved in `model.safetensors` and in `state.safetensors`.
        (Role::Parameter, "parameter"),
        (Role::State, "state"),
        (Role::Input, "input"),
        (Role::Output, "output"),
        (Role::Loss, "loss"),
        (Role::Metric, "metric"),
    ];
}

/// The role that a port has in programs: what a stage receives is an input, what it sends and a gradient are outputs.
pub fn port_role(role: Role) -> Role {
    match role {
        Role::Received => Role::Input,
        Role::Gradient | Role::Sent => Role::Output,
        other => other,
    }
}

/// The element type that buffers of a type have in programs: floats of 8 bits are bytes to the runtime, which only moves them.
pub fn held_as(dtype: DType) -> DType {
    if dtype.is_float8() { DType::U8 } else { dtype }
}

/// The element type with a name, of those that programs have.
pub fn element_type(name: &str) -> Option<DType> {
    by_name(name)
}

fn by_name<T: Encoded>(name: &str) -> Option<T> {
    T::NAMES.iter().find(|x| x.1 == name).map(|x| x.0)
}

pub(crate) fn serialize<T: Encoded, S: Serializer>(x: &T, to: S) -> Result<S::Ok, S::Error> {
    let name = T::NAMES.iter().find(|y| y.0 == *x).map(|y| y.1);
    to.serialize_str(name.ok_or_else(|| ser::Error::custom(format_args!("a program has no {x:?}")))?)
}

pub(crate) fn deserialize<'a, T: Encoded, D: Deserializer<'a>>(from: D) -> Result<T, D::Error> {
    let name = String::deserialize(from)?;
    by_name(&name).ok_or_else(|| {
        let names: Vec<String> = T::NAMES.iter().map(|x| format!("`{}`", x.1)).collect();
        de::Error::custom(format_args!("unknown variant `{name}`, expected one of {}", names.join(", ")))
    })
}
