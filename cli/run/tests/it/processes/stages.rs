//! Processes that have the devices of pipeline stages: they do what one process does, and whatever ends one of them ends all.

use super::launchers::{MEANS, meddled, under_mpirun};
use super::*;
use crate::common::staged::{C, in_stages, with_kernels};

/// Two stages, each on two devices.
fn ranks(world: usize, args: &[&str]) -> Ranks {
    let ranks = Ranks::new(world, args);
    staged(ranks.dir.path());
    ranks
}

fn staged(dir: &Path) {
    let slow = "#include <stdlib.h>\n#include <unistd.h>\nstatic void slow(void) { const char *s = getenv(\"SLOW_MS\"); \
                if (s) usleep(1000 * atoi(s)); }\n";
    let c = format!("{slow}{}", C.replace("float d = out", "if (i == 0) slow(); float d = out"));
    std::fs::write(dir.join("fit.loomx"), with_kernels(in_stages(2, false), &c)).unwrap();
}

#[test]
fn processes_do_what_one_does() {
    let run = |world: usize| {
        let mut ranks = ranks(world, &["--steps", "6", "--json", "--save", "c", "--check-desync", "2"]);
        let ended = ranks.finish();
        ended.iter().skip(1).for_each(|e| assert_eq!((e.code, e.stdout.as_str()), (Some(0), ""), "{}", e.stderr));
        (losses(&ended[0]), checkpoint(ranks.dir.path()))
    };
    let alone = run(1);
    assert_eq!(alone.0.len(), 6);
    for world in [2, 4] {
        assert_eq!(run(world), alone, "{world} processes");
    }
}

/// Four processes, a device of a stage each: what stages send goes by messages as well as by memory.
#[test]
fn stages_of_mpirun_do_what_one_process_does() {
    let args = ["--steps", "6", "--json", "--save", "c"];
    let mut alone = ranks(1, &args);
    let (expected, saved) = (losses(&alone.finish()[0]), checkpoint(alone.dir.path()));
    for means in MEANS {
        let dir = tempfile::tempdir().unwrap();
        staged(dir.path());
        let args = [&args[..], &["--collectives", means]].concat();
        let Some(mut c) = under_mpirun(dir.path(), &args) else { return };
        assert_eq!(losses(&ended(c.spawn().unwrap())), expected, "by {means}");
        assert_eq!(checkpoint(dir.path()), saved, "by {means}");
    }
}

#[test]
fn a_stopped_or_killed_stage_of_mpirun_is_named() {
    for (means, signal) in MEANS.iter().flat_map(|m| [(m, libc::SIGSTOP), (m, libc::SIGKILL)]) {
        let dir = tempfile::tempdir().unwrap();
        staged(dir.path());
        let Some(e) = meddled(dir.path(), means, 3, signal) else { return };
        if signal == libc::SIGSTOP {
            // Those who wait for the stopped one are in a collective, at a wire, or between steps.
            all_say(&[e], 3, &["rank 3", " within 8 s; rank ", "was last seen at ", "step "]);
        }
    }
}

/// Each stage has collectives of its own, and those of the last one have a rank that comes last. Whoever waits for that rank at
/// a wire comes last in its own stage.
#[test]
fn the_rank_for_which_its_stage_waits_is_named() {
    let mut four = ranks(4, &["--steps", "8", "--stragglers"]);
    four.commands[3].env("SLOW_MS", "60");
    let ended = four.finish();
    all_say(&ended, 0, &[]);
    let said = &ended[0].stderr;
    let rows = said.lines().filter(|l| l.contains(" of 8 ")).map(|l| l.split_whitespace().collect::<Vec<_>>());
    let last = rows.into_iter().find(|r| r[0] == "3").unwrap_or_else(|| panic!("{said}"));
    assert!(last[1].parse::<u32>().unwrap() >= 6 && said.contains("all_reduce over data"), "{said}");
    if !MEANS.contains(&"mpi") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    staged(dir.path());
    let args = ["--steps", "2", "--stragglers", "--collectives", "mpi"];
    let Some(mut c) = under_mpirun(dir.path(), &args) else { return };
    all_say(
        &[super::ended(c.spawn().unwrap())],
        0,
        &["ranks that share no memory (several hosts, GPUs) are not compared"],
    );
}

