//! The state of an entry's elaboration: the function that is being built, the functions that are being inlined with their
//! variables, the open regions, and the diagnostics so far.
//!
//! Not here: any construct of the language. What elaborates those stands above this.

use super::consts;
use super::program::{Declarations, FnRef};
use super::value::{Dim, Num, TensorVal, Val};
use crate::ast;
use meshloom_ir::{Axis, Builder, DType, Mesh, RegionId, Span, ValueId};
use meshloom_source::{Diagnostic, SourceMap};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Deepest nesting of calls and expressions together, so that no program exhausts the compiler's stack.
pub(super) const MAX_NESTING: usize = 400;
/// The most ops in one entry: inlining can double at each level.
pub(super) const MAX_OPS: usize = 200_000;
/// The most expressions evaluated for one entry, and most errors reported for it.
pub(super) const MAX_STEPS: usize = 2_000_000;
pub(super) const MAX_ERRORS: usize = 100;

/// Variables of a block, innermost last.
pub(super) type Scope = BTreeMap<String, Variable>;

#[derive(Clone)]
pub(super) struct Variable {
    pub(super) value: Val,
    pub(super) span: Span,
}

/// One function being inlined.
pub(super) struct Frame<'a> {
    pub(super) function: FnRef<'a>,
    pub(super) scopes: Vec<Scope>,
    /// Generic dims of the signature.
    pub(super) dims: BTreeMap<String, Dim>,
    /// What `..` stands for.
    pub(super) rest: Option<Vec<Dim>>,
    /// What `float` stands for.
    pub(super) float: Option<DType>,
    /// Variables around the innermost manual region, which it does not see.
    pub(super) outside: Vec<Scope>,
    /// The call that is being expanded.
    pub(super) call: Span,
}

