//! Matmuls by NVIDIA's cuBLASLt, where it is installed and is the better choice.
//!
//! ```text
//! choice     who computes a matmul: what `MESHLOOM_MATMUL` says, and the tuning table
//! library    the functions, loaded when a bundle for GPUs is opened
//! plan       one matmul made ready: descriptions, an algorithm, its workspace
//! ```
//!
//! A bundle has a kernel of its own for every contraction, and describes some of them as matmuls as well
//! ([`meshloom_bundle::Product`]). The choice between kernel and library is made once, when the program is loaded. The
//! table decides; the library is asked for its best algorithm; if it has none, the kernel is used. Nothing is measured,
//! so the same machine does the same in each run. A step is captured as always, since a call of the library puts
//! kernels on a stream.

mod choice;
mod library;
mod plan;

pub use choice::{BlasChoice, TABLE_VERSION, VARIABLE as CHOICE};
pub use library::{Blas, VARIABLE, describe};
pub use plan::Plan;

use crate::error::{Result, RuntimeError};
use meshloom_bundle::Gemm;
use std::rc::Rc;

/// The library of a device, if it is to be used there.
pub struct Matmuls {
    blas: Option<Rc<Blas>>,
    /// Why it is not there, where it would be used.
    missing: Option<String>,
    choice: BlasChoice,
    /// The device's compute capability: `(9, 0)`.
    capability: (i32, i32),
}

impl Matmuls {
    /// None are the library's.
    pub fn none() -> Matmuls {
        Matmuls { blas: None, missing: None, choice: BlasChoice::Own, capability: (0, 0) }
    }

    /// As `MESHLOOM_MATMUL` says, with a driver that knows this CUDA (13000 for 13.0). The device's context is current.
    ///
    /// # Errors
    /// A word that it does not know; a library that was asked for and is not there.
    pub fn from_env(capability: (i32, i32), cuda: i32) -> Result<Matmuls> {
        let choice = BlasChoice::from_env()?;
        if choice == BlasChoice::Own {
            return Ok(Matmuls::none());
        }
        match Blas::open(cuda) {
            Ok(blas) => Ok(Matmuls::of(blas, choice, capability)),
            Err(why) if choice == BlasChoice::Auto => Ok(Matmuls { missing: Some(why), ..Matmuls::none() }),
            Err(why) => Err(RuntimeError::usage("cublaslt", format!("{CHOICE} asks for it: {why}"))),
        }
    }

    /// With an opened library.
    pub fn of(blas: Blas, choice: BlasChoice, capability: (i32, i32)) -> Matmuls {
        Matmuls { blas: Some(Rc::new(blas)), missing: None, choice, capability }
    }

    /// Who computes `all` matmuls, of which the library was given `taken`.
    pub fn describe(&self, taken: usize, all: usize) -> String {
        match (&self.blas, &self.missing) {
            (Some(blas), _) => {
                format!("cuBLASLt {} ({}) for {taken} of {all} matmuls", blas.version_text(), blas.name)
            }
            (None, Some(why)) => format!("kernels for all matmuls, since there is no cuBLASLt: {why}"),
            (None, None) => "kernels for all matmuls".into(),
        }
    }

    /// A matmul made ready, if the library is to compute it and can. `aligned` is how many bytes each argument's addresses are multiples
    /// of, in every launch.
    ///
    /// # Errors
    /// The library fails where it should only say no.
    pub fn plan(&self, p: &Gemm, aligned: &[u64]) -> Result<Option<Plan>> {
        match &self.blas {
            Some(blas) if self.choice.takes_library(p, self.capability.0) => Plan::new(blas, p, aligned),
            _ => Ok(None),
        }
    }
}
