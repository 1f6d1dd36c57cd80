//! `meshloom schedule`: schedules of pipelines, by name or from a file, simulated and shown.
//!
//! Not here: schedules themselves, their checks and the simulator (`meshloom-pipeline`); what is said of a file that is wrong
//! ([`super::schedule_check`]); and how a simulated step is written down ([`super::schedule_report`]).

use super::{schedule_check, schedule_report as report};
use crate::args::ScheduleArgs;
use meshloom_pipeline::schedules::{self, ScheduleEntry, ScheduleRequest};
use meshloom_pipeline::{csv, simulate};
use meshloom_source::suggest::nearest;
use meshloom_terminal::{Failed, Result, status};

pub fn run(args: &ScheduleArgs) -> Result<()> {
    if args.list {
        status::data(&if args.json { report::list_json() } else { report::list() });
        return Ok(());
    }
    let (schedule, request) = match (&args.check, &args.name) {
        (Some(file), _) => (schedule_check::read(file)?, None),
        (None, Some(name)) => {
            let entry = entry(name)?;
            let request = request(args);
            (schedules::make(entry, &request).map_err(Failed::usage)?, Some((entry, request)))
        }
        // The command line has one of the two.
        (None, None) => return Err(Failed::usage("no schedule is named").help("`meshloom schedule --list` names them")),
    };
    let run = simulate(&schedule, &args.times).map_err(|e| Failed::rejected(e.to_string()))?;
    let stated = request.map(|(entry, request)| report::Stated::of(entry, &request));
    let step = report::ShownStep { schedule: &schedule, times: &args.times, run: &run, stated };
    if let Some(path) = &args.perfetto {
        let fail = |e| Failed::usage(format!("{}: cannot be written: {e}", path.display()));
        std::fs::write(path, step.timeline()).map_err(fail)?;
        status::say("Wrote", &format!("a timeline of {} to {}", schedule.name, path.display()));
    }
    status::data(&match (args.csv, args.json) {
        (true, _) => csv::print(schedule.rows()),
        (_, true) => step.json(),
        _ => step.text(),
    });
    Ok(())
}

fn entry(name: &str) -> Result<&'static ScheduleEntry> {
    schedules::find(name).ok_or_else(|| {
        let failed = Failed::usage(format!("there is no schedule `{name}`"));
        let failed = match nearest(name, schedules::ALL.iter().map(|e| e.name)) {
            Some(n) => failed.help(format!("did you mean `{n}`?")),
            None => failed,
        };
        let all: Vec<_> = schedules::ALL.iter().map(|e| e.name).collect();
        failed.help(format!("there are {}", all.join(", ")))
    })
}

fn request(args: &ScheduleArgs) -> ScheduleRequest {
    ScheduleRequest {
        ranks: args.ranks.unwrap_or(0),
        microbatches: args.microbatches.unwrap_or(0),
        virtual_stages: args.virtual_stages,
        memory: args.memory,
        times: args.times.clone(),
    }
}
