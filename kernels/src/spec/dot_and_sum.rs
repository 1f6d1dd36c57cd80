//! The entry of contractions that add up an operand ([`DotAndSum`]).

use super::kernel::{Arg, Kernel, SpecError};
use crate::added::DotAndSum;
use crate::args::of_body;
use crate::dot::{Dot, Tiling};
use crate::emit::builder::Builder;
use crate::emit::gpu;
use crate::expr::Body;
use crate::geometry::product;
use crate::gpu::GpuArch;
use crate::grid::Grid;
use crate::reference::{self, Data};
use crate::target::Target;
use crate::tensor_map::TensorMap;
use crate::verify;
use std::fmt::{Formatter, Result as Written};

impl Kernel for DotAndSum {
    fn kind(&self) -> &'static str {
        "dot_and_sum"
    }

    fn text(&self, f: &mut Formatter<'_>) -> Written {
        let operand = if self.which == 0 { "a" } else { "b" };
        writeln!(f, "{operand} is added up in {} parts, beside", self.parts)?;
        self.dot.text(f)
    }

    fn verify(&self) -> Result<(), SpecError> {
        verify::dot_and_sum(self)
    }

    fn args(&self) -> Vec<Arg> {
        let mut args = of_body(&self.body, &self.space());
        for (to, of) in args.iter_mut().zip(self.dot.args()) {
            *to = of;
        }
        args
    }

    /// As of the contraction.
    fn units(&self) -> u64 {
        self.dot.units()
    }

    fn flops(&self) -> u64 {
        self.dot.flops() + product(self.free()) * product(&self.dot.k)
    }

    fn reference(&self, buffers: &mut [Data], dims: &[i64]) {
        let (of_dot, sums) = buffers.split_at_mut(self.buffer() as usize);
        self.dot.reference(of_dot, dims);
        sums[0] = reference::added(self, &of_dot[self.which as usize], dims);
    }

    fn emit(&self, _: &mut Builder, _: &Target) -> Result<(), SpecError> {
        Err(SpecError("a dot is for GPUs; CPUs are given packs, a matmul and a column kernel".into()))
    }

    /// Where no warps are to spare, threads copy slices, and add up afterwards.
    fn grid(&self, gpu: GpuArch, aligned: bool) -> Option<Grid> {
        let spare = if aligned { self.spare(gpu) } else { None };
        let tiling = spare.unwrap_or_else(|| Tiling::of(&Dot { by_threads: true, ..self.dot.clone() }, gpu, aligned));
        Some(Grid::tiled(&self.dot, tiling, aligned))
    }

    fn tensor_maps(&self, grid: &Grid) -> Vec<TensorMap> {
        self.dot.tensor_maps(grid)
    }

    fn by_threads(&self) -> Option<DotAndSum> {
        Some(DotAndSum { dot: Dot { by_threads: true, ..self.dot.clone() }, ..self.clone() })
    }

    fn emit_gpu(&self, b: &mut Builder, grid: &Grid) -> Result<(), SpecError> {
        if grid.tiling.producers > 0 {
            return gpu::specialized::emit(b, &self.dot, grid, Some(self));
        }
        if grid.tiling.stages > 0 {
            gpu::pipeline::emit(b, &self.dot, grid, Some(self));
        } else {
            gpu::dot::emit(b, &self.dot, grid, Some(self));
        }
        Ok(())
    }

    fn body(&self) -> Option<&Body> {
        Some(&self.body)
    }
}
