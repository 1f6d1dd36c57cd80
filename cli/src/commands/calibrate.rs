//! `meshloom bench --calibrate`: measures this machine and writes a target file.
//!
//! Every number is measured through compiled programs, as a model would run: one device per core, all of them busy, so
//! that they share caches and memory as they will. Programs take turns for several rounds and the median counts, so a
//! disturbance hits one measurement of each program and not all measurements of one.

use crate::args::BenchArgs;
use crate::{build, model};
use meshloom_driver::{CompileOptions, front};
use meshloom_plan::cost::{Arch, Target};
use meshloom_runtime::{Session, SessionOptions};
use meshloom_source::FrontOptions;
use meshloom_terminal::{Failed, Result, status};
use std::fmt::Write;

/// Rounds over all programs, and steps of each in one.
const ROUNDS: usize = 7;
const STEPS: usize = 5;
/// Iterations of the loops that show what a kernel or a message costs beside its bytes.
const TRIPS: u64 = 500;
/// Rows of the matmul, and elements of the arrays that stream: both larger than caches.
const ROWS: u64 = 1024;
const ELEMENTS: u64 = 1 << 24;

const PROGRAMS: &str = "
mesh [d: 1]
dim devices = 1, rows = 1024, elements = 16777216, width = 8
const layers = 500

/// Each device multiplies matrices of its own.
entry matmul(x: f32[devices, rows, rows] @ [d, _, _], y: f32[devices, rows, rows] @ [d, _, _])
    -> f32[devices, rows, rows] @ [d, _, _] {
    einsum(\"dij,djk->dik\", x, y)
}

entry stream(x: f32[devices, elements] @ [d, _], y: f32[devices, elements] @ [d, _])
    -> f32[devices, elements] @ [d, _] {
    x * 2 + y
}

entry gather(x: f32[elements] @ [d]) -> f32[elements] @ [_] {
    x
}

struct Layer { up: f32[width, width] @ [_, d] = normal(0.1), down: f32[width, width] @ [d, _] = normal(0.1) }
struct Net { layers: [Layer; layers] }

/// Two small kernels an iteration, and on more than one device an all_reduce.
entry kernels(m: Net, x: f32[width, width]) -> f32[width, width] {
    for l in m.layers {
        x = dot(tanh(dot(x, l.up)), l.down)
    }
    x
}
";

struct Probe {
    name: &'static str,
    session: Session,
    /// Seconds of single steps.
    times: Vec<f64>,
}

impl Probe {
    fn open(name: &'static str, entry: &str, devices: u64, cores: usize) -> Result<Probe> {
        let front = FrontOptions {
            mesh: Some(vec![("d".into(), devices)]),
            dims: [
                ("devices", devices),
                ("rows", ROWS),
                ("elements", ELEMENTS / devices * devices),
                ("width", 8 * devices),
                ("layers", TRIPS),
            ]
            .map(|(n, s)| (n.to_owned(), s))
            .into(),
            entry: Some(entry.into()),
            ..FrontOptions::default()
        };
        let options = CompileOptions { front, ..CompileOptions::default() };
        let program = front::check("calibrate.loom", PROGRAMS, &options).map_err(crate::rejected::failed)?;
        let program = model::lower(model::plan(program, &options)?)?;
        let bundle = build::in_memory(&program, None)?;
        let mut session = Session::open(
            &bundle,
            entry,
            &SessionOptions { threads: Some(cores), seed: 0, ..SessionOptions::default() },
        )?;
        session.initialize()?;
        let inputs: Vec<String> =
            session.ports(&[meshloom_bundle::program::Role::Input]).map(|p| p.name.clone()).collect();
        for input in inputs {
            // Memory that was never written is one page of zeros, and reads faster than any other.
            session.input(&format!("{input}=det:uniform:calibrate/{input}:1").parse()?)?;
        }
        session.run()?;
        Ok(Probe { name, session, times: Vec::new() })
    }

    fn round(&mut self) -> Result<()> {
        for _ in 0..STEPS {
            self.times.push(self.session.step()?.seconds);
        }
        Ok(())
    }

    fn median(&self) -> f64 {
        let mut times = self.times.clone();
        times.sort_by(f64::total_cmp);
        (times[(times.len() - 1) / 2] + times[times.len() / 2]) / 2.0
    }
}

/// What was measured, of one device while all cores are busy.
struct Measured {
    flops: f64,
    bandwidth: f64,
    launch: f64,
    link: f64,
    latency: f64,
}

pub fn run(args: &BenchArgs) -> Result<()> {
    let cores = args.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, |n| n.get()));
    let text = file(&measure(cores)?, cores);
    // What is written must be readable.
    Target::parse("measured", &text)
        .map_err(|e| Failed::usage(format!("nothing sensible was measured: {e}\n{text}")))?;
    match &args.output {
        None => status::data(&text),
        Some(path) => {
            let fail = |e| Failed::usage(format!("{}: cannot be written: {e}", path.display()));
            std::fs::write(path, &text).map_err(fail)?;
            status::say("Wrote", &path.display().to_string());
        }
    }
    Ok(())
}

