//! Four ranks that save shards in the background are killed at any moment, and the disk fills: nothing is lost, and what is there is
//! complete.

use super::saves::complete;
use super::*;
use std::fs::{read, read_dir};

const STEPS: &str = "24";
const SAVE: [&str; 5] = ["--save-every", "1", "--save-keep", "2", "--save-sharded"];

/// Four ranks that save into `to`, and go on from there if something is there.
fn four(to: &Path) -> Ranks {
    let to_text = to.to_str().unwrap();
    let mut args = vec!["--steps", STEPS, "--save-async", "--save", to_text];
    args.extend(SAVE);
    if to.join("latest").exists() {
        args.extend(["--resume", to_text]);
    }
    let mut ranks = Ranks::new(4, &args);
    // A step takes long enough for a save to be going on at any moment of it.
    ranks.commands.iter_mut().for_each(|c| _ = c.env("SLOW_MS", "3"));
    ranks
}

/// The files of the newest checkpoint.
fn newest(to: &Path) -> Vec<(String, Vec<u8>)> {
    let latest = std::fs::read_to_string(to.join("latest")).unwrap();
    let folder = read_dir(to.join(latest.lines().next().unwrap())).unwrap().flatten();
    let mut files: Vec<_> = folder.map(|e| (e.file_name().into_string().unwrap(), read(e.path()).unwrap())).collect();
    files.sort();
    files
}

/// Runs are killed until there were so many kills; each run that comes to its end has the bits of a run that nobody killed. Returns the
/// kills, how many came while there was a checkpoint, and the runs.
fn killed(kills: usize) -> [usize; 3] {
    let dir = tempfile::tempdir().unwrap();
    let whole = dir.path().join("whole");
    let start = Instant::now();
    all_say(&four(&whole).finish(), 0, &[]);
    let took = start.elapsed().as_micros() as u64;
    let expected = newest(&whole);
    // Parameters and state of each rank that has some, two indices, the manifest and its hash.
    assert!(expected.len() >= 7, "{:?}", expected.iter().map(|f| &f.0).collect::<Vec<_>>());
    let mut rng = common::Rng(3);
    let (mut count, mut saved, mut runs) = (0, 0, 0);
    while count < kills {
        let to = dir.path().join(format!("run-{runs}"));
        runs += 1;
        loop {
            let mut ranks = four(&to);
            let mut children = ranks.start();
            std::thread::sleep(Duration::from_micros(rng.next(took * 3 / 4)));
            // All at once as when a machine goes, or one, with which all others end.
            let one = rng.next(3) == 0;
            let first = rng.next(4) as usize;
            for k in 0..if one { 1 } else { 4 } {
                _ = children[(first + k) % 4].kill();
            }
            let codes: Vec<Option<i32>> = children.into_iter().map(|c| ended(c).code).collect();
            if codes.iter().all(|&c| c == Some(0)) {
                break;
            }
            let fair = |c: &Option<i32>| matches!(c, None | Some(3) | Some(0) | Some(2));
            assert!(codes.iter().all(fair), "{codes:?}");
            count += 1;
            assert!(count < kills + 1000, "runs do not come to an end");
            if to.exists() {
                saved += usize::from(!complete(&ranks, &to).is_empty());
            }
        }
        assert_eq!(newest(&to), expected, "run {runs}");
        let mut names: Vec<_> =
            read_dir(&to).unwrap().flatten().map(|e| e.file_name().into_string().unwrap()).collect();
        names.sort();
        assert_eq!(names, ["latest", "step-000023", "step-000024"], "run {runs}");
    }
    [count, saved, runs]
}

#[test]
fn ranks_that_save_in_the_background_are_killed() {
    let [count, saved, _] = killed(6);
    assert!(count >= 6 && saved > 0, "{count} kills, {saved} with a checkpoint");
}

#[test]
#[ignore = "takes minutes: the same with 200 kills"]
fn two_hundred_kills() {
    let [count, saved, runs] = killed(200);
    println!("{count} kills in {runs} runs, {saved} of them with a checkpoint: the bits are those of a whole run");
}

/// Four ranks save until a disk of this size is full: the run ends, and all that was published is whole. Returns the checkpoints that
/// are there; nothing where mounts are not allowed.
fn filled(kib: u64, more: &str) -> Option<Vec<u64>> {
    let ranks = Ranks::new(1, &[]);
    let port = TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
    let program = env!("CARGO_BIN_EXE_meshloom-run");
    let script = format!(
        "mkdir c && mount -t tmpfs -o size={kib}k tmpfs c || exit 99; export WORLD_SIZE=4 MASTER_ADDR=127.0.0.1 MASTER_PORT={port}
         for r in 0 1 2 3; do
             RANK=$r {program} fit.loomx {} --threads 1 --steps 100000 --save c --save-every 1 {more} 2> err$r & all=\"$all $!\"
         done
         for p in $all; do wait $p; echo $?; done; cp -r c after",
        INPUTS.join(" ")
    );
    let mut c = Command::new("unshare");
    c.args(["--user", "--map-root-user", "--mount", "bash", "-c", &script]).current_dir(ranks.dir.path());
    let out = c.env_remove("MESHLOOM_LISTEN_FD").output().unwrap();
    let codes = String::from_utf8_lossy(&out.stdout);
    if !codes.contains('2') && String::from_utf8_lossy(&out.stderr).contains("unshare") || out.status.code() == Some(99)
    {
        eprintln!("no namespaces for mounts here: full disks are not tested");
        return None;
    }
    // One rank finds the disk full, and all end with it.
    let mut codes: Vec<&str> = codes.split_whitespace().collect();
    codes.sort_unstable();
    assert!(codes.len() == 4 && codes.contains(&"2") && codes.iter().all(|c| ["2", "3"].contains(c)), "{codes:?}");
    let said: String =
        (0..4).map(|r| std::fs::read_to_string(ranks.dir.path().join(format!("err{r}"))).unwrap()).collect();
    assert!(said.contains("No space left on device"), "{said}");
    let after = ranks.dir.path().join("after");
    let steps = complete(&ranks, &after);
    // `latest` names one of them.
    assert_eq!(after.join("latest").exists(), !steps.is_empty(), "{said}");
    assert!(steps.is_empty() || !newest(&after).is_empty());
    Some(steps)
}

/// A disk that fills while four ranks save. The smallest one has room for all of a checkpoint, and not for `latest`.
#[test]
fn a_disk_that_fills() {
    let shards = "--save-sharded";
    for (kib, more) in [(64, shards), (96, "--save-sharded --save-async"), (48, "--save-sharded=no"), (44, shards)] {
        let Some(steps) = filled(kib, more) else { return };
        assert!(!steps.is_empty() || kib == 44, "{kib} KiB");
    }
}

#[test]
#[ignore = "takes minutes: the same with a hundred disks, of one page more each time, so that each file of a checkpoint is cut"]
fn a_hundred_disks_that_fill() {
    let (mut disks, mut none) = (0, 0);
    for kib in (4..=200).step_by(4) {
        for more in ["--save-sharded --save-async", "--save-sharded"] {
            let Some(steps) = filled(kib, more) else { return };
            disks += 1;
            none += usize::from(steps.is_empty());
        }
    }
    println!("{disks} disks, {none} of them too small for one checkpoint");
    assert!(disks == 100 && none < disks);
}
