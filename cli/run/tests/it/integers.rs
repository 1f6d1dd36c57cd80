//! 64-bit integers at the ends of their range, from files to what is printed and saved: none of them passes through a float, and what
//! does not fit is said with the file that it is from.

use crate::common;
use meshloom_bundle::*;
use safetensors::SafeTensors;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// Ends of the range, and the integers beside the last that an f64 holds with all its neighbours.
const ENDS: [i64; 6] = [i64::MIN, i64::MAX, (1 << 53) + 1, -(1 << 53) - 1, i64::MAX - 1, -1];
/// Values of `k` are below.
const LIMIT: i64 = (1 << 53) + 1;

/// A `.npy` file of numbers; `descr` is numpy's name of their type.
pub fn npy(descr: &str, shape: &[usize], bytes: &[u8]) -> Vec<u8> {
    let dims = shape.iter().fold(String::new(), |mut s, n| {
        write!(s, "{n},").unwrap();
        s
    });
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({dims}), }}\n");
    [b"\x93NUMPY\x01\x00", &(header.len() as u16).to_le_bytes()[..], header.as_bytes(), bytes].concat()
}

/// `below = x - 1`, `sum = s + 2^53 + 1`, of two inputs, one with a range; `n` is an i32.
fn bundle(dir: &Path) {
    let c = "void f(const long *x, const long *s, long *below, long *sum) {
        for (int i = 0; i < 6; i++) below[i] = (long)((unsigned long)x[i] - 1);
        *sum = *s + 9007199254740993;
    }";
    let mut p = common::program(&[("data", 1)], 4096);
    let (wide, one) = (DType::I64, [&[][..]]);
    let port =
        |p: &Program, name, role, shape: &[u64], at| common::port(p, name, role, wide, shape, &one[..shape.len()], at);
    let mut all = vec![port(&p, "x", Role::Input, &[6], 0), port(&p, "s", Role::Input, &[], 256)];
    let ranged = Port { range: Some(Range { lo: 0, hi: LIMIT }), ..port(&p, "k", Role::Input, &[6], 512) };
    all.push(ranged);
    all.push(common::port(&p, "n", Role::Input, DType::I32, &[6], &one, 768));
    all.push(port(&p, "below", Role::Output, &[6], 1024));
    all.push(port(&p, "sum", Role::Output, &[], 1280));
    p.ports = all;
    p.kernels = vec![common::kernel("f", 4, 0, false)];
    let at = BufRef::fixed;
    p.instrs = vec![common::launch(0, vec![at(0, 48), at(256, 8), at(1024, 48), at(1280, 8)], vec![2, 3], 1, vec![])];
    let bundle = common::bundle(vec![(EntryKind::Function, p)], c);
    std::fs::write(dir.join("ends.loomx"), write(&bundle.contents).unwrap()).unwrap();
    let put = |name: &str, descr: &str, shape: &[usize], bytes: Vec<u8>| {
        std::fs::write(dir.join(name), npy(descr, shape, &bytes)).unwrap();
    };
    put("x.npy", "<i8", &[6], ENDS.map(i64::to_le_bytes).concat());
    put("s.npy", "<i8", &[], 0i64.to_le_bytes().to_vec());
    put("small.npy", "<i8", &[6], [0i64, 1, 2, 3, 4, 5].map(i64::to_le_bytes).concat());
    put("largest.npy", "<i8", &[6], [0, 1, 2, LIMIT - 1, 4, 5].map(i64::to_le_bytes).concat());
    put("limit.npy", "<i8", &[6], [0, 1, 2, LIMIT, 4, 5].map(i64::to_le_bytes).concat());
    put("half.npy", "<i8", &[6], [0i64, 1, 1 << 31, 3, 4, 5].map(i64::to_le_bytes).concat());
    put("unsigned.npy", "<u8", &[6], [0, 1, (1 << 53) + 1, i64::MAX as u64, 4, 5].map(u64::to_le_bytes).concat());
    put("above.npy", "<u8", &[6], [0, 1, 2, u64::MAX, 4, 5].map(u64::to_le_bytes).concat());
}

/// Runs a command, and gives its exit code and what it wrote to both outputs.
pub fn said(c: &mut Command) -> (i32, String, String) {
    let out = c.output().unwrap();
    let text = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
    (out.status.code().unwrap_or(-1), text(&out.stdout), text(&out.stderr))
}

/// Runs the bundle with values for its inputs, in the order of its ports, and gives the exit code and what was said.
fn run(dir: &Path, files: [&str; 4], more: &[&str]) -> (i32, String, String) {
    let mut c = Command::new(env!("CARGO_BIN_EXE_meshloom-run"));
    c.current_dir(dir).args(["ends.loomx", "--launcher", "none"]).args(more);
    for (name, file) in ["x", "s", "k", "n"].iter().zip(files) {
        c.args(["--input", &format!("{name}=@{file}")]);
    }
    said(&mut c)
}