#[test]
fn a_killed_process_ends_all() {
    let mut ranks = ranks(4, &[]);
    let mut children = ranks.running();
    signal(&children[2], libc::SIGKILL);
    assert_eq!(ended(children.remove(2)).code, None);
    let rest: Vec<Ended> = children.into_iter().map(ended).collect();
    all_say(&rest, 3, &["rank 2 ended without a word (killed?); it was last seen at ", ", step "]);
}

/// Processes that have a stage each: the other one waits for a wire.
#[test]
fn a_stopped_process_is_named_with_what_is_waited_for() {
    for (world, stopped) in [(2, 1), (2, 0), (4, 3)] {
        let mut ranks = ranks(world, &["--timeout", "8"]);
        let mut children = ranks.running();
        signal(&children[stopped], libc::SIGSTOP);
        let late = children.remove(stopped);
        let rest: Vec<Ended> = children.into_iter().map(ended).collect();
        let name = format!("rank {stopped}");
        all_say(&rest, 3, &[&name, " within 8 s", " was last seen at ", "step "]);
        if world == 2 {
            let waits = format!("rank {} of the pipeline waits for `", 1 - stopped);
            let between =
                |e: &Ended| ["the end of a step", "the reading of a tensor"].iter().any(|w| e.stderr.contains(w));
            assert!(rest.iter().all(|e| e.stderr.contains(&waits) || between(e)), "{}", rest[0].stderr);
            assert!(rest.iter().all(|e| e.stderr.contains(" of microbatch ") || between(e)), "{}", rest[0].stderr);
        }
        signal(&late, libc::SIGCONT);
        assert_eq!(ended(late).code, Some(3));
    }
}

/// The stages of one process are threads, and a slow one is waited for: it is said once which of its actions takes so long.
#[test]
fn a_slow_stage_of_one_process_is_named_and_waited_for() {
    let run = |slow: bool| {
        let timeout: &[&str] = if slow { &["--timeout", "0.3"] } else { &[] };
        let mut ranks = ranks(1, &[&["--steps", "1", "--json"], timeout].concat());
        if slow {
            ranks.commands[0].env("SLOW_MS", "700");
        }
        ranks.finish().remove(0)
    };
    let (usual, slow) = (run(false), run(true));
    assert_eq!((usual.code, slow.code), (Some(0), Some(0)), "{}{}", usual.stderr, slow.stderr);
    assert_eq!(losses(&usual), losses(&slow));
    let told =
        |e: &Ended| e.stderr.lines().filter(|l| l.contains("is waited for as long as")).map(String::from).collect();
    let (none, all): (Vec<String>, Vec<String>) = (told(&usual), told(&slow));
    assert!(none.is_empty() && !all.is_empty(), "{none:?} {}", slow.stderr);
    let mut late: Vec<&str> = Vec::new();
    for line in &all {
        let (waits, is) = line.split_once(" for more than 0.3 s: rank ").unwrap_or_else(|| panic!("{line}"));
        assert!(waits.contains("warning: rank ") && waits.contains(" of the pipeline waits "), "{line}");
        assert!(waits.contains(" of microbatch "), "{line}");
        assert!(is.contains(", a thread of this process, is in action ") && is.contains(" of microbatch "), "{line}");
        late.push(is);
    }
    let count = late.len();
    late.sort_unstable();
    late.dedup();
    assert_eq!(late.len(), count, "each is said once: {all:?}");
}

#[test]
fn ctrl_c_ends_after_a_step() {
    for world in [1, 4] {
        let mut ranks = ranks(world, &["--save", "c"]);
        let children = ranks.running();
        signal(&children[world - 1], libc::SIGINT);
        let all: Vec<Ended> = children.into_iter().map(ended).collect();
        all_say(&all, 130, &[]);
        assert!(all[0].stderr.contains("Saved"), "{}", all[0].stderr);
    }
}
