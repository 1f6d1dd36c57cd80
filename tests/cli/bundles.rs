//! `compile`, `verify` and running a bundle.

use crate::support::{Place, finish, losses, meshloom};

/// By annotations, unless a test asks for a search: what these tests are about is the same for any plan, and searching takes as long as
/// all the rest.
fn compile(place: &Place, bundle: &str, more: &[&str]) {
    let plan: &[&str] = if more.contains(&"--plan") { &[] } else { &["--plan", "follow"] };
    let more = [plan, more].concat();
    let out = meshloom(place, &[&["compile", "small.loom", "-o", bundle], &more[..]].concat());
    assert_eq!(out.code, 0, "{}", out.stderr);
}

#[test]
fn a_bundle_runs_as_its_source_does() {
    let place = Place::new();
    compile(&place, "small.loomx", &["--plan", "search"]);
    compile(&place, "again.loomx", &["--plan", "search"]);
    let read = |f: &str| std::fs::read(place.path().join(f)).expect("written");
    assert_eq!(read("small.loomx"), read("again.loomx"), "bundles are byte-identical");
    let train = |file: &str| {
        let out = meshloom(&place, &["run", file, "--data", "small.loom", "--steps", "3", "--json"]);
        assert_eq!(out.code, 0, "{}", out.stderr);
        losses(&out.stdout)
    };
    assert_eq!(train("small.loomx"), train("small.loom"));
    let planned = meshloom(&place, &["run", "small.loomx", "--mesh", "data=2"]);
    assert_eq!((planned.code, planned.stderr.contains("planned already")), (2, true), "{}", planned.stderr);
}

#[test]
fn verify_tells_a_bundle_from_another_programs() {
    let place = Place::new();
    compile(&place, "small.loomx", &["--mesh", "data=2"]);
    let good = meshloom(&place, &["verify", "small.loom", "small.loomx"]);
    assert_eq!(good.code, 0, "{}", good.stderr);
    assert!(good.stderr.contains("Proved"));
    // Another learning rate is another program; so is the same one with another batch.
    let text = place.read("small.loom").replace("lr: 3e-3", "lr: 4e-3");
    std::fs::write(place.path().join("other.loom"), text).expect("writes");
    let other = meshloom(&place, &["verify", "other.loom", "small.loomx"]);
    assert_eq!(other.code, 1, "{}", other.stderr);
    let other = meshloom(&place, &["verify", "small.loom", "small.loomx", "--dim", "batch=8", "--json"]);
    assert_eq!(other.code, 1);
    let json: serde_json::Value = serde_json::from_str(&other.stdout).expect("JSON");
    assert_eq!(json["ok"].as_bool(), Some(false));
}

/// Bundles say by the kernel that f32 is multiplied in tf32, and `verify` holds that against its options; on CPUs nothing changes.
#[test]
fn f32_in_tf32_is_proved() {
    let place = Place::new();
    let gpu = ["--target", "h100-sxm"];
    compile(&place, "f32.loomx", &gpu);
    compile(&place, "tf32.loomx", &[&gpu[..], &["--matmul-precision", "tf32"]].concat());
    compile(&place, "cpu.loomx", &[]);
    compile(&place, "same.loomx", &["--matmul-precision", "tf32"]);
    let read = |f: &str| std::fs::read(place.path().join(f)).expect("written");
    assert!(read("cpu.loomx") == read("same.loomx") && read("f32.loomx") != read("tf32.loomx"));
    for (bundle, rounds) in [("f32.loomx", false), ("tf32.loomx", true)] {
        let has = meshloom_bundle::Bundle::read(&read(bundle)).expect("a bundle").contents;
        let mut kernels = has.entries.iter().flat_map(|e| &e.program.kernels);
        assert_eq!(kernels.any(|k| k.gpu.as_ref().is_some_and(|g| g.tf32)), rounds);
        let option: &[&str] = if rounds { &["--matmul-precision", "tf32"] } else { &[] };
        let said = verified(&place, "small.loom", bundle, option).unwrap_or_else(|e| panic!("{e}"));
        assert!(!rounds || said.ends_with("under --matmul-precision tf32"), "{said}");
    }
    let without = verified(&place, "small.loom", "tf32.loomx", &[]).expect_err("it rounds");
    assert!(without.contains("it was compiled with --matmul-precision tf32"), "{without}");
    let with = verified(&place, "small.loom", "f32.loomx", &["--matmul-precision", "tf32"]).expect_err("it does not");
    assert!(with.contains("it was compiled without --matmul-precision tf32"), "{with}");
}

