//! Who saves where, and what happens to checkpoints when something goes wrong beside them.

use super::*;
use meshloom_runtime::{Session, SessionOptions, checkpoint};
use std::fs::{File, read_dir, remove_file};
use std::os::fd::OwnedFd;
use std::path::PathBuf;

/// The checkpoints of a folder, each of which is complete.
pub fn complete(ranks: &Ranks, folder: &Path) -> Vec<u64> {
    let bundle = Bundle::read(&std::fs::read(ranks.dir.path().join("fit.loomx")).unwrap()).unwrap();
    let mut steps = Vec::new();
    for e in read_dir(folder).unwrap().flatten() {
        let Some(step) = e.file_name().to_str().and_then(|n| n.strip_prefix("step-")?.parse().ok()) else { continue };
        let seed = std::fs::read_to_string(e.path().join("manifest.json")).unwrap().contains("\"seed\": 1").into();
        let options = SessionOptions { threads: Some(1), seed, ..SessionOptions::default() };
        let mut s = Session::open(&bundle, "fit", &options).unwrap();
        assert_eq!(checkpoint::resume(&mut s, &e.path()).unwrap_or_else(|e| panic!("{e}")).step, step);
        steps.push(step);
    }
    steps.sort_unstable();
    steps
}

/// Training goes on where nobody hears of it.
#[test]
fn a_standard_error_that_takes_nothing() {
    let closed = || {
        let (read, write) = std::io::pipe().unwrap();
        drop(read);
        OwnedFd::from(write)
    };
    for stderr in [OwnedFd::from(File::options().write(true).open("/dev/full").unwrap()), closed()] {
        let mut ranks = Ranks::new(1, &["--steps", "6", "--save", "c", "--save-every", "2", "--metrics", "m"]);
        ranks.commands[0].stderr(stderr);
        assert_eq!(ranks.finish()[0].code, Some(0));
        assert_eq!(complete(&ranks, &ranks.dir.path().join("c")), [2, 4, 6]);
        assert_eq!(std::fs::read_to_string(ranks.dir.path().join("m")).unwrap().lines().count(), 6);
    }
}

/// The command in a process namespace of its own, as in a container, where it is process 1; none where that is not allowed.
fn as_process_1(c: &Command) -> Option<Command> {
    let wrap = ["--user", "--map-root-user", "--pid", "--fork", "--kill-child", "--mount-proc"];
    let tried = Command::new("unshare").args(wrap).arg("true").output();
    if !tried.is_ok_and(|o| o.status.success()) {
        eprintln!("no namespaces for processes here: two containers are not tested");
        return None;
    }
    let mut own = Command::new("unshare");
    own.args(wrap).arg(c.get_program()).args(c.get_args()).current_dir(c.get_current_dir()?);
    own.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).env("SLOW_MS", "1");
    own.env_remove("RANK").env_remove("WORLD_SIZE");
    Some(own)
}

