//! `meshloom-run` as several processes, started with the variables that launchers set: the same results as one process alone, and an end
//! with a reason for all when one of them is killed, stopped, slow, missing or at something else.
//!
//! The program is made by hand and its kernels by the C compiler, so that no compiler of ours is needed. Nothing here waits for a time
//! to pass but for something to happen, within [`PATIENCE`]; timeouts are long enough for a machine that has other things to do.

#[path = "../../../runtime/tests/common/mod.rs"]
mod common;

use common::fit::{C, model};
use meshloom_bundle::*;
use meshloom_run::launch::Launch;
use std::net::TcpListener;
use std::os::fd::AsRawFd;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The longest that anything may take on a machine that is busy with other things.
const PATIENCE: Duration = Duration::from_secs(120);

/// The model of `common::fit`, whose kernel can be told to take its time, with a place in a source for its collectives.
fn bundle(dir: &Path, name: &str, devices: u32, momentum: &str) {
    let mut program = model(devices);
    for instr in &mut program.instrs {
        if let Instr::Collective(c) = instr {
            c.source = Some(Source { file: "fit.loom".into(), line: 7 + c.id, column: 5 });
        }
    }
    let slow = "#include <stdlib.h>\n#include <unistd.h>\nstatic void slow(void) { const char *s = getenv(\"SLOW_MS\"); \
                if (s) usleep(1000 * atoi(s)); }";
    let c = format!("{slow}{}", C.replace("float l = 0;", "slow(); float l = 0;").replace("0.5f", momentum));
    let symbols = program.kernels.iter().map(|k| k.symbol.clone()).collect();
    let (kind, bytes) = (LibraryKind::ElfSo, common::library(&c));
    let library = LibraryContents { name: "any".into(), kind, cpu_features: vec![], symbols, bytes };
    let (plan, certificate) = (String::new(), String::new());
    let entry = EntryContents { kind: EntryKind::Train, program, plan, certificate };
    let contents = Contents { target: "cpu".into(), entries: vec![entry], libraries: vec![library], sources: vec![] };
    std::fs::write(dir.join(name), write(&contents).unwrap()).unwrap();
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

#[test]
fn a_killed_rank_ends_all() {
    let mut ranks = Ranks::new(4, &[]);
    let mut children = ranks.running();
    signal(&children[2], libc::SIGKILL);
    assert_eq!(ended(children.remove(2)).code, None);
    let rest: Vec<Ended> = children.into_iter().map(ended).collect();
    all_say(&rest, 3, &["rank 2 ended without a word (killed?); it was last seen at ", ", step "]);
    assert!(rest.iter().all(|e| e.stderr.contains("at fit.loom:") || e.stderr.contains("the end of a step")));
}

#[test]
fn rank_0_is_no_exception() {
    let mut ranks = Ranks::new(4, &[]);
    let mut children = ranks.running();
    signal(&children[0], libc::SIGKILL);
    ended(children.remove(0));
    let rest: Vec<Ended> = children.into_iter().map(ended).collect();
    all_say(&rest, 3, &["rank 0 ended without a word (killed?)"]);
}

#[test]
fn a_stopped_rank_is_named_with_the_collective_and_its_line() {
    for stopped in [2, 0] {
        let mut ranks = Ranks::new(4, &["--timeout", "8"]);
        let mut children = ranks.running();
        signal(&children[stopped], libc::SIGSTOP);
        let late = children.remove(stopped);
        let start = Instant::now();
        let rest: Vec<Ended> = children.into_iter().map(ended).collect();
        assert!(start.elapsed() < PATIENCE / 2, "within the timeout, and a busy machine's time");
        let name = format!("rank {stopped} did not come to ");
        all_say(&rest, 3, &[&name, " within 8 s"]);
        let place = |e: &Ended| {
            e.stderr.contains("all_reduce over data at fit.loom:7:5, step ")
                || e.stderr.contains("all_reduce over data at fit.loom:8:5, step ")
                || e.stderr.contains("the end of a step, step ")
        };
        assert!(rest.iter().all(place), "{}", rest[0].stderr);
        // Once it goes on, it finds out that the others have gone.
        signal(&late, libc::SIGCONT);
        assert_eq!(ended(late).code, Some(3));
    }
}

#[test]
fn a_slow_rank_is_waited_for_until_the_timeout() {
    let args = ["--steps", "3", "--json"];
    let quick = losses(&Ranks::new(1, &args).finish()[0]);
    let mut slow = Ranks::new(2, &args);
    slow.commands[1].env("SLOW_MS", "150");
    assert_eq!(losses(&slow.finish()[0]), quick);
    let mut hopeless = Ranks::new(2, &["--steps", "3", "--timeout", "4"]);
    hopeless.commands[1].env("SLOW_MS", "60000");
    let ended = hopeless.finish();
    all_say(&ended[..1], 3, &["rank 1 did not come to all_reduce over data at fit.loom:7:5, step 1 within 4 s"]);
    assert_eq!(ended[1].code, Some(3), "{}", ended[1].stderr);
}

#[test]
fn ranks_that_run_something_else_are_refused() {
    let mut ranks = Ranks::new(4, &["--timeout", "60"]);
    bundle(ranks.dir.path(), "other.loomx", 4, "0.25f");
    let dir = ranks.dir.path().to_owned();
    let other = |c: &mut Command| {
        std::fs::create_dir(dir.join("other")).unwrap();
        std::fs::rename(dir.join("other.loomx"), dir.join("other/fit.loomx")).unwrap();
        c.current_dir(dir.join("other"));
    };
    other(&mut ranks.commands[2]);
    let ended = ranks.finish();
    all_say(&ended, 2, &["rank 2 (", ") runs the bundle ", ", and rank 0 "]);

    // One that believes in 2 processes, which the mesh could have as well.
    let mut ranks = Ranks::new(4, &["--timeout", "60"]);
    ranks.commands.truncate(2);
    ranks.commands[1].env("WORLD_SIZE", "2");
    all_say(&ranks.finish(), 2, &["rank 1 (", ") was started as one of 2, and rank 0 as one of 4"]);

    let mut ranks = Ranks::new(2, &["--timeout", "60"]);
    ranks.commands[1].args(["--seed", "1"]);
    all_say(&ranks.finish(), 2, &["rank 1 (", ") has --seed 1, and rank 0 has 0"]);

    let mut ranks = Ranks::new(2, &["--timeout", "60"]);
    ranks.commands[1].env("WORLD_SIZE", "3");
    ranks.commands.remove(0);
    all_say(&ranks.finish(), 2, &["mesh data=4: 4 devices cannot be shared evenly by 3 processes: start 1 or 2 or 4"]);
}

#[test]
fn a_rank_that_does_not_come_is_named() {
    let mut ranks = Ranks::new(4, &["--timeout", "5"]);
    ranks.commands.remove(2);
    all_say(&ranks.finish(), 2, &["rank 2 of 4 did not come within 5 s"]);
    // Nobody is there to say who is missing.
    let mut ranks = Ranks::new(4, &["--timeout", "0.5"]);
    ranks.commands[1].env("MASTER_PORT", "1");
    ranks.commands.truncate(2);
    ranks.commands.remove(0);
    all_say(&ranks.finish(), 2, &["rank 0 at 127.0.0.1:1: did not answer within 0.5 s"]);
}

#[test]
fn a_port_that_is_taken() {
    let taken = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let mut ranks = Ranks::new(2, &["--timeout", "3"]);
    ranks.commands[0].env("MASTER_PORT", &port).env_remove("MESHLOOM_LISTEN_FD");
    ranks.commands[1].env("MASTER_PORT", &port);
    // What has the port answers as a web server would, and keeps the port for as long as a rank may ask for it.
    let web = taken.try_clone().unwrap();
    let server = std::thread::spawn(move || {
        use std::io::Write;
        let (mut stream, _) = web.accept().unwrap();
        stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").unwrap();
    });
    let ended = ranks.finish();
    server.join().unwrap();
    drop(taken);
    all_say(&ended[..1], 2, &[&format!("rank 0 at 127.0.0.1:{port}: port {port} is taken by another program")]);
    all_say(&ended[1..], 2, &["somebody answers, and it is no rank 0"]);
}

#[test]
fn an_interrupt_stops_all_after_the_same_step() {
    let mut ranks = Ranks::new(4, &["--save", "c"]);
    let children = ranks.running();
    // One of them is enough.
    signal(&children[3], libc::SIGINT);
    let ended: Vec<Ended> = children.into_iter().map(ended).collect();
    all_say(&ended, 130, &[]);
    assert!(ended[0].stderr.contains("go on with --resume"), "{}", ended[0].stderr);
    let latest = std::fs::read_to_string(ranks.dir.path().join("c/latest")).unwrap();
    assert!(ranks.dir.path().join("c").join(latest.trim()).join("manifest.json").exists());
}

/// What goes wrong on one rank alone is said by the others too.
#[test]
fn one_ranks_error_is_everybodys() {
    let mut ranks = Ranks::new(4, &["--timeout", "60"]);
    ranks.commands[1].args(["--input", "x=@missing.npy"]);
    ranks.commands[0].args(["--input", "x=det:uniform:fit/x:1.0"]);
    ranks.commands[2].args(["--input", "x=det:uniform:fit/x:1.0"]);
    ranks.commands[3].args(["--input", "x=det:uniform:fit/x:1.0"]);
    let ended = ranks.finish();
    all_say(&ended[1..2], 2, &["missing.npy"]);
    all_say(&ended[..1], 3, &["rank 1 failed: ", "missing.npy"]);
    all_say(&ended[2..], 3, &["rank 1 failed: ", "missing.npy"]);
}

/// Runs `meshloom launch`'s part in this process: the result, after `meddle` has had its way with the ranks, once some steps are done.
fn launched(more: &[&str], meddle: impl FnOnce(&dyn Fn(usize) -> i32)) -> Result<(), (i32, String)> {
    let dir = tempfile::tempdir().unwrap();
    bundle(dir.path(), "fit.loomx", 4, "0.5f");
    let path = |name: &str| dir.path().join(name).display().to_string();
    let (file, metrics) = (path("fit.loomx"), path("metrics"));
    let args: Vec<&str> = [&[file.as_str(), "--threads", "1", "--metrics", &metrics][..], &INPUTS, more].concat();
    let launch = Launch {
        program: env!("CARGO_BIN_EXE_meshloom-run").into(),
        args: args.into_iter().map(Into::into).collect(),
        ranks: 4,
        port: None,
    };
    std::thread::scope(|s| {
        let all = s.spawn(|| meshloom_run::launch::launch(&launch).map_err(|e| (e.code, e.text())));
        let start = Instant::now();
        let steps = || std::fs::read_to_string(&metrics).map_or(0, |t| t.lines().count());
        while steps() < 3 && !all.is_finished() && start.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(2));
        }
        meddle(&|rank| process(&file, rank));
        all.join().unwrap()
    })
}