#[test]
fn files_to_results() {
    let dir = tempfile::tempdir().unwrap();
    bundle(dir.path());
    let printed = |all: [i64; 6]| format!("[{}]", all.map(|n| n.to_string()).join(", "));
    let below = |all: [i64; 6]| format!("below i64[6] = {}", printed(all.map(|n| n.wrapping_sub(1))));
    let given = ["x.npy", "s.npy", "largest.npy", "small.npy"];
    let (code, text, said) = run(dir.path(), given, &[]);
    assert!(code == 0 && text.contains(&below(ENDS)), "{text}{said}");
    assert!(text.contains("sum i64[] = 9007199254740993\n"), "{text}");
    let (code, text, said) = run(dir.path(), ["unsigned.npy", "s.npy", "largest.npy", "small.npy"], &[]);
    assert!(code == 0 && text.contains(&below([0, 1, LIMIT, i64::MAX, 4, 5])), "{text}{said}");
    let (code, text, said) = run(dir.path(), given, &["--json", "--steps", "2"]);
    assert!(code == 0 && text.contains(r#""sum":9007199254740993"#), "{text}{said}");
    let (code, _, said) = run(dir.path(), given, &["--save-outputs", "out.safetensors"]);
    assert_eq!(code, 0, "{said}");
    let bytes = std::fs::read(dir.path().join("out.safetensors")).unwrap();
    let file = SafeTensors::deserialize(&bytes).unwrap();
    let expected = ENDS.map(|n| n.wrapping_sub(1).to_le_bytes()).concat();
    assert_eq!(file.tensor("below").unwrap().data(), expected);
    // And from there.
    let again = ["out.safetensors:below", "out.safetensors:sum", "largest.npy", "small.npy"];
    let (code, text, said) = run(dir.path(), again, &[]);
    assert!(code == 0 && text.contains(&below(ENDS.map(|n| n.wrapping_sub(1)))), "{text}{said}");
    assert!(text.contains("sum i64[] = 18014398509481986\n"), "{text}");
}

#[test]
fn what_does_not_fit_is_refused_with_its_file() {
    let dir = tempfile::tempdir().unwrap();
    bundle(dir.path());
    for (files, why) in [
        (
            ["above.npy", "s.npy", "small.npy", "small.npy"],
            "x=@above.npy: element 3 is 18446744073709551615, which does not fit into i64",
        ),
        (
            ["x.npy", "s.npy", "small.npy", "half.npy"],
            "n=@half.npy: element 2 is 2147483648, which does not fit into i32",
        ),
        (
            ["x.npy", "s.npy", "x.npy", "small.npy"],
            "k=@x.npy: element 0 is -9223372036854775808; the program takes 0..9007199254740993",
        ),
        (
            ["x.npy", "s.npy", "limit.npy", "small.npy"],
            "k=@limit.npy: element 3 is 9007199254740993; the program takes 0..9007199254740993",
        ),
    ] {
        let (code, _, said) = run(dir.path(), files, &[]);
        assert!(code == 2 && said.contains(why), "{code} {said}");
    }
}

/// Unsigned integers of 64 bits, which programs hold as signed ones of the same bits, are u64 in files and in what is printed.
#[test]
fn unsigned_integers_of_64_bits() {
    let dir = tempfile::tempdir().unwrap();
    let c = "void f(const long *u, long *half) {
        for (int i = 0; i < 6; i++) half[i] = (long)((unsigned long)u[i] / 2 + 9223372036854775808ul);
    }";
    let mut p = common::program(&[("data", 1)], 4096);
    let port = |p: &Program, name, role, at| Port {
        unsigned: true,
        ..common::port(p, name, role, DType::I64, &[6], &[&[][..]], at)
    };
    p.ports = vec![port(&p, "u", Role::Input, 0), port(&p, "half", Role::Output, 256)];
    p.kernels = vec![common::kernel("f", 2, 0, false)];
    let at = BufRef::fixed;
    p.instrs = vec![common::launch(0, vec![at(0, 48), at(256, 48)], vec![1], 1, vec![])];
    let bundle = common::bundle(vec![(EntryKind::Function, p)], c);
    std::fs::write(dir.path().join("u.loomx"), write(&bundle.contents).unwrap()).unwrap();
    let values = [0, 2, u64::MAX, 1 << 63, i64::MAX as u64, 5];
    let bytes = values.map(u64::to_le_bytes).concat();
    std::fs::write(dir.path().join("u.npy"), npy("<u8", &[6], &bytes)).unwrap();
    let run = |input: &str| {
        let args = ["u.loomx", "--launcher", "none", "--save-outputs", "out.safetensors", "--input", input];
        said(Command::new(env!("CARGO_BIN_EXE_meshloom-run")).current_dir(dir.path()).args(args))
    };
    let (code, _, error) = run("u=@u.npy");
    assert_eq!(code, 0, "{error}");
    let saved = std::fs::read(dir.path().join("out.safetensors")).unwrap();
    let file = SafeTensors::deserialize(&saved).unwrap();
    let half = file.tensor("half").unwrap();
    assert_eq!(half.dtype(), safetensors::Dtype::U64);
    assert_eq!(half.data(), values.map(|v| (v / 2 + (1 << 63)).to_le_bytes()).concat());
    // And from there.
    let args = ["u.loomx", "--launcher", "none", "--input", "u=@out.safetensors:half"];
    let (code, text, error) = said(Command::new(env!("CARGO_BIN_EXE_meshloom-run")).current_dir(dir.path()).args(args));
    assert!(code == 0 && text.contains("half u64[6] = [13835058055282163712, "), "{text}{error}");
}
