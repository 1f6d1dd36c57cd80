//! What ranks must have alike: a difference is named before the first step, and copies that part later are found.

use super::*;
use std::path::PathBuf;

/// A folder of its own for a rank, with the same bundle.
fn elsewhere(ranks: &mut Ranks, rank: usize) -> PathBuf {
    let own = ranks.dir.path().join(format!("rank{rank}"));
    std::fs::create_dir(&own).unwrap();
    std::fs::copy(ranks.dir.path().join("fit.loomx"), own.join("fit.loomx")).unwrap();
    ranks.commands[rank].current_dir(&own);
    own
}

/// All ranks end with the same sentence, which begins so and has these parts, and before any step.
fn refused(ended: &[Ended], begins: &str, parts: &[&str]) {
    let line = format!("error: before the first step: ranks disagree on {begins}");
    all_say(ended, 2, &[&line]);
    all_say(ended, 2, parts);
    let sentence = |e: &Ended| e.stderr.lines().find(|l| l.starts_with(&line)).map(str::to_owned);
    assert!(ended.iter().all(|e| sentence(e) == sentence(&ended[0]) && e.stdout.is_empty()), "{}", ended[0].stderr);
}

#[test]
fn other_data_are_named() {
    let feed = ["--data", "x=x.npy", "y=y.npy"];
    let run = |change: &dyn Fn(&Path)| {
        let mut ranks = Ranks::fed(4, &feed, &["--steps", "3", "--json"]);
        let other = elsewhere(&mut ranks, 2);
        for dir in [ranks.dir.path(), &other] {
            npy(&dir.join("x.npy"), 40, 4);
            npy(&dir.join("y.npy"), 40, 0);
        }
        change(&other);
        ranks.finish()
    };
    // The same data from another folder.
    all_say(&run(&|_| {}), 0, &[]);
    let said = "the data (--data): rank 2 has x.npy, y.npy: 40 rows (";
    let changed = run(&|dir| {
        let mut bytes = std::fs::read(dir.join("x.npy")).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        std::fs::write(dir.join("x.npy"), bytes).unwrap();
    });
    refused(&changed, said, &["); ranks 0, 1, 3 have x.npy, y.npy: 40 rows ("]);
    let longer = run(&|dir| {
        npy(&dir.join("x.npy"), 44, 4);
        npy(&dir.join("y.npy"), 44, 0);
    });
    let parts = ["44 rows (", "; these differ as well: the parts and orders of the data"];
    refused(&longer, "the data (--data): rank 2 has x.npy, y.npy: ", &parts);
}

#[test]
fn another_tokenizer_is_named() {
    let mut ranks = Ranks::new(2, &["--tokenizer", "t.json"]);
    let other = elsewhere(&mut ranks, 1);
    std::fs::write(ranks.dir.path().join("t.json"), "{}").unwrap();
    std::fs::write(other.join("t.json"), "{ }").unwrap();
    refused(&ranks.finish(), "the tokenizer (--tokenizer): rank 0 has t.json (", &["; rank 1 has t.json ("]);
}

/// A checkpoint of a run with these options.
fn saved(into: &Path, args: &[&str]) {
    let mut alone = Ranks::new(1, &[args, &["--save", into.to_str().unwrap()]].concat());
    all_say(&alone.finish(), 0, &[]);
}

#[test]
fn other_weights_are_named() {
    let mut ranks = Ranks::new(2, &["--load", "c"]);
    let other = elsewhere(&mut ranks, 1);
    saved(&ranks.dir.path().join("c"), &["--steps", "1"]);
    saved(&other.join("c"), &["--steps", "1", "--seed", "5"]);
    let parts = ["; rank 1 has 6 tensors with those of c ("];
    refused(
        &ranks.finish(),
        "the weights and the state, first in `blocks.0.w`: rank 0 has 6 tensors with those of c (",
        &parts,
    );
}

#[test]
fn another_checkpoint_is_named() {
    let mut ranks = Ranks::new(2, &["--resume", "c", "--steps", "6"]);
    let other = elsewhere(&mut ranks, 1);
    saved(&ranks.dir.path().join("c"), &["--steps", "3"]);
    saved(&other.join("c"), &["--steps", "4"]);
    let parts = ["; rank 1 has c/step-000004 after step 4 (", "these differ as well: the weights and the state"];
    refused(&ranks.finish(), "the checkpoint (--resume): rank 0 has c/step-000003 after step 3 (", &parts);
}

#[test]
fn other_inputs_are_named() {
    let mut ranks = Ranks::fed(2, &INPUTS[..2], &[]);
    for (rank, key) in ["a", "b"].iter().enumerate() {
        ranks.commands[rank].args(["--input", &format!("y=det:uniform:{key}:1.0")]);
    }
    refused(&ranks.finish(), "the inputs (--input, --inputs), first in `y`: rank 0 has 2 tensors (", &[]);
}

