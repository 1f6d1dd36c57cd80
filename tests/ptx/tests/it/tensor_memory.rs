//! Tensor memory, in a kernel written by hand: four warps fill two operands, a thread multiplies them, and each warp loads its rows of the sums.

use crate::{faults, on, without};

/// Without a swizzle: 16 bytes of eight rows lie together, `leading` is to the next 16 bytes of a row, `stride` to the next eight rows.
fn descriptor(leading: u64, stride: u64) -> u64 {
    (leading >> 4) << 16 | (stride >> 4) << 32 | 1 << 46
}

/// 128 rows and 16 columns of tf32, sums in f32.
const INSTRUCTION: u32 = 1 << 4 | 2 << 7 | 2 << 10 | 2 << 17 | 8 << 24;

/// Row `t` of the first operand is `t, 5, 5 .. 5, 2`, and column `n` of the second one `n, 0 .. 0, 1`.
fn body() -> String {
    format!(
        "shl.b32 %r3, %r0, 4;
        add.s32 %r3, %r3, %r1;
        mov.b32 %r10, 0f40A00000;
        mov.b32 %r11, 0f40000000;
        cvt.rn.f32.u32 %r12, %r0;
        mov.b32 %r13, 0f00000000;
        mov.b32 %r14, 0f3F800000;
        st.shared.v4.b32 [%r3], {{%r12, %r10, %r10, %r10}};
        st.shared.v4.b32 [%r3+2048], {{%r10, %r10, %r10, %r11}};
        setp.lt.u32 %p1, %r0, 16;
        @%p1 st.shared.v4.b32 [%r3+4096], {{%r12, %r13, %r13, %r13}};
        @%p1 st.shared.v4.b32 [%r3+4352], {{%r13, %r13, %r13, %r14}};
        fence.proxy.async.shared::cta;
        add.s32 %r4, %r1, 4608;
        add.s32 %r5, %r1, 4616;
        mov.u32 %r6, 1;
        shr.u32 %r7, %r0, 5;
        setp.eq.u32 %p2, %r7, 0;
        mov.u32 %r8, 32;
        @!%p2 bra there;
        tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r4], %r8;
        tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
        @!%p0 bra there;
        mbarrier.init.shared::cta.b64 [%r5], %r6;
        fence.mbarrier_init.release.cluster;
        there:
        bar.sync 0; // filled
        ld.shared.b32 %r9, [%r4];
        mov.u32 %r20, 0;
        @!%p0 bra wait;
        tcgen05.fence::after_thread_sync; // before the product
        cvt.u64.u32 %d5, %r1;
        shr.u64 %d5, %d5, 4;
        add.s64 %d6, %d5, 256;
        mov.b64 %d7, {first};
        or.b64 %d5, %d5, %d7;
        mov.b64 %d7, {second};
        or.b64 %d6, %d6, %d7;
        mov.b32 %r21, {INSTRUCTION};
        setp.ne.b32 %p3, 0, 0;
        tcgen05.mma.cta_group::1.kind::tf32 [%r9], %d5, %d6, %r21, %p3;
        tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r5];
        wait:
        mbarrier.try_wait.parity.shared::cta.b64 %p4, [%r5], %r20;
        tcgen05.fence::after_thread_sync; // before loads
        shl.b32 %r22, %r7, 21;
        add.s32 %r22, %r22, %r9;
        tcgen05.ld.sync.aligned.32x32b.x8.b32 {{%r30, %r31, %r32, %r33, %r34, %r35, %r36, %r37}}, [%r22];
        tcgen05.wait::ld.sync.aligned;
        mul.wide.u32 %d8, %r0, 32;
        add.s64 %d8, %d8, %d1;
        st.global.v4.b32 [%d8], {{%r30, %r31, %r32, %r33}};
        st.global.v4.b32 [%d8+16], {{%r34, %r35, %r36, %r37}};
        tcgen05.fence::before_thread_sync;
        bar.sync 0; // loaded
        tcgen05.fence::after_thread_sync; // before they are given back
        @!%p2 bra end;
        tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r9, %r8;
        end:",
        first = descriptor(2048, 128),
        second = descriptor(256, 128),
    )
}

#[test]
fn sums_are_loaded_by_rows() {
    let out = on(128, &body()).unwrap();
    assert!((0..1024).all(|i| out[i] == (i / 8 * (i % 8) + 2) as f32), "{out:?}");
    // What is there is added to: the product twice.
    let product = "tcgen05.mma.cta_group::1.kind::tf32 [%r9], %d5, %d6, %r21, %p3;\n";
    let twice = body().replace(product, &format!("{product}setp.eq.b32 %p3, 0, 0;\n{product}"));
    let out = on(128, &twice).unwrap();
    assert!((0..1024).all(|i| out[i] == (2 * (i / 8 * (i % 8) + 2)) as f32), "{out:?}");
}

