//! What PTX defines and what it does not, kernel by kernel of a few lines.

mod tensor_memory;

use meshloom_bundle::{DType, Swizzle, TensorMap};
use meshloom_ptx::block::KernelLaunch;
use meshloom_ptx::kernel::Kernel;
use meshloom_ptx::machine::run;
use meshloom_ptx::memory::{Bytes, Global};
use meshloom_ptx::parse::module;
use meshloom_ptx::tile::MapAt;
use std::collections::BTreeMap;

/// Where the kernel's shared memory begins.
const SHARED: &str = ".shared .align 1024 .b8 s[8192];";

/// Runs a body on one block of so many threads. `in` has floats 0, 1, 2 .. and `out` has none yet; what is in `out` then, 0 where it has no value.
fn on(threads: u64, body: &str) -> Result<Vec<f32>, String> {
    let text = format!(
        ".version 8.6\n.target sm_90a\n.address_size 64\n.visible .entry k(\n.param .u64 in,\n.param .u64 out,\n.param .align 64 .b8 map[128]\n)\n{{\n\
         .reg .pred %p<8>;\n.reg .b16 %h<8>;\n.reg .b32 %r<64>;\n.reg .b64 %d<16>;\n{SHARED}\n\
         ld.param.u64 %d0, [in];\nld.param.u64 %d1, [out];\nmov.u32 %r0, %tid.x;\nmov.u32 %r1, s;\nmul.wide.u32 %d2, %r0, 4;\nshl.b32 %r2, %r0, 2;\n\
         add.s32 %r2, %r2, %r1;\nadd.s64 %d3, %d0, %d2;\nadd.s64 %d4, %d1, %d2;\nsetp.eq.u32 %p0, %r0, 0;\n{body}\nret;\n}}\n"
    );
    let parsed = module(&text)?;
    let kernel = Kernel::new("k", &parsed.kernels["k"], &BTreeMap::new())?;
    let mut global = Global::default();
    let floats: Vec<u8> = (0..1024).flat_map(|i| (i as f32).to_le_bytes()).collect();
    let known = vec![true; floats.len()];
    let input = global.add("in", Bytes { bytes: floats, known });
    let output = global.add("out", Bytes::unknown(4096));
    let mut params = vec![0; 192];
    params[..8].copy_from_slice(&input.to_le_bytes());
    params[8..16].copy_from_slice(&output.to_le_bytes());
    // Eight rows of eight floats.
    let map = TensorMap {
        arg: 0,
        offset: 0,
        dtype: DType::F32,
        shape: vec![8, 8],
        strides: vec![32],
        tile: vec![8, 8],
        swizzle: Swizzle::None,
    };
    let maps = vec![MapAt { param: 64, address: input, map }];
    run(&KernelLaunch { kernel: &kernel, blocks: 1, threads, cluster: 1, shared: 0, params, maps }, &mut global)
        .map_err(|f| f.to_string())?;
    let out = &global.regions[1].data.bytes;
    Ok(out.as_chunks().0.iter().map(|b| f32::from_le_bytes(*b)).collect())
}

#[track_caller]
fn faults(threads: u64, body: &str, why: &str) {
    let fault = on(threads, body).expect_err("it is not defined");
    assert!(fault.contains(why), "{fault}");
}

/// Removes a line that has to be there.
fn without(body: &str, line: &str) -> String {
    assert_eq!(body.matches(line).count(), 1, "{line}");
    body.replace(line, "")
}

#[test]
fn lanes_that_part_meet_again() {
    // Odd lanes double, even ones negate; the loop runs as often as the lane says.
    let body = "ld.global.f32 %r10, [%d3];\nand.b32 %r11, %r0, 1;\nsetp.eq.u32 %p1, %r11, 1;\n@%p1 bra odd;\nneg.f32 %r10, %r10;\nbra.uni both;\n\
        odd:\nadd.rn.f32 %r10, %r10, %r10;\nboth:\nmov.u32 %r12, 0;\nmov.b32 %r13, 0f00000000;\nagain:\nsetp.ge.u32 %p2, %r12, %r0;\n@%p2 bra over;\n\
        add.rn.f32 %r13, %r13, %r10;\nadd.s32 %r12, %r12, 1;\nbra again;\nover:\nst.global.f32 [%d4], %r13;";
    let out = on(32, body).unwrap();
    let want = |i: usize| (i * i) as f32 * if i % 2 == 1 { 2.0 } else { -1.0 };
    assert!((0..32).all(|i| out[i] == want(i)), "{out:?}");
}