/// The process that runs a bundle as some rank.
fn process(bundle: &str, rank: usize) -> i32 {
    let has = |pid: i32, what: &str, part: &str| {
        let text = std::fs::read(format!("/proc/{pid}/{what}")).unwrap_or_default();
        text.split(|&b| b == 0).any(|word| word == part.as_bytes())
    };
    let all = std::fs::read_dir("/proc").unwrap().flatten().filter_map(|e| e.file_name().to_str()?.parse().ok());
    let ours = |pid: &i32| has(*pid, "cmdline", bundle) && has(*pid, "environ", &format!("RANK={rank}"));
    all.into_iter().find(ours).expect("a rank")
}

#[test]
fn the_launcher_ends_with_its_ranks() {
    assert_eq!(launched(&["--steps", "3"], |_| {}), Ok(()));
    assert_eq!(launched(&["--entry", "none"], |_| {}).map_err(|e| e.0), Err(2));
    // SAFETY: a process that the launcher started and has not waited for.
    let send = |pid: i32, signal: i32| assert_eq!(unsafe { libc::kill(pid, signal) }, 0);
    let forever = ["--steps", "1000000000", "--timeout", "6"];
    let killed = launched(&forever, |pid| send(pid(2), libc::SIGKILL));
    assert_eq!(killed, Err((3, "rank 2 of 4 was killed by signal 9 (SIGKILL; out of memory?)".into())));
    // The others give up, and then the launcher does not wait for the one that hangs.
    let mut stopped = 0;
    let hung = launched(&forever, |pid| {
        stopped = pid(1);
        send(stopped, libc::SIGSTOP);
    });
    assert_eq!(hung, Err((3, "rank 1 of 4 hung, and was killed".into())));
    assert!(!Path::new(&format!("/proc/{stopped}")).exists(), "nothing is left behind");
}

