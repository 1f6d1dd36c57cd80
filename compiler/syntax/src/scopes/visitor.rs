//! What the walk over scopes tells of the names of a file, and what it asks. The order is that of the walk, which is not quite the
//! order of the text.

use super::scoped::Scoped;
use crate::ast::{Expr, Field, FnDef, Import, LayersOf, Name, StructDef};
use meshloom_ir::Span;
use meshloom_source::Glob;

/// What binds a name in a scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Binds {
    /// A dim of a struct or of a signature.
    Dim,
    /// A variable or a parameter.
    Variable,
}

/// What a name at the top of a file is declared as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Heading {
    /// A dim or a constant.
    Constant,
    Struct,
    /// A function or a `train`.
    Function,
    Layout,
}

/// Who is told of the names of a file. Names can be changed on the way.
pub trait Visitor {
    /// What a name in a scope stands for.
    type Local;
    /// What a name at the top of a file stands for.
    type Item: Default;

    /// The names in scope: the walk adds and removes them, who is told asks.
    fn scope(&mut self) -> &mut Scoped<Self::Local>;
    /// Whether a name is that of a dim, constant, struct or function that the file declares or imports.
    fn is_declared(&self, name: &str) -> bool;
    /// Whether a name is that of an imported file.
    fn is_file(&self, name: &str) -> bool;

    /// A scope binds a name. A dim of a signature is bound where it stands first, and is told of as a value there too.
    fn binds(&mut self, name: &Name, what: Binds) -> Self::Local;
    /// An input of a manual region keeps the name that the value has outside.
    fn keeps(&mut self, name: &Name, value: &Expr) -> Option<Self::Local>;
    /// The name of a variable, dim or constant.
    fn value(&mut self, name: &mut String, span: Span);
    /// The name of a function. No variable hides it.
    fn function(&mut self, name: &mut String, span: Span) -> Self::Item;
    /// The name of a type.
    fn type_name(&mut self, name: &mut Name);
    /// `layers.width`, of an imported file.
    fn of_file(&mut self, e: &mut Expr) -> Self::Item;

    /// What the file declares at its top.
    fn heading(&mut self, name: &mut Name, what: Heading);
    /// Names that stand alone as dims of a signature, and that nothing else has: they are generic.
    fn generic(&mut self, _: &mut FnDef, _: Vec<Name>) {}
    /// The function behind the `=` of a `train`, or in one of its arguments.
    fn recipe(&mut self, _: &mut Name) -> Self::Item {
        Self::Item::default()
    }
    fn import(&mut self, _: &Import) {}
    /// The name of an axis of the mesh, in a layout of so many dims where that is known.
    fn axis(&mut self, _: &Name, _: Option<usize>) {}
    /// The axis of a mesh where that is declared.
    fn mesh_axis(&mut self, _: &Name) {}
    /// Where an assertion holds.
    fn asserted(&mut self, _: &Name) {}
    /// How many dims the value of an expression has, if it is known.
    fn rank(&self, _: Span) -> Option<usize> {
        None
    }
    /// A pattern of paths to tensors. Gives how many dims they have, if it is known.
    fn paths(&mut self, _: &Glob, _: Option<&LayersOf>) -> Option<usize> {
        None
    }
    /// A struct has a field.
    fn has_field(&mut self, _: &StructDef, _: &Field) {}
    /// A field of the value of an expression.
    fn field(&mut self, _: &Expr, _: &Name) {}
    /// A variable gets another value.
    fn assigned(&mut self, _: &Name) {}
    /// The name of an argument of what is called.
    fn argument(&mut self, _: &Self::Item, _: &str, _: Span) {}
    /// What makes a function of a function: `grad`.
    fn transform(&mut self, _: &Name) {}
}

/// Binds a name from here to the end of its scope.
pub(super) fn bind<N: Visitor>(n: &mut N, name: &Name, what: Binds) {
    let means = n.binds(name, what);
    n.scope().push(name.text.clone(), means);
}