impl<'a> Frame<'a> {
    pub(super) fn new(function: FnRef<'a>, call: Span) -> Frame<'a> {
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
pub(super) struct OpenRegion {
    pub(super) id: RegionId,
    /// Outer value to region argument, in the order of first use.
    pub(super) captures: Vec<(ValueId, ValueId)>,
    /// Outer constants, made inside too rather than handed in.
    pub(super) copies: Vec<(ValueId, ValueId)>,
    /// For a loop: the number of its iteration, if something needs it.
    pub(super) number: IterationNumber,
    /// The meaning of a composite: what stands in it is built only where no kernel runs the composite.
    pub(super) meaning: bool,
}

/// The number of a loop's iteration, if something needs it.
pub(super) enum IterationNumber {
    /// No loop.
    None,
    Unasked,
    /// An argument of the region; [`Elab::region`] hands it in.
    Argument(ValueId),
}

/// A list of layers that is split into stages.
#[derive(Clone)]
pub(super) struct SplitList {
    pub(super) axis: Axis,
    pub(super) path: String,
    pub(super) sizes: Option<Vec<u64>>,
    pub(super) span: Span,
}

/// Elaborates one entry.
pub(super) struct Elab<'a> {
    pub(super) program: &'a Declarations<'a>,
    pub(super) sources: &'a SourceMap,
    pub(super) builder: Builder,
    pub(super) errors: Vec<Diagnostic>,
    pub(super) frames: Vec<Frame<'a>>,
    pub(super) regions: Vec<OpenRegion>,
    pub(super) nesting: usize,
    /// What state of an entry is when its body ends: index of the input, and the value.
    pub(super) state: Vec<(usize, Val)>,
    /// State fields of the model that the body that is open can assign, by the value that stands for each.
    pub(super) fields: BTreeMap<ValueId, StateField>,
    /// The next values of state fields and the metrics that the program has set so far.
    pub(super) told: Vec<Told>,
    /// Functions that were entered, to know which were never checked.
    pub(super) reached: BTreeSet<String>,
    pub(super) steps: usize,
    /// A limit was hit, and reported; the rest of the entry is skipped.
    pub(super) exhausted: bool,
    /// Seed and step, once the program asks for random numbers.
    pub(super) random: Option<Roots>,
    /// Loops around the manual region whose body is open.
    pub(super) around: usize,
    /// How many times the program has asked for random numbers, by place.
    pub(super) places: BTreeMap<String, u32>,
    /// Set while an optimizer is expanded.
    pub(super) update: Option<Update>,
    /// What `training()` is.
    pub(super) training: bool,
    /// Whether the program calls `training()`, so that it may be another program when it is evaluated.
    pub(super) asked_training: bool,
    /// Lists that are split into pipeline stages.
    pub(super) split: Vec<SplitList>,
    /// Axes of the manual regions that are open, and where each was made manual.
    pub(super) manual: Vec<(Axis, Span)>,
}

impl<'a> Elab<'a> {
    pub(super) fn new(program: &'a Declarations<'a>, sources: &'a SourceMap, name: &str) -> Elab<'a> {
        Elab {
            program,
            sources,
            builder: Builder::new(name, program.mesh.clone()),
            errors: Vec::new(),
            frames: Vec::new(),
            regions: Vec::new(),
            state: Vec::new(),
            fields: BTreeMap::new(),
            told: Vec::new(),
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
            split: Vec::new(),
            manual: Vec::new(),
        }
    }

    /// The number of the iteration, from 0 on, of an open region; `None` where it is no loop.
    pub(super) fn iteration(&mut self, region: usize) -> Option<ValueId> {
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

    pub(super) fn mesh(&self) -> &'a Mesh {
        &self.program.mesh
    }

    /// Reports an error and gives the value that stands for it. Inside inlined functions the calls that led here are
    /// named, innermost first.
    pub(super) fn error(&mut self, mut d: Diagnostic) -> Val {
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

    pub(super) fn frame(&mut self) -> &mut Frame<'a> {
        self.frames.last_mut().expect("code is elaborated inside a function")
    }

    pub(super) fn in_library(&self) -> bool {
        self.frames.last().is_some_and(|f| f.function.library)
    }

    /// Where the user called what is being expanded, if that is library code.
    pub(super) fn user_call(&self) -> Option<Span> {
        let user = |s: Span| self.sources.get(s.file).is_some_and(|f| !f.library);
        self.frames.iter().rev().take_while(|f| f.function.library).find(|f| user(f.call)).map(|f| f.call)
    }

    /// Ops built from now on come from `span`; for library code, from the user's call of it.
    pub(super) fn locate(&mut self, span: Span) {
        let user = |s: Span| self.sources.get(s.file).is_some_and(|f| !f.library);
        if user(span) {
            self.builder.span = span;
        } else if let Some(frame) = self.frames.iter().rev().find(|f| user(f.call)) {
            self.builder.span = frame.call;
        }
    }

    pub(super) fn variable(&self, name: &str) -> Option<&Variable> {
        self.frames.last()?.scopes.iter().rev().find_map(|s| s.get(name))
    }

    pub(super) fn bind(&mut self, name: &ast::Name, value: Val) {
        if let Val::Tensor(t) = &value
            && !self.in_library()
        {
            self.name_value(t.id, &name.text);
        }
        self.see(name.span, &value);
        let variable = Variable { value, span: name.span };
        if let Some(scope) = self.frame().scopes.last_mut() {
            scope.insert(name.text.clone(), variable);
        }
    }

    /// Notes what stands at a place of the user's, where that is asked for.
    pub(super) fn see(&self, span: Span, value: &Val) {
        if let Some(seen) = self.program.seen.filter(|_| !self.in_library() && !value.is_error()) {
            seen.note(span, value);
        }
    }

    /// A dim or constant by name: generics of the function, then the file's declarations.
    pub(super) fn constant(&self, name: &str) -> Option<Val> {
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

/// What keys are made of besides the place: inputs of the program, or of the body of a manual region.
#[derive(Clone)]
pub(super) struct Roots {
    pub(super) seed: ValueId,
    pub(super) step: ValueId,
    /// In a manual region, the iterations of the loops around it, outermost first.
    pub(super) iterations: Vec<ValueId>,
}

/// The update under construction.
pub(super) struct Update {
    pub(super) step: TensorVal,
    pub(super) states: Vec<State>,
}

pub(super) struct State {
    /// Where it is declared: how an assignment knows it from another variable of the same name.
    pub(super) declared: Span,
    pub(super) name: String,
    pub(super) before: TensorVal,
    pub(super) after: Val,
}

/// A state field of the model, or of the entry of a list that a loop goes over.
pub(super) struct StateField {
    pub(super) path: String,
    pub(super) span: Span,
    /// How many regions were open where the field became known.
    pub(super) depth: usize,
    /// The whole list's field, of which this is an entry.
    pub(super) list: Option<ValueId>,
    pub(super) assigned: Option<Span>,
}

/// The next value of a state field, or a metric.
pub(super) struct Told {
    pub(super) about: About,
    pub(super) value: TensorVal,
    pub(super) span: Span,
    /// How many regions were open where it was set.
    pub(super) depth: usize,
}

pub(super) enum About {
    /// The value that stands for the field.
    Field(ValueId),
    Metric(Rc<str>),
}
