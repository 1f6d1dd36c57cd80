//! One run of a bundle, from loading to the last line.

use crate::agree::{Loaded, ranks_agree};
use crate::elastic::{self, rank::from_memory, rank::handed};
use crate::inputs::{self, Given};
use crate::join::{join, place, plan};
use crate::measured::Measured;
use crate::plot::Losses;
use crate::progress::Progress;
use crate::{
    DeviceArgs, Failed, INTERRUPTED, PREEMPTED, RESHAPED, Result, RunArgs, interrupt, outputs, sample, stages, status,
};
use meshloom_bundle::{Bundle, EntryKind, Port, Role};
use meshloom_runtime::checkpoint::{Renames, Resumed, Saving};
use meshloom_runtime::data::Feed;
use meshloom_runtime::data::feed::Item;
use meshloom_runtime::elastic::Handed;
use meshloom_runtime::evaluate::Evaluation;
use meshloom_runtime::train::{Train, train};
use meshloom_runtime::{LateStages, Session, SessionOptions, World, checkpoint};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The step that is traced: memory is touched by then, and connections are made.
const TRACED: u64 = 3;

/// Runs the entry that `args` ask for. `measured` has then what was measured, also of a run that ended early.
///
/// # Errors
/// Everything that ends a run early, Ctrl-C (exit code 130) and SIGTERM (143) included.
pub fn execute(bundle: &Bundle, devices: &DeviceArgs, args: &RunArgs, measured: Option<&mut Measured>) -> Result<()> {
    let entries: Vec<(String, bool)> =
        bundle.contents.entries.iter().map(|e| (e.program.entry.clone(), e.kind == EntryKind::Train)).collect();
    let entry = main_entry(&entries, args.entry.as_deref())?;
    let place = place(devices)?;
    let bundle = plan(bundle, place.as_ref(), devices);
    let mesh: Vec<(String, u64)> = bundle.manifest.mesh.iter().map(|a| (a.name.clone(), a.size.into())).collect();
    check_devices(devices.devices, &mesh)?;
    interrupt::catch(args.preempt_deadline.and_then(|s| Duration::try_from_secs_f64(s).ok()))?;
    let handed = handed()?;
    // All ranks take the same options to mean the same checkpoint, or find out before the first step.
    let from = elastic::rank::with_checkpoint(args, handed.as_ref())?;
    let world = join(bundle, place, &entry, devices, args, handed.as_ref())?;
    let args = &from;
    let Some(world) = world else { return run(bundle, &entry, devices, args, None, handed.as_ref(), measured) };
    let result = run(bundle, &entry, devices, args, Some(&world), handed.as_ref(), measured);
    match &result {
        Err(e) if ![INTERRUPTED, PREEMPTED, RESHAPED].contains(&e.code) => world.fail(&e.text()),
        _ => world.finish(),
    }
    result
}

