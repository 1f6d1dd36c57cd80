//! The public suites of StableHLO and Shardy, from checkouts that the user names. Nothing of them is in this repository.
//!
//! ```text
//! make test-suites STABLEHLO=../stablehlo SHARDY=../shardy
//! ```
//!
//! - `stablehlo/testdata`: programs that JAX printed, each with the numbers that it computed. They run in the interpreter, and those
//!   that take inputs run once more in a layout of a 2x2 and of a 2x3 mesh, planned, certified and on simulated devices.
//! - `stablehlo/tests/interpret`: programs that compare each value with a constant, some of them on several devices ([`scripts`]).
//! - `shardy/dialect/sdy/ir/test`: what Shardy's verifier accepts and refuses.
//! - `shardy/dialect/sdy/transforms/export/test/executable_*`: programs with shardings, and what each device should have.
//!
//! A file that is refused is counted under what the compiler says of it. Wrong numbers and internal errors fail the test.

mod scripts;

use meshloom_ir::interp::{eval::eval, spmd};
use meshloom_ir::layout::Constraint;
use meshloom_ir::{DType, Func, Mesh, Tensor};
use meshloom_plan::{Mode, PlanOptions};
use meshloom_random as random;
use meshloom_source::FrontOptions;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// Files whose numbers are not matched, and why.
const OTHERWISE: [(&str, &str); 5] = [
    ("lgamma_float32_20_20_chlo.mlir", "near a zero XLA's own is off by 7e-5; the interpreter's is the nearest f32"),
    ("replica_id.mlir @main", "programs that JAX lowers are one replica of several partitions"),
    ("sdy_all_reduce.mlir @main", "each device gets other numbers of a tensor that is replicated"),
    ("stablehlo_reduce_scatter.mlir @main", "each device gets other numbers of a tensor that is replicated"),
    ("stablehlo_reshape_1d_to_2d_split_custom_device_ids.mlir @main", "devices are numbered in the order of the mesh"),
];

/// A checkout, by the variable that names it.
fn checkout(name: &str) -> Option<PathBuf> {
    let dir = std::env::var_os(name).filter(|d| !d.is_empty()).map(PathBuf::from);
    if dir.is_none() {
        println!("{name} names no checkout");
    }
    dir
}

/// The files of a folder that end in `.mlir`, in the order of their names; with `MESHLOOM_SUITE=word` those whose names have it.
fn files(dir: &Path) -> Vec<(String, String)> {
    let word = std::env::var("MESHLOOM_SUITE").unwrap_or_default();
    let entries = std::fs::read_dir(dir).unwrap_or_else(|e| panic!("{}: {e}", dir.display()));
    let mut names: Vec<String> = entries.filter_map(|e| e.ok()?.file_name().into_string().ok()).collect();
    names.retain(|n| n.ends_with(".mlir") && n.contains(&word));
    names.sort();
    let read = |n: &String| String::from_utf8_lossy(&std::fs::read(dir.join(n)).unwrap()).into_owned();
    names.into_iter().map(|n| (n.clone(), read(&n))).collect()
}

/// What came of a program.
enum Verdict {
    Right,
    /// Refused, with the first message.
    Refused(String),
    Wrong(String),
    Internal(String),
}

/// A program of the suite as three: what it computes, as a function of its inputs; its inputs; what should come out.
struct Case {
    program: String,
    inputs: String,
    expected: String,
}

/// `%0:2 = call @inputs() : () -> (tensor<..>, tensor<..>)`: the name of the values, and their types.
fn call<'a>(text: &'a str, callee: &str) -> Option<(&'a str, &'a str, Vec<&'a str>)> {
    let line = text.lines().find(|l| l.contains(&format!("call @{callee}()")))?;
    let (name, rest) = line.trim().split_once('=')?;
    let types = rest.split_once("->")?.1.trim();
    let types = types.strip_prefix('(').and_then(|t| t.strip_suffix(')')).unwrap_or(types);
    Some((line, name.trim().split(':').next()?, split(types)))
}

/// A list at the commas outside of brackets.
fn split(list: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut from) = (Vec::new(), 0i32, 0);
    for (i, c) in list.char_indices() {
        match c {
            '<' | '(' | '{' | '[' => depth += 1,
            '>' | ')' | '}' | ']' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(list[from..i].trim());
                from = i + 1;
            }
            _ => {}
        }
    }
    parts.push(list[from..].trim());
    parts.retain(|p| !p.is_empty());
    parts
}

