//! `meshloom-run` as several processes, started with the variables that launchers set. The results are those of one
//! process alone. All ranks end with a reason when one of them is killed, stopped, slow, missing or at another
//! collective.
//!
//! This file has what ranks do together; `agree` has what they must have alike, `ends` what ends them, `launchers` who
//! starts them, `stages` pipeline stages, `gpus` those on GPUs, `saves` their checkpoints, `kills` and `preempt` what becomes of these when the machine goes, `hosts` a network
//! between them.
//!
//! The program is made by hand and its kernels by the C compiler, so that no compiler of ours is needed. The tests wait
//! for events and never for a time to pass, within [`PATIENCE`]. Timeouts are long enough for a busy machine.

mod agree;
mod ends;
mod gpus;
mod hosts;
mod kills;
mod launchers;
mod preempt;
mod saves;
mod stages;

use crate::common;
use crate::common::fit::{C, model};
use meshloom_bundle::*;
use meshloom_run::launch::RankLaunch;
use std::net::TcpListener;
use std::os::fd::AsRawFd;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The longest that anything may take on a machine that is busy with other things.
const PATIENCE: Duration = Duration::from_secs(120);

/// The model of `common::fit`, whose kernel can be told to take its time, with a place in a source for its collectives; and its
/// kernels in C.
fn slow_model(devices: u32, momentum: &str) -> (Program, String) {
    let mut program = model(devices);
    // State that the mesh splits; nobody changes it.
    let axes: &[&[u32]] = &[&[0], &[]];
    let mut split = common::port(&program, "split", Role::State, DType::F32, &[8, 16], axes, 3072);
    split.init = Init::Normal { std: 1.0 };
    program.ports.push(split);
    for instr in &mut program.instrs {
        if let Instr::Collective(c) = instr {
            c.source = Some(SourcePlace { file: "fit.loom".into(), line: 7 + c.id, column: 5 });
        }
    }
    let slow = "#include <stdlib.h>\n#include <unistd.h>\n#include <fcntl.h>\nstatic void slow(void) { \
                const char *s = getenv(\"SLOW_MS\"), *in = getenv(\"IN_A_STEP\"); \
                if (in) close(open(in, O_CREAT | O_WRONLY, 0600)); if (s) usleep(1000 * atoi(s)); }\n\
                static int updates; static float damage(void) { const char *s = getenv(\"DAMAGE_UPDATE\"); \
                return s && ++updates == atoi(s) ? 0.25f : 0; }";
    let c = C.replace("float l = 0;", "slow(); float l = 0;").replace("*norm = n;", "*norm = n; w[2] += damage();");
    (program, format!("{slow}{}", c.replace("0.5f", momentum)))
}

/// Writes a bundle of a program that trains, with its kernels in C.
fn written(path: &Path, program: Program, c: &str) {
    let (plan, certificate, program) = (String::new(), String::new(), common::fitted(program));
    let entry = EntryContents { kind: EntryKind::Train, program, pipeline: None, plan, certificate };
    std::fs::write(path, common::bytes_of(vec![entry], c)).unwrap();
}

fn bundle(dir: &Path, name: &str, devices: u32, momentum: &str) {
    let (program, c) = slow_model(devices, momentum);
    written(&dir.join(name), program, &c);
}

/// Ranks to be started, each of which a test may change.
struct Ranks {
    commands: Vec<Command>,
    dir: tempfile::TempDir,
    _socket: TcpListener,
}

struct Ended {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

const INPUTS: [&str; 4] = ["--input", "x=det:uniform:fit/x:1.0", "--input", "y=det:uniform:fit/y:1.0"];

impl Ranks {
    /// `world` processes for the model on 4 devices.
    fn new(world: usize, args: &[&str]) -> Ranks {
        Ranks::fed(world, &INPUTS, args)
    }

