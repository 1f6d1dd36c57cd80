//! The values of expressions while a program is elaborated: tensors of the IR under construction, and values that exist
//! at compile time only (numbers, dims, structs, lists).

use meshloom_ir::{DType, Span, ValueId};
use std::fmt;
use std::rc::Rc;

/// A dim: its size, and the name under which the user knows it.
#[derive(Clone, Debug)]
pub struct Dim {
    pub size: u64,
    pub name: Option<Rc<str>>,
}

impl Dim {
    pub fn plain(size: u64) -> Dim {
        Dim { size, name: None }
    }

    pub fn named(name: &str, size: u64) -> Dim {
        Dim { size, name: Some(name.into()) }
    }
}

impl fmt::Display for Dim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(n) => f.write_str(n),
            None => write!(f, "{}", self.size),
        }
    }
}

/// A number known at compile time. It has no element type of its own: it takes the other operand's.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Num {
    Int(i64),
    Float(f64),
}

impl Num {
    pub fn as_f64(self) -> f64 {
        match self {
            Num::Int(i) => i as f64,
            Num::Float(x) => x,
        }
    }
}

impl fmt::Display for Num {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Num::Int(i) => write!(f, "{i}"),
            Num::Float(x) => write!(f, "{x:?}"),
        }
    }
}

/// A tensor of the IR. `units` are positions in `dims` of size-1 dims that the IR value does not have (yet): a reduction
/// with `keep: true` makes them, and a broadcast swallows them again without a reshape between.
#[derive(Clone, Debug)]
pub struct TensorVal {
    pub id: ValueId,
    pub dtype: DType,
    pub dims: Vec<Dim>,
    pub units: Vec<usize>,
}

impl TensorVal {
    pub fn rank(&self) -> usize {
        self.dims.len()
    }

    pub fn shape(&self) -> Vec<u64> {
        self.dims.iter().map(|d| d.size).collect()
    }

    /// Dims that the IR value has, by position.
    pub fn solid(&self) -> Vec<usize> {
        (0..self.dims.len()).filter(|d| !self.units.contains(d)).collect()
    }
}

/// A struct value: its type's name and dims, and its fields in order.
#[derive(Clone, Debug)]
pub struct StructVal {
    pub name: Rc<str>,
    pub library: bool,
    pub dims: Vec<Dim>,
    pub fields: Vec<(String, Val)>,
}

/// `[Block; n]` as one buffer per field: `element` holds the stacked tensors, whose dim 0 is the position in the list.
#[derive(Clone, Debug)]
pub struct StackVal {
    pub count: Dim,
    pub element: Val,
}

impl StackVal {
    /// What one entry is: its types, without the list's dim.
    pub fn entry(&self) -> Val {
        self.element.map(&mut |t| TensorVal { dims: t.dims.get(1..).unwrap_or(&[]).to_vec(), ..t.clone() })
    }
}

/// The most parts of a tuple or list, those of its parts included, and their deepest nesting.
pub const MAX_LEAVES: usize = 10_000;
pub const MAX_LEVELS: usize = 32;

#[derive(Clone, Debug)]
pub enum Val {
    Tensor(TensorVal),
    Number(Num, Option<Rc<str>>),
    Bool(bool),
    Str(Rc<str>),
    Tuple(Vec<Val>),
    List(Vec<Val>),
    Struct(Rc<StructVal>),
    Stack(Rc<StackVal>),
    /// Something wrong was reported; what uses it stays silent.
    Error,
}

impl Val {
    pub fn unit() -> Val {
        Val::Tuple(Vec::new())
    }

    pub fn int(n: i64) -> Val {
        Val::Number(Num::Int(n), None)
    }

    pub fn dim(d: &Dim) -> Val {
        Val::Number(Num::Int(i64::try_from(d.size).unwrap_or(i64::MAX)), d.name.clone())
    }

    pub fn is_error(&self) -> bool {
        match self {
            Val::Error => true,
            Val::Tuple(v) | Val::List(v) => v.iter().any(Val::is_error),
            Val::Struct(s) => s.fields.iter().any(|f| f.1.is_error()),
            Val::Stack(s) => s.element.is_error(),
            _ => false,
        }
    }

    /// Whether it is a list of structs or tensors, or has one.
    pub fn has_list(&self) -> bool {
        match self {
            Val::Stack(_) => true,
            Val::Tuple(v) | Val::List(v) => v.iter().any(Val::has_list),
            Val::Struct(s) => s.fields.iter().any(|f| f.1.has_list()),
            Val::Tensor(_) | Val::Number(..) | Val::Bool(_) | Val::Str(_) | Val::Error => false,
        }
    }

