//! What the environment does not give, and files that have no end: errors with a name, the right exit code, and little
//! memory taken. A command that eats memory meets `ulimit -v`, so a regression fails and does no harm.

use crate::support::{Output, Place, finish, meshloom};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A command under limits of the shell. `{}` in an argument is the folder of the test.
fn under(place: &Place, limits: &str, args: &[&str]) -> Output {
    let mut c = Command::new("bash");
    c.arg("-c").arg(format!("{limits}; exec \"$0\" \"$@\"")).arg(env!("CARGO_BIN_EXE_meshloom")).args(args);
    c.current_dir(place.path()).stdin(Stdio::null()).env("TMPDIR", place.path());
    // Empty at first, so that it is written to, and kernels are compiled.
    c.env("MESHLOOM_CACHE", place.path().join("kernels"));
    finish(c)
}

/// Enough for the program, its libraries and its stack, and for little else.
const LITTLE: &str = "ulimit -v 2000000";

/// As [`under`], for a command that must be refused soon, with exit code 2.
fn refused(place: &Place, args: &[&str], said: &[&str]) {
    let begun = Instant::now();
    let out = under(place, LITTLE, args);
    let all = said.iter().all(|s| out.stderr.contains(s));
    assert!(out.code == 2 && all, "{args:?}: {} {}\n{said:?}", out.code, out.stderr);
    assert!(begun.elapsed() < Duration::from_secs(20), "{args:?} took {:?}", begun.elapsed());
}

/// A link to a device, so that what would replace the device replaces the link.
fn link(place: &Place, name: &str, to: &str) {
    let at = place.path().join(name);
    let _ = std::fs::remove_file(&at);
    std::os::unix::fs::symlink(to, at).expect("a link");
}

