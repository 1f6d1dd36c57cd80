//! Programs that check themselves, op by op: StableHLO's interpreter tests and Shardy's executables. A script makes values, runs
//! functions on several devices (`interpreter.run_parallel`), and compares what comes out (`check.expect_eq` ..).
//!
//! Each op of a script is a program of one op here, which is imported and evaluated. A function that runs on several devices is
//! planned, certified and run on as many simulated ones: either it is a global program with shardings (Shardy), or the program of
//! one device with collectives, which is put into a manual region (StableHLO).

use super::{Verdict, compare, imported, tried};
use meshloom_ir::interp::{eval::eval, spmd};
use meshloom_ir::layout::Constraint;
use meshloom_ir::{Func, Layout, Span, Tensor};
use meshloom_plan::{Mode, PlanOptions};
use meshloom_source::SourceMap;
use meshloom_stablehlo::lexer::{self, Lexeme, Token};
use meshloom_stablehlo::module::{self, Function, TextOp};
use meshloom_stablehlo::tree::{self, Tree};
use std::collections::BTreeMap;

/// The functions of a script, and the text that they stand in.
struct Script<'s> {
    name: &'s str,
    text: &'s str,
    /// Functions that ops call, as text.
    library: String,
    /// Texts of programs with shardings for several devices; without any, the library's functions run on a device each.
    global: &'s [String],
    /// By name: the type as it is written, and the value.
    values: BTreeMap<String, (String, Tensor)>,
}

fn internal(e: impl std::fmt::Display) -> Verdict {
    Verdict::Internal(e.to_string())
}

/// Every value that trees name.
fn names<'s>(trees: &'s [Tree<'s>], out: &mut Vec<&'s str>) {
    for t in trees {
        match t {
            Tree::Group(g) => names(&g.trees, out),
            leaf => out.extend(leaf.leaf(Token::Value)),
        }
    }
}

/// Every tensor type in trees.
fn types<'s>(trees: &'s [Tree<'s>], out: &mut Vec<&'s str>) {
    for t in trees {
        match t {
            Tree::Group(g) => types(&g.trees, out),
            leaf => out.extend(leaf.leaf(Token::Tensor)),
        }
    }
}

fn symbols<'s>(trees: &'s [Tree<'s>], out: &mut Vec<&'s str>) {
    for t in trees {
        match t {
            Tree::Group(g) => symbols(&g.trees, out),
            leaf => out.extend(leaf.leaf(Token::Symbol).map(module::symbol)),
        }
    }
}

/// The types of an op's results, as they are written.
fn result_types<'s>(op: &TextOp<'s>) -> Vec<&'s str> {
    let mut all = Vec::new();
    match op.types.iter().position(|t| t.leaf(Token::Arrow).is_some()) {
        Some(at) => types(&op.types[at + 1..], &mut all),
        None => {
            types(op.types, &mut all);
            all = all.split_off(all.len().saturating_sub(op.results.len()));
        }
    }
    all
}