#[test]
fn memory_is_aligned_known_and_there() {
    faults(32, "add.s64 %d5, %d0, 2;\nld.global.f32 %r10, [%d5];", "reads 4 bytes at");
    faults(32, "ld.global.f32 %r10, [%d4];", "has no value");
    faults(32, "ld.shared.f32 %r10, [%r2];", "has no value");
    faults(32, "ld.global.f32 %r10, [%d3+4096];", "lies outside of 4096 bytes");
    faults(32, "add.f32 %r10, %r11, %r12;", "has no value");
    faults(32, "frobnicate.b32 %r10, %r0;", "not known here");
}

/// Each thread reads what another one wrote.
#[test]
fn threads_do_not_race() {
    let body = |meet: &str, by: u32| {
        format!(
            "mov.u32 %r20, 7;\nst.shared.u32 [%r2], %r20;\n{meet}\nxor.b32 %r3, %r0, {by};\nshl.b32 %r3, %r3, 2;\nadd.s32 %r3, %r3, %r1;\n\
                 ld.shared.u32 %r10, [%r3];\nst.global.u32 [%d4], %r10;"
        )
    };
    assert!(on(64, &body("bar.sync 0;", 32)).is_ok() && on(32, &body("bar.warp.sync 0xffffffff;", 1)).is_ok());
    faults(32, &body("", 1), "a race");
    // The first warp reads what the second one has not written yet.
    faults(64, &body("bar.warp.sync 0xffffffff;", 32), "has no value");
    // A write to what another warp may still read.
    let again = "st.shared.u32 [%r2], %r20;";
    assert!(on(64, &format!("{}bar.sync 0;\n{again}", body("bar.sync 0;", 32))).is_ok());
    faults(64, &format!("{}{again}", body("bar.sync 0;", 32)), "a race");
    // All write to one place.
    faults(32, "mov.u32 %r20, 7;\nst.global.u32 [%d1], %r20;", "a race");
}

#[test]
fn copies_of_threads_are_waited_for() {
    let body = "cp.async.ca.shared.global [%r2], [%d3], 4, 4;\ncp.async.commit_group;\ncp.async.wait_group 0;\nld.shared.f32 %r10, [%r2];\n\
        st.global.f32 [%d4], %r10;";
    let out = on(32, body).unwrap();
    assert!((0..32).all(|i| out[i] == i as f32), "{out:?}");
    faults(32, &without(body, "cp.async.wait_group 0;\n"), "was not waited for");
    faults(32, &without(body, "cp.async.commit_group;\n"), "was not waited for");
    faults(32, &body.replace("wait_group 0", "wait_group 1"), "was not waited for");
}

