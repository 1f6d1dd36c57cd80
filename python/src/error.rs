//! `meshloom.Error`: what the runtime refuses, as an exception.

use meshloom_runtime::RuntimeError;
use pyo3::prelude::*;

pyo3::create_exception!(meshloom, Error, pyo3::exceptions::PyRuntimeError, "What Meshloom refuses or cannot do.");

/// As an exception, with the exit code that the command would have.
pub fn raised(e: &RuntimeError) -> PyErr {
    let code = e.exit_code();
    let err = Error::new_err(e.to_string());
    // An exception that takes no attribute is raised without it.
    Python::attach(|py| err.value(py).setattr("code", code).ok());
    err
}
