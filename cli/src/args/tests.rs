//! Which values options take, and that no two options contradict each other.

use super::*;
use clap::CommandFactory;

#[test]
fn the_definition_holds_together() {
    Cli::command().debug_assert();
}

#[test]
fn times_are_names_and_fractions() {
    let of = |s: &str| times(s).map(|t| (t.stage(0), t.communication, t.overlapped, t.ticks));
    let stage = meshloom_pipeline::StageTimes { f: 4, i: 5, w: 4, b: 9 };
    assert_eq!(of("i=5/4,send=0.5,f=1,fb=3"), Ok((stage, 2, Some(12), 4)));
    for bad in ["", "f", "f=", "f=-1", "b=2", "f=1,,w=1", "f=1/0", "f=999999999/7,i=1/999999937,w=1/999999929"] {
        assert!(of(bad).is_err(), "{bad}");
    }
}

#[test]
fn sizes_are_names_and_numbers() {
    let of = |s: &str| sizes(s).map(|s| s.0);
    assert_eq!(of("data=2,model=4"), Ok(vec![("data".into(), 2), ("model".into(), 4)]));
    for bad in ["", "data", "data=", "=2", "data=x", "data=2,,model=4", "data=-1"] {
        assert!(of(bad).is_err(), "{bad}");
    }
}
