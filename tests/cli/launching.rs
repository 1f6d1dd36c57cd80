//! `meshloom launch`: four processes train to the oracle's losses; the launcher ends with its ranks, and says which
//! rank was to blame.
//!
//! `gpt_small` as four processes takes a minute in a debug build, so it runs with `--ignored`; `gpt_tiny` always runs. How ranks end is tested without a compiler, in `cli/run/tests/it/processes`.

use crate::support::{Place, assert_close, finish, losses, meshloom, oracle, oracle_losses};
use std::io::{BufRead, BufReader};
use std::process::Stdio;

const MESH: &str = "data=2,model=2";

fn compile(place: &Place, example: &str, more: &[&str]) {
    let out = meshloom(place, &[&["compile", example, "--cpu", "native", "-o", "m.loomx"], more].concat());
    assert_eq!(out.code, 0, "{}", out.stderr);
}

fn gpt_tiny() -> Vec<String> {
    let mut all = vec!["--load".into(), oracle("gpt_tiny/params.safetensors")];
    for name in ["tokens", "targets"] {
        all.extend(["--input".into(), format!("{name}=@{}", oracle(&format!("gpt_tiny/{name}.npy")))]);
    }
    all
}

#[test]
fn gpt_tiny_as_four_processes() {
    let place = Place::new();
    compile(&place, "examples/gpt_tiny.loom", &["--mesh", MESH, "--layout", "megatron"]);
    let inputs = gpt_tiny();
    let run: Vec<&str> = ["m.loomx", "--steps", "5", "--json", "--threads", "1"]
        .into_iter()
        .chain(inputs.iter().map(String::as_str))
        .collect();
    let saved =
        |name: &str| std::fs::read(place.path().join(name).join("step-000005/state.safetensors")).expect("saved");
    let alone = meshloom(&place, &[&["run"], &run[..], &["--save", "alone"]].concat());
    assert_eq!(alone.code, 0, "{}", alone.stderr);
    for ranks in ["4", "2"] {
        let out = meshloom(&place, &[&["launch", "--nproc-per-node", ranks], &run[..], &["--save", ranks]].concat());
        assert_eq!(out.code, 0, "{}", out.stderr);
        assert_close(&losses(&out.stdout), &oracle_losses("gpt_tiny"), 1e-5);
        assert_eq!(losses(&out.stdout), losses(&alone.stdout), "bit for bit what one process computes");
        assert_eq!(saved(ranks), saved("alone"));
        assert!(
            out.stderr.contains(&format!("[rank 0]       Joined {ranks} processes, by torchrun")),
            "{}",
            out.stderr
        );
    }

    // A bundle for four devices has no room for three processes, and a port belongs to one program.
    let out = meshloom(&place, &["launch", "--nproc-per-node", "3", "m.loomx"]);
    assert_eq!(
        (out.code, out.stderr.contains("4 devices cannot be shared evenly by 3 processes")),
        (2, true),
        "{}",
        out.stderr
    );
    let taken = std::net::TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let out = meshloom(&place, &["launch", "--master-port", &port, "m.loomx"]);
    assert_eq!(
        (out.code, out.stderr.contains(&format!("rank 0's port {port} cannot be had"))),
        (2, true),
        "{}",
        out.stderr
    );
    let dry = meshloom(&place, &["launch", "--dry-run", "m.loomx", "--steps", "3"]);
    assert_eq!((dry.code, dry.stdout.lines().count()), (0, 4));
    std::fs::write(place.path().join("hosts"), "localhost slots=2\nfar-away slots=2\n").expect("writes");
    let out = meshloom(&place, &["launch", "--hostfile", "hosts", "m.loomx"]);
    assert_eq!((out.code, out.stderr.contains("far-away")), (2, true), "{}", out.stderr);
    let out = meshloom(&place, &["launch", "--hostfile", "hosts", "--dry-run", "m.loomx", "--steps", "3"]);
    let line =
        "mpirun --hostfile hosts -np 4 --map-by slot --bind-to none -x MASTER_ADDR=localhost -x MASTER_PORT=29500 ";
    assert!(
        out.code == 0 && out.stdout.starts_with(line) && out.stdout.ends_with("run m.loomx --steps 3\n"),
        "{}",
        out.stdout
    );

    // A rank that is killed is named by the launcher, and takes the others along.
    let forever = [
        &["launch", "m.loomx", "--threads", "1", "--steps", "1000000000"][..],
        &inputs.iter().map(String::as_str).collect::<Vec<_>>(),
    ]
    .concat();
    let mut child = place.command(&forever).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().expect("starts");
    let mut lines = BufReader::new(child.stderr.take().expect("piped")).lines().map_while(Result::ok);
    assert!(lines.by_ref().any(|l| l.contains("Step")), "it trains");
    let mut pids = children(child.id());
    pids.sort_unstable();
    assert_eq!(pids.len(), 4, "{pids:?}");
    // SAFETY: a process that the launcher started and has not waited for.
    assert_eq!(unsafe { libc::kill(pids[2], libc::SIGKILL) }, 0);
    let said: Vec<String> = lines.collect();
    assert_eq!(child.wait().expect("ends").code(), Some(3), "{said:?}");
    let said = said.join("\n");
    assert!(said.contains("of 4 was killed by signal 9 (SIGKILL; out of memory?)"), "{said}");
    // Some collectives of a step come from no line of the source.
    assert!(said.contains("ended without a word (killed?); it was last seen at "), "{said}");
}

/// Processes that a process has started, from any of its threads.
fn children(pid: u32) -> Vec<i32> {
    let tasks = std::fs::read_dir(format!("/proc/{pid}/task")).expect("tasks").flatten();
    let each = tasks.filter_map(|t| std::fs::read_to_string(t.path().join("children")).ok());
    each.flat_map(|c| c.split_whitespace().filter_map(|p| p.parse().ok()).collect::<Vec<i32>>()).collect()
}

#[test]
#[ignore = "takes a minute in a debug build"]
fn gpt_small_as_four_processes() {
    let place = Place::new();
    compile(&place, "examples/gpt_small.loom", &["--mesh", MESH, "--layout", "megatron"]);
    let scale = 0.02 * 3f64.sqrt();
    let mut args: Vec<String> = ["launch", "m.loomx", "--steps", "5", "--json"].map(String::from).into();
    let mut input = |name: &str, value: String| args.extend(["--input".into(), format!("{name}={value}")]);
    input("tokens", "det:tokens:gpt_small/tokens:1024:129:0".into());
    input("targets", "det:tokens:gpt_small/tokens:1024:129:1".into());
    for n in ["wte", "wpe", "head"] {
        input(n, format!("det:uniform:gpt_small/{n}:{scale}"));
    }
    for n in ["wq", "wk", "wv", "wo", "w1", "w2"] {
        input(&format!("blocks.*.{n}"), format!("det:uniform:gpt_small/h*/{n}:{scale}"));
    }
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let out = finish(place.command(&args));
    assert_eq!(out.code, 0, "{}", out.stderr);
    assert_close(&losses(&out.stdout), &oracle_losses("gpt_small")[..5], 1e-5);
}
