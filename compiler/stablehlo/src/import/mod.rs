//! From a module to IR: values by name, one function per op, calls inlined.
//!
//! What cannot be imported is reported, and its results are zeros of the type that is written, so that one run finds all of
//! it. Every result is checked against the type that is written beside the op: an op that was misread does not pass.

mod bits;
mod block_scaled;
mod callback;
mod complex;
mod control;
mod convolution;
mod counted;
mod elementwise;
mod extremum;
mod fold;
mod gather;
mod general;
mod index;
mod linear_algebra;
mod loom;
mod manual;
mod moved;
mod normalize;
mod numbers;
mod pooling;
mod ragged;
mod random;
mod reduce;
mod refused;
mod regions;
mod resource;
mod scatter;
mod scope;
mod shape;
mod sharding;
mod small_float;
mod sort;
mod special;
mod state;
mod windows;
mod written;

use crate::lexer::{self, Token};
use crate::loc::Locations;
use crate::module::{self, Function, TextOp};
use crate::train::MainFunction;
use crate::tree::{self, Tree};
use crate::{foreign, read, roll, stages, train, types};
use meshloom_ir::{Builder, Port, Role, Span, TensorType, ValueId};
use meshloom_source::entry::{Elaborated, Entry, EntryKind};
use meshloom_source::{Diagnostic, FrontOptions, Origins, Outcome, SourceMap};
use state::{Import, ImportRule};
use std::collections::{BTreeMap, HashMap};
use written::{Parameter, parameters};

/// Calls inside calls.
const DEPTH: usize = 64;
/// Ops of one entry: inlining can double at each level.
const MAX_OPS: usize = 1_000_000;

/// The function that imports each op.
const RULES: &[&[(&str, ImportRule)]] = &[
    manual::RULES[0],
    manual::RULES[1],
    manual::RULES[2],
    manual::RULES[3],
    elementwise::RULES,
    bits::RULES,
    callback::RULES,
    special::RULES,
    shape::RULES,
    reduce::RULES,
    regions::RULES,
    index::RULES,
    gather::RULES,
    scatter::RULES,
    sort::RULES,
    ragged::RULES,
    random::RULES,
    sharding::RULES,
    sharding::named::RULES,
    control::RULES,
    convolution::RULES,
    windows::RULES,
    pooling::RULES,
    normalize::RULES,
    linear_algebra::RULES,
];

/// The function that imports an op.
fn rule(name: &str) -> Option<ImportRule> {
    RULES.iter().flat_map(|r| r.iter()).find(|r| r.0 == name).map(|r| r.1).or_else(|| elementwise::row(name))
}

/// Names of all ops that are imported.
pub fn ops() -> impl Iterator<Item = &'static str> {
    RULES.iter().flat_map(|r| r.iter()).map(|r| r.0).chain(complex::rules().map(|r| r.0)).chain(elementwise::rows())
}

/// What a module says, as the driver takes it from any front end.
pub fn compile(name: &str, text: &str, options: &FrontOptions) -> Outcome {
    let mut sources = SourceMap::new();
    let file = sources.add(name, text);
    let mut out = Outcome { sources, file, diagnostics: Vec::new(), elaborated: None };
    match entries(file, text, options, &mut out.sources.origins, &mut out.diagnostics) {
        Ok(e) if !out.diagnostics.iter().any(Diagnostic::is_error) => out.elaborated = Some(e),
        Ok(_) => {}
        Err(mut errors) => out.diagnostics.append(&mut errors),
    }
    out
}

