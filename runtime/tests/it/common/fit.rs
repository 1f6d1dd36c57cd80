//! A least-squares model with momentum, data parallel: small, and with everything that training has.

use super::*;

pub const C: &str = "
    // x [rows, 4], y [rows], w [2, 2] flattened, g [4], loss partial
    void forward(const float *x, const float *y, const float *w, float *g, float *loss, long lo, long hi, long rows) {
        float l = 0; for (int k = 0; k < 4; k++) g[k] = 0;
        for (long r = 0; r < rows; r++) {
            float e = -y[r]; for (int k = 0; k < 4; k++) e += x[4 * r + k] * w[k];
            l += e * e; for (int k = 0; k < 4; k++) g[k] += 2 * e * x[4 * r + k];
        }
        *loss = l;
    }
    void update(float *w, float *m, int *t, const float *g, float *norm, float *lr, long lo, long hi) {
        float n = 0; *lr = 0.01f; *t += 1;
        for (int k = 0; k < 4; k++) { n += g[k] * g[k]; m[k] = 0.5f * m[k] + g[k]; w[k] -= *lr * m[k]; }
        *norm = n;
    }";

/// The model on `data` devices; `w` is stacked in two layers, momentum follows it, a step counter is state.
pub fn model(data: u32) -> Program {
    let mut p = program(&[("data", data)], 4096);
    p.entry = "fit".into();
    p.tokens_per_step = 8;
    let f = DType::F32;
    let mut w = port(&p, "blocks.*.w", Role::Parameter, f, &[2, 2], &[&[], &[]], 0);
    w.init = Init::Normal { std: 0.5 };
    p.ports = vec![
        w,
        port(&p, "momentum.blocks.*.w", Role::State, f, &[2, 2], &[&[], &[]], 64),
        port(&p, "t", Role::State, DType::I32, &[], &[], 128),
        port(&p, "x", Role::Input, f, &[8, 4], &[&[0], &[]], 1024),
        port(&p, "y", Role::Input, f, &[8], &[&[0]], 2048),
        port(&p, "grads.blocks.*.w", Role::Output, f, &[2, 2], &[&[], &[]], 192),
        port(&p, "loss", Role::Loss, f, &[], &[], 256),
        port(&p, "grad_norm", Role::Metric, f, &[], &[], 320),
        port(&p, "lr", Role::Metric, f, &[], &[], 384),
    ];
    let mut updated = p.ports[0].clone();
    updated.alias = Some(0);
    p.ports.push(updated);
    p.kernels = vec![kernel("forward", 5, 1, false), kernel("update", 6, 0, false)];
    let rows = 8 / u64::from(data);
    let b = BufRef::fixed;
    let (x, y, w, g, loss) = (b(1024, rows * 16), b(2048, rows * 4), b(0, 16), b(192, 16), b(256, 4));
    let sum = |count| CollectiveKind::AllReduce { reduction: Reduction::Sum, count };
    p.instrs = vec![
        launch(0, vec![x, y, w, g, loss], vec![3, 4], 1, vec![Dim::Const(rows as i64)]),
        collective(0, sum(4), &[0], f, g, g),
        collective(1, sum(1), &[0], f, loss, loss),
        launch(1, vec![w, b(64, 16), b(128, 4), g, b(320, 4), b(384, 4)], vec![0, 1, 2, 4, 5], 1, vec![]),
    ];
    p
}
