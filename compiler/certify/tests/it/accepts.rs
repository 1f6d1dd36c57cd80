//! The checker accepts what is legal: random plans of all programs, and their text.

use crate::support::{dice, programs};
use meshloom_certify::{check, text};

#[test]
fn random_plans_are_proved() {
    for global in programs::all() {
        for seed in 0..40 {
            let p = dice::plan(&global, seed);
            match check(&p.global, &p.local, &p.cert) {
                Ok(proof) => assert_eq!(proof.steps, p.local.walk(meshloom_ir::Func::BODY).len()),
                Err(r) => panic!("{} with seed {seed}: {}\n{}", global.name, r[0], meshloom_ir::print::print(&p.local)),
            }
        }
    }
}

#[test]
fn certificates_read_back() {
    for global in programs::all() {
        for seed in 0..10 {
            let p = dice::plan(&global, seed);
            let printed = text::print(&p.cert, &p.global, &p.local);
            let back = text::parse(&printed, &p.global, &p.local).expect("its own text");
            assert_eq!(back, p.cert);
        }
    }
}

#[test]
fn text_outlives_the_programs_round_trip() {
    let p = dice::plan(&programs::layers(), 3);
    let printed = text::print(&p.cert, &p.global, &p.local);
    let again = |f| meshloom_ir::parse::parse(&meshloom_ir::print::print(f)).expect("its own text");
    let (global, local) = (again(&p.global), again(&p.local));
    let cert = text::parse(&printed, &global, &local).expect("the same numbers");
    assert!(check(&global, &local, &cert).is_ok());
    assert_eq!(text::print(&cert, &global, &local), printed);
}

#[test]
fn damaged_text_is_refused_by_place() {
    let p = dice::plan(&programs::mlp(), 1);
    let printed = text::print(&p.cert, &p.global, &p.local);
    let bad = |from: &str, to: &str| {
        let s = printed.replacen(from, to, 1);
        assert_ne!(s, printed, "`{from}` is in the text");
        let e = text::parse(&s, &p.global, &p.local).expect_err("damaged");
        format!("{e}")
    };
    assert_eq!(bad("certificate 1", "certificate 2"), "1:13: version 2 is not known; this reads version 1");
    assert!(bad("%2 = %2 [", "%2 = %2 [nowhere").contains("has no axis `nowhere"));
    assert!(bad("%1 = ", "%0 = ").ends_with("this stands twice"));
    assert!(bad("%3 = %3", "%3 = %999").ends_with("the program has no value %999"));
    assert!(bad("steps ", "steps 9").contains("but the local program has"));
    // Any cut is an error or, at a line's end, a missing line; never a panic.
    for cut in (0..printed.len()).filter(|&i| printed.is_char_boundary(i)) {
        if cut + 1 < printed.len() {
            assert!(text::parse(&printed[..cut], &p.global, &p.local).is_err());
        }
    }
}
