//! The list of phases: the table in docs/architecture.md is it, what a phase is held to refuses what is broken, and no check is
//! passed over because another one failed.

use meshloom_driver::phases::{Prints, Reached, Show, Stage};
use meshloom_driver::{CompileOptions, PHASES, Phase, Planned, Program, Scheduled, check, lower, plan};
use meshloom_ir::{Constraint, Layout, ValueId};
use meshloom_kernels::target::Level;
use meshloom_plan::Mode;
use meshloom_source::Failure;

const MODEL: &str = "mesh [d: 2]
entry f(x: f32[4, 8] @ [d, _], w: f32[8, 8]) -> f32[4, 8] @ [_, _] { dot(x, w) + 1 }";

fn planned() -> Program<Planned> {
    let options = CompileOptions::default();
    check("f.loom", MODEL, &options).and_then(|p| plan(p, &options)).unwrap_or_else(|(e, _)| panic!("{e}"))
}

#[test]
fn the_page_on_architecture_has_the_list() {
    let page = include_str!("../../../../docs/architecture.md");
    let rows = page.lines().skip_while(|l| !l.starts_with("| phase |")).skip(2).take_while(|l| l.starts_with('|'));
    let row = |p: &Phase| format!("| {} | {} | {} | {} |", p.name, p.input, p.output, p.verified_by);
    let expected: Vec<String> = PHASES.iter().map(row).collect();
    assert_eq!(rows.map(|r| r.replace('`', "")).collect::<Vec<_>>(), expected, "docs/architecture.md, under Phases");
}

fn mlir(text: &str) -> Result<String, String> {
    meshloom_llvm::roundtrip(text).map_err(|e| e.to_string())
}

#[test]
fn each_phase_prints_and_reads_back() {
    let options = CompileOptions::default();
    let show = Show { level: Level::V3, bodies: false, mlir };
    for phase in PHASES {
        let p = check("f.loom", MODEL, &options).unwrap_or_else(|(e, _)| panic!("{e}"));
        let p = Reached::Elaborated(p).to(phase.stage(), &options).unwrap_or_else(|(e, _)| panic!("{e}"));
        let text = match p.text(phase, show) {
            // What needs LLVM, in a build that has none.
            Err((Failure::Environment(_), _)) if cfg!(not(feature = "llvm")) => continue,
            text => text.unwrap_or_else(|(e, _)| panic!("{}: {e}", phase.name)),
        };
        assert!(!text.is_empty(), "{}", phase.name);
        let read = match (&phase.prints, &p) {
            (Prints::Source(each), _) => each.read.map(|read| read(&text, MODEL)),
            (Prints::Elaborated(each), p) => each.read.map(|read| read(&text, p.elaborated()[0])),
            (Prints::Planned(each), Reached::Planned(p)) => each.read.map(|read| read(&text, &p.entries[0])),
            (Prints::Scheduled(each), Reached::Scheduled(p)) => each.read.map(|read| read(&text, &p.entries[0])),
            _ => None,
        };
        assert!(read.is_none_or(|again| again.as_deref() == Ok(text.as_str())), "{}", phase.name);
    }
    let early = check("f.loom", MODEL, &options).unwrap_or_else(|(e, _)| panic!("{e}"));
    let schedule = Phase::named("schedule").unwrap();
    assert_eq!(schedule.stage(), Stage::Scheduled);
    assert!(matches!(Reached::Elaborated(early).text(schedule, show), Err((Failure::Internal { .. }, _))));
}

/// What each phase is held to: a program that is broken behind its back is refused.
#[test]
fn what_is_broken_does_not_verify() {
    let mut p = planned();
    let e = &mut p.entries[0];
    let (global, local) = (e.entry.global.body().args[1], e.plan.local.body().args[1]);
    let wrong = |func: &mut meshloom_ir::Func, v: ValueId| func.values[v.index()].ty.shape = vec![9, 9];
    wrong(&mut e.entry.elaborated, global);
    wrong(&mut e.entry.global, global);
    wrong(&mut e.plan.local, local);
    let mut s = lower(planned()).unwrap_or_else(|(e, _)| panic!("{e}"));
    s.entries[0].scheduled.program.arena_bytes = 1;
    let mut held = Vec::new();
    for phase in PHASES {
        let said = match &phase.prints {
            Prints::Elaborated(each) => each.verify.map(|verify| verify(&p.entries[0])),
            Prints::Planned(each) => each.verify.map(|verify| verify(&p.entries[0])),
            Prints::Scheduled(each) => each.verify.map(|verify| verify(&s.entries[0])),
            Prints::Source(_) | Prints::Whole(_) => None,
        };
        if let Some(said) = said {
            assert!(said.is_err(), "{}", phase.name);
            held.push(phase.name);
        }
    }
    assert_eq!(held, ["elaborate", "grad", "local", "certify", "schedule"]);
}

/// A budget is held against the arena. What cannot be scheduled has none, and was taken for a plan that fits.
#[test]
fn a_program_without_a_schedule_keeps_to_no_budget() {
    let text = "mesh [d: 1]
entry f(x: f32[2, 2, 2, 2, 2, 2]) -> f32 {
    let s: f32 = 0
    for a in x { for b in a { for c in b { for d in c { for e in d { s = s + sum(e) } } } } }
    s
}";
    let mut options = CompileOptions::default();
    options.plan.mode = Mode::Search;
    let made = |o: &CompileOptions| check("f.loom", text, o).and_then(|p| plan(p, o)).map(drop).map_err(|e| e.0);
    assert!(made(&options).is_ok(), "what cannot be scheduled can be planned");
    options.plan.budget = Some(1 << 30);
    let Err(Failure::Rejected(d)) = made(&options) else { panic!("nothing says that it fits") };
    assert!(d[0].code == "target" && d[0].message.contains("nested more than"), "{d:?}");
}

/// An entry that fits no device hid what was wrong with the others.
#[test]
fn every_entry_is_told_of() {
    let text = "mesh [d: 2]
entry wrong(x: f32[4, 4]) -> f32[4, 4] { x + 1 }
entry large(x: f32[1024, 1024], y: f32[1024, 1024]) -> f32[1024, 1024] { dot(x, y) }
entry also(x: f32[1024, 1024], y: f32[1024, 1024]) -> f32[1024, 1024] { dot(y, x) }";
    let mut options = CompileOptions::default();
    options.plan.mode = Mode::Follow;
    options.plan.budget = Some(1 << 20);
    let told = |breaks: bool| {
        let mut p = check("f.loom", text, &options).unwrap_or_else(|(e, _)| panic!("{e}"));
        if breaks {
            p.entries[0].global.inputs[0].constraint = Constraint::exactly(&Layout::replicated(5));
        }
        match plan(p, &options) {
            Ok(_) => panic!("a MiB is enough"),
            Err((f, _)) => (f.exit_code(), f.to_string()),
        }
    };
    for (breaks, code, lines) in [(false, 4, 2), (true, 1, 3)] {
        let (exit, said) = told(breaks);
        assert_eq!((exit, said.lines().count()), (code, lines), "{said}");
        assert!(said.contains("no plan of `large` fits") && said.contains("no plan of `also` fits"), "{said}");
    }
}

#[test]
fn a_scheduled_entry_is_read_as_a_planned_one() {
    let p: Program<Scheduled> = lower(planned()).unwrap_or_else(|(e, _)| panic!("{e}"));
    let e = p.entry("f").unwrap();
    assert_eq!((e.plan.local.name.as_str(), e.global.name.as_str()), ("f", "f"));
    assert!(e.proof.steps > 0 && e.scheduled.program.arena_bytes > 0);
}
