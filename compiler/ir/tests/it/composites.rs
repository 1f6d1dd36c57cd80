//! The factor rule of a composite follows from its body; here it is tested like the table's rules: for attention written
//! out and for random bodies, the localised body on every device together computes the whole.

use crate::common::{assignments, close, split};
use meshloom_ir::interp::{eval, unshard_as};
use meshloom_ir::parse::parse;
use meshloom_ir::table::region::{body_factors, composite_dims};
use meshloom_ir::table::{self, EvalCx, Local};
use meshloom_ir::verify::{show, verify};
use meshloom_ir::{Assignment, Builder, Func, Layout, Mesh, Op, OpId, Tensor, TensorType, ValueId};
use meshloom_random::{RandomOptions, Rng, inputs, program};
use std::collections::{BTreeMap, BTreeSet};

const ATTENTION: &str = "func @attention on [data: 2, model: 2, one: 1] {
  input %0 q: f64[4, 2, 3, 2] input
  input %1 k: f64[4, 2, 3, 2] input
  input %2 v: f64[4, 2, 3, 2] input
  %30, %31 = composite @attention %0, %1, %2 {causal: true} : f64[4, 2, 3, 2], f64[4, 2, 3] {
    arg %3: f64[4, 2, 3, 2]
    arg %4: f64[4, 2, 3, 2]
    arg %5: f64[4, 2, 3, 2]
    %6 = dot_general %3, %4 {bhqd,bhkd->bhqk} : f64[4, 2, 3, 3]
    %7 = iota {dim 0} : i32[3, 3]
    %8 = iota {dim 1} : i32[3, 3]
    %9 = compare_ge %7, %8 : bool[3, 3]
    %10 = broadcast_in_dim %9 {dims [2, 3]} : bool[4, 2, 3, 3]
    %11 = constant {-1e30} : f64[4, 2, 3, 3]
    %12 = select %10, %6, %11 : f64[4, 2, 3, 3]
    %13 = reduce %12 {max [3]} : f64[4, 2, 3]
    %14 = broadcast_in_dim %13 {dims [0, 1, 2]} : f64[4, 2, 3, 3]
    %15 = subtract %12, %14 : f64[4, 2, 3, 3]
    %16 = exponential %15 : f64[4, 2, 3, 3]
    %17 = reduce %16 {sum [3]} : f64[4, 2, 3]
    %18 = broadcast_in_dim %17 {dims [0, 1, 2]} : f64[4, 2, 3, 3]
    %19 = divide %16, %18 : f64[4, 2, 3, 3]
    %20 = dot_general %19, %5 {bhqk,bhkd->bhqd} : f64[4, 2, 3, 2]
    %21 = log %17 : f64[4, 2, 3]
    %22 = add %21, %13 : f64[4, 2, 3]
    yield %20, %22
  }
  output %30 a: output
  output %31 lse: output
}";

/// The body's results on one device, op by op in local form.
fn local_body(func: &Func, o: OpId, a: &Assignment, args: &[Tensor], device: u64) -> Vec<Tensor> {
    let dims = composite_dims(func, o);
    let region = func.region(func.op(o).regions[0]);
    let mesh = &func.mesh;
    let mut env: BTreeMap<ValueId, Tensor> = region.args.iter().copied().zip(args.iter().cloned()).collect();
    for &inner in &region.ops {
        let data = func.op(inner);
        let def = table::def(&data.op).unwrap();
        let rule = body_factors(func, inner).unwrap();
        let assignment = dims.assignment(func, inner, &rule, a);
        assert!(rule.admits(&assignment, mesh), "{:?} under {assignment:?}", data.op);
        let ty = func.ty(data.results[0]);
        let layout = rule.result_layout(&assignment, 0);
        assert_eq!(layout, dims.layout(func, data.results[0], a));
        let result = TensorType::new(ty.dtype, layout.local_shape(&ty.shape, mesh).unwrap());
        let op = (def.localize)(&data.op, &Local { mesh, rule: &rule, assignment: &assignment, result: &result });
        let xs: Vec<&Tensor> = data.operands.iter().map(|v| &env[v]).collect();
        let types: Vec<&TensorType> = xs.iter().map(|x| &x.ty).collect();
        assert_eq!(table::infer(&op, &types).as_ref(), Ok(&result), "{op:?}");
        env.insert(data.results[0], (def.eval)(&op, &xs, &EvalCx { mesh, device }));
    }
    region.yields.iter().map(|v| env[v].clone()).collect()
}

