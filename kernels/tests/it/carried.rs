//! Packs of kernels' tests (`support/carry.rs`) and who runs them (`meshloom-run kernels`): on this CPU as on a GPU, what is wrong is
//! found, what is damaged or missing is said.

use crate::support::{Case, Rng, carry, expected};
use meshloom_kernels::spec::SegmentSort;
use meshloom_kernels::spec::TopK;
use meshloom_kernels::{Access, Body, DType, Device, Elem, GpuArch, KernelSpec, Reduction};
use meshloom_run::kernels::{METADATA, check};
use meshloom_terminal::Failed;
use safetensors::SafeTensors;
use safetensors::tensor::{TensorView, serialize};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// `y = 2 x` in bf16, sums of rows, an exact sort, the largest few.
fn cases() -> Vec<Case> {
    let mut rng = Rng(60);
    let access = |buffer, strides: &[i64]| Access::new(buffer, strides);
    let mut double = Body::new(&[DType::BF16, DType::BF16]);
    let x = double.leaf(access(0, &[1]));
    let x = double.convert(x, DType::F32);
    let y = double.elem(Elem::Add, &[x, x]);
    let y = double.convert(y, DType::BF16);
    double.output(y, access(1, &[1]));
    let mut sums = Body::new(&[DType::F32, DType::F32]);
    let x = sums.leaf(access(0, &[37, 1]));
    let sum = sums.reduce(Reduction::Sum, x);
    sums.output(sum, access(1, &[1, 0]));
    let fused = |shape: &[u64], body| KernelSpec::Fused(meshloom_kernels::Fused { shape: shape.to_vec(), body });
    let mut all = vec![
        Case::random(fused(&[100], double), &mut rng, &[], 0.0),
        Case::random(fused(&[5, 37], sums), &mut rng, &[], 40.0),
    ];
    let sort = SegmentSort { count: 50, rows: 10, total: 10, sharded: true };
    let mut sorted = Case::random(KernelSpec::SegmentSort(sort), &mut rng, &[0], 0.0);
    sorted.buffers[0].iter_mut().for_each(|i| *i = rng.below(10) as f64);
    all.push(sorted);
    let top = TopK { dtype: DType::F32, rows: 3, n: 40, k: 4, largest: true, indices: false };
    all.push(Case::random(KernelSpec::TopK(top), &mut rng, &[], 0.0));
    all
}

/// The files of a pack of the cases, in a folder.
fn pack(dir: &Path, device: Device, cases: &[Case]) -> PathBuf {
    let (bundle, data) = carry::pack(device, cases, &expected(cases)).expect("kernels of every device");
    std::fs::write(dir.join("cases.loomx"), bundle).expect("a file");
    std::fs::write(dir.join("cases.safetensors"), data).expect("a file");
    dir.to_path_buf()
}

/// Writes a pack's data anew, with other bytes and other metadata.
fn change(dir: &Path, memory: &dyn Fn(&mut [u8]), results: &dyn Fn(&mut [u8]), carried: &dyn Fn(String) -> String) {
    let file = dir.join("cases.safetensors");
    let old = std::fs::read(&file).expect("a file");
    let (_, header) = SafeTensors::read_metadata(&old).expect("a header");
    let tensors = SafeTensors::deserialize(&old).expect("tensors");
    let bytes = |name| tensors.tensor(name).expect("a tensor").data().to_vec();
    let (mut first, mut second) = (bytes("memory"), bytes("expected"));
    memory(&mut first);
    results(&mut second);
    let view = |b| TensorView::new(safetensors::Dtype::U8, vec![<[u8]>::len(b)], b).expect("bytes");
    let text = carried(header.metadata().as_ref().expect("metadata")[METADATA].clone());
    let new = serialize(
        [("memory", view(&first)), ("expected", view(&second))],
        Some(HashMap::from([(METADATA.to_owned(), text)])),
    );
    std::fs::write(file, new.expect("tensors")).expect("a file");
}

fn fails(dir: &Path) -> Failed {
    check(&[dir.to_path_buf()], None).expect_err("this pack is not right")
}

#[test]
fn what_is_right_passes() {
    let dir = tempfile::tempdir().expect("a folder");
    check(&[pack(dir.path(), Device::Cpu, &cases())], None).unwrap_or_else(|e| panic!("{}", e.text()));
    // A file by its name; results close to what is expected.
    let same = |t: String| t;
    change(dir.path(), &|_| {}, &|_| {}, &same);
    check(&[dir.path().join("cases.loomx")], None).unwrap_or_else(|e| panic!("{}", e.text()));
}