fn run(
    bundle: &Bundle,
    entry: &str,
    devices: &DeviceArgs,
    args: &RunArgs,
    world: Option<&Arc<World>>,
    handed: Option<&Handed>,
    mut measured: Option<&mut Measured>,
) -> Result<()> {
    let threads = devices.threads.map(|n| n as usize);
    let after = Duration::try_from_secs_f64(devices.timeout).unwrap_or(Duration::MAX);
    let late = Some(LateStages { after, warn: status::warning });
    let options = SessionOptions { threads, seed: args.seed, world: world.cloned(), late };
    let mut session = Session::open(bundle, entry, &options)?;
    session.libraries().iter().for_each(|line| status::say("Using", line));
    let restored = handed.map(|h| from_memory(h, &mut session)).transpose()?.flatten();
    let resumed = if restored.is_some() { None } else { parameters(&mut session, args)? };
    let given = inputs::give(&mut session, args)?;
    let mut feed = feed(&session, args, &given, &args.data)?;
    inputs::complete(&session, args, &given, feed.as_ref())?;
    if let (Some(feed), Some(resumed)) = (&feed, &resumed) {
        same_data(feed, resumed);
    }
    let runs = match session.kind() {
        EntryKind::Train => args.train_steps().saturating_sub(session.steps_done()),
        EntryKind::Function => args.steps.unwrap_or(1),
    };
    if args.trace.is_some() || measured.is_some() {
        session.trace_run(runs.min(TRACED));
    }
    let eval = evaluation(bundle, &session, args, &given, &options, feed.as_mut())?;
    if let Some(world) = world {
        let eval = eval.as_ref().map(|e| &e.feed);
        let resumed = resumed.as_ref();
        let loaded = Loaded { session: &session, args, feed: feed.as_ref(), eval, resumed, restored };
        ranks_agree(world, &loaded)?;
    }
    interrupt::steps_begin();
    if let Some(seconds) = args.time {
        if let Some(feed) = &feed {
            session.feed(feed, 0)?;
        }
        return crate::timed::time(&mut session, entry, seconds);
    }
    match session.kind() {
        EntryKind::Train => {
            let trained = training(&mut session, args, feed, eval, handed, measured.as_deref_mut());
            if let Some(m) = measured {
                m.end(&session, entry);
            }
            trained?;
            save_trace(&session, args)?;
            if let Some(path) = &args.save_outputs {
                save_outputs(&session, path)?;
            }
            if args.prompt.is_empty() {
                return Ok(());
            }
            let writer = sample::writer(bundle).ok_or_else(|| {
                Failed::usage("no entry of this program can continue a text")
                    .help("add one like `entry next(m: Gpt, tokens: i32[1, seq] in 0..vocab) -> f32[1, seq, vocab]`")
                    .help("or, with a cache, like `generate` in examples/gpt.loom")
            })?;
            let mut next = Session::open(bundle, writer, &options)?;
            next.initialize()?;
            next.copy_parameters(&session)?;
            write_text(&mut next, args)
        }
        EntryKind::Function if !args.prompt.is_empty() => write_text(&mut session, args),
        EntryKind::Function => {
            // Of data there is one batch: the first, in the order of training.
            if let Some(feed) = &feed {
                session.feed(feed, 0)?;
            }
            let called = called(&mut session, args, entry, measured.as_deref_mut());
            if let Some(m) = measured {
                m.end(&session, entry);
            }
            called?;
            save_trace(&session, args)?;
            match &args.save_outputs {
                Some(path) => save_outputs(&session, path),
                None if args.json => Ok(()),
                None => session.on_first(outputs::print).map(|_| ()),
            }
        }
    }
}

/// The entry that `--entry` names; without the option the only train, or else the only entry. `entries` are names and whether
/// they train.
///
/// # Errors
/// A choice that only the user can make.
pub fn main_entry(entries: &[(String, bool)], asked: Option<&str>) -> Result<String> {
    let names = || entries.iter().map(|e| format!("`{}`", e.0)).collect::<Vec<_>>().join(", ");
    if let Some(name) = asked {
        return match entries.iter().find(|e| e.0 == name) {
            Some(e) => Ok(e.0.clone()),
            None => Err(Failed::usage(format!("there is no entry `{name}`")).help(format!("there are {}", names()))),
        };
    }
    let mut trains = entries.iter().filter(|e| e.1);
    match (trains.next(), trains.next(), entries) {
        (Some(only), None, _) | (None, None, [only]) => Ok(only.0.clone()),
        (_, _, []) => {
            Err(Failed::rejected("the program has no entry").help("declare a `train` or an `entry` function"))
        }
        _ => Err(Failed::usage("several entries could be meant").help(format!("choose with --entry: {}", names()))),
    }
}

/// `--devices` is a check: the mesh decides, and the two must agree.
///
/// # Errors
/// They do not.
pub fn check_devices(asked: Option<u64>, mesh: &[(String, u64)]) -> Result<()> {
    let has = mesh.iter().map(|a| a.1).fold(1, u64::saturating_mul);
    let Some(asked) = asked.filter(|&n| n != has) else { return Ok(()) };
    let text = mesh.iter().map(|(name, size)| format!("{name}={size}")).collect::<Vec<_>>().join(",");
    let example: Vec<String> =
        mesh.iter().enumerate().map(|(i, (name, _))| format!("{name}={}", if i == 0 { asked } else { 1 })).collect();
    let found = if has == 1 { "1 device".into() } else { format!("{has} devices") };
    Err(Failed::usage(format!("--devices {asked}, but the mesh {text} has {found}"))
        .help(format!("give sizes that multiply to {asked}, such as --mesh {}", example.join(","))))
}

