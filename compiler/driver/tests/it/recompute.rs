//! `recompute` and `budget` in the source: who goes before whom, what of it is planned, and what the report says.

use meshloom_driver::{CompileOptions, Program, Scheduled, check, lower, plan, report};
use meshloom_plan::{Mode, Recompute, StashPlan};

/// Two loops alike, with weights that are split over `data`; `{first}`, `{second}` and `{train}` are settings.
const TWO: &str = "
mesh [data: 4]
dim batch = 32, n = 32, hidden = 128
struct Layer { up: f32[n, hidden] @ [data, _] = normal(0.1), down: f32[hidden, n] @ [data, _] = normal(0.1) }
struct Net { first: [Layer; 4], second: [Layer; 4] }
fn layer(p: Layer, x: f32[batch, n]) -> f32[batch, n] { x + dot(gelu(dot(x, p.up)), p.down) }
fn loss(m: Net, x: f32[batch, n] @ [data, _]) -> f32 {
    for p in m.first{first} { x = layer(p, x) }
    for p in m.second{second} { x = layer(p, x) }
    mean(x * x)
}
train net = sgd(loss, lr: 0.1{train})
";

fn text(first: &str, second: &str, train: &str) -> String {
    TWO.replace("{first}", first).replace("{second}", second).replace("{train}", train)
}

fn planned(text: &str, all: Option<Recompute>, budget: Option<u64>) -> Program<Scheduled> {
    let mut o = CompileOptions::default();
    (o.plan.mode, o.plan.recompute_all, o.plan.budget) = (Mode::Search, all, budget);
    let made = check("two.loom", text, &o).and_then(|p| plan(p, &o)).and_then(lower);
    made.unwrap_or_else(|(e, _)| panic!("{e}"))
}

/// Stashes of the loop over `list` that are kept although they could be recomputed, and those that are recomputed.
fn of(p: &Program<Scheduled>, list: &str) -> (usize, usize) {
    let plan = &p.entries[0].plan;
    let mine = |s: &&StashPlan| s.list.as_deref() == Some(list);
    let again = plan.stashes.iter().filter(mine).filter(|s| s.rematerialized).count();
    let kept = plan.stashes.iter().filter(mine).filter(|s| !s.rematerialized && s.name != "x").count();
    (kept, again)
}

/// Values that are recomputed, of loops and of others.
fn again(p: &Program<Scheduled>) -> usize {
    p.entries[0].plan.stashes.iter().filter(|s| s.rematerialized).count()
}

fn peak(p: &Program<Scheduled>) -> u64 {
    report::peak(&p.entries[0]).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn one_loop_says_full_and_the_other_says_none() {
    let free = planned(&text("", "", ""), None, None);
    assert_eq!((of(&free, "first").1, of(&free, "second").1), (0, 0), "there is room for everything");
    let p = planned(&text(", recompute: full", ", recompute: none", ""), None, None);
    let ((kept, again), (_, other)) = (of(&p, "first"), of(&p, "second"));
    assert!(kept == 0 && again > 0, "{kept} kept, {again} recomputed");
    assert_eq!(other, 0);
    assert!(peak(&p) < peak(&free));
    let both = planned(&text("", "", ", recompute: full"), None, None);
    assert!(of(&both, "first").1 > 0 && of(&both, "second").1 > 0);
    assert!(peak(&both) < peak(&p));
}

#[test]
fn a_loop_goes_before_its_train_and_the_command_line_before_both() {
    let p = planned(&text(", recompute: none", "", ", recompute: full"), None, None);
    assert_eq!(of(&p, "first").1, 0);
    assert!(of(&p, "second").1 > 0);
    let p = planned(&text(", recompute: none", "", ", recompute: full"), Some(Recompute::Full), None);
    assert!(of(&p, "first").1 > 0 && of(&p, "second").1 > 0);
    let p = planned(&text(", recompute: full", "", ""), Some(Recompute::None), None);
    assert_eq!((of(&p, "first").1, of(&p, "second").1), (0, 0));
}

#[test]
fn a_budget_in_the_source_binds_unless_the_command_line_has_another() {
    let free = peak(&planned(&text("", "", ""), None, None));
    let less = free * 9 / 10;
    let said = text("", "", &format!(", budget: {less} B"));
    let p = planned(&said, None, None);
    assert!(peak(&p) <= less);
    assert!(again(&p) > 0);
    let p = planned(&said, None, Some(free));
    assert!(less < peak(&p) && peak(&p) <= free);
    // A loop that may not be recomputed leaves it to the other one.
    let p = planned(&text(", recompute: none", "", &format!(", budget: {less} B")), None, None);
    assert!(peak(&p) <= less);
    assert_eq!(of(&p, "first").1, 0);
    assert!(again(&p) > 0);
}

#[test]
fn weights_are_gathered_again_in_the_backward_pass() {
    let gathers = |p: &Program<Scheduled>, phase: &str| {
        let all = &p.entries[0].plan.collectives;
        let of = all.iter().filter(|c| c.does.name() == "all_gather" && c.phase.name() == phase);
        of.map(|c| c.times_per_step).sum::<u64>()
    };
    // A batch that is cheaper to leave where it is than to move, and a budget in which the gathered weights of no loop stay.
    let big =
        TWO.replace("batch = 32, n = 32, hidden = 128", "batch = 2048, n = 64, hidden = 256").replace("; 4]", "; 6]");
    let fill = |how: &str| big.replace("{first}", how).replace("{second}", how).replace("{train}", "");
    for (how, all) in [(", recompute: full", None), ("", Some(Recompute::Auto))] {
        let free = planned(&fill(how), all, None);
        let p = planned(&fill(how), all, Some(6 << 20));
        println!(
            "{how}: {} + {} gathers, {} of {}",
            gathers(&p, "forward"),
            gathers(&p, "backward"),
            peak(&p),
            peak(&free)
        );
        assert!(gathers(&p, "forward") > 0 && gathers(&p, "backward") > 0, "{how}");
    }
}

#[test]
fn the_report_says_what_was_asked_for_and_where() {
    let said = text(", recompute: full", "", ", recompute: none, budget: 1 GiB");
    let p = planned(&said, None, None);
    let r = report::of(&p, &p.entries[0]);
    let line = "asked     recompute none at two.loom:12, recompute full at two.loom:8, budget 1.0 GiB at two.loom:12";
    assert!(r.text().lines().any(|l| l == line), "{}", r.text());
    assert_eq!(r.data.asked.len(), 3);
    let p = planned(&said, Some(Recompute::Auto), Some(1 << 29));
    let r = report::of(&p, &p.entries[0]);
    let line = "asked     recompute auto on the command line, budget 512 MiB on the command line";
    assert!(r.text().lines().any(|l| l.starts_with(line) || l == line), "{}", r.text());
}