/// `verify` without machine code: its last line, or what it says where something does not agree.
fn verified(place: &Place, source: &str, bundle: &str, more: &[&str]) -> Result<String, String> {
    let out = meshloom(place, &[&["verify", source, bundle, "--kernels", "skip"], more].concat());
    let last = out.stderr.trim().lines().last().unwrap_or_default().trim().to_owned();
    match out.code {
        0 => Ok(last),
        1 => Err(out.stderr),
        other => panic!("{other}: {}", out.stderr),
    }
}

/// A small program with a sum over devices, floats of 16 bits and two layouts, compiled without a search.
fn in_halves(place: &Place, bundle: &str, more: &[&str]) {
    let text = "mesh [data: 2]
struct Net { w: bf16[8, 8] = zeros }
entry f(m: Net, x: bf16[4, 8] @ [_, data]) -> bf16[4, 8] {
    exp(sum(x, 1, keep: true) + x) * x + dot(x, m.w)
}
layout rows {
    params w: [data, _]
}
layout columns {
    params w: [_, data]
}
";
    std::fs::write(place.path().join("halves.loom"), text).expect("writes");
    let out = meshloom(place, &[&["compile", "halves.loom", "-o", bundle, "--plan", "follow"], more].concat());
    assert_eq!(out.code, 0, "{}", out.stderr);
}

/// What changes numbers or is asked of a plan is held against a bundle; the last line says what was proved, and under which options.
#[test]
fn options_are_held_against_a_bundle() {
    let place = Place::new();
    let two = ["--mesh", "data=2"];
    in_halves(&place, "lax.loomx", &two);
    in_halves(&place, "strict.loomx", &["--mesh", "data=2", "--strict-float"]);
    let of = |bundle: &str, more: &[&str]| verified(&place, "halves.loom", bundle, more);
    let said = of("lax.loomx", &[]).unwrap_or_else(|e| panic!("{e}"));
    assert!(said.starts_with("Verified lax.loomx computes halves.loom for 2 devices, data=2, target cpu:"), "{said}");
    assert!(said.ends_with("machine code trusted; under no options"), "{said}");
    let said = of("strict.loomx", &["--strict-float", "--assert", "collectives(all_reduce, data) >= 1"]);
    let said = said.unwrap_or_else(|e| panic!("{e}"));
    assert!(said.contains("1 assertion holds; under --strict-float --assert"), "{said}");
    for (bundle, options, due) in [
        ("lax.loomx", &["--strict-float"][..], "it was compiled without --strict-float"),
        ("strict.loomx", &[], "it was compiled with --strict-float"),
        ("lax.loomx", &["--assert", "no all_reduce(data)"], "an assertion does not hold: it has"),
        ("lax.loomx", &["--assert", "wire_bytes <= 1 B"], "not <= 1 B"),
        ("lax.loomx", &["--assert", "layout(x) == [data, _]"], "`x` is laid out [_, data]"),
        ("lax.loomx", &["--budget", "1 KiB"], "and the budget is 1.0 KiB"),
        ("lax.loomx", &["--mesh", "data=4"], "it has no plan for the mesh of --mesh: 4 devices, data=4"),
        ("lax.loomx", &["--target", "h100-sxm"], "it is for target cpu, not h100-sxm"),
        ("lax.loomx", &["--layout", "rows"], "it was compiled without --layout"),
    ] {
        let said = of(bundle, options).expect_err("something else was compiled");
        assert!(said.contains(due), "{options:?}: {said}");
    }
    for good in [&["--mesh", "data=2"][..], &["--assert", "layout(x) == [_, data]"], &["--budget", "1 MiB"]] {
        of("lax.loomx", good).unwrap_or_else(|e| panic!("{good:?}: {e}"));
    }
    in_halves(&place, "rows.loomx", &["--mesh", "data=2", "--layout", "rows"]);
    let said = of("rows.loomx", &["--layout", "columns"]).expect_err("its parameters lie otherwise");
    assert!(said.contains("it was compiled with --layout rows"), "{said}");
}

