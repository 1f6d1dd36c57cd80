//! The text being written: names of values, types, constants, and the forms that many ops share.

use meshloom_ir::types::{Literal, Scalar};
use meshloom_ir::{DType, Reduction, TensorType};
use std::fmt::Write;

/// A value of the text: its name and type.
#[derive(Clone, PartialEq, Debug)]
pub struct TextValue {
    pub name: String,
    pub ty: TensorType,
}

impl TextValue {
    pub fn new(name: &str, ty: TensorType) -> TextValue {
        TextValue { name: name.to_string(), ty }
    }

    pub fn tensor(&self) -> String {
        tensor(&self.ty)
    }

    pub fn shape(&self) -> &[u64] {
        &self.ty.shape
    }
}

#[derive(Default)]
pub struct Text {
    pub text: String,
    depth: usize,
    next: usize,
}

impl Text {
    pub fn line(&mut self, text: &str) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.text, "{:width$}{text}", "", width = 2 * self.depth);
    }

    /// Opens a block: `head` ends in a brace.
    pub fn open(&mut self, head: &str) {
        self.line(head);
        self.depth += 1;
    }

    /// Closes it, and may open the next.
    pub fn close(&mut self, tail: &str, again: bool) {
        self.depth -= 1;
        self.line(tail);
        self.depth += usize::from(again);
    }

    pub fn fresh(&mut self, ty: TensorType) -> TextValue {
        self.next += 1;
        TextValue { name: format!("%{}", self.next - 1), ty }
    }

    /// Results of one op: their common name with a number each, and how the op begins.
    pub fn several(&mut self, types: &[TensorType]) -> (Vec<TextValue>, String) {
        let base = self.fresh(TensorType::scalar(DType::F32)).name;
        if let [ty] = types {
            return (vec![TextValue::new(&base, ty.clone())], base);
        }
        let all = types.iter().enumerate().map(|(i, t)| TextValue::new(&format!("{base}#{i}"), t.clone())).collect();
        (all, format!("{base}:{}", types.len()))
    }

    /// `%n = ` and what follows.
    pub fn op(&mut self, ty: TensorType, text: &str) -> TextValue {
        let v = self.fresh(ty);
        let line = format!("{} = {text}", v.name);
        self.line(&line);
        v
    }

    /// An op whose operands all have the result's type, printed as `name a, b : type`.
    pub fn same(&mut self, name: &str, xs: &[&TextValue]) -> TextValue {
        let names: Vec<&str> = xs.iter().map(|x| x.name.as_str()).collect();
        let ty = xs[0].ty.clone();
        self.op(ty.clone(), &format!("{name} {} : {}", names.join(", "), tensor(&ty)))
    }

    /// An op whose types are spelled out: `head : (types) -> type`.
    pub fn typed(&mut self, head: &str, xs: &[&TextValue], ty: TensorType) -> TextValue {
        let signature = signature(xs, &tensor(&ty));
        self.op(ty, &format!("{head} : {signature}"))
    }

    pub fn constant(&mut self, ty: TensorType, value: &Literal) -> TextValue {
        let text = match value {
            Literal::Splat(x) => scalar(*x, ty.dtype),
            Literal::Dense(all) => nested(all, &ty.shape, ty.dtype),
        };
        let tensor = tensor(&ty);
        self.op(ty, &format!("stablehlo.constant dense<{text}> : {tensor}"))
    }

    pub fn splat(&mut self, dtype: DType, shape: &[u64], x: Scalar) -> TextValue {
        self.constant(TensorType::new(dtype, shape), &Literal::Splat(x))
    }

    /// A whole number, everywhere.
    pub fn int(&mut self, shape: &[u64], n: i64) -> TextValue {
        self.splat(DType::I32, shape, Scalar::Int(n))
    }

    pub fn compare(&mut self, direction: &str, a: &TextValue, b: &TextValue) -> TextValue {
        let kind = match a.ty.dtype {
            d if d.is_float() => "FLOAT",
            d if d.is_unsigned() || d == DType::Bool => "UNSIGNED",
            _ => "SIGNED",
        };
        self.compare_as(direction, kind, a, b)
    }

    pub fn compare_as(&mut self, direction: &str, kind: &str, a: &TextValue, b: &TextValue) -> TextValue {
        let ty = TensorType::new(DType::Bool, a.shape());
        self.typed(&format!("stablehlo.compare {direction}, {}, {}, {kind}", a.name, b.name), &[a, b], ty)
    }

    pub fn select(&mut self, c: &TextValue, a: &TextValue, b: &TextValue) -> TextValue {
        let text = format!("stablehlo.select {}, {}, {} : {}, {}", c.name, a.name, b.name, c.tensor(), a.tensor());
        self.op(a.ty.clone(), &text)
    }

    pub fn broadcast(&mut self, x: &TextValue, shape: &[u64], dims: &[usize]) -> TextValue {
        let head = format!("stablehlo.broadcast_in_dim {}, dims = {}", x.name, list(dims));
        self.typed(&head, &[x], TensorType::new(x.ty.dtype, shape))
    }

    pub fn reshape(&mut self, x: &TextValue, shape: &[u64]) -> TextValue {
        if x.shape() == shape {
            return x.clone();
        }
        self.typed(&format!("stablehlo.reshape {}", x.name), &[x], TensorType::new(x.ty.dtype, shape))
    }

    pub fn transpose(&mut self, x: &TextValue, perm: &[usize]) -> TextValue {
        if perm.iter().enumerate().all(|(i, &p)| i == p) {
            return x.clone();
        }
        let shape: Vec<u64> = perm.iter().map(|&p| x.shape()[p]).collect();
        let head = format!("stablehlo.transpose {}, dims = {}", x.name, list(perm));
        self.typed(&head, &[x], TensorType::new(x.ty.dtype, shape))
    }

    pub fn convert(&mut self, x: &TextValue, to: DType) -> TextValue {
        if x.ty.dtype == to {
            return x.clone();
        }
        self.typed(&format!("stablehlo.convert {}", x.name), &[x], TensorType::new(to, x.shape()))
    }

    pub fn iota(&mut self, dtype: DType, shape: &[u64], dim: usize) -> TextValue {
        let ty = TensorType::new(dtype, shape);
        let tensor = tensor(&ty);
        self.op(ty, &format!("stablehlo.iota dim = {dim} : {tensor}"))
    }

    /// `start..limit` of each dim.
    pub fn slice(&mut self, x: &TextValue, start: &[u64], limit: &[u64]) -> TextValue {
        let ranges: Vec<String> = start.iter().zip(limit).map(|(a, b)| format!("{a}:{b}")).collect();
        let shape: Vec<u64> = start.iter().zip(limit).map(|(a, b)| b - a).collect();
        let head = format!("stablehlo.slice {} [{}]", x.name, ranges.join(", "));
        self.typed(&head, &[x], TensorType::new(x.ty.dtype, shape))
    }

    /// The first `n` of a dim.
    pub fn cut(&mut self, x: &TextValue, dim: usize, n: u64) -> TextValue {
        if x.shape()[dim] == n {
            return x.clone();
        }
        let mut limit = x.shape().to_vec();
        limit[dim] = n;
        self.slice(x, &vec![0; limit.len()], &limit)
    }

    /// `fill` before and after each dim; negative counts cut.
    pub fn pad(&mut self, x: &TextValue, low: &[i64], high: &[i64], fill: Scalar) -> TextValue {
        let fill = self.splat(x.ty.dtype, &[], fill);
        let grown = |(d, &n): (usize, &u64)| (n as i64 + low[d] + high[d]).max(0) as u64;
        let shape: Vec<u64> = x.shape().iter().enumerate().map(grown).collect();
        let (low, high, interior) = (list(low), list(high), list(&vec![0; shape.len()]));
        let head =
            format!("stablehlo.pad {}, {}, low = {low}, high = {high}, interior = {interior}", x.name, fill.name);
        self.typed(&head, &[x, &fill], TensorType::new(x.ty.dtype, shape))
    }

    /// A dim of at least `n`, zeros behind what is there.
    pub fn extend(&mut self, x: &TextValue, dim: usize, n: u64) -> TextValue {
        if x.shape()[dim] >= n {
            return x.clone();
        }
        let (low, mut high) = (vec![0; x.shape().len()], vec![0; x.shape().len()]);
        high[dim] = (n - x.shape()[dim]) as i64;
        self.pad(x, &low, &high, Scalar::of(x.ty.dtype, 0.0))
    }

    pub fn dynamic_slice(&mut self, x: &TextValue, starts: &[&TextValue], sizes: &[u64]) -> TextValue {
        let names: Vec<&str> = starts.iter().map(|s| s.name.as_str()).collect();
        let head = format!("stablehlo.dynamic_slice {}, {}, sizes = {}", x.name, names.join(", "), list(sizes));
        let operands: Vec<&TextValue> = [x].into_iter().chain(starts.iter().copied()).collect();
        self.typed(&head, &operands, TensorType::new(x.ty.dtype, sizes))
    }

    /// The region of two scalars that combines them, for an op in the generic form; it ends in `tail`.
    pub fn combiner(&mut self, dtype: DType, kind: Reduction, tail: &str) {
        let ty = tensor(&TensorType::scalar(dtype));
        let (a, b) = (self.fresh(TensorType::scalar(dtype)), self.fresh(TensorType::scalar(dtype)));
        self.line(&format!("^bb0({}: {ty}, {}: {ty}):", a.name, b.name));
        let c = self.same(&format!("stablehlo.{}", kind.elementwise()), &[&a, &b]);
        self.line(&format!("stablehlo.return {} : {ty}", c.name));
        self.close(tail, false);
    }
}

