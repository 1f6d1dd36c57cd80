//! `fuzz [--seconds N] [--each N] [--cases N] [--spent FILE] [--seed N] [--case N] [--memory GIB] [--keep DIR] TARGET..`: runs
//! targets, all of them if none is named, those first that have had the least processor time. It ends after `--seconds`, once each
//! target has had `--each` seconds of a processor, or after `--cases` of each. With `--spent` it goes on where the runs before ended,
//! and writes down what each target has had. Findings go to DIR, one file each, and to standard error. It ends with 1 if there are any.

use meshloom_fuzz::spent::Ledger;
use meshloom_fuzz::targets::{ALL, FuzzTarget};
use meshloom_fuzz::{Finding, HUNG, cpu_time, input, memory, one};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

struct Asked {
    seconds: Option<u64>,
    /// Processor time of each target, in this run and in those that `spent` knows.
    each: Option<u64>,
    /// Of each target, in this run.
    cases: u64,
    spent: Option<PathBuf>,
    seed: u64,
    case: Option<u64>,
    /// Address space in GiB.
    memory: u64,
    keep: PathBuf,
    targets: Vec<&'static FuzzTarget>,
}

fn asked() -> Result<Asked, String> {
    let mut asked = Asked {
        seconds: None,
        each: None,
        cases: u64::MAX,
        spent: None,
        seed: 0,
        case: None,
        memory: 6,
        keep: "target/fuzz".into(),
        targets: vec![],
    };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut number = || args.next().and_then(|a| a.parse().ok()).ok_or(format!("{arg} needs a number"));
        match arg.as_str() {
            "--seconds" => asked.seconds = Some(number()?),
            "--each" => asked.each = Some(number()?),
            "--spent" => asked.spent = Some(args.next().ok_or("--spent needs a file")?.into()),
            "--cases" => asked.cases = number()?,
            "--seed" => asked.seed = number()?,
            "--case" => asked.case = Some(number()?),
            "--memory" => asked.memory = number()?,
            "--keep" => asked.keep = args.next().ok_or("--keep needs a folder")?.into(),
            name => {
                let names: Vec<&str> = ALL.iter().map(|t| t.name).collect();
                let target = ALL.iter().find(|t| t.name == name);
                asked
                    .targets
                    .push(target.ok_or(format!("there is no target `{name}`; there are {}", names.join(", ")))?);
            }
        }
    }
    if asked.targets.is_empty() {
        asked.targets = ALL.iter().collect();
    }
    if asked.seconds.is_none() && asked.each.is_none() && asked.cases == u64::MAX {
        asked.cases = 1000;
    }
    Ok(asked)
}

fn main() -> ExitCode {
    let asked = match asked() {
        Ok(asked) => asked,
        Err(text) => {
            eprintln!("error: {text}");
            return ExitCode::from(2);
        }
    };
    // Deep programs recurse; the command line gives its thread as much.
    let work = std::thread::Builder::new().stack_size(256 << 20).spawn(move || fuzz(&asked));
    match work.map(std::thread::JoinHandle::join) {
        Ok(Ok(Ok(0))) => ExitCode::SUCCESS,
        Ok(Ok(Ok(_))) => ExitCode::FAILURE,
        other => {
            eprintln!("error: {other:?}");
            ExitCode::from(2)
        }
    }
}

/// Ends the process when a case has no end. Its input lies in DIR, with the target's name and `.running`.
fn watched(keep: &std::path::Path) -> std::io::Result<Arc<AtomicU64>> {
    let begun = Arc::new(AtomicU64::new(0));
    let (seen, keep) = (Arc::clone(&begun), keep.display().to_string());
    #[expect(clippy::disallowed_methods, reason = "the case that hangs runs on the main thread")]
    std::thread::Builder::new().spawn(move || {
        loop {
            std::thread::sleep(Duration::from_secs(5));
            if cpu_time().as_secs() > seen.load(Relaxed) + HUNG.as_secs() {
                eprintln!("a case has not ended in {} s; it is the newest of {keep}/*.running", HUNG.as_secs());
                std::process::exit(3);
            }
        }
    })?;
    Ok(begun)
}

