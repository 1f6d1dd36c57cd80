//! The entries of attention and of its gradient: what [`Attention`] and [`AttentionBackward`] are to everyone who does
//! not care which kernel it is.

use super::kernel::{Arg, Kernel, SpecError};
use crate::args::of_attention;
use crate::attention::{Attention, AttentionBackward, AttentionShape};
use crate::emit::builder::Builder;
use crate::emit::{attention, gpu};
use crate::gpu::GpuArch;
use crate::grid::Grid;
use crate::reference::{self, Data};
use crate::target::Target;
use crate::tensor_map::TensorMap;
use crate::{text, verify};
use std::fmt::{Formatter, Result as Written};

impl Kernel for Attention {
    fn kind(&self) -> &'static str {
        "attention"
    }

    fn text(&self, f: &mut Formatter<'_>) -> Written {
        text::attention(f, self.kind(), &self.shape, &self.operands())
    }

    fn verify(&self) -> Result<(), SpecError> {
        verify::attention(&self.shape)
    }

    fn args(&self) -> Vec<Arg> {
        of_attention(&self.shape, &self.operands(), &|name| matches!(name, "o" | "lse"))
    }

    fn units(&self) -> u64 {
        Attention::units(self)
    }

    fn flops(&self) -> u64 {
        self.shape.pairs() * (2 * (self.shape.head + self.shape.value) + 20)
    }

    fn reference(&self, buffers: &mut [Data], dims: &[i64]) {
        reference::attention(self, buffers, dims);
    }

    fn emit(&self, b: &mut Builder, target: &Target) -> Result<(), SpecError> {
        attention::emit_forward(b, self, target);
        Ok(())
    }

    fn grid(&self, gpu: GpuArch, aligned: bool) -> Option<Grid> {
        Grid::of_attention(self, gpu, aligned)
    }

    fn tensor_maps(&self, grid: &Grid) -> Vec<TensorMap> {
        let boxes = if grid.tiles.producers > 0 { self.boxes(&grid.tiles) } else { None };
        boxes.into_iter().flatten().map(|b| b.map).collect()
    }

    fn by_threads(&self) -> Option<Attention> {
        let shape = AttentionShape { by_threads: true, ..self.shape };
        Some(Attention { shape, ..*self })
    }

    fn emit_gpu(&self, b: &mut Builder, grid: &Grid) -> Result<(), SpecError> {
        if grid.tiles.producers > 0 {
            return gpu::attention::emit_fetched_forward(b, self, grid);
        }
        gpu::attention::emit_forward(b, self, grid);
        Ok(())
    }

    fn dims(&self) -> u32 {
        self.shape.dims()
    }

    fn scratch_bytes(&self) -> u64 {
        Attention::scratch_bytes(self)
    }
}

impl Kernel for AttentionBackward {
    fn kind(&self) -> &'static str {
        "attention_backward"
    }

    fn text(&self, f: &mut Formatter<'_>) -> Written {
        text::attention(f, self.kind(), &self.shape, &self.operands())
    }

    fn verify(&self) -> Result<(), SpecError> {
        verify::attention(&self.shape)
    }

    fn args(&self) -> Vec<Arg> {
        of_attention(&self.shape, &self.operands(), &|name| matches!(name, "dq" | "dk" | "dv"))
    }

    fn units(&self) -> u64 {
        AttentionBackward::units(self)
    }

    fn flops(&self) -> u64 {
        self.shape.pairs() * (6 * self.shape.head + 4 * self.shape.value + 24)
    }

    fn reference(&self, buffers: &mut [Data], dims: &[i64]) {
        reference::attention_backward(self, buffers, dims);
    }

    fn emit(&self, b: &mut Builder, target: &Target) -> Result<(), SpecError> {
        attention::emit_backward(b, self, target);
        Ok(())
    }

    fn grid(&self, gpu: GpuArch, aligned: bool) -> Option<Grid> {
        Grid::of_attention_backward(self, gpu, aligned)
    }

    fn tensor_maps(&self, grid: &Grid) -> Vec<TensorMap> {
        let boxes = if grid.tiles.producers > 0 { self.boxes(&grid.tiles) } else { None };
        boxes.into_iter().flatten().map(|b| b.map).collect()
    }

    fn by_threads(&self) -> Option<AttentionBackward> {
        let shape = AttentionShape { by_threads: true, ..self.shape };
        Some(AttentionBackward { shape, ..*self })
    }

    fn emit_gpu(&self, b: &mut Builder, grid: &Grid) -> Result<(), SpecError> {
        if grid.tiles.producers > 0 {
            return gpu::attention::emit_fetched_backward(b, self, grid);
        }
        gpu::attention::emit_backward(b, self, grid);
        Ok(())
    }

    fn dims(&self) -> u32 {
        self.shape.dims()
    }

    fn scratch_bytes(&self) -> u64 {
        AttentionBackward::scratch_bytes(self)
    }
}
