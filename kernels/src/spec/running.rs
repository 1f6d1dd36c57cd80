//! The entry of every kernel that carries a state along a dim. Such a kernel says how states are combined
//! ([`Running`]), and no more.

use super::kernel::{Arg, BufferRole, Kernel, SpecError};
use crate::args::arg;
use crate::emit::builder::Builder;
use crate::emit::{gpu, running};
use crate::expr::DType;
use crate::gpu::GpuArch;
use crate::grid::Grid;
use crate::reference::Data;
use crate::running::Running;
use crate::target::Target;
use crate::verify::{ensure, space};
use std::fmt::{Formatter, Result as Written};

impl<R: Running> Kernel for R {
    fn kind(&self) -> &'static str {
        self.name()
    }

    fn text(&self, f: &mut Formatter<'_>) -> Written {
        Running::text(self, f)
    }

    fn verify(&self) -> Result<(), SpecError> {
        let s = self.along();
        space(&[s.outer, s.n, s.inner])?;
        ensure(s.dtype != DType::Bool, || format!("{}: of bools", self.name()))
    }

    fn args(&self) -> Vec<Arg> {
        let s = self.along();
        vec![arg("x", s.dtype, BufferRole::Read, s.elements()), arg("out", s.dtype, BufferRole::Write, s.elements())]
    }

    fn units(&self) -> u64 {
        self.along().units()
    }

    fn flops(&self) -> u64 {
        self.along().elements() * Running::flops(self)
    }

    fn reference(&self, buffers: &mut [Data], _: &[i64]) {
        let s = self.along();
        for row in 0..s.outer * s.inner {
            let place = |i: u64| ((row / s.inner * s.n + i) * s.inner + row % s.inner) as usize;
            let walk: Vec<usize> = (0..s.n).map(|i| place(if s.reverse { s.n - 1 - i } else { i })).collect();
            let values: Data = walk.iter().map(|&at| buffers[0][at]).collect();
            walk.into_iter().zip(Running::reference(self, &values)).for_each(|(at, y)| buffers[1][at] = y);
        }
    }

    fn emit(&self, b: &mut Builder, target: &Target) -> Result<(), SpecError> {
        running::emit(b, self, target);
        Ok(())
    }

    fn grid(&self, _: GpuArch, aligned: bool) -> Option<Grid> {
        let s = self.along();
        (s.elements() > 0).then(|| Grid::of_running(&s, aligned))
    }

    fn emit_gpu(&self, b: &mut Builder, grid: &Grid) -> Result<(), SpecError> {
        gpu::scan::emit(b, self, grid);
        Ok(())
    }
}
