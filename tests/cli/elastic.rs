//! `meshloom launch --elastic`: ranks are killed and come back, and the losses are those of a run that nobody disturbed.
//!
//! Ranks are stopped before they are killed, so that the run waits for what a test does to it. `gpt_small` on eight ranks
//! takes a minute in a debug build, so it runs with `--ignored`.

use crate::support::{Place, losses, meshloom, oracle};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(240);

/// A launcher, and what it says.
struct Launched<'a> {
    place: &'a Place,
    child: Child,
    lines: Receiver<String>,
    said: Vec<String>,
}

impl<'a> Launched<'a> {
    fn start(place: &'a Place, args: &[&str]) -> Launched<'a> {
        let _ = std::fs::remove_file(place.path().join("metrics"));
        let args = [args, &["--metrics", "metrics"]].concat();
        let mut child = place.command(&args).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().expect("starts");
        let err = child.stderr.take().expect("piped");
        let (to, lines) = channel();
        std::thread::spawn(move || {
            BufReader::new(err).lines().map_while(Result::ok).for_each(|l| _ = to.send(l));
        });
        Launched { place, child, lines, said: Vec::new() }
    }

    /// Waits for a line.
    fn says(&mut self, part: &str) -> String {
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => {
                    self.said.push(line.clone());
                    if line.contains(part) {
                        return line;
                    }
                }
                Err(e) => panic!("{part}: {e}: {}", self.said.join("\n")),
            }
        }
    }

    /// Waits until so many steps are done.
    fn reaches(&self, step: usize) {
        let start = Instant::now();
        while metrics(self.place.path()).len() < step {
            assert!(start.elapsed() < PATIENCE, "step {step} is not reached: {}", self.said.join("\n"));
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// The ranks, in order.
    fn ranks(&self) -> Vec<i32> {
        let pid = self.child.id();
        let tasks = std::fs::read_dir(format!("/proc/{pid}/task")).expect("tasks").flatten();
        let each = tasks.filter_map(|t| std::fs::read_to_string(t.path().join("children")).ok());
        let mut all: Vec<i32> =
            each.flat_map(|c| c.split_whitespace().filter_map(|p| p.parse().ok()).collect::<Vec<i32>>()).collect();
        all.sort_unstable();
        all
    }

    /// Kills ranks at the same time, once so many steps are done.
    fn loses(&mut self, after: usize, ranks: &[usize]) {
        self.reaches(after);
        let all = self.ranks();
        ranks.iter().for_each(|&r| signal(all[r], libc::SIGSTOP));
        ranks.iter().for_each(|&r| signal(all[r], libc::SIGKILL));
    }

    /// The launcher is told that ranks `join` or `leave`, once so many steps are done.
    fn told(&mut self, after: usize, what: &str, ranks: usize) {
        self.reaches(after);
        let all = self.ranks();
        signal(all[0], libc::SIGSTOP);
        let (n, to) = (ranks.to_string(), self.child.id().to_string());
        let told = meshloom(self.place, &["launch", &format!("--{what}"), &n, "--to", &to]);
        assert_eq!(told.code, 0, "{}", told.stderr);
        self.says("Reshaping");
        signal(all[0], libc::SIGCONT);
    }

    /// Waits for the end; the exit code.
    fn ends(&mut self) -> Option<i32> {
        while let Ok(line) = self.lines.recv_timeout(PATIENCE) {
            self.said.push(line);
        }
        self.child.wait().expect("ends").code()
    }
}

fn signal(pid: i32, signal: i32) {
    // SAFETY: a process that the launcher started and has not waited for.
    assert_eq!(unsafe { libc::kill(pid, signal) }, 0);
}

/// Steps and losses so far.
fn metrics(dir: &Path) -> Vec<(u64, f64)> {
    let text = std::fs::read_to_string(dir.join("metrics")).unwrap_or_default();
    let one = |l: &str| {
        let v: serde_json::Value = serde_json::from_str(l).ok()?;
        Some((v["step"].as_u64()?, v["loss"].as_f64()?))
    };
    text.lines().filter_map(one).collect()
}

/// Every step is there once, and its loss is that of a run that nobody disturbed.
fn assert_undisturbed(place: &Place, due: &[f64], most: f64) {
    let found = metrics(place.path());
    assert_eq!(found.iter().map(|f| f.0).collect::<Vec<_>>(), (1..=due.len() as u64).collect::<Vec<_>>());
    let worst = found.iter().zip(due).map(|((_, a), b)| (a - b).abs() / b.abs().max(1.0)).fold(0.0, f64::max);
    println!("{} steps, the largest difference is {worst:.1e}", due.len());
    assert!(worst <= most, "{worst:e}: {found:?} where {due:?} is due");
}

fn strings(all: &[String]) -> Vec<&str> {
    all.iter().map(String::as_str).collect()
}

fn gpt_tiny() -> Vec<String> {
    let mut all = vec!["--load".into(), oracle("gpt_tiny/params.safetensors")];
    for name in ["tokens", "targets"] {
        all.extend(["--input".into(), format!("{name}=@{}", oracle(&format!("gpt_tiny/{name}.npy")))]);
    }
    all
}

/// Optimizer state is split over the ranks (`zero1`), so what a dead rank had is nowhere else.
#[test]
fn gpt_tiny_loses_ranks_and_gets_some_back() {
    let place = Place::new();
    // In f64, so that the order of sums, which differs from mesh to mesh, hides nothing.
    let source = ["examples/gpt_tiny.loom", "--layout", "zero1", "--float", "f64"];
    let meshes = ["--mesh", "data=4", "--also-mesh", "data=3", "--also-mesh", "data=2", "-o", "m.loomx"];
    let out = meshloom(&place, &[&["compile", "--cpu", "native"], &source[..], &meshes[..]].concat());
    assert_eq!(out.code, 0, "{}", out.stderr);
    let inputs = gpt_tiny();
    let run = [&["m.loomx", "--steps", "120", "--threads", "1"][..], &strings(&inputs)].concat();
    let alone = meshloom(&place, &[&["run"], &run[..], &["--json"]].concat());
    assert_eq!(alone.code, 0, "{}", alone.stderr);
    let due = losses(&alone.stdout);

    // Two of four die, and one comes back.
    let args = [&["launch", "--elastic", "2..4", "--max-restarts", "0"], &run[..]].concat();
    let mut launched = Launched::start(&place, &args);
    launched.loses(8, &[0, 2]);
    launched.says("ranks 0, 2 were killed by signal 9");
    launched.says("Generation 1: 2 ranks, 2 devices (data=2)");
    launched.says("Going on");
    launched.told(30, "join", 1);
    launched.says("Generation 2: 3 ranks, 3 devices (data=3)");
    launched.says("without a step");
    launched.told(60, "leave", 1);
    launched.says("Generation 3: 2 ranks, 2 devices (data=2)");
    assert_eq!(launched.ends(), Some(0), "{}", launched.said.join("\n"));
    assert_eq!(launched.said.iter().filter(|l| l.contains("Restored from memory after step")).count(), 3);
    assert_undisturbed(&place, &due, 1e-10);

    // Who died comes back by itself. Without copies in memory, the run goes on from its last checkpoint.
    let elastic = ["launch", "--elastic", "3..4", "--max-restarts", "1", "--restart-after", "0.2", "--keep-every", "0"];
    let args = [&elastic, &run[..], &["--save", "c", "--save-every", "5"]].concat();
    let mut launched = Launched::start(&place, &args);
    launched.loses(12, &[1]);
    launched.says("3 left; 1 will be started again");
    launched.says("memory has no whole copy: no copy was kept; the run goes on from its last checkpoint");
    launched.says("Resumed c/step-0000");
    launched.says("Generation 2: 4 ranks, 4 devices (data=4)");
    assert_eq!(launched.ends(), Some(0), "{}", launched.said.join("\n"));
    assert_undisturbed(&place, &due, 1e-10);

    // A scheduler ends the launcher; the next one goes on where it was.
    let args = [&["launch", "--elastic", "2..4"], &run[..], &["--save", "d", "--resume", "auto"]].concat();
    let mut launched = Launched::start(&place, &args);
    launched.reaches(5);
    signal(launched.child.id() as i32, libc::SIGTERM);
    assert_eq!(launched.ends(), Some(143), "{}", launched.said.join("\n"));
    let out = meshloom(&place, &[&args[..], &["--metrics", "metrics"]].concat());
    assert_eq!((out.code, out.stderr.contains("Resumed d/step-")), (0, true), "{}", out.stderr);
    assert_undisturbed(&place, &due, 1e-10);
    too_few_are_left(&place, &run);
    no_rank_listens_yet(&place, &run);
    what_is_refused(&place, &run);

    // Every plan of the bundle is held against the source.
    let out = meshloom(
        &place,
        &[
            "verify",
            source[0],
            "m.loomx",
            "--layout",
            "zero1",
            "--float",
            "f64",
            "--kernels",
            "skip",
            "--instructions",
            "compare",
        ],
    );
    assert_eq!(out.code, 0, "{}", out.stderr);
    for plan in ["gpt:", "others/2-devices.loomx/gpt:", "others/3-devices.loomx/gpt:"] {
        assert!(out.stderr.contains(&format!("Proved {plan}")), "{}", out.stderr);
    }
    // One process takes the plan for as many devices as it is told.
    let few = |devices: &str| {
        meshloom(&place, &["run", "m.loomx", "--steps", "1", "--random-inputs", "0", "--devices", devices])
    };
    assert!(few("3").stderr.contains("on 3 devices"), "{}", few("3").stderr);
    assert_eq!((few("5").code, few("5").stderr.contains("--devices 5, but the mesh data=4")), (2, true));
}

/// Two stages on two devices each lose a rank: the others go on without stages, and with stages again when ranks come.
#[test]
fn stages_lose_a_rank_and_come_back() {
    let place = Place::new();
    let meshes = ["--mesh", "data=2,pipe=2", "--also-mesh", "data=2", "-o", "m.loomx"];
    let out = meshloom(&place, &[&["compile", "stages.loom", "--cpu", "native"], &meshes[..]].concat());
    assert_eq!(out.code, 0, "{}", out.stderr);
    let run = ["m.loomx", "--steps", "60", "--threads", "1", "--random-inputs", "0"];
    let alone = meshloom(&place, &[&["run"], &run[..], &["--json"]].concat());
    assert_eq!(alone.code, 0, "{}", alone.stderr);
    let args = [&["launch", "--elastic", "2..4", "--max-restarts", "0"], &run[..]].concat();
    let mut launched = Launched::start(&place, &args);
    launched.loses(5, &[3]);
    launched.says("rank 3 was killed by signal 9");
    launched.says("Generation 1: 2 ranks, 2 devices (data=2)");
    launched.says("Restored from memory after step");
    // The third is a spare.
    launched.told(20, "join", 1);
    launched.says("Generation 2: 4 ranks, 4 devices (data=2,pipe=2)");
    launched.says("Restored from memory after step");
    assert_eq!(launched.ends(), Some(0), "{}", launched.said.join("\n"));
    assert_undisturbed(&place, &losses(&alone.stdout), 1e-5);
}

/// While a launcher waits for ranks no rank hears a signal, and the exit code still says which one it was.
fn too_few_are_left(place: &Place, run: &[&str]) {
    for (sent, code) in [(libc::SIGTERM, 143), (libc::SIGINT, 130)] {
        let args = [&["launch", "--elastic", "2..2", "--max-restarts", "0"], run].concat();
        let mut launched = Launched::start(place, &args);
        launched.loses(3, &[1]);
        launched.says("Waiting for ranks: 1 of the 2 ranks that are needed are there");
        signal(launched.child.id() as i32, sent);
        assert_eq!(launched.ends(), Some(code), "{}", launched.said.join("\n"));
    }
}

/// Ranks that have just been started end by the signal itself, which is no failure of theirs.
fn no_rank_listens_yet(place: &Place, run: &[&str]) {
    for (sent, code) in [(libc::SIGTERM, 143), (libc::SIGINT, 130)] {
        let mut launched = Launched::start(place, &[&["launch", "--elastic", "2..2"], run].concat());
        launched.says("Generation 0");
        signal(launched.child.id() as i32, sent);
        assert_eq!(launched.ends(), Some(code), "{}", launched.said.join("\n"));
    }
}

fn what_is_refused(place: &Place, run: &[&str]) {
    let refused = |args: &[&str], code: i32, part: &str| {
        let out = meshloom(place, args);
        assert_eq!((out.code, out.stderr.contains(part)), (code, true), "{args:?}: {}", out.stderr);
    };
    let text = "m.loomx has no plan for so many ranks; it has plans for 4 devices (data=4); 2 devices (data=2); 3 devices (data=3)";
    refused(&["launch", "--elastic", "5..7", "m.loomx"], 2, text);
    refused(&["launch", "--elastic", "4..2", "m.loomx"], 2, "4 is more than 2");
    refused(&["launch", "--max-restarts", "2", "m.loomx"], 2, "--elastic");
    refused(&["launch", "--join", "2"], 2, "--to");
    refused(&["launch", "--leave", "1", "--to", "4000000000"], 2, "no elastic launcher answers there");
    refused(&["run", "m.loomx", "--resume", "auto"], 2, "--resume auto: there is no --save");
    // What fails again on every try is not tried again.
    let missing = [&["launch", "--elastic", "2..4"], run, &["--data", "nothing.txt"]].concat();
    refused(&missing, 2, "of 4 ended with exit code 2");
    let mesh = [
        "compile",
        "examples/gpt_tiny.loom",
        "--cpu",
        "native",
        "--mesh",
        "data=4",
        "--also-mesh",
        "data=2,model=2",
        "-o",
        "n.loomx",
    ];
    refused(&mesh, 2, "has as many devices as");
}

#[test]
#[ignore = "takes a minute in a debug build"]
fn gpt_small_on_eight_ranks_loses_three_and_gets_two_back() {
    let place = Place::new();
    let meshes = ["--mesh", "data=8", "--also-mesh", "data=5", "--also-mesh", "data=7", "-o", "m.loomx"];
    let out = meshloom(
        &place,
        &[&["compile", "examples/gpt_small.loom", "--cpu", "native", "--layout", "zero1"], &meshes[..]].concat(),
    );
    assert_eq!(out.code, 0, "{}", out.stderr);
    let run = ["m.loomx", "--steps", "20", "--threads", "1"];
    let tokens = |name: &str, k: u32| format!("{name}=det:tokens:gpt_small/tokens:1024:129:{k}");
    let inputs = ["--input".into(), tokens("tokens", 0), "--input".into(), tokens("targets", 1)];
    let run = [&run[..], &strings(&inputs)].concat();
    let alone = meshloom(&place, &[&["run"], &run[..], &["--json"]].concat());
    assert_eq!(alone.code, 0, "{}", alone.stderr);
    let args = [&["launch", "--elastic", "2..8", "--max-restarts", "0"], &run[..]].concat();
    let mut launched = Launched::start(&place, &args);
    launched.loses(5, &[1, 4, 6]);
    launched.says("Generation 1: 5 ranks, 5 devices (data=5)");
    launched.says("Going on");
    launched.told(11, "join", 2);
    launched.says("Generation 2: 7 ranks, 7 devices (data=7)");
    launched.says("Going on");
    assert_eq!(launched.ends(), Some(0), "{}", launched.said.join("\n"));
    println!("{}", launched.said.join("\n"));
    assert_undisturbed(&place, &losses(&alone.stdout), 1e-6);
}