impl Case {
    fn read(text: &str) -> Option<Case> {
        let main = text.find("func.func public @main(")?;
        let end = main + text[main..].find("\n  }\n")?;
        let (head, body, tail) = (&text[..main], &text[main..end], &text[end + 5..]);
        let given = call(body, "inputs");
        let (_, wanted, _) = call(body, "expected")?;
        let (mut lines, mut compared) = (Vec::new(), Vec::new());
        for line in body.lines().skip(1) {
            if line.contains("custom_call @check.") {
                let operands = split(line.split_once('(')?.1.split_once(')')?.0);
                let types = split(line.rsplit_once(" : (")?.1.split_once(") ->")?.0);
                let number = operands[1].strip_prefix(wanted)?.trim_start_matches('#').parse().unwrap_or(0usize);
                compared.push((number, operands[0].to_string(), types[0].to_string()));
            } else if line.trim_start().starts_with("stablehlo.return")
                || !["call @inputs()", "call @expected()", "return "].iter().any(|w| line.contains(w))
            {
                lines.push(line.to_string());
            }
        }
        compared.sort();
        let (mut values, mut types): (Vec<String>, Vec<String>) = compared.into_iter().map(|c| (c.1, c.2)).unzip();
        let mut args = String::new();
        if let Some((_, name, inputs)) = given {
            let all: Vec<String> = inputs.iter().enumerate().map(|(i, t)| format!("%given{i}: {t}")).collect();
            args = all.join(", ");
            for line in lines.iter_mut().chain(&mut values) {
                *line = renamed(line, name, inputs.len());
            }
        }
        let (results, types) = (values.join(", "), std::mem::take(&mut types).join(", "));
        let lines = lines.join("\n");
        let entry =
            |callee: &str| text.replace("@main(", "@unused(").replace(&format!("private @{callee}("), "public @main(");
        let program = format!(
            "{head}func.func public @main({args}) -> ({types}) {{\n{lines}\n    return {results} : {types}\n  }}\n{tail}"
        );
        Some(Case { program, inputs: entry("inputs"), expected: entry("expected") })
    }
}

/// A line with `%0#1` as `%given1`, and `%0` alone as `%given0`.
fn renamed(line: &str, name: &str, count: usize) -> String {
    let mut out = line.to_string();
    for i in (0..count).rev() {
        out = out.replace(&format!("{name}#{i}"), &format!("%given{i}"));
    }
    let mut parts = out.split(name);
    let mut done = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let longer = part.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '#' || c == ':');
        done += if longer { name } else { "%given0" };
        done += part;
    }
    done
}

/// The function of a text, for a mesh or for the text's own.
fn imported(name: &str, text: &str, mesh: Option<&[(&str, u64)]>) -> Result<Func, Verdict> {
    let mesh = mesh.map(|m| m.iter().map(|(n, s)| (n.to_string(), *s)).collect());
    let out = meshloom_stablehlo::compile(name, text, &FrontOptions { mesh, ..FrontOptions::default() });
    let Some(made) = out.elaborated else {
        let said = out.diagnostics.iter().find(|d| d.is_error()).map_or("nothing was said", |d| d.message.as_str());
        return Err(Verdict::Refused(said.to_string()));
    };
    let func = made.entries.into_iter().next().ok_or_else(|| Verdict::Internal("no entry".into()))?.func;
    meshloom_ir::verify::verify(&func).map_err(|e| Verdict::Internal(format!("{e:?}")))?;
    Ok(func)
}

/// How far floats may be from what JAX computed, of the number or of 0.1: XLA's own functions round otherwise.
fn tolerance(dtype: DType) -> f64 {
    match dtype {
        DType::F64 => 1e-10,
        DType::F32 => 2e-5,
        d if d.is_float() => 0.02,
        _ => 0.0,
    }
}

/// Whether results are those of the file. Sums are compared with the largest of them: terms cancel, and XLA adds in another order; and
/// the parts of a complex number with its absolute value.
fn compare(got: &[Tensor], want: &[Tensor], sums: bool, complex: &[bool]) -> Result<(), String> {
    if got.len() != want.len() {
        return Err(format!("{} results, and {} are compared", got.len(), want.len()));
    }
    for (k, (g, w)) in got.iter().zip(want).enumerate() {
        if g.ty != w.ty {
            return Err(format!("result {k} is {}, should be {}", g.ty, w.ty));
        }
        let largest = (0..w.len()).filter(|_| sums && w.ty.dtype.is_float()).map(|e| w.f(e).abs());
        let largest = largest.filter(|x| x.is_finite()).fold(0.1, f64::max);
        for e in 0..w.len() {
            if w.ty.dtype.is_float() {
                let (x, y) = (g.f(e), w.f(e));
                let same = x == y || x.is_nan() && y.is_nan();
                let size = if complex[k] { y.hypot(w.f(e ^ 1)) } else { y.abs() };
                let off = (x - y).abs() / if size.is_finite() { size.max(largest) } else { largest };
                if !same && (off.is_nan() || off > tolerance(w.ty.dtype)) {
                    return Err(format!("element {e} of result {k} is {x:e}, should be {y:e}"));
                }
            } else if g.i(e) != w.i(e) {
                return Err(format!("element {e} of result {k} is {}, should be {}", g.i(e), w.i(e)));
            }
        }
    }
    Ok(())
}

