//! Random sizes and times: every schedule passes every check, text and table are inverses, and no simulation is faster than
//! its work. Mutated tables are refused exactly where brute force says that they do not complete.

use crate::executor::{blocking_completes, completes};
use meshloom_pipeline::{
    ActionKind, Cell, Delivery, PipelineAction, PipelineSchedule, PipelineTimes, Posting, ScheduleRequest, check, csv,
    schedules, simulate, with_transfers,
};
use proptest::prelude::*;

/// A table of a random schedule and size; sizes outside of a domain are moved into it.
fn table() -> impl Strategy<Value = PipelineSchedule> {
    (0..schedules::ALL.len(), 1u32..6, 1u32..12, 1u32..4, 1u64..9).prop_map(|(n, p, m, v, memory)| {
        let entry = schedules::ALL[n];
        let mut request = ScheduleRequest::of(p, m);
        match entry.name {
            "interleaved" => request = ScheduleRequest::of(p, p * m.div_ceil(3)).with_virtual(v),
            "breadth-first" => request = request.with_virtual(v),
            "dualpipe" => request = ScheduleRequest::of(2 * p.div_ceil(2), 4 * p.div_ceil(2) + 2 * (m / 2)),
            "dualpipe-v" => request = ScheduleRequest::of(p, 2 * p + m),
            "search" => request.memory = Some(memory),
            _ => {}
        }
        schedules::make(entry, &request).unwrap_or_else(|e| panic!("{e}"))
    })
}

fn told(schedule: &PipelineSchedule) -> Vec<String> {
    check(schedule, &Delivery::ALL).iter().map(ToString::to_string).collect()
}

/// Swaps, drops or doubles cells `a` and `b` of a row, counted around.
fn mutate(schedule: &PipelineSchedule, how: u8, rank: usize, a: usize, b: usize) -> PipelineSchedule {
    let mut rows: Vec<Vec<Cell>> = schedule.rows().to_vec();
    let rank = rank % rows.len();
    let row = &mut rows[rank];
    let (a, b) = (a % row.len(), b % row.len());
    match how {
        0 => row.swap(a, b),
        1 => {
            let next = (a + 1) % row.len();
            row.swap(a, next);
        }
        2 => {
            row.remove(a);
        }
        3 => row.insert(b, row[a]),
        _ => {
            let cell = row.remove(a);
            row.insert(b.min(row.len()), cell);
        }
    }
    PipelineSchedule::new(&schedule.name, schedule.placement().clone(), rows)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn all_schedules_pass(schedule in table()) {
        prop_assert_eq!(told(&schedule), Vec::<String>::new());
        prop_assert!(completes(&schedule));
        // The same table with its sends and receives written out.
        let written = with_transfers(&schedule, Posting::Common).expect("it completes");
        prop_assert_eq!(told(&written), Vec::<String>::new());
        prop_assert!(blocking_completes(&written));
    }

    #[test]
    fn text_and_table_are_inverses(schedule in table()) {
        let text = csv::print(schedule.rows());
        let rows = csv::parse("t.csv", &text).expect("its own text");
        prop_assert_eq!(&rows, schedule.rows());
        // Placement and sizes are in the text too.
        let read = PipelineSchedule::of_rows(&schedule.name, rows).expect("small");
        let all = (0..schedule.stages()).flat_map(|s| (0..schedule.microbatches()).map(move |m| (s, m)));
        for (s, m) in all {
            prop_assert_eq!(read.placement().rank(s, m), schedule.placement().rank(s, m));
        }
        prop_assert_eq!(told(&read), Vec::<String>::new());
    }

    #[test]
    fn no_simulation_beats_its_work(schedule in table(), f in 0u64..9, i in 0u64..9, w in 0u64..9, c in 0u64..5) {
        let times = PipelineTimes::even(f, i, w, c);
        let run = simulate(&schedule, &times).expect("it runs");
        for (rank, busy) in run.busy.iter().enumerate() {
            prop_assert!(run.makespan >= *busy && run.span(rank) >= *busy);
        }
        // One microbatch goes forward through all stages and back.
        let (s, hops) = (u64::from(schedule.stages()), schedule.placement().routes()[0].windows(2).filter(|w| w[0] != w[1]).count());
        prop_assert!(run.makespan >= s * (f + i) + 2 * hops as u64 * c);
        // Events of a rank do not overlap.
        for of in &run.events {
            prop_assert!(of.windows(2).all(|e| e[0].end <= e[1].start));
        }
        // Written out, transfers are posted no later than they are needed at these times or cost more: never less.
        let written = with_transfers(&schedule, Posting::Common).expect("it completes");
        prop_assert!(simulate(&written, &times).expect("it runs").makespan >= run.makespan);
    }

    #[test]
    fn mutants_are_refused_exactly_if_they_do_not_complete(
        schedule in table(),
        how in 0u8..5,
        rank in 0usize..8,
        a in 0usize..500,
        b in 0usize..500,
    ) {
        let mutant = mutate(&schedule, how, rank, a, b);
        let problems = told(&mutant);
        prop_assert_eq!(problems.is_empty(), completes(&mutant), "{:?}\n{}", problems, csv::print(mutant.rows()));
    }

    #[test]
    fn moved_sends_and_receives_too(
        schedule in table(),
        how in 0u8..2,
        rank in 0usize..8,
        a in 0usize..500,
        b in 0usize..500,
    ) {
        let written = with_transfers(&schedule, Posting::Common).expect("it completes");
        let mutant = mutate(&written, how, rank, a, b);
        // Only sends and receives change places: the rest keeps its order.
        let order = |s: &PipelineSchedule| -> Vec<Vec<PipelineAction>> {
            let row = |r: &Vec<Cell>| r.iter().flat_map(Cell::actions).filter(|a| a.kind.computes()).copied().collect();
            s.rows().iter().map(row).collect()
        };
        prop_assume!(order(&mutant) == order(&written));
        let in_place = in_place(&mutant);
        let problems: Vec<_> = check(&mutant, &[Delivery::Blocking]).iter().map(ToString::to_string).collect();
        let fine = in_place && blocking_completes(&mutant);
        prop_assert_eq!(problems.is_empty(), fine, "{:?}\n{}", problems, csv::print(mutant.rows()));
    }
}

/// Are all sends behind what makes their value, and all receives before what uses it?
fn in_place(schedule: &PipelineSchedule) -> bool {
    schedule.rows().iter().all(|row| {
        let all: Vec<PipelineAction> = row.iter().flat_map(Cell::actions).copied().collect();
        let at = |kinds: &[ActionKind], a: &PipelineAction| {
            all.iter().position(|b| kinds.contains(&b.kind) && (b.stage, b.microbatch) == (a.stage, a.microbatch))
        };
        all.iter().enumerate().all(|(n, a)| match a.kind {
            ActionKind::SendF => at(&[ActionKind::F], a) < Some(n),
            ActionKind::SendB => at(&[ActionKind::I, ActionKind::B], a) < Some(n),
            ActionKind::RecvF => at(&[ActionKind::F], a) > Some(n),
            ActionKind::RecvB => at(&[ActionKind::I, ActionKind::B], a) > Some(n),
            _ => true,
        })
    })
}