fn entries(
    file: meshloom_ir::FileId,
    text: &str,
    options: &FrontOptions,
    origins: &mut Origins,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Elaborated, Vec<Diagnostic>> {
    if let Some(d) = foreign::text(text) {
        return Err(vec![d.at(Span { file, start: 0, end: 0 }, "")]);
    }
    if let Some(training) = train::said(text) {
        let whole = part(file, training.whole, options, origins, diagnostics)?;
        let micro = training.micro.as_ref().map(|m| part(file, m, options, origins, &mut Vec::new())).transpose()?;
        return match diagnostics.iter().any(Diagnostic::is_error) {
            true => Err(Vec::new()),
            false => train::entry(&training, whole, micro, options, diagnostics),
        };
    }
    let MainFunction { mut func, mesh, span } = part(file, text, options, origins, diagnostics)?;
    // The layers of stages are a loop already.
    if options.pipe.is_none() {
        func = roll::wanted(func, options, diagnostics);
    }
    let mut pipeline = None;
    if !diagnostics.iter().any(Diagnostic::is_error) {
        match stages::staged(&mut func, options, span) {
            Ok(found) => pipeline = found.map(Box::new),
            Err(d) => diagnostics.push(*d),
        }
    }
    let entry = Entry { name: func.name.clone(), func, kind: EntryKind::Function, span, pipeline };
    Ok(Elaborated { mesh, layout: None, entries: vec![entry], asserts: Vec::new() })
}

/// Reads a module. What cannot be imported is added to `diagnostics`.
///
/// # Errors
/// It cannot be read, or has no `@main`.
fn part(
    file: meshloom_ir::FileId,
    text: &str,
    options: &FrontOptions,
    origins: &mut Origins,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<MainFunction, Vec<Diagnostic>> {
    let lexemes = lexer::lex(file, text).map_err(|d| vec![*d])?;
    let trees = tree::trees(&lexemes).map_err(|d| vec![*d])?;
    let module = module::module(&trees)?;
    let meshes = sharding::Meshes::of(&module, &trees, options, diagnostics);
    module.functions.iter().for_each(|f| sharding::edges::check(f, diagnostics));
    let Some(f) = module.functions.iter().find(|f| f.name == "main") else {
        let names: Vec<&str> = module.functions.iter().map(|f| f.name).collect();
        return Err(vec![
            Diagnostic::error("mlir-entry", "the module has no function `@main`")
                .note(format!("its functions are {}", names.join(", "))),
        ]);
    };
    let mut import = Import {
        module: &module,
        meshes: &meshes,
        b: Builder::new(f.name, meshes.devices.mesh.clone()),
        scopes: Vec::new(),
        levels: Vec::new(),
        calls: 0,
        ops: 0,
        locations: Locations::of(&module, std::mem::take(origins)),
        diagnostics,
        part: None,
        lift: None,
        manual: Vec::new(),
        places: BTreeMap::new(),
        elaborated: BTreeMap::new(),
        groups: BTreeMap::new(),
    };
    import.entry(f);
    *origins = import.locations.origins;
    let mut func = import.b.finish();
    func.mesh.clone_from(&meshes.planned);
    if options.mesh.is_some() {
        sharding::asked::uneven(&func, diagnostics);
    }
    Ok(MainFunction { func, mesh: meshes.planned.clone(), span: f.span })
}

/// The first of some names that no port has; `own`, or that with a number behind it, if they all do.
fn free(ports: &[Port], names: Vec<Option<String>>, own: &str) -> String {
    let is_free = |name: &String| ports.iter().all(|p| p.name != *name);
    let numbered = (2..).map(|n| format!("{own}.{n}"));
    names.into_iter().flatten().chain([own.to_string()]).chain(numbered).find(is_free).unwrap_or_default()
}

/// What is written of the results of an entry.
struct ResultNames<'m>(Vec<&'m [Tree<'m>]>);

impl<'m> ResultNames<'m> {
    /// The name that JAX gives result `n`: its place in the user's structures.
    fn info(&self, n: usize) -> Option<String> {
        let text = read::setting(self.0.get(n)?, "jax.result_info")?.first()?.leaf(Token::Str)?;
        Some(path(text.trim_matches('"'))).filter(|p| !p.is_empty())
    }

    /// All of that: `result.1.a` for `result[1]['a']`.
    fn path(&self, n: usize) -> Option<String> {
        self.info(n).map(|n| if n == "result" { n } else { format!("result.{n}") })
    }

    /// The name of the parameter whose next value result `n` is: JAX names results, and parameters not at all.
    fn next(&self, n: usize) -> Option<String> {
        let named = self.info(n)?.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches('.').to_string();
        Some(named).filter(|n| !n.is_empty())
    }
}

/// The parameters of an entry, by input of the program.
#[derive(Default)]
struct Parameters {
    scope: HashMap<String, ValueId>,
    /// Of types that the IR does not have.
    lost: Vec<String>,
    /// By result: the parameter whose buffer it takes, which is to say whose next value it is.
    aliases: BTreeMap<usize, usize>,
    /// Donated, and of no particular result.
    donors: Vec<usize>,
}

impl<'m> Import<'m> {
    fn entry(&mut self, f: &'m Function<'m>) {
        let apart = |list: &'m [Tree<'m>]| list.iter().filter_map(|t| t.group(b'{')).collect::<Vec<_>>();
        let own = result_attrs(f.results);
        let names = ResultNames(if f.result_attrs.is_empty() { own } else { apart(f.result_attrs) });
        let arguments = apart(f.arg_attrs);
        let mut found = Parameters::default();
        for (i, mut p) in parameters(f.params).into_iter().enumerate() {
            p.attrs = arguments.get(i).copied().unwrap_or(p.attrs);
            self.parameter(&p, &names, &mut found);
        }
        let Parameters { scope, lost, mut aliases, donors } = found;
        self.open_function(scope);
        self.lose(lost);
        self.b.span = f.span;
        let results = self.ops(&f.body).and_then(|made| self.joined(&f.body, made));
        let results = results.and_then(|made| self.at_ports(made));
        self.close_frame();
        let (results, complex): (Vec<ValueId>, Vec<bool>) = match results {
            Ok(results) => results.into_iter().unzip(),
            Err(e) => return self.refuse(f.span, e),
        };
        let written = result_types(f.results);
        let is_token = |i: &usize| written.get(*i).is_some_and(|t| types::is_token(t));
        let is_unsigned = |i: usize| written.get(i).is_some_and(|t| types::element(t) == "ui64");
        let takes =
            |i: usize, port: &Port| !is_token(&i) && port.complex == complex[i] && port.unsigned == is_unsigned(i);
        self.take_donors(&results, &takes, &names, donors, &mut aliases);
        self.check_aliases(&aliases, &results, &complex);
        for (i, v) in results.into_iter().enumerate().filter(|(i, _)| !is_token(i)) {
            let rank = self.b.ty(v).rank() - usize::from(complex[i]);
            let updates = aliases.get(&i).copied();
            let name = match updates {
                Some(j) => self.b.func.inputs[j].name.clone(),
                None => free(&self.b.func.outputs, vec![names.path(i)], &format!("result{i}")),
            };
            let role = if updates.is_some() { Role::State } else { Role::Output };
            let mut port = Port { span: f.span, updates, ..Port::new(name, role, rank) };
            port.unsigned = is_unsigned(i);
            let attrs = names.0.get(i).copied().unwrap_or_default();
            self.constraint(attrs, &mut port.constraint, f.span);
            self.whole(&mut port, "result");
            if complex[i] {
                complex::mark(&mut port);
            }
            self.b.output(v, port);
        }
    }

    /// Results in the types in which an entry gives them.
    fn at_ports(&mut self, made: Vec<(ValueId, bool)>) -> Result<Vec<(ValueId, bool)>, String> {
        let held = |(v, complex): (ValueId, bool)| {
            let to = small_float::held_at_ports(self.b.ty(v).dtype);
            Ok((self.convert(v, to)?, complex))
        };
        made.into_iter().map(held).collect()
    }

    /// One parameter of the entry, as an input.
    fn parameter(&mut self, p: &Parameter<'m>, names: &ResultNames<'m>, found: &mut Parameters) {
        if found.scope.contains_key(p.name) || found.lost.iter().any(|l| l == p.name) {
            return self.refuse(p.span, format!("`{}` is defined twice", p.name));
        }
        let ty = match types::tensor(p.ty) {
            Ok(ty) => ty,
            Err(e) => {
                self.refuse(p.span, e);
                found.lost.push(p.name.to_string());
                return;
            }
        };
        if types::is_token(p.ty) {
            let token = self.token();
            found.scope.insert(p.name.to_string(), token);
            return;
        }
        let aliased = p.attr("tf.aliasing_output").map(read::ints).and_then(|n| n.first().copied());
        let aliased = aliased.and_then(|n| usize::try_from(n).ok());
        let own = p.name.trim_start_matches('%').to_string();
        let given = p.attr("jax.arg_info").and_then(|t| t.first()?.leaf(Token::Str));
        let given = given.map(|t| path(t.trim_matches('"'))).filter(|name| !name.is_empty());
        let given = given.or_else(|| Some(path(&self.locations.name(p.loc?)?)).filter(|name| is_name(name)));
        let next = aliased.map(|n| [names.next(n), names.path(n)]).unwrap_or_default();
        let name = free(&self.b.func.inputs, [&next[..1], &[given], &next[1..]].concat(), &own);
        let role = if aliased.is_some() { Role::State } else { Role::Input };
        let mut port = Port { span: p.span, ..Port::new(name, role, ty.rank()) };
        if let Some(n) = aliased
            && let Some(other) = found.aliases.insert(n, self.b.func.inputs.len())
        {
            let other = &self.b.func.inputs[other].name;
            self.refuse(p.span, format!("`{own}` gives its buffer to result {n}, and so does `{other}`"));
        }
        if p.attr("jax.buffer_donor").is_some_and(|t| t.first().and_then(|t| t.leaf(Token::Word)) == Some("true")) {
            found.donors.push(self.b.func.inputs.len());
        }
        self.constraint(p.attrs, &mut port.constraint, p.span);
        self.whole(&mut port, "parameter");
        self.b.span = p.span;
        if let Some(loc) = p.loc {
            self.locations.note(p.span, loc);
        }
        if types::is_complex(p.ty) {
            complex::mark(&mut port);
            match self.separated(ty, port) {
                Ok(parts) => found.scope.extend(scope::of_parts([p.name], [true]).into_iter().zip(parts)),
                Err(e) => self.refuse(p.span, e),
            }
            return;
        }
        let dtype = ty.dtype;
        port.unsigned = types::element(p.ty) == "ui64";
        let v = self.b.input(TensorType { dtype: small_float::held_at_ports(dtype), ..ty }, port);
        match self.convert(v, dtype) {
            Ok(v) => _ = found.scope.insert(p.name.to_string(), v),
            Err(e) => self.refuse(p.span, e),
        }
    }

    /// Chooses the donated argument whose buffer a result takes. If shardings are left to the compiler, JAX leaves this choice
    /// open as well. JAX's own rule otherwise is the first donated argument of the result's type. `takes` says which arguments
    /// of a type may be taken, since types that the IR represents alike can differ.
    fn take_donors(
        &mut self,
        results: &[ValueId],
        takes: &dyn Fn(usize, &Port) -> bool,
        names: &ResultNames<'m>,
        mut donors: Vec<usize>,
        aliases: &mut BTreeMap<usize, usize>,
    ) {
        for (i, &v) in results.iter().enumerate() {
            if aliases.contains_key(&i) {
                continue;
            }
            let fits =
                |&d: &usize| self.b.ty(self.b.func.body().args[d]) == self.b.ty(v) && takes(i, &self.b.func.inputs[d]);
            let Some(at) = donors.iter().position(fits) else { continue };
            let donor = donors.remove(at);
            aliases.insert(i, donor);
            let port = &mut self.b.func.inputs[donor];
            port.role = Role::State;
            let own = std::mem::take(&mut port.name);
            let name = free(&self.b.func.inputs, vec![names.next(i), names.path(i)], &own);
            self.b.func.inputs[donor].name = name;
        }
    }

    /// A result that takes an argument's buffer has to exist, and to be of its type.
    fn check_aliases(&mut self, aliases: &BTreeMap<usize, usize>, results: &[ValueId], complex: &[bool]) {
        for (&n, &input) in aliases {
            let (port, ty) = (&self.b.func.inputs[input], self.b.ty(self.b.func.body().args[input]));
            let wrong = match results.get(n) {
                Some(&v) if self.b.ty(v) == ty && complex[n] == port.complex => continue,
                Some(&v) => format!("which is {}", self.b.ty(v)),
                None => format!("of {}", results.len()),
            };
            let why = format!("`{}` is {ty} and gives its buffer to result {n}, {wrong}", port.name);
            self.refuse(port.span, why);
        }
    }

    /// Imports the ops of a function's body; what it returns.
    ///
    /// # Errors
    /// It returns nothing; or nothing, where what is in the way has been said.
    fn ops(&mut self, ops: &[TextOp<'m>]) -> Result<Vec<ValueId>, String> {
        self.steps(ops)?.ok_or_else(|| "this ends without a `return`".to_string())
    }

    /// Imports ops up to the first that returns; what that returns.
    fn steps(&mut self, ops: &[TextOp<'m>]) -> Result<Option<Vec<ValueId>>, String> {
        if !manual::between_calls(ops) {
            return self.in_turn(ops);
        }
        for step in manual::in_pieces(ops) {
            match step {
                manual::ManualStep::Outside(op) => {
                    if let Some(out) = self.in_turn(&[op])? {
                        return Ok(Some(out));
                    }
                }
                manual::ManualStep::Region { enter, inside, leave } => {
                    self.region_of_calls(ops, &enter, &inside, &leave)
                }
            }
        }
        Ok(None)
    }

    /// Imports ops in the place of the op that they stand in.
    fn in_turn(&mut self, ops: &[TextOp<'m>]) -> Result<Option<Vec<ValueId>>, String> {
        let around = self.b.span;
        let out = self.one_by_one(ops, around);
        self.b.span = around;
        out
    }

    fn one_by_one(&mut self, ops: &[TextOp<'m>], around: Span) -> Result<Option<Vec<ValueId>>, String> {
        for op in ops {
            self.ops += 1;
            if let Some(loc) = op.loc {
                self.locations.note(op.span, loc);
            }
            self.b.span = self.locations.placed(op.span, around);
            if self.ops > MAX_OPS {
                self.refuse(op.span, format!("more than {MAX_OPS} ops with all calls inlined"));
                return Err(String::new());
            }
            if matches!(op.name, "return" | "func.return" | "stablehlo.return" | "sdy.return" | "mhlo.return") {
                return self.operands(op).map(Some).map_err(|e| {
                    self.refuse(op.span, e);
                    String::new()
                });
            }
            if op.name == "stablehlo.tuple" {
                let parts = op.operands().into_iter().map(|name| self.values(&[name])).collect::<Result<_, _>>();
                match (parts, &op.results[..]) {
                    (Ok(parts), [name]) => self.define_tuple(name, parts),
                    (Err(e), _) => self.refuse(op.span, e),
                    _ => self.refuse(op.span, "a tuple has one name"),
                }
                continue;
            }
            let made = match op.name {
                "call" | "func.call" => self.call(op),
                name => match rule(name) {
                    Some(rule) if op.is_complex() => complex::import(self, op, rule),
                    Some(rule) => rule(self, op),
                    None => complex::rule(name).map_or_else(|| Err(refused::op(name)), |rule| rule(self, op)),
                },
            };
            let made = made.and_then(|made| small_float::check(op).map(|()| made));
            let made = made.and_then(|made| self.in_range(op, made));
            let made = made.and_then(|made| self.lifted(made));
            let made = made.and_then(|made| self.as_written(op, made));
            match made.and_then(|made| self.as_sharded(op, made)) {
                Ok(made) => self.define(&op.names_of_parts(), made),
                Err(e) => {
                    self.refuse(op.span, e);
                    self.stand_in(op);
                }
            }
        }
        Ok(None)
    }

    /// Checks results against the types that are written.
    fn as_written(&self, op: &TextOp<'_>, made: Vec<ValueId>) -> Result<Vec<ValueId>, String> {
        if made.len() != op.names_of_parts().len() {
            return Err(format!("`{}` has {} results, and {} names", op.name, made.len(), op.results.len()));
        }
        let mut of_results = made.iter();
        for (want, complex) in op.result_types()?.iter().zip(op.complex_results()) {
            for &v in of_results.by_ref().take(1 + usize::from(complex)) {
                let got = self.b.ty(v);
                let scalar = self.lift.is_some() && want.shape.is_empty() && got.dtype == want.dtype;
                if got != want && !scalar {
                    return Err(format!("`{}` gives {got} here, and {want} is written", op.name));
                }
            }
        }
        Ok(made)
    }

    /// Names for the results of an op that could not be imported: zeros of the types that are written, as far as there are
    /// such types.
    fn stand_in(&mut self, op: &TextOp<'_>) {
        match op.result_types() {
            Ok(types) if types.len() == op.results.len() => {
                let mut zeros = Vec::new();
                for (t, complex) in types.iter().zip(op.complex_results()) {
                    let zero = self.b.constant(t.dtype, &t.shape, 0.0);
                    zeros.extend(vec![zero; 1 + usize::from(complex)]);
                }
                self.define(&op.names_of_parts(), zeros);
            }
            _ => self.lose(op.results.iter().cloned()),
        }
    }

    fn call(&mut self, op: &TextOp<'m>) -> Result<Vec<ValueId>, String> {
        let name = op.items.iter().find_map(|t| t.leaf(Token::Symbol));
        let name = name.or_else(|| op.attr("callee")?.first()?.leaf(Token::Symbol));
        let operands = self.operands(op)?;
        self.inlined(name.ok_or("this call names no function")?, &operands)
    }

    /// Imports the ops of a function in place.
    ///
    /// # Errors
    /// There is no such function, it takes other arguments, or it is called from itself.
    pub fn inlined(&mut self, name: &str, operands: &[ValueId]) -> Result<Vec<ValueId>, String> {
        let (module, name) = (self.module, module::symbol(name));
        let Some(f) = module.functions.iter().find(|f| f.name == name) else {
            return Err(format!("there is no function `{name}`"));
        };
        let params = parameters(f.params);
        let names = scope::of_parts(params.iter().map(|p| p.name), params.iter().map(|p| types::is_complex(p.ty)));
        if names.len() != operands.len() {
            return Err(format!("`{name}` takes {} arguments, and gets others", params.len()));
        }
        let names = names.into_iter().zip(operands.iter().copied()).collect();
        self.in_place(names, &f.body)
    }

    /// Imports ops that see nothing but these names; what they return.
    ///
    /// # Errors
    /// They return nothing, or stand too deep.
    pub fn in_place(&mut self, names: HashMap<String, ValueId>, ops: &[TextOp<'m>]) -> Result<Vec<ValueId>, String> {
        if self.calls >= DEPTH {
            return Err(format!("calls are nested more than {DEPTH} deep"));
        }
        self.open_function(names);
        self.calls += 1;
        let out = self.ops(ops);
        self.calls -= 1;
        self.close_frame();
        out
    }
}

/// `result[0]['p']['blocks'][1]['wq']` as `0.p.blocks.1.wq`; without the word itself.
fn path(info: &str) -> String {
    let inner =
        info.strip_prefix("result").filter(|rest| rest.is_empty() || rest.starts_with(['[', '.'])).unwrap_or(info);
    let parts = inner.split(['[', ']', '.', '\'', '"']).filter(|p| !p.is_empty());
    parts.collect::<Vec<_>>().join(".")
}

/// Whether a name is one that people gave: not `args[<flat index 0>]`.
fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "._-/".contains(c))
}

/// The type of each result.
fn result_types<'m>(trees: &'m [Tree<'m>]) -> Vec<&'m str> {
    let list = trees.split(|t| t.leaf(Token::Comma).is_some());
    let of = |t: &'m Tree<'m>| t.leaf(Token::Tensor).or(t.leaf(Token::Dialect));
    list.map(|r| r.iter().find_map(of).unwrap_or_default()).collect()
}

/// The attributes of each result: `(tensor<..> {..}, ..)`.
fn result_attrs<'m>(trees: &'m [Tree<'m>]) -> Vec<&'m [Tree<'m>]> {
    let list = trees.split(|t| t.leaf(Token::Comma).is_some());
    list.map(|r| r.iter().find_map(|t| t.group(b'{')).unwrap_or_default()).collect()
}
