//! Reductions over arenas of one GPU, as PTX. This file writes the text for the operators and types that a program
//! needs, and the driver assembles it. No compiler is available where a bundle runs, and the same few lines serve all
//! cases.
//!
//! A thread takes elements in a grid-stride loop and reads each from all ranks in order, as CPU devices do (16-bit
//! floats in f32, rounded once; NaN wins a maximum). It writes the result to all ranks (`all_reduce`) or to the rank
//! that owns the element (`reduce_scatter`).

use meshloom_bundle::{DType, Reduction};
use std::fmt::Write;

/// Threads of a block.
pub const THREADS: u32 = 256;

/// The PTX version and architecture of the text: the oldest that have all instructions, so that every driver for these GPUs takes it.
const HEAD: &str = ".version 7.0\n.target sm_80\n.address_size 64\n";

/// Names of the entries of a reduction: that of `all_reduce` and that of `reduce_scatter`.
pub fn entries(op: Reduction, dtype: DType) -> [String; 2] {
    let (op, dtype) = (op.name(), dtype.name());
    [format!("all_reduce_{op}_{dtype}"), format!("reduce_scatter_{op}_{dtype}")]
}

/// How elements of a type are kept in memory and in registers.
struct Kind {
    /// Bytes of an element.
    size: u64,
    /// Types of memory access and of arithmetic.
    memory: &'static str,
    value: &'static str,
    /// Registers of values: `%f` of `.f32`.
    register: &'static str,
    /// From what was loaded (in `%h`) to a value, and back: none where memory holds values. `{v}` is the value's register.
    widen: &'static str,
    narrow: &'static str,
    float: bool,
}

fn kind(dtype: DType) -> Option<Kind> {
    let plain =
        |size, memory, value, register, float| Kind { size, memory, value, register, widen: "", narrow: "", float };
    Some(match dtype {
        DType::F32 => plain(4, "f32", "f32", "f32", true),
        DType::F64 => plain(8, "f64", "f64", "f64", true),
        DType::I32 => plain(4, "u32", "s32", "b32", false),
        DType::U32 => plain(4, "u32", "u32", "b32", false),
        DType::I64 => plain(8, "u64", "s64", "b64", false),
        // Loads of bytes fill a wider register with zeros or with the sign, stores take the low byte.
        DType::I8 => plain(1, "s8", "s32", "b32", false),
        DType::U8 => plain(1, "u8", "u32", "b32", false),
        DType::F16 => Kind {
            widen: "cvt.f32.f16 {v}, %h1;",
            narrow: "cvt.rn.f16.f32 %h1, {v};",
            ..plain(2, "b16", "f32", "f32", true)
        },
        // A bf16 is the upper half of an f32.
        DType::BF16 => Kind {
            widen: "mov.b32 {v}, {%h0, %h1};",
            narrow: "cvt.rn.bf16.f32 %h1, {v};",
            ..plain(2, "b16", "f32", "f32", true)
        },
        DType::Bool | DType::F8E4M3 | DType::F8E5M2 => return None,
    })
}

/// `%v0 = %v0 op %v1`.
fn combine(op: Reduction, k: &Kind) -> Option<String> {
    let ty = k.value;
    let bits = k.register;
    Some(match (op, k.float) {
        (Reduction::Sum, true) => format!("add.rn.{ty} %v0, %v0, %v1;"),
        (Reduction::Prod, true) => format!("mul.rn.{ty} %v0, %v0, %v1;"),
        (Reduction::Sum, false) => format!("add.{ty} %v0, %v0, %v1;"),
        (Reduction::Prod, false) => format!("mul.lo.{ty} %v0, %v0, %v1;"),
        // The second where it is more (or less), or no number.
        (Reduction::Max | Reduction::Min, true) => {
            let test = if op == Reduction::Max { "gt" } else { "lt" };
            format!(
                "setp.{test}.{ty} %p2, %v1, %v0;\n\tsetp.nan.{ty} %p3, %v1, %v1;\n\tor.pred %p2, %p2, %p3;\n\t\
                 selp.{ty} %v0, %v1, %v0, %p2;"
            )
        }
        (Reduction::Max, false) => format!("max.{ty} %v0, %v0, %v1;"),
        (Reduction::Min, false) => format!("min.{ty} %v0, %v0, %v1;"),
        (Reduction::And, false) => format!("and.{bits} %v0, %v0, %v1;"),
        (Reduction::Or, false) => format!("or.{bits} %v0, %v0, %v1;"),
        (Reduction::And | Reduction::Or, true) => return None,
    })
}