impl<'s> Script<'s> {
    fn slice(&self, span: Span) -> &'s str {
        &self.text[span.start as usize..span.end as usize]
    }

    /// Runs a function that takes nothing.
    fn run(&mut self, f: &Function<'s>) -> Result<(), Verdict> {
        for op in &f.body {
            match op.name {
                "return" | "func.return" | "stablehlo.return" => return Ok(()),
                "interpreter.run_parallel" => self.parallel(op)?,
                "check.expect_eq" | "check.expect_almost_eq" | "check.expect_close" => {
                    let [got, want] = op.operands()[..] else { return Err(internal("two operands are compared")) };
                    self.expect(op, got, &self.value(want)?.1)?;
                }
                "check.expect_eq_const" | "check.expect_almost_eq_const" => {
                    let mut own = Vec::new();
                    types(op.types, &mut own);
                    let operands = op.operands();
                    let (Some(ty), [got]) = (own.last(), &operands[..]) else { return Err(internal("no type")) };
                    let text = self.slice(op.span);
                    let from = text.find("dense").ok_or_else(|| internal("a constant that is none"))?;
                    let to = text.rfind(':').ok_or_else(|| internal("a constant without type"))?;
                    let constant = format!("%want = stablehlo.constant {} : {ty}", text[from..to].trim());
                    let want = self.evaluated(&constant, &[], &["%want".to_string()], &[ty])?;
                    self.expect(op, got, &want[0])?;
                }
                _ => {
                    let mut used = Vec::new();
                    names(op.items, &mut used);
                    names(op.rest, &mut used);
                    let types = result_types(op);
                    let made = self.evaluated(self.slice(op.span), &used, &op.results, &types)?;
                    self.define(&op.results, &types, made);
                }
            }
        }
        Ok(())
    }

    fn define(&mut self, names: &[String], types: &[&str], made: Vec<Tensor>) {
        for ((name, ty), value) in names.iter().zip(types).zip(made) {
            self.values.insert(name.clone(), (ty.to_string(), value));
        }
    }

    fn value(&self, name: &str) -> Result<&(String, Tensor), Verdict> {
        self.values.get(name).ok_or_else(|| internal(format!("`{name}` is not there")))
    }

    fn expect(&self, op: &TextOp<'_>, got: &str, want: &Tensor) -> Result<(), Verdict> {
        let (ty, got) = self.value(got)?;
        let wrong = |e: String| Verdict::Wrong(format!("{}: {e}", self.slice(op.span)));
        if !want.ty.dtype.is_float() || op.name.starts_with("check.expect_eq") {
            let complex = [ty.contains("complex")];
            return compare(std::slice::from_ref(got), std::slice::from_ref(want), false, &complex).map_err(wrong);
        }
        // What almost equal is, the suite says: 1e-4 where a check says nothing else, in 16 bits so many last places.
        let places = op.int("max_ulp_difference").map_or(0.0, |n| n as f64 * 2f64.powi(-10));
        let within = op.attr("tolerance").and_then(|t| t.first()?.leaf(Token::Float)?.parse().ok());
        let within = within.unwrap_or(if want.ty.dtype.bytes() == 2 { places.max(1e-4) } else { 1e-4 });
        if got.ty != want.ty {
            return Err(wrong(format!("{}, should be {}", got.ty, want.ty)));
        }
        for e in 0..want.len() {
            let (x, y) = (got.f(e), want.f(e));
            if !(x == y || x.is_nan() && y.is_nan() || (x - y).abs() <= within * y.abs().max(1.0)) {
                return Err(wrong(format!("element {e} is {x:e}, should be {y:e}")));
            }
        }
        Ok(())
    }

    /// What an op makes of the values that it reads.
    fn evaluated(&self, op: &str, used: &[&str], results: &[String], types: &[&str]) -> Result<Vec<Tensor>, Verdict> {
        let given: BTreeMap<&str, &(String, Tensor)> =
            used.iter().filter_map(|&n| Some((n, self.values.get(n)?))).collect();
        let params: Vec<String> = given.iter().map(|(n, v)| format!("{n}: {}", v.0)).collect();
        let text = format!(
            "module {{\nfunc.func public @main({}) -> ({}) {{\n{op}\nreturn {} : {}\n}}\n{}\n}}",
            params.join(", "),
            types.join(", "),
            results.join(", "),
            types.join(", "),
            self.library
        );
        let func = imported(self.name, &text, Some(&[]))?;
        let inputs: Vec<Tensor> = given.values().map(|v| v.1.clone()).collect();
        eval(&func, &inputs).map_err(internal)
    }

    /// `run_parallel(%a, %b ..) {programs = [[@f, ..], ..]}`: rows are replicas, and in each are its partitions.
    fn parallel(&mut self, op: &TextOp<'s>) -> Result<(), Verdict> {
        let rows = op.attr("programs").and_then(|t| t.first()?.group(b'[')).ok_or_else(|| internal("no programs"))?;
        let rows: Vec<Vec<&str>> = rows
            .iter()
            .filter_map(|t| {
                let mut row = Vec::new();
                symbols(t.group(b'[')?, &mut row);
                Some(row)
            })
            .collect();
        let all: Vec<&str> = rows.iter().flatten().copied().collect();
        let devices = all.len();
        if all.iter().any(|f| *f != all[0]) {
            return Err(Verdict::Refused("devices that run different programs".into()));
        }
        if self.global.is_empty() && rows.len() > 1 && rows[0].len() > 1 {
            return Err(Verdict::Refused("replicas of several partitions".into()));
        }
        let given = op.operands().into_iter().map(|n| self.value(n).cloned()).collect::<Result<Vec<_>, _>>()?;
        let arity = given.len() / devices;
        let results = op.results.len() / devices;
        let types = result_types(op);
        let per_device: Vec<Vec<Tensor>> =
            (0..devices).map(|d| given[d * arity..(d + 1) * arity].iter().map(|v| v.1.clone()).collect()).collect();
        let out = match self.global.iter().find(|text| text.contains(&format!("@{}", all[0]))) {
            Some(text) => self.sharded(text, all[0], &per_device)?,
            None => {
                let of: Vec<&str> = given[..arity].iter().map(|v| v.0.as_str()).collect();
                // Replicas of one partition each: what is exchanged between partitions stays where it is, as between no devices.
                let library = match rows.len() {
                    1 => self.library.to_string(),
                    _ => self.library.replace("handle = 1", "handle = 0"),
                };
                self.on_each(all[0], &library, &of, &types[..results], &per_device)?
            }
        };
        self.define(&op.results, &types, out.into_iter().flatten().collect());
        Ok(())
    }

    /// A program with shardings: as it says where it says something, else replicated.
    fn sharded(&self, text: &str, name: &str, inputs: &[Vec<Tensor>]) -> Result<Vec<Vec<Tensor>>, Verdict> {
        // As `@name(` or `@name (`.
        let text = text.replace(&format!("@{name}("), "@main(").replace(&format!("@{name} ("), "@main(");
        let mut func = imported(self.name, &text, None)?;
        let ranks: Vec<usize> =
            func.body().args.iter().chain(&func.body().yields).map(|&v| func.ty(v).rank()).collect();
        for (port, rank) in func.inputs.iter_mut().chain(&mut func.outputs).zip(ranks) {
            let c = &port.constraint;
            let layout = c.least().unwrap_or_else(|| Layout::replicated(rank));
            port.constraint = Constraint::exactly(&layout);
        }
        if func.mesh.devices() != inputs.len() as u64 {
            return Err(Verdict::Refused("devices of no mesh".into()));
        }
        Ok(spmd::run(&local(&func)?, inputs).map_err(internal)?.0)
    }

    /// The program of one device, in a manual region over all of them: blocks of a new first dim.
    fn on_each(
        &self,
        name: &str,
        library: &str,
        takes: &[&str],
        gives: &[&str],
        inputs: &[Vec<Tensor>],
    ) -> Result<Vec<Vec<Tensor>>, Verdict> {
        let devices = inputs.len();
        let with = |ty: &str, n: usize| ty.replacen("tensor<", &format!("tensor<{n}x"), 1);
        let list = |f: &dyn Fn(usize) -> String, n: usize| (0..n).map(f).collect::<Vec<_>>().join(", ");
        let open = |ty: &str| "{}, ".repeat(ty.matches('x').count() - ty.matches("complex").count());
        let lies = |ty: &str| format!("<@all, [{{\"d\"}}, {}]>", open(ty).trim_end_matches(", ")).replace(", ]", "]");
        let (n, m) = (takes.len(), gives.len());
        let reshape =
            |to: &str, from: &str, f: &str, t: &str| format!("{to} = stablehlo.reshape {from} : ({f}) -> {t}\n");
        let inside: String = (0..n)
            .map(|k| reshape(&format!("%x{k}"), &format!("%b{k}"), &with(takes[k], 1), takes[k]))
            .collect::<String>()
            + &format!(
                "{}func.call @{name}({}) : ({}) -> ({})\n",
                if m == 0 { String::new() } else { format!("%y:{m} = ") },
                list(&|k| format!("%x{k}"), n),
                takes.join(", "),
                gives.join(", ")
            )
            + &(0..m)
                .map(|k| {
                    let from = if m == 1 { "%y".to_string() } else { format!("%y#{k}") };
                    reshape(&format!("%z{k}"), &from, gives[k], &with(gives[k], 1))
                })
                .collect::<String>();
        let inside = if m == 1 { inside.replace("%y:1 =", "%y =") } else { inside };
        let text = format!(
            "module {{\nsdy.mesh @all = <[\"d\"={devices}]>\nfunc.func public @main({}) -> ({}) {{\n\
             %r:{m} = sdy.manual_computation({}) in_shardings=[{}] out_shardings=[{}] manual_axes={{\"d\"}} ({}) {{\n\
             {inside}sdy.return {} : {}\n}} : ({}) -> ({})\nreturn {} : {}\n}}\n{}\n}}",
            list(
                &|k| format!("%a{k}: {} {{sdy.sharding = #sdy.sharding{}}}", with(takes[k], devices), lies(takes[k])),
                n
            ),
            list(&|k| with(gives[k], devices), m),
            list(&|k| format!("%a{k}"), n),
            list(&|k| lies(takes[k]), n),
            list(&|k| lies(gives[k]), m),
            list(&|k| format!("%b{k}: {}", with(takes[k], 1)), n),
            list(&|k| format!("%z{k}"), m),
            list(&|k| with(gives[k], 1), m),
            list(&|k| with(takes[k], devices), n),
            list(&|k| with(gives[k], devices), m),
            list(&|k| if m == 1 { "%r".to_string() } else { format!("%r#{k}") }, m),
            list(&|k| with(gives[k], devices), m),
            library
        );
        let text = if m == 1 { text.replace("%r:1 =", "%r =") } else { text };
        let func = imported(self.name, &text, None)?;
        let wide: Vec<Vec<Tensor>> =
            inputs.iter().map(|d| d.iter().map(|t| reshaped(t, &[&[1], &t.ty.shape[..]].concat())).collect()).collect();
        let stacked: Vec<Tensor> =
            (0..n).map(|k| Tensor::concat(&wide.iter().map(|d| &d[k]).collect::<Vec<_>>(), 0)).collect();
        let (out, _) = spmd::run_for(&func, &local(&func)?, &stacked).map_err(internal)?;
        let row = |t: &Tensor, d: usize| reshaped(&t.block(0, d, 1), &t.ty.shape[1..]);
        Ok((0..devices).map(|d| out.iter().map(|t| row(t, d)).collect()).collect())
    }
}