/// `(types) -> result`
pub fn signature(xs: &[&TextValue], result: &str) -> String {
    let types: Vec<String> = xs.iter().map(|x| x.tensor()).collect();
    format!("({}) -> {result}", types.join(", "))
}

/// `[1, 2]`
pub fn list<T: ToString>(all: &[T]) -> String {
    let all: Vec<String> = all.iter().map(T::to_string).collect();
    format!("[{}]", all.join(", "))
}

/// `array<i64: 1, 2>`
pub fn array<T: ToString>(all: &[T]) -> String {
    let all: Vec<String> = all.iter().map(T::to_string).collect();
    if all.is_empty() { "array<i64>".to_string() } else { format!("array<i64: {}>", all.join(", ")) }
}

/// A table of whole numbers, as attributes have them.
pub fn table(rows: &[Vec<u64>]) -> String {
    let cols = rows.first().map_or(0, Vec::len);
    let text: Vec<String> = rows.iter().map(|r| list(r)).collect();
    format!("dense<[{}]> : tensor<{}x{cols}xi64>", text.join(", "), rows.len())
}

pub fn dtype(d: DType) -> &'static str {
    match d {
        DType::F32 => "f32",
        DType::F64 => "f64",
        DType::BF16 => "bf16",
        DType::F16 => "f16",
        DType::F8E4M3 => "f8E4M3FN",
        DType::F8E5M2 => "f8E5M2",
        DType::I32 => "i32",
        DType::I64 => "i64",
        DType::I8 => "i8",
        DType::U8 => "ui8",
        DType::U32 => "ui32",
        DType::Bool => "i1",
    }
}