/// Checks the one composite of a function whose results are the function's; the layouts that its first result took.
fn check(func: &Func, seed: u64) -> BTreeSet<String> {
    verify(func).unwrap_or_else(|e| panic!("{}", show(func, &e)));
    let o = func.region(Func::BODY).ops[0];
    let data = inputs(func, seed);
    let whole = eval(func, &data).unwrap();
    let rule = table::factors(func, o).unwrap();
    let mut rng = Rng::new(seed);
    let mut seen = BTreeSet::new();
    for a in assignments(&rule, &func.mesh) {
        let place = || format!("seed {seed} under {a:?}");
        let layouts: Vec<Layout> = (0..whole.len()).map(|i| rule.result_layout(&a, i)).collect();
        seen.insert(layouts[0].show(&func.mesh));
        let shards: Vec<Vec<Tensor>> = (data.iter().enumerate())
            .map(|(i, x)| split(&mut rng, x, &rule.operand_layout(&a, i), &func.mesh))
            .collect();
        let outs: Vec<Vec<Tensor>> = (0..func.mesh.devices())
            .map(|d| {
                let args: Vec<Tensor> = shards.iter().map(|s| s[d as usize].clone()).collect();
                local_body(func, o, &a, &args, d)
            })
            .collect();
        for (i, (want, layout)) in whole.iter().zip(&layouts).enumerate() {
            let parts: Vec<Tensor> = outs.iter().map(|o| o[i].clone()).collect();
            let back =
                unshard_as(&want.ty.shape, &parts, layout, &func.mesh).unwrap_or_else(|e| panic!("{}: {e}", place()));
            close(want, &back, 0.0).unwrap_or_else(|e| panic!("{}: {e}", place()));
        }
    }
    seen
}

#[test]
fn attention_splits_batch_heads_and_queries() {
    let seen = check(&parse(ATTENTION).unwrap(), 0);
    for layout in [
        "[_, _, _, _]",
        "[data, model, _, _]",
        "[(model, data), _, _, _]",
        "[_, (one, model), _, _]",
        "[_, data, model, _]",
    ] {
        assert!(seen.contains(layout), "{layout} is not in {seen:?}");
    }
    // The elements of a head are contracted within.
    assert!(seen.iter().all(|l| l.ends_with(", _]")), "{seen:?}");
}

/// The ops of `f` as a composite that yields one or two of its values.
fn as_composite(f: &Func, rng: &mut Rng) -> Func {
    let mut b = Builder::new("c", f.mesh.clone());
    let args: Vec<ValueId> =
        f.body().args.iter().zip(&f.inputs).map(|(&v, p)| b.input(f.ty(v).clone(), p.clone())).collect();
    let region = b.open();
    let mut map: BTreeMap<ValueId, ValueId> = BTreeMap::new();
    for &v in &f.body().args {
        map.insert(v, b.arg(region, f.ty(v).clone()));
    }
    let mut made = Vec::new();
    for &o in &f.body().ops {
        let data = f.op(o);
        let operands: Vec<ValueId> = data.operands.iter().map(|v| map[v]).collect();
        let v = b.emit(data.op.clone(), &operands).unwrap();
        map.insert(data.results[0], v);
        made.push(v);
    }
    // The last of them make the scalar loss, which nothing may split.
    let shown: Vec<ValueId> = made.iter().copied().filter(|&v| b.ty(v).rank() > 0).collect();
    let mut yields = vec![if shown.is_empty() { made[0] } else { rng.pick(&shown) }];
    if rng.chance(30) {
        yields.push(rng.pick(&made));
    }
    let body = b.close(yields);
    let results = b.composite("c", BTreeMap::new(), &args, body).unwrap();
    for (i, v) in results.into_iter().enumerate() {
        let port = meshloom_ir::Port {
            name: format!("y{i}"),
            constraint: meshloom_ir::Constraint::absent(b.ty(v).rank()),
            ..f.outputs[f.outputs.len() - 1].clone()
        };
        b.output(v, meshloom_ir::Port { role: meshloom_ir::Role::Output, updates: None, ..port });
    }
    b.finish()
}

#[test]
fn random_bodies() {
    let mut splits = 0;
    for seed in 0..1200 {
        let mut rng = Rng::new(seed);
        let mesh = rng.pick(&[
            Mesh::new([("a", 2), ("b", 2)]),
            Mesh::new([("a", 3), ("b", 2)]),
            Mesh::new([("a", 1), ("b", 4)]),
        ]);
        let options = RandomOptions {
            repeats: false,
            composites: false,
            constraints: false,
            steps: 1 + seed as usize % 6,
            ..RandomOptions::new(mesh)
        };
        let f = as_composite(&program(seed, &options), &mut rng);
        splits += check(&f, seed).len() - 1;
    }
    assert!(splits > 200, "{splits} splits");
}

