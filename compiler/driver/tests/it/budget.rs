//! Plans under a memory budget: what is scheduled keeps to it, and where nothing fits, what would help is said.

use meshloom_driver::{CompileOptions, Program, Scheduled, check, lower, plan, report};
use meshloom_plan::{Mode, Recompute};
use meshloom_source::Failure;
use meshloom_source::entry::Offload;
use meshloom_strategy::fit::Remedy;

const GPT: &str = include_str!("../../../../examples/gpt_small.loom");

fn options(mesh: &[(&str, u64)], layers: u64, budget: Option<u64>) -> CompileOptions {
    let mut o = CompileOptions::default();
    o.front.mesh = Some(mesh.iter().map(|(n, s)| (n.to_string(), *s)).collect());
    let dims = [("batch", 8), ("seq", 32), ("d", 64), ("heads", 4), ("head", 16), ("vocab", 64), ("layers", layers)];
    o.front.dims = dims.iter().map(|(n, s)| (n.to_string(), *s)).collect();
    o.plan.mode = Mode::Search;
    o.plan.budget = budget;
    o
}

fn planned(o: &CompileOptions) -> Result<Program<Scheduled>, Failure> {
    check("gpt_small.loom", GPT, o).and_then(|p| plan(p, o)).and_then(lower).map_err(|e| e.0)
}

