//! `fuzz [--seconds N] [--cases N] [--seed N] [--case N] [--memory GIB] [--keep DIR] TARGET..`: runs targets in turns
//! until the time is over; all of them, if none is named. Findings go to DIR, one file each, and to standard error. It
//! ends with 1 if there are any.

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
    cases: u64,
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
        cases: u64::MAX,
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
    if asked.seconds.is_none() && asked.cases == u64::MAX {
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
    let start = Instant::now();
    let until = asked.seconds.map(Duration::from_secs);
    let mut findings: Vec<Finding> = Vec::new();
    let mut case = 0;
    let mut said = Instant::now();
    while case < asked.cases && until.is_none_or(|u| start.elapsed() < u) {
        for t in &asked.targets {
            // What ends the whole process can be found here.
            std::fs::write(asked.keep.join(format!("{}.running", t.name)), input(t, asked.seed, case))?;
            current.store(cpu_time().as_secs(), Relaxed);
            if let Err(f) = one(t, asked.seed, case) {
                let known = findings.iter().any(|k| k.target == f.target && k.what == f.what);
                if !known {
                    let path = asked.keep.join(format!("{}-{}-{case}", t.name, asked.seed));
                    std::fs::write(&path, &f.input)?;
                    eprintln!("{} case {case}: {}\n  {}", t.name, f.what, path.display());
                    findings.push(f);
                }
            }
        }
        case += 1;
        if said.elapsed() > Duration::from_secs(60) {
            said = Instant::now();
            let (clock, cpu) = (start.elapsed().as_secs(), cpu_time().as_secs());
            eprintln!("{case} cases, {} findings, {clock} s, {cpu} of them with a processor", findings.len());
        }
    }
    let names: Vec<&str> = asked.targets.iter().map(|t| t.name).collect();
    let (clock, cpu) = (start.elapsed().as_secs(), cpu_time().as_secs());
    let names = names.join(", ");
    eprintln!("{case} cases of {names} in {clock} s, {cpu} of them with a processor: {} findings", findings.len());
    Ok(findings.len())
}
