//! Meshloom's intermediate representation: an SSA graph of global tensors, and the same graph with local shapes and
//! collectives for one device.
//!
//! Everything a phase needs to know of an op stands in one place, the op table ([`table`]): result types, factor rule,
//! localisation, gradient, evaluation and cost. The text form ([`print`], [`parse`]) is the interface between phases and
//! the tests; [`verify`] is run after each of them; [`interp`] gives a program its meaning.
//!
//! Not here: source syntax (`syntax`), deciding layouts (`plan`), anything that touches a file or a clock.

pub mod builder;
pub mod copy;
pub mod distribute;
pub mod einsum;
pub mod factor;
pub mod graph;
pub mod index_map;
pub mod interp;
pub mod layout;
pub mod live;
pub mod manual;
pub mod mesh;
pub mod op;
pub mod padding;
pub mod parse;
pub mod peel;
pub mod print;
pub mod prune;
pub mod random;
pub mod scan;
pub mod segments;
pub mod span;
pub mod table;
pub mod tensor;
mod text;
pub mod train;
pub mod types;
pub mod unstack;
pub mod verify;
pub mod without_axis;

pub use builder::Builder;
pub use einsum::Einsum;
pub use factor::{Assignment, FactorKind, FactorRule};
pub use graph::{Def, Func, Init, OpData, OpId, Phase, Port, Recompute, Region, RegionId, Role, Value, ValueId};
pub use index_map::{At, IndexMap, Part};
pub use layout::{Constraint, DimSpec, Fit, Layout, Reduction};
pub use mesh::{Axis, Mesh};
pub use meshloom_scalar::{Comparison, named};
pub use op::Op;
pub use span::{FileId, Span};
pub use table::algebra::Arithmetic;
pub use table::window::Window;
pub use table::{Class, Cost, Exchange, OpDef};
pub use tensor::Tensor;
pub use types::{DType, Literal, Scalar, TensorType};