/// In f32 the kernels of both are the same; what a plan computes of the parts of a sum is held too.
#[test]
fn strict_floats_of_f32_are_held_against_a_plan() {
    let place = Place::new();
    let text = "mesh [d: 2]
entry f(a: f32[2, 8] @ [_, d], b: f32[8, 64] @ [d, _], s: f32[2, 64]) -> f32[2] @ [_] { sum(dot(a, b) * s, 1) }
";
    std::fs::write(place.path().join("f.loom"), text).expect("writes");
    for (bundle, options) in [("lax.loomx", &[][..]), ("strict.loomx", &["--strict-float"])] {
        let out = meshloom(&place, &[&["compile", "f.loom", "-o", bundle], options].concat());
        assert_eq!(out.code, 0, "{}", out.stderr);
        verified(&place, "f.loom", bundle, options).unwrap_or_else(|e| panic!("{options:?}: {e}"));
    }
    let said = verified(&place, "f.loom", "lax.loomx", &["--strict-float"]).expect_err("products of parts");
    assert!(
        said.contains("its plan applies `multiply` to parts of a sum, which --strict-float adds up before"),
        "{said}"
    );
}

/// A plan that was taken out of a bundle of several, and a bundle of which one is missing, are not what was compiled.
#[test]
fn all_plans_of_a_bundle_are_held() {
    let place = Place::new();
    in_halves(&place, "both.loomx", &["--mesh", "data=2", "--also-mesh", "data=4"]);
    let both = ["--mesh", "data=2", "--also-mesh", "data=4"];
    let said = verified(&place, "halves.loom", "both.loomx", &both).unwrap_or_else(|e| panic!("{e}"));
    assert!(said.contains("for 2 devices, data=2 and for 4 devices, data=4, target cpu:"), "{said}");
    let bytes = std::fs::read(place.path().join("both.loomx")).expect("written");
    let bundle = meshloom_bundle::Bundle::read(&bytes).expect("a bundle");
    let one = meshloom_bundle::write(&bundle.others[0].contents).expect("a bundle");
    std::fs::write(place.path().join("one.loomx"), one).expect("writes");
    let said = verified(&place, "halves.loom", "one.loomx", &both).expect_err("one is missing");
    assert!(said.contains("it has no plan for the mesh of --mesh: 2 devices, data=2"), "{said}");
    let said = verified(&place, "halves.loom", "both.loomx", &["--mesh", "data=2"]).expect_err("one more");
    assert!(said.contains("it has a plan that was not asked for: 4 devices, data=4"), "{said}");
    let said = verified(&place, "halves.loom", "one.loomx", &[]).unwrap_or_else(|e| panic!("{e}"));
    assert!(said.contains("for 4 devices, data=4, target cpu:"), "{said}");
}

#[test]
fn a_damaged_bundle_is_refused_by_name() {
    let place = Place::new();
    compile(&place, "small.loomx", &[]);
    let path = place.path().join("small.loomx");
    let mut bytes = std::fs::read(&path).expect("written");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x40;
    std::fs::write(&path, &bytes).expect("writes");
    for command in [&["run", "small.loomx"][..], &["verify", "small.loom", "small.loomx"]] {
        let out = meshloom(&place, command);
        assert_eq!((out.code, out.stderr.contains("small.loomx")), (2, true), "{}", out.stderr);
    }
}

