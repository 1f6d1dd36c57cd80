//! A scheduler takes the machine away.

use super::*;

#[test]
fn a_preempted_run_saves_and_says_so_by_its_exit_code() {
    let sharded = &["--save-sharded", "--save-async", "--save-every", "1"];
    for (sent, more) in [(libc::SIGTERM, &["--save-sharded=no"][..]), (libc::SIGUSR1, sharded)] {
        let mut ranks = Ranks::new(4, &[&["--save", "c", "--preempt-deadline", "100"][..], more].concat());
        let children = ranks.running();
        // One of them is enough.
        signal(&children[2], sent);
        let ended: Vec<Ended> = children.into_iter().map(ended).collect();
        all_say(&ended, 143, &[]);
        assert!(ended[0].stderr.contains("Preempted after step "), "{}", ended[0].stderr);
        // The rank that got the signal says so, and from whom.
        let name = if sent == libc::SIGTERM { "SIGTERM" } else { "SIGUSR1" };
        let by = format!("Stopping preempted: after this step, since {name} from process {} (", std::process::id());
        assert!(ended[2].stderr.contains(&by), "{by}: {}", ended[2].stderr);
        assert!(ended[0].stderr.contains("go on with --resume"), "{}", ended[0].stderr);
        let done = std::fs::read_to_string(ranks.dir.path().join("metrics")).unwrap().lines().count() as u64;
        assert_eq!(saves::complete(&ranks, &ranks.dir.path().join("c")).last(), Some(&done));
    }
}

/// A step that does not end before the deadline is not waited for.
#[test]
fn a_deadline_that_passes() {
    let mut slow = Ranks::new(1, &["--steps", "2", "--save", "c", "--preempt-deadline", "0.5"]);
    slow.commands[0].env("SLOW_MS", "600000").env("IN_A_STEP", "step");
    let child = slow.start().remove(0);
    let start = Instant::now();
    while !slow.dir.path().join("step").exists() && start.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(5));
    }
    signal(&child, libc::SIGTERM);
    let e = ended(child);
    assert_eq!(e.code, Some(3), "{}", e.stderr);
    assert!(e.stderr.contains("not saved within --preempt-deadline 0.5"), "{}", e.stderr);
    assert!(!slow.dir.path().join("c/.lock").exists(), "nothing is left locked");
}

#[test]
fn a_second_signal_ends_at_once() {
    let mut slow = Ranks::new(1, &["--steps", "2", "--save", "c"]);
    slow.commands[0].env("SLOW_MS", "600000").env("IN_A_STEP", "step");
    let child = slow.start().remove(0);
    let start = Instant::now();
    // A signal before the step would end the run before it, as it was asked to.
    while !slow.dir.path().join("step").exists() && start.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(5));
    }
    // Two of one kind may come as one; the first has to be heard before the second is sent.
    let mut child = child;
    while child.try_wait().unwrap().is_none() && start.elapsed() < PATIENCE {
        signal(&child, libc::SIGTERM);
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(ended(child).code, Some(143));
}