/// All lanes write a tile to shared memory, and one has it stored: as far as the tensor reaches.
#[test]
fn stored_tiles_are_fenced_and_waited_for() {
    // The map's tensor is `in`: a tile of 8 rows of 8 floats from row 4 on.
    let body = "mov.b64 %d6, map;\ncvta.param.u64 %d6, %d6;\nmov.u32 %r7, 0;\nmov.u32 %r8, 4;\nadd.s32 %r9, %r0, 500;\ncvt.rn.f32.s32 %r9, %r9;\n\
        st.shared.f32 [%r2], %r9;\nst.shared.f32 [%r2+128], %r9;\nfence.proxy.async.shared::cta;\nbar.warp.sync 0xffffffff;\n@!%p0 bra wait;\n\
        cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%d6, {%r7, %r8}], [%r1];\ncp.async.bulk.commit_group;\nwait:\n";
    let (read, whole) =
        ("cp.async.bulk.wait_group.read 0;\nbar.warp.sync 0xffffffff;\n", "cp.async.bulk.wait_group 0;\n");
    let (again, tell) = (
        "st.shared.f32 [%r2], %r9;\n",
        "bar.warp.sync 0xffffffff;\nld.global.f32 %r10, [%d3+128];\nst.global.f32 [%d4], %r10;",
    );
    let good = [body, read, again, whole, tell].concat();
    let out = on(32, &good).unwrap();
    assert!((0..32).all(|i| out[i] == (500 + i) as f32), "{out:?}");
    // What lies behind the tensor's last row stays as it was.
    let behind = on(32, &good.replace("[%d3+128]", "[%d3+256]")).unwrap();
    assert!((0..32).all(|i| behind[i] == (64 + i) as f32), "{behind:?}");
    faults(32, &without(&good, "fence.proxy.async.shared::cta;\n"), "no fence.proxy.async came in between");
    faults(32, &[&without(body, "bar.warp.sync 0xffffffff;\n"), whole].concat(), "a race");
    // Written again before it was read, or by lanes that do not know that it was.
    faults(32, &[body, again, whole].concat(), "was not waited for");
    faults(32, &[body, "cp.async.bulk.wait_group.read 0;\n", again, whole].concat(), "a race");
    faults(32, &[&without(body, "cp.async.bulk.commit_group;\n"), read, again, whole].concat(), "was not waited for");
    faults(
        32,
        &[body, "cp.async.bulk.wait_group.read 1;\nbar.warp.sync 0xffffffff;\n", again].concat(),
        "was not waited for",
    );
    // Read by others before it is there, and by those that were not told.
    faults(32, &[body, read, tell].concat(), "a race");
    faults(32, &[body, whole, "ld.global.f32 %r10, [%d3+128];\nst.global.f32 [%d4], %r10;"].concat(), "a race");
    faults(32, body, "the block ends before stores of its shared memory were waited for");
    // At a place that no tile begins at.
    faults(
        32,
        &[&body.replace("%r8}], [%r1]", "%r8}], [%r2]"), whole]
            .concat()
            .replace("@!%p0 bra wait;", "setp.eq.u32 %p0, %r0, 4;\n@!%p0 bra wait;"),
        "a tile of rows of 32 bytes",
    );
}

/// One lane asks for a tile; all wait for its barrier and read it.
#[test]
fn tiles_are_waited_for() {
    let body = "mov.b64 %d6, map;\ncvta.param.u64 %d6, %d6;\nadd.s32 %r5, %r1, 1024;\nmov.u32 %r6, 1;\nmov.u32 %r7, 256;\nmov.u32 %r8, 0;\n\
        @!%p0 bra ready;\nmbarrier.init.shared::cta.b64 [%r5], %r6;\nfence.mbarrier_init.release.cluster;\nready:\nbar.sync 0;\n\
        @!%p0 bra wait;\nmbarrier.arrive.expect_tx.shared::cta.b64 _, [%r5], %r7;\n\
        cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%d6, {%r8, %r8}], [%r5];\nwait:\n\
        mbarrier.try_wait.parity.shared::cta.b64 %p3, [%r5], %r8;\nld.shared.f32 %r10, [%r2];\nst.global.f32 [%d4], %r10;";
    let out = on(64, body).unwrap();
    assert!((0..64).all(|i| out[i] == i as f32), "{out:?}");
    faults(64, &without(body, "mbarrier.try_wait.parity.shared::cta.b64 %p3, [%r5], %r8;\n"), "was not waited for");
    faults(64, &without(body, "fence.mbarrier_init.release.cluster;\n"), "no fence came");
    faults(64, &without(body, "bar.sync 0;\n"), "the making of the barrier");
    faults(64, &body.replace("mov.u32 %r7, 256", "mov.u32 %r7, 260"), "waits in vain for the phase of parity 0");
    // A second phase never comes.
    let twice =
        body.replace("ld.shared.f32", "mbarrier.try_wait.parity.shared::cta.b64 %p3, [%r5], %r6;\nld.shared.f32");
    faults(64, &twice, "waits in vain for the phase of parity 1");
    // At a place that no tile begins at.
    let aside = body.replace("mov.u32 %r6, 1;\n", "mov.u32 %r6, 1;\nadd.s32 %r9, %r1, 64;\n");
    faults(64, &aside.replace("[%r1], [%d6", "[%r9], [%d6"), "a tile of rows of 32 bytes");
}
