//! A bundle's program as MLIR: the `loom` dialect's mesh, views, launches and collectives, with the kernels beside it.
//!
//! This is what `--emit=loom-mlir` prints. It is written from the program, instruction by instruction, and then parsed
//! by MLIR (`meshloom_llvm::roundtrip`). So MLIR's verifiers see the arena, the mesh and every kernel's signature together. Nothing is lowered from
//! it: each kernel goes to the back end as a module of its own.

use std::collections::BTreeMap;
use std::fmt::Write;

use meshloom_bundle::{
    BufRef, Collective, CollectiveKind, DType, Dim, Instr, KernelRef, Launch, LoopIndex, Move, Number, Port, Program,
    Reduction, SourcePlace,
};

/// The text of `program`. Kernels whose text `(symbol, text)` is not among `kernels` are declared only.
pub fn emit(program: &Program, kernels: &[(&str, &str)]) -> String {
    let texts: BTreeMap<&str, &str> = kernels.iter().copied().collect();
    let mut out = String::from("module {\n");
    let axes =
        program.mesh.iter().map(|axis| format!("{} = {}", name(&axis.name), axis.size)).collect::<Vec<_>>().join(", ");
    line(&mut out, 1, &format!("loom.mesh @mesh [{axes}]"));

    line(&mut out, 1, "module @kernels {");
    let mut signatures = Vec::with_capacity(program.kernels.len());
    for kernel in &program.kernels {
        let text = texts.get(kernel.symbol.as_str()).copied();
        let signature = text.and_then(|text| signature(text, &kernel.symbol));
        match (text, &signature) {
            (Some(text), Some(_)) => out.push_str(&indented(body(text), 2)),
            _ => line(&mut out, 2, &declaration(kernel)),
        }
        signatures.push(signature.unwrap_or_default());
    }
    line(&mut out, 1, "}");

    // The dialect has one memory: the host's part of it is behind the device's.
    let arena = program.arena_bytes + program.host_bytes;
    if program.host_bytes > 0 {
        line(&mut out, 1, &format!("// from byte {} on it is the host's memory", program.arena_bytes));
    }
    let (entry, scratch) = (symbol(&program.entry), program.scratch_bytes);
    line(&mut out, 1, &format!("loom.program {entry} on @mesh arena({arena}) scratch({scratch}) {{"));
    for port in &program.ports {
        line(&mut out, 2, &port_text(program, port));
    }
    let mut emitter = Emitter { program, signatures, out, values: 0 };
    emitter.instrs(&program.instrs, 2);
    emitter.out.push_str("  }\n}\n");
    emitter.out
}

struct Emitter<'p> {
    program: &'p Program,
    /// Element types of each kernel's buffers, where its text is known.
    signatures: Vec<Vec<String>>,
    out: String,
    values: usize,
}

