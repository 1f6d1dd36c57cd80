//! Global programs with every kind of op, small enough to print.

use meshloom_ir::op::Attr;
use meshloom_ir::*;
use std::collections::BTreeMap;

pub fn mesh() -> Mesh {
    Mesh::new([("data", 2), ("model", 4), ("pod", 2)])
}

pub fn port(name: &str, role: Role, rank: usize) -> Port {
    Port::new(name, role, rank)
}

pub fn input(b: &mut Builder, name: &str, shape: &[u64]) -> ValueId {
    let ty = TensorType::new(DType::F64, shape);
    b.input(ty, port(name, Role::Input, shape.len()))
}

fn indices(b: &mut Builder, name: &str, shape: &[u64], below: i64) -> ValueId {
    let mut p = port(name, Role::Input, shape.len());
    p.range = Some((0, below));
    b.input(TensorType::new(DType::I32, shape), p)
}

pub fn output(b: &mut Builder, v: ValueId, name: &str) {
    let rank = b.ty(v).rank();
    b.output(v, port(name, Role::Output, rank));
}

fn updates(b: &mut Builder, v: ValueId, name: &str, of: usize) {
    let rank = b.ty(v).rank();
    let mut p = port(name, Role::Parameter, rank);
    p.updates = Some(of);
    b.output(v, p);
}

pub fn dot(b: &mut Builder, spec: &str, x: ValueId, y: ValueId) -> ValueId {
    b.dot(Einsum::parse(spec).expect("an einsum"), x, y)
}

/// Two layers, a squared loss, its gradients and a step down them, with the hidden layer pinned.
pub fn mlp() -> Func {
    let mut b = Builder::new("mlp", mesh());
    let w1 = input(&mut b, "w1", &[16, 32]);
    let w2 = input(&mut b, "w2", &[32, 8]);
    let x = input(&mut b, "x", &[16, 16]);
    let y = input(&mut b, "y", &[16, 8]);
    let h = dot(&mut b, "bi,ih->bh", x, w1);
    let pinned = Layout { dims: vec![vec![Axis(0)], vec![Axis(1)]], partial: BTreeMap::new() };
    let h = b.op(Op::Constrain(Constraint::exactly(&pinned)), &[h]);
    let a = b.elem("tanh", &[h]);
    let o = dot(&mut b, "bh,ho->bo", a, w2);
    let e = b.sub(o, y);
    let ee = b.mul(e, e);
    let loss = b.reduce(Reduction::Sum, ee, &[0, 1]);
    b.phase = Phase::Backward;
    let dw2 = dot(&mut b, "bh,bo->ho", a, e);
    let da = dot(&mut b, "bo,ho->bh", e, w2);
    let one = b.constant_like(a, 1.0);
    let aa = b.mul(a, a);
    let slope = b.sub(one, aa);
    let dh = b.mul(da, slope);
    let dw1 = dot(&mut b, "bi,bh->ih", x, dh);
    b.phase = Phase::Update;
    for (i, (w, d, name)) in [(w1, dw1, "w1"), (w2, dw2, "w2")].into_iter().enumerate() {
        let lr = b.constant_like(w, -0.5);
        let step = b.mul(d, lr);
        let next = b.add(w, step);
        updates(&mut b, next, name, i);
    }
    let mut p = port("loss", Role::Loss, 0);
    p.constraint = Constraint::exactly(&Layout::replicated(0));
    b.output(loss, p);
    b.finish()
}

/// Forward over stacked weights with a stash, and back in reverse.
pub fn layers() -> Func {
    let mut b = Builder::new("layers", mesh());
    let w = input(&mut b, "w", &[3, 8, 8]);
    let x = input(&mut b, "x", &[8, 8]);
    let scale = input(&mut b, "scale", &[8, 8]);
    let t = |s: &[u64]| TensorType::new(DType::F64, s);
    let body = b.open();
    let c = b.arg(body, t(&[8, 8]));
    let wi = b.arg(body, t(&[8, 8]));
    let s = b.arg(body, t(&[8, 8]));
    let h = dot(&mut b, "bi,ij->bj", c, wi);
    let a = b.elem("tanh", &[h]);
    let n = b.mul(a, s);
    let n = b.add(c, n);
    b.close(vec![n, a]);
    let f = b.repeat(3, false, 1, 1, &[x, w, scale], body).expect("forward");
    b.phase = Phase::Backward;
    let one = b.constant(DType::F64, &[8, 8], 1.0);
    let body = b.open();
    let ct = b.arg(body, t(&[8, 8]));
    let wi = b.arg(body, t(&[8, 8]));
    let a = b.arg(body, t(&[8, 8]));
    let s = b.arg(body, t(&[8, 8]));
    let da = b.mul(ct, s);
    let aa = b.mul(a, a);
    let l = b.constant_like(aa, 1.0);
    let slope = b.sub(l, aa);
    let dh = b.mul(da, slope);
    let back = dot(&mut b, "bj,ij->bi", dh, wi);
    let next = b.add(ct, back);
    b.close(vec![next, dh]);
    let r = b.repeat(3, true, 1, 2, &[one, w, f[1], scale], body).expect("backward");
    output(&mut b, f[0], "y");
    output(&mut b, r[0], "dx");
    output(&mut b, r[1], "dh");
    b.finish()
}

