//! The entries of loop nests: [`Fused`] for rows, [`Column`] for reductions over other dims than the last.

use super::kernel::{Arg, Kernel, SpecError};
use crate::args::of_body;
use crate::column::{self, Column};
use crate::emit::builder::Builder;
use crate::emit::{column as columns, fused as rows, gpu};
use crate::expr::Body;
use crate::fused::{self, Fused};
use crate::geometry::product;
use crate::gpu::GpuArch;
use crate::grid::{Grid, column_has_template, fused_has_template};
use crate::reference::{self, Data};
use crate::target::Target;
use crate::text::Dims;
use crate::verify;
use std::fmt::{Formatter, Result as Written};

impl Kernel for Fused {
    fn kind(&self) -> &'static str {
        "fused"
    }

    fn text(&self, f: &mut Formatter<'_>) -> Written {
        write!(f, "fused {}\n{}", Dims(&self.shape), self.body)
    }

    fn verify(&self) -> Result<(), SpecError> {
        verify::fused(self)
    }

    fn args(&self) -> Vec<Arg> {
        of_body(&self.body, &self.shape)
    }

    fn units(&self) -> u64 {
        fused::FusedGrid::of(self).units()
    }

    fn flops(&self) -> u64 {
        product(&self.shape) * self.body.cost()
    }

    fn reference(&self, buffers: &mut [Data], dims: &[i64]) {
        let (cols, rows) = (self.cols(), &self.shape[..self.shape.len() - 1]);
        reference::body(&self.body, rows, &[], cols, true, buffers, dims);
    }

    fn emit(&self, b: &mut Builder, target: &Target) -> Result<(), SpecError> {
        rows::emit(b, self, target);
        Ok(())
    }

    fn grid(&self, _: GpuArch, aligned: bool) -> Option<Grid> {
        fused_has_template(self).then(|| Grid::of_fused(self, aligned))
    }

    fn emit_gpu(&self, b: &mut Builder, grid: &Grid) -> Result<(), SpecError> {
        gpu::fused::emit(b, self, grid);
        Ok(())
    }

    fn body(&self) -> Option<&Body> {
        Some(&self.body)
    }

    fn scratch_bytes(&self) -> u64 {
        fused::scratch_bytes(self)
    }
}

impl Kernel for Column {
    fn kind(&self) -> &'static str {
        "column"
    }

    fn text(&self, f: &mut Formatter<'_>) -> Written {
        write!(f, "column {} reduce {} cols {}\n{}", Dims(&self.outer), Dims(&self.reduce), self.cols, self.body)
    }

    fn verify(&self) -> Result<(), SpecError> {
        verify::column(self)
    }

    fn args(&self) -> Vec<Arg> {
        of_body(&self.body, &self.space())
    }

    fn units(&self) -> u64 {
        column::ColumnGrid::of(self).units()
    }

    fn flops(&self) -> u64 {
        product(&self.outer) * product(&self.reduce) * self.cols * self.body.cost()
    }

    fn reference(&self, buffers: &mut [Data], dims: &[i64]) {
        reference::body(&self.body, &self.outer, &self.reduce, self.cols, false, buffers, dims);
    }

    fn emit(&self, b: &mut Builder, target: &Target) -> Result<(), SpecError> {
        columns::emit(b, self, target);
        Ok(())
    }

    fn grid(&self, gpu: GpuArch, aligned: bool) -> Option<Grid> {
        column_has_template(self).then(|| Grid::of_column(self, gpu, aligned))
    }

    fn emit_gpu(&self, b: &mut Builder, grid: &Grid) -> Result<(), SpecError> {
        gpu::column::emit(b, self, grid);
        Ok(())
    }

    fn body(&self) -> Option<&Body> {
        Some(&self.body)
    }

    fn scratch_bytes(&self) -> u64 {
        Column::scratch_bytes(self)
    }
}