/// With a wrong result of the last launch, each other one passes alone.
#[test]
fn launches_run_alone() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = pack(dir.path(), Device::Cpu, &cases());
    change(dir.path(), &|_| {}, &|b| b[b.len() - 17] ^= 0x40, &|t| t);
    let alone = |n| check(std::slice::from_ref(&path), Some(n)).map_err(|e| (e.code, e.text()));
    assert_eq!((alone(0), alone(1), alone(2)), (Ok(()), Ok(()), Ok(())));
    assert_eq!(alone(3), Err((1, "1 of 1 kernel: not equal (1 pack)".into())));
    let (code, text) = alone(4).expect_err("there are four");
    assert!(code == 2 && text.contains("it has 4 launches, and none is number 4"), "{text}");
}

#[test]
fn what_is_wrong_is_found() {
    let dir = tempfile::tempdir().expect("a folder");
    let same = |t: String| t;
    let found = |memory: &dyn Fn(&mut [u8]), results: &dyn Fn(&mut [u8]), carried: &dyn Fn(String) -> String| {
        pack(dir.path(), Device::Cpu, &cases());
        change(dir.path(), memory, results, carried);
        let e = fails(dir.path());
        assert_eq!(e.code, 1, "{}", e.text());
        e.text()
    };
    // An element of the last result; an input; a tolerance that a sum in another order does not keep to.
    let last = |b: &mut [u8]| b[b.len() - 17] ^= 0x40;
    assert_eq!(found(&|_| {}, &last, &same), "1 of 4 kernels: not equal (1 pack)");
    assert_eq!(found(&|b| b[64] ^= 0x40, &|_| {}, &same), "1 of 4 kernels: not equal (1 pack)");
    // A result that is called none is memory that changed.
    let hidden = |t: String| t.replace(r#""elements":103"#, r#""elements":100"#);
    assert!(found(&|_| {}, &|_| {}, &hidden).ends_with("bytes are expected of nothing"));
}

#[test]
fn what_is_damaged_is_said() {
    let dir = tempfile::tempdir().expect("a folder");
    let says = |file: &str, damage: &dyn Fn(Vec<u8>) -> Vec<u8>| {
        pack(dir.path(), Device::Cpu, &cases());
        let path = dir.path().join(file);
        std::fs::write(&path, damage(std::fs::read(&path).expect("a file"))).expect("a file");
        let e = fails(dir.path());
        assert_eq!(e.code, 1, "{}", e.text());
        e.text()
    };
    let half = |b: Vec<u8>| b[..b.len() / 2].to_vec();
    assert!(says("cases.loomx", &half).contains("cases.loomx: no bundle, or a damaged one"));
    assert!(says("cases.safetensors", &half).contains("cases.safetensors: no data of a pack, or damaged"));
    assert!(says("cases.safetensors", &|_| Vec::new()).contains("damaged"));
    let outside = |t: String| t.replacen(r#""offset":"#, r#""offset":9999999"#, 1);
    pack(dir.path(), Device::Cpu, &cases());
    change(dir.path(), &|_| {}, &|_| {}, &outside);
    assert!(fails(dir.path()).text().contains("lies outside of memory"));
    std::fs::remove_file(dir.path().join("cases.safetensors")).expect("a file");
    assert!(fails(dir.path()).text().contains("cannot be read"));
    std::fs::remove_file(dir.path().join("cases.loomx")).expect("a file");
    assert_eq!((fails(dir.path()).code, fails(dir.path()).text().contains("no packs")), (2, true));
}

/// Of every architecture; without a driver what is missing is said.
#[test]
fn gpus_have_packs_of_their_own() {
    for gpu in GpuArch::ALL {
        let dir = tempfile::tempdir().expect("a folder");
        let folder = pack(dir.path(), Device::Gpu(gpu), &cases());
        let bytes = std::fs::read(folder.join("cases.loomx")).expect("a file");
        let bundle = meshloom_bundle::Bundle::read(&bytes).expect("a bundle");
        let program = &bundle.contents.entries[0].program;
        // Twice each; those that take anything from anywhere are one kernel.
        assert_eq!(program.instrs.len(), 8);
        assert!(program.kernels.len() > 4 && program.kernels.iter().all(|k| k.gpu.is_some()));
        assert!(String::from_utf8_lossy(&bundle.contents.libraries[0].bytes).contains(gpu.name()));
        if no_driver() {
            let e = fails(&folder);
            assert_eq!(e.code, 2);
            assert!(e.text().contains("cuda: "), "{}", e.text());
        }
    }
}

fn no_driver() -> bool {
    !Path::new("/proc/driver/nvidia").exists()
}
