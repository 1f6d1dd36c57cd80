//! Schedules of small programs, by hand.

use super::*;
use crate::cost::Target;

mod reference;

/// Arithmetic at 2 operations a nanosecond, so that a dot of `a,a->` over `1000 n` takes `n` microseconds; memory for
/// free; 1 byte a nanosecond over links, after 1 us.
fn target(overlap: bool, grouped: bool) -> Target {
    let text = format!(
        r#"
        arch = "sm_90a"
        memory = "80 GB"
        bandwidth = "1000 PB/s"
        launch = "0 us"
        overlap = {overlap}
        grouped = {grouped}
        flops = {{ f32 = "2 GFLOP/s" }}
        achievable = {{ contraction = 1.0, bandwidth = 1.0, fused = 0.5 }}
        level = [{{ name = "link", bandwidth = "1 GB/s", latency = "1 us", achievable = 1.0 }}]
        "#
    );
    Target::parse("test", &text).unwrap()
}

fn timeline(target: &Target, text: &str) -> Timeline {
    let func = meshloom_ir::parse::parse(text).unwrap_or_else(|e| panic!("{e}"));
    let t = simulate_exposed(&Model::new(target, &func.mesh), &func);
    assert_eq!(t.step_ps, t.compute_ps + t.communication_ps - t.hidden_ps, "{t:?}");
    t
}

const US: u64 = 1_000_000;

/// A gradient is reduced while something else is computed.
const REDUCED_BESIDE: &str = "func @f on [d: 2] {
  input %0 x: f32[4000] @ [_] input
  input %1 y: f32[1000] @ [_] + partial(d) input
  %2 = all_reduce %1 {sum over d} : f32[1000] @ [_]
  %3 = dot_general %0, %0 {a,a->} : f32[] @ []
  output %2 a: output
  output %3 b: output
}";

#[test]
fn collectives_run_beside_kernels() {
    // 4000 bytes once over the ring of two, and two latencies.
    let t = timeline(&target(true, false), REDUCED_BESIDE);
    assert_eq!((t.compute_ps, t.communication_ps), (4 * US, 6 * US));
    // A sixteenth of what is hidden is lost.
    assert_eq!((t.step_ps, t.hidden_ps), (6 * US + US / 4, 4 * US - US / 4));
    assert_eq!(t.calls.len(), 1);
    assert_eq!((t.calls[0].start_ps, t.calls[0].ps, t.calls[0].times, t.calls[0].grouped), (0, 6 * US, 1, 1));
    assert_eq!(t.calls[0].exposed_ps, 2 * US);
}

#[test]
fn without_overlap_times_add_up() {
    let t = timeline(&target(false, false), REDUCED_BESIDE);
    assert_eq!((t.step_ps, t.hidden_ps), (10 * US, 0));
    assert_eq!(t.calls[0].exposed_ps, 6 * US);
}

#[test]
fn what_is_waited_for_goes_first() {
    let t = timeline(
        &target(true, false),
        "func @f on [d: 2] {
          input %0 x: f32[1000] @ [_] + partial(d) input
          input %1 y: f32[1000] @ [_] + partial(d) input
          %2 = all_reduce %0 {sum over d} : f32[1000] @ [_]
          %3 = all_reduce %1 {sum over d} : f32[1000] @ [_]
          %4 = dot_general %3, %3 {a,a->} : f32[] @ []
          output %2 a: output
          output %4 b: output
        }",
    );
    // The second is reduced first; the dot of 1 us runs while the other one is.
    assert_eq!(t.calls.iter().map(|c| c.start_ps).collect::<Vec<_>>(), [0, 6 * US]);
    assert_eq!((t.step_ps, t.hidden_ps), (12 * US + US / 16, US - US / 16));
    assert_eq!(t.calls.iter().map(|c| c.exposed_ps).collect::<Vec<_>>(), [6 * US, 5 * US]);
}

#[test]
fn small_collectives_that_are_ready_together_start_as_one() {
    let text = "func @f on [d: 2] {
      input %0 x: f32[250] @ [_] + partial(d) input
      input %1 y: f32[250] @ [_] + partial(d) input
      input %2 z: f32[250] @ [_] + partial(d) input
      input %3 w: f32[250] @ [d] input
      %4 = all_reduce %0 {sum over d} : f32[250] @ [_]
      %5 = all_reduce %1 {sum over d} : f32[250] @ [_]
      %6 = all_reduce %2 {max over d} : f32[250] @ [_]
      %7 = all_reduce %2 {sum over d} : f32[250] @ [_]
      output %4 a: output
      output %5 b: output
      output %6 c: output
      output %7 d: output
    }";
    let apart = timeline(&target(true, false), text);
    assert_eq!(apart.step_ps, 4 * 3 * US);
    let together = timeline(&target(true, true), text);
    // Three sums as one, the maximum alone.
    assert_eq!(together.step_ps, (3 + 2) * US + 3 * US);
    assert_eq!(together.calls.iter().map(|c| c.grouped).collect::<Vec<_>>(), [3, 3, 3, 1]);
    assert_eq!(together.calls.iter().map(|c| c.ps).sum::<u64>(), together.communication_ps);
}

