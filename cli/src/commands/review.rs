//! `meshloom review`: what is predicted of a launch file of another stack, and which of its lines to change.
//!
//! Each change that could help is planned like the file itself. Those that gain most are shown, with the lines to write; where the file does
//! not fit a device, those that make it fit.
//!
//! Not here: reading such files and the changes of them (`meshloom_export::read`).

use super::review_plan::{Figures, predict};
use crate::args::ReviewArgs;
use crate::model;
use meshloom_driver::profiles;
use meshloom_export::Stack;
use meshloom_export::read::{Checkpoint, LaunchChange, LaunchFile, LaunchGiven, Zero, changes, launch, program};
use meshloom_plan::cost::Target;
use meshloom_report::human::{bytes, count, micros};
use meshloom_report::{ProfileReport, with_band};
use meshloom_terminal::{Failed, Result, status};
use serde::Serialize;
use std::path::Path;

/// Changes that are shown.
const SHOWN: usize = 3;
/// Changes that gain less are not worth a line.
const LEAST: f64 = 0.01;

#[derive(Serialize)]
struct Review {
    schema: u32,
    file: String,
    stack: &'static str,
    model: String,
    parameters: u64,
    devices: u64,
    target: String,
    profile: Option<ProfileReport>,
    launch: String,
    room_bytes: u64,
    figures: Figures,
    changes: Vec<Shown>,
    not_understood: Vec<Line>,
    assumed: Vec<String>,
}

#[derive(Serialize)]
struct Shown {
    about: String,
    /// Of the step's time; where the file does not fit, it may be negative.
    gain: f64,
    figures: Figures,
    lines: Vec<Line>,
}

#[derive(Serialize)]
struct Line {
    /// Null for a line that is new.
    line: Option<usize>,
    text: String,
}

pub fn run(args: &ReviewArgs) -> Result<()> {
    let name = model::display(&args.file);
    let text = model::read(&args.file)?;
    let config = args.hf.as_deref().map(config).transpose()?;
    let given = LaunchGiven { config, devices: args.devices, seq: args.seq, batch: args.batch, micro: args.micro };
    let asked =
        launch(&name, &text, &given).map_err(|e| Failed::rejected(format!("{name}:{}: {}", e.line, e.message)))?;
    if args.loom {
        status::data(&program(&asked).text);
        return Ok(());
    }
    let target = target(args, asked.stack)?;
    let reviewed = review(args, &name, &asked, &target)?;
    status::data(&match args.json {
        true => serde_json::to_string(&reviewed).unwrap_or_default() + "\n",
        false => shown(&reviewed),
    });
    Ok(())
}

/// The text of a config.json, or of the one in a folder.
fn config(path: &Path) -> Result<String> {
    let inner = path.join("config.json");
    model::read(if path.is_dir() { &inner } else { path })
}

/// The target as the file's stack uses it, where a profile of the stack has figures for it.
fn target(args: &ReviewArgs, stack: Stack) -> Result<Target> {
    if args.profile.is_some() {
        return model::target_of(&args.target, args.profile.as_deref());
    }
    let target = model::target(&args.target)?;
    // DeepSpeed's and accelerate's kernels are PyTorch's.
    let stack = if stack == Stack::Deepspeed { Stack::Accelerate } else { stack };
    let of_stack = profiles::names().filter_map(profiles::builtin).filter(|p| p.stack == stack.name());
    // The latest of them stands last.
    let fitting = of_stack.filter_map(|p| p.of(&target).ok()).last();
    if fitting.is_none() {
        status::warning(&format!(
            "no profile of {} has figures for {}: the target's own are used, and there is no band",
            stack.name(),
            target.name
        ));
    }
    Ok(fitting.unwrap_or(target))
}

fn review(args: &ReviewArgs, name: &str, asked: &LaunchFile, target: &Target) -> Result<Review> {
    status::waits("Planning", {
        let name = name.to_owned();
        move || name.clone()
    });
    let figures = predict(asked, target).map_err(|e| Failed::rejected(format!("{name}: cannot be planned: {e}")))?;
    let mut tried: Vec<Shown> = Vec::new();
    if !args.only {
        for c in changes(asked) {
            let about = c.about.clone();
            status::waits("Planning", move || about.clone());
            // A change that cannot be planned helps nobody.
            let Ok(to) = predict(&c.launch, target) else { continue };
            tried.extend(worth(&figures, to, c));
        }
    }
    status::waited();
    tried.sort_by(|a, b| b.gain.total_cmp(&a.gain));
    tried.truncate(SHOWN);
    let line = |line: usize, text: &str| Line { line: Some(line), text: text.to_owned() };
    Ok(Review {
        schema: 1,
        file: name.to_owned(),
        stack: asked.stack.name(),
        model: asked.model.name.clone(),
        parameters: asked.model.parameters(),
        devices: asked.devices,
        target: target.name.clone(),
        profile: target.profile.as_ref().map(ProfileReport::of),
        launch: described(asked),
        room_bytes: target.room(),
        figures,
        changes: tried,
        not_understood: asked.unread.iter().map(|u| line(u.line, &u.text)).collect(),
        assumed: asked.assumed.clone(),
    })
}

