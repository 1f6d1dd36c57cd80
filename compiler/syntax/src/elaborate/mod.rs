//! Syntax tree to IR: functions are instantiated and inlined, shapes are checked in the user's own dim names, layouts
//! become constraints on mesh axes. Each entry becomes one global [`Func`].
//!
//! Two things stay regions: a `for` loop over tensors (a `repeat`) and a call of a composite that has its own kernel (a
//! `composite`). Errors do not stop elaboration. What is wrong becomes [`value::Val::Error`], which silences what
//! depends on it, so that one run reports all independent mistakes.

mod assert;
mod block;
mod call;
mod chance;
mod collective;
mod consts;
mod differentiate;
mod dynamic;
mod emit;
mod entry;
mod expr;
mod foreign;
mod index;
mod layout;
mod loops;
mod manual;
mod microbatch;
mod model;
mod numbers;
mod optimizer;
mod pick;
mod prims;
mod program;
mod prune;
mod recompute;
mod scan;
mod shapes;
mod types;
mod update;
pub mod value;
mod while_loop;

pub use optimizer::train_spec;
pub use prims::primitives;

use crate::ast;
use crate::import;
use meshloom_ir::{Axis, Builder, DType, FileId, Mesh, RegionId, Span, ValueId};
use meshloom_source::{Diagnostic, FrontOptions, Outcome, SourceMap};
use program::{Declarations, FnRef};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use value::{Dim, Num, Val};

/// Deepest nesting of calls and expressions together, so that no program exhausts the compiler's stack.
const MAX_NESTING: usize = 400;
/// Most ops in one entry: inlining can double at each level.
const MAX_OPS: usize = 200_000;
/// Most expressions evaluated for one entry, and most errors reported for it.
const MAX_STEPS: usize = 2_000_000;
const MAX_ERRORS: usize = 100;
/// Most elements of one tensor.
const MAX_ELEMENTS: u64 = 1 << 42;

/// Parses, checks and elaborates a model.
pub fn compile(name: &str, text: &str, options: &FrontOptions) -> Outcome {
    let mut sources = SourceMap::new();
    let file = sources.add(name, text);
    let extra = options.layout_file.as_ref().map(|(name, text)| (sources.add(name.as_str(), text.as_str()), text));
    let library: Vec<(FileId, &str)> =
        crate::library::FILES.iter().map(|(name, text)| (sources.add_library(name, text), *text)).collect();

    let mut user = crate::parse::parse(file, text);
    let mut diagnostics = std::mem::take(&mut user.errors);
    diagnostics.append(&mut user.warnings);
    let imports = user.file.items.iter().any(|i| matches!(i.kind, ast::ItemKind::Import(_)));
    let mut trees = Vec::new();
    for (id, text) in library {
        let parsed = crate::parse::parse(id, text);
        diagnostics.extend(parsed.errors);
        trees.push(parsed.file);
    }
    let extra = extra.map(|(id, text)| {
        let parsed = crate::parse::parse(id, text);
        diagnostics.extend(parsed.errors);
        parsed.file
    });
    let mut options = std::borrow::Cow::Borrowed(options);
    if imports {
        let declared = |name: &str| {
            let items = trees.iter().flat_map(|t| &t.items);
            let mut names = items.filter_map(|i| match &i.kind {
                ast::ItemKind::Fn(f) => Some(&f.name.text),
                ast::ItemKind::Struct(s) => Some(&s.name.text),
                _ => None,
            });
            prims::find(name).is_some() || names.any(|n| n == name)
        };
        let tree = std::mem::take(&mut user.file);
        let linked = import::link((name, tree), &options.files, &mut sources, &declared, &mut diagnostics);
        user.file = linked.file;
        for (dim, _) in &mut options.to_mut().dims {
            if let Some(full) = linked.aliases.get(dim) {
                dim.clone_from(full);
            }
        }
    }
    let options = options.as_ref();
    let mut elaborated = None;
    if !diagnostics.iter().any(Diagnostic::is_error) {
        let program = program::collect(&user.file, extra.as_ref(), &trees, options, &mut diagnostics);
        if !diagnostics.iter().any(Diagnostic::is_error) {
            elaborated = entry::elaborate(&program, &sources, options, &mut diagnostics);
        }
        for e in elaborated.iter_mut().flat_map(|e| &mut e.entries) {
            let Some(train) = program.trains.get(e.name.as_str()) else { continue };
            let Some(accumulate) = optimizer::read(&program, *train).ok().and_then(|t| t.accumulate) else { continue };
            match microbatch::options(&program, options, &e.name, &accumulate) {
                Ok(small) => {
                    let mut errors = Vec::new();
                    let program = program::collect(&user.file, extra.as_ref(), &trees, &small, &mut errors);
                    let made = entry::elaborate(&program, &sources, &small, &mut errors);
                    let made = made.and_then(|m| m.entries.into_iter().next()).map(|m| m.func);
                    diagnostics.extend(microbatch::attach(&mut e.kind, &accumulate, made, errors));
                }
                Err(d) => diagnostics.push(d),
            }
        }
    }
    // The same mistake in a function that is inlined twice is one mistake.
    let mut seen = BTreeSet::new();
    diagnostics.retain(|d| seen.insert((d.code, d.primary.as_ref().map(|l| l.span), d.message.clone())));
    diagnostics.sort_by_key(|d| d.primary.as_ref().map(|l| l.span));
    if diagnostics.iter().any(Diagnostic::is_error) {
        elaborated = None;
    }
    Outcome { sources, file, diagnostics, elaborated }
}

