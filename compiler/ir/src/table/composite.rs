//! Composites that have a kernel of their own: what they are called, which function of the library they come from, what their
//! gradient is called, and the dims of their operands and results. Everybody who knows a composite by its name asks here.
//!
//! What a composite means is its body. That the body is what the name says is proved where a form of a program adds one
//! (`certify/kernels`).

/// Attention: `out = softmax(q k) v`, and the log-sum-exp of the scores. Dims are subscripts: batch, head, a query of the group
/// that shares a head of keys, block (`n`), positions of queries (`s`) and keys (`t`), elements of a head of queries and
/// keys (`d`) and of values (`e`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Attention {
    pub name: &'static str,
    /// The function of the library whose calls stay one op.
    pub function: &'static str,
    /// The composite of the gradient: of (q, k, v, out, log-sum-exp, gradient of out) the gradients of q, k and v.
    pub gradient: &'static str,
    pub q: &'static str,
    pub k: &'static str,
    pub v: &'static str,
    /// Of the result, and of its gradient.
    pub out: &'static str,
    /// Of the log-sum-exp.
    pub rows: &'static str,
    /// Of the scores, in alphabetical order.
    pub scores: &'static str,
    /// Of the numbers of segments of queries and of keys, which may follow the values.
    pub segments: [&'static str; 2],
    /// Whether queries share heads of keys.
    pub grouped: bool,
}

const OF_ONE_QUERY: Attention = Attention {
    name: "attention",
    function: "dense_attention",
    gradient: "attention_grad",
    q: "bhsd",
    k: "bhtd",
    v: "bhte",
    out: "bhse",
    rows: "bhs",
    scores: "bhst",
    segments: ["bs", "bt"],
    grouped: false,
};

pub static DENSE: Attention = OF_ONE_QUERY;

pub static GROUPED: Attention = Attention {
    name: "grouped_attention",
    function: "grouped_attention",
    gradient: "grouped_attention_grad",
    q: "bhgsd",
    out: "bhgse",
    rows: "bhgs",
    scores: "bghst",
    grouped: true,
    ..OF_ONE_QUERY
};

/// Attention within blocks: block `n` of the queries with block `n` of the keys. No source says it; ring attention is made of it,
/// with a block on each device. Its kernel is that of one block.
pub static BLOCKED: Attention = Attention {
    name: "blocked_attention",
    function: "",
    gradient: "blocked_attention_grad",
    q: "nbhgsd",
    k: "nbhtd",
    v: "nbhte",
    out: "nbhgse",
    rows: "nbhgs",
    scores: "bghnst",
    segments: ["nbs", "nbt"],
    grouped: true,
};

/// Those that programs have.
pub static ATTENTIONS: [&Attention; 2] = [&DENSE, &GROUPED];

/// Which of its two composites a name is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pass {
    Forward,
    Backward,
}

/// The composite of this name; `None` where no kernel goes by it.
pub fn named(name: &str) -> Option<(&'static Attention, Pass)> {
    ATTENTIONS.into_iter().chain([&BLOCKED]).find_map(|a| match name {
        n if n == a.name => Some((a, Pass::Forward)),
        n if n == a.gradient => Some((a, Pass::Backward)),
        _ => None,
    })
}

impl Attention {
    /// Dims of the operands and then of the results of one pass.
    pub fn dims(&self, pass: Pass, segmented: bool) -> Vec<&'static str> {
        let mut dims = vec![self.q, self.k, self.v];
        if segmented {
            dims.extend(self.segments);
        }
        dims.extend([self.out, self.rows]);
        if pass == Pass::Backward {
            dims.extend([self.out, self.q, self.k, self.v]);
        }
        dims
    }

    /// How many of these are operands.
    pub fn operands(&self, pass: Pass, segmented: bool) -> usize {
        let of_the_forward_pass = if pass == Pass::Backward { 3 } else { 0 };
        3 + 2 * usize::from(segmented) + of_the_forward_pass
    }
}