/// A module with both entries of one reduction; `None` for what no valid program asks for.
pub fn ptx(op: Reduction, dtype: DType) -> Option<String> {
    let k = kind(dtype)?;
    let combine = combine(op, &k)?;
    let mut text = String::from(HEAD);
    for (entry, scatter) in entries(op, dtype).iter().zip([false, true]) {
        body(&mut text, entry, &k, &combine, scatter);
    }
    Some(text)
}

/// The parameters: the table of arenas, how many, source and destination in them, then `count, 0`, or `rows, run`.
fn body(text: &mut String, entry: &str, k: &Kind, combine: &str, scatter: bool) {
    let (size, memory, register) = (k.size, k.memory, k.register);
    let value = |code: &str, v: &str| code.replace("{v}", v);
    // Through a 16-bit register where memory holds no values.
    let direct = k.widen.is_empty();
    let load = |v: &str| format!("ld.global.{memory} {}, [%at];", if direct { v } else { "%h1" });
    let store = format!("st.global.{memory} [%at], {};", if direct { "%v0" } else { "%h1" });
    let (first, next) = (load("%v0"), load("%v1"));
    let (first_wide, next_wide, narrow) = (value(k.widen, "%v0"), value(k.widen, "%v1"), value(k.narrow, "%v0"));
    let total = match scatter {
        false => "mov.u64 %total, %a;",
        true => "mul.lo.u64 %total, %a, %b;\n\tmul.lo.u64 %total, %total, %n;",
    };
    let (to, put) = destination(scatter, size, &store);
    let _ = write!(
        text,
        "
.visible .entry {entry}(
	.param .u64 bases, .param .u64 n, .param .u64 src, .param .u64 dst, .param .u64 a, .param .u64 b
)
{{
	.reg .pred %p1, %p2, %p3;
	.reg .b16 %h0, %h1;
	.reg .b32 %x, %y, %z;
	.reg .{register} %v0, %v1;
	.reg .b64 %bases, %n, %src, %dst, %a, %b, %total, %i, %t, %stride, %byte, %slot, %at, %k, %to, %block, %row, %rank;
	mov.u16 %h0, 0;
	ld.param.u64 %bases, [bases];
	ld.param.u64 %n, [n];
	ld.param.u64 %src, [src];
	ld.param.u64 %dst, [dst];
	ld.param.u64 %a, [a];
	ld.param.u64 %b, [b];
	cvta.to.global.u64 %bases, %bases;
	{total}
	mov.u32 %x, %ctaid.x;
	mov.u32 %y, %ntid.x;
	mov.u32 %z, %tid.x;
	mul.wide.u32 %i, %x, %y;
	cvt.u64.u32 %t, %z;
	add.u64 %i, %i, %t;
	mov.u32 %x, %nctaid.x;
	mul.wide.u32 %stride, %x, %y;
ELEMENT:
	setp.ge.u64 %p1, %i, %total;
	@%p1 bra DONE;
	mul.lo.u64 %byte, %i, {size};
	ld.global.u64 %at, [%bases];
	add.u64 %at, %at, %src;
	add.u64 %at, %at, %byte;
	{first}
	{first_wide}
	add.u64 %slot, %bases, 8;
	mov.u64 %k, 1;
RANK:
	setp.ge.u64 %p1, %k, %n;
	@%p1 bra REDUCED;
	ld.global.u64 %at, [%slot];
	add.u64 %at, %at, %src;
	add.u64 %at, %at, %byte;
	{next}
	{next_wide}
	{combine}
	add.u64 %slot, %slot, 8;
	add.u64 %k, %k, 1;
	bra RANK;
REDUCED:
	{narrow}
	{to}
	{put}
NEXT:
	add.u64 %i, %i, %stride;
	bra ELEMENT;
DONE:
	ret;
}}
"
    );
}

