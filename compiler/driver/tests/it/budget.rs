//! Plans under a memory budget: what is scheduled keeps to it, and where nothing fits, what would help is said.

use meshloom_driver::fit::Remedy;
use meshloom_driver::{CompileOptions, Failure, Program, Scheduled, check, lower, plan, report};
use meshloom_plan::{Mode, Recompute};

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
    assert!(d[0].help.iter().any(|h| h.starts_with("--recompute auto") && h.ends_with("fits")));
    assert!(d[0].help[0].ends_with("fits"));
}

#[test]
fn remedies_as_text() {
    let r = Remedy { option: "--mesh data=4".into(), needs: 3 << 30, fits: false };
    assert_eq!(r.text(5 << 30), "--mesh data=4: 3.0 GiB per device, 2.0 GiB less, which is not enough");
    assert_eq!(Remedy { fits: true, ..r }.text(5 << 30), "--mesh data=4: 3.0 GiB per device, fits");
}
