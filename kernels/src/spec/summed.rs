//! The entry of row kernels that add up columns ([`Summed`]).

use super::kernel::{Arg, Kernel, SpecError};
use crate::args::of_body;
use crate::emit::builder::Builder;
use crate::emit::gpu;
use crate::expr::{Access, Body};
use crate::geometry::{product, row_major};
use crate::gpu::GpuArch;
use crate::grid::Grid;
use crate::reference::{self, Data, store};
use crate::summed::Summed;
use crate::target::Target;
use crate::text::Dims;
use crate::verify;
use std::fmt::{Formatter, Result as Written};

impl Kernel for Summed {
    fn kind(&self) -> &'static str {
        "summed"
    }

    fn text(&self, f: &mut Formatter<'_>) -> Written {
        write!(f, "summed {} with {} sums of columns\n{}", Dims(&self.shape), self.sums, self.body)
    }

    fn verify(&self) -> Result<(), SpecError> {
        verify::summed(self)
    }

    fn args(&self) -> Vec<Arg> {
        of_body(&self.body, &self.shape)
    }

    /// A unit is a part.
    fn units(&self) -> u64 {
        self.parts()
    }

    fn flops(&self) -> u64 {
        product(&self.shape) * self.body.cost()
    }

    /// The rows, with what is added up as further results, and then the sums.
    fn reference(&self, buffers: &mut [Data], dims: &[i64]) {
        let (mut rows, last) = (self.rows(), self.shape.len() - 1);
        let mut all = buffers.to_vec();
        let sums = self.reductions();
        for &(_, arg) in &sums {
            let buffer = rows.body.buffer(rows.body.dtype(arg));
            rows.body.output(arg, Access::new(buffer, &row_major(&self.shape)));
            all.push(vec![0.0; product(&self.shape) as usize]);
        }
        reference::body(&rows.body, &self.shape[..last], &[], self.cols(), true, &mut all, dims);
        let added = all.split_off(buffers.len());
        for (buffer, made) in buffers.iter_mut().zip(all) {
            *buffer = made;
        }
        let (cols, outputs) = (self.cols() as usize, &self.body.outputs[self.body.outputs.len() - sums.len()..]);
        let rows = product(&self.shape[self.added()]) as usize;
        for ((&(kind, arg), values), out) in sums.iter().zip(&added).zip(outputs) {
            for (at, part) in values.chunks(rows * cols).enumerate() {
                for c in 0..cols {
                    let sum = reference::reduce(kind, part.iter().skip(c).step_by(cols).copied());
                    let place = out.access.offset + at as i64 * out.access.strides[0] + c as i64;
                    buffers[out.access.buffer as usize][place as usize] = store(self.body.dtype(arg), sum);
                }
            }
        }
    }

    fn emit(&self, _: &mut Builder, _: &Target) -> Result<(), SpecError> {
        Err(SpecError("rows with sums of columns are for GPUs; CPUs are given row and column kernels".into()))
    }

    /// A part of the rows for each block.
    fn grid(&self, _: GpuArch, aligned: bool) -> Option<Grid> {
        let lanes = if aligned { self.lanes() } else { 1 };
        self.threads().map(|threads| Grid::by_blocks(self.parts(), 1, threads as u32, lanes))
    }

    fn emit_gpu(&self, b: &mut Builder, grid: &Grid) -> Result<(), SpecError> {
        gpu::summed::emit(b, self, grid);
        Ok(())
    }

    fn body(&self) -> Option<&Body> {
        Some(&self.body)
    }
}