/// Ports in some layouts of the mesh, other ones for each `k`.
fn laid_out(func: &Func, mesh: &Mesh, k: usize) -> Func {
    let mut f = func.clone();
    let ranks: Vec<usize> = f.body().args.iter().chain(&f.body().yields).map(|&v| f.ty(v).rank()).collect();
    for (i, port) in f.inputs.iter_mut().chain(&mut f.outputs).enumerate() {
        let mut ways = random::layouts(ranks[i], mesh);
        // The parts of a complex number stay together.
        ways.retain(|l| !port.complex || l.dims.last().is_some_and(Vec::is_empty));
        port.constraint = Constraint::exactly(&ways[(k + 3 * i) % ways.len()]);
    }
    f
}

fn tried(run: impl FnOnce() -> Result<(), Verdict>) -> Verdict {
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(Ok(())) => Verdict::Right,
        Ok(Err(v)) => v,
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            Verdict::Internal(text.or(panic.downcast_ref::<&str>().map(|s| s.to_string())).unwrap_or_default())
        }
    }
}

/// One program on one device, or in the `k`th layout of a mesh.
fn run(name: &str, case: &Case, mesh: &[(&str, u64)], k: usize) -> Result<(), Verdict> {
    let func = imported(name, &case.program, Some(mesh))?;
    let of = |text: &str| {
        let f = imported(name, text, Some(&[]))?;
        eval(&f, &[]).map_err(|e| Verdict::Internal(e.to_string()))
    };
    let inputs = if func.inputs.is_empty() { Vec::new() } else { of(&case.inputs)? };
    let want = of(&case.expected)?;
    let got = if mesh.is_empty() {
        eval(&func, &inputs).map_err(|e| Verdict::Internal(e.to_string()))?
    } else {
        let laid = laid_out(&func, &func.mesh, k);
        let options = PlanOptions { mode: Mode::Follow, ..PlanOptions::default() };
        let p = meshloom_plan::plan(&laid, &options).map_err(|e| Verdict::Internal(format!("{e:?}")))?;
        meshloom_certify::check(&laid, &p.local, &p.certificate).map_err(|e| Verdict::Internal(format!("{e:?}")))?;
        spmd::run_for(&laid, &p.local, &inputs).map_err(|e| Verdict::Internal(e.to_string()))?.0
    };
    let sums = ["convolution", "dot_general", "reduce", "stablehlo.fft"].iter().any(|op| case.program.contains(op));
    let complex: Vec<bool> = func.outputs.iter().map(|p| p.complex).collect();
    compare(&got, &want, sums, &complex).map_err(Verdict::Wrong)
}

/// Counts verdicts, prints them, and gives those that no file may have.
#[derive(Default)]
struct Tally {
    right: usize,
    refused: BTreeMap<String, Vec<String>>,
    bad: Vec<String>,
}

impl Tally {
    fn add(&mut self, name: &str, v: Verdict) {
        match v {
            Verdict::Right => self.right += 1,
            Verdict::Refused(why) => self.refused.entry(why).or_default().push(name.to_string()),
            Verdict::Wrong(what) => match OTHERWISE.iter().find(|o| o.0 == name) {
                Some((_, why)) => {
                    self.refused.entry(format!("other numbers: {why}")).or_default().push(name.to_string())
                }
                None => self.bad.push(format!("{name}: {what}")),
            },
            Verdict::Internal(what) => self.bad.push(format!("{name}: internal: {}", &what[..what.len().min(400)])),
        }
    }

    fn print(&self, what: &str) {
        let refused: usize = self.refused.values().map(Vec::len).sum();
        println!("{what}: {} right, {refused} not, for a reason, {} wrong or internal", self.right, self.bad.len());
        for (why, names) in &self.refused {
            println!("  {}: {why}\n      {}", names.len(), names.join(" "));
        }
        self.bad.iter().for_each(|b| println!("  {b}"));
    }
}

