//! The simulator's figures against the sources': all p = 2..16 and m = p..64 at unit times, and some others.

use meshloom_pipeline::{Fraction, PipelineTimes, ScheduleEntry, ScheduleRequest, schedules, simulate};

/// Compares what is stated; how many statements there were.
fn compare(entry: &ScheduleEntry, request: &ScheduleRequest) -> usize {
    let Ok(table) = schedules::make(entry, request) else { return 0 };
    let run = simulate(&table, &request.times).expect("it runs");
    let stated = (entry.stated)(request);
    let size = format!("{} p={} m={}", entry.name, request.ranks, request.microbatches);
    if let Some(bubble) = stated.bubble {
        assert_eq!(run.bubble(), bubble, "bubble of {size}");
    }
    if let Some(kept) = stated.in_flight {
        assert_eq!(run.most_in_flight().until_weights, kept, "in flight of {size}");
    }
    usize::from(stated.bubble.is_some()) + usize::from(stated.in_flight.is_some())
}

#[test]
fn sources_are_right_at_unit_times() {
    for entry in schedules::ALL.iter().filter(|e| !e.formula.is_empty()) {
        let mut compared = 0;
        for p in 2..=16 {
            for m in p..=64 {
                compared += compare(entry, &ScheduleRequest::of(p, m));
            }
        }
        assert!(compared > 100, "{}: {compared} statements", entry.name);
    }
}

#[test]
fn the_share_of_1f1b_is_the_papers() {
    for (p, m) in [(2, 2), (4, 8), (8, 32), (16, 64)] {
        let request = ScheduleRequest::of(p, m);
        let table = schedules::make(schedules::find("1f1b").expect("1f1b"), &request).expect("a table");
        let run = simulate(&table, &request.times).expect("it runs");
        assert_eq!(run.bubble_share(), Fraction::new(u64::from(p - 1), u64::from(m + p - 1)));
        assert_eq!(run.bubble_share(), run.idle_share());
    }
}

#[test]
fn formulas_without_equal_times() {
    let mut times = PipelineTimes::even(3, 4, 2, 0);
    for name in ["gpipe", "1f1b", "interleaved", "breadth-first"] {
        let entry = schedules::find(name).expect("a name");
        for v in [1, 2, 3] {
            let request = ScheduleRequest { times: times.clone(), ..ScheduleRequest::of(4, 12).with_virtual(v) };
            compare(entry, &request);
        }
    }
    times = PipelineTimes::even(2, 2, 2, 0);
    for name in ["dualpipe", "dualpipe-v"] {
        let entry = schedules::find(name).expect("a name");
        for p in [4, 8] {
            times.overlapped = Some(6);
            let request = ScheduleRequest { times: times.clone(), ..ScheduleRequest::of(p, 4 * p) };
            assert_eq!(compare(entry, &request), 2);
            // F&B shorter than its parts, as DualPipe is made for: the formula is a bound.
            times.overlapped = Some(5);
            let table = schedules::make(entry, &request).expect("a table");
            let half = if name == "dualpipe" { p / 2 } else { p };
            let bubble = simulate(&table, &times).expect("it runs").bubble();
            assert!(bubble <= u64::from(half - 1) * (5 + 4 - 6), "{name} p={p}: {bubble}");
        }
    }
}

/// Where the zero-bubble schedules are without a bubble: from 2p-1 microbatches on, and not before.
#[test]
fn zero_from_where() {
    for name in ["zb-h2", "zb-v"] {
        for p in 2..=10 {
            let bubble = |m| {
                let request = ScheduleRequest::of(p, m);
                let table = schedules::make(schedules::find(name).expect("a name"), &request).expect("a table");
                simulate(&table, &request.times).expect("it runs").bubble()
            };
            let first = (1..=4 * p).find(|m| (*m..=4 * p).all(|m| bubble(m) == 0)).expect("a size without bubble");
            assert_eq!(first, 2 * p - 1, "{name} p={p}");
        }
    }
}

#[test]
fn domains_are_refused_with_their_rule() {
    let refused = |name: &str, request: &ScheduleRequest, rule: &str| {
        let e = schedules::make(schedules::find(name).expect("a name"), request).expect_err("outside of the domain");
        assert!(e.starts_with(name) && e.contains(rule), "{e}");
    };
    refused("interleaved", &ScheduleRequest::of(4, 6), "multiple");
    refused("1f1b", &ScheduleRequest::of(4, 8).with_virtual(2), "one stage, not 2");
    refused("zb-v", &ScheduleRequest::of(4, 8).with_virtual(3), "2 stages, not 3");
    refused("dualpipe", &ScheduleRequest::of(3, 8), "even");
    refused("dualpipe", &ScheduleRequest::of(4, 9), "even");
    refused("dualpipe", &ScheduleRequest::of(4, 6), "twice");
    refused("dualpipe-v", &ScheduleRequest::of(4, 7), "twice");
    refused("gpipe", &ScheduleRequest::of(0, 7), "at least one");
    refused("gpipe", &ScheduleRequest::of(4096, 4096), "at most");
    refused("interleaved", &ScheduleRequest::of(4, 8).with_virtual(0), "at least one");
    refused("1f1b", &ScheduleRequest { memory: Some(3), ..ScheduleRequest::of(4, 8) }, "only `search`");
    refused("search", &ScheduleRequest { memory: Some(0), ..ScheduleRequest::of(4, 8) }, "at least one");
}

/// The search keeps its limit, and is never worse than the orders that fit it.
#[test]
fn the_search_keeps_its_limit() {
    let mut better = 0;
    for (f, i, w, c) in [(1, 1, 1, 0), (4, 5, 3, 1), (3, 4, 6, 2), (10, 11, 4, 1)] {
        let times = PipelineTimes::even(f, i, w, c);
        for memory in [1, 2, 4, 6, 8] {
            let table = schedules::search(4, 12, &times, Some(memory)).expect("an order");
            let found = simulate(&table, &times).expect("it runs");
            assert!(found.most_in_flight().until_weights <= memory);
            for name in ["zb-h1", "zb-h2"] {
                let known = schedules::make(schedules::find(name).expect("a name"), &ScheduleRequest::of(4, 12));
                let known = simulate(&known.expect("a table"), &times).expect("it runs");
                if known.most_in_flight().until_weights <= memory {
                    assert!(found.bubble() <= known.bubble());
                    better += usize::from(found.bubble() < known.bubble());
                }
            }
        }
    }
    assert!(better > 3, "the search finds what the handcrafted orders miss: {better}");
}

#[test]
fn a_chart_has_a_line_for_each_rank() {
    let request = ScheduleRequest::of(2, 2);
    let table = schedules::make(schedules::find("1f1b").expect("1f1b"), &request).expect("a table");
    let run = simulate(&table, &request.times).expect("it runs");
    let drawn = meshloom_pipeline::chart::chart(&table, &run, 1, 100, &|text, _| text.into()).expect("a chart");
    let expected = "time    0  1  2  3  4  5  6  7  8\n\
                    rank 0  F0 F1 .  .  B0--- .  B1---\n\
                    rank 1  .  F0 B0--- F1 B1--- .  .\n";
    assert_eq!(drawn, expected);
}
