//! What `explain FILE tried` prints.

use meshloom_plan::tried::Worth;
use meshloom_plan::tried::{Tried, Verdict};
use meshloom_report::tried::{TriedAnswer, TriedReport, VariantReport, text};

#[test]
fn each_try_is_a_row_with_its_verdict() {
    let worth = |ms: u64, gib: u64| Some(Worth { step_ps: ms * 1_000_000_000, bytes: gib << 30 });
    let tried = |variant, with: &str, within: &[&str], worth, before, verdict| Tried {
        variant,
        with: with.into(),
        within: within.iter().map(|w| w.to_string()).collect(),
        worth,
        before,
        verdict,
    };
    let all = [
        tried("segments", "", &[], None, None, Verdict::NotTried("memory is not in the way".into())),
        tried("smaller-budget", "15/16", &[], None, worth(800, 70), Verdict::NoPlan("it is the same plan".into())),
        tried("contiguous-blocks", "", &["ring-attention data"], worth(790, 60), worth(770, 61), Verdict::Slower),
        tried("ring-attention", "data", &[], worth(770, 61), worth(800, 70), Verdict::Taken),
        tried("ring-attention", "data,model", &[], None, worth(770, 61), Verdict::TooLarge(90 << 30)),
        tried("offload", "state", &[], worth(780, 40), None, Verdict::Beaten),
        tried("last-microbatch-apart", "", &[], worth(769, 62), worth(770, 61), Verdict::Slower),
    ];
    let answer = TriedAnswer {
        schema: 1,
        entry: "gpt".into(),
        predicted_step_us: 770_000.0,
        tried: all.iter().map(TriedReport::of).collect(),
        variants: vec![VariantReport { name: "segments".into(), why: "some iterations recompute more".into() }],
    };
    insta::assert_snapshot!(text(&answer), @r"
    gpt: a step takes 770 ms

    tried                         inside of               step   before     memory   verdict
      segments                                                                       not tried: memory is not in the way
      smaller-budget 15/16                                       800 ms              no plan: it is the same plan
      contiguous-blocks           ring-attention data   790 ms   770 ms   60.0 GiB   2.6 % slower
      ring-attention data                               770 ms   800 ms   61.0 GiB   taken, 3.7 % faster
      ring-attention data,model                                  770 ms   90.0 GiB   does not fit
      offload state                                     780 ms            40.0 GiB   beaten by another
      last-microbatch-apart                             769 ms   770 ms   62.0 GiB   not faster by enough

    segments: some iterations recompute more
    ");
    let line = serde_json::to_string(&answer.tried[4]).expect("a report");
    insta::assert_snapshot!(line, @r#"{"variant":"ring-attention","with":"data,model","within":[],"predicted_step_us":null,"peak_bytes_per_device":96636764160,"before_step_us":770000.0,"before_peak_bytes_per_device":65498251264,"verdict":"too_large","why":null}"#);
}