#[test]
fn files_without_end() {
    let place = Place::new();
    for name in [
        "z.loom",
        "z.loomx",
        "z.toml",
        "z.json",
        "z.npy",
        "z.npz",
        "z.safetensors",
        "z.rename",
        "z.key",
        "z.txt",
        "hosts",
    ] {
        link(&place, name, "/dev/zero");
    }
    let out = meshloom(&place, &["compile", "small.loom", "-o", "small.loomx"]);
    assert_eq!(out.code, 0, "{}", out.stderr);
    let run = ["run", "small.loomx", "--steps", "1", "--data"];
    let with = |more: &[&'static str]| [&run[..], more].concat();
    refused(&place, &["check", "z.loom"], &["z.loom: larger than 16.0 MiB"]);
    refused(&place, &["run", "z.loomx"], &["z.loomx: is a device, and a file is needed"]);
    refused(&place, &["verify", "small.loom", "z.loomx"], &["z.loomx: is a device"]);
    refused(&place, &["diff", "z.loomx", "z.loomx"], &["z.loomx: is a device"]);
    refused(&place, &["plan", "small.loom", "--target", "z.toml"], &["z.toml: larger than"]);
    refused(&place, &["plan", "small.loom", "--locked=z.json"], &["z.json: cannot be read: not a file"]);
    refused(&place, &["compile", "small.loom", "-o", "x.loomx", "--sign", "z.key"], &["--sign: z.key: is a device"]);
    refused(&place, &with(&["small.loom", "--require-signature", "z.key"]), &["z.key: is a device"]);
    refused(&place, &with(&["small.loom", "--tokenizer", "z.json"]), &["z.json: is a device"]);
    refused(&place, &with(&["z.txt"]), &["z.txt: is a device"]);
    refused(&place, &with(&["small.loom", "--load", "z.safetensors"]), &["z.safetensors: is a device"]);
    refused(&place, &with(&["small.loom", "--load", "x.npy", "--rename", "z.rename"]), &["z.rename: is a device"]);
    refused(&place, &["launch", "--hostfile", "hosts", "small.loomx"], &["hosts: is a device"]);
    std::os::unix::fs::symlink("/dev/zero", place.path().join("small.loomx.minisig")).expect("a link");
    let key = "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3";
    refused(&place, &with(&["small.loom", "--require-signature", key]), &["small.loomx.minisig: is a device"]);
}

/// What is found beside a file that was named has to be a file: nobody waits for what a pipe may say.
#[test]
fn pipes_beside_files() {
    let place = Place::new();
    let out = meshloom(&place, &["compile", "small.loom", "-o", "small.loomx"]);
    assert_eq!(out.code, 0, "{}", out.stderr);
    let pipe = |name: &str| {
        let made = Command::new("mkfifo").arg(place.path().join(name)).status().expect("mkfifo");
        assert!(made.success());
    };
    let run = ["run", "small.loomx", "--steps", "1", "--data"];
    let with = |more: &[&'static str]| [&run[..], more].concat();
    pipe("small.loomx.minisig");
    let key = "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3";
    let said = ["small.loomx.minisig: is a pipe, and a file is needed"];
    refused(&place, &with(&["small.loom", "--require-signature", key]), &said);
    pipe("small.loom.lock");
    refused(&place, &["plan", "small.loom", "--locked"], &["small.loom.lock: cannot be read: not a file"]);
    std::fs::write(place.path().join("t.bin"), [0; 64]).expect("writes");
    pipe("t.idx");
    refused(&place, &with(&["t.bin"]), &["t.idx: is a pipe, and a file is needed"]);
    // A folder is no signature either.
    std::fs::remove_file(place.path().join("small.loomx.minisig")).expect("removes");
    std::fs::create_dir(place.path().join("small.loomx.minisig")).expect("a folder");
    refused(&place, &with(&["small.loom", "--require-signature", key]), &["small.loomx.minisig: is a folder"]);
}

/// Files that may not grow (`ulimit -f`, in KiB): a sentence, and what was there before is still there.
#[test]
fn files_that_may_not_grow() {
    let place = Place::new();
    let out = meshloom(&place, &["compile", "small.loom", "-o", "small.loomx"]);
    assert_eq!(out.code, 0, "{}", out.stderr);
    let before = std::fs::read(place.path().join("small.loomx")).expect("written");
    let run = ["run", "small.loomx", "--data", "small.loom", "--save", "ck", "--resume", "auto", "--steps"];
    let out = meshloom(&place, &[&run[..], &["1"]].concat());
    assert_eq!(out.code, 0, "{}", out.stderr);
    for (limit, args) in [
        ("ulimit -f 1", &["compile", "small.loom", "-o", "small.loomx"][..]),
        ("ulimit -f 0", &["plan", "small.loom", "--lock"]),
        ("ulimit -f 1", &[&run[..], &["2"]].concat()),
        ("ulimit -f 0", &[&run[..], &["2"]].concat()),
    ] {
        let out = under(&place, limit, args);
        let said = out.stderr.contains("error:") && out.stderr.contains("File too large");
        assert!(out.code == 2 && said, "{limit}: {args:?}: {} {}", out.code, out.stderr);
    }
    assert!(std::fs::read(place.path().join("small.loomx")).expect("written") == before, "the bundle has changed");
    let out = meshloom(&place, &[&run[..], &["2"]].concat());
    assert!(out.code == 0 && out.stderr.contains("Resumed ck/step-000001"), "{} {}", out.code, out.stderr);
}

/// What a run wrote is read as far as such files go, and has to be a file.
#[test]
fn checkpoints_without_end() {
    let place = Place::new();
    let out = meshloom(&place, &["compile", "small.loom", "-o", "small.loomx"]);
    assert_eq!(out.code, 0, "{}", out.stderr);
    let run = ["run", "small.loomx", "--data", "small.loom", "--steps", "1"];
    let out = meshloom(&place, &[&run[..], &["--save", "ck"]].concat());
    assert_eq!(out.code, 0, "{}", out.stderr);
    for file in [
        "ck/latest",
        "ck/step-000001/manifest.json",
        "ck/step-000001/manifest.sha256",
        "ck/step-000001/model.safetensors",
    ] {
        let at = place.path().join(file);
        let was = std::fs::read(&at).expect("saved");
        link(&place, file, "/dev/zero");
        refused(&place, &[&run[..], &["--resume", "ck"]].concat(), &[file, "is a device, and a file is needed"]);
        std::fs::remove_file(&at).expect("removes");
        // Nobody writes to it: whoever opens it waits for ever.
        let made = Command::new("mkfifo").arg(&at).status().expect("mkfifo");
        assert!(made.success());
        refused(&place, &[&run[..], &["--resume", "ck"]].concat(), &[file, "is a pipe, and a file is needed"]);
        std::fs::remove_file(&at).expect("removes");
        // 4 TiB, and none of it on the disk.
        std::fs::File::create(&at).and_then(|f| f.set_len(1 << 42)).expect("a file");
        refused(&place, &[&run[..], &["--resume", "ck"]].concat(), &[file]);
        std::fs::write(&at, was).expect("writes");
    }
    let out = meshloom(&place, &[&run[..], &["--resume", "ck"]].concat());
    assert_eq!(out.code, 0, "{}", out.stderr);
}

/// A file that only begins, or only ends, as a bundle does is not read whole; a source may come from a pipe.
#[test]
fn large_files_and_pipes() {
    use std::io::{Seek, SeekFrom, Write};
    let place = Place::new();
    let out = meshloom(&place, &["compile", "small.loom", "-o", "small.loomx"]);
    assert_eq!(out.code, 0, "{}", out.stderr);
    let bundle = std::fs::read(place.path().join("small.loomx")).expect("written");
    for (name, at) in [("tail.loomx", 0), ("head.loomx", 1u64 << 42)] {
        let mut file = std::fs::File::create(place.path().join(name)).expect("a file");
        file.seek(SeekFrom::Start(at)).and_then(|_| file.write_all(&bundle)).expect("writes");
        file.set_len((1 << 42) + bundle.len() as u64).expect("a length");
        refused(&place, &["run", name], &[name, "no bundle, or a damaged one"]);
    }
    let piped = |command: &str| {
        let mut c = Command::new("bash");
        c.arg("-c").arg(format!("{LITTLE}; {command}")).arg(env!("CARGO_BIN_EXE_meshloom"));
        c.current_dir(place.path()).stdin(Stdio::null()).env("TMPDIR", place.path());
        finish(c)
    };
    let out = piped("\"$0\" run <(cat examples/mlp.loom) --entry predict --random-inputs 1");
    assert_eq!(out.code, 0, "{}", out.stderr);
    for command in
        ["\"$0\" check <(yes)", "yes | \"$0\" check -", "\"$0\" run small.loomx --data small.loom --tokenizer <(yes)"]
    {
        let out = piped(command);
        assert!(out.code == 2 && out.stderr.contains("error:"), "{command}: {} {}", out.code, out.stderr);
    }
}

/// A damaged number of units is found when the bundle is read, also where every hash was made anew.
#[test]
fn damaged_units() {
    let place = Place::new();
    let text = "dim n = 64\nentry f(x: f32[n]) -> f32[n] { x * 0.3 + 1.0 }\n";
    std::fs::write(place.path().join("f.loom"), text).expect("writes");
    let out = meshloom(&place, &["compile", "f.loom", "-o", "f.loomx"]);
    assert_eq!(out.code, 0, "{}", out.stderr);
    let mut bytes = std::fs::read(place.path().join("f.loomx")).expect("written");
    let good = meshloom_bundle::Bundle::read(&bytes).expect("a bundle");
    // The last `"units":N` is the launch's; a digit more or another one in its place keeps the length.
    let find = |bytes: &[u8], what: &[u8]| bytes.windows(what.len()).rposition(|w| w == what).expect("is there");
    let at = find(&bytes, b"\"units\":") + 8;
    bytes[at] = if bytes[at] == b'9' { b'8' } else { bytes[at] + 1 };
    // Its hash, in the manifest and in the zip's two headers.
    let member = &good.manifest.members[0];
    let start = find(&bytes, b"{\"version\":");
    let program = bytes[start..start + member.bytes as usize].to_vec();
    let crc = |b: &[u8]| {
        !b.iter().fold(!0u32, |c, &x| (0..8).fold(c ^ u32::from(x), |c, _| c >> 1 ^ (0xedb8_8320 * (c & 1))))
    };
    let was = {
        let i = member.sha256.clone();
        i.into_bytes()
    };
    let at = bytes.windows(64).position(|w| w == was).expect("in the manifest");
    let manifest = bytes.windows(2).position(|w| w == b"{\n").expect("the manifest");
    let end = bytes[manifest..].windows(3).position(|w| w == b"\n}\n").expect("its end") + manifest + 3;
    let (old, old_program) = (crc(&bytes[manifest..end]), {
        let json = serde_json::to_vec(&good.contents.entries[0].program).expect("JSON");
        crc(&[&json[..], b"\n"].concat())
    });
    bytes[at..at + 64].copy_from_slice(meshloom_bundle::sha256(&program).as_bytes());
    let new = crc(&bytes[manifest..end]);
    for (from, to) in [(old, new), (old_program, crc(&program))] {
        let all: Vec<usize> = (0..bytes.len() - 3).filter(|&k| bytes[k..k + 4] == from.to_le_bytes()).collect();
        assert_eq!(all.len(), 2, "both headers of the zip have it");
        all.iter().for_each(|&k| bytes[k..k + 4].copy_from_slice(&to.to_le_bytes()));
    }
    std::fs::write(place.path().join("bad.loomx"), bytes).expect("writes");
    let out = meshloom(&place, &["run", "bad.loomx", "--random-inputs", "1"]);
    let said = "bad.loomx: programs/f.json: instruction 0: ";
    assert!(out.code == 2 && out.stderr.contains(said) && out.stderr.contains(" units of `"), "{}", out.stderr);
}

/// Room, files, processes and memory that the machine does not give.
#[test]
fn what_the_machine_does_not_give() {
    let place = Place::new();
    let sound = |out: &Output| !out.stderr.contains("bug of Meshloom") && !out.stderr.contains("panicked");
    let compile = ["compile", "examples/mlp.loom", "-o", "m.loomx"];
    for (limits, said) in [
        ("export TMPDIR=/nonexistent", "temporary"),
        ("export TMPDIR=/proc", "temporary"),
        ("PATH=/nonexistent", "cannot run a linker (ld, cc, or an ld.lld beside this program)"),
        ("ulimit -n 4", "Too many open files"),
        ("ulimit -n 8", "Too many open files"),
        // Objects do not fit into files: as on a full disk.
        ("trap '' XFSZ; ulimit -f 1", "File too large"),
    ] {
        let out = under(&place, limits, &compile);
        assert!(out.code == 2 && out.stderr.contains(said) && sound(&out), "{limits}: {} {}", out.code, out.stderr);
    }
    // Wherever memory ends: an error of the system, or exit code 4.
    for kib in (500_000..900_000).step_by(100_000) {
        let out = under(&place, &format!("ulimit -v {kib}"), &compile);
        assert!([0, 2, 4, 127].contains(&out.code) && sound(&out), "{kib}: {} {}", out.code, out.stderr);
    }
    for full in ["check examples/mlp.loom --json", "plan examples/mlp.loom", "fmt --help", "--help", "--version"] {
        let mut c = place.command(&full.split(' ').collect::<Vec<_>>());
        c.stdout(std::fs::File::options().write(true).open("/dev/full").expect("the device"));
        let out = finish(c);
        assert!(out.code == 2 && out.stderr.contains("cannot write to standard output"), "{full}: {}", out.stderr);
    }
    // Nobody can be told, and nothing else happens.
    let mut c = place.command(&["check", "wrong.loom"]);
    c.stderr(std::fs::File::options().write(true).open("/dev/full").expect("the device"));
    assert_eq!(finish(c).code, 1);
}

/// Threads and processes beyond the limit of a user: wherever they end, that is the system's error.
#[test]
fn processes_that_cannot_be_started() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    std::fs::set_permissions(place.path(), std::fs::Permissions::from_mode(0o777)).expect("a folder for anybody");
    // Root has no such limit, so somebody without rights starts it.
    let limit = |n: u32| {
        let nobody = "setpriv --reuid=65534 --regid=65534 --clear-groups";
        format!(
            "[ $(id -u) = 0 ] && exec {nobody} bash -c 'ulimit -u {n}; exec \"$0\" \"$@\"' \"$0\" \"$@\"; ulimit -u {n}"
        )
    };
    if under(&place, &limit(1000), &["--version"]).code != 0 {
        eprintln!("nobody cannot run this program here: limits of processes are not tested");
        return;
    }
    for n in 1..4 {
        let out = under(&place, &limit(n), &["compile", "examples/mlp.loom", "-o", "m.loomx"]);
        let said = out.stderr.contains("Resource temporarily unavailable");
        let bug = out.stderr.contains("bug of Meshloom") || out.stderr.contains("panicked");
        assert!(out.code == 2 && said && !bug, "{n}: {} {}", out.code, out.stderr);
    }
}

/// `-o` with a device or a pipe writes to it, and does not put a file in its place.
#[test]
fn output_to_a_device() {
    let place = Place::new();
    link(&place, "full", "/dev/full");
    let out = meshloom(&place, &["compile", "examples/mlp.loom", "-o", "full"]);
    assert!(out.code == 2 && out.stderr.contains("full: cannot be written: No space left"), "{}", out.stderr);
    link(&place, "null", "/dev/null");
    let out = meshloom(&place, &["compile", "examples/mlp.loom", "-o", "null"]);
    assert_eq!(out.code, 0, "{}", out.stderr);
    assert!(std::fs::symlink_metadata(place.path().join("null")).expect("is there").is_symlink());
    // A link to a file stays one as well.
    std::fs::write(place.path().join("there.loomx"), "old").expect("writes");
    link(&place, "link.loomx", "there.loomx");
    let out = meshloom(&place, &["compile", "examples/mlp.loom", "-o", "link.loomx"]);
    assert_eq!(out.code, 0, "{}", out.stderr);
    assert!(std::fs::read(place.path().join("there.loomx")).expect("there").starts_with(b"PK"));
}

/// Programs that are larger than any that is run.
#[test]
fn programs_beyond_limits() {
    let place = Place::new();
    let f = |n: u64| format!("dim n = {n}\nentry f(x: f32[n]) -> f32[n] {{ x * 2.0 + 1.0 }}\n");
    std::fs::write(place.path().join("wide.loom"), f(3_000_000_000_000)).expect("writes");
    let run = &["run", "wide.loom", "--random-inputs", "0"];
    for command in [&["plan", "wide.loom"][..], &["compile", "wide.loom", "-o", "w.loomx"], run] {
        let out = meshloom(&place, &[command, &["--budget", "100TiB"]].concat());
        let said = "arena_bytes is 24000000000000; at most 17592186044416 is allowed";
        assert!(
            out.code == 4 && out.stderr.contains(said) && !out.stderr.contains("bug"),
            "{} {}",
            out.code,
            out.stderr
        );
    }
    let deep = |layers: u64| {
        let text = place.read("blocks.loom").replace("const layers = 6", &format!("const layers = {layers}"));
        std::fs::write(place.path().join("deep.loom"), text).expect("writes");
        meshloom(&place, &["plan", "deep.loom", "--budget", "1TiB"])
    };
    assert_eq!(deep(65_536).code, 0);
    let out = deep(65_537);
    let said = "65537 layers; a bundle holds at most 65536";
    assert!(out.code == 1 && out.stderr.contains(said) && !out.stderr.contains("bug"), "{} {}", out.code, out.stderr);
}

/// A tokenizer.json that would fill the memory, or that makes texts grow without end, is refused, in less than 1 GB.
#[test]
fn tokenizers_that_fill_the_memory() {
    use std::fmt::Write;
    let place = Place::new();
    let base =
        std::fs::read_to_string(crate::support::root().join("tests/data/hf/tokenizer.json")).expect("a tokenizer");
    let base: serde_json::Value = serde_json::from_str(&base).expect("JSON");
    let with = |part: &str, value: serde_json::Value| {
        let mut all = base.clone();
        all[part] = value;
        all.to_string()
    };
    let twice = serde_json::json!({"type": "Replace", "pattern": {"String": "a"}, "content": "aa"});
    let mut tokens = String::new();
    (0..300_000u64).for_each(|k| write!(tokens, "[\"{k:06}{:0>40}\",0],", k * 7919).expect("a text"));
    let unigram = format!(
        "{{\"model\": {{\"type\": \"Unigram\", \"unk_id\": 0, \"vocab\": [{}]}}}}",
        &tokens[..tokens.len() - 1]
    );
    let map = serde_json::json!({"type": "Precompiled", "precompiled_charsmap": "QUJD".repeat(4 << 20)});
    let template = serde_json::json!({"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}],
        "pair": [], "special_tokens": {}});
    let files = [
        (format!("[{}0]", "0,".repeat(30 << 20)), "more than 3145728 values"),
        (format!("{{\"added_tokens\": [{}{{}}]}}", "{\"a\":\"b\"},".repeat(1_000_000)), "missing field `id`"),
        (format!("\"{}\"", "x".repeat(60 << 20)), "invalid type: string"),
        ("[".repeat(60 << 20), "recursion limit"),
        (" ".repeat(65 << 20), "at most 67108864 are read"),
        (unigram, "beginnings of tokens"),
        (with("normalizer", map), "Precompiled: a trie of"),
        (
            with("normalizer", serde_json::json!({"type": "Sequence", "normalizers": vec![twice; 40]})),
            "a text may grow",
        ),
        (with("post_processor", template), "none of its special tokens"),
    ];
    let out = meshloom(&place, &["compile", "small.loom", "-o", "small.loomx"]);
    assert_eq!(out.code, 0, "{}", out.stderr);
    for (text, said) in files {
        std::fs::write(place.path().join("t.json"), &text).expect("writes");
        let mut c =
            place.command(&["run", "small.loomx", "--data", "small.loom", "--tokenizer", "t.json", "--steps", "1"]);
        #[expect(clippy::zombie_processes, reason = "wait4 below waits for it, and says how much memory it took")]
        let mut child = c.stderr(Stdio::piped()).stdout(Stdio::null()).spawn().expect("starts");
        let mut told = String::new();
        std::io::Read::read_to_string(&mut child.stderr.take().expect("piped"), &mut told).expect("a text");
        let (mut status, mut used) = (0, std::mem::MaybeUninit::<libc::rusage>::zeroed());
        // SAFETY: a child of our own, and two places to write to.
        assert!(unsafe { libc::wait4(child.id() as libc::pid_t, &mut status, 0, used.as_mut_ptr()) } > 0);
        // SAFETY: all zeros are one, and the call has filled it in.
        let used = unsafe { used.assume_init() };
        let peak = used.ru_maxrss as u64 * 1024;
        assert!(
            libc::WEXITSTATUS(status) == 2 && told.contains(said) && told.len() < 2000,
            "{said}: {status} {told:.2000}"
        );
        assert!(peak < 1_000_000_000, "{said}: {peak} bytes at a time");
        println!("{:>4} MB {said}", peak / 1_000_000);
    }
}

/// What no bundle holds is refused by `check`, with its line; at the limit a program compiles.
#[test]
fn names_that_no_bundle_holds() {
    let place = Place::new();
    let [entry, tensor] = [200, 512].map(|n| "n".repeat(n));
    let write = |text: String| std::fs::write(place.path().join("names.loom"), text).expect("writes");
    write(format!("entry {entry}({tensor}: f32[4]) -> f32[4] {{ {tensor} + 1 }}\n"));
    let compile = ["compile", "names.loom", "-o", "names.loomx", "--cpu", "x86-64-v3", "--plan", "follow"];
    let out = meshloom(&place, &compile);
    assert_eq!(out.code, 0, "{}", out.stderr);
    for (text, at) in [
        (format!("entry n{entry}(x: f32[4]) -> f32[4] {{ x }}\n"), "names.loom:1:7"),
        (format!("entry f(n{tensor}: f32[4]) -> f32[4] {{ n{tensor} }}\n"), "names.loom:1:9"),
        (format!("mesh [n{tensor}: 1]\nentry f(x: f32[4]) -> f32[4] {{ x }}\n"), "names.loom:2:7"),
    ] {
        write(text);
        let out = meshloom(&place, &["check", "names.loom"]);
        assert_eq!(out.code, 1, "{}", out.stderr);
        assert!(out.stderr.contains("E0901") && out.stderr.contains(at) && out.stderr.len() < 4000, "{}", out.stderr);
    }
}

/// Of thousands of mistakes the first hundred are shown.
#[test]
fn thousands_of_mistakes() {
    let place = Place::new();
    let text: String = (0..4000).map(|i| format!("fn f{i}(x: f32[4]) -> f32[4] {{ y{i} }}\n")).collect();
    std::fs::write(place.path().join("many.loom"), text).expect("writes");
    let out = meshloom(&place, &["check", "many.loom"]);
    let said = ["there are more; the first 100 are shown", "100 errors"];
    assert!(out.code == 1 && said.iter().all(|s| out.stderr.contains(s)), "{}", out.stderr);
    assert!(out.stderr.len() < 40_000, "{} bytes", out.stderr.len());
}