pub fn tensor(ty: &TensorType) -> String {
    let dims: String = ty.shape.iter().map(|n| format!("{n}x")).collect();
    format!("tensor<{dims}{}>", dtype(ty.dtype))
}

fn nested(all: &[Scalar], shape: &[u64], dtype: DType) -> String {
    let Some((&n, rest)) = shape.split_first() else {
        return all.first().map(|&x| scalar(x, dtype)).unwrap_or_default();
    };
    if all.is_empty() {
        return String::new();
    }
    let each = all.len() / n as usize;
    let parts: Vec<String> = all.chunks(each).map(|part| nested(part, rest, dtype)).collect();
    format!("[{}]", parts.join(", "))
}

/// An element as MLIR reads it back without loss: the shortest decimal number, and bits where there is none.
pub fn scalar(x: Scalar, dtype: DType) -> String {
    if dtype == DType::Bool {
        return (x.as_i64() != 0).to_string();
    }
    if !dtype.is_float() {
        return x.as_i64().to_string();
    }
    let value = x.as_f64();
    if !value.is_finite() {
        let (exponent, mantissa) = match dtype {
            DType::F64 => (11, 52),
            DType::F32 => (8, 23),
            DType::BF16 => (8, 7),
            DType::F16 => (5, 10),
            DType::F8E5M2 => (5, 2),
            _ => (4, 3),
        };
        let sign = u64::from(value.is_sign_negative()) << (exponent + mantissa);
        let full = ((1u64 << exponent) - 1) << mantissa;
        // e4m3fn has no infinities, and one NaN.
        let payload = match dtype {
            DType::F8E4M3 => 7,
            _ if value.is_nan() => 1u64 << (mantissa - 1),
            _ => 0,
        };
        let digits = (dtype.bytes() * 2) as usize;
        return format!("0x{:0digits$X}", sign | full | payload);
    }
    let text = if dtype == DType::F64 { format!("{value:?}") } else { format!("{:?}", value as f32) };
    // MLIR wants a point in a number with an exponent.
    match text.split_once('e') {
        Some((digits, exponent)) if !digits.contains('.') => format!("{digits}.0e{exponent}"),
        _ => text,
    }
}
