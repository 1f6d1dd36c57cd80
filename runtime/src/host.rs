//! A global tensor on the host: what files have and what users see, before it is scattered to shards or after it was
//! gathered.

use meshloom_bundle::{DType, Port};

/// Dense row-major, little-endian, no padding.
#[derive(Clone, Debug, PartialEq)]
pub struct HostTensor {
    pub dtype: DType,
    pub shape: Vec<u64>,
    pub bytes: Vec<u8>,
}

impl HostTensor {
    pub fn zeros(dtype: DType, shape: &[u64]) -> HostTensor {
        let n = shape.iter().product::<u64>() * dtype.bytes();
        HostTensor { dtype, shape: shape.to_vec(), bytes: vec![0; n as usize] }
    }

    pub fn f32(shape: &[u64], values: &[f32]) -> HostTensor {
        HostTensor {
            dtype: DType::F32,
            shape: shape.to_vec(),
            bytes: values.iter().flat_map(|v| v.to_le_bytes()).collect(),
        }
    }

    pub fn f64(shape: &[u64], values: &[f64]) -> HostTensor {
        HostTensor {
            dtype: DType::F64,
            shape: shape.to_vec(),
            bytes: values.iter().flat_map(|v| v.to_le_bytes()).collect(),
        }
    }

    pub fn i32(shape: &[u64], values: &[i32]) -> HostTensor {
        HostTensor {
            dtype: DType::I32,
            shape: shape.to_vec(),
            bytes: values.iter().flat_map(|v| v.to_le_bytes()).collect(),
        }
    }

    pub fn elements(&self) -> u64 {
        self.shape.iter().product()
    }

    /// The values as `f64`, whatever the dtype; floats of 8 bits are bytes to the runtime.
    pub fn to_f64(&self) -> Option<Vec<f64>> {
        fn each<const N: usize>(bytes: &[u8], f: impl Fn([u8; N]) -> f64) -> Vec<f64> {
            bytes.as_chunks::<N>().0.iter().map(|&c| f(c)).collect()
        }
        Some(match self.dtype {
            DType::F32 => each(&self.bytes, |c| f64::from(f32::from_le_bytes(c))),
            DType::F64 => each(&self.bytes, f64::from_le_bytes),
            DType::I32 => each(&self.bytes, |c| f64::from(i32::from_le_bytes(c))),
            DType::I64 => each(&self.bytes, |c| i64::from_le_bytes(c) as f64),
            DType::U32 => each(&self.bytes, |c| f64::from(u32::from_le_bytes(c))),
            DType::I8 => each(&self.bytes, |c| f64::from(i8::from_le_bytes(c))),
            DType::U8 | DType::Bool => each(&self.bytes, |[c]| f64::from(c)),
            DType::F16 => each(&self.bytes, |c| half::f16::from_le_bytes(c).to_f64()),
            DType::BF16 => each(&self.bytes, |c| half::bf16::from_le_bytes(c).to_f64()),
            DType::F8E4M3 | DType::F8E5M2 => return None,
        })
    }

    /// The values of an integer tensor.
    pub fn to_i64(&self) -> Option<Vec<i64>> {
        fn each<const N: usize>(bytes: &[u8], f: impl Fn([u8; N]) -> i64) -> Vec<i64> {
            bytes.as_chunks::<N>().0.iter().map(|&c| f(c)).collect()
        }
        Some(match self.dtype {
            DType::I32 => each(&self.bytes, |c| i64::from(i32::from_le_bytes(c))),
            DType::I64 => each(&self.bytes, i64::from_le_bytes),
            DType::U32 => each(&self.bytes, |c| i64::from(u32::from_le_bytes(c))),
            DType::I8 => each(&self.bytes, |c| i64::from(i8::from_le_bytes(c))),
            DType::U8 | DType::Bool => each(&self.bytes, |[c]| i64::from(c)),
            _ => return None,
        })
    }

    /// `f32[2, 3]`, for messages.
    pub fn describe(&self) -> String {
        describe(self.dtype, &self.shape)
    }
}

/// The tensor of a port, or of a layer of it: `f32[2, 3]`, or `complex64[2, 3]` of complex numbers.
pub fn describe_port(port: &Port, shape: &[u64]) -> String {
    format!("{}{:?}", port.element(), port.numbers(shape))
}

/// `f32[2, 3]`.
pub fn describe(dtype: DType, shape: &[u64]) -> String {
    format!("{}{shape:?}", dtype.name())
}
