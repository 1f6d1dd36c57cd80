//! The entries of a scatter-add's two kernels: the sort of its indices, and the sums.

use super::kernel::{Arg, BufferRole, Kernel, SpecError};
use crate::args::arg;
use crate::emit::builder::Builder;
use crate::emit::{gpu, scatter};
use crate::expr::DType;
use crate::gpu::GpuArch;
use crate::grid::{Grid, sort};
use crate::reference::{self, Data};
use crate::scatter::{ScatterRows, SegmentSort};
use crate::target::Target;
use crate::verify::ensure;
use std::fmt::{Formatter, Result as Written};

impl Kernel for SegmentSort {
    fn kind(&self) -> &'static str {
        "segment_sort"
    }

    fn text(&self, f: &mut Formatter<'_>) -> Written {
        let sharded = if self.sharded { " sharded" } else { "" };
        writeln!(f, "segment_sort {} indices, {} of {} rows{sharded}", self.count, self.rows, self.total)
    }

    fn verify(&self) -> Result<(), SpecError> {
        ensure(self.count <= i32::MAX as u64 && self.total <= i32::MAX as u64, || {
            "segment_sort: more than i32 can count".into()
        })?;
        ensure(self.total > 0, || "segment_sort: no rows to name".into())
    }

    fn args(&self) -> Vec<Arg> {
        vec![
            arg("indices", DType::I32, BufferRole::Read, self.count),
            arg("order", DType::I32, BufferRole::Write, self.count),
            arg("segments", DType::I32, BufferRole::Write, self.rows + 1),
        ]
    }

    fn units(&self) -> u64 {
        1
    }

    fn flops(&self) -> u64 {
        0
    }

    fn reference(&self, buffers: &mut [Data], dims: &[i64]) {
        reference::segment_sort(self, buffers, dims);
    }

    fn emit(&self, b: &mut Builder, _: &Target) -> Result<(), SpecError> {
        scatter::emit_sort(b, self);
        Ok(())
    }

    fn grid(&self, _: GpuArch, _: bool) -> Option<Grid> {
        let workspace = (12 * self.count.max(1)).next_multiple_of(64);
        Some(Grid { workspace, ..Grid::by_blocks(1, 1, sort::THREADS, 1) })
    }

    fn emit_gpu(&self, b: &mut Builder, grid: &Grid) -> Result<(), SpecError> {
        gpu::sort::emit_segments(b, self, grid);
        Ok(())
    }

    fn dims(&self) -> u32 {
        u32::from(self.sharded)
    }

    fn scratch_bytes(&self) -> u64 {
        4 * self.rows.max(1)
    }
}

impl Kernel for ScatterRows {
    fn kind(&self) -> &'static str {
        "scatter_rows"
    }

    fn text(&self, f: &mut Formatter<'_>) -> Written {
        let (u, o) = (self.update_stride, self.out_stride);
        writeln!(f, "scatter_rows {} [{}, {}] updates {u} out {o}", self.dtype.name(), self.rows, self.cols)
    }

    fn verify(&self) -> Result<(), SpecError> {
        ensure(self.dtype.computed().is_float(), || "scatter_rows: not a float".into())
    }

    fn args(&self) -> Vec<Arg> {
        vec![
            // The number of updates is known to the sort alone.
            arg("order", DType::I32, BufferRole::Read, 0),
            arg("segments", DType::I32, BufferRole::Read, self.rows + 1),
            arg("updates", self.dtype, BufferRole::Read, 0),
            arg("out", self.dtype, BufferRole::Write, (self.rows.max(1) - 1) * self.out_stride as u64 + self.cols),
        ]
    }

    fn units(&self) -> u64 {
        self.rows
    }

    fn flops(&self) -> u64 {
        self.rows * self.cols
    }

    fn reference(&self, buffers: &mut [Data], _: &[i64]) {
        reference::scatter_rows(self, buffers);
    }

    fn emit(&self, b: &mut Builder, target: &Target) -> Result<(), SpecError> {
        scatter::emit_rows(b, self, target);
        Ok(())
    }

    fn grid(&self, _: GpuArch, aligned: bool) -> Option<Grid> {
        Some(Grid::of_scatter(self, aligned))
    }

    fn emit_gpu(&self, b: &mut Builder, grid: &Grid) -> Result<(), SpecError> {
        gpu::scatter::emit(b, self, grid);
        Ok(())
    }
}
