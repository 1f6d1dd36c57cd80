//! Arrays on the GPU that a program's devices are on, by DLPack: they go to the devices and come from there without the host.
//!
//! An array that comes is made ready on the session's stream of copies, as the protocol has it, and is read before the call returns.
//! One that goes is a copy in memory of its own, which is complete when the call returns, so no consumer has to wait for a stream.

use crate::error::raised;
use crate::memory::PythonMemory;
use dlpark::ffi::{DLDataType, DLDevice, DLDeviceType, DLManagedTensor, DLManagedTensorVersioned};
use dlpark::metadata::Dynamic;
use dlpark::python::consumer::stream;
use dlpark::python::{
    DlpackExporter, DlpackStream, ExportRequest, ImportRequest, ImportedDlpack, StreamArg, export_dlpack,
};
use dlpark::{DlpackFlags, Managed, ManagedTensorBase};
use meshloom_bundle::{DType, Port};
use meshloom_runtime::RuntimeError;
use meshloom_runtime::device::gpu::DeviceMemory;
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyBufferError;
use pyo3::prelude::*;
use std::ffi::c_void;
use std::sync::Arc;

/// Where a session's devices are: the number of their GPU, and the stream on which the session copies there.
#[derive(Clone, Copy)]
pub struct GpuPlace {
    ordinal: i32,
    stream: usize,
}

impl GpuPlace {
    pub fn of(stream_of_copies: Option<(usize, *mut c_void)>) -> Option<GpuPlace> {
        let (ordinal, stream) = stream_of_copies?;
        Some(GpuPlace { ordinal: i32::try_from(ordinal).ok()?, stream: stream as usize })
    }

    pub fn device(self) -> DLDevice {
        DLDevice::cuda(self.ordinal)
    }
}

// SAFETY: the stream is one of the GPU's primary context, and lives as long as the session, which makes the call.
unsafe impl DlpackStream for GpuPlace {
    fn as_python_arg(&self, _: Python<'_>, _: DLDevice) -> PyResult<StreamArg> {
        Ok(stream::cuda(self.stream as *mut c_void))
    }
}

/// A dense, row-major array on the GPU of a session.
pub struct TakenArray {
    /// Keeps the memory.
    _owner: ImportedDlpack,
    pub dtype: DType,
    pub shape: Vec<u64>,
    pub address: u64,
}

/// Takes an array; `None` if it lies elsewhere, or in another order, or its elements are of a type that programs do not have.
pub fn taken(value: &Bound<'_, PyAny>, place: GpuPlace) -> PyResult<Option<TakenArray>> {
    let request = ImportRequest::new(value.as_borrowed())?;
    if request.device().ok() != Some(place.device()) {
        return Ok(None);
    }
    let owner = request.import(Some(&place), None)?;
    let wrong = |e: dlpark::tensor::Error| PyBufferError::new_err(e.to_string());
    let tensor = owner.validate().map_err(wrong)?;
    let (Some(dtype), true, 1..) =
        (element(tensor.dtype()), tensor.is_compact().map_err(wrong)?, tensor.num_elements())
    else {
        return Ok(None);
    };
    let shape = tensor.shape().iter().map(|&n| n as u64).collect();
    // SAFETY: the producer promises that its offset is within its memory.
    let address = unsafe { tensor.offset_bytes_ptr() }.map_err(wrong)? as u64;
    Ok(Some(TakenArray { _owner: owner, dtype, shape, address }))
}

const TYPES: [(DType, DLDataType); 10] = [
    (DType::F32, DLDataType::F32),
    (DType::F64, DLDataType::F64),
    (DType::F16, DLDataType::F16),
    (DType::BF16, DLDataType::BF16),
    (DType::I32, DLDataType::I32),
    (DType::I64, DLDataType::I64),
    (DType::U32, DLDataType::U32),
    (DType::I8, DLDataType::I8),
    (DType::U8, DLDataType::U8),
    (DType::Bool, DLDataType::BOOL),
];

fn element(dtype: DLDataType) -> Option<DType> {
    TYPES.iter().find(|t| t.1 == dtype).map(|t| t.0)
}

/// A tensor's value in GPU memory of its own, which whoever took it by DLPack may keep for longer than this and the program live.
#[pyclass(frozen, name = "GpuArray", module = "meshloom._native")]
pub struct GpuArray {
    memory: Arc<DeviceMemory>,
    device: DLDevice,
    dtype: DLDataType,
    shape: Vec<i64>,
}

impl GpuArray {
    /// Memory for a value; `None` if DLPack has no such elements.
    pub fn for_value(place: GpuPlace, port: &Port, shape: &[u64]) -> Result<Option<GpuArray>, RuntimeError> {
        let Some(&(_, dtype)) = TYPES.iter().find(|t| t.0 == port.dtype && !port.complex && !port.unsigned) else {
            return Ok(None);
        };
        let bytes = shape.iter().product::<u64>() * port.dtype.bytes();
        let memory = DeviceMemory::new(place.ordinal as usize, bytes, &port.name)?;
        let shape = shape.iter().map(|&n| n as i64).collect();
        Ok(Some(GpuArray { memory: Arc::new(memory), device: place.device(), dtype, shape }))
    }

    pub fn address(&self) -> u64 {
        self.memory.address()
    }

    fn export<M: ManagedTensorBase>(&self) -> PyResult<Managed<M>> {
        let made = Dynamic::compact(&self.shape[..]).initialize_as::<M>(self.memory.clone());
        let mut made = made.map_err(|e| PyBufferError::new_err(e.to_string()))?;
        made.set_data(self.memory.address() as *mut c_void).set_device(self.device).set_dtype(self.dtype);
        // SAFETY: the memory has this shape of these elements, and the tensor keeps it.
        Ok(unsafe { made.finish() })
    }
}

impl DlpackExporter for GpuArray {
    fn device(&self) -> DLDevice {
        self.device
    }

    fn flags(&self) -> DlpackFlags {
        DlpackFlags::empty()
    }

    fn prepare_export(&self, _: Python<'_>, _: &ExportRequest<'_>) -> PyResult<()> {
        Ok(())
    }

    fn export_legacy(&self, _: Python<'_>) -> PyResult<Managed<DLManagedTensor>> {
        self.export()
    }

    fn export_versioned(&self, _: Python<'_>) -> PyResult<Managed<DLManagedTensorVersioned>> {
        self.export()
    }
}

#[pymethods]
impl GpuArray {
    fn __dlpack_device__(&self) -> (u32, i32) {
        let DLDeviceType(kind) = self.device.device_type;
        (kind, self.device.device_id)
    }

    /// As the array API standard has it.
    #[pyo3(signature = (*, stream=None, max_version=None, dl_device=None, copy=None))]
    fn __dlpack__<'py>(
        &self,
        py: Python<'py>,
        stream: Option<Bound<'py, PyAny>>,
        max_version: Option<(u32, u32)>,
        dl_device: Option<(u32, i32)>,
        copy: Option<bool>,
    ) -> PyResult<Py<PyAny>> {
        export_dlpack(self, py, ExportRequest::parse(stream.as_ref(), max_version, dl_device, copy)?)
    }

    /// Copies the value into memory of the host's, which has as many bytes.
    fn read_into(&self, py: Python<'_>, memory: PyBuffer<u8>) -> PyResult<()> {
        let mut memory = PythonMemory::to_write(memory)?;
        py.detach(|| self.memory.read(memory.bytes_mut())).map_err(|e| raised(&e))
    }
}