/// The same elements in another shape.
fn reshaped(t: &Tensor, shape: &[u64]) -> Tensor {
    let mut out = t.clone();
    out.ty.shape = shape.to_vec();
    out
}

/// The program of each device, with its proof.
fn local(func: &Func) -> Result<Func, Verdict> {
    let options = PlanOptions { mode: Mode::Follow, ..PlanOptions::default() };
    let p = meshloom_plan::plan(func, &options).map_err(|e| internal(format!("{e:?}")))?;
    meshloom_certify::check(func, &p.local, &p.certificate).map_err(|e| internal(format!("{e:?}")))?;
    Ok(p.local)
}

/// Runs all functions of a text that take nothing and compare something; `global` are programs with shardings that they run.
pub fn run(name: &str, text: &str, library: &str, global: &[String]) -> Vec<(String, Verdict)> {
    let file = SourceMap::new().add(name, text);
    let lexemes: Vec<Lexeme<'_>> = match lexer::lex(file, text) {
        Ok(all) => all,
        Err(d) => return vec![(name.to_string(), Verdict::Refused(d.message.clone()))],
    };
    let trees = match tree::trees(&lexemes) {
        Ok(trees) => trees,
        Err(d) => return vec![(name.to_string(), Verdict::Refused(d.message.clone()))],
    };
    let module = match module::module(&trees) {
        Ok(module) => module,
        Err(all) => return vec![(name.to_string(), Verdict::Refused(all[0].message.clone()))],
    };
    let checks = |f: &&Function<'_>| {
        f.params.is_empty() && f.body.iter().any(|op| op.name.starts_with("check.") || op.name.contains("run_parallel"))
    };
    let others = module.functions.iter().filter(|f| !checks(f));
    // A function begins at its first word, and ends where the next one begins, or the module.
    let own: Vec<&str> = others.map(|f| function(text, f)).collect();
    let library = format!("{library}\n{}", own.join("\n"));
    let scripts = module.functions.iter().filter(checks);
    scripts
        .map(|f| {
            let verdict =
                tried(|| Script { name, text, library: library.clone(), global, values: BTreeMap::new() }.run(f));
            (format!("{name} @{}", f.name), verdict)
        })
        .collect()
}

/// The text of a function, to the bracket that closes its body.
fn function<'s>(text: &'s str, f: &Function<'_>) -> &'s str {
    let rest = &text[f.span.start as usize..];
    let end = f.body.last().map_or(0, |op| op.span.end as usize - f.span.start as usize);
    &rest[..end + rest[end..].find('}').map_or(0, |at| at + 1)]
}