#[test]
#[ignore = "needs a checkout of StableHLO: make test-suites STABLEHLO=.."]
fn stablehlo_testdata() {
    let Some(dir) = checkout("STABLEHLO") else { return };
    let cases: Vec<(String, Option<Case>)> =
        files(&dir.join("stablehlo/testdata")).into_iter().map(|(n, text)| (n, Case::read(&text))).collect();
    let mut one = Tally::default();
    for (name, case) in &cases {
        one.add(
            name,
            match case {
                Some(case) => tried(|| run(name, case, &[], 0)),
                None => Verdict::Internal("this test cannot read the file".into()),
            },
        );
    }
    one.print("one device");
    let refused: Vec<&String> = one.refused.values().flatten().collect();
    let mut bad = one.bad.len();
    for mesh in [&[("a", 2), ("b", 2)], &[("a", 2), ("b", 3)]] {
        let mut all = Tally::default();
        for (i, (name, case)) in cases.iter().enumerate().filter(|(_, (n, _))| !refused.contains(&n)) {
            if let Some(case) = case {
                all.add(name, tried(|| run(name, case, mesh, i)));
            }
        }
        all.print(&format!("{mesh:?}"));
        bad += all.bad.len();
    }
    assert_eq!(bad, 0, "wrong numbers or internal errors; see above");
}

#[test]
#[ignore = "needs a checkout of StableHLO: make test-suites STABLEHLO=.."]
fn stablehlo_interpreted() {
    let Some(dir) = checkout("STABLEHLO") else { return };
    let mut all = Tally::default();
    for (name, text) in files(&dir.join("stablehlo/tests/interpret")) {
        for part in text.split("// -----") {
            scripts::run(&name, part, "", &[]).into_iter().for_each(|(what, v)| all.add(&what, v));
        }
    }
    all.print("stablehlo/tests/interpret");
    assert!(all.bad.is_empty(), "wrong numbers or internal errors; see above");
}

#[test]
#[ignore = "needs a checkout of Shardy: make test-suites SHARDY=.."]
fn shardy_executables() {
    let Some(dir) = checkout("SHARDY") else { return };
    let mut all = Tally::default();
    for folder in ["executable_convert_global_to_local", "executable_partitioner_pipeline"] {
        for (name, text) in files(&dir.join("shardy/dialect/sdy/transforms/export/test").join(folder)) {
            let part = |n: usize| text.split("//--- part").nth(n)?.split_once(".mlir").map(|p| p.1);
            let (Some(programs), Some(script)) = (part(1), part(2)) else { continue };
            // Where nothing else is said, what one device computes is the same program.
            let alone = programs.contains("@parallel_") && !programs.contains("@sequential_");
            let library = if alone { programs.replace("@parallel_", "@sequential_") } else { programs.to_string() };
            // `sed 's/f/g/g'`: the same program by another name.
            let renamed = text.split("sed 's/").skip(1).filter_map(|t| t.split_once("/g'")?.0.split_once('/'));
            let mut texts = vec![programs.to_string()];
            texts.extend(renamed.map(|(from, to)| programs.replace(from, to)));
            let verdicts = scripts::run(&name, script, &library, &texts);
            verdicts.into_iter().for_each(|(what, v)| all.add(&what, v));
        }
    }
    all.print("Shardy's executables");
    assert!(all.bad.is_empty(), "wrong numbers or internal errors; see above");
}

#[test]
#[ignore = "needs a checkout of Shardy: make test-suites SHARDY=.."]
fn shardy_verdicts() {
    let Some(dir) = checkout("SHARDY") else { return };
    let (mut agree, mut other, mut internal) = (0, Vec::new(), Vec::new());
    for (name, text) in files(&dir.join("shardy/dialect/sdy/ir/test")) {
        for (i, case) in text.split("// -----").enumerate() {
            let refused = case.contains("expected-error");
            // The verdict is about the module; the compiler's is about `@main`.
            let functions = case.lines().filter_map(|l| l.trim_start().strip_prefix("func.func "));
            let mut names = functions.filter_map(|l| Some(l.split_once('@')?.1.split_once('(')?.0));
            let Some(entry) = names.next() else { continue };
            let text =
                case.replace(&format!("@{entry}("), "@main(").replace("func.func private @main(", "func.func @main(");
            let verdict = tried(|| imported(&name, &text, Some(&[])).map(|_| ()));
            let what = format!("{name} case {i} (@{entry})");
            match (refused, verdict) {
                (true, Verdict::Refused(_)) | (false, Verdict::Right) => agree += 1,
                (true, _) => other.push(format!("{what}: accepted, Shardy refuses it")),
                (false, Verdict::Refused(why)) => other.push(format!("{what}: refused ({why}), Shardy accepts it")),
                (false, Verdict::Internal(e) | Verdict::Wrong(e)) => internal.push(format!("{what}: {e}")),
            }
        }
    }
    println!("{agree} verdicts agree, {} differ, {} internal errors", other.len(), internal.len());
    other.iter().chain(&internal).for_each(|o| println!("  {o}"));
    assert!(internal.is_empty(), "internal errors; see above");
}
