//! The entries of contractions. CPUs have two kernels, a pack into panels and a GEMM over panels. GPUs have one.

use super::kernel::{Arg, Kernel, SpecError};
use crate::args;
use crate::dot::{Dot, TUNING_VERSION};
use crate::emit::builder::Builder;
use crate::emit::{gpu, matmul, pack};
use crate::expr::Body;
use crate::geometry::{ceil_div, product};
use crate::gpu::GpuArch;
use crate::grid::Grid;
use crate::matmul::{Matmul, Pack, panel_cols};
use crate::reference::{self, Data};
use crate::target::Target;
use crate::tensor_map::TensorMap;
use crate::tensor_map::results::ResultBoxes;
use crate::text::Dims;
use crate::verify;
use std::fmt::{Formatter, Result as Written};

impl Kernel for Pack {
    fn kind(&self) -> &'static str {
        "pack"
    }

    fn text(&self, f: &mut Formatter<'_>) -> Written {
        let (batch, rows, k) = (Dims(&self.batch), Dims(&self.rows), Dims(&self.k));
        writeln!(f, "pack batch {batch} rows {rows} k {k} width {}", self.width)?;
        writeln!(f, "{}  panels %{} to b{}", self.body, self.value.0, self.panels)
    }

    fn verify(&self) -> Result<(), SpecError> {
        verify::pack(self)
    }

    fn args(&self) -> Vec<Arg> {
        args::pack(self)
    }

    fn units(&self) -> u64 {
        self.outer() * ceil_div(self.run(), panel_cols(self.body.dtype(self.value)).max(self.width))
    }

    fn flops(&self) -> u64 {
        product(&self.batch) * product(&self.rows) * product(&self.k) * (self.body.cost() - 1)
    }

    fn reference(&self, buffers: &mut [Data], dims: &[i64]) {
        reference::pack(self, buffers, dims);
    }

    fn emit(&self, b: &mut Builder, target: &Target) -> Result<(), SpecError> {
        pack::emit(b, self, target);
        Ok(())
    }

    fn body(&self) -> Option<&Body> {
        Some(&self.body)
    }
}

impl Kernel for Matmul {
    fn kind(&self) -> &'static str {
        "matmul"
    }

    fn text(&self, f: &mut Formatter<'_>) -> Written {
        writeln!(f, "matmul batch {} m {} n {} k {}", Dims(&self.batch), Dims(&self.m), Dims(&self.n), self.k)?;
        write!(f, "  a {}\n  b {}\n{}", self.a, self.b, self.body)
    }

    fn verify(&self) -> Result<(), SpecError> {
        verify::matmul(self)
    }

    fn args(&self) -> Vec<Arg> {
        args::matmul(self)
    }

    fn units(&self) -> u64 {
        self.row_tiles()
    }

    fn flops(&self) -> u64 {
        product(&self.batch) * product(&self.m) * product(&self.n) * (2 * self.k + self.body.cost())
    }

    fn reference(&self, buffers: &mut [Data], dims: &[i64]) {
        reference::matmul(self, buffers, dims);
    }

    fn emit(&self, b: &mut Builder, target: &Target) -> Result<(), SpecError> {
        matmul::emit(b, self, target);
        Ok(())
    }

    fn body(&self) -> Option<&Body> {
        Some(&self.body)
    }
}

impl Kernel for Dot {
    fn kind(&self) -> &'static str {
        "dot"
    }

    fn text(&self, f: &mut Formatter<'_>) -> Written {
        let [batch, m, n, k] = [&self.batch, &self.m, &self.n, &self.k].map(|dims| Dims(dims));
        let tf32 = if self.tf32 { " in tf32" } else { "" };
        let by = if self.by_threads { " by threads" } else { "" };
        writeln!(f, "dot batch {batch} m {m} n {n} k {k} tuning {TUNING_VERSION}{by}{tf32}")?;
        write!(f, "  a {}\n  b {}\n{}", self.a, self.b, self.body)
    }

    fn verify(&self) -> Result<(), SpecError> {
        verify::dot(self)
    }

    fn args(&self) -> Vec<Arg> {
        args::dot(self)
    }

    /// A unit is a batch. How many tiles a batch has depends on the GPU: see [`Grid`].
    fn units(&self) -> u64 {
        product(&self.batch)
    }

    fn flops(&self) -> u64 {
        product(&self.space()) * (2 * product(&self.k) + self.body.cost())
    }

    fn reference(&self, buffers: &mut [Data], dims: &[i64]) {
        reference::dot(self, buffers, dims);
    }

    fn emit(&self, _: &mut Builder, _: &Target) -> Result<(), SpecError> {
        Err(SpecError("a dot is for GPUs; CPUs are given packs and a matmul".into()))
    }

    fn grid(&self, gpu: GpuArch, aligned: bool) -> Option<Grid> {
        Some(Grid::of_dot(self, gpu, aligned))
    }

    fn tensor_maps(&self, grid: &Grid) -> Vec<TensorMap> {
        let tiling = &grid.tiling;
        let boxes = if tiling.producers > 0 { self.boxes(tiling) } else { None };
        let results = self.results(tiling).map(ResultBoxes::maps).unwrap_or_default();
        boxes.into_iter().flatten().map(|b| b.map).chain(results).collect()
    }

    fn by_threads(&self) -> Option<Dot> {
        Some(Dot { by_threads: true, ..self.clone() })
    }

    fn emit_gpu(&self, b: &mut Builder, grid: &Grid) -> Result<(), SpecError> {
        if grid.tiling.in_tensor_memory() {
            return gpu::blackwell::emit(b, self, grid);
        }
        if grid.tiling.producers > 0 {
            return gpu::specialized::emit(b, self, grid, None);
        }
        if grid.tiling.stages > 0 {
            gpu::pipeline::emit(b, self, grid, None);
        } else {
            gpu::dot::emit(b, self, grid, None);
        }
        Ok(())
    }

    fn body(&self) -> Option<&Body> {
        Some(&self.body)
    }
}
