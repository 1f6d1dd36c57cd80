//! `compile`, `verify` and running a bundle.

use crate::support::{Place, losses, meshloom};

fn compile(place: &Place, bundle: &str, more: &[&str]) {
    let out = meshloom(place, &[&["compile", "small.loom", "-o", bundle], more].concat());
    assert_eq!(out.code, 0, "{}", out.stderr);
}

#[test]
fn a_bundle_runs_as_its_source_does() {
    let place = Place::new();
    compile(&place, "small.loomx", &[]);
    compile(&place, "again.loomx", &[]);
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

/// Bundles say by the kernel that f32 is multiplied in tf32, and `verify` reads it there; on CPUs nothing changes.
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
        let out = meshloom(&place, &["verify", "small.loom", bundle]);
        assert_eq!((out.code, out.stderr.contains("Proved")), (0, true), "{}", out.stderr);
    }
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
    let peak = json["totals"]["peak_bytes_per_device"].as_u64().unwrap_or_else(|| panic!("{json}"));
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