/// A loop in a body blocks what it touches: nothing is known of its dims.
#[test]
fn loops_in_bodies_are_not_split() {
    let text = "func @t on [a: 2] {
      input %0 x: f64[4] input
      %9 = composite @c %0 {} : f64[4] {
        arg %1: f64[4]
        %3 = repeat carries(%1) xs() invariants() {trip 2} : f64[4] {
          arg %2: f64[4]
          %4 = tanh %2 : f64[4]
          yield %4
        }
        yield %3
      }
      output %9 y: output
    }";
    let f = parse(text).unwrap();
    verify(&f).unwrap();
    let o = f.region(Func::BODY).ops[0];
    assert!(matches!(f.op(o).op, Op::Composite { .. }));
    assert_eq!(assignments(&table::factors(&f, o).unwrap(), &f.mesh), [Assignment::default()]);
}

/// The body says what all keys count; the kernel computes those that a window and a causal mask let through.
#[test]
fn a_window_counts_the_keys_it_sees() {
    let flops = |attrs: &str| {
        let f = parse(&ATTENTION.replace("{causal: true}", attrs)).unwrap();
        table::flops(&f, f.region(Func::BODY).ops[0])
    };
    let all = flops("{causal: false}");
    // Of pairs of as many queries and keys, half.
    let causal = flops("{causal: true}");
    assert_eq!(causal, all / 2);
    assert_eq!(flops("{causal: true, window: 0}"), causal);
    assert_eq!(flops("{causal: true, window: 1}"), all / 3);
    assert_eq!(flops("{causal: true, window: 9}"), causal);
    // On both sides: its own, and none of the neighbours.
    assert_eq!(flops("{causal: false, window: 1}"), all / 3);
    assert_eq!(flops("{causal: false, window: 2}"), all);
}

/// Of a block of queries the last one counts, and of a block of keys the first: that device computes most pairs.
#[test]
fn a_causal_mask_counts_what_the_busiest_device_computes() {
    let flops = |queries: u64, keys: u64, causal: bool| {
        let text = format!(
            "func @blocks on [a: 1] {{
              input %0 q: f64[{queries}, 4] input
              input %1 k: f64[{keys}, 4] input
              %4 = composite @c %0, %1 {{causal: {causal}}} : f64[{queries}, {keys}] {{
                arg %2: f64[{queries}, 4]
                arg %3: f64[{keys}, 4]
                %5 = dot_general %2, %3 {{qd,kd->qk}} : f64[{queries}, {keys}]
                yield %5
              }}
              output %4 s: output
            }}"
        );
        let f = parse(&text).unwrap_or_else(|e| panic!("{e:?}"));
        table::flops(&f, f.region(Func::BODY).ops[0])
    };
    for (queries, keys, part) in [(16, 16, (1, 2)), (4, 16, (7, 8)), (16, 4, (7, 8)), (1, 16, (31, 32))] {
        let (all, seen) = (flops(queries, keys, false), flops(queries, keys, true));
        assert_eq!(seen, all * part.0 / part.1, "{queries} queries, {keys} keys");
    }
}

/// The gradient of attention in 16 bits: sums over queries become bf16 as the last thing that its kernel does.
#[test]
fn a_sum_may_be_converted_before_it_is_given() {
    let text = "func @narrowed on [a: 2, b: 2] {
      input %0 x: f32[4, 6] input
      input %1 y: f32[4, 8] input
      %7, %8 = composite @c %0, %1 {} : bf16[6, 8], f32[4, 6] {
        arg %2: f32[4, 6]
        arg %3: f32[4, 8]
        %4 = dot_general %2, %3 {nd,ne->de} : f32[6, 8]
        %5 = convert %4 : bf16[6, 8]
        %6 = tanh %2 : f32[4, 6]
        yield %5, %6
      }
      output %7 d: output
      output %8 t: output
    }";
    let func = parse(text).unwrap_or_else(|e| panic!("{e:?}"));
    let o = func.region(Func::BODY).ops[0];
    let rule = table::factors(&func, o).expect("a rule");
    let layouts = assignments(&rule, &func.mesh).into_iter().map(|a| {
        assert_eq!(
            composite_dims(&func, o).layout(&func, func.region(func.op(o).regions[0]).yields[0], &a),
            rule.result_layout(&a, 0)
        );
        [0, 1].map(|i| rule.result_layout(&a, i).show(&func.mesh)).join(" ")
    });
    assert!(layouts.collect::<Vec<_>>().contains(&"[b, _] + partial(a) [a, b]".to_string()));
}
