//! A small builder of MLIR text: SSA values with known types, constants hoisted and shared, index arithmetic folded, loops as closures.
//!
//! Text rather than an MLIR context, because this crate is pure: kernels are emitted, tested and hashed without LLVM. The builder knows
//! the handful of types and operations that kernels use. Anything an optimiser does as well (common subexpressions, hoisting) is left
//! to it, except what makes the text much longer.

mod function;
mod index;
mod memory;
mod number;
mod reduction;
mod structure;
mod types;

use std::collections::BTreeMap;
use std::fmt::Write;
use types::Place;
pub use types::{Buf, ElemKind, EmitMode, Ix, Ty, Val};

pub struct Builder {
    types: Vec<Ty>,
    constants: String,
    body: String,
    cache: BTreeMap<String, Val>,
    /// Index arithmetic already there, innermost region last. Addresses are most of a kernel's text; sharing them halves it.
    regions: Vec<BTreeMap<String, Val>>,
    scratch: Option<ElemKind>,
    /// Set for kernels of a GPU's blocks.
    gpu: Option<EmitMode>,
    shared: Vec<Buf>,
    /// Whether it uses the launch's shared memory.
    dynamic: bool,
    /// How many tensor maps it takes.
    maps: usize,
    /// Threads of its blocks, where each of them shall have all registers of a multiprocessor.
    alone: Option<[u32; 2]>,
}

impl Default for Builder {
    fn default() -> Builder {
        Builder::new()
    }
}

impl Builder {
    pub fn new() -> Builder {
        Builder {
            types: Vec::new(),
            constants: String::new(),
            body: String::new(),
            cache: BTreeMap::new(),
            regions: vec![BTreeMap::new()],
            scratch: None,
            gpu: None,
            shared: Vec::new(),
            dynamic: false,
            maps: 0,
            alone: None,
        }
    }

    /// For what one thread of a GPU does.
    pub fn for_gpu(form: EmitMode) -> Builder {
        Builder { gpu: Some(form), ..Builder::new() }
    }

    /// What text a kernel of a GPU's blocks is.
    pub(super) fn form(&self) -> EmitMode {
        self.gpu.unwrap_or(EmitMode::Device)
    }

    /// Whether the text is for a GPU alone, so that it may have a GPU's own instructions.
    pub(in crate::emit) fn is_for_device(&self) -> bool {
        self.gpu == Some(EmitMode::Device)
    }

    /// Memory that the threads of a block share.
    pub(super) fn block_memory(&mut self, kind: ElemKind, elements: u64) -> Buf {
        let buf = Buf { at: self.shared.len() as u32, kind, place: Place::Shared(elements, self.form()) };
        self.shared.push(buf);
        buf
    }

    /// Elements of the shared memory that the launch gives a block, from byte `from` on; parts may overlap.
    pub(super) fn dynamic_memory(&mut self, kind: ElemKind, elements: u64, from: u64) -> Buf {
        self.dynamic = true;
        let buf = Buf { at: self.shared.len() as u32, kind, place: Place::Dynamic(elements, from, self.form()) };
        self.shared.push(buf);
        buf
    }

    /// The address of that memory, a multiple of [`DYNAMIC_ALIGN`].
    pub(super) fn dynamic_base(&mut self) -> Ix {
        self.dynamic = true;
        self.argument("%dynamic_at")
    }

    /// The kernel takes so many tensor maps, as its last arguments.
    pub(super) fn take_maps(&mut self, maps: usize) {
        self.maps = maps;
    }

    /// A block of so many threads has a multiprocessor to itself: its threads may have as many registers as there are for them.
    pub(super) fn alone(&mut self, threads: u32) {
        self.beside(threads, 1);
    }

    /// The same where so many blocks share one.
    pub(super) fn beside(&mut self, threads: u32, blocks: u32) {
        self.alone = Some([threads, blocks]);
    }

    /// Where a tensor map is.
    pub(super) fn map_address(&mut self, map: usize) -> Val {
        self.constant(Ty::scalar(ElemKind::I64), format!("llvm.ptrtoint %map{map} : !llvm.ptr to i64"))
    }

    /// Where a buffer is.
    pub(super) fn address_of(&mut self, buf: Buf) -> Ix {
        let (name, ty) = (buf.name(), buf.ty());
        let text = format!("memref.extract_aligned_pointer_as_index {name} : {ty} -> index");
        self.constant(Ty::scalar(ElemKind::Index), text).into()
    }

    pub fn ty(&self, v: Val) -> Ty {
        self.types[v.0 as usize]
    }

    fn fresh(&mut self, ty: Ty) -> Val {
        self.types.push(ty);
        Val(self.types.len() as u32 - 1)
    }

    pub(super) fn line(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.body, "{:width$}{text}", "", width = 2 * self.regions.len() + 2);
    }

    /// An operation with a result; `text` is everything after `=`.
    pub fn op(&mut self, ty: Ty, text: std::fmt::Arguments<'_>) -> Val {
        let v = self.fresh(ty);
        self.line(format_args!("%{} = {text}", v.0));
        v
    }

    /// An operation on indices, unless an enclosing region has it already.
    fn shared(&mut self, ty: Ty, text: String) -> Val {
        if let Some(&v) = self.regions.iter().rev().find_map(|r| r.get(&text)) {
            return v;
        }
        let v = self.op(ty, format_args!("{text}"));
        if let Some(region) = self.regions.last_mut() {
            region.insert(text, v);
        }
        v
    }

    /// Runs `f` in a region of its own.
    fn region<R>(&mut self, f: impl FnOnce(&mut Builder) -> R) -> R {
        self.regions.push(BTreeMap::new());
        let result = f(self);
        self.regions.pop();
        result
    }

    /// An operation that every use shares, before the body.
    pub(super) fn constant(&mut self, ty: Ty, text: String) -> Val {
        if let Some(&v) = self.cache.get(&text) {
            return v;
        }
        let v = self.fresh(ty);
        let _ = writeln!(self.constants, "    %{} = {text}", v.0);
        self.cache.insert(text, v);
        v
    }
}

fn list(values: &[Val]) -> String {
    let text: Vec<String> = values.iter().map(|v| format!("%{}", v.0)).collect();
    text.join(", ")
}

fn list_types(types: &[Ty]) -> String {
    let text: Vec<String> = types.iter().map(Ty::to_string).collect();
    text.join(", ")
}