fn layers(trip: u64, reads: &str) -> String {
    format!(
        "func @f on [d: 2] {{
          input %0 x: f32[] @ [] input
          input %1 w: f32[{trip}, 5000] @ [_, d] input
          %8 y = repeat carries(%0) xs(%1) invariants() {{trip {trip}}} : f32[] @ [] {{
            arg %2 x: f32[] @ []
            arg %3 w: f32[2500] @ [d]
            {reads}
            %7 = add %2, %5 : f32[] @ []
            yield %7
          }}
          output %8 out: output
        }}"
    )
}

#[test]
fn weights_of_the_next_iteration_are_gathered_ahead() {
    // Gathering takes 10 us and 1 latency, the dot 5 us: only the last dot is not hidden.
    let t = timeline(
        &target(true, false),
        &layers(
            10,
            "%4 = all_gather %3 {dim 0 over d} : f32[5000] @ [_]\n%5 = dot_general %4, %4 {a,a->} : f32[] @ []",
        ),
    );
    assert_eq!(t.communication_ps, 110 * US);
    assert!(t.step_ps.abs_diff(115 * US + 45 * US / 16) < US, "{t:?}");
    assert_eq!((t.calls.len(), t.calls[0].times), (1, 10));
}

#[test]
fn what_the_next_iteration_waits_for_is_not_hidden() {
    let body = "%4 = dot_general %3, %3 {a,a->} : f32[] @ [] + partial(d)
                %9 = add %2, %2 : f32[] @ []
                %10 = partial_split %9 {over d} : f32[] @ [] + partial(d)
                %11 = add %10, %4 : f32[] @ [] + partial(d)
                %5 = all_reduce %11 {sum over d} : f32[] @ []";
    let t = timeline(&target(true, false), &layers(10, body));
    // The dot of the next iteration runs beside the reduction; the first one's does not.
    assert_eq!(t.communication_ps / US, 20);
    assert!(t.step_ps >= 25 * US - US && t.hidden_ps <= 20 * US, "{t:?}");
}

#[test]
fn further_iterations_cost_what_an_iteration_takes() {
    let body = "%4 = all_gather %3 {dim 0 over d} : f32[5000] @ [_]\n%5 = dot_general %4, %4 {a,a->} : f32[] @ []";
    let step = |n| timeline(&target(true, false), &layers(n, body)).step_ps;
    assert!((step(30) - step(20)).abs_diff(step(20) - step(10)) <= 2, "halves are rounded");
    assert!(step(1) > 15 * US && step(2) > step(1));
}

#[test]
fn a_loop_takes_at_least_the_work_of_each_stream() {
    // What waits for the dots of this iteration is reduced behind, up to three iterations later: 6 us of 5 dots are hidden.
    let body = "%4 = dot_general %3, %3 {a,a->} : f32[] @ [] + partial(d)
                %9 = all_reduce %4 {sum over d} : f32[] @ []
                %10 = dot_general %3, %3 {a,a->} : f32[] @ [] + partial(d)
                %11 = all_reduce %10 {sum over d} : f32[] @ []
                %5 = add %9, %11 : f32[] @ []";
    for trip in [1, 2, 3, 4, 5, 17, 126] {
        let t = timeline(&target(true, false), &layers(trip, body));
        assert!(t.step_ps >= t.compute_ps.max(t.communication_ps), "{trip}: {t:?}");
        assert_eq!(t.communication_ps, t.levels_ps.iter().sum::<u64>());
    }
}

#[test]
fn levels_of_the_network_run_beside_each_other() {
    let text = target(true, false);
    let inner = crate::cost::Level { name: "node".into(), devices: Some(2), ..text.levels[0].clone() };
    let two = Target { levels: vec![inner, text.levels[0].clone()], ..text };
    let t = timeline(
        &two,
        "func @f on [far: 2, near: 2] {
          input %0 x: f32[1000] @ [_] + partial(near) input
          input %1 y: f32[1000] @ [_] + partial(far) input
          %2 = all_reduce %0 {sum over near} : f32[1000] @ [_]
          %3 = all_reduce %1 {sum over far} : f32[1000] @ [_]
          output %2 a: output
          output %3 b: output
        }",
    );
    let lost = 6 * US / 16;
    assert_eq!((t.step_ps, t.communication_ps, t.hidden_ps), (6 * US + lost, 12 * US, 6 * US - lost));
    assert_eq!(t.levels_ps, [6 * US, 6 * US]);
}