/// A plan that cuts a loop to fit its budget is proved from source and bundle alone; one whose cut was moved, dropped or made up
/// is refused, though the bundle is whole.
#[test]
fn a_cut_loop_is_proved() {
    let place = Place::new();
    let out = meshloom(&place, &["plan", "blocks.loom", "--json", "--recompute", "none"]);
    let json: serde_json::Value = serde_json::from_str(&out.stdout).unwrap_or_else(|e| panic!("{e}: {}", out.stderr));
    let peak = json["entries"][0]["totals"]["peak_bytes_per_device"].as_u64().unwrap_or_else(|| panic!("{json}"));
    let budget = format!("{} KiB", peak * 9 / 10 / 1024);
    let out = meshloom(&place, &["compile", "blocks.loom", "-o", "cut.loomx", "--budget", &budget]);
    assert_eq!(out.code, 0, "{}", out.stderr);
    let good = meshloom(&place, &["verify", "blocks.loom", "cut.loomx"]);
    assert_eq!((good.code, good.stderr.contains("Proved")), (0, true), "{}", good.stderr);
    let bytes = std::fs::read(place.path().join("cut.loomx")).expect("written");
    let bundle = meshloom_bundle::Bundle::read(&bytes).expect("a bundle");
    let certificate = &bundle.contents.entries[0].certificate;
    let cut =
        certificate.lines().find(|l| l.starts_with("cut ")).unwrap_or_else(|| panic!("no loop is cut:\n{certificate}"));
    let (of, at) = cut.rsplit_once(' ').expect("cut %7 at 3");
    let at: u64 = at.parse().expect("a number");
    let other = if at > 1 { at - 1 } else { at + 1 };
    for tampered in [String::new(), format!("{of} {other}"), format!("{of} {at}, 6"), format!("{cut}\n{cut}")] {
        let mut contents = bundle.contents.clone();
        contents.entries[0].certificate = certificate.replacen(cut, &tampered, 1);
        let bytes = meshloom_bundle::write(&contents).expect("a bundle");
        std::fs::write(place.path().join("tampered.loomx"), bytes).expect("writes");
        let out = meshloom(&place, &["verify", "blocks.loom", "tampered.loomx"]);
        assert_eq!(out.code, 1, "`{tampered}` is accepted\n{}", out.stderr);
        assert!(out.stderr.contains("entry `net`"), "{}", out.stderr);
    }
}

/// For Hopper there are two ways to feed products: either bundle is proved, and other targets have no such choice.
#[test]
fn bundles_with_and_without_tensor_maps() {
    let place = Place::new();
    let half = ["--precision", "bf16", "--mesh", "data=1"];
    let maps = |bundle: &str| -> usize {
        let bytes = std::fs::read(place.path().join(bundle)).expect("written");
        let bundle = meshloom_bundle::Bundle::read(&bytes).expect("a bundle");
        let kernels = bundle.contents.entries.iter().flat_map(|e| &e.program.kernels);
        kernels.map(|k| k.gpu.as_ref().map_or(0, |g| g.tensor_maps.len())).sum()
    };
    for (bundle, more) in [("with.loomx", &[][..]), ("without.loomx", &["--without-tma"])] {
        compile(&place, bundle, &[&half[..], &["--target", "h100-sxm"], more].concat());
        let proved = meshloom(&place, &["verify", "small.loom", bundle, "--precision", "bf16", "--target", "h100-sxm"]);
        assert_eq!(proved.code, 0, "{}", proved.stderr);
    }
    assert!(maps("with.loomx") > 0 && maps("without.loomx") == 0);
    let out = meshloom(&place, &["compile", "small.loom", "-o", "x.loomx", "--target", "a100-80g", "--without-tma"]);
    let said = "--without-tma: no kernel for a100-80g uses the tensor memory accelerator";
    assert!(out.code == 2 && out.stderr.contains(said), "{}", out.stderr);
}

/// One level where one is asked for: it runs on this machine, and is proved as both are.
#[test]
fn a_bundle_for_one_level_of_cpus() {
    let place = Place::new();
    std::fs::write(place.path().join("f.loom"), "dim n = 8\nentry f(x: f32[n, n]) -> f32[n, n] { dot(x, x) }\n")
        .expect("writes");
    for (cpu, libraries) in [("x86-64-v3", &["x86-64-v3"][..]), ("all", &["x86-64-v3", "x86-64-v4"])] {
        let out = meshloom(&place, &["compile", "f.loom", "-o", "f.loomx", "--cpu", cpu]);
        assert_eq!(out.code, 0, "{}", out.stderr);
        let bytes = std::fs::read(place.path().join("f.loomx")).expect("written");
        let found = meshloom_bundle::Bundle::read(&bytes).expect("a bundle").contents.libraries;
        assert_eq!(found.iter().map(|l| l.name.as_str()).collect::<Vec<_>>(), libraries);
        let out = meshloom(&place, &["verify", "f.loom", "f.loomx"]);
        assert_eq!(out.code, 0, "{}", out.stderr);
    }
    let out = meshloom(&place, &["compile", "f.loom", "-o", "x.loomx", "--target", "a100-80g", "--cpu", "native"]);
    let said = "--cpu: kernels for a100-80g run on a GPU";
    assert!(out.code == 2 && out.stderr.contains(said), "{}", out.stderr);
}

