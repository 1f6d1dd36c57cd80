//! Whatever ends one rank ends all, with a reason.

use super::*;

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
    all_say(&ranks.finish(), 3, &["rank 2 of 4 did not come within 5 s"]);
    // Nobody is there to say who is missing.
    let mut ranks = Ranks::new(4, &["--timeout", "0.5"]);
    ranks.commands[1].env("MASTER_PORT", "1");
    ranks.commands.truncate(2);
    ranks.commands.remove(0);
    all_say(&ranks.finish(), 3, &["rank 0 at 127.0.0.1:1: did not answer within 0.5 s"]);
    // A name that nobody knows is no rank that was lost.
    let mut ranks = Ranks::new(4, &["--timeout", "0.5"]);
    ranks.commands[1].env("MASTER_ADDR", "no-such-host.invalid");
    ranks.commands.truncate(2);
    ranks.commands.remove(0);
    all_say(&ranks.finish(), 2, &["rank 0 at no-such-host.invalid:", "did not answer within 0.5 s"]);
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
    assert!(ranks.dir.path().join("c").join(latest.lines().next().unwrap()).join("manifest.json").exists());
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

/// Before anything is worth saving, one signal ends all at once, wherever they are.
#[test]
fn an_interrupt_before_the_first_step() {
    // Rank 0 waits for a rank that does not come.
    let mut ranks = Ranks::new(2, &["--timeout", "60"]);
    ranks.commands.truncate(1);
    let mut child = ranks.start().remove(0);
    caught(&mut child);
    signal(&child, libc::SIGINT);
    let ended_early = ended(child);
    all_say(&[ended_early], 130, &["Interrupted before the first step"]);
    // Rank 1 waits for its input, and the others for rank 1.
    let mut ranks = Ranks::fed(4, &INPUTS[2..], &["--timeout", "60"]);
    let pipe = ranks.dir.path().join("pipe.npy");
    rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, 0o600.into()).unwrap();
    for (rank, c) in ranks.commands.iter_mut().enumerate() {
        c.args(["--input", if rank == 1 { "x=@pipe.npy" } else { INPUTS[1] }]);
    }
    let mut children = ranks.start();
    // Whoever opens the other end finds rank 1 there, which has met the others.
    let writer = std::fs::OpenOptions::new().write(true).open(&pipe).unwrap();
    caught(&mut children[0]);
    signal(&children[0], libc::SIGTERM);
    let ended: Vec<Ended> = children.into_iter().map(ended).collect();
    drop(writer);
    // It is the signal that says how all end, on ranks that did not get it too.
    all_say(&ended, 143, &[]);
    assert!(ended[0].stderr.contains("Preempted before the first step"), "{}", ended[0].stderr);
}

/// Returns once a process catches signals, which it does before it meets the others.
fn caught(child: &mut Child) {
    let start = Instant::now();
    let mask = |text: &str| {
        let line = text.lines().find_map(|l| l.strip_prefix("SigCgt:"))?;
        u64::from_str_radix(line.trim(), 16).ok()
    };
    loop {
        let text = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        if mask(&text).is_some_and(|m| m & (1 << (libc::SIGINT - 1)) != 0) {
            return;
        }
        assert!(start.elapsed() < PATIENCE && child.try_wait().unwrap().is_none(), "it ended before");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Whoever has come is told who ended before the rest came.
#[test]
fn a_rank_that_ends_before_the_others_come_is_named() {
    let mut ranks = Ranks::new(4, &["--timeout", "60"]);
    let mut late = ranks.commands.pop().unwrap();
    let mut children = ranks.start();
    // Rank 3 comes last, so that the others wait; rank 2 has come once it is connected and waits for an answer.
    while sockets(children[2].id()) == 0 {
        std::thread::sleep(Duration::from_millis(2));
    }
    std::thread::sleep(Duration::from_millis(200));
    signal(&children[2], libc::SIGKILL);
    let pid = children[2].id();
    ended(children.remove(2));
    let late = late.spawn().unwrap();
    let mut rest: Vec<Ended> = children.into_iter().map(ended).collect();
    let last = ended(late);
    if last.code == Some(3) && last.stderr.contains("rank 2 (") {
        rest.push(last);
    }
    all_say(&rest, 3, &["rank 2 (", &format!("process {pid}) ended before all ranks had come")]);
}

fn sockets(pid: u32) -> usize {
    let files = std::fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
    let names = files.filter_map(|f| std::fs::read_link(f.path()).ok());
    names.filter(|n| n.to_string_lossy().starts_with("socket:")).count()
}

/// A run with a secret: who does not know it cannot join, and does not end it.
#[test]
fn a_secret_keeps_strangers_out() {
    let mut ranks = Ranks::new(2, &["--steps", "3", "--json", "--timeout", "60"]);
    ranks.commands.iter_mut().for_each(|c| _ = c.env("MESHLOOM_JOB_KEY", "6f1c"));
    let mut stranger = Ranks::new(2, &["--timeout", "60"]).commands.pop().unwrap();
    let port = ranks._socket.local_addr().unwrap().port();
    stranger.current_dir(ranks.dir.path()).env("MASTER_PORT", port.to_string());
    let mut first = ranks.commands[0].spawn().unwrap();
    for (key, why) in [
        (Some("guess"), "this process does not know the MESHLOOM_JOB_KEY of rank 0"),
        (None, "asks for the MESHLOOM_JOB_KEY of its run, and this process has none"),
        (Some(""), "MESHLOOM_JOB_KEY is empty, and no secret"),
    ] {
        stranger.env_remove("MESHLOOM_JOB_KEY");
        key.map(|k| stranger.env("MESHLOOM_JOB_KEY", k));
        all_say(&[ended(stranger.spawn().unwrap())], 2, &[why]);
        assert!(first.try_wait().unwrap().is_none(), "the run goes on");
    }
    let second = ranks.commands[1].spawn().unwrap();
    assert_eq!(losses(&ended(first)).len(), 3);
    all_say(&[ended(second)], 0, &[]);
}