/// Options are compared when ranks meet.
#[test]
fn another_seed_or_split_is_named() {
    for (option, here, there) in [("--seed", "0", "1"), ("--check-desync", "0", "2")] {
        let mut ranks = Ranks::new(2, &[]);
        ranks.commands[1].args([option, there]);
        all_say(&ranks.finish(), 2, &[&format!(") has {option} {there}, and rank 0 has {here}")]);
    }
    let mut ranks = Ranks::fed(2, &["--data", "x=x.npy", "y=y.npy"], &["--eval-every", "1"]);
    npy(&ranks.dir.path().join("x.npy"), 40, 4);
    npy(&ranks.dir.path().join("y.npy"), 40, 0);
    ranks.commands[1].args(["--eval-split", "0.3"]);
    all_say(&ranks.finish(), 2, &[") has --eval-split 0.3, and rank 0 has 0.1"]);
    let mut ranks = Ranks::fed(2, &["--data", "t.txt"], &["--tokenizer", "t.json"]);
    ranks.commands[1].arg("--pack");
    all_say(&ranks.finish(), 2, &[") has --pack given, and rank 0 has not given"]);
}

/// A rank's copy of a parameter is changed behind its back: the next comparison names it, the step and the rank.
#[test]
fn copies_that_part_are_found() {
    let args = ["--steps", "12", "--json", "--save", "c", "--check-desync", "3"];
    let sound = Ranks::new(4, &args).finish();
    assert_eq!(losses(&sound[0]).len(), 12);
    let mut ranks = Ranks::new(4, &args);
    ranks.commands[1].env("DAMAGE_UPDATE", "4");
    let ended = ranks.finish();
    let parts = [
        "error: entry `fit`: after step 6 the copies of `blocks.*.w` differ, which are equal along data in a sound run: \
         device 1 (rank 1) has ",
        "; devices 0, 2, 3 (ranks 0, 2, 3) have ",
    ];
    all_say(&ended, 3, &parts);
    assert!(!ranks.dir.path().join("c/latest").exists(), "what is damaged is not saved");
}

/// The loss alone is another one on one rank, in a step after which it is compared, or in one after which it is not.
#[test]
fn a_loss_that_differs_is_found() {
    let (mut program, c) = slow_model(4, "0.5f");
    let loss = program.ports.iter().find(|p| p.role == Role::Loss).unwrap().offset;
    program.kernels.push(common::kernel("reported", 1, 0, false));
    program.instrs.push(common::launch(2, vec![BufRef::fixed(loss, 4)], vec![0], 1, vec![]));
    let reported = "void reported(float *loss, long lo, long hi) { const char *s = getenv(\"DAMAGE_LOSS\"); \
                    static int n; if (s && ++n == atoi(s)) *loss += 0.25f; }";
    let c = format!("{c}{reported}");
    let run = |step: &str| {
        let mut ranks = Ranks::new(4, &["--steps", "9", "--json", "--check-desync", "3"]);
        written(&ranks.dir.path().join("fit.loomx"), program.clone(), &c);
        ranks.commands[2].env("DAMAGE_LOSS", step);
        ranks.finish()
    };
    let parts = [
        "error: entry `fit`: after step 6 the copies of `loss` differ, which are equal along data in a sound run: \
         device 2 (rank 2) has ",
        "; devices 0, 1, 3 (ranks 0, 1, 3) have ",
    ];
    let ended = run("6");
    all_say(&ended, 3, &parts);
    assert!(ended.iter().all(|e| !e.stderr.contains("more tensors")), "{}", ended[0].stderr);
    assert_eq!(losses(&run("5")[0]).len(), 9);
}

/// The devices of one process are compared as well: the third update of the second step is device 2's.
#[test]
fn devices_of_one_process_are_compared() {
    let args = ["--steps", "12", "--json", "--check-desync", "1"];
    let mut alone = Ranks::new(1, &args);
    alone.commands[0].env("DAMAGE_UPDATE", "7");
    let parts = ["after step 2 the copies of `blocks.*.w` differ", ": device 2 has ", "; devices 0, 1, 3 have "];
    let ended = alone.finish();
    all_say(&ended, 3, &parts);
    let mut unwatched = Ranks::new(1, &args[..3]);
    unwatched.commands[0].env("DAMAGE_UPDATE", "7");
    assert_eq!(losses(&unwatched.finish()[0]).len(), 12, "without the comparison nobody notices");
    // Two processes with two devices each.
    let mut two = Ranks::new(2, &args);
    two.commands[1].env("DAMAGE_UPDATE", "5");
    all_say(&two.finish(), 3, &["after step 3 the copies of `blocks.*.w` differ", "device 2 (rank 1) has "]);
}