/// A file describes another machine, and says what programs for it are compiled for.
#[test]
fn a_target_of_ones_own_is_compiled_for_what_it_says() {
    let place = Place::new();
    let text = include_str!("../../compiler/plan/targets/h100-sxm.toml");
    std::fs::write(place.path().join("my-h100.toml"), text).expect("writes");
    let libraries = |bundle: &str, more: &[&str]| {
        compile(&place, bundle, more);
        let bytes = std::fs::read(place.path().join(bundle)).expect("written");
        let bundle = meshloom_bundle::Bundle::read(&bytes).expect("a bundle");
        (bundle.manifest.target.clone(), bundle.contents.libraries)
    };
    let (target, mine) = libraries("mine.loomx", &["--target", "my-h100.toml"]);
    let (_, known) = libraries("known.loomx", &["--target", "h100-sxm"]);
    let ptx = &mine[0];
    assert_eq!((target.as_str(), ptx.name.as_str()), ("my-h100", "sm_90a"));
    assert!(String::from_utf8_lossy(&ptx.bytes).contains(".target sm_90a"));
    assert!(ptx.bytes == known[0].bytes, "the same kernels as for the target of that name");
    let good = meshloom(&place, &["verify", "small.loom", "mine.loomx"]);
    assert_eq!(good.code, 0, "{}", good.stderr);
    // Without `arch` it would be compiled for CPUs.
    let without: String = text.lines().filter(|l| !l.starts_with("arch")).map(|l| format!("{l}\n")).collect();
    std::fs::write(place.path().join("nothing.toml"), without).expect("writes");
    for command in [&["compile", "small.loom", "-o", "no.loomx"][..], &["plan", "small.loom"]] {
        let out = meshloom(&place, &[command, &["--target", "nothing.toml"]].concat());
        assert_eq!(out.code, 2, "{}", out.stderr);
        let said = "nothing.toml: arch: missing; write `arch = ..` with \"x86-64\" for CPUs, \"sm_80\", \"sm_90a\" or \"sm_100a\"";
        assert!(out.stderr.contains(said), "{}", out.stderr);
    }
}

/// Machine code is compared with what its kernels compile to: code that was damaged or exchanged is refused, though every hash of the
/// bundle is right. `MESHLOOM_TRIES` says how often this is tried (40 by hand).
#[test]
fn replaced_machine_code_is_refused() {
    let place = Place::new();
    // Kernels of two kinds, with a scale in one of them.
    let compiled = |scale: &str| {
        let text = format!("dim n = 32\nentry f(x: f32[n, n]) -> f32[n, n] {{ softmax(dot(x, x) * {scale}) }}\n");
        std::fs::write(place.path().join("f.loom"), text).expect("writes");
        let out = meshloom(&place, &["compile", "f.loom", "-o", "f.loomx"]);
        assert_eq!(out.code, 0, "{}", out.stderr);
        let bytes = std::fs::read(place.path().join("f.loomx")).expect("written");
        meshloom_bundle::Bundle::read(&bytes).expect("a bundle").contents
    };
    let (other, good) = (compiled("0.5"), compiled("0.25"));
    let tries: u64 = std::env::var("MESHLOOM_TRIES").ok().and_then(|n| n.parse().ok()).unwrap_or(4);
    for k in 0..tries {
        let mut contents = good.clone();
        let library = &mut contents.libraries[(k % 2) as usize];
        let what = match k % 4 {
            // The kernels of the same program with another scale.
            0 => {
                library.bytes.clone_from(&other.libraries[(k % 2) as usize].bytes);
                "exchanged".to_owned()
            }
            _ => {
                let at = (k * 0x9e37_79b9 % library.bytes.len() as u64) as usize;
                library.bytes[at] ^= 1 << (k % 8);
                format!("bit {} of byte {at}", k % 8)
            }
        };
        let bytes = meshloom_bundle::write(&contents).expect("a bundle");
        std::fs::write(place.path().join("bad.loomx"), bytes).expect("writes");
        let out = meshloom(&place, &["verify", "f.loom", "bad.loomx"]);
        let said = out.stderr.contains("damaged or replaced");
        assert_eq!((out.code, said), (1, true), "try {k}, {what}: {}", out.stderr);
    }
}

