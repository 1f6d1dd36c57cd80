//! Paths of modules in the names of tensors: `model.layers.*.mlp.up_proj.weight` is the `weight` of `model.layers.*.mlp.up_proj`.

/// The module of a parameter, and the parameter's own name.
pub fn split(tensor: &str) -> (&str, &str) {
    tensor.rsplit_once('.').unwrap_or(("", tensor))
}

/// Whether dim 0 of the tensor counts the layers of a list.
pub fn is_stacked(tensor: &str) -> bool {
    tensor.split('.').any(|s| s == "*") || tensor.contains('[')
}

/// The path with `*` in the place of the numbers of layers: `blocks[0..4].up` and `blocks.3.up` are `blocks.*.up`.
pub fn pattern(path: &str) -> String {
    let mut out = String::new();
    let mut rest = path;
    while let Some((before, after)) = rest.split_once('[') {
        out.push_str(before);
        out.push_str(".*");
        rest = after.split_once(']').map_or("", |x| x.1);
    }
    out.push_str(rest);
    let number = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    let segments: Vec<&str> = out.split('.').map(|s| if number(s) { "*" } else { s }).collect();
    segments.join(".")
}

/// The list that a pattern's layers are of.
pub fn list(pattern: &str) -> Option<&str> {
    pattern.split_once(".*").map(|x| x.0)
}

/// The path of the module that an op of JAX's trace was called in: `lm_head` of `jit(main)/jvp(lm_head)/linear/dot_general`. Containers of
/// layers are not in it.
pub fn traced(name: &str) -> Option<String> {
    let mut out: Vec<&str> = Vec::new();
    for part in name.split('/').filter(|p| !p.starts_with("jit(")) {
        let part = part.strip_prefix("jvp(").and_then(|p| p.strip_suffix(')')).unwrap_or(part);
        if part == "linear" || part.contains("::") || part.contains("->") || part.contains('(') {
            break;
        }
        out.push(part);
    }
    (!out.is_empty()).then(|| out.join("."))
}
