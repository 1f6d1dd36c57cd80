//! Dense host tensors for the interpreters: floats as f64 rounded to their dtype after every op, the rest as i64. Slow and
//! plain on purpose; this is the oracle that generated code is measured against.

use crate::types::{DType, Literal, Scalar, TensorType};

#[derive(Clone, PartialEq, Debug)]
pub enum Data {
    Float(Vec<f64>),
    Int(Vec<i64>),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Tensor {
    pub ty: TensorType,
    pub data: Data,
}

/// `x` rounded to the precision of `dtype`.
pub fn round(dtype: DType, x: f64) -> f64 {
    match dtype {
        DType::F32 => f64::from(x as f32),
        // `half`'s own conversions of f64 ignore its last 32 bits.
        DType::BF16 => f64::from(half::bf16::from_f32(odd(x))),
        DType::F16 => f64::from(half::f16::from_f32(odd(x))),
        DType::F8E4M3 => round_small(x, 3, -6, 448.0, f64::NAN),
        DType::F8E5M2 => round_small(x, 2, -14, 57344.0, f64::INFINITY),
        _ => x,
    }
}

/// `x` as an f32, where it is none as the neighbour whose last bit is 1: rounding that to 16 bits is rounding `x` (Boldo and
/// Melquiond, "When double rounding is odd", 2005).
fn odd(x: f64) -> f32 {
    let near = x as f32;
    let bits = near.to_bits();
    if bits & 1 == 1 || x.is_nan() || f64::from(near) == x {
        return near;
    }
    f32::from_bits(if f64::from(near).abs() > x.abs() { bits - 1 } else { bits + 1 })
}

/// `n` as an element of a type of floats, rounded once.
pub fn round_integer(dtype: DType, n: i64) -> f64 {
    match dtype {
        DType::F64 => n as f64,
        DType::F32 => f64::from(n as f32),
        // Beyond 2^53 what f64 does not hold is one odd bit.
        _ if n.unsigned_abs() > 1 << 53 => round(dtype, ((n & !0x7ff) | if n & 0x7ff == 0 { 0 } else { 0x800 }) as f64),
        _ => round(dtype, n as f64),
    }
}

/// Round to nearest even with `mantissa` bits and smallest normal exponent `emin`; what is above `max` then is `above`, as in XLA.
fn round_small(x: f64, mantissa: i32, emin: i32, max: f64, above: f64) -> f64 {
    if x == 0.0 || x.is_nan() {
        return x;
    }
    if x.is_infinite() {
        return above.copysign(x);
    }
    let exponent = (x.abs().log2().floor() as i32).max(emin);
    let ulp = f64::powi(2.0, exponent - mantissa);
    let rounded = (x / ulp).round_ties_even() * ulp;
    if rounded.abs() > max { above.copysign(x) } else { rounded }
}

/// `x` wrapped to the range of `dtype`.
pub fn wrap(dtype: DType, x: i64) -> i64 {
    match dtype {
        DType::I32 => i64::from(x as i32),
        DType::U32 => i64::from(x as u32),
        DType::I8 => i64::from(x as i8),
        DType::U8 => i64::from(x as u8),
        DType::Bool => i64::from(x != 0),
        _ => x,
    }
}

/// A float as an integer of `dtype`: cut towards zero, then the nearest one that there is; NaN is 0.
pub fn saturate(dtype: DType, x: f64) -> i64 {
    match dtype {
        DType::I32 => i64::from(x as i32),
        DType::U32 => i64::from(x as u32),
        DType::I8 => i64::from(x as i8),
        DType::U8 => i64::from(x as u8),
        DType::Bool => i64::from(x != 0.0),
        _ => x as i64,
    }
}

/// What the interpreters put where contents are unspecified: values that show when they are used.
pub fn unspecified(dtype: DType) -> Scalar {
    match dtype {
        _ if dtype.is_float() => Scalar::float(f64::NAN),
        DType::Bool => Scalar::Int(1),
        DType::I8 => Scalar::Int(101),
        DType::U8 => Scalar::Int(201),
        _ => Scalar::Int(1_999_999_973),
    }
}

/// Row-major strides of a shape.
pub fn strides(shape: &[u64]) -> Vec<usize> {
    let mut s = vec![1usize; shape.len()];
    for d in (1..shape.len()).rev() {
        s[d - 1] = s[d] * shape[d] as usize;
    }
    s
}

/// Calls `f` with every index of `shape` in row-major order.
pub fn for_each_index(shape: &[u64], mut f: impl FnMut(usize, &[usize])) {
    let n: usize = shape.iter().product::<u64>() as usize;
    let mut idx = vec![0usize; shape.len()];
    for flat in 0..n {
        f(flat, &idx);
        for d in (0..shape.len()).rev() {
            idx[d] += 1;
            if idx[d] < shape[d] as usize {
                break;
            }
            idx[d] = 0;
        }
    }
}

impl Tensor {
    pub fn floats(dtype: DType, shape: &[u64], data: Vec<f64>) -> Tensor {
        debug_assert_eq!(shape.iter().product::<u64>() as usize, data.len());
        let data = data.into_iter().map(|x| round(dtype, x)).collect();
        Tensor { ty: TensorType::new(dtype, shape), data: Data::Float(data) }
    }