/// Embedding, softmax, cross-entropy and the embedding's gradient: indices, maxima, iota.
pub fn lookup() -> Func {
    let mut b = Builder::new("lookup", mesh());
    let table = input(&mut b, "table", &[16, 8]);
    let tokens = indices(&mut b, "tokens", &[8], 16);
    let x = b.op(Op::Gather { shard: vec![], total: None }, &[table, tokens]);
    let logits = dot(&mut b, "be,ve->bv", x, table);
    let m = b.reduce(Reduction::Max, logits, &[1]);
    let mb = b.unreduce(m, logits, &[1]);
    let z = b.sub(logits, mb);
    let e = b.elem("exponential", &[z]);
    let s = b.reduce(Reduction::Sum, e, &[1]);
    let ls = b.elem("log", &[s]);
    let at = b.op(Op::Iota { dtype: DType::I32, shape: vec![8, 16], dim: 1, shard: vec![] }, &[]);
    let want = b.broadcast(tokens, &[8, 16], &[0]);
    let hit = b.elem("compare_eq", &[at, want]);
    let zero = b.constant(DType::F64, &[8, 16], 0.0);
    let picked = b.select(hit, z, zero);
    let p = b.reduce(Reduction::Sum, picked, &[1]);
    let loss = b.sub(ls, p);
    let sb = b.unreduce(s, e, &[1]);
    let soft = b.div(e, sb);
    let dx = dot(&mut b, "bv,ve->be", soft, table);
    let dt = b.op(Op::Scatter { rows: 16, total: 16, shard: vec![] }, &[tokens, dx]);
    output(&mut b, loss, "loss");
    output(&mut b, dt, "dtable");
    b.finish()
}

/// Causal attention as a composite: what one kernel runs.
pub fn attention() -> Func {
    let mut b = Builder::new("attention", mesh());
    let x = input(&mut b, "x", &[8, 4, 8]);
    let w = input(&mut b, "w", &[3, 8, 4, 4]);
    let qkv = dot(&mut b, "bse,nehd->nbhsd", x, w);
    let mut parts = Vec::new();
    for n in 0..3u64 {
        let s = b.op(Op::Slice { start: vec![n, 0, 0, 0, 0], limit: vec![n + 1, 8, 4, 4, 4] }, &[qkv]);
        parts.push(b.reshape(s, &[8, 4, 4, 4]));
    }
    let ty = TensorType::new(DType::F64, [8, 4, 4, 4]);
    let body = b.open();
    let [q, k, v] = [0; 3].map(|_| b.arg(body, ty.clone()));
    let scores = dot(&mut b, "bhsd,bhtd->bhst", q, k);
    let shape = b.shape(scores);
    let iota =
        |b: &mut Builder, dim| b.op(Op::Iota { dtype: DType::I32, shape: shape.clone(), dim, shard: vec![] }, &[]);
    let (row, col) = (iota(&mut b, 2), iota(&mut b, 3));
    let seen = b.elem("compare_ge", &[row, col]);
    let low = b.constant_like(scores, -1e9);
    let scores = b.select(seen, scores, low);
    let m = b.reduce(Reduction::Max, scores, &[3]);
    let m = b.unreduce(m, scores, &[3]);
    let z = b.sub(scores, m);
    let e = b.elem("exponential", &[z]);
    let s = b.reduce(Reduction::Sum, e, &[3]);
    let s = b.unreduce(s, e, &[3]);
    let p = b.div(e, s);
    let o = dot(&mut b, "bhst,bhtd->bhsd", p, v);
    b.close(vec![o]);
    let attrs = BTreeMap::from([("causal".to_string(), Attr::Bool(true))]);
    let a = b.composite("attention", attrs, &parts, body).expect("attention");
    let wo = input(&mut b, "wo", &[4, 4, 8]);
    let y = dot(&mut b, "bhsd,hde->bse", a[0], wo);
    let y = b.add(x, y);
    output(&mut b, y, "y");
    b.finish()
}

/// Ops that only move elements.
pub fn shapes() -> Func {
    let mut b = Builder::new("shapes", mesh());
    let x = input(&mut b, "x", &[8, 16]);
    let y = input(&mut b, "y", &[8, 4]);
    let r = b.reshape(x, &[8, 4, 4]);
    let t = b.transpose(r, &[1, 0, 2]);
    let f = b.reshape(t, &[32, 4]);
    let s = b.op(Op::Slice { start: vec![0, 2], limit: vec![8, 14] }, &[x]);
    let p = b.op(Op::Pad { low: vec![0, 4], high: vec![0, 0] }, &[y]);
    let c = b.op(Op::Concatenate { dim: 1 }, &[s, p]);
    let row = b.reduce(Reduction::Min, c, &[1]);
    let wide = b.broadcast(row, &[8, 20], &[0]);
    let d = b.sub(c, wide);
    let narrow = b.convert(d, DType::F32);
    let back = b.convert(narrow, DType::F64);
    output(&mut b, f, "f");
    output(&mut b, d, "d");
    output(&mut b, back, "rounded");
    b.finish()
}

/// Sizes that no axis divides: sums, maxima and contractions over them need masks.
pub fn uneven() -> Func {
    let mut b = Builder::new("uneven", mesh());
    let x = input(&mut b, "x", &[5, 7]);
    let w = input(&mut b, "w", &[7, 3]);
    let h = dot(&mut b, "bi,ij->bj", x, w);
    let m = b.reduce(Reduction::Max, h, &[1]);
    let m = b.unreduce(m, h, &[1]);
    let z = b.sub(h, m);
    let e = b.elem("exponential", &[z]);
    let s = b.reduce(Reduction::Sum, e, &[1]);
    let s = b.unreduce(s, e, &[1]);
    let p = b.div(e, s);
    let back = dot(&mut b, "bj,bi->ij", p, x);
    let low = b.reduce(Reduction::Min, back, &[0, 1]);
    output(&mut b, p, "p");
    output(&mut b, back, "back");
    output(&mut b, low, "low");
    b.finish()
}

pub fn all() -> Vec<Func> {
    vec![mlp(), layers(), lookup(), attention(), shapes(), uneven()]
}