impl Emitter<'_> {
    fn instrs(&mut self, instrs: &[Instr], depth: usize) {
        // A view is a pure function of its text, so one per block is enough.
        let mut views = BTreeMap::new();
        for instr in instrs {
            match instr {
                Instr::Launch(launch) => self.launch(launch, &mut views, depth),
                Instr::Collective(c) => self.collective(c, "", &mut views, depth),
                Instr::Bucket(all) => {
                    // Members stand one after the other, and name the first.
                    let bucket = all.first().map_or(String::new(), |c| format!(" {{loom.bucket = {} : i64}}", c.id));
                    all.iter().for_each(|c| self.collective(c, &bucket, &mut views, depth));
                }
                Instr::Copy { src, dst, bytes } => {
                    let ty = format!("memref<{bytes}xi8>");
                    let (src, dst) = (self.view(src, &ty, &mut views, depth), self.view(dst, &ty, &mut views, depth));
                    line(&mut self.out, depth, &format!("loom.copy {src} into {dst} : {ty}"));
                }
                Instr::Fill { dst, dtype, count, value } => {
                    let ty = format!("memref<{count}x{}>", element(*dtype));
                    let dst = self.view(dst, &ty, &mut views, depth);
                    line(&mut self.out, depth, &format!("loom.fill {dst} : {ty} with {}", number(*dtype, *value)));
                }
                // The dialect has no schedules: iterations of one action stand together.
                Instr::Actions(a) => {
                    for action in &a.bodies {
                        line(&mut self.out, depth, &format!("// action {}", action.name));
                        line(&mut self.out, depth, &format!("loom.loop {} {{", a.microbatches));
                        self.instrs(&action.body, depth + 1);
                        line(&mut self.out, depth, "}");
                    }
                }
                Instr::Send(t) | Instr::Receive(t) => {
                    line(&mut self.out, depth, &format!("// transfer over wire {}", t.wire));
                }
                Instr::Loop { trip, body } => {
                    line(&mut self.out, depth, &format!("loom.loop {trip} {{"));
                    self.instrs(body, depth + 1);
                    line(&mut self.out, depth, "}");
                }
                Instr::While(w) => {
                    let most = w.most.unwrap_or(i64::MAX as u64);
                    line(&mut self.out, depth, &format!("loom.loop {most} {{"));
                    let mut asked = BTreeMap::new();
                    let going = self.view(&w.going, "memref<1xi8>", &mut asked, depth + 1);
                    line(&mut self.out, depth + 1, &format!("loom.leave_unless {going} : memref<1xi8>"));
                    self.instrs(&w.body, depth + 1);
                    line(&mut self.out, depth, "} after {");
                    self.instrs(&w.after, depth + 1);
                    line(&mut self.out, depth, "}");
                }
            }
        }
    }

    /// The value of a view, emitted on its first use in the block.
    fn view(&mut self, buffer: &BufRef, ty: &str, views: &mut BTreeMap<String, String>, depth: usize) -> String {
        let text = format!("loom.view[{}] : {ty}", address(buffer));
        if let Some(value) = views.get(&text) {
            return value.clone();
        }
        let value = format!("%{}", self.values);
        self.values += 1;
        line(&mut self.out, depth, &format!("{value} = {text}"));
        views.insert(text, value.clone());
        value
    }

    fn launch(&mut self, launch: &Launch, views: &mut BTreeMap<String, String>, depth: usize) {
        let kernel = launch.kernel as usize;
        let (mut values, mut types) = (Vec::new(), Vec::new());
        for (index, arg) in launch.args.iter().enumerate() {
            let element =
                self.signatures.get(kernel).and_then(|elements| elements.get(index)).map_or("i8", String::as_str);
            let ty = format!("memref<{}x{element}>", arg.bytes / bytes_of(element));
            values.push(self.view(arg, &ty, views, depth));
            types.push(ty);
        }
        let dims: Vec<String> = launch.dims.iter().map(|dim| self.dim(dim)).collect();
        let callee = self.program.kernels.get(kernel).map_or("missing", |kernel| kernel.symbol.as_str());
        let mut text = format!(
            "loom.launch @kernels::{}({}) units({}) dims ({}) writes {}{}",
            symbol(callee),
            values.join(", "),
            launch.units,
            dims.join(", "),
            numbers(&launch.writes),
            provenance(&launch.ops, launch.source.as_ref()),
        );
        if !types.is_empty() {
            let _ = write!(text, " : {}", types.join(", "));
        }
        line(&mut self.out, depth, &text);
    }

    fn dim(&self, dim: &Dim) -> String {
        match dim {
            Dim::Const(value) => value.to_string(),
            Dim::ShardStart { axes, block } => format!("start({} * {block})", self.axes(axes)),
        }
    }

    fn axes(&self, axes: &[u32]) -> String {
        axis_list(self.program, axes)
    }

    fn collective(&mut self, op: &Collective, bucket: &str, views: &mut BTreeMap<String, String>, depth: usize) {
        let group = self.program.group_size(&op.axes);
        let shape = |dims: &[u64]| dims.iter().map(|dim| format!("{dim}x")).collect::<String>();
        // A validated program has no sizes that overflow.
        let (src, dst) = op.kind.shapes(group).unwrap_or_default();
        let (src, dst) = (shape(&src), shape(&dst));
        let before = op.kind.reduction().map_or("", Reduction::name);
        let after = match (op.kind.dims(), &op.kind) {
            (&[dim], _) => format!("dim {dim} "),
            (&[split, concat], _) => format!("split {split} concat {concat} "),
            (_, CollectiveKind::CollectivePermute { pairs, .. }) => {
                let pairs: Vec<String> = pairs.iter().map(|(from, to)| format!("{from} -> {to}")).collect();
                format!("pairs [{}] ", pairs.join(", "))
            }
            _ => String::new(),
        };
        let typed = |shape: String| format!("memref<{shape}{}>", element(op.dtype));
        let (src, dst) = (typed(src), typed(dst));
        let (from, into) = (self.view(&op.src, &src, views, depth), self.view(&op.dst, &dst, views, depth));
        let space = if before.is_empty() { "" } else { " " };
        let text = format!(
            "loom.{} {before}{space}{from} into {into} {after}over {} id({}){}{bucket} : {src} to {dst}",
            op.kind.name(),
            self.axes(&op.axes),
            op.id,
            provenance(&op.ops, op.source.as_ref()),
        );
        line(&mut self.out, depth, &text);
    }
}

fn port_text(program: &Program, port: &Port) -> String {
    let role = port.role.name();
    let shard = port.local_shape.iter().map(|dim| format!("{dim}x")).collect::<String>();
    let split: Vec<String> = port.layout.iter().map(|axes| axis_list(program, axes)).collect();
    format!(
        "loom.port {} {role} at({}) : memref<{shard}{}> of {} split [{}]",
        quoted(&port.name),
        port.offset,
        element(port.dtype),
        numbers(&port.global_shape),
        split.join(", "),
    )
}