fn fuzz(asked: &Asked) -> std::io::Result<usize> {
    std::fs::create_dir_all(&asked.keep)?;
    if let Some(case) = asked.case {
        for t in &asked.targets {
            std::io::stdout().write_all(&input(t, asked.seed, case))?;
            one(t, asked.seed, case).unwrap_or_else(|f| eprintln!("{}: {}", t.name, f.what));
        }
        return Ok(0);
    }
    std::panic::set_hook(Box::new(|_| {}));
    memory::limit(asked.memory.max(1) << 30)?;
    let current = watched(&asked.keep)?;
    let mut run = Run { asked, ledger: Ledger { seed: asked.seed, ..Ledger::default() }, findings: Vec::new() };
    if let Some(path) = &asked.spent {
        run.ledger = Ledger::read(path, asked.seed).map_err(std::io::Error::other)?;
    }
    for t in &asked.targets {
        run.ledger.of.entry(t.name.into()).or_default();
        run.skip_what_ended(t)?;
    }
    let begun = run.ledger.clone();
    let start = Instant::now();
    let until = asked.seconds.map(Duration::from_secs);
    let mut said = Instant::now();
    while until.is_none_or(|u| start.elapsed() < u)
        && let Some(t) = run.next(&begun)
    {
        run.turn(t, &begun, &current)?;
        if said.elapsed() > Duration::from_secs(60) {
            said = Instant::now();
            let (clock, cpu) = (start.elapsed().as_secs(), cpu_time().as_secs());
            eprintln!("{} findings, {clock} s, {cpu} of them with a processor", run.findings.len());
        }
    }
    for t in &asked.targets {
        let (now, before) = (run.ledger.of[t.name], begun.of[t.name]);
        let (cases, seconds) = (now.cases - before.cases, now.seconds - before.seconds);
        eprintln!("{}: {cases} cases in {seconds:.0} s of a processor", t.name);
    }
    let (clock, cpu) = (start.elapsed().as_secs(), cpu_time().as_secs());
    eprintln!("{clock} s, {cpu} of them with a processor: {} findings", run.findings.len());
    Ok(run.findings.len())
}

/// Processor time of a target before the next one has a turn.
const TURN: Duration = Duration::from_secs(1);

struct Run<'a> {
    asked: &'a Asked,
    ledger: Ledger,
    findings: Vec<Finding>,
}

impl Run<'_> {
    /// Of those that have not had what was asked, the target that has had the least.
    fn next(&self, begun: &Ledger) -> Option<&'static FuzzTarget> {
        let asked = self.asked;
        let wants = |t: &&&FuzzTarget| {
            let (now, before) = (self.ledger.of[t.name], begun.of[t.name]);
            now.cases - before.cases < asked.cases && asked.each.is_none_or(|s| now.seconds < s as f64)
        };
        let had = |t: &&'static FuzzTarget| self.ledger.of[t.name].seconds;
        asked.targets.iter().filter(wants).copied().min_by(|a, b| had(a).total_cmp(&had(b)))
    }

    /// Runs cases of a target for a while, and writes down where it is.
    fn turn(&mut self, t: &'static FuzzTarget, begun: &Ledger, current: &AtomicU64) -> std::io::Result<()> {
        let (start, mut spent) = (cpu_time(), self.ledger.of[t.name]);
        let before = spent.seconds;
        let last = begun.of[t.name].cases.saturating_add(self.asked.cases);
        while spent.cases < last && cpu_time().saturating_sub(start) < TURN {
            // What ends the whole process can be found here.
            let running = self.running(t, spent.cases);
            std::fs::write(&running, input(t, self.asked.seed, spent.cases))?;
            current.store(cpu_time().as_secs(), Relaxed);
            if let Err(f) = one(t, self.asked.seed, spent.cases) {
                spent.findings += u64::from(self.found(f)?);
            }
            std::fs::remove_file(&running)?;
            spent.cases += 1;
        }
        // The system counts in hundredths of a second: so a turn is no free one.
        spent.seconds = before + cpu_time().saturating_sub(start).as_secs_f64().max(0.001);
        self.ledger.of.insert(t.name.into(), spent);
        self.asked.spent.as_ref().map_or(Ok(()), |path| self.ledger.write(path))
    }

    fn running(&self, t: &FuzzTarget, case: u64) -> PathBuf {
        self.asked.keep.join(format!("{}-{}-{case}.running", t.name, self.asked.seed))
    }

    /// Keeps a finding, unless this run has it already.
    fn found(&mut self, f: Finding) -> std::io::Result<bool> {
        if self.findings.iter().any(|k| k.target == f.target && k.what == f.what) {
            return Ok(false);
        }
        let path = self.asked.keep.join(format!("{}-{}-{}", f.target, self.asked.seed, f.case));
        std::fs::write(&path, &f.input)?;
        eprintln!("{} case {}: {}\n  {}", f.target, f.case, f.what, path.display());
        self.findings.push(f);
        Ok(true)
    }

    /// A case in which the run before ended would end this one too.
    fn skip_what_ended(&mut self, t: &FuzzTarget) -> std::io::Result<()> {
        let first = format!("{}-{}-", t.name, self.asked.seed);
        for file in std::fs::read_dir(&self.asked.keep)? {
            let path = file?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let case = name.strip_prefix(&first).and_then(|n| n.strip_suffix(".running")?.parse::<u64>().ok());
            if let (Some(case), Some(spent)) = (case, self.ledger.of.get_mut(t.name)) {
                let kept = path.with_extension("ended");
                std::fs::rename(&path, &kept)?;
                eprintln!("{} case {case} is skipped: the run before ended in it\n  {}", t.name, kept.display());
                spent.cases = spent.cases.max(case + 1);
            }
        }
        Ok(())
    }
}
