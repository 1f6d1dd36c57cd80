//! Programs with manual regions, one for each collective and some with several. The planner's tests run them too.

/// By name, what a region makes of `x: f32[8, 16]` and `w: f32[16, 16]`.
pub const CASES: &[(&str, &str)] = &[
    ("all_reduce", "manual(model)(x @ [_, model], w @ [model, _]) -> [_, _] { all_reduce(dot(x, w), model) }"),
    ("all_reduce_max", "manual(model)(x @ [_, model], w @ [model, _]) { all_reduce(dot(x, w), model, max) }"),
    ("all_reduce_min", "manual(model)(x @ [_, model], w @ [model, _]) -> _ { all_reduce(dot(x, w), model, min) }"),
    // A sum of copies is so many times the value.
    ("copies", "manual(model)(x @ _, w @ [_, model]) -> [_, model] { all_reduce(tanh(x), model) * sum(w) }"),
    ("all_gather", "manual(model)(x @ [model, _], w @ [_, model]) -> [_, model] { dot(all_gather(x, model, 0), w) }"),
    (
        "reduce_scatter",
        "manual(model)(x @ [_, model], w @ [model, _]) -> [_, model] { reduce_scatter(dot(x, w), model, 1) }",
    ),
    (
        "all_to_all",
        "manual(model)(x @ [model, _], w @ [_, model]) -> [_, model] {
            all_to_all(x, model, split: 1, concat: 0) * sum(w, 0)
        }",
    ),
    (
        "collective_permute",
        "manual(model)(x @ [_, model], w @ [model, _]) -> [_, model] { collective_permute(x, model, 1) * sum(w, 1) }",
    ),
    (
        "axis_index",
        "manual(model)(x @ [_, model], w @ [model, _]) -> [_, model] {
            x * (axis_index(model) as f32 + axis_size(model)) + sum(w, 1)
        }",
    ),
    (
        // The product of x and its gathered rows, while they go round.
        "ring",
        "manual(model)(rows: x @ [model, _], w @ [_, model]) -> [_, model] {
            let n = axis_size(model)
            let block = size(rows, 0)
            let out = full([n * block, size(w, 1)], 0.0)
            for i in 0..n {
                let from = rem(axis_index(model) - i + n, n)
                out = dynamic_update(out, dot(rows, w), from * block, 0)
                rows = collective_permute(rows, model, 1)
            }
            out
        }",
    ),
    (
        "two_axes",
        "manual(data, model)(x @ [data, model], w @ [model, _]) -> [data, _] { all_reduce(dot(x, w), model) }",
    ),
    (
        "group",
        "manual(data, model)(x @ [_, (model, data)], w @ _) -> [_, _] {
            all_gather(x * (1 + axis_index(data)) as f32, (model, data), 1) * all_reduce(sum(x), (data, model)) + sum(w)
        }",
    ),
    (
        "in_a_region",
        "manual(data)(x @ [data, _], w @ _) -> [data, _] {
            let h = manual(model)(x @ [_, model], w @ [model, _]) { all_reduce(dot(x, w), model) }
            h - all_reduce(sum(h), data)
        }",
    ),
];

/// A program of a case: the value of a loss and its gradients.
pub fn source(body: &str) -> String {
    format!(
        "mesh [data: 1, model: 1]
dim rows = 8, cols = 16
entry run(x: f32[rows, cols] @ [data, _], w: f32[cols, cols]) -> (f32, f32[rows, cols], f32[cols, cols]) {{
    let (v, g) = value_and_grad(value)(x, w)
    (v, g, grad(value, wrt: w)(x, w))
}}
fn value(x: f32[rows, cols], w: f32[cols, cols]) -> f32 {{
    let y = {body}
    sum(sin(y) * 0.1)
}}
"
    )
}