    fn fed(world: usize, inputs: &[&str], args: &[&str]) -> Ranks {
        let dir = tempfile::tempdir().unwrap();
        bundle(dir.path(), "fit.loomx", 4, "0.5f");
        let socket = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let (port, fd) = (socket.local_addr().unwrap().port(), socket.as_raw_fd());
        let one = |rank: usize| {
            let mut c = Command::new(env!("CARGO_BIN_EXE_meshloom-run"));
            c.current_dir(dir.path()).arg("fit.loomx").args(inputs).args(["--threads", "1"]).args(args);
            for name in ["RANK", "WORLD_SIZE", "SLURM_STEP_ID", "OMPI_COMM_WORLD_RANK", "PMI_RANK"] {
                c.env_remove(name);
            }
            if world > 1 {
                c.env("RANK", rank.to_string()).env("WORLD_SIZE", world.to_string());
                c.env("MASTER_ADDR", "127.0.0.1").env("MASTER_PORT", port.to_string());
            }
            if world > 1 && rank == 0 {
                c.env("MESHLOOM_LISTEN_FD", fd.to_string());
                // SAFETY: one system call between fork and exec.
                unsafe {
                    c.pre_exec(move || {
                        if libc::fcntl(fd, libc::F_SETFD, 0) == 0 {
                            Ok(())
                        } else {
                            Err(std::io::Error::last_os_error())
                        }
                    })
                };
            }
            c.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
            c
        };
        Ranks { commands: (0..world).map(one).collect(), dir, _socket: socket }
    }

    fn start(&mut self) -> Vec<Child> {
        self.commands.iter_mut().map(|c| c.spawn().unwrap()).collect()
    }

    fn finish(&mut self) -> Vec<Ended> {
        self.start().into_iter().map(ended).collect()
    }

