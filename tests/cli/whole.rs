//! Results that are whole, and floats that round where the program says: what `run` saves.

use crate::support::{Place, meshloom};

/// The only output of an entry, as `run` saves it.
fn saved(place: &Place, file: &str, more: &[&str]) -> Vec<f32> {
    let save = ["--save-outputs", "out.safetensors"];
    let out = meshloom(place, &[&["run", file, "--plan", "follow"], &save[..], more].concat());
    assert_eq!(out.code, 0, "{more:?}: {}", out.stderr);
    let bytes = std::fs::read(place.path().join("out.safetensors")).expect("written");
    let head = 8 + u64::from_le_bytes(bytes[..8].try_into().expect("8 bytes")) as usize;
    bytes[head..].chunks_exact(4).map(|x| f32::from_le_bytes(x.try_into().expect("4 bytes"))).collect()
}

/// JAX calls a result `unreduced` that each device has a summand of. It leaves the program as the sum.
#[test]
fn an_unreduced_result_is_summed() {
    let place = Place::new();
    let text = r#"module @m attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["X"=2, "Y"=2]>
  func.func public @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"X"}]>}) -> (tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, [] UNREDUCED>}) {
    %0 = stablehlo.dot_general %arg0, %arg0, contracting_dims = [0] x [0] : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
    %1 = sdy.sharding_constraint %0 <@mesh, [] UNREDUCED> : tensor<f32>
    return %1 : tensor<f32>
  }
}
"#;
    let of = |what: &str| {
        std::fs::write(place.path().join("f.mlir"), text.replace(" UNREDUCED", what)).expect("writes");
        saved(&place, "f.mlir", &["--mesh", "X=2,Y=2", "--input", "arg0=det:uniform:a:1"])
    };
    let due = of("");
    assert_eq!((of(", unreduced={\"X\"}"), due.len()), (due, 1));
}

/// With `--strict-float` each op rounds to its type: as where the source itself says so, which no kernel may leave out. The error of
/// a sum in 16 bits is nothing at all where the sum is kept wider.
#[test]
fn strict_floats_round_after_each_op() {
    let place = Place::new();
    for dtype in ["bf16", "f16"] {
        let text = format!(
            "mesh [d: 2]
entry plain(x: f32[16] @ [d], y: f32[16] @ [d]) -> f32[16] {{
    let a = x as {dtype}
    let b = y as {dtype}
    (b - ((a + b) - a)) as f32
}}
entry spelled(x: f32[16] @ [d], y: f32[16] @ [d]) -> f32[16] {{
    let a = x as {dtype} as f32
    let b = y as {dtype} as f32
    let sum = (a + b) as {dtype} as f32
    let back = (sum - a) as {dtype} as f32
    (b - back) as {dtype} as f32
}}
"
        );
        std::fs::write(place.path().join("f.loom"), text).expect("writes");
        let given = ["--input", "x=det:uniform:x:1", "--input", "y=det:uniform:y:1"];
        let of = |entry: &str, more: &[&str]| {
            saved(&place, "f.loom", &[&["--entry", entry, "--mesh", "d=2"], more, &given].concat())
        };
        let due = of("spelled", &[]);
        assert!(due.len() == 16 && due.iter().any(|x| *x != 0.0) && due != of("plain", &[]), "{due:?}");
        assert_eq!(of("plain", &["--strict-float"]), due, "{dtype}");
    }
}