/// The same for GPUs: PTX is compiled again, and a cubin is assembled again from it. The assembler here hashes what it is given.
#[test]
fn replaced_code_of_gpus_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    let ptxas = place.path().join("bin/ptxas");
    std::fs::create_dir(place.path().join("bin")).expect("a folder");
    let script = "#!/bin/sh\n[ \"$1\" = --version ] && { echo 'Cuda compilation tools, release 99.0, V99.0.1'; exit; }\n\
                  for from; do :; done\nwhile [ \"$1\" != --output-file ]; do shift; done\nsha256sum < \"$from\" > \"$2\"\n";
    std::fs::write(&ptxas, script).expect("writes");
    std::fs::set_permissions(&ptxas, std::fs::Permissions::from_mode(0o755)).expect("a program");
    let path = format!("{}:{}", place.path().join("bin").display(), std::env::var("PATH").unwrap_or_default());
    let with_ptxas = |args: &[&str]| {
        let mut c = place.command(args);
        c.env("PATH", &path);
        finish(c)
    };
    let compiled = |scale: &str| {
        let text = format!("dim n = 32\nentry f(x: f32[n]) -> f32[n] {{ x * {scale} }}\n");
        std::fs::write(place.path().join("f.loom"), text).expect("writes");
        let out = with_ptxas(&["compile", "f.loom", "--target", "h100-sxm", "-o", "f.loomx"]);
        assert_eq!(out.code, 0, "{}", out.stderr);
        let bytes = std::fs::read(place.path().join("f.loomx")).expect("written");
        meshloom_bundle::Bundle::read(&bytes).expect("a bundle").contents
    };
    let (other, good) = (compiled("0.5"), compiled("0.25"));
    let out = with_ptxas(&["verify", "f.loom", "f.loomx", "--target", "h100-sxm"]);
    assert_eq!(out.code, 0, "{}", out.stderr);
    for (k, name) in ["sm_90a.ptx", "sm_90a.cubin"].iter().enumerate() {
        let mut contents = good.clone();
        contents.libraries[k].bytes.clone_from(&other.libraries[k].bytes);
        std::fs::write(place.path().join("bad.loomx"), meshloom_bundle::write(&contents).expect("a bundle"))
            .expect("writes");
        let out = with_ptxas(&["verify", "f.loom", "bad.loomx", "--target", "h100-sxm"]);
        let line = out.stderr.lines().find(|l| l.contains(name)).unwrap_or_default();
        assert!(out.code == 1 && line.contains("damaged or replaced"), "{name}: {} {}", out.code, out.stderr);
    }
}