fn measure(cores: usize) -> Result<Measured> {
    // Collectives need two; on one core they take turns.
    let devices = cores.max(2) as u64;
    let share = devices as f64 / cores as f64;
    let open = |name, entry, n| {
        status::say("Compiling", name);
        Probe::open(name, entry, n, cores)
    };
    let mut probes = [
        open("matmul", "matmul", devices)?,
        open("memory", "stream", devices)?,
        open("collective", "gather", devices)?,
        open("loop of collectives", "kernels", devices)?,
        // The same iterations without collectives, all cores together on each kernel.
        open("loop of kernels", "kernels", 1)?,
    ];
    for round in 1..=ROUNDS {
        for p in &mut probes {
            status::say("Measuring", &format!("round {round} of {ROUNDS}: {}", p.name));
            p.round()?;
        }
    }
    let [matmul, stream, gather, exchanges, kernels] = probes.each_ref().map(Probe::median);
    let n = devices as f64;
    let wire = (ELEMENTS / devices * devices * 4) as f64 * (n - 1.0) / n;
    let launch = kernels / (2 * TRIPS) as f64;
    // An all_reduce pays twice the latencies of a gather, as the table in `plan::cost::model` has it.
    let rounds = 2.0 * n.log2().ceil();
    let latency = ((exchanges / TRIPS as f64 - 2.0 * launch) / rounds).max(1e-9);
    Ok(Measured {
        flops: 2.0 * (ROWS as f64).powi(3) * share / matmul,
        bandwidth: 12.0 * ELEMENTS as f64 * share / stream,
        launch,
        link: wire / (gather - latency * rounds / 2.0).max(1e-9),
        latency,
    })
}

/// The target file, with three digits of each number.
fn file(m: &Measured, cores: usize) -> String {
    let mut s = String::new();
    let mut line = |text: String| {
        let _ = writeln!(s, "{text}");
    };
    line(format!("# Measured by `meshloom bench --calibrate` on {}.", status::count(cores as u64, "core")));
    line("# Rates are of one device on one core, with all cores busy.".into());
    line(format!("arch = \"{}\"", Arch::X86_64.name()));
    line("memory = \"16 GiB\"".into());
    line(format!("bandwidth = \"{} GB/s\"", digits(m.bandwidth / 1e9)));
    line(format!("launch = \"{} us\"", digits(m.launch * 1e6)));
    line("# Devices run collectives themselves, one by one, and compute nothing meanwhile.".into());
    line("overlap = false".into());
    line("grouped = false".into());
    line("# More devices than this take turns; of fewer, each has several cores.".into());
    line(format!("workers = {cores}"));
    line(format!("\n[flops]\nf32 = \"{} GFLOP/s\"", digits(m.flops / 1e9)));
    line(format!("f64 = \"{} GFLOP/s\"", digits(m.flops / 2e9)));
    line(
        "\n# The rates above are reached, not peaks.\n[achievable]\ncontraction = 1.0\nbandwidth = 1.0\nfused = 0.5"
            .into(),
    );
    // A copy reads and writes.
    let copy = digits(m.bandwidth / 2e9);
    line("\n# What is offloaded lies in the same memory, and is copied within it.".into());
    line(format!("[host]\nmemory = \"16 GiB\"\nbandwidth = \"{copy} GB/s\"\nachievable = 1.0"));
    line(format!("\n[[level]]\nname = \"threads\"\nbandwidth = \"{} GB/s\"", digits(m.link / 1e9)));
    line(format!("latency = \"{} us\"\nachievable = 1.0", digits(m.latency * 1e6)));
    s
}

/// Three significant digits.
fn digits(x: f64) -> String {
    let whole = x.abs().log10().floor() as i32 + 1;
    let scale = 10f64.powi(3 - whole);
    format!("{}", (x * scale).round() / scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_measured_file_is_a_target() {
        let m = Measured { flops: 61.26e9, bandwidth: 8.123e9, launch: 1.2345e-6, link: 5.5e9, latency: 0.000_004_2 };
        let t = Target::parse("mine", &file(&m, 2)).unwrap();
        assert_eq!((t.bandwidth, t.launch, t.workers), (8_120_000_000, 1_230_000, Some(2)));
        assert_eq!(t.levels[0].latency, 4_200_000);
    }
}
