//! Manual regions, interpreted: random numbers are the device's part of what the program without the region draws, on every mesh
//! and in every iteration of the loops around; a region in a region may use the collectives of both.

use meshloom_ir::interp::eval;
use meshloom_ir::{DType, Tensor};
use meshloom_source::FrontOptions;
use meshloom_syntax::elaborate::compile;

const OUTSIDE: &str = "
mesh [data: 1, model: 1]
dim n = 8
entry f(x: f64[n, 12]) -> (f64[n, 12], f64[n, 12], f64[n, 12], i32[5]) {
    let y = x
    for i in 0..3 { y = y + random_normal(y) }
    (random_uniform(x), dropout(x, 0.5, on: true), y, random_bits([5]))
}
";

/// Dims split by one axis, by two, and by none; with a name and without one; a region in a loop, and a region in a region.
const INSIDE: &str = "
mesh [data: 1, model: 1]
dim n = 8
entry f(x: f64[n, 12]) -> (f64[n, 12], f64[n, 12], f64[n, 12], i32[5]) {
    let y = x
    for i in 0..3 {
        y = manual(data)(y @ [_, data]) -> [_, data] {
            manual(model)(y @ [model, _]) -> [model, _] { y + random_normal(y) }
        }
    }
    let (u, d, bits) = manual(data, model)(x @ [(model, data), _]) -> ([(model, data), _], [(model, data), _], [_]) {
        (random_uniform(x), dropout(x, 0.5, on: true), random_bits([5]))
    }
    (u, d, y, bits)
}
";

fn drawn(source: &str, mesh: [u64; 2], seed: i64) -> Vec<Tensor> {
    let mesh = [("data", mesh[0]), ("model", mesh[1])].map(|(n, k)| (n.to_string(), k));
    let out = compile("random.loom", source, &FrontOptions { mesh: Some(mesh.into()), ..FrontOptions::default() });
    let f = &out.elaborated.unwrap_or_else(|| panic!("{:?}", out.diagnostics)).entries[0].func;
    let inputs: Vec<Tensor> = f
        .inputs
        .iter()
        .map(|p| match p.name.as_str() {
            "x" => Tensor::floats(DType::F64, &[8, 12], (0..96).map(f64::from).collect()),
            "random.seed" => Tensor::ints(DType::I32, &[], vec![seed]),
            _ => Tensor::ints(DType::I32, &[], vec![3]),
        })
        .collect();
    eval(f, &inputs).unwrap()
}

#[test]
fn a_region_draws_its_part_of_the_whole() {
    let want = drawn(OUTSIDE, [1, 1], 7);
    assert_ne!(want, drawn(OUTSIDE, [1, 1], 8));
    for mesh in [[1, 1], [2, 1], [1, 4], [2, 4], [4, 2]] {
        assert_eq!(drawn(INSIDE, mesh, 7), want, "{mesh:?}");
    }
}

#[test]
fn a_region_uses_the_collectives_of_the_region_around() {
    for body in [
        "all_reduce(x, data) + all_reduce(2 * x, model)",
        "reduce_scatter(all_gather(x, data, 0), data, 0) * x",
        "all_to_all(all_to_all(x * x, data, 1, 0), data, 0, 1)",
        "collective_permute(x, data, 1) - x",
        "x * axis_index(data) as f64 + axis_index(model) as f64",
    ] {
        let program =
            |region: String| format!("mesh [data: 1, model: 1]\nentry f(x: f64[8, 12]) -> f64[8, 12] {{ {region} }}");
        let one = program(format!("manual(data, model)(x @ [data, model]) -> [data, model] {{ {body} }}"));
        let inner = format!("manual(model)(x @ [_, model]) -> [_, model] {{ {body} }}");
        let two = program(format!("manual(data)(x @ [data, _]) -> [data, _] {{ {inner} }}"));
        for mesh in [[2, 1], [2, 2], [2, 3]] {
            assert_eq!(drawn(&one, mesh, 0), drawn(&two, mesh, 0), "{body} on {mesh:?}");
        }
    }
}