fn wait_for(child: &mut Child, path: PathBuf) {
    let start = Instant::now();
    while !path.exists() && start.elapsed() < PATIENCE {
        assert!(child.try_wait().unwrap().is_none(), "it ended before {}", path.display());
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Two runs that are both process 1 save into one folder; whether that can be tried here.
fn two_containers() -> bool {
    let save = ["--steps", "1000000", "--save", "c", "--save-every", "1", "--save-keep", "3"];
    let ranks = Ranks::new(1, &save);
    let Some(mut first) = as_process_1(&ranks.commands[0]) else { return false };
    let mut second = as_process_1(&ranks.commands[0]).unwrap();
    second.args(["--seed", "1"]);
    let latest = || ranks.dir.path().join("c/latest");
    let mut a = first.spawn().unwrap();
    wait_for(&mut a, latest());
    let refused = ended(second.spawn().unwrap());
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    assert!(refused.stderr.contains("c/.lock: process 1 of host "), "{}", refused.stderr);
    // Somebody removes the file all the same. Whatever comes of it, no checkpoint is a mixture.
    remove_file(ranks.dir.path().join("c/.lock")).unwrap();
    let mut b = second.spawn().unwrap();
    // Until the second one has saved as well, or given up.
    let start = Instant::now();
    let saved = || {
        let folders = read_dir(ranks.dir.path().join("c")).unwrap().flatten();
        let manifests = folders.filter_map(|e| std::fs::read_to_string(e.path().join("manifest.json")).ok());
        manifests.filter(|m| m.contains("\"seed\": 1")).count() > 0
    };
    while !saved() && b.try_wait().unwrap().is_none() && start.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(5));
    }
    _ = a.kill();
    _ = b.kill();
    a.wait().unwrap();
    b.wait().unwrap();
    assert!(!complete(&ranks, &ranks.dir.path().join("c")).is_empty());
    // Both are gone, and what they left locked is taken over.
    let mut last = Ranks::new(1, &["--steps", "4", "--save"]);
    last.commands[0].arg(ranks.dir.path().join("c"));
    let e = last.finish().remove(0);
    assert_eq!(e.code, Some(0), "{}", e.stderr);
    assert!(complete(&ranks, &ranks.dir.path().join("c")).contains(&4));
    assert!(read_dir(ranks.dir.path().join("c")).unwrap().flatten().all(|e| {
        let name = e.file_name().into_string().unwrap();
        name == "latest" || name.starts_with("step-")
    }));
    true
}

#[test]
fn two_containers_that_are_both_process_1() {
    two_containers();
}

#[test]
#[ignore = "takes minutes: the same 100 times"]
fn a_hundred_times_two_containers() {
    println!("{} times", (0..100).take_while(|_| two_containers()).count());
}

/// Ranks write shards, now and in the background, and as many or fewer ranks go on from them with the same losses.
#[test]
fn shards_go_on_with_another_number_of_processes() {
    let all = losses(&Ranks::new(1, &["--steps", "6", "--json"]).finish()[0]);
    for more in [&["--save-sharded"][..], &["--save-async", "--save-every", "1"]] {
        let mut four = Ranks::new(4, &[&["--steps", "3", "--save", "c"], more].concat());
        all_say(&four.finish(), 0, &[]);
        let from = four.dir.path().join("c");
        assert!(from.join("step-000003/state.rank-00003-001.safetensors").exists());
        let from = from.to_str().unwrap();
        for world in [4, 2, 1] {
            let go_on = Ranks::new(world, &["--steps", "6", "--json", "--resume", from]).finish();
            assert_eq!(losses(&go_on[0]), all[3..], "{world}");
        }
    }
    // What cannot be is said.
    let mut ranks = Ranks::new(2, &["--steps", "1", "--save", "c", "--save-async", "--save-sharded=no"]);
    assert!(ranks.finish()[0].stderr.contains("leave out --save-sharded no"));
}

/// Each rank reads what its devices hold, and nothing else: damage to a part is found by the rank that needs the part.
#[test]
fn a_rank_reads_its_own_parts() {
    let mut four = Ranks::new(4, &["--steps", "3", "--save", "c", "--save-sharded"]);
    all_say(&four.finish(), 0, &[]);
    let from = four.dir.path().join("c");
    // Rows 6 and 7 of `split` are the last device's; they are the last bytes of its file.
    let file = from.join("step-000003/state.rank-00003-001.safetensors");
    let mut bytes = std::fs::read(&file).unwrap();
    let index = std::fs::read_to_string(from.join("step-000003/state.shards.json")).unwrap();
    let index: serde_json::Value = serde_json::from_str(&index).unwrap();
    let parts = index["tensors"]["split"]["parts"].as_array().unwrap();
    let part = parts.iter().find(|p| p["from"][0] == 6).unwrap();
    assert_eq!(part["file"], "state.rank-00003-001.safetensors");
    bytes[part["offset"].as_u64().unwrap() as usize] ^= 1;
    std::fs::write(&file, bytes).unwrap();
    let ended = Ranks::new(4, &["--steps", "6", "--resume", from.to_str().unwrap()]).finish();
    let due = "the sha256 of a part of `split` differs from the index's: the file is damaged";
    all_say(&ended[3..], 2, &[due]);
    all_say(&ended[..3], 3, &["rank 3 failed: ", due]);
}