fn address(buffer: &BufRef) -> String {
    let mut text = buffer.offset.to_string();
    for (Move { stride, index }, i) in buffer.moves.0.iter().zip(["i", "j", "k", "l"]) {
        let plus = |delta: i64| match delta {
            0 => i.to_owned(),
            1.. => format!("{i} + {delta}"),
            _ => format!("{i} - {}", delta.unsigned_abs()),
        };
        match *index {
            LoopIndex::Fixed => {}
            LoopIndex::Iter { delta } => text += &format!(" + {stride} * ({})", plus(delta)),
            // trip - 1 - i + delta
            LoopIndex::IterReversed { trip, delta } => {
                text += &format!(" + {stride} * ({} - {i})", (trip as i64).wrapping_sub(1).wrapping_add(delta));
            }
            LoopIndex::IterMod { delta, period } => text += &format!(" + {stride} * ({} mod {period})", plus(delta)),
        }
    }
    text
}

/// Which certified ops an instruction carries out, and the source line that asked for them.
fn provenance(ops: &[u32], source: Option<&SourcePlace>) -> String {
    let certified = if ops.is_empty() { String::new() } else { format!(" certified {}", numbers(ops)) };
    let from = source.map_or(String::new(), |source| format!(" from {}", quoted(&source.to_string())));
    certified + &from
}

/// A kernel without text: all buffers as bytes.
fn declaration(kernel: &KernelRef) -> String {
    let buffers = kernel.buffers + u32::from(kernel.scratch);
    let mut types = vec!["memref<?xi8>"; buffers as usize];
    types.resize(types.len() + 2 + kernel.dims as usize, "index");
    format!("func.func private {}({})", symbol(&kernel.symbol), types.join(", "))
}

/// The element types of the memref arguments in `func.func @symbol(..)`.
fn signature(text: &str, kernel: &str) -> Option<Vec<String>> {
    let (_, rest) = text.split_once(&format!("func.func @{kernel}("))?;
    let (arguments, _) = rest.split_once(')')?;
    let element =
        |piece: &str| piece.split_once('>').and_then(|(ty, _)| ty.rsplit_once('x')).map(|(_, e)| e.to_owned());
    Some(arguments.split("memref<").skip(1).filter_map(element).collect())
}

/// What is inside a kernel's `module { .. }`, or the text itself.
fn body(text: &str) -> &str {
    let text = text.trim();
    text.strip_prefix("module {").and_then(|inner| inner.strip_suffix('}')).map_or(text, str::trim)
}

fn axis_list(program: &Program, axes: &[u32]) -> String {
    let names =
        axes.iter().map(|&axis| program.mesh.get(axis as usize).map_or("\"\"".to_owned(), |axis| name(&axis.name)));
    format!("[{}]", names.collect::<Vec<_>>().join(", "))
}

/// MLIR's name of a dtype in memory; signs are in the ops, and bools are bytes, as floats of 8 bits are.
fn element(dtype: DType) -> &'static str {
    match dtype {
        DType::F32 => "f32",
        DType::F64 => "f64",
        DType::F16 => "f16",
        DType::BF16 => "bf16",
        DType::I32 | DType::U32 => "i32",
        DType::I64 => "i64",
        DType::I8 | DType::U8 | DType::F8E4M3 | DType::F8E5M2 | DType::Bool => "i8",
    }
}

fn bytes_of(element: &str) -> u64 {
    match element {
        "f64" | "i64" => 8,
        "f32" | "i32" => 4,
        "f16" | "bf16" | "i16" => 2,
        _ => 1,
    }
}

/// A float that MLIR reads back exactly; infinities and NaN are written as bits.
fn float(value: f64) -> String {
    let text = format!("{value:e}");
    match value.is_finite() {
        true if text.contains('.') => text,
        true => text.replacen('e', ".0e", 1),
        false => format!("0x{:016X}", value.to_bits()),
    }
}

/// An element with its type, which says how its text is read.
fn number(dtype: DType, value: Number) -> String {
    match dtype {
        d if d.is_float() => format!("{} : f64", float(value.as_f64())),
        _ => format!("{} : i64", value.as_i64()),
    }
}

fn numbers<T: ToString>(values: &[T]) -> String {
    format!("[{}]", values.iter().map(T::to_string).collect::<Vec<_>>().join(", "))
}

/// A bare word, or a string where the name is none.
fn name(text: &str) -> String {
    let word = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if word { text.to_owned() } else { quoted(text) }
}

fn symbol(text: &str) -> String {
    format!("@{}", name(text))
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b' '..=b'~' if byte != b'"' && byte != b'\\' => out.push(char::from(byte)),
            _ => {
                let _ = write!(out, "\\{byte:02X}");
            }
        }
    }
    out.push('"');
    out
}

fn line(out: &mut String, depth: usize, text: &str) {
    let _ = writeln!(out, "{:1$}{text}", "", 2 * depth);
}

fn indented(text: &str, depth: usize) -> String {
    text.lines().filter(|line| !line.is_empty()).map(|line| format!("{:1$}{line}\n", "", 2 * depth)).collect()
}
