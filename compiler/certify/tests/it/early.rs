//! Loops that end early: a local `while` is accepted for a global `while` with the same limit, its condition first, and
//! for nothing else.

use meshloom_certify::{check, text};
use meshloom_ir::parse::parse;
use meshloom_ir::verify::verify;

const GLOBAL: &str = "func @f on [x: 2] {
  input %0 going: bool input
  input %1 other: bool input
  input %2 a: f32[4] input
  %8, %9, %10 = while carries(%0, %1, %2) invariants() {at_most 3} : bool, bool, f32[4] {
    arg %3: bool
    arg %4: bool
    arg %5: f32[4]
    %6 = add %5, %5 : f32[4]
    %7 = and %3, %4 : bool
    yield %7, %4, %6
  }
  output %10 y: output
}";

const CERTIFICATE: &str = "certificate 1
mesh [x: 2]
values 11 steps 3
%0 = %0 []
%1 = %1 []
%2 = %2 [x]
%8: region %8
%3 = %3 []
%4 = %4 []
%5 = %5 [x]
%6: op %6 {0: x}
%6 = %6 [x]
%7: op %7 {}
%7 = %7 []
%8 = %8 []
%9 = %9 []
%10 = %10 [x]
";

/// The first reason to refuse a local program, and the text of its certificate.
fn refused(local: &str) -> Option<String> {
    let (global, local) = (parse(GLOBAL).unwrap(), parse(local).unwrap_or_else(|e| panic!("{e}\n{local}")));
    verify(&global).unwrap();
    let cert = text::parse(CERTIFICATE, &global, &local).unwrap_or_else(|e| panic!("{e}"));
    check(&global, &local, &cert).err().map(|r| r[0].to_string())
}

#[test]
fn a_while_is_the_while_that_it_stands_for() {
    let local = GLOBAL
        .replace("a: f32[4] input", "a: f32[2] @ [x] input")
        .replace("f32[4]", "f32[2] @ [x]")
        .replace(": bool", ": bool @ []")
        .replace("bool @ [], bool,", "bool @ [], bool @ [],");
    assert_eq!(refused(&local), None);
    let says = |from: &str, to: &str| {
        let changed = local.replace(from, to);
        assert_ne!(changed, local, "`{from}`");
        refused(&changed).unwrap_or_else(|| panic!("accepted:\n{changed}"))
    };
    assert!(says("{at_most 3}", "{at_most 2}").contains("runs 2 times"));
    assert!(says("{at_most 3}", "{}").contains("runs"));
    let repeat = says(
        "while carries(%0, %1, %2) invariants() {at_most 3}",
        "repeat carries(%0, %1, %2) xs() invariants() {trip 3}",
    );
    assert!(repeat.contains("is a `repeat`, its global op a `while`"), "{repeat}");
    // Another bool in the condition's place.
    says("carries(%0, %1, %2)", "carries(%1, %0, %2)");
}