#[test]
fn tensor_memory_is_taken_and_given_back() {
    let body = body();
    let dealloc = "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r9, %r8;\n";
    faults(128, &without(&body, dealloc), "the block ends with 32 columns");
    faults(128, &body.replace("mov.u32 %r8, 32;", "mov.u32 %r8, 48;"), "no power of two");
    faults(128, &body.replace("mov.u32 %r8, 32;", "mov.u32 %r8, 16;"), "no power of two");
    faults(128, &body.replace("%r9, %r8;", "%r9, %r6;"), "not what the warp took");
    let alloc = "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r4], %r8;\n";
    faults(128, &without(&body, alloc), "has no value");
    let permit = "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;\n";
    faults(128, &body.replace(permit, &format!("{permit}{alloc}")), "gave up its right");
    // Of another warp than took them.
    faults(128, &body.replace("@!%p2 bra end;", "setp.eq.u32 %p2, %r7, 1;\n@!%p2 bra end;"), "not what the warp took");
}

#[test]
fn products_and_loads_are_waited_for() {
    let body = body();
    faults(128, &without(&body, "tcgen05.wait::ld.sync.aligned;\n"), "in the background was not waited for");
    faults(
        128,
        &without(&body, "mbarrier.try_wait.parity.shared::cta.b64 %p4, [%r5], %r20;\n"),
        "a matrix product of warp 0 is not known to be over",
    );
    let commit = "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r5];\n";
    faults(128, &without(&body, commit), "waits in vain");
    faults(128, &without(&body, "tcgen05.fence::after_thread_sync; // before loads\n"), "is not known to be over");
    faults(128, &without(&body, "tcgen05.fence::before_thread_sync;\n"), "a load of warp");
    let last = "tcgen05.fence::after_thread_sync; // before they are given back\n";
    faults(128, &without(&body, last), "is given back, and a load of warp");
    faults(128, &without(&body, "bar.sync 0; // loaded\n"), "are not the block's");
    faults(128, &without(&body, "tcgen05.fence::after_thread_sync; // before the product\n"), "a race");
    faults(128, &without(&body, "bar.sync 0; // filled\n"), "a race");
    faults(128, &without(&body, "fence.proxy.async.shared::cta;\n"), "no fence.proxy.async came in between");
    faults(128, &without(&body, "fence.mbarrier_init.release.cluster;\n"), "no fence came");
    // A product may still read what is written here.
    let early = format!("{commit}st.shared.b32 [%r3], %r10;\n");
    faults(128, &body.replace(commit, &early), "that reads it was not waited for");
}

#[test]
fn descriptors_and_places_are_right() {
    let body = body();
    let instruction = |bits: u32| body.replace(&INSTRUCTION.to_string(), &(INSTRUCTION ^ bits).to_string());
    faults(128, &instruction(12 << 24), "not 128 rows");
    faults(128, &instruction(3 << 17), "no multiple of 16");
    faults(128, &instruction(3 << 7), "the types of operands");
    faults(128, &instruction(1 << 4), "sums that are not f32");
    faults(128, &instruction(1 << 13), "not known here");
    faults(128, &instruction(14 << 17), "are not the block's");
    let first = descriptor(2048, 128);
    let of_first = |bits: u64| body.replace(&first.to_string(), &(first ^ bits).to_string());
    faults(128, &of_first(1 << 46), "bits 46 to 48 are not 1");
    faults(128, &of_first(3 << 61), "its swizzle");
    faults(128, &of_first(1 << 49), "not known here");
    faults(128, &body.replace("shl.b32 %r22, %r7, 21;", "shl.b32 %r22, %r7, 20;"), "warp 1 may not load from lane 16");
    faults(128, &body.replace("[%r22]", "[%r22+28]"), "are not the block's");
    faults(128, &body.replace("[%r22]", "[%r22+16]"), "column");
    let product = "[%r9], %d5, %d6, %r21, %p3;";
    faults(128, &body.replace(product, "[%r9+65536], %d5, %d6, %r21, %p3;"), "from lane 1 on");
    faults(128, &body.replace("setp.ne.b32 %p3, 0, 0;", "setp.eq.b32 %p3, 0, 0;"), "has no value");
    faults(128, &body.replace("cta_group::1.kind", "cta_group::2.kind"), "not known here");
}