    pub fn ints(dtype: DType, shape: &[u64], data: Vec<i64>) -> Tensor {
        debug_assert_eq!(shape.iter().product::<u64>() as usize, data.len());
        let data = data.into_iter().map(|x| wrap(dtype, x)).collect();
        Tensor { ty: TensorType::new(dtype, shape), data: Data::Int(data) }
    }

    pub fn zeros(ty: &TensorType) -> Tensor {
        Tensor::splat(ty, 0.0)
    }

    pub fn splat(ty: &TensorType, x: f64) -> Tensor {
        let n = ty.elements() as usize;
        if ty.dtype.is_float() {
            Tensor::floats(ty.dtype, &ty.shape, vec![x; n])
        } else {
            Tensor::ints(ty.dtype, &ty.shape, vec![x as i64; n])
        }
    }

    pub fn literal(ty: &TensorType, value: &Literal) -> Tensor {
        match value {
            Literal::Splat(s) if ty.dtype.is_float() => Tensor::splat(ty, s.as_f64()),
            Literal::Splat(s) => Tensor::ints(ty.dtype, &ty.shape, vec![s.as_i64(); ty.elements() as usize]),
            Literal::Dense(v) if ty.dtype.is_float() => {
                Tensor::floats(ty.dtype, &ty.shape, v.iter().map(|s| s.as_f64()).collect())
            }
            Literal::Dense(v) => Tensor::ints(ty.dtype, &ty.shape, v.iter().map(|s| s.as_i64()).collect()),
        }
    }

    pub fn len(&self) -> usize {
        self.ty.elements() as usize
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Element `i` (row-major) as f64.
    pub fn f(&self, i: usize) -> f64 {
        match &self.data {
            Data::Float(v) => v[i],
            Data::Int(v) => v[i] as f64,
        }
    }

    /// Element `i` (row-major) as i64.
    pub fn i(&self, i: usize) -> i64 {
        match &self.data {
            Data::Float(v) => v[i] as i64,
            Data::Int(v) => v[i],
        }
    }

    /// A tensor of `shape` whose element at `index` is this one's element at `source(index)` (row-major), or zero.
    pub fn gather_by(&self, shape: &[u64], source: impl FnMut(&[usize]) -> Option<usize>) -> Tensor {
        self.gather_or(shape, Scalar::Int(0), source)
    }

    /// As [`Self::gather_by`], with `other` where there is no source.
    pub fn gather_or(&self, shape: &[u64], other: Scalar, mut source: impl FnMut(&[usize]) -> Option<usize>) -> Tensor {
        let ty = TensorType::new(self.ty.dtype, shape);
        let n = ty.elements() as usize;
        let data = match &self.data {
            Data::Float(v) => {
                let mut out = vec![0.0; n];
                for_each_index(shape, |flat, idx| out[flat] = source(idx).map_or(other.as_f64(), |s| v[s]));
                Data::Float(out)
            }
            Data::Int(v) => {
                let mut out = vec![0; n];
                for_each_index(shape, |flat, idx| out[flat] = source(idx).map_or(other.as_i64(), |s| v[s]));
                Data::Int(out)
            }
        };
        Tensor { ty, data }
    }

    /// `n` rows of dim `dim` from `start` on; what lies beyond the end is [`unspecified`].
    pub fn block_or_padding(&self, dim: usize, start: usize, n: usize) -> Tensor {
        let mut shape = self.ty.shape.clone();
        let have = shape[dim] as usize;
        if start + n <= have {
            return self.block(dim, start, n);
        }
        shape[dim] = n as u64;
        let st = strides(&self.ty.shape);
        self.gather_or(&shape, unspecified(self.ty.dtype), |idx| {
            let at = idx.iter().zip(&st).map(|(i, s)| i * s).sum::<usize>() + start * st[dim];
            (idx[dim] + start < have).then_some(at)
        })
    }

    /// Rows `start..start + len` of dim `dim`.
    pub fn block(&self, dim: usize, start: usize, len: usize) -> Tensor {
        let mut shape = self.ty.shape.clone();
        shape[dim] = len as u64;
        let st = strides(&self.ty.shape);
        self.gather_by(&shape, |idx| Some(idx.iter().zip(&st).map(|(i, s)| i * s).sum::<usize>() + start * st[dim]))
    }

    /// Tensors put one after another along `dim`.
    pub fn concat(parts: &[&Tensor], dim: usize) -> Tensor {
        let mut shape = parts[0].ty.shape.clone();
        shape[dim] = parts.iter().map(|p| p.ty.shape[dim]).sum();
        let (outer, inner): (u64, u64) = (shape[..dim].iter().product(), shape[dim + 1..].iter().product());
        let ty = TensorType::new(parts[0].ty.dtype, shape);
        let chunk = |p: &Tensor| (p.ty.shape[dim] * inner) as usize;
        let data = match &parts[0].data {
            Data::Float(_) => {
                let mut out = Vec::with_capacity(ty.elements() as usize);
                for o in 0..outer as usize {
                    for p in parts {
                        out.extend((o * chunk(p)..(o + 1) * chunk(p)).map(|i| p.f(i)));
                    }
                }
                Data::Float(out)
            }
            Data::Int(_) => {
                let mut out = Vec::with_capacity(ty.elements() as usize);
                for o in 0..outer as usize {
                    for p in parts {
                        out.extend((o * chunk(p)..(o + 1) * chunk(p)).map(|i| p.i(i)));
                    }
                }
                Data::Int(out)
            }
        };
        Tensor { ty, data }
    }
}
