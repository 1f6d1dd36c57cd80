//! A short run of every target, the same cases each time.

use meshloom_fuzz::targets::ALL;
use meshloom_fuzz::{files, input, mutate, one};

#[test]
fn no_target_finds_anything() {
    let work = std::thread::Builder::new().stack_size(256 << 20).spawn(|| {
        for target in ALL {
            let cases = match target.name {
                "plan" => 20,
                "plan-json" | "tokenizer" => 60,
                _ => 150,
            };
            for case in 0..cases {
                if let Err(f) = one(target, 1, case) {
                    panic!("{} case {case}: {}\n{}", f.target, f.what, String::from_utf8_lossy(&f.input));
                }
            }
        }
    });
    work.expect("a thread").join().expect("no finding");
}

/// The messages that are mutated are messages, all of them.
#[test]
fn seeds_of_messages_are_understood() {
    let found: Vec<usize> =
        files::messages_seeds().iter().map(|s| meshloom_runtime::world::messages_in(&s[..])).collect();
    assert_eq!(found, [12, 2]);
}

/// The staged programs that are mutated are a sound entry, so that a mutation gets as far as what it damages.
#[test]
fn the_seed_with_stages_is_sound() {
    use meshloom_bundle::{EntryContents, EntryKind, Pipeline, validate_entry};
    let mut all = meshloom_fuzz::staged::programs().into_iter();
    let program = all.next().expect("an outline");
    let pipeline = Some(Pipeline { axis: 0, schedule: "-\n-\n".into(), ranks: all.collect() });
    let (plan, certificate) = (String::new(), String::new());
    let entry = EntryContents { kind: EntryKind::Train, program, pipeline, plan, certificate };
    validate_entry(&entry).expect("a sound entry");
}

/// Cases are the same each time, and not all noise: most are still Loom, and none is like the next.
#[test]
fn cases_are_reproducible_and_varied() {
    let target = &ALL[0];
    let texts: Vec<Vec<u8>> = (0..100).map(|i| input(target, 3, i)).collect();
    assert!((0..100).all(|i| texts[i as usize] == input(target, 3, i)));
    assert!(texts.windows(2).all(|w| w[0] != w[1]));
    let loom = texts.iter().filter(|t| mutate::is_loom(&String::from_utf8_lossy(t))).count();
    assert!(loom > 80, "{loom}");
}