/// Variables of a block, innermost last.
type Scope = BTreeMap<String, Variable>;

#[derive(Clone)]
struct Variable {
    value: Val,
    span: Span,
}

/// One function being inlined.
struct Frame<'a> {
    function: FnRef<'a>,
    scopes: Vec<Scope>,
    /// Generic dims of the signature.
    dims: BTreeMap<String, Dim>,
    /// What `..` stands for.
    rest: Option<Vec<Dim>>,
    /// What `float` stands for.
    float: Option<DType>,
    /// Variables around the innermost manual region, which it does not see.
    outside: Vec<Scope>,
    /// The call that is being expanded.
    call: Span,
}

impl<'a> Frame<'a> {
    fn new(function: FnRef<'a>, call: Span) -> Frame<'a> {
        Frame {
            function,
            scopes: vec![Scope::new()],
            dims: BTreeMap::new(),
            rest: None,
            float: None,
            outside: Vec::new(),
            call,
        }
    }
}

/// A region under construction: outer values that its body reads become its last arguments.
struct OpenRegion {
    id: RegionId,
    /// Outer value to region argument, in the order of first use.
    captures: Vec<(ValueId, ValueId)>,
    /// Outer constants, made inside too rather than handed in.
    copies: Vec<(ValueId, ValueId)>,
    /// Of a loop: whose number is asked for.
    number: IterationNumber,
}

/// The number of a loop's iteration, if something needs it.
enum IterationNumber {
    /// No loop.
    None,
    Unasked,
    /// An argument of the region; [`Elab::region`] hands it in.
    Argument(ValueId),
}

/// Elaborates one entry.
struct Elab<'a> {
    program: &'a Declarations<'a>,
    sources: &'a SourceMap,
    builder: Builder,
    errors: Vec<Diagnostic>,
    frames: Vec<Frame<'a>>,
    regions: Vec<OpenRegion>,
    nesting: usize,
    /// What state of an entry is when its body ends: index of the input, and the value.
    state: Vec<(usize, Val)>,
    /// Functions that were entered, to know which were never checked.
    reached: BTreeSet<String>,
    steps: usize,
    /// A limit was hit, and reported; the rest of the entry is skipped.
    exhausted: bool,
    /// Seed and step, once random numbers are asked for.
    random: Option<chance::Roots>,
    /// Loops around the manual region whose body is open.
    around: usize,
    /// How often random numbers were asked for, by place.
    places: BTreeMap<String, u32>,
    /// While an optimizer is expanded.
    update: Option<update::Update>,
    /// What `training()` is.
    training: bool,
    /// Whether the program asked for it, and so may be another one when it is evaluated.
    asked_training: bool,
    /// Axes of the manual regions that are open, and where each was made manual.
    manual: Vec<(Axis, Span)>,
}