/// The model as 4 ranks of `mpirun`, which has its say about root and cores; none where it is not installed.
fn under_mpirun(dir: &Path, more: &[&str]) -> Option<Command> {
    if Command::new("mpirun").arg("--version").output().is_err() {
        eprintln!("mpirun is not installed: not tested under it");
        return None;
    }
    bundle(dir, "fit.loomx", 4, "0.5f");
    let mut c = Command::new("mpirun");
    c.current_dir(dir).args(["-np", "4", "--oversubscribe", "--bind-to", "none", env!("CARGO_BIN_EXE_meshloom-run")]);
    c.args(["fit.loomx", "--threads", "1"]).args(INPUTS).args(more);
    c.envs([("OMPI_ALLOW_RUN_AS_ROOT", "1"), ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")]);
    for name in ["RANK", "WORLD_SIZE", "SLURM_STEP_ID"] {
        c.env_remove(name);
    }
    c.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    Some(c)
}

/// How ranks of `mpirun` can exchange data in this build.
const MEANS: &[&str] = if cfg!(feature = "mpi") { &["memory", "mpi"] } else { &["memory"] };

#[test]
fn mpirun_is_a_launcher() {
    let args = ["--steps", "6", "--json", "--save", "c"];
    let mut alone = Ranks::new(1, &args);
    let (expected, saved) = (losses(&alone.finish()[0]), checkpoint(alone.dir.path()));
    for means in MEANS {
        let dir = tempfile::tempdir().unwrap();
        let args = [&args[..], &["--collectives", means]].concat();
        let Some(mut c) = under_mpirun(dir.path(), &args) else { return };
        assert_eq!(losses(&ended(c.spawn().unwrap())), expected, "by {means}");
        assert_eq!(checkpoint(dir.path()), saved, "by {means}");
    }
}

/// What happens to ranks of `mpirun` is found out as under any launcher, by messages too.
#[test]
fn a_stopped_or_killed_rank_of_mpirun_is_named() {
    for (means, signal) in MEANS.iter().flat_map(|m| [(m, libc::SIGSTOP), (m, libc::SIGKILL)]) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("metrics");
        let more = ["--steps", "1000000", "--metrics", "metrics", "--timeout", "8", "--collectives", means];
        let Some(mut c) = under_mpirun(dir.path(), &more) else { return };
        let child = c.env("SLOW_MS", "1").spawn().unwrap();
        let start = Instant::now();
        while std::fs::read_to_string(&path).map_or(0, |t| t.lines().count()) < 3 && start.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(5));
        }
        let rank = rank_below(child.id() as i32, "OMPI_COMM_WORLD_RANK=2");
        // SAFETY: a process that mpirun started and has not waited for.
        assert_eq!(unsafe { libc::kill(rank, signal) }, 0);
        let e = ended(child);
        let says =
            if signal == libc::SIGSTOP { "rank 2 did not come to " } else { "rank 2 ended without a word (killed?)" };
        // Where one is killed, mpirun may be quicker than the ranks, and says so itself.
        let mpirun = signal == libc::SIGKILL && e.stderr.contains("signal 9 (Killed)");
        assert!(e.code != Some(0) && (e.stderr.contains(says) || mpirun), "by {means}: {:?} {}", e.code, e.stderr);
        if signal == libc::SIGSTOP {
            assert!(e.code == Some(3) && e.stderr.contains("step "), "by {means}: {:?} {}", e.code, e.stderr);
        }
    }
}