/// Where a result goes: code that computes its byte, and code that stores it, to all devices or to the one that has it.
fn destination(scatter: bool, size: u64, store: &str) -> (String, String) {
    // Of scattered elements `i` is (row x n + rank) x run + column.
    let to = match scatter {
        false => "mov.u64 %to, %byte;".to_owned(),
        true => format!(
            "div.u64 %block, %i, %b;\n\tmul.lo.u64 %t, %block, %b;\n\tsub.u64 %t, %i, %t;\n\tdiv.u64 %row, %block, %n;\n\t\
             mul.lo.u64 %rank, %row, %n;\n\tsub.u64 %rank, %block, %rank;\n\tmad.lo.u64 %to, %row, %b, %t;\n\t\
             mul.lo.u64 %to, %to, {size};"
        ),
    };
    let put = format!("ld.global.u64 %at, [%slot];\n\tadd.u64 %at, %at, %dst;\n\tadd.u64 %at, %at, %to;\n\t{store}");
    let put = match scatter {
        true => format!("mad.lo.u64 %slot, %rank, 8, %bases;\n\t{put}"),
        false => format!(
            "mov.u64 %slot, %bases;\n\tmov.u64 %k, 0;\nPUT:\n\tsetp.ge.u64 %p1, %k, %n;\n\t@%p1 bra NEXT;\n\t{put}\n\t\
             add.u64 %slot, %slot, 8;\n\tadd.u64 %k, %k, 1;\n\tbra PUT;"
        ),
    };
    (to, put)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;
    use std::process::Command;

    /// Everything that a valid program may ask for has a text, and nothing else has.
    #[test]
    fn every_reduction_of_a_valid_program() {
        for (op, dtype) in Reduction::ALL.into_iter().flat_map(|op| DType::ALL.map(|t| (op, t))) {
            let bits = matches!(op, Reduction::And | Reduction::Or);
            let none = dtype == DType::Bool || dtype.is_float8() || bits && dtype.is_float();
            assert_eq!(ptx(op, dtype).is_none(), none, "{op:?} {dtype:?}");
        }
        let text = ptx(Reduction::Sum, DType::F32).unwrap();
        assert!(entries(Reduction::Sum, DType::F32).iter().all(|e| text.contains(&format!(".visible .entry {e}("))));
    }

    /// In PATH, or in a `.venv` above this folder, where `scripts/setup` puts it.
    fn ptxas() -> Option<PathBuf> {
        let path = std::env::var_os("PATH")?;
        let found = std::env::split_paths(&path).map(|p| p.join("ptxas")).find(|p| p.is_file());
        let folders = |p: PathBuf| std::fs::read_dir(p).into_iter().flatten().flatten().map(|e| e.path());
        found.or_else(|| {
            let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
            here.ancestors().find_map(|a| {
                let packages = folders(a.join(".venv/lib")).map(|p| p.join("site-packages/nvidia"));
                packages.flat_map(folders).map(|p| p.join("bin/ptxas")).find(|p| p.is_file())
            })
        })
    }

    /// NVIDIA's assembler takes all of them, for the oldest architecture and for the newest; where it is not installed, there is
    /// nothing to ask.
    #[test]
    fn the_text_assembles() {
        let Some(ptxas) = ptxas() else { return };
        let dir = tempfile::tempdir().unwrap();
        for (op, dtype) in Reduction::ALL.into_iter().flat_map(|op| DType::ALL.map(|t| (op, t))) {
            let Some(text) = ptx(op, dtype) else { continue };
            let (file, out) = (dir.path().join("r.ptx"), dir.path().join("r.cubin"));
            std::fs::write(&file, &text).unwrap();
            // All types by one architecture; the others take the same text.
            let all = if op == Reduction::Max { &["sm_80", "sm_90", "sm_100"][..] } else { &["sm_80"] };
            for sm in all {
                let done = Command::new(&ptxas).args(["-arch", sm, "-o"]).arg(&out).arg(&file).output().unwrap();
                assert!(done.status.success(), "{op:?} {dtype:?}: {}\n{text}", String::from_utf8_lossy(&done.stderr));
            }
        }
    }
}
