//! Programs as JAX lowers them, with their inputs and what JAX makes of them: NAME.mlir and NAME.json in a folder of
//! tests/data/stablehlo.

use meshloom_ir::{Func, Tensor, TensorType};
use std::path::PathBuf;

/// A dump, its inputs, and what JAX makes of them.
pub struct Case {
    pub name: String,
    pub text: String,
    pub numbers: serde_json::Value,
}

/// Every dump of a folder, by name.
pub fn cases(folder: &str) -> Vec<Case> {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/stablehlo").join(folder);
    let files = std::fs::read_dir(&dir).unwrap().filter_map(|e| e.unwrap().file_name().into_string().ok());
    let mut names: Vec<String> = files.filter_map(|f| f.strip_suffix(".mlir").map(str::to_string)).collect();
    names.sort();
    assert!(names.len() >= 40, "{names:?}");
    let read = |file: String| std::fs::read_to_string(dir.join(file)).unwrap();
    let case = |name: String| Case {
        text: read(format!("{name}.mlir")),
        numbers: serde_json::from_str(&read(format!("{name}.json"))).unwrap(),
        name,
    };
    names.into_iter().map(case).collect()
}

/// Infinities are words.
fn flat(v: &serde_json::Value) -> Vec<f64> {
    let number = |x: &serde_json::Value| x.as_f64().unwrap_or_else(|| x.as_str().unwrap().parse().unwrap());
    v.as_array().unwrap().iter().map(number).collect()
}

impl Case {
    pub fn inputs(&self, func: &Func) -> Vec<Tensor> {
        let of = |ty: &TensorType, v: Vec<f64>| match ty.dtype.is_float() {
            true => Tensor::floats(ty.dtype, &ty.shape, v),
            false => Tensor::ints(ty.dtype, &ty.shape, v.into_iter().map(|x| x as i64).collect()),
        };
        let types = func.body().args.iter().map(|&v| func.ty(v));
        types.zip(self.numbers["inputs"].as_array().unwrap()).map(|(ty, v)| of(ty, flat(v))).collect()
    }

    #[track_caller]
    pub fn compare(&self, got: &[Vec<f64>], place: &str) {
        let want: Vec<Vec<f64>> = self.numbers["outputs"].as_array().unwrap().iter().map(flat).collect();
        assert_eq!(got, want, "{} {place}", self.name);
    }
}
