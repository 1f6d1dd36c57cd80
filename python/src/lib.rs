//! The native half of the Python package: a bundle that runs in the process of the interpreter, on memory that Python owns.
//!
//! Bytes of the host pass by the buffer protocol, and arrays on a GPU by DLPack (`on_gpu`). What is written goes from Python's memory into
//! the shards, and what is read from the shards into Python's memory, with no copy in between; what bytes of the host mean (dtypes, trees,
//! DLPack there) is Python's (`meshloom/*.py`).
//!
//! Not here: planning and compiling. They run in a process of their own, the `meshloom` command, so that neither LLVM nor a bug of
//! the compiler is in the process that has JAX or PyTorch in it.

mod error;
mod keeper;
mod memory;
mod on_gpu;
mod session;

use pyo3::prelude::*;

#[pymodule]
fn _native(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add("Error", m.py().get_type::<error::Error>())?;
    m.add("__version__", env!("CARGO_PKG_VERSION"))?;
    m.add_class::<on_gpu::GpuArray>()?;
    m.add_class::<session::PySession>()
}