/// Parameters and state, from wherever they come.
fn parameters(session: &mut Session, args: &RunArgs) -> Result<Option<Resumed>> {
    session.initialize()?;
    if !args.load.is_empty() {
        let renames = args.rename.as_deref().map(Renames::open).transpose()?;
        let paths: Vec<&Path> = args.load.iter().map(PathBuf::as_path).collect();
        let loaded = checkpoint::load(session, &paths, renames.as_ref(), args.load_partial).map_err(|e| {
            let lacks = !args.load_partial && e.message.ends_with("but the file has none of that name");
            let failed = Failed::from(e);
            let help = "--load-partial leaves parameters that the file does not have at their initial values";
            if lacks { failed.help(help) } else { failed }
        })?;
        let all = paths.iter().map(|p| p.display().to_string()).collect::<Vec<_>>().join(", ");
        status::say("Loaded", &all);
        if !loaded.initial.is_empty() {
            let n = status::count(loaded.initial.len() as u64, "parameter");
            status::say("Initial", &format!("values for {n} that it does not have: {}", loaded.initial.join(", ")));
        }
        let unused: Vec<String> = loaded.unused.iter().map(|n| format!("`{n}`")).collect();
        status::unused(Path::new(&all), "tensor", &unused);
    }
    let Some(path) = &args.resume else { return Ok(None) };
    let resumed = checkpoint::resume(session, path)?;
    status::say("Resumed", &format!("{} after step {}", resumed.folder.display(), resumed.step));
    for difference in &resumed.differences {
        status::warning(&format!("{}: {difference}", resumed.folder.display()));
    }
    Ok(Some(resumed))
}

/// The data of `--data` or `--eval-data`.
fn feed(session: &Session, args: &RunArgs, given: &Given, items: &[Item]) -> Result<Option<Feed>> {
    if items.is_empty() {
        return Ok(None);
    }
    let ports: Vec<Port> = session.ports(&[Role::Input]).filter(|p| !given.contains(&p.name)).cloned().collect();
    Ok(Some(Feed::open(&args.spec(items), &session.program().entry, &ports, args.seed)?))
}

/// A run that goes on with other data is allowed, and not by accident.
fn same_data(feed: &Feed, resumed: &Resumed) {
    if let Some(was) = resumed.data.source.as_ref().filter(|was| **was != feed.describe()) {
        status::warning(&format!(
            "the checkpoint was trained on {was}, and --data gives {}; it goes on at sample {}",
            feed.describe(),
            resumed.data.samples
        ));
    }
}

/// What `--eval-every` asks for. A share of the data is taken out of `feed`.
fn evaluation(
    bundle: &Bundle,
    session: &Session,
    args: &RunArgs,
    given: &Given,
    options: &SessionOptions,
    feed: Option<&mut Feed>,
) -> Result<Option<Evaluation>> {
    let (Some(every), Some(feed)) = (args.eval_every, feed) else { return Ok(None) };
    let held = match self::feed(session, args, given, &args.eval_data)? {
        Some(held) => held.in_order(),
        None => feed.hold_out(args.eval_split)?,
    };
    let entry = format!("{}.eval", session.program().entry);
    if bundle.entry(&entry).is_none() {
        return Err(Failed::usage(format!("the bundle has no entry `{entry}`, which computes the loss alone"))
            .help("compile it with --eval"));
    }
    let mut session = Session::open(bundle, &entry, options)?;
    inputs::give(&mut session, args)?;
    Ok(Some(Evaluation { session, feed: held, every, batches: args.eval_batches }))
}