/// Bundles of other tools may have other bytes: then it is said that nothing is known of their kernels, and that is no success.
#[test]
fn kernels_made_by_other_tools_are_not_called_checked() {
    let place = Place::new();
    std::fs::write(place.path().join("f.loom"), "dim n = 32\nentry f(x: f32[n, n]) -> f32[n, n] { dot(x, x) }\n")
        .expect("writes");
    let out = meshloom(&place, &["compile", "f.loom", "-o", "f.loomx"]);
    assert_eq!(out.code, 0, "{}", out.stderr);
    let bytes = std::fs::read(place.path().join("f.loomx")).expect("written");
    let mut contents = meshloom_bundle::Bundle::read(&bytes).expect("a bundle").contents;
    contents.libraries[0].bytes.push(0);
    contents.libraries[0].tools.insert("llvm".into(), "21.1.0".into());
    let bytes = meshloom_bundle::write(&contents).expect("a bundle");
    std::fs::write(place.path().join("old.loomx"), bytes).expect("writes");
    let out = meshloom(&place, &["verify", "f.loom", "old.loomx"]);
    let said = "old.loomx: kernels/x86-64-v3.so: kernels not checked: it was made by other tools than there are here: llvm `21.1.0`, here";
    assert!(out.code == 1 && out.stderr.contains(said), "{}", out.stderr);
    let out = meshloom(&place, &["verify", "f.loom", "old.loomx", "--kernels", "skip"]);
    assert!(out.code == 0 && out.stderr.contains("--kernels skip trusts it"), "{}", out.stderr);
    // They may be run instead: the byte behind the library changes nothing.
    let out = meshloom(&place, &["verify", "f.loom", "old.loomx", "--kernels", "run"]);
    let said = "kernels/x86-64-v3.so: ";
    assert!(out.code == 0 && out.stderr.contains(said) && out.stderr.contains("as the reference"), "{}", out.stderr);
    let out = meshloom(&place, &["verify", "f.loom", "old.loomx", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&out.stdout).expect("JSON");
    let status: Vec<&str> =
        json["libraries"].as_array().expect("a list").iter().filter_map(|l| l["status"].as_str()).collect();
    assert_eq!((json["ok"].as_bool(), status), (Some(false), vec!["not checked", "same"]));
}

/// A signed bundle runs where its key is required; one that was changed, signed by another, or not signed, does not.
#[test]
fn signed_bundles() {
    let place = Place::new();
    let keys = |name: &str, password: Option<&str>| {
        let pair = match password {
            None => minisign::KeyPair::generate_unencrypted_keypair(),
            Some(p) => minisign::KeyPair::generate_encrypted_keypair(Some(p.into())),
        };
        let pair = pair.expect("keys");
        let public = pair.pk.to_box().expect("a key").to_string();
        std::fs::write(place.path().join(format!("{name}.pub")), &public).expect("writes");
        std::fs::write(place.path().join(format!("{name}.key")), pair.sk.to_box(None).expect("a key").to_string())
            .expect("writes");
        public.lines().nth(1).expect("the key").to_owned()
    };
    let (base64, _) = (keys("mine", None), keys("theirs", Some("secret")));
    compile(&place, "small.loomx", &["--sign", "mine.key"]);
    let run = |more: &[&str]| {
        meshloom(&place, &[&["run", "small.loomx", "--data", "small.loom", "--steps", "1"], more].concat())
    };
    for key in ["mine.pub", &base64] {
        let out = run(&["--require-signature", key]);
        assert_eq!(out.code, 0, "{}", out.stderr);
    }
    let refused = |key: &str, said: &str| {
        let out = run(&["--require-signature", key]);
        assert!(out.code == 2 && out.stderr.contains(said), "{}", out.stderr);
    };
    refused("theirs.pub", "small.loomx: is signed with another key than --require-signature names");
    refused("nobody.pub", "`nobody.pub`: no file, and no public key of minisign");
    let file = |name: &str| place.path().join(name);
    let signature = std::fs::read(file("small.loomx.minisig")).expect("signed");
    std::fs::write(file("small.loomx.minisig"), "not one").expect("writes");
    refused("mine.pub", "small.loomx.minisig: is no signature in minisign's format");
    std::fs::remove_file(file("small.loomx.minisig")).expect("removes");
    refused("mine.pub", "small.loomx: is not signed: there is no small.loomx.minisig");
    std::fs::write(file("small.loomx.minisig"), signature).expect("writes");
    // The same bundle of another program: a whole one, and not what was signed.
    compile(&place, "small.loomx", &["--dim", "batch=8"]);
    refused("mine.pub", "small.loomx: is not what was signed: damaged, or replaced after that");
    let out = meshloom(&place, &["compile", "small.loom", "-o", "x.loomx", "--sign", "theirs.key"]);
    assert!(out.code == 2 && out.stderr.contains("MESHLOOM_SIGN_PASSWORD"), "{}", out.stderr);
    assert!(!file("x.loomx").exists());
    let out = meshloom(&place, &["run", "small.loom", "--require-signature", "mine.pub"]);
    assert!(out.code == 2 && out.stderr.contains("is a source"), "{}", out.stderr);
}

/// `verify --kernels run` finds kernels that compute something else: here the constant in their code is another one.
#[test]
fn running_kernels_tells_wrong_ones() {
    let place = Place::new();
    let text = "dim n = 64\nentry f(x: f32[n]) -> f32[n] { x * 0.3 + 1.0 }\n";
    std::fs::write(place.path().join("f.loom"), text).expect("writes");
    let out = meshloom(&place, &["compile", "f.loom", "-o", "f.loomx"]);
    assert_eq!(out.code, 0, "{}", out.stderr);
    let verified = || meshloom(&place, &["verify", "f.loom", "f.loomx", "--kernels", "run"]);
    let good = verified();
    assert!(good.code == 0 && good.stderr.contains("1 kernel as the reference; 0 left out"), "{}", good.stderr);
    let bytes = std::fs::read(place.path().join("f.loomx")).expect("written");
    let mut contents = meshloom_bundle::Bundle::read(&bytes).expect("a bundle").contents;
    let (from, to) = (0.3f32.to_le_bytes(), 0.4f32.to_le_bytes());
    for library in &mut contents.libraries {
        let found: Vec<usize> = (0..library.bytes.len() - 3).filter(|&k| library.bytes[k..k + 4] == from).collect();
        assert!(!found.is_empty(), "the constant is in the code of {}", library.name);
        found.iter().for_each(|&k| library.bytes[k..k + 4].copy_from_slice(&to));
    }
    std::fs::write(place.path().join("f.loomx"), meshloom_bundle::write(&contents).expect("a bundle")).expect("writes");
    let bad = verified();
    let said = "64 of 64 elements of";
    assert!(
        bad.code == 1 && bad.stderr.contains(said) && bad.stderr.contains("are not the reference's"),
        "{}",
        bad.stderr
    );
    // Code that ends its process ends one of its own.
    contents.libraries.iter_mut().for_each(|l| {
        let code = text_section(&l.bytes);
        l.bytes[code].fill(0xcc);
    });
    std::fs::write(place.path().join("f.loomx"), meshloom_bundle::write(&contents).expect("a bundle")).expect("writes");
    let ended = verified();
    assert!(
        ended.code == 1 && ended.stderr.contains("its machine code ended the process that ran it (signal 5)"),
        "{}",
        ended.stderr
    );
}

/// Where the code of a 64-bit ELF file lies: its first executable segment.
fn text_section(elf: &[u8]) -> std::ops::Range<usize> {
    let word = |at: usize| u64::from_le_bytes(elf[at..at + 8].try_into().expect("8 bytes")) as usize;
    let half = |at: usize| u16::from_le_bytes(elf[at..at + 2].try_into().expect("2 bytes")) as usize;
    let (table, size, count) = (word(32), half(54), half(56));
    let loads = |h: &usize| elf[*h..*h + 4] == 1u32.to_le_bytes() && elf[*h + 4] & 1 == 1;
    let header = (0..count).map(|k| table + k * size).find(loads).expect("an executable segment");
    word(header + 8)..word(header + 8) + word(header + 32)
}

/// What the loader would load for a program, which does not run then.
fn loaded(program: &std::path::Path) -> String {
    let mut c = std::process::Command::new(program);
    c.env("LD_TRACE_LOADED_OBJECTS", "1");
    finish(c).stdout
}

#[test]
fn llvm_is_loaded_to_generate_code_alone() {
    let place = Place::new();
    let all = std::path::Path::new(env!("CARGO_BIN_EXE_meshloom"));
    let (front, back) = (loaded(all), loaded(&all.with_file_name("meshloom-codegen")));
    assert!(front.contains("libc.so") && !front.contains("LLVM") && !front.contains("MLIR"), "{front}");
    assert!(back.contains("libLLVM"), "{back}");
    // Without the other program everything but code generation is there.
    let alone = place.path().join("alone");
    std::fs::copy(all, &alone).expect("a copy");
    let run = |args: &[&str]| {
        let mut c = std::process::Command::new(&alone);
        c.args(args).current_dir(place.path());
        finish(c)
    };
    assert_eq!(run(&["plan", "small.loom"]).code, 0);
    assert_eq!(run(&["check", "small.loom"]).code, 0);
    let out = run(&["compile", "small.loom", "-o", "small.loomx"]);
    assert!(out.code == 2 && out.stderr.contains("meshloom-codegen is missing"), "{}", out.stderr);
}
