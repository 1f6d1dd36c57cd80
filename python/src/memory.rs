//! Memory that Python owns, as bytes: arguments are read where they lie, and results are written where they are to lie.

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyBufferError;
use pyo3::prelude::*;

/// Memory of Python's, which stays where it is as long as this lives.
pub struct PythonMemory(PyBuffer<u8>);

impl PythonMemory {
    pub fn of(buffer: PyBuffer<u8>) -> PyResult<PythonMemory> {
        match buffer.is_c_contiguous() {
            true => Ok(PythonMemory(buffer)),
            false => Err(PyBufferError::new_err("the memory is not contiguous")),
        }
    }

    /// Memory that may be written to.
    pub fn to_write(buffer: PyBuffer<u8>) -> PyResult<PythonMemory> {
        match buffer.readonly() {
            true => Err(PyBufferError::new_err("the memory is read-only")),
            false => PythonMemory::of(buffer),
        }
    }

    pub fn bytes(&self) -> &[u8] {
        match self.0.len_bytes() {
            0 => &[],
            // SAFETY: the exporter keeps this many bytes alive and in place for as long as there is a `PyBuffer`. That nobody writes
            // to an argument while it is read is the caller's promise, as it is with NumPy's own functions that release the lock.
            n => unsafe { std::slice::from_raw_parts(self.0.buf_ptr().cast(), n) },
        }
    }

    pub fn bytes_mut(&mut self) -> &mut [u8] {
        match self.0.len_bytes() {
            0 => &mut [],
            // SAFETY: as above; that the memory may be written to was asked when it came (`to_write`), and only this sees it: the array
            // was made for it.
            n => unsafe { std::slice::from_raw_parts_mut(self.0.buf_ptr().cast(), n) },
        }
    }
}
