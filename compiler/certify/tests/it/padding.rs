//! Uneven dims: the padding of a shard must not get into a result, and blocks must be those of the layout.

use meshloom_certify::{check, text};
use meshloom_ir::parse::parse;
use meshloom_ir::{Func, verify::verify};

/// A program, its local form and the certificate's claims and steps, each a line.
struct Case {
    global: String,
    local: String,
    cert: String,
}

fn case(mesh: &str, global: &str, local: &str, cert: &str) -> Case {
    let func = |body: &str| format!("func @f on {mesh} {{\n{body}\n}}");
    let lines: Vec<&str> = cert.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
    let steps = lines.iter().filter(|l| !l.contains(" = ")).count();
    let head = format!("certificate 1\nmesh {mesh}\nvalues {} steps {steps}\n", lines.len() - steps);
    Case { global: func(global), local: func(local), cert: head + &lines.join("\n") }
}

impl Case {
    /// The first rejection, if there is one. Programs that the IR's own verifier refuses count as rejected.
    fn rejection(&self) -> Option<String> {
        let read = |s: &str| -> Func { parse(s).unwrap_or_else(|e| panic!("{e}\n{s}")) };
        let (global, local) = (read(&self.global), read(&self.local));
        verify(&global).expect("the global program verifies");
        let cert = text::parse(&self.cert, &global, &local).unwrap_or_else(|e| panic!("{e}\n{}", self.cert));
        check(&global, &local, &cert).err().map(|r| r[0].to_string())
    }

    fn holds(&self) {
        assert_eq!(self.rejection(), None);
    }

    /// That the local program with `from` replaced is rejected, for this reason.
    fn refused(&self, from: &str, to: &str, why: &str) {
        let local = self.local.replace(from, to);
        assert_ne!(local, self.local, "`{from}` is in the local program");
        let changed = Case { global: self.global.clone(), local, cert: self.cert.clone() };
        let r = changed.rejection().unwrap_or_else(|| panic!("accepted:\n{}", changed.local));
        assert!(r.contains(why), "{r}");
    }
}

fn sum() -> Case {
    case(
        "[x: 4]",
        "input %0 a: f32[6, 5] input
         %1 = exponential %0 : f32[6, 5]
         %2 = reduce %1 {sum [0]} : f32[5]
         output %2 y: output",
        "input %0 a: f32[2, 5] @ [x, _] input
         %1 = exponential %0 : f32[2, 5] @ [x, _]
         %2 = pad_mask %1 {sum dim 0 size 6 over x} : f32[2, 5] @ [x, _]
         %3 = reduce %2 {sum [0]} : f32[5] @ [_] + partial(x)
         %4 = all_reduce %3 {sum over x} : f32[5] @ [_]
         output %4 y: output",
        "%0 = %0 [x, _]
         %1: op %1 {0: x}
         %1 = %1 [x, _]
         %2: reshard
         %2 = %1 [x, _]
         %3: op %2 {0: x}
         %3 = %2 [_] + partial(x)
         %4: reshard
         %4 = %2 [_]",
    )
}

#[test]
fn a_sum_needs_its_mask() {
    let c = sum();
    c.holds();
    c.refused("reduce %2 {sum", "reduce %1 {sum", "a `pad_mask` is missing");
    c.refused("pad_mask %1 {sum", "pad_mask %1 {max", "is not the identity of sum");
    c.refused("pad_mask %1 {sum dim 0 size 6", "pad_mask %1 {sum dim 0 size 5", "but [6, 5] is split as [x, _]");
    c.refused("pad_mask %1 {sum dim 0 size 6", "pad_mask %1 {sum dim 1 size 17", "but [6, 5] is split as [x, _]");
    c.refused("exponential %0", "tanh %0", "");
}

/// A mask is lost in an op that may put anything there: zeros become ones under `exponential`.
#[test]
fn a_mask_too_early_is_none() {
    let early = |op: &str| {
        case(
            "[x: 4]",
            &format!(
                "input %0 a: f32[6] input
                 %1 = {op} %0 : f32[6]
                 %2 = reduce %1 {{sum [0]}} : f32
                 output %2 y: output"
            ),
            &format!(
                "input %0 a: f32[2] @ [x] input
                 %1 = pad_mask %0 {{sum dim 0 size 6 over x}} : f32[2] @ [x]
                 %2 = {op} %1 : f32[2] @ [x]
                 %3 = reduce %2 {{sum [0]}} : f32 @ [] + partial(x)
                 %4 = all_reduce %3 {{sum over x}} : f32 @ []
                 output %4 y: output"
            ),
            "%0 = %0 [x]
             %1: reshard
             %1 = %0 [x]
             %2: op %1 {0: x}
             %2 = %1 [x]
             %3: op %2 {0: x}
             %3 = %2 [] + partial(x)
             %4: reshard
             %4 = %2 []",
        )
    };
    early("tanh").holds();
    early("negate").holds();
    let why = early("exponential").rejection().expect("ones are added");
    assert!(why.contains("a `pad_mask` is missing"), "{why}");
}

