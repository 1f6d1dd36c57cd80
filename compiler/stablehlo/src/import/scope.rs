//! Names: which values the ops of a region see, and what a loop's body takes from outside.
//!
//! Regions of StableHLO see everything around them; those of the IR see nothing but their arguments. So the body of a loop is
//! imported into a function of its own, and what it reads from outside becomes an argument of that: a capture. Constants are
//! copied instead, so that trip counts and starts are known inside.

use super::state::{Import, LoopBody, LoopLevel, ScopeFrame, SliceAccess};
use crate::module::TextOp;
use meshloom_ir::{Builder, Func, Op as Ir, TensorType, ValueId};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Loops inside loops; the IR allows some more.
const LOOPS: usize = 24;
/// Regions and calls inside each other, over which the importer recurses.
const REGIONS: usize = 128;

/// The name of the imaginary part of a complex value, whose real part has the value's own name. No name in a text has this sign.
pub fn imaginary(name: &str) -> String {
    format!("{name}~")
}

/// Names, each complex one followed by that of its imaginary part.
pub fn of_parts<'n>(names: impl IntoIterator<Item = &'n str>, complex: impl IntoIterator<Item = bool>) -> Vec<String> {
    let pairs = names.into_iter().zip(complex.into_iter().chain(std::iter::repeat(false)));
    pairs
        .flat_map(|(name, complex)| std::iter::once(name.to_string()).chain(complex.then(|| imaginary(name))))
        .collect()
}

impl TextOp<'_> {
    /// The names of an op's results, [`of_parts`].
    pub fn names_of_parts(&self) -> Vec<String> {
        of_parts(self.results.iter().map(String::as_str), self.complex_results())
    }
}

impl<'m> Import<'m> {
    /// Opens the names of a function.
    pub fn open_function(&mut self, names: HashMap<String, ValueId>) {
        self.open(names, true);
    }

    fn open(&mut self, names: HashMap<String, ValueId>, function: bool) {
        let level = self.levels.len();
        self.scopes.push(ScopeFrame { names, lost: HashSet::new(), tuples: HashMap::new(), level, function });
    }

    /// Names a tuple; complex entries have two parts.
    pub fn define_tuple(&mut self, name: &str, parts: Vec<Vec<ValueId>>) {
        if let Some(frame) = self.scopes.last_mut() {
            frame.tuples.insert(name.to_string(), parts);
        }
    }

    /// An entry of a tuple.
    ///
    /// # Errors
    /// There is no such tuple, or it has no such entry.
    pub fn entry_of(&mut self, name: &str, n: usize) -> Result<Vec<ValueId>, String> {
        let function = self.scopes.iter().rposition(|f| f.function).unwrap_or(0);
        let found = self.scopes[function..].iter().rev().find_map(|f| Some((f.tuples.get(name)?.clone(), f.level)));
        let (parts, level) = found.ok_or_else(|| format!("`{name}` is no tuple that was made before this"))?;
        let mut entry = parts.get(n).ok_or_else(|| format!("`{name}` has {} parts", parts.len()))?.clone();
        for v in &mut entry {
            for l in level..self.levels.len() {
                *v = self.capture(l, *v);
            }
        }
        Ok(entry)
    }

    pub fn close_frame(&mut self) {
        self.scopes.pop();
    }

    /// Names the results of an op, [`of_parts`].
    pub fn define(&mut self, names: &[String], values: Vec<ValueId>) {
        if let Some(frame) = self.scopes.last_mut() {
            frame.names.extend(names.iter().cloned().zip(values));
        }
    }

    /// Gives names up whose values have no type: what reads them has nothing more to say.
    pub fn lose(&mut self, names: impl IntoIterator<Item = String>) {
        if let Some(frame) = self.scopes.last_mut() {
            frame.lost.extend(names);
        }
    }

    /// The value of a name, as [`Import::value`].
    ///
    /// # Errors
    /// It is not defined; or nothing, where that was said of the op that defines it.
    pub fn defined(&mut self, name: &str) -> Result<ValueId, String> {
        if let Some(v) = self.value(name) {
            return Ok(v);
        }
        let mut frames = self.scopes.iter().rev();
        let mut lost = false;
        for frame in frames.by_ref() {
            lost |= frame.lost.contains(name);
            if frame.function {
                break;
            }
        }
        Err(if lost { String::new() } else { format!("`{name}` is not defined before this") })
    }

    /// The values of names: both parts of a complex one, or as [`Import::part`] says.
    ///
    /// # Errors
    /// As [`Import::defined`].
    pub fn values(&mut self, names: &[&str]) -> Result<Vec<ValueId>, String> {
        let mut out = Vec::new();
        for (k, name) in names.iter().enumerate() {
            out.extend(self.parts(name, self.part.map(|p| p[k.min(1)]))?);
        }
        Ok(out)
    }

    /// Both parts of a value if it is complex, or the one that is asked for. A real number is its own part.
    fn parts(&mut self, name: &str, imaginary_part: Option<bool>) -> Result<Vec<ValueId>, String> {
        let complex = self.is_complex(name);
        let real = imaginary_part != Some(true) || !complex;
        let mut out = if real { vec![self.defined(name)?] } else { Vec::new() };
        if complex && imaginary_part != Some(false) {
            out.push(self.defined(&imaginary(name))?);
        }
        Ok(out)
    }