/// A process that another one started, whose environment has this line.
fn rank_below(parent: i32, line: &str) -> i32 {
    let all = std::fs::read_dir("/proc").unwrap().flatten().filter_map(|e| e.file_name().to_str()?.parse::<i32>().ok());
    let is = |pid: &i32| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let ours = stat.rsplit(") ").next().and_then(|s| s.split(' ').nth(1)) == Some(parent.to_string().as_str());
        let environ = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        ours && environ.split(|&b| b == 0).any(|word| word == line.as_bytes())
    };
    all.into_iter().find(is).expect("a rank")
}

#[test]
fn mpi_is_asked_for_in_vain() {
    let mut ranks = Ranks::new(2, &["--collectives", "mpi"]);
    let says = if cfg!(feature = "mpi") { "the ranks were started by torchrun" } else { "this build has no MPI" };
    all_say(&ranks.finish(), 2, &[says]);
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

/// Two hosts, as far as their networks go: namespaces with an address each, that go when this does. None where that is not allowed.
struct Hosts([String; 2]);

impl Hosts {
    fn new() -> Option<Hosts> {
        let names = ["a", "b"].map(|end| format!("meshloom-{}-{end}", std::process::id()));
        let hosts = Hosts(names);
        let [a, b] = &hosts.0;
        let ip = |line: &str| {
            let done = Command::new("ip").args(line.split(' ')).stderr(Stdio::null()).status();
            done.is_ok_and(|s| s.success())
        };
        let made = ip(&format!("netns add {a}"))
            && ip(&format!("netns add {b}"))
            && ip(&format!("link add eth netns {a} type veth peer name eth netns {b}"))
            && [(a, 1), (b, 2)].into_iter().all(|(name, host)| {
                ip(&format!("-n {name} addr add 10.77.0.{host}/24 dev eth"))
                    && ip(&format!("-n {name} link set eth up"))
                    && ip(&format!("-n {name} link set lo up"))
            });
        made.then_some(hosts)
    }

    /// The command, run on one of them.
    fn on(&self, host: usize, command: &Command) -> Command {
        let mut c = Command::new("ip");
        c.args(["netns", "exec", &self.0[host]]).arg(command.get_program()).args(command.get_args());
        command.get_envs().for_each(|(name, value)| {
            _ = match value {
                Some(value) => c.env(name, value),
                None => c.env_remove(name),
            };
        });
        if let Some(dir) = command.get_current_dir() {
            c.current_dir(dir);
        }
        c.env("MASTER_ADDR", "10.77.0.1").env("MASTER_PORT", "29517").env_remove("MESHLOOM_LISTEN_FD");
        c.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        c
    }
}

impl Drop for Hosts {
    fn drop(&mut self) {
        for name in &self.0 {
            let _ = Command::new("ip").args(["netns", "del", name]).stderr(Stdio::null()).status();
        }
    }
}

/// Ranks find each other over a network between hosts, and a host that cannot be reached is named by its address.
#[test]
fn ranks_meet_between_hosts() {
    let Some(hosts) = Hosts::new() else {
        eprintln!("left out: no network namespaces here (iproute2 and the right to make them)");
        return;
    };
    let args = ["--steps", "6", "--json", "--timeout", "60"];
    let alone = losses(&Ranks::new(1, &args).finish()[0]);
    let mut ranks = Ranks::new(2, &args);
    ranks.commands = ranks.commands.iter().enumerate().map(|(k, c)| hosts.on(k, c)).collect();
    let ended = ranks.finish();
    assert_eq!((ended[1].code, losses(&ended[0])), (Some(0), alone), "{}", ended[1].stderr);
    // The cable is pulled.
    let cut = ["-n", &hosts.0[1], "link", "set", "eth", "down"];
    assert!(Command::new("ip").args(cut).status().unwrap().success());
    let mut ranks = Ranks::new(2, &["--steps", "6", "--timeout", "5"]);
    ranks.commands = ranks.commands.iter().enumerate().map(|(k, c)| hosts.on(k, c)).collect();
    let ended = ranks.finish();
    all_say(&ended[..1], 2, &["rank 1 of 2 did not come within 5 s"]);
    all_say(&ended[1..], 2, &["rank 0 at 10.77.0.1:29517"]);
}
