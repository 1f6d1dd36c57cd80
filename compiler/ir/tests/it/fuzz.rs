//! What verifies can be relied on: mutants of random programs that the verifier still accepts are given factor rules,
//! costs and values without a panic.

use meshloom_ir::interp::spmd;
use meshloom_ir::parse::parse;
use meshloom_ir::print::print;
use meshloom_ir::table;
use meshloom_ir::verify::{show, verify};
use meshloom_ir::{Func, OpId};
use meshloom_random::{RandomOptions, Rng, inputs, mesh, program};

/// Replaces a few tokens by others of their kind: values, numbers or words (ops, types, axes, attributes).
fn mutant(rng: &mut Rng, text: &str) -> String {
    let word = |c: char| c.is_ascii_alphanumeric() || "%_.*?".contains(c);
    let mut tokens: Vec<String> = Vec::new();
    for c in text.chars() {
        match tokens.last_mut() {
            Some(t) if word(c) && t.ends_with(word) => t.push(c),
            _ => tokens.push(c.to_string()),
        }
    }
    let kind = |t: &str| match t.chars().next() {
        Some('%') => Some(0),
        Some(c) if c.is_ascii_digit() => Some(1),
        Some(c) if word(c) => Some(2),
        _ => None,
    };
    for _ in 0..1 + rng.below(2) {
        let at = loop {
            let at = rng.below(tokens.len());
            if kind(&tokens[at]).is_some() {
                break at;
            }
        };
        let same: Vec<String> = tokens.iter().filter(|t| kind(t) == kind(&tokens[at])).cloned().collect();
        tokens[at] = match (kind(&tokens[at]), rng.chance(20)) {
            (Some(1), true) => rng.pick(&["0", "1", "3", "64"]).into(),
            (Some(2), true) => {
                rng.pick(&["i32", "f32", "bool", "u8", "f8e4m3", "max", "not", "select", "divide"]).into()
            }
            _ => rng.pick(&same),
        };
    }
    tokens.concat()
}

fn use_it(f: &Func) {
    for i in 0..f.ops.len() {
        let o = OpId(i as u32);
        if let Some(rule) = table::factors(f, o) {
            assert_eq!(rule.sizes.len(), rule.kinds.len());
            for x in 0..rule.sizes.len() {
                rule.splittable(x);
            }
        }
        table::flops(f, o);
    }
    let data = inputs(f, 0);
    let devices = vec![data; f.mesh.devices() as usize];
    let _ = spmd::run(f, &devices);
}

#[test]
fn what_verifies_runs() {
    let (mut accepted, mut refused) = (0, 0);
    for seed in 0..120 {
        let mut rng = Rng::new(seed);
        let options = RandomOptions { steps: 5, ..RandomOptions::new(mesh(&mut rng, 4)) };
        let text = print(&program(seed, &options));
        for _ in 0..40 {
            let text = mutant(&mut rng, &text);
            let Ok(f) = parse(&text) else { continue };
            match verify(&f) {
                Err(e) => {
                    refused += 1;
                    show(&f, &e);
                }
                // Sizes that data is made for here, before the interpreter can refuse them.
                Ok(()) if f.values.iter().any(|v| v.ty.elements() > 1 << 16) => {}
                Ok(()) => {
                    accepted += 1;
                    use_it(&f);
                }
            }
        }
    }
    assert!(accepted > 100 && refused > 100, "{accepted} accepted, {refused} refused");
}

/// Empty tensors are tensors.
#[test]
fn sizes_of_zero() {
    let text = "func @empty on [a: 2] {
  input %0 x: f64[0, 4] input
  input %1 i: i32[0] input
  input %2 t: f64[4, 0] input
  %3 = reduce %0 {sum [0]} : f64[4]
  %4 = reduce %0 {max [0]} : f64[4]
  %5 = reshape %0 : f64[4, 0]
  %6 = dot_general %0, %0 {ab,ac->bc} : f64[4, 4]
  %7 = gather %2, %1 : f64[0, 0]
  %8 = gather %0, %1 : f64[0, 4]
  %9 = scatter %1, %0 {total 3} : f64[3, 4]
  %10 = concatenate %0, %0 {dim 0} : f64[0, 4]
  %11 = pad %0 {[1:1, 0:0]} : f64[2, 4]
  %12 = transpose %0 {[1, 0]} : f64[4, 0]
  %13 = all_gather %0 {dim 0 over a} : f64[0, 4]
  %14 = all_reduce %0 {sum over a} : f64[0, 4]
  %15 = reduce_scatter %0 {sum dim 0 over a} : f64[0, 4]
  %16 = iota {dim 0} : i32[0]
  output %9 y: output
}";
    let f = parse(text).unwrap();
    if let Err(e) = verify(&f) {
        panic!("{}", show(&f, &e));
    }
    use_it(&f);
}
