//! Loads and stores: scalars and vectors, masked, gathered, aligned as GPUs ask for it.

use super::{Buf, Builder, ElemKind, EmitMode, Ix, Ty, Val};

impl Builder {
    pub fn load(&mut self, buf: Buf, at: Ix, lanes: u64) -> Val {
        let (at, ty) = (self.ix(at), Ty { kind: buf.kind, lanes });
        let (name, mem) = (buf.name(), buf.ty());
        if lanes == 0 {
            return self.op(ty, format_args!("memref.load {name}[%{}] : {mem}", at.0));
        }
        self.op(ty, format_args!("vector.load {name}[%{}] : {mem}, {ty}", at.0))
    }

    /// A vector that begins at a multiple of its size, or of 16 bytes if it is longer: one instruction of a GPU. Emulations load from
    /// anywhere.
    pub fn load_aligned(&mut self, buf: Buf, at: Ix, lanes: u64) -> Val {
        if self.form() == EmitMode::Emulated {
            return self.load(buf, at, lanes);
        }
        let (at, ty, align) = (self.ix(at), Ty { kind: buf.kind, lanes }, (lanes * buf.kind.bytes()).min(16));
        let (name, mem) = (buf.name(), buf.ty());
        self.op(ty, format_args!("vector.load {name}[%{}] {{alignment = {align} : i64}} : {mem}, {ty}", at.0))
    }

    /// As [`Builder::load_aligned`].
    pub fn store_aligned(&mut self, v: Val, buf: Buf, at: Ix) {
        if self.form() == EmitMode::Emulated {
            return self.store(v, buf, at);
        }
        let (at, ty) = (self.ix(at), self.ty(v));
        let (name, mem, align) = (buf.name(), buf.ty(), (ty.lanes * buf.kind.bytes()).min(16));
        self.line(format_args!("vector.store %{}, {name}[%{}] {{alignment = {align} : i64}} : {mem}, {ty}", v.0, at.0));
    }

    /// A scalar, in every lane.
    pub fn splat(&mut self, buf: Buf, at: Ix, lanes: u64) -> Val {
        let x = self.load(buf, at, 0);
        self.broadcast(x, lanes)
    }

    /// Lanes that the mask leaves out are zero.
    pub fn masked_load(&mut self, buf: Buf, at: Ix, mask: Val) -> Val {
        let (at, mt) = (self.ix(at), self.ty(mask));
        let ty = mt.with(buf.kind);
        let zero = self.number(ty, 0.0);
        let (name, mem) = (buf.name(), buf.ty());
        let args = format!("{name}[%{}], %{}, %{}", at.0, mask.0, zero.0);
        self.op(ty, format_args!("vector.maskedload {args} : {mem}, {mt}, {ty} into {ty}"))
    }

    /// Lane `i` is the element at `at + indices[i]`; lanes that the mask leaves out are zero.
    pub fn gather(&mut self, buf: Buf, at: Ix, indices: Val, mask: Val) -> Val {
        let (at, it, mt) = (self.ix(at), self.ty(indices), self.ty(mask));
        let ty = mt.with(buf.kind);
        let zero = self.number(ty, 0.0);
        let (name, mem) = (buf.name(), buf.ty());
        let args = format!("{name}[%{}] [%{}], %{}, %{}", at.0, indices.0, mask.0, zero.0);
        self.op(ty, format_args!("vector.gather {args} : {mem}, {it}, {mt}, {ty} into {ty}"))
    }

    pub fn store(&mut self, v: Val, buf: Buf, at: Ix) {
        let (at, ty) = (self.ix(at), self.ty(v));
        let (name, mem) = (buf.name(), buf.ty());
        if ty.lanes == 0 {
            return self.line(format_args!("memref.store %{}, {name}[%{}] : {mem}", v.0, at.0));
        }
        self.line(format_args!("vector.store %{}, {name}[%{}] : {mem}, {ty}", v.0, at.0));
    }

    pub fn masked_store(&mut self, v: Val, buf: Buf, at: Ix, mask: Val) {
        // LLVM 22 makes one store of a truncation under a mask of one lane, and forgets to truncate (x86 with AVX-512).
        let lanes = self.ty(v).lanes;
        let narrow = matches!(
            buf.kind,
            ElemKind::Bf16
                | ElemKind::F16
                | ElemKind::I8
                | ElemKind::S8
                | ElemKind::U32
                | ElemKind::F8E4m3
                | ElemKind::F8E5m2
        );
        if narrow && mask == self.mask(lanes, 1) {
            let first = self.extract(v, 0);
            return self.store(first, buf, at);
        }
        let (at, ty, mt) = (self.ix(at), self.ty(v), self.ty(mask));
        let (name, mem) = (buf.name(), buf.ty());
        self.line(format_args!("vector.maskedstore {name}[%{}], %{}, %{} : {mem}, {mt}, {ty}", at.0, mask.0, v.0));
    }

    pub fn scatter(&mut self, v: Val, buf: Buf, at: Ix, indices: Val, mask: Val) {
        let (at, ty, it, mt) = (self.ix(at), self.ty(v), self.ty(indices), self.ty(mask));
        let (name, mem) = (buf.name(), buf.ty());
        let args = format!("{name}[%{}] [%{}], %{}, %{}", at.0, indices.0, mask.0, v.0);
        self.line(format_args!("vector.scatter {args} : {mem}, {it}, {mt}, {ty}"));
    }

    pub fn prefetch(&mut self, buf: Buf, at: Ix) {
        let at = self.ix(at);
        let (name, mem) = (buf.name(), buf.ty());
        self.line(format_args!("memref.prefetch {name}[%{}], read, locality<3>, data : {mem}", at.0));
    }
}
