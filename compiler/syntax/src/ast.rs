//! The syntax tree. Every node keeps its span; types are not known here. Literals keep only their spans and values, and
//! the formatter copies their text from the source.

use meshloom_ir::{Comparison, DType, Span};
use meshloom_source::Glob;

/// Deepest nesting of expressions. Deeper ones are cut off with an error where the tree is built, so that no recursive
/// walk over a tree can exhaust the stack.
pub const MAX_DEPTH: u16 = 160;

#[derive(Clone, PartialEq, Debug)]
pub struct Name {
    pub text: String,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct File {
    pub items: Vec<Item>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Item {
    pub span: Span,
    pub kind: ItemKind,
}

#[derive(Clone, PartialEq, Debug)]
pub enum ItemKind {
    /// `mesh [data: 2, model: 4]`
    Mesh(Vec<Binding>),
    /// `dim batch = 8, seq = 128`
    Dim(Vec<Binding>),
    /// `const layers = 4`
    Const(Vec<Binding>),
    Struct(StructDef),
    Fn(FnDef),
    /// `train gpt = adamw(loss, ..)`
    Train {
        name: Name,
        optimizer: Expr,
    },
    Layout(LayoutDef),
    /// `assert no all_gather in block`
    Assert(Assertion),
    Import(Import),
    /// What could not be parsed; reported already.
    Error,
}

/// `import "layers.loom" as l`, `import Block, block as b from "layers.loom"`
#[derive(Clone, PartialEq, Debug)]
pub struct Import {
    /// Relative to the file that it stands in; the span covers the quotes.
    pub path: Name,
    pub what: Imported,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Imported {
    /// All names, behind the file's own name or another: `layers.block`.
    All { alias: Option<Name> },
    /// These, as if they were declared here.
    Names(Vec<ImportName>),
}

#[derive(Clone, PartialEq, Debug)]
pub struct ImportName {
    pub name: Name,
    pub alias: Option<Name>,
}

/// `name = value`, or `name: value` in a mesh.
#[derive(Clone, PartialEq, Debug)]
pub struct Binding {
    pub span: Span,
    pub name: Name,
    pub value: Expr,
}

/// `struct LayerNorm[embed] { .. }`
#[derive(Clone, PartialEq, Debug)]
pub struct StructDef {
    pub name: Name,
    pub dims: Vec<Name>,
    pub fields: Vec<Field>,
}

/// `up: f32[embed, hidden] @ [_, model] = normal(0.02)`
#[derive(Clone, PartialEq, Debug)]
pub struct Field {
    pub span: Span,
    pub name: Name,
    pub ty: Type,
    /// `state mean: f32[n] = zeros`: the loss gives its next value, and not the optimizer.
    pub state: bool,
    pub layout: Option<LayoutExpr>,
    /// Of a list of layers: how it is split into pipeline stages.
    pub stages: Option<StagesExpr>,
    pub init: Option<Expr>,
}

/// `pipe`, or `pipe(3, 5)` with the layers of each stage, in `blocks: [Block; 8] @ pipe(3, 5)`
#[derive(Clone, PartialEq, Debug)]
pub struct StagesExpr {
    pub span: Span,
    pub axis: Name,
    pub sizes: Option<Vec<Expr>>,
}

/// What stands behind the `@` of a field.
#[derive(Clone, PartialEq, Debug)]
pub enum Placed {
    Layout(LayoutExpr),
    Stages(StagesExpr),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FnKind {
    Plain,
    /// A named op whose body is its meaning.
    Composite,
    /// A program of its own: `entry next(..)`.
    Entry,
    /// How one parameter is updated: `optimizer sgd(p: float[..], g: float[..], lr) { p - lr * g }`.
    Optimizer,
}

#[derive(Clone, PartialEq, Debug)]
pub struct FnDef {
    pub kind: FnKind,
    pub name: Name,
    /// `<n, m>`: dims declared generic.
    pub generics: Vec<Name>,
    pub params: Vec<Param>,
    pub result: Option<Type>,
    /// Constraint on the result, `-> f32[batch] @ [data]`.
    pub result_layout: Option<LayoutExpr>,
    /// Constraints on the parts of a tuple, `-> (f32[batch] @ [data], f32)`; empty where none has one.
    pub part_layouts: Vec<Option<LayoutExpr>>,
    pub body: Block,
    /// Its own gradient, behind the body: `gradient(dy) { .. }`.
    pub rule: Option<GradientRule>,
}

/// `gradient(y, dy) { .. }`: the result, which need not be named, and its cotangent; the cotangents of the parameters.
#[derive(Clone, PartialEq, Debug)]
pub struct GradientRule {
    pub names: Vec<Name>,
    pub body: Block,
}

/// `tokens: i32[batch, seq] in 0..vocab @ [data, _]`
#[derive(Clone, PartialEq, Debug)]
pub struct Param {
    pub span: Span,
    pub name: Name,
    /// A parameter without type takes any value.
    pub ty: Option<Type>,
    pub range: Option<(Expr, Expr)>,
    pub layout: Option<LayoutExpr>,
    pub default: Option<Expr>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Type {
    pub span: Span,
    pub kind: TypeKind,
}

#[derive(Clone, PartialEq, Debug)]
pub enum TypeKind {
    /// `f32`, `f32[batch, seq]`, `Gpt`, `LayerNorm[embed]`
    Named {
        name: Name,
        dims: Vec<DimArg>,
    },
    /// `[Block; layers]`
    List {
        element: Box<Type>,
        count: Expr,
    },
    Tuple(Vec<Type>),
    Error,
}

#[derive(Clone, PartialEq, Debug)]
pub enum DimArg {
    Expr(Expr),
    /// `..`: any leading dims.
    Rest(Span),
}

#[derive(Clone, PartialEq, Debug)]
pub struct LayoutExpr {
    pub span: Span,
    pub kind: LayoutKind,
}

#[derive(Clone, PartialEq, Debug)]
pub enum LayoutKind {
    /// `[data, _, (a, b)] + partial(model)`
    Dims { dims: Vec<LayoutDim>, partial: Vec<Partial> },
    /// `_`: no dim is split. In `layout` blocks only.
    Replicated,
    /// `largest(data)`: the largest dim that the axis divides, or else the largest. In `layout` blocks only.
    Largest(Name),
    /// `like params`. In `layout` blocks only.
    Like(Name),
}

#[derive(Clone, PartialEq, Debug)]
pub struct LayoutDim {
    pub span: Span,
    /// Major first; none for `_` and `?`.
    pub axes: Vec<Name>,
    /// `?` after it: the compiler may add axes.
    pub open: bool,
}

/// `partial(model)`, `partial(model, max)`
#[derive(Clone, PartialEq, Debug)]
pub struct Partial {
    pub axis: Name,
    pub reduction: Option<Name>,
}

/// `layout megatron { params blocks.*.up: [_, model] }`
#[derive(Clone, PartialEq, Debug)]
pub struct LayoutDef {
    pub name: Name,
    pub rules: Vec<LayoutRule>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct LayoutRule {
    pub span: Span,
    /// `params`, `state` or `inputs`; checked when the block is used.
    pub role: Name,
    pub glob: Glob,
    /// It is for some layers of a list alone: `blocks[0..2].up`.
    pub layers: Option<LayersOf>,
    pub layout: LayoutExpr,
}

/// `[0..2]`, `[3]`: layers of the list that stands before it in a pattern.
#[derive(Clone, PartialEq, Debug)]
pub struct LayersOf {
    pub span: Span,
    /// How many parts of the pattern are the path of the list; the part behind them is `*`.
    pub list: usize,
    pub first: u64,
    /// Behind the last one.
    pub end: u64,
}

impl LayoutRule {
    /// Whether it is for the tensor of this path, or for some of its layers.
    pub fn matches(&self, path: &str) -> bool {
        let list = |l: &LayersOf| path.split('.').nth(l.list) == Some("*");
        self.glob.matches(path) && self.layers.as_ref().is_none_or(list)
    }

    /// Its pattern as it is written: `blocks[0..2].up`.
    pub fn pattern(&self) -> String {
        let segments = &self.glob.segments;
        let Some(layers) = &self.layers else { return segments.join(".") };
        let (list, rest) = segments.split_at(layers.list.min(segments.len()));
        let which = match layers.end.checked_sub(layers.first) {
            Some(1) => format!("[{}]", layers.first),
            _ => format!("[{}..{}]", layers.first, layers.end),
        };
        let rest: String = rest.iter().skip(1).map(|s| format!(".{s}")).collect();
        format!("{}{which}{rest}", list.join("."))
    }
}

/// What must hold of the plan.
#[derive(Clone, PartialEq, Debug)]
pub enum Assertion {
    /// `no all_gather(model) in block`
    Absent { kind: Name, axis: Option<Name>, scope: Option<Name> },
    /// `wire_bytes(model) <= 3 MiB`
    Bound { what: Name, args: Vec<Name>, op: Comparison, value: Expr, unit: Option<Name> },
    /// `layout(blocks.*.up) == [_, model]`
    Layout { glob: Glob, layout: LayoutExpr },
}

#[derive(Clone, PartialEq, Debug)]
pub struct Block {
    pub span: Span,
    pub stmts: Vec<Stmt>,
    pub depth: u16,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Stmt {
    pub span: Span,
    pub kind: StmtKind,
}

#[derive(Clone, PartialEq, Debug)]
pub enum StmtKind {
    /// `let [q, k, v] = value`
    Let {
        pattern: Pattern,
        ty: Option<Type>,
        value: Expr,
    },
    /// `x = value`
    Assign {
        name: Name,
        value: Expr,
    },
    /// `p.mean = value`: the next value of a state field.
    AssignField {
        base: Expr,
        field: Name,
        value: Expr,
    },
    /// `state m: float[..] = zeros`: what an optimizer keeps from step to step.
    State {
        name: Name,
        ty: Type,
        init: Expr,
    },
    /// `for p in m.blocks { .. }`, `for i in 0..n { .. }`, `for p in m.blocks, recompute: full { .. }`
    For {
        pattern: Pattern,
        over: Expr,
        until: Option<Expr>,
        settings: Vec<(Name, Name)>,
        body: Block,
    },
    /// `while residual > 1e-6, at_most: 100 { .. }`, or without a limit
    While {
        condition: Expr,
        most: Option<Expr>,
        body: Block,
    },
    /// The last one is the value of the block.
    Expr(Expr),
    Error,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Pattern {
    pub span: Span,
    pub kind: PatternKind,
}

#[derive(Clone, PartialEq, Debug)]
pub enum PatternKind {
    Name(Name),
    Ignore,
    Tuple(Vec<Pattern>),
    List(Vec<Pattern>),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    pub span: Span,
    pub depth: u16,
    pub kind: ExprKind,
}

#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    Int(i64),
    Float(f64),
    Bool(bool),
    Str(String),
    Name(String),
    Tuple(Vec<Expr>),
    List(Vec<Expr>),
    Field {
        base: Box<Expr>,
        field: Name,
    },
    Index {
        base: Box<Expr>,
        items: Vec<IndexItem>,
    },
    Call {
        callee: Name,
        args: Vec<Arg>,
    },
    /// `callee(settings)(args)`: a function made of a function, called.
    Apply {
        callee: Name,
        settings: Vec<Arg>,
        args: Vec<Arg>,
    },
    Unary {
        op: UnaryOp,
        operand: Box<Expr>,
    },
    Binary {
        op: BinaryOp,
        op_span: Span,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    Cast {
        value: Box<Expr>,
        dtype: Name,
    },
    /// `40 GiB`: the value of a named argument.
    Measured {
        value: Box<Expr>,
        unit: Name,
    },
    Constrain {
        value: Box<Expr>,
        layout: LayoutExpr,
    },
    If {
        condition: Box<Expr>,
        then: Block,
        otherwise: Block,
    },
    /// `manual(model)(x @ [_, _], w: m.up @ [_, model]) -> [_, model] { .. }`
    Manual(Box<Manual>),
    /// Parentheses, kept so that the formatter gives them back.
    Paren(Box<Expr>),
    Error,
}

/// A region in which tensors are what one device of some axes has.
#[derive(Clone, PartialEq, Debug)]
pub struct Manual {
    pub axes: Vec<Name>,
    pub inputs: Vec<ManualInput>,
    /// Without it, results are the same on all devices.
    pub result: Option<ManualResult>,
    pub body: Block,
}

/// `w: m.up @ [_, model]`; without a name, that of the variable or field.
#[derive(Clone, PartialEq, Debug)]
pub struct ManualInput {
    pub span: Span,
    pub name: Option<Name>,
    pub value: Expr,
    pub layout: LayoutExpr,
}

#[derive(Clone, PartialEq, Debug)]
pub enum ManualResult {
    One(LayoutExpr),
    /// One for each part of a tuple.
    Tuple(Vec<LayoutExpr>),
}

#[derive(Clone, PartialEq, Debug)]
pub enum IndexItem {
    At(Expr),
    /// `a:b`, `:b`, `a:`, `:`
    Slice {
        span: Span,
        start: Option<Expr>,
        end: Option<Expr>,
    },
}

#[derive(Clone, PartialEq, Debug)]
pub struct Arg {
    pub span: Span,
    pub name: Option<Name>,
    pub value: Expr,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    Neg,
    Not,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Compare(Comparison),
    And,
    Or,
}

impl BinaryOp {
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Compare(c) => c.symbol(),
            BinaryOp::And => "&&",
            BinaryOp::Or => "||",
        }
    }

    /// How tightly it binds, for the formatter's line breaks.
    pub fn precedence(self) -> u8 {
        match self {
            BinaryOp::Or => 1,
            BinaryOp::And => 2,
            BinaryOp::Compare(_) => 3,
            BinaryOp::Add | BinaryOp::Sub => 4,
            BinaryOp::Mul | BinaryOp::Div => 5,
        }
    }
}

/// What makes a function of a function, and so is called twice: [`ExprKind::Apply`].
pub const TRANSFORMS: [&str; 2] = ["grad", "value_and_grad"];

/// The blocks right below an expression.
pub fn blocks(e: &Expr) -> Vec<&Block> {
    match &e.kind {
        ExprKind::If { then, otherwise, .. } => vec![then, otherwise],
        ExprKind::Manual(m) => vec![&m.body],
        _ => Vec::new(),
    }
}

/// The expressions right below one, in the order of the source; not those in its [`blocks`].
pub fn children(e: &Expr) -> Vec<&Expr> {
    match &e.kind {
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Bool(_)
        | ExprKind::Str(_)
        | ExprKind::Name(_)
        | ExprKind::Error => Vec::new(),
        ExprKind::Tuple(v) | ExprKind::List(v) => v.iter().collect(),
        ExprKind::Index { base, items } => {
            let items = items.iter().flat_map(|i| match i {
                IndexItem::At(e) => vec![e],
                IndexItem::Slice { start, end, .. } => start.iter().chain(end).collect(),
            });
            std::iter::once(&**base).chain(items).collect()
        }
        ExprKind::Call { args, .. } => args.iter().map(|a| &a.value).collect(),
        ExprKind::Apply { settings, args, .. } => settings.iter().chain(args).map(|a| &a.value).collect(),
        ExprKind::Field { base: e, .. }
        | ExprKind::Unary { operand: e, .. }
        | ExprKind::Cast { value: e, .. }
        | ExprKind::Constrain { value: e, .. }
        | ExprKind::Measured { value: e, .. }
        | ExprKind::If { condition: e, .. }
        | ExprKind::Paren(e) => vec![e],
        ExprKind::Binary { left, right, .. } => vec![left, right],
        ExprKind::Manual(m) => m.inputs.iter().map(|i| &i.value).collect(),
    }
}

/// As [`children`], to be changed.
pub fn children_mut(e: &mut Expr) -> Vec<&mut Expr> {
    match &mut e.kind {
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Bool(_)
        | ExprKind::Str(_)
        | ExprKind::Name(_)
        | ExprKind::Error => Vec::new(),
        ExprKind::Tuple(v) | ExprKind::List(v) => v.iter_mut().collect(),
        ExprKind::Index { base, items } => {
            let items = items.iter_mut().flat_map(|i| match i {
                IndexItem::At(e) => vec![e],
                IndexItem::Slice { start, end, .. } => start.iter_mut().chain(end).collect(),
            });
            std::iter::once(&mut **base).chain(items).collect()
        }
        ExprKind::Call { args, .. } => args.iter_mut().map(|a| &mut a.value).collect(),
        ExprKind::Apply { settings, args, .. } => settings.iter_mut().chain(args).map(|a| &mut a.value).collect(),
        ExprKind::Field { base: e, .. }
        | ExprKind::Unary { operand: e, .. }
        | ExprKind::Cast { value: e, .. }
        | ExprKind::Constrain { value: e, .. }
        | ExprKind::Measured { value: e, .. }
        | ExprKind::If { condition: e, .. }
        | ExprKind::Paren(e) => vec![e],
        ExprKind::Binary { left, right, .. } => vec![left, right],
        ExprKind::Manual(m) => m.inputs.iter_mut().map(|i| &mut i.value).collect(),
    }
}

impl ManualInput {
    /// What it is called inside: a variable or field has its own name there.
    pub fn inner(&self) -> Option<Name> {
        self.name.clone().or_else(|| match &self.value.bare().kind {
            ExprKind::Name(n) => Some(Name { text: n.clone(), span: self.value.span }),
            ExprKind::Field { field, .. } => Some(field.clone()),
            _ => None,
        })
    }
}

impl Type {
    /// How many dims a tensor of the type has; of a struct nothing is known.
    pub fn rank(&self) -> Option<usize> {
        let TypeKind::Named { name, dims } = &self.kind else { return None };
        let tensor = name.text == "float" || DType::from_name(&name.text).is_some();
        let open = dims.iter().any(|d| matches!(d, DimArg::Rest(_)));
        (tensor && !open).then_some(dims.len())
    }
}

impl Expr {
    /// The expression without parentheses around it.
    pub fn bare(&self) -> &Expr {
        let mut e = self;
        while let ExprKind::Paren(inner) = &e.kind {
            e = inner;
        }
        e
    }
}