    /// Starts ranks that go on for long, and returns once some steps are done.
    fn running(&mut self) -> Vec<Child> {
        let path = self.dir.path().join("metrics");
        self.commands
            .iter_mut()
            .for_each(|c| _ = c.args(["--steps", "1000000", "--metrics", "metrics"]).env("SLOW_MS", "1"));
        let mut children = self.start();
        let start = Instant::now();
        while std::fs::read_to_string(&path).map_or(0, |t| t.lines().count()) < 3 {
            let over = children.iter_mut().any(|c| c.try_wait().unwrap().is_some());
            if over || start.elapsed() > PATIENCE {
                let said: Vec<String> = children
                    .into_iter()
                    .map(|mut c| {
                        _ = c.kill();
                        ended(c).stderr
                    })
                    .collect();
                panic!("no steps: {said:?}");
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        children
    }
}

fn ended(mut child: Child) -> Ended {
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > PATIENCE {
            let _ = child.kill();
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let out = child.wait_with_output().unwrap();
    let text = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
    Ended { code: out.status.code(), stdout: text(&out.stdout), stderr: text(&out.stderr) }
}

fn signal(child: &Child, signal: i32) {
    // SAFETY: a process that was started here and has not been waited for.
    assert_eq!(unsafe { libc::kill(child.id() as i32, signal) }, 0);
}

/// Every one ended with this code, and says each of these things.
fn all_say(ended: &[Ended], code: i32, parts: &[&str]) {
    for (k, e) in ended.iter().enumerate() {
        assert_eq!(e.code, Some(code), "{k}: {}", e.stderr);
        parts.iter().for_each(|p| assert!(e.stderr.contains(p), "{k}: {p} in {}", e.stderr));
    }
}

fn losses(e: &Ended) -> Vec<String> {
    assert_eq!(e.code, Some(0), "{}", e.stderr);
    let line = |l: &str| serde_json::from_str::<serde_json::Value>(l).unwrap()["loss"].to_string();
    e.stdout.lines().map(line).collect()
}

fn checkpoint(dir: &Path) -> Vec<Vec<u8>> {
    ["model.safetensors", "state.safetensors", "manifest.json"]
        .map(|f| std::fs::read(dir.join("c/step-000006").join(f)).unwrap())
        .into()
}

#[test]
fn several_processes_do_what_one_does() {
    let args = ["--steps", "6", "--json", "--save", "c", "--save-outputs", "out.safetensors", "--metrics", "m"];
    let run = |world: usize| {
        let mut ranks = Ranks::new(world, &args);
        let ended = ranks.finish();
        ended.iter().skip(1).for_each(|e| assert_eq!((e.code, e.stdout.as_str()), (Some(0), ""), "{}", e.stderr));
        let outputs = std::fs::read(ranks.dir.path().join("out.safetensors")).unwrap();
        assert_eq!(std::fs::read_to_string(ranks.dir.path().join("m")).unwrap().lines().count(), 6);
        (losses(&ended[0]), checkpoint(ranks.dir.path()), outputs)
    };
    let alone = run(1);
    assert_eq!(alone.0.len(), 6);
    for world in [2, 4] {
        assert_eq!(run(world), alone, "{world} processes");
    }
}

/// An array of `rows x width` floats as `.npy`; one dim where the width is 0.
fn npy(path: &Path, rows: usize, width: usize) {
    let shape = if width == 0 { format!("({rows},)") } else { format!("({rows}, {width})") };
    let header = format!("{:<117}\n", format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}"));
    let mut bytes = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    bytes.extend(header.as_bytes());
    let n = rows * width.max(1);
    bytes.extend((0..n).flat_map(|i| ((i * 37 % 101) as f32 / 50.0 - 1.0).to_le_bytes()));
    std::fs::write(path, bytes).unwrap();
}

/// Each process reads the rows of its own devices, in the order that one process would.
#[test]
fn data_are_read_where_they_are_needed() {
    let run = |world: usize| {
        let mut ranks = Ranks::fed(world, &["--data", "x=x.npy", "y=y.npy"], &["--steps", "9", "--json"]);
        npy(&ranks.dir.path().join("x.npy"), 40, 4);
        npy(&ranks.dir.path().join("y.npy"), 40, 0);
        losses(&ranks.finish()[0])
    };
    let alone = run(1);
    assert_eq!(alone.len(), 9);
    assert!(alone.windows(2).all(|w| w[0] != w[1]));
    assert_eq!(run(2), alone);
    assert_eq!(run(4), alone);
}

#[test]
fn a_checkpoint_goes_on_with_another_number_of_processes() {
    let mut four = Ranks::new(4, &["--steps", "3", "--save", "c"]);
    all_say(&four.finish(), 0, &[]);
    let from = four.dir.path().join("c");
    let from = from.to_str().unwrap();
    let go_on = |world| losses(&Ranks::new(world, &["--steps", "6", "--json", "--resume", from]).finish()[0]);
    let all = losses(&Ranks::new(1, &["--steps", "6", "--json"]).finish()[0]);
    assert_eq!(go_on(2), all[3..]);
    assert_eq!(go_on(1), all[3..]);
}

/// One rank computes more slowly than the others, and the table says so.
#[test]
fn the_rank_for_which_all_wait_is_named() {
    let mut ranks = Ranks::new(4, &["--steps", "20", "--stragglers=10"]);
    ranks.commands[2].env("SLOW_MS", "25");
    let ended = ranks.finish();
    all_say(&ended, 0, &[]);
    let said = &ended[0].stderr;
    assert!(said.contains("Stragglers up to step 10") && said.contains("Stragglers up to step 20"), "{said}");
    // Below each heading the one for whom the others waited longest.
    let lines: Vec<&str> = said.lines().collect();
    let first = |k: usize| lines[k + 1].split_whitespace().collect::<Vec<_>>();
    let heads: Vec<usize> = (0..lines.len()).filter(|&k| lines[k].trim_start().starts_with("rank ")).collect();
    for k in heads.into_iter().take(2) {
        let row = first(k);
        assert_eq!((row[0], row[2], row[3]), ("2", "of", "10"), "{said}");
        assert!(
            row[1].parse::<u32>().unwrap() >= 8 && lines[k + 1].contains("all_reduce over data at fit.loom:"),
            "{said}"
        );
    }
    let alone = Ranks::new(1, &["--steps", "1", "--stragglers"]).finish().remove(0);
    assert!(alone.stderr.contains("--stragglers: there is one process"), "{}", alone.stderr);
}

/// Each rank writes down what its workers did, with the collectives' lines.
#[test]
fn a_trace_for_each_rank() {
    let mut ranks = Ranks::new(2, &["--steps", "5", "--trace", "t.json"]);
    ranks.finish().iter().for_each(|e| assert_eq!(e.code, Some(0), "{}", e.stderr));
    for (rank, name) in ["t.json", "t.rank1.json"].iter().enumerate() {
        let text = std::fs::read_to_string(ranks.dir.path().join(name)).unwrap();
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        let events = json["traceEvents"].as_array().unwrap();
        assert_eq!(events[0]["args"]["name"], format!("rank {rank}, step 3"));
        let of = |category: &str| events.iter().filter(|e| e["cat"] == category).collect::<Vec<_>>();
        // Two devices of four, two kernels each, on one worker, which takes part in two sums.
        let devices: Vec<u64> = of("kernel").iter().map(|e| e["args"]["device"].as_u64().unwrap()).collect();
        let first = 2 * rank as u64;
        assert_eq!(devices, [first, first + 1, first, first + 1]);
        let sums = of("collective");
        assert!(sums.iter().all(|e| e["name"] == "all_reduce over data" && e["pid"] == rank), "{text}");
        let lines: Vec<&str> = sums.iter().map(|e| e["args"]["source"].as_str().unwrap()).collect();
        assert_eq!(lines, ["fit.loom:7:5", "fit.loom:8:5"]);
    }
}
