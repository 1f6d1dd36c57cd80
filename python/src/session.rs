//! `meshloom._native.Session`: one entry of a bundle. See `meshloom/_native.pyi` for what Python sees.

use crate::error::raised;
use crate::keeper::Keeper;
use crate::memory::PythonMemory;
use crate::on_gpu::{self, GpuArray, GpuPlace};
use meshloom_bundle::{Bundle, EntryKind, Init, Port};
use meshloom_runtime::file::DataFile;
use meshloom_runtime::{RuntimeError, Session, SessionOptions};
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;

#[pyclass(frozen, name = "Session", module = "meshloom._native")]
pub struct PySession {
    keeper: Keeper,
    entry: String,
    train: bool,
    devices: usize,
    ports: Vec<Port>,
    /// Where its devices are GPUs.
    gpu: Option<GpuPlace>,
}

/// The number of a step, the loss, and the metrics by name.
type Reported = (u64, Option<f64>, Vec<(String, f64)>);

#[pymethods]
impl PySession {
    /// Opens an entry of a bundle; without a name the one that trains, or the only one.
    #[new]
    #[pyo3(signature = (path, entry=None, *, threads=None, seed=0))]
    fn new(
        py: Python<'_>,
        path: PathBuf,
        entry: Option<String>,
        threads: Option<usize>,
        seed: u64,
    ) -> PyResult<PySession> {
        py.detach(|| {
            let place = path.display().to_string();
            let bytes = DataFile::regular(&path).and_then(|f| f.all()).map_err(|e| raised(&e))?;
            let bundle = Bundle::read(&bytes).map_err(|e| raised(&RuntimeError::bundle(&place, &e)))?;
            drop(bytes);
            let entry = match entry {
                Some(name) => name,
                None => main(&bundle).map_err(PyValueError::new_err)?,
            };
            let options = SessionOptions { threads, seed, ..SessionOptions::default() };
            let keeper = Keeper::open(bundle, entry.clone(), options).map_err(|e| raised(&e))?;
            let told = keeper.ask(|s: &mut Session| {
                (s.kind(), s.devices().len(), s.program().ports.clone(), GpuPlace::of(s.stream_of_copies()))
            });
            let (kind, devices, ports, gpu) = told.map_err(|e| raised(&e))?;
            Ok(PySession { keeper, entry, train: kind == EntryKind::Train, devices, ports, gpu })
        })
    }

    #[getter]
    fn entry(&self) -> &str {
        &self.entry
    }

    /// Whether it is a `train`.
    #[getter]
    fn train(&self) -> bool {
        self.train
    }

    #[getter]
    fn devices(&self) -> usize {
        self.devices
    }

    /// Where its devices are, as `__dlpack_device__` has it, if they are GPUs.
    #[getter]
    fn gpu(&self) -> Option<(u32, i32)> {
        let device = self.gpu?.device();
        Some((device.device_type.0, device.device_id))
    }

