//! One matmul made ready for cuBLASLt.

use super::library::{Algorithm, Blas, Handle, HeuristicResult};
use crate::device::gpu::driver::Address;
use crate::error::{ErrorKind, Result, RuntimeError};
use meshloom_bundle::{DType, Gemm, Matrix, Vector};
use std::ffi::{c_uint, c_void};
use std::ptr::null_mut;
use std::rc::Rc;

/// The most bytes of workspace that an algorithm may take: what NVIDIA advises for Hopper.
const WORKSPACE: u64 = 32 << 20;

/// Numbers of cublasLt.h and library_types.h.
mod number {
    pub const COMPUTE_32F: u32 = 68;
    pub const COMPUTE_32F_FAST_TF32: u32 = 77;
    pub const R_32F: u32 = 0;
    pub const R_16F: u32 = 2;
    pub const R_16BF: u32 = 14;
    pub const TRANSPOSED: i32 = 1;
    pub const DESC_TRANSA: u32 = 3;
    pub const DESC_TRANSB: u32 = 4;
    pub const DESC_EPILOGUE: u32 = 7;
    pub const DESC_BIAS_POINTER: u32 = 8;
    pub const EPILOGUE_BIAS: u32 = 4;
    pub const LAYOUT_BATCH_COUNT: u32 = 5;
    pub const LAYOUT_BATCH_OFFSET: u32 = 6;
    pub const PREF_MAX_WORKSPACE: u32 = 1;
    /// Of A; those of B, C and D follow.
    pub const PREF_MIN_ALIGNMENT: u32 = 5;
    pub const NOT_SUPPORTED: u32 = 15;
}

/// Descriptions, and the algorithm that the library gave for them.
pub struct Plan {
    blas: Rc<Blas>,
    desc: Handle,
    /// Of A, B, C and D; null for a C that is D.
    layouts: [Handle; 4],
    algorithm: Algorithm,
    workspace: u64,
    a: Matrix,
    b: Matrix,
    c: Option<Matrix>,
    d: Matrix,
    bias: Option<Vector>,
    text: String,
}

fn dtype(d: DType) -> Option<c_uint> {
    match d {
        DType::F32 => Some(number::R_32F),
        DType::F16 => Some(number::R_16F),
        DType::BF16 => Some(number::R_16BF),
        _ => None,
    }
}

/// What the alignment of an argument and an offset from it give together.
fn aligned(argument: u64, offset: u64) -> u32 {
    (argument.max(1) | offset | 256).trailing_zeros()
}

impl Plan {
    /// As [`super::Matmuls::plan`]; `None` where the library has no algorithm.
    pub(super) fn new(blas: &Rc<Blas>, p: &Gemm, alignment: &[u64]) -> Result<Option<Plan>> {
        let (Some(of), Some(result)) = (dtype(p.dtype), dtype(p.result)) else { return Ok(None) };
        let size = format!("{} x {} x {}, {} times, of {}", p.m, p.n, p.k, p.batch, p.dtype.name());
        let mut plan = Plan {
            blas: blas.clone(),
            desc: null_mut(),
            layouts: [null_mut(); 4],
            algorithm: Algorithm::default(),
            workspace: 0,
            a: p.a.clone(),
            b: p.b.clone(),
            c: p.c.clone(),
            d: p.d.clone(),
            bias: p.bias.clone(),
            text: size,
        };
        let f = &blas.functions;
        let compute = if p.tf32 { number::COMPUTE_32F_FAST_TF32 } else { number::COMPUTE_32F };
        // SAFETY: writes one handle, which the plan gives back.
        let code = unsafe { (f.cublasLtMatmulDescCreate)(&mut plan.desc, compute, number::R_32F) };
        plan.check("cublasLtMatmulDescCreate", code)?;
        for (attribute, m) in [(number::DESC_TRANSA, &p.a), (number::DESC_TRANSB, &p.b)] {
            if m.transposed {
                plan.describe(attribute, &number::TRANSPOSED)?;
            }
        }
        if p.bias.is_some() {
            plan.describe(number::DESC_EPILOGUE, &number::EPILOGUE_BIAS)?;
            // The library refuses to choose for a bias that is nowhere.
            plan.describe(number::DESC_BIAS_POINTER, &256u64)?;
        }
        for (name, m, [rows, cols], _) in p.matrices() {
            let (at, of) = match name {
                "A" => (0, of),
                "B" => (1, of),
                "C" => (2, result),
                _ => (3, result),
            };
            // SAFETY: writes one handle, which the plan gives back.
            let code =
                unsafe { (f.cublasLtMatrixLayoutCreate)(&mut plan.layouts[at], of, rows, cols, m.ld.cast_signed()) };
            plan.check("cublasLtMatrixLayoutCreate", code)?;
            if p.batch > 1 {
                let (count, stride) = (i32::try_from(p.batch).unwrap_or(i32::MAX), m.stride.cast_signed());
                plan.lay(plan.layouts[at], number::LAYOUT_BATCH_COUNT, &count)?;
                plan.lay(plan.layouts[at], number::LAYOUT_BATCH_OFFSET, &stride)?;
            }
        }
        Ok(plan.choose(alignment)?.then_some(plan))
    }

    fn check(&self, what: &str, code: c_uint) -> Result<()> {
        if code == 0 {
            return Ok(());
        }
        let why = self.blas.explain(code);
        let message = format!("{what} failed for a matmul of {}: {why}; MESHLOOM_MATMUL=own does without", self.text);
        Err(RuntimeError::new(ErrorKind::Rank, "cublaslt", message))
    }