fn peak(p: &Program<Scheduled>) -> u64 {
    report::peak(&p.entries[0]).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn budgets_are_kept_to() {
    let mesh: &[(&str, u64)] = &[("data", 2)];
    let free = planned(&options(mesh, 4, None)).unwrap_or_else(|e| panic!("{e}"));
    let full = peak(&free);
    let mut last = (0.0, u64::MAX);
    for percent in [85, 70] {
        let budget = full * percent / 100;
        match planned(&options(mesh, 4, Some(budget))) {
            Ok(p) => {
                let e = &p.entries[0];
                let plan = &e.plan;
                let again: Vec<&str> =
                    plan.stashes.iter().filter(|s| s.rematerialized).map(|s| s.name.as_str()).collect();
                let time = plan.totals.predicted_step_us;
                println!("{percent} %: {budget} -> {} {time:.1} us, again {again:?}", peak(&p));
                assert!(peak(&p) <= budget);
                assert!(time >= last.0 * 0.999, "a smaller budget makes no plan faster");
                last = (time, budget);
            }
            Err(Failure::TooLarge(d)) => {
                println!("{percent} %: {}\n{:?}", d[0].message, d[0].help);
                assert!(percent < 80, "recomputation saves more than that");
            }
            Err(e) => panic!("{e}"),
        }
    }
    assert!(last.1 < full * 85 / 100);
}

#[test]
fn nothing_fits() {
    let o = options(&[("data", 1), ("model", 1)], 2, Some(1 << 20));
    let Err(f) = planned(&o) else { panic!("a MiB is enough") };
    assert_eq!(f.exit_code(), 4);
    let Failure::TooLarge(d) = f else { panic!("{f}") };
    println!("{}\n{:#?}", d[0].message, d[0].help);
    assert!(d[0].message.contains("fits into 1.0 MiB per device: the smallest found needs"));
    for option in ["--mesh data=", "--mesh model=", "--dim batch="] {
        assert!(d[0].help.iter().any(|h| h.starts_with(option)), "{option}");
    }
}

#[test]
fn remedies_that_fit_come_first() {
    let mut o = options(&[("data", 1), ("model", 1)], 4, None);
    o.plan.recompute = Recompute::None;
    let need = peak(&planned(&o).unwrap_or_else(|e| panic!("{e}")));
    o.plan.budget = Some(need * 9 / 10);
    let Err(Failure::TooLarge(d)) = planned(&o) else { panic!("nothing is recomputed, so nothing fits") };
    println!("{}\n{:#?}", d[0].message, d[0].help);
    // The first that should fit is planned.
    assert!(d[0].help[0].starts_with("--recompute auto: ") && d[0].help[0].ends_with("fits (planned)"));
}

#[test]
fn remedies_as_text() {
    let r = Remedy { option: "--mesh data=4".into(), needs: 3 << 30, fits: false, planned: true };
    assert_eq!(r.text(5 << 30), "--mesh data=4: 3.0 GiB per device, 2.0 GiB less, which is not enough (planned)");
    let r = Remedy { fits: true, planned: false, ..r };
    assert_eq!(r.text(5 << 30), "--mesh data=4: about 3.0 GiB per device, fits (estimated)");
}

/// What the help of a program that does not fit `budget` says.
fn help(text: &str, o: &CompileOptions, budget: u64) -> Vec<String> {
    let mut o = o.clone();
    o.plan.budget = Some(budget);
    match check("m.loom", text, &o).and_then(|p| plan(p, &o)) {
        Err((Failure::TooLarge(d), _)) => d[0].help.clone(),
        Err((other, _)) => panic!("{other}"),
        Ok(_) => panic!("it fits"),
    }
}

/// The options that a line of help gives; `None` where it says what to write.
fn followed(line: &str, o: &CompileOptions) -> Option<CompileOptions> {
    let mut o = o.clone();
    let pairs = |s: &str| -> Vec<(String, u64)> {
        s.split(',').filter_map(|p| p.split_once('=')).map(|(n, s)| (n.into(), s.parse().expect("a size"))).collect()
    };
    let words: Vec<&str> = line.split(": ").next()?.split(' ').collect();
    for pair in words.chunks(2) {
        match pair {
            ["--mesh", sizes] => o.front.mesh = Some(pairs(sizes)),
            ["--dim", sizes] => o.front.dims.extend(pairs(sizes)),
            ["--recompute", "auto"] => o.plan.recompute_all = Some(Recompute::Auto),
            ["--offload", how] => o.offload = Offload::from_name(how),
            ["--layout", name] => o.front.layout = Some((*name).into()),
            _ => return None,
        }
    }
    Some(o)
}

#[test]
fn what_is_estimated_to_fit_fits() {
    let o = options(&[("data", 4), ("model", 1)], 4, None);
    let free = peak(&planned(&o).unwrap_or_else(|e| panic!("{e}")));
    let mut followed_ones = 0;
    for percent in [30, 20, 10] {
        let budget = free * percent / 100;
        let mut with = o.clone();
        with.plan.budget = Some(budget);
        if planned(&with).is_ok() {
            continue;
        }
        let lines = help(GPT, &o, budget);
        println!("{percent} %: {lines:#?}");
        for line in lines.iter().filter(|l| l.contains(", fits")) {
            let Some(other) = followed(line, &with) else { continue };
            followed_ones += 1;
            assert!(planned(&other).is_ok(), "{line}");
        }
        if followed_ones > 0 {
            return;
        }
    }
    panic!("no budget has a remedy that is an option");
}

/// Activations are most of what this holds, and its axes cannot be made longer.
const WIDE: &str = "mesh [data: 2]
dim batch = 8, n = 256
const parts = 1
struct Net { a: f32[16, n] = normal(0.1), b: f32[n, 16] = normal(0.1) }
fn loss(m: Net, x: f32[batch, 512, 16] @ [data, _, _]) -> f32 {
    let h = tanh(einsum(\"bsi,in->bsn\", x, m.a))
    let y = einsum(\"bsn,ni->bsi\", tanh(h * h), m.b)
    mean(y * y)
}
train net = sgd(loss, lr: 0.1)
";

#[test]
fn microbatches_are_a_remedy() {
    let mut o = CompileOptions::default();
    o.plan.mode = Mode::Search;
    let free =
        check("m.loom", WIDE, &o).and_then(|p| plan(p, &o)).and_then(lower).unwrap_or_else(|e| panic!("{}", e.0));
    let budget = peak(&free) * 45 / 100;
    let lines = help(WIDE, &o, budget);
    println!("{lines:#?}");
    let said = |lines: &[String], start: &str| lines.iter().any(|l| l.starts_with(start) && l.contains(", fits"));
    assert!(said(&lines, "`accumulate: 4` in `train net`: ") || said(&lines, "`accumulate: 2` in `train net`: "));
    // By a constant where the source has one.
    let text = WIDE.replace("lr: 0.1)", "lr: 0.1, accumulate: parts)");
    let lines = help(&text, &o, budget);
    println!("{lines:#?}");
    let line = lines.iter().find(|l| l.starts_with("--dim parts=")).expect("the constant");
    let mut o = followed(line, &o).expect("an option");
    o.plan.budget = Some(budget);
    assert!(check("m.loom", &text, &o).and_then(|p| plan(p, &o)).is_ok(), "{line}");
}
