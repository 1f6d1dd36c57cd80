//! The function around a kernel's body: its arguments, and the memory that a block shares.

use super::types::{DYNAMIC_ALIGN, EMULATED_DYNAMIC, HUGE, SCRATCH};
use super::{Buf, Builder, ElemKind, EmitMode, Ix, Place, Ty};
use crate::expr::DType;
use std::fmt::Write;

/// A `CUtensorMap` by value; the code generator makes it one that all of a grid have in one place.
const TENSOR_MAP: &str = "{llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>}";

impl Builder {
    pub fn lo(&mut self) -> Ix {
        self.argument("%lo")
    }

    pub fn hi(&mut self) -> Ix {
        self.argument("%hi")
    }

    /// A dim of the launch.
    pub fn dim(&mut self, i: u32) -> Ix {
        self.argument(&format!("%d{i}"))
    }

    /// Arguments have names; everything else has a number.
    pub(in crate::emit) fn argument(&mut self, name: &str) -> Ix {
        let zero = self.int(Ty::scalar(ElemKind::Index), 0);
        self.constant(Ty::scalar(ElemKind::Index), format!("arith.addi {name}, %{} : index", zero.0)).into()
    }

    pub fn scratch(&mut self, kind: ElemKind) -> Buf {
        self.scratch = Some(kind);
        Buf { at: SCRATCH, kind, place: Place::Memory }
    }

    /// The module: one function with the buffers, the scratch if it was used or is promised, `lo`, `hi` and the dims.
    pub fn finish(self, symbol: &str, buffers: &[DType], scratch: bool, dims: u32) -> String {
        let mut args: Vec<String> =
            buffers.iter().enumerate().map(|(i, &d)| format!("%b{i}: {}", Buf::arg(i as u32, d).ty())).collect();
        if scratch {
            let buf = Buf { at: SCRATCH, kind: self.scratch.unwrap_or(ElemKind::F32), place: Place::Memory };
            args.push(format!("%scratch: {}", buf.ty()));
        }
        args.extend(["%lo: index".into(), "%hi: index".into()]);
        args.extend((0..dims).map(|i| format!("%d{i}: index")));
        if self.form() == EmitMode::Device {
            args.extend((0..self.maps).map(|i| format!("%map{i}: !llvm.ptr {TENSOR_MAP}")));
        }
        let (mut globals, mut views) = (String::new(), String::new());
        if self.gpu == Some(EmitMode::Emulated) {
            args.extend(["thread", "block", "blocks"].map(|name| format!("%{name}: index")));
            args.push(format!("%shared: memref<{HUGE}xi8>"));
            args.push(format!("%mail: {}", Buf::mail().ty()));
            args.push("%host: !llvm.ptr".into());
        }
        if self.dynamic {
            let all = format!("@{symbol}_dynamic : memref<0xi8, 3>");
            // Writing to a String cannot fail.
            let _ = match self.form() {
                EmitMode::Device => {
                    let _ = writeln!(globals, "  memref.global {all} {{alignment = {DYNAMIC_ALIGN} : i64}}");
                    let at = "memref.extract_aligned_pointer_as_index %dynamic : memref<0xi8, 3> -> index";
                    writeln!(views, "    %dynamic = memref.get_global {all}\n    %dynamic_at = {at}")
                }
                EmitMode::Emulated => writeln!(views, "    %dynamic_at = arith.constant {EMULATED_DYNAMIC} : index"),
            };
        }
        let mut from = 0u64;
        for buf in &self.shared {
            let (at, ty) = (buf.at, buf.ty());
            if let Place::Dynamic(_, from, form) = buf.place {
                let (whole, from) = match form {
                    EmitMode::Device => (format!("%dynamic[%f{at}][] : memref<0xi8, 3>"), from),
                    EmitMode::Emulated => (format!("%shared[%f{at}][] : memref<{HUGE}xi8>"), EMULATED_DYNAMIC + from),
                };
                let _ = writeln!(views, "    %f{at} = arith.constant {from} : index");
                let _ = writeln!(views, "    %s{at} = memref.view {whole} to {ty}");
                continue;
            }
            let Place::Shared(elements, form) = buf.place else { continue };
            // Writing to a String cannot fail.
            let _ = match form {
                EmitMode::Device => {
                    let attributes = "= uninitialized {alignment = 16 : i64}";
                    let _ = writeln!(globals, "  memref.global \"private\" @{symbol}_s{at} : {ty} {attributes}");
                    writeln!(views, "    %s{at} = memref.get_global @{symbol}_s{at} : {ty}")
                }
                EmitMode::Emulated => {
                    let _ = writeln!(views, "    %f{at} = arith.constant {from} : index");
                    writeln!(views, "    %s{at} = memref.view %shared[%f{at}][] : memref<{HUGE}xi8> to {ty}")
                }
            };
            from = (from + elements * buf.kind.bytes()).next_multiple_of(16);
        }
        let bounds = match self.alone.filter(|_| self.form() == EmitMode::Device) {
            Some([n, blocks]) => format!(
                " attributes {{passthrough = [[\"nvvm.maxntid\", \"{n}\"], [\"nvvm.minctasm\", \"{blocks}\"]]}}"
            ),
            None => String::new(),
        };
        let (constants, body, args) = (&self.constants, &self.body, args.join(", "));
        let head = format!("func.func @{symbol}({args}){bounds}");
        format!("module {{\n{globals}  {head} {{\n{views}{constants}{body}    return\n  }}\n}}\n")
    }
}