    fn describe<T>(&self, attribute: c_uint, value: &T) -> Result<()> {
        let f = self.blas.functions.cublasLtMatmulDescSetAttribute;
        // SAFETY: the value has the attribute's type, and is copied.
        let code = unsafe { f(self.desc, attribute, std::ptr::from_ref(value).cast(), size_of::<T>()) };
        self.check("cublasLtMatmulDescSetAttribute", code)
    }

    fn lay<T>(&self, layout: Handle, attribute: c_uint, value: &T) -> Result<()> {
        let f = self.blas.functions.cublasLtMatrixLayoutSetAttribute;
        // SAFETY: as above.
        let code = unsafe { f(layout, attribute, std::ptr::from_ref(value).cast(), size_of::<T>()) };
        self.check("cublasLtMatrixLayoutSetAttribute", code)
    }

    /// Takes the library's first algorithm; whether it has one.
    fn choose(&mut self, alignment: &[u64]) -> Result<bool> {
        let f = &self.blas.functions;
        let mut preference = null_mut();
        // SAFETY: writes one handle, which is given back below.
        self.check("cublasLtMatmulPreferenceCreate", unsafe { (f.cublasLtMatmulPreferenceCreate)(&mut preference) })?;
        let found = self.ask(preference, alignment);
        // SAFETY: made above.
        unsafe { (f.cublasLtMatmulPreferenceDestroy)(preference) };
        let Some(found) = found? else { return Ok(false) };
        (self.algorithm, self.workspace) = (found.algorithm, found.workspace as u64);
        Ok(true)
    }

    fn ask(&self, preference: Handle, alignment: &[u64]) -> Result<Option<HeuristicResult>> {
        let f = &self.blas.functions;
        let of = |m: &Matrix| 1u32 << aligned(alignment.get(m.arg as usize).copied().unwrap_or(1), m.offset);
        let c = self.c.as_ref().unwrap_or(&self.d);
        let alignments = [&self.a, &self.b, c, &self.d].map(of);
        let workspace = WORKSPACE;
        let prefer = |attribute: c_uint, value: *const c_void, size: usize| {
            // SAFETY: the value has the attribute's type, and is copied.
            let code = unsafe { (f.cublasLtMatmulPreferenceSetAttribute)(preference, attribute, value, size) };
            self.check("cublasLtMatmulPreferenceSetAttribute", code)
        };
        prefer(number::PREF_MAX_WORKSPACE, std::ptr::from_ref(&workspace).cast(), 8)?;
        for (i, a) in (0..).zip(&alignments) {
            prefer(number::PREF_MIN_ALIGNMENT + i, std::ptr::from_ref(a).cast(), 4)?;
        }
        let ([a, b, _, d], c) = (self.layouts, self.layout_of_c());
        let (mut found, mut count) = (HeuristicResult::default(), 0);
        // SAFETY: descriptions of this plan; room for the one result that is asked for.
        let code = unsafe {
            let handle = self.blas.handle;
            (f.cublasLtMatmulAlgoGetHeuristic)(handle, self.desc, a, b, c, d, preference, 1, &mut found, &mut count)
        };
        if code == number::NOT_SUPPORTED {
            return Ok(None);
        }
        self.check("cublasLtMatmulAlgoGetHeuristic", code)?;
        Ok((count > 0 && found.state == 0 && found.workspace as u64 <= WORKSPACE).then_some(found))
    }

    fn layout_of_c(&self) -> Handle {
        if self.c.is_some() { self.layouts[2] } else { self.layouts[3] }
    }

    /// Bytes of device memory that it needs to itself while it runs.
    pub fn workspace(&self) -> u64 {
        self.workspace
    }

    /// Puts the matmul on a stream (CUDA's handle).
    ///
    /// # Errors
    /// The library's.
    ///
    /// # Safety
    /// `args` are where the launch's arguments lie, `workspace` has as many bytes as [`Plan::workspace`] says, and nobody else touches what
    /// this writes until a stream that has waited for it does.
    pub unsafe fn run(&self, args: &[Address], workspace: Address, stream: *mut c_void) -> Result<()> {
        let at = |arg: u32, offset: u64| args.get(arg as usize).map_or(0, |a| a + offset);
        let of = |m: &Matrix| at(m.arg, m.offset);
        if let Some(v) = &self.bias {
            self.describe(number::DESC_BIAS_POINTER, &at(v.arg, v.offset))?;
        }
        let (alpha, beta) = (1f32, if self.c.is_some() { 1f32 } else { 0f32 });
        let c = self.c.as_ref().map_or_else(|| of(&self.d), of);
        let [a, b, _, d] = self.layouts;
        // SAFETY: descriptions of this plan; addresses as the caller promises; the factors are read before the call returns.
        let code = unsafe {
            (self.blas.functions.cublasLtMatmul)(
                self.blas.handle,
                self.desc,
                std::ptr::from_ref(&alpha).cast(),
                of(&self.a) as *const c_void,
                a,
                of(&self.b) as *const c_void,
                b,
                std::ptr::from_ref(&beta).cast(),
                c as *const c_void,
                self.layout_of_c(),
                of(&self.d) as *mut c_void,
                d,
                &self.algorithm,
                workspace as *mut c_void,
                self.workspace as usize,
                stream,
            )
        };
        self.check("cublasLtMatmul", code)
    }
}

impl Drop for Plan {
    fn drop(&mut self) {
        let f = &self.blas.functions;
        // SAFETY: each was made once and is given back once.
        unsafe {
            self.layouts.iter().filter(|l| !l.is_null()).for_each(|&l| _ = (f.cublasLtMatrixLayoutDestroy)(l));
            if !self.desc.is_null() {
                (f.cublasLtMatmulDescDestroy)(self.desc);
            }
        }
    }
}