    /// How many leaves it has and how deep they lie. Values are copied and walked freely, which is fine while both are
    /// bounded; see [`MAX_LEAVES`] and [`MAX_LEVELS`].
    pub fn extent(&self) -> (usize, usize) {
        let all = |parts: &mut dyn Iterator<Item = (usize, usize)>| {
            let (leaves, levels) = parts.fold((0, 0), |(n, d), (m, e)| (n + m, d.max(e)));
            (leaves + 1, levels + 1)
        };
        match self {
            Val::Tuple(v) | Val::List(v) => all(&mut v.iter().map(Val::extent)),
            Val::Struct(s) => all(&mut s.fields.iter().map(|f| f.1.extent())),
            Val::Stack(s) => all(&mut std::iter::once(s.element.extent())),
            _ => (1, 0),
        }
    }

    /// Its tensors, in a fixed order.
    pub fn tensors(&self) -> Vec<TensorVal> {
        let mut out = Vec::new();
        self.collect(&mut out);
        out
    }

    fn collect(&self, out: &mut Vec<TensorVal>) {
        match self {
            Val::Tensor(t) => out.push(t.clone()),
            Val::Tuple(v) | Val::List(v) => v.iter().for_each(|x| x.collect(out)),
            Val::Struct(s) => s.fields.iter().for_each(|f| f.1.collect(out)),
            Val::Stack(s) => s.element.collect(out),
            Val::Number(..) | Val::Bool(_) | Val::Str(_) | Val::Error => {}
        }
    }

    /// The same value with every tensor replaced, in the order of [`Val::tensors`].
    pub fn map(&self, f: &mut dyn FnMut(&TensorVal) -> TensorVal) -> Val {
        match self {
            Val::Tensor(t) => Val::Tensor(f(t)),
            Val::Tuple(v) => Val::Tuple(v.iter().map(|x| x.map(f)).collect()),
            Val::List(v) => Val::List(v.iter().map(|x| x.map(f)).collect()),
            Val::Struct(s) => Val::Struct(Rc::new(StructVal {
                name: s.name.clone(),
                library: s.library,
                dims: s.dims.clone(),
                fields: s.fields.iter().map(|(n, x)| (n.clone(), x.map(f))).collect(),
            })),
            Val::Stack(s) => Val::Stack(Rc::new(StackVal { count: s.count.clone(), element: s.element.map(f) })),
            Val::Number(..) | Val::Bool(_) | Val::Str(_) | Val::Error => self.clone(),
        }
    }
}

/// A type as messages show it: `f32[batch, seq]`, `Block`, `[Block; layers]`.
impl fmt::Display for Val {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, v: &[Val]| -> fmt::Result {
            for (i, x) in v.iter().enumerate() {
                write!(f, "{}{x}", if i > 0 { ", " } else { "" })?;
            }
            Ok(())
        };
        match self {
            Val::Tensor(t) => f.write_str(&show_type(t.dtype, &t.dims)),
            Val::Number(n, None) => write!(f, "the number {n}"),
            Val::Number(_, Some(name)) => write!(f, "the number {name}"),
            Val::Bool(b) => write!(f, "{b}"),
            Val::Str(_) => f.write_str("a string"),
            Val::Tuple(v) => {
                f.write_str("(")?;
                list(f, v)?;
                f.write_str(")")
            }
            Val::List(v) => {
                f.write_str("[")?;
                list(f, v)?;
                f.write_str("]")
            }
            Val::Struct(s) => {
                f.write_str(&s.name)?;
                if !s.dims.is_empty() {
                    write!(f, "[{}]", show_dims(&s.dims))?;
                }
                Ok(())
            }
            Val::Stack(s) => write!(f, "[{}; {}]", s.entry(), s.count),
            Val::Error => f.write_str("an error"),
        }
    }
}

pub fn show_dims(dims: &[Dim]) -> String {
    dims.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

pub fn show_type(dtype: DType, dims: &[Dim]) -> String {
    if dims.is_empty() { dtype.to_string() } else { format!("{dtype}[{}]", show_dims(dims)) }
}

/// Sizes behind the names in some dims, for a note: `batch = 8, seq = 128`. `None` where no dim has a name.
pub fn sizes_note<'a>(dims: impl IntoIterator<Item = &'a Dim>) -> Option<String> {
    let mut seen: Vec<(Rc<str>, u64)> = Vec::new();
    for d in dims {
        if let Some(n) = &d.name
            && !seen.iter().any(|s| s.0 == *n)
        {
            seen.push((n.clone(), d.size));
        }
    }
    let parts: Vec<String> = seen.iter().map(|(n, s)| format!("{n} = {s}")).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// A value with the place it was written at.
#[derive(Clone, Debug)]
pub struct At<T> {
    pub value: T,
    pub span: Span,
}

/// "1 dim", "3 dims".
pub(super) fn count(n: usize) -> String {
    format!("{n} dim{}", if n == 1 { "" } else { "s" })
}

/// What makes a word one of `n` things.
pub(super) fn plural(n: usize) -> &'static str {
    if n == 1 { "" } else { "s" }
}