/// Zero times what is unspecified may be NaN, so both operands of a contraction are masked.
#[test]
fn a_contraction_needs_both_operands_masked() {
    let c = case(
        "[x: 4]",
        "input %0 a: f32[3, 7] input
         input %1 b: f32[7, 2] input
         %2 = dot_general %0, %1 {ik,kj->ij} : f32[3, 2]
         output %2 y: output",
        "input %0 a: f32[3, 2] @ [_, x] input
         input %1 b: f32[2, 2] @ [x, _] input
         %2 = pad_mask %0 {sum dim 1 size 7 over x} : f32[3, 2] @ [_, x]
         %3 = pad_mask %1 {sum dim 0 size 7 over x} : f32[2, 2] @ [x, _]
         %4 = dot_general %2, %3 {ik,kj->ij} : f32[3, 2] @ [_, _] + partial(x)
         %5 = all_reduce %4 {sum over x} : f32[3, 2] @ [_, _]
         output %5 y: output",
        "%0 = %0 [_, x]
         %1 = %1 [x, _]
         %2: reshard
         %2 = %0 [_, x]
         %3: reshard
         %3 = %1 [x, _]
         %4: op %2 {2: x}
         %4 = %2 [_, _] + partial(x)
         %5: reshard
         %5 = %2 [_, _]",
    );
    c.holds();
    c.refused("dot_general %2, %3", "dot_general %0, %3", "operand 0");
    c.refused("dot_general %2, %3", "dot_general %2, %1", "operand 1");
}

/// A look-up clamps its indices to the true count of rows.
#[test]
fn a_gather_knows_how_many_rows_there_are() {
    let c = case(
        "[x: 4]",
        "input %0 table: f32[11, 3] input
         input %1 ids: i32[5] input
         %2 = gather %0, %1 : f32[5, 3]
         output %2 y: output",
        "input %0 table: f32[3, 3] @ [x, _] input
         input %1 ids: i32[5] @ [_] input
         %2 = gather %0, %1 {total 11 shard x} : f32[5, 3] @ [_, _] + partial(x)
         %3 = all_reduce %2 {sum over x} : f32[5, 3] @ [_, _]
         output %3 y: output",
        "%0 = %0 [x, _]
         %1 = %1 [_]
         %2: op %2 {0: x}
         %2 = %2 [_, _] + partial(x)
         %3: reshard
         %3 = %2 [_, _]",
    );
    c.holds();
    c.refused("{total 11 shard x}", "{shard x}", "is not the local form");
    c.refused("{total 11 shard x}", "{total 10 shard x}", "");
}

/// 7 elements over two axes are 2, 2, 2, 1; over one of them 4, 3. Over 3 x 2 devices they are 2, 2, 2, 1, 0, 0 and over 3 they
/// are 3, 3, 1: no block of 3 is made of blocks of 2.
#[test]
fn blocks_must_nest() {
    let gather = |mesh: &str, b: u64, to: u64, size: &str| {
        case(
            mesh,
            "input %0 a: f32[7] input
             output %0 y: output",
            &format!(
                "input %0 a: f32[{b}] @ [(a, b)] input
                 %1 = all_gather %0 {{dim 0{size} over b}} : f32[{to}] @ [a]
                 output %1 y: output"
            ),
            "%0 = %0 [(a, b)]
             %1: reshard
             %1 = %0 [a]",
        )
    };
    gather("[a: 2, b: 2]", 2, 4, "").holds();
    let why = gather("[a: 3, b: 2]", 2, 3, " size 3").rejection().expect("rows of other devices");
    assert!(why.contains("lies across"), "{why}");
}

/// Gathered whole, the padding is cut off; left in, it would be taken for elements.
#[test]
fn a_gathered_dim_has_its_true_size() {
    let c = case(
        "[x: 4]",
        "input %0 a: f32[6] input
         output %0 y: output",
        "input %0 a: f32[2] @ [x] input
         %1 = all_gather %0 {dim 0 size 6 over x} : f32[6] @ [_]
         output %1 y: output",
        "%0 = %0 [x]
         %1: reshard
         %1 = %0 [_]",
    );
    c.holds();
    c.refused("{dim 0 size 6 over x} : f32[6]", "{dim 0 over x} : f32[8]", "is f32[8]");
    c.refused("{dim 0 size 6 over x} : f32[6]", "{dim 0 size 7 over x} : f32[7]", "is f32[7]");
}
