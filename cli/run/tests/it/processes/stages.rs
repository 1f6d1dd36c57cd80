//! Processes that have the devices of pipeline stages: they do what one process does, and whatever ends one of them ends all.

use super::*;
use crate::common::staged::{C, bytes_of, in_stages};

/// Two stages, each on two devices.
fn ranks(world: usize, args: &[&str]) -> Ranks {
    let ranks = Ranks::new(world, args);
    let slow = "#include <stdlib.h>\n#include <unistd.h>\nstatic void slow(void) { const char *s = getenv(\"SLOW_MS\"); \
                if (s) usleep(1000 * atoi(s)); }\n";
    let c = format!("{slow}{}", C.replace("float d = out", "if (i == 0) slow(); float d = out"));
    std::fs::write(ranks.dir.path().join("fit.loomx"), bytes_of(in_stages(2, false), &c)).unwrap();
    ranks
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