    /// Whether a name that is defined is one of complex numbers.
    pub fn is_complex(&self, name: &str) -> bool {
        self.frame_of(name).is_some_and(|f| f.names.contains_key(&imaginary(name)))
    }

    /// Where a name is defined.
    fn frame_of(&self, name: &str) -> Option<&ScopeFrame> {
        let function = self.scopes.iter().rposition(|f| f.function).unwrap_or(0);
        self.scopes[function..].iter().rev().find(|f| f.names.contains_key(name))
    }

    /// The value of a name; one from around a loop is captured by it.
    pub fn value(&mut self, name: &str) -> Option<ValueId> {
        let frame = self.frame_of(name)?;
        let (mut v, level) = (*frame.names.get(name)?, frame.level);
        for l in level..self.levels.len() {
            v = self.capture(l, v);
        }
        Some(v)
    }

    /// A value of level `l` inside the loop there.
    fn capture(&mut self, l: usize, v: ValueId) -> ValueId {
        if let Some(&inner) = self.levels[l].captures.get(&v) {
            return inner;
        }
        let outer = &self.levels[l].outer.func;
        let ty = outer.ty(v).clone();
        let constant = match outer.def_op(v).map(|o| &outer.op(o).op) {
            Some(op @ Ir::Constant { .. }) if ty.elements() == 1 => Some(op.clone()),
            _ => None,
        };
        let b = match self.levels.get_mut(l + 1) {
            Some(level) => &mut level.outer,
            None => &mut self.b,
        };
        // A constant has no operands that could not fit.
        if let Some(inner) = constant.and_then(|c| b.emit(c, &[]).ok()) {
            return inner;
        }
        let inner = b.arg(Func::BODY, ty);
        self.levels[l].captures.insert(v, inner);
        inner
    }

    /// Imports the ops of a region in place; what it returns.
    ///
    /// # Errors
    /// It returns nothing, or names other arguments. Nothing, where an op in it has said why.
    pub fn region(&mut self, names: &[String], args: &[ValueId], ops: &[TextOp<'m>]) -> Result<Vec<ValueId>, String> {
        self.in_scope(names, args, |i| i.ops(ops))
    }

    /// Does something where these names are known.
    ///
    /// # Errors
    /// Names of other arguments, and what `make` says.
    pub fn in_scope(
        &mut self,
        names: &[String],
        args: &[ValueId],
        make: impl FnOnce(&mut Import<'m>) -> Result<Vec<ValueId>, String>,
    ) -> Result<Vec<ValueId>, String> {
        if names.len() != args.len() {
            return Err(format!("a region with {} arguments, where {} are given", names.len(), args.len()));
        }
        if self.scopes.len() >= REGIONS {
            return Err(format!("more than {REGIONS} regions and calls inside each other"));
        }
        let names = names.iter().cloned().zip(args.iter().copied()).collect();
        self.open(names, false);
        let out = make(self);
        self.scopes.pop();
        out
    }

    /// Imports a region into a function of its own, with arguments of the types of `like`.
    ///
    /// # Errors
    /// As [`Import::region`].
    pub fn body(&mut self, names: &[String], like: &[ValueId], ops: &[TextOp<'m>]) -> Result<LoopBody, String> {
        let types: Vec<_> = like.iter().map(|&v| self.b.ty(v).clone()).collect();
        self.apart(types, |i, args| i.region(names, args, ops))
    }

    /// Imports ops into a function of its own, with arguments of these types.
    ///
    /// # Errors
    /// What `make` says.
    pub fn apart(
        &mut self,
        types: Vec<TensorType>,
        make: impl FnOnce(&mut Import<'m>, &[ValueId]) -> Result<Vec<ValueId>, String>,
    ) -> Result<LoopBody, String> {
        if self.levels.len() >= LOOPS {
            return Err(format!("more than {LOOPS} loops inside each other"));
        }
        let span = self.b.span;
        let mut inner = Builder::new("body", self.mesh().clone());
        inner.span = span;
        let args: Vec<ValueId> = types.into_iter().map(|ty| inner.arg(Func::BODY, ty)).collect();
        let outer = std::mem::replace(&mut self.b, inner);
        self.levels.push(LoopLevel { outer, captures: BTreeMap::new(), accesses: Vec::new() });
        let yields = make(self, &args);
        let inside = self.levels.len();
        self.places.retain(|at, _| at.0 != inside);
        let level = self.levels.pop().ok_or("a loop that was never begun")?;
        let mut inner = std::mem::replace(&mut self.b, level.outer);
        self.b.span = span;
        let yields = yields?;
        inner.func.regions[0].yields.clone_from(&yields);
        let captures = level.captures.into_iter().collect();
        Ok(LoopBody { func: inner.finish(), args, yields, captures, accesses: level.accesses })
    }

    /// Loops around what is being imported.
    pub fn level(&self) -> usize {
        self.levels.len()
    }

    /// Notes that an op has read or written a slice, for the loop that it may be in.
    pub fn accessed(&mut self, access: SliceAccess) {
        if let Some(level) = self.levels.last_mut() {
            level.accesses.push(access);
        }
    }
}