/// Where and how checkpoints are written, where they are.
fn saving(args: &RunArgs) -> Option<Saving> {
    let dir = args.save.as_ref()?;
    Some(Saving {
        every: args.save_every,
        keep: args.save_keep,
        shard_bytes: args.shard_size.saturating_mul(1_000_000),
        sharded: match args.save_sharded.as_str() {
            "yes" => Some(true),
            "no" => Some(false),
            _ => None,
        },
        background: args.save_async,
        ..Saving::to(dir)
    })
}

fn say_training(session: &Session, steps: u64) {
    let (devices, workers) = (session.program().devices() as u64, session.workers() as u64);
    let each = session.world().map_or(String::new(), |w| format!(" in each of {} processes", w.size()));
    let (steps, devices) = (status::count(steps, "step"), status::count(devices, "device"));
    status::say("Training", &format!("{steps} on {devices} by {}{each}", status::count(workers, "thread")));
}

fn training(
    session: &mut Session,
    args: &RunArgs,
    feed: Option<Feed>,
    eval: Option<Evaluation>,
    handed: Option<&Handed>,
    mut measured: Option<&mut Measured>,
) -> Result<()> {
    if let Some(feed) = &feed {
        status::say("Reading", &format!("{}: {}", feed.name(), feed.describe()));
    }
    if let Some(eval) = &eval {
        let (name, held) = (eval.feed.name(), eval.feed.describe());
        status::say("Holding", &format!("out {name}: {held}; {} count", eval.describe()));
    }
    let (done, steps) = (session.steps_done(), args.train_steps());
    if done >= steps && args.resume.is_some() {
        status::warning(&format!("the checkpoint is after step {done}; --steps {steps} leaves nothing to do"));
    }
    let save = saving(args);
    let on_nonfinite = args.on_nonfinite.parse().map_err(|e| Failed::usage(format!("--on-nonfinite: {e}")))?;
    let (metrics, warn) = (args.metrics.clone(), Some(status::warning as fn(&str)));
    let tensorboard = args.tensorboard.clone();
    let (preempt, check_desync) = (Some(interrupt::preempt()), args.check_desync);
    let stragglers = crate::stragglers::ask(session, args);
    let keeper = elastic::rank::keeper(handed, session)?;
    let mut plan = Train {
        steps,
        feed,
        save,
        metrics,
        tensorboard,
        eval,
        check_desync,
        on_nonfinite,
        preempt,
        keeper,
        stragglers,
        warn,
    };
    say_training(session, steps.saturating_sub(done));
    let progress = Progress::new(done, steps);
    let start = Instant::now();
    let (mut first, mut tokens) = (None, 0);
    let mut losses = Losses::default();
    let result = train(session, &mut plan, interrupt::requested(), &mut |r| {
        first = first.or(r.loss);
        tokens += r.tokens;
        progress.step(r);
        if args.plot {
            losses.add(r);
        }
        if let Some(m) = &mut measured {
            m.step(r);
        }
        if args.json {
            status::data(&format!("{}\n", meshloom_runtime::metrics::line(r)));
        }
    });
    progress.finish();
    // Ranks but the first are quiet, and so is who wants messages as JSON.
    if args.plot && !status::quiet() {
        losses.draw().lines().for_each(status::stderr);
    }
    let finished = result.inspect(|_| interrupt::steps_end())?;
    let seconds = start.elapsed().as_secs_f64();
    let trained = finished.steps_done.saturating_sub(done);
    let mut said = format!("{} in {}", status::count(trained, "step"), status::duration(seconds));
    if let (Some(a), Some(b)) = (first, finished.last.as_ref().and_then(|r| r.loss)) {
        said += &format!(", loss {a:.4} -> {b:.4}");
    }
    if tokens > 0 && seconds > 0.0 {
        said += &format!(", {} tokens/s", status::short(tokens as f64 / seconds));
    }
    status::say("Trained", &said);
    stages::tell(&session.measured_ranks());
    if let Some(folder) = &finished.saved {
        status::say("Saved", &folder.display().to_string());
    }
    if finished.reshaped {
        return Err(Failed::silent(RESHAPED));
    }
    if finished.interrupted {
        let kept = if finished.saved.is_some() { "; go on with --resume" } else { "; nothing is saved without --save" };
        let (verb, code) = if finished.preempted { ("Preempted", PREEMPTED) } else { ("Interrupted", INTERRUPTED) };
        status::say(verb, &format!("after step {} of {steps}{kept}", finished.steps_done));
        return Err(Failed::silent(code));
    }
    Ok(())
}