/// A change that fits, and is faster or makes the file fit.
fn worth(now: &Figures, to: Figures, change: LaunchChange) -> Option<Shown> {
    let gain = 1.0 - to.step_us / now.step_us;
    if !to.fits || (now.fits && gain < LEAST) {
        return None;
    }
    let lines = change.lines.into_iter().map(|(line, text)| Line { line, text }).collect();
    Some(Shown { about: change.about, gain, figures: to, lines })
}

/// A launch in a line.
fn described(l: &LaunchFile) -> String {
    let mut out = Vec::new();
    let copies = if l.replicate > 1 { format!(" and copies over {}", l.replicate) } else { String::new() };
    out.push(match l.zero {
        Zero::Parameters => format!("parameters in parts over {}{copies}", l.shard),
        Zero::State => format!("optimizer state in parts over {}{copies}", l.shard),
        Zero::Nothing => format!("copies over {}", l.replicate * l.shard),
    });
    for (what, n) in [("tensor", l.tensor), ("context", l.context), ("expert", l.expert), ("pipeline", l.pipe)] {
        if n > 1 {
            out.push(format!("{what} {n}"));
        }
    }
    if l.pipe > 1 {
        out.push(format!("{} with {} stage{} of a rank", l.schedule, l.each, if l.each == 1 { "" } else { "s" }));
    }
    let microbatches = l.batch / (l.micro * l.replicate * l.shard).max(1);
    out.push(format!("{} rows of {} tokens in {microbatches} x {}", l.batch, l.seq, l.micro));
    out.push(l.precision.name().to_owned());
    out.push(match l.checkpoint {
        Checkpoint::None => "nothing recomputed".into(),
        Checkpoint::Full => "layers recomputed".into(),
        Checkpoint::Part(p) => format!("{p} % of layers recomputed"),
    });
    out.join(", ")
}

fn shown(r: &Review) -> String {
    let f = &r.figures;
    let profile = r.profile.as_ref();
    let mut out = vec![
        format!(
            "{}: {}, {} ({} parameters) on {} devices, target {}",
            r.file,
            r.stack,
            r.model,
            count(r.parameters as f64),
            r.devices,
            r.target
        ),
        format!("  {}", r.launch),
        String::new(),
        format!("step      {} predicted", with_band(f.step_us, profile)),
    ];
    out.push(format!(
        "band      {}",
        profile.map_or("none: no profile of the stack has figures here".into(), ProfileReport::from)
    ));
    let mfu = f.mfu.map_or(String::new(), |m| format!(", {:.1} % MFU", 100.0 * m));
    let (all, each) = (count(f.tokens_per_second.round()), f.tokens_per_second_and_device);
    out.push(format!("speed     {all} tokens/s, {each:.0} a device{mfu}"));
    let room = bytes(r.room_bytes as f64);
    out.push(match f.fits {
        true => format!("memory    {} of {room}", bytes(f.peak_bytes as f64)),
        false => {
            let over = f.peak_bytes.saturating_sub(r.room_bytes);
            format!(
                "memory    does not fit: {}, {} more than the {room} of a device",
                bytes(f.peak_bytes as f64),
                bytes(over as f64)
            )
        }
    });
    if !r.changes.is_empty() {
        out.extend([String::new(), if f.fits { "what would help most" } else { "what would make it fit" }.to_owned()]);
        out.extend(r.changes.iter().flat_map(|c| changed(r, c)));
    }
    let mut listed = |title: &str, lines: Vec<String>| {
        if !lines.is_empty() {
            out.extend([String::new(), title.to_owned()]);
            out.extend(lines);
        }
    };
    let place = |l: &Line| format!("  {}:{}: {}", r.file, l.line.unwrap_or(1), l.text);
    listed("not understood, as if it did not stand there", r.not_understood.iter().map(place).collect());
    listed("assumed", r.assumed.iter().map(|a| format!("  {a}")).collect());
    out.join("\n") + "\n"
}

fn changed(r: &Review, c: &Shown) -> Vec<String> {
    let f = &c.figures;
    let faster = format!("{:+.1} %", -100.0 * c.gain);
    let mut out =
        vec![format!("  {faster:>8}  {} a step, {}: {}", micros(f.step_us), bytes(f.peak_bytes as f64), c.about)];
    for l in &c.lines {
        let place = l.line.map_or(format!("{}: new", r.file), |n| format!("{}:{n}", r.file));
        out.push(format!("            {place}: {}", l.text));
    }
    out
}