impl<'a> Elab<'a> {
    fn new(program: &'a Declarations<'a>, sources: &'a SourceMap, name: &str) -> Elab<'a> {
        Elab {
            program,
            sources,
            builder: Builder::new(name, program.mesh.clone()),
            errors: Vec::new(),
            frames: Vec::new(),
            regions: Vec::new(),
            state: Vec::new(),
            nesting: 0,
            reached: BTreeSet::new(),
            steps: 0,
            exhausted: false,
            random: None,
            around: 0,
            places: BTreeMap::new(),
            update: None,
            training: false,
            asked_training: false,
            manual: Vec::new(),
        }
    }

    /// The number of the iteration, from 0 on, of an open region; `None` where it is no loop.
    fn iteration(&mut self, region: usize) -> Option<ValueId> {
        let id = self.regions[region].id;
        match self.regions[region].number {
            IterationNumber::None => None,
            IterationNumber::Argument(v) => Some(v),
            IterationNumber::Unasked => {
                let v = self.builder.arg(id, meshloom_ir::TensorType::scalar(DType::I32));
                self.regions[region].number = IterationNumber::Argument(v);
                Some(v)
            }
        }
    }

    fn mesh(&self) -> &'a Mesh {
        &self.program.mesh
    }

    /// Reports an error and gives the value that stands for it. Inside inlined functions the calls that led here are
    /// named, innermost first.
    fn error(&mut self, mut d: Diagnostic) -> Val {
        let in_library = |s: Span| self.sources.get(s.file).is_some_and(|f| f.library);
        let library = d.primary.as_ref().is_some_and(|l| in_library(l.span));
        let mut shown = 0;
        for frame in self.frames.iter().rev() {
            if frame.call.is_none() || in_library(frame.call) {
                continue;
            }
            let already = d.primary.iter().chain(&d.secondary).any(|l| l.span == frame.call);
            if (library || shown < 2) && !already {
                d = d.also(frame.call, format!("in this call of `{}`", frame.function.def.name.text));
                shown += 1;
            }
            if library || shown == 2 {
                break;
            }
        }
        // One wrong call of the library is one mistake, however many of its lines stumble over it.
        let again = library
            && d.secondary.last().is_some_and(|call| {
                self.errors.iter().any(|e| e.message == d.message && e.secondary.last() == Some(call))
            });
        if !again {
            self.errors.push(d);
        }
        self.exhausted |= self.errors.len() >= MAX_ERRORS;
        Val::Error
    }

    fn frame(&mut self) -> &mut Frame<'a> {
        self.frames.last_mut().expect("code is elaborated inside a function")
    }

    fn in_library(&self) -> bool {
        self.frames.last().is_some_and(|f| f.function.library)
    }

    /// Where the user called what is being expanded, if that is library code.
    fn user_call(&self) -> Option<Span> {
        let user = |s: Span| self.sources.get(s.file).is_some_and(|f| !f.library);
        self.frames.iter().rev().take_while(|f| f.function.library).find(|f| user(f.call)).map(|f| f.call)
    }

    /// Ops built from now on come from `span`; for library code, from the user's call of it.
    fn locate(&mut self, span: Span) {
        let user = |s: Span| self.sources.get(s.file).is_some_and(|f| !f.library);
        if user(span) {
            self.builder.span = span;
        } else if let Some(frame) = self.frames.iter().rev().find(|f| user(f.call)) {
            self.builder.span = frame.call;
        }
    }

    fn variable(&self, name: &str) -> Option<&Variable> {
        self.frames.last()?.scopes.iter().rev().find_map(|s| s.get(name))
    }

    fn bind(&mut self, name: &ast::Name, value: Val) {
        if let Val::Tensor(t) = &value
            && !self.in_library()
        {
            self.name_value(t.id, &name.text);
        }
        let variable = Variable { value, span: name.span };
        if let Some(scope) = self.frame().scopes.last_mut() {
            scope.insert(name.text.clone(), variable);
        }
    }

    /// A dim or constant by name: generics of the function, then the file's declarations.
    fn constant(&self, name: &str) -> Option<Val> {
        let frame = self.frames.last();
        if let Some(d) = frame.and_then(|f| f.dims.get(name)) {
            return Some(Val::dim(d));
        }
        if self.in_library() {
            return None;
        }
        match self.program.constants.get(name)? {
            consts::Const::Number(n) => Some(Val::Number(*n, matches!(n, Num::Int(_)).then(|| Rc::from(name)))),
            consts::Const::Bool(b) => Some(Val::Bool(*b)),
        }
    }
}