/// Calls a function once, or `--steps` times, each time with what the call before updated. With several calls, the single numbers
/// among the results of each are printed; with `--json`, those of one call too.
fn called(session: &mut Session, args: &RunArgs, entry: &str, mut measured: Option<&mut Measured>) -> Result<()> {
    let steps = args.steps.unwrap_or(1);
    let start = Instant::now();
    for step in 1..=steps {
        if interrupt::requested().load(std::sync::atomic::Ordering::Relaxed) {
            return Err(Failed::silent(interrupt::exit_code()));
        }
        let begun = Instant::now();
        session.run()?;
        if let Some(m) = &mut measured {
            m.call(step, begun.elapsed().as_secs_f64());
        }
        if steps > 1 || args.json {
            session.on_first(|s| outputs::numbers(s, step, args.json))?;
        }
    }
    let times = if steps > 1 { format!(" {steps} times") } else { String::new() };
    status::say("Finished", &format!("`{entry}`{times} in {}", status::duration(start.elapsed().as_secs_f64())));
    Ok(())
}

/// Writes the timeline of a step. With several processes, rank 0 writes to the given file, the others beside it.
fn save_trace(session: &Session, args: &RunArgs) -> Result<()> {
    let (Some(path), Some(trace)) = (&args.trace, session.trace()) else { return Ok(()) };
    let stages = session.measured_ranks();
    let rank = session.world().map_or(0, |w| w.rank());
    let ending = path.extension().map_or(String::new(), |e| format!(".{}", e.to_string_lossy()));
    let path = if rank == 0 { path.clone() } else { path.with_extension(format!("rank{rank}{ending}")) };
    let step = session.traced_run();
    std::fs::write(&path, trace.to_json(rank, step, &stages))
        .map_err(|e| Failed::usage(format!("{}: cannot be written: {e}", path.display())))?;
    let pieces = status::count(trace.spans.len() as u64, "piece");
    status::say("Traced", &format!("step {step}, {pieces} of work, to {}", path.display()));
    Ok(())
}

fn save_outputs(session: &Session, path: &Path) -> Result<()> {
    let Some(n) = session.on_first(|s| outputs::save(s, path))? else { return Ok(()) };
    status::say("Saved", &format!("{} to {}", status::count(n as u64, "output"), path.display()));
    Ok(())
}

fn write_text(session: &mut Session, args: &RunArgs) -> Result<()> {
    if sample::generate(session, args, &args.prompt)? { Ok(()) } else { Err(Failed::silent(interrupt::exit_code())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_entry_that_is_meant() {
        let all = [("gpt".to_string(), true), ("next".to_string(), false)];
        assert_eq!(main_entry(&all, None).as_deref(), Ok("gpt"));
        assert_eq!(main_entry(&all, Some("next")).as_deref(), Ok("next"));
        assert_eq!(main_entry(&all[1..], None).as_deref(), Ok("next"));
        assert_eq!(main_entry(&all, Some("x")).map_err(|e| e.code), Err(2));
        assert_eq!(main_entry(&[], None).map_err(|e| e.code), Err(1));
        let two = [("a".to_string(), false), ("b".to_string(), false)];
        assert_eq!(main_entry(&two, None).map_err(|e| e.code), Err(2));
    }

    #[test]
    fn devices_are_a_check() {
        let mesh = [("data".to_string(), 2), ("model".to_string(), 4)];
        assert_eq!(check_devices(None, &mesh), Ok(()));
        assert_eq!(check_devices(Some(8), &mesh), Ok(()));
        let e = check_devices(Some(16), &mesh).map_err(|e| (e.code, e.text()));
        assert_eq!(e, Err((2, "--devices 16, but the mesh data=2,model=4 has 8 devices".into())));
    }
}