    /// The tensors that files and callers name, one dict for each; one for each layer of a stack.
    fn ports<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let mut all = Vec::new();
        for p in self.ports.iter().filter(|p| p.alias.is_none()) {
            let layers = if p.stacked { p.global_shape[0] } else { 1 };
            for layer in 0..layers {
                let d = PyDict::new(py);
                d.set_item("name", if p.stacked { p.layer_name(layer) } else { p.name.clone() })?;
                d.set_item("role", p.role.name())?;
                d.set_item("dtype", p.element())?;
                d.set_item("shape", p.numbers(&p.global_shape[usize::from(p.stacked)..]).to_vec())?;
                d.set_item("given", p.init == Init::Given)?;
                all.push(d);
            }
        }
        Ok(all)
    }

    /// Gives parameters and state the initial values that the source says.
    fn initialize(&self, py: Python<'_>) -> PyResult<()> {
        self.ask(py, |s| s.initialize())
    }

    /// Copies a value from memory of the caller's into the shards. Complex numbers are pairs: a last dim of 2.
    fn write(&self, py: Python<'_>, name: String, dtype: &str, shape: Vec<u64>, memory: PyBuffer<u8>) -> PyResult<()> {
        let memory = PythonMemory::of(memory)?;
        let Some(dtype) = meshloom_bundle::element_type(dtype) else {
            return Err(PyValueError::new_err(format!("{name}: elements of type {dtype} are not taken")));
        };
        self.ask(py, move |s| s.write_from_memory(&name, dtype, &shape, memory.bytes()))
    }

    /// Copies a value from the shards into memory of the caller's, which has as many bytes.
    fn read_into(&self, py: Python<'_>, name: String, memory: PyBuffer<u8>) -> PyResult<()> {
        let mut memory = PythonMemory::to_write(memory)?;
        self.ask(py, move |s| s.read_into(&name, memory.bytes_mut()))
    }

    /// Copies a value from an array on the devices' GPU into the shards. `False`: it has to come by way of the host.
    fn write_from_gpu(&self, py: Python<'_>, name: String, value: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Some(place) = self.gpu else { return Ok(false) };
        let Some(given) = on_gpu::taken(value, place)? else { return Ok(false) };
        let (dtype, shape, address) = (given.dtype, given.shape.clone(), given.address);
        // SAFETY: what was taken is as it says, the producer made it ready on the session's stream, and it lives until it was read.
        self.ask(py, move |s| unsafe { s.write_from_gpu(&name, dtype, &shape, address) })
    }

    /// Copies a value from the shards into memory of their GPU. `None`: it has to come by way of the host.
    fn read_on_gpu(&self, py: Python<'_>, name: String) -> PyResult<Option<GpuArray>> {
        let (Some(place), Some((port, shape))) = (self.gpu, self.port(&name)) else { return Ok(None) };
        let made = py.detach(|| GpuArray::for_value(place, port, shape)).map_err(|e| raised(&e))?;
        let Some(made) = made else { return Ok(None) };
        let address = made.address();
        // SAFETY: the memory was made for the value, on the session's GPU, and lives until it is written.
        let read = self.ask(py, move |s| unsafe { s.read_into_gpu(&name, address) })?;
        Ok(read.then_some(made))
    }

    /// Runs the program once; of a `train`, a step. Gives the number of the step, the loss and the metrics.
    fn step(&self, py: Python<'_>) -> PyResult<Reported> {
        self.ask(py, |s| s.step().map(|r| (r.step, r.loss, r.metrics)))
    }
}

impl PySession {
    /// The tensor of a name, and its shape: of one layer, if the name is a layer's.
    fn port(&self, name: &str) -> Option<(&Port, &[u64])> {
        self.ports.iter().filter(|p| p.alias.is_none()).find_map(|p| match p.stacked {
            true => p.layer_named(name).map(|_| (p, &p.global_shape[1..])),
            false => (p.name == name).then_some((p, &p.global_shape[..])),
        })
    }

    fn ask<T: Send + 'static>(
        &self,
        py: Python<'_>,
        of: impl FnOnce(&mut Session) -> Result<T, RuntimeError> + Send + 'static,
    ) -> PyResult<T> {
        py.detach(|| self.keeper.ask(of).and_then(|r| r).map_err(|e| raised(&e)))
    }
}

/// The entry that is meant where none is named.
fn main(bundle: &Bundle) -> Result<String, String> {
    let all = &bundle.contents.entries;
    let trains: Vec<&str> =
        all.iter().filter(|e| e.kind == EntryKind::Train).map(|e| e.program.entry.as_str()).collect();
    match (all.as_slice(), trains.as_slice()) {
        ([only], _) => Ok(only.program.entry.clone()),
        (_, [only]) => Ok((*only).to_owned()),
        _ => {
            let names: Vec<&str> = all.iter().map(|e| e.program.entry.as_str()).collect();
            Err(format!("the bundle has several entries, {}: name one with entry=", names.join(", ")))
        }
    }
}
