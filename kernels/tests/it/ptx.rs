//! Templates of kernels as PTX, in the interpreter of `tests/ptx`: small shapes of each, for each architecture that has a form of its own. And
//! mutants: without one of its waits, fences or barriers a kernel is caught, or computes the same.

use crate::support::{self, Case, Rng, carry, ptx};
use crate::{added, attention_gpu, dot, fused, order, scatter, summed, types};
use meshloom_kernels::dot::Tiling;
use meshloom_kernels::gpu::Grid;
use meshloom_kernels::spec::DotAndSum;
use meshloom_kernels::{DType, Device, GpuArch, KernelSpec};
use meshloom_run::kernels::check_on;

#[test]
fn fused_kernels_on_ampere() {
    ptx::on(
        GpuArch::Sm80,
        &[
            fused::layer_norm_and_softmax,
            fused::copies_of_any_order,
            fused::long_rows_are_split,
            fused::rows_of_tables,
            fused::random_bits,
            fused::large_arguments,
            summed::rows_with_sums_of_columns,
        ],
    );
}

#[test]
fn other_kernels_on_ampere() {
    ptx::on(GpuArch::Sm80, &[types::integers_of_other_widths, order::running_log_sums, scatter::sort_and_sum]);
}

#[test]
fn products_on_ampere() {
    ptx::on(
        GpuArch::Sm80,
        &[
            dot::operands_lie_in_any_way,
            dot::tensor_cores_multiply_f32_in_tf32,
            dot::heads_and_batches,
            dot::pipelines_of_warps,
            dot::integers_of_eight_bits_lie_in_any_way,
            dot::pipelines_of_integers,
        ],
    );
}

#[test]
fn products_on_hopper() {
    ptx::on(
        GpuArch::Sm90a,
        &[
            dot::operands_lie_in_any_way,
            dot::pipelines_of_warpgroups,
            dot::slices_are_fetched,
            dot::slices_are_rounded,
            dot::results_are_finished_in_turn,
            dot::slices_of_eight_bits_are_fetched,
            dot::slices_of_integers_are_fetched,
            dot::pipelines_of_warpgroups_of_integers,
        ],
    );
}

#[test]
fn sums_of_operands_on_hopper() {
    ptx::on(GpuArch::Sm90a, &[added::some_operands_are_added_up, added::some_operands_are_added_up_by_threads]);
}

#[test]
fn attention_on_hopper() {
    ptx::on(GpuArch::Sm90a, &[attention_gpu::backward, attention_gpu::empty_tiles]);
}

#[test]
fn attention_of_warpgroups() {
    ptx::on(
        GpuArch::Sm90a,
        &[
            attention_gpu::tiles_are_fetched,
            attention_gpu::tiles_are_fetched_for_gradients,
            attention_gpu::tiles_between_documents_are_passed_over,
            attention_gpu::operands_of_eight_bits,
        ],
    );
}

#[test]
fn products_on_blackwell() {
    ptx::on(
        GpuArch::Sm100a,
        &[
            dot::sums_in_tensor_memory,
            dot::sums_of_eight_bits_in_tensor_memory,
            dot::sums_of_integers_in_tensor_memory,
            dot::results_from_tensor_memory,
            dot::pipelines_of_warps_of_eight_bits,
        ],
    );
}

#[test]
fn kernels_on_blackwell() {
    ptx::on(GpuArch::Sm100a, &[fused::layer_norm_and_softmax, dot::operands_lie_in_any_way]);
}

/// The text without the line of this number, or without what a statement in the line is.
fn without(text: &str, line: usize, statement: &str) -> String {
    let keep = |(i, l): (usize, &str)| match i == line {
        true => l.replacen(statement, "", 1),
        false => l.to_owned(),
    };
    text.lines().enumerate().map(keep).collect::<Vec<_>>().join("\n")
}

/// Removes each statement that begins so, one at a time: how many there are, and how many of the mutants are caught. One that is not caught has to
/// compute the same.
fn mutants(gpu: GpuArch, cases: &[Case], begin: &str) -> (usize, usize) {
    let (bundle, data) = carry::pack(Device::Gpu(gpu), cases, &support::expected(cases)).expect("kernels");
    mutants_of(&bundle, &data, begin)
}

/// The same of a bundle and its data.
fn mutants_of(bundle: &[u8], data: &[u8], begin: &str) -> (usize, usize) {
    let (mut all, mut caught) = (0, 0);
    let text = meshloom_ptx::program::ptx(&meshloom_bundle::Bundle::read(bundle).expect("a bundle")).expect("PTX");
    for (line, l) in text.lines().enumerate() {
        let Some(at) = l.find(begin) else { continue };
        let end = l[at..].find(';').expect("a statement") + at + 1;
        let mutant = without(&text, line, &l[at..end]);
        let done = check_on(bundle, data, &mut |bundle, memory| ptx::interpreted(bundle, &mutant, memory));
        all += 1;
        match done {
            Ok(()) => {}
            Err(why) => {
                assert!(
                    why.contains(" line "),
                    "`{}` of line {line} is missed, and the result is wrong: {why}",
                    &l[at..end]
                );
                caught += 1;
            }
        }
    }
    (all, caught)
}

/// Rows in shared memory, tiles by `cp.async`, tiles by tensor maps and warpgroups: what orders them is not left out unnoticed.
#[test]
fn what_is_left_out_is_caught() {
    let mut rng = Rng(71);
    let rows = [Case::random(fused::layer_norm(DType::F32, 5, 2500), &mut rng, &[], 40.0)];
    let (all, caught) = mutants(GpuArch::Sm80, &rows, "bar.sync");
    assert!(all > 1 && caught * 2 >= all, "bar.sync of rows: {caught} of {all}");
    let product = [Case::random(
        dot::einsum("mk,nk->mn", &[('m', 64), ('n', 64), ('k', 1024)], DType::BF16, false),
        &mut rng,
        &[],
        600.0,
    )];
    for (begin, least) in [("bar.sync", 1), ("cp.async.wait_group", 1)] {
        let (all, caught) = mutants(GpuArch::Sm80, &product, begin);
        assert!(caught >= least, "{begin}: {caught} of {all}");
    }
    let by_threads = Case { spec: dot::by_threads(product[0].spec.clone()), ..product[0].clone() };
    let (all, caught) = mutants(GpuArch::Sm90a, &[by_threads], "fence.proxy.async");
    assert!(caught > 0, "fence.proxy.async: none of {all} is caught");
    for begin in [
        "wgmma.wait_group",
        "wgmma.fence",
        "mbarrier.init",
        "@when mbarrier.arrive",
        "mbarrier.arrive.expect_tx",
        "mbarrier.try_wait",
        "bar.sync",
    ] {
        let (all, caught) = mutants(GpuArch::Sm90a, &product, begin);
        assert!(caught > 0, "{begin}: none of {all} is caught");
    }
}

/// The same where warpgroups take tiles in turn and two blocks share slices: nobody's turn comes too early, and no block goes on, writes to the
/// other one or ends before that one is ready.
#[test]
fn what_is_left_out_of_clusters_is_caught() {
    let mut rng = Rng(72);
    // The second operand lies across `k`: the distance of its strips is a field of descriptors, above the address.
    let spec = dot::einsum("mk,kn->mn", &[('m', 256), ('n', 256), ('k', 448)], DType::BF16, false);
    let KernelSpec::Dot(product) = &spec else { panic!("a contraction") };
    let grid = Grid::tiled(product, Tiling::in_turn(128, 128, 6).in_pairs(), true);
    let case = Case::random(spec.clone(), &mut rng, &[], 600.0);
    let expected = support::expected(std::slice::from_ref(&case));
    let (bundle, data) = carry::pack_grid(GpuArch::Sm90a, &case, &expected, grid).expect("a kernel");
    ptx::run(&bundle, &data);
    for begin in ["@when mbarrier.arrive.shared::cluster", "barrier.cluster.arrive", "barrier.cluster.wait", "mapa"] {
        let (all, caught) = mutants_of(&bundle, &data, begin);
        assert!(caught > 0, "{begin}: none of {all} is caught");
    }
}

/// Results that are stored in boxes, two at a time, and one in the place of what was read in a box: nothing is read before it is there, stored
/// before it is written, or written before it was stored.
#[test]
fn what_is_left_out_of_results_is_caught() {
    let mut rng = Rng(73);
    let of = |tiling: Tiling, rows: u64, residual: bool, rng: &mut Rng| {
        let spec = dot::transformer([rows, 256, 64], DType::BF16, residual);
        let KernelSpec::Dot(product) = &spec else { panic!("a contraction") };
        let grid = Grid::tiled(product, tiling, true);
        let case = Case::random(spec.clone(), rng, &[], 600.0);
        let expected = support::expected(std::slice::from_ref(&case));
        carry::pack_grid(GpuArch::Sm90a, &case, &expected, grid).expect("a kernel")
    };
    // One of three blocks has two tiles.
    let (bundle, data) = of(Tiling::with_producer(128, 256, 4), 512, true, &mut rng);
    ptx::run(&bundle, &data);
    for (begin, least) in
        [("fence.proxy.async", 1), ("cp.async.bulk.wait_group.read", 2), ("bar.warp.sync", 1), ("mbarrier.try_wait", 2)]
    {
        let (all, caught) = mutants_of(&bundle, &data, begin);
        assert!(caught >= least, "{begin}: {caught} of {all}");
    }
    let (bundle, data) = of(Tiling::with_producer(64, 128, 4), 64, false, &mut rng);
    for begin in ["fence.proxy.async", "cp.async.bulk.wait_group.read", "cp.async.bulk.commit_group", "bar.warp.sync"] {
        let (all, caught) = mutants_of(&bundle, &data, begin);
        assert!(caught > 0, "{begin}: none of {all} is caught");
    }
}

/// Slices that warps round and turn: they wait for copies, meet before they write what was turned, and tell warpgroups and `wgmma` of it; and
/// without the rounding, products are wrong.
#[test]
fn what_is_left_out_of_rounding_is_caught() {
    let mut rng = Rng(74);
    let spec = dot::in_tf32(dot::einsum("mk,kn->mn", &[('m', 64), ('n', 64), ('k', 200)], DType::F32, false));
    let case = Case::random(spec, &mut rng, &[], 600.0);
    let cases = [case];
    let (bundle, data) =
        carry::pack(Device::Gpu(GpuArch::Sm90a), &cases, &support::expected(&cases)).expect("a kernel");
    for (begin, least) in [
        ("mbarrier.try_wait", 3),
        ("@when mbarrier.arrive", 2),
        ("mbarrier.init", 3),
        ("fence.proxy.async", 1),
        ("bar.warp.sync", 2),
    ] {
        let (all, caught) = mutants_of(&bundle, &data, begin);
        assert!(caught >= least, "{begin}: {caught} of {all}");
    }
    let text = meshloom_ptx::program::ptx(&meshloom_bundle::Bundle::read(&bundle).expect("a bundle")).expect("PTX");
    let run = |text: &str| check_on(&bundle, &data, &mut |bundle, memory| ptx::interpreted(bundle, text, memory));
    run(&text).expect("as it is");
    assert!(text.contains("cvt.rna.tf32.f32"));
    assert!(run(&text.replace("cvt.rna.tf32.f32", "mov.b32")).is_err(), "what is not rounded is cut off");
}

/// Slices that warps add up: they wait for copies, and a stage is not filled again before they have read it; what lanes have apart is added.
#[test]
fn what_is_left_out_of_sums_of_operands_is_caught() {
    let mut rng = Rng(75);
    let spec = dot::einsum("km,kn->mn", &[('m', 256), ('n', 256), ('k', 896)], DType::BF16, false);
    let KernelSpec::Dot(product) = &spec else { panic!("a contraction") };
    let spec = KernelSpec::DotAndSum(DotAndSum::new(product.clone(), 1, 2));
    let case = Case::random(spec, &mut rng, &[], 600.0);
    let expected = support::expected(std::slice::from_ref(&case));
    for (tiling, arrivals) in [
        (Tiling::with_producer(128, 256, 4), "@when mbarrier.arrive"),
        (Tiling::in_turn(128, 128, 6).in_pairs(), "@when mbarrier.arrive.shared::cluster"),
    ] {
        let (bundle, data) =
            carry::pack_grid(GpuArch::Sm90a, &case, &expected, Grid::tiled(product, tiling, true)).expect("a kernel");
        ptx::run(&bundle, &data);
        for (begin, least) in [("mbarrier.try_wait", 3), (arrivals, 2), ("bar.warp.sync", 1)] {
            let (all, caught) = mutants_of(&bundle, &data, begin);
            assert!(caught >= least, "{begin}: {caught} of {all}");
        }
    }
}

/// Tiles of sums in tensor memory, more than a block has room for at a time, so that each is used again; operands along `k` and across it.
fn in_tensor_memory() -> (Vec<u8>, Vec<u8>) {
    let mut rng = Rng(73);
    let spec = dot::einsum("mk,kn->mn", &[('m', 256), ('n', 264), ('k', 328)], DType::BF16, true);
    let KernelSpec::Dot(product) = &spec else { panic!("a contraction") };
    let grid = Grid::tiled(product, Tiling::tensor_memory(64, 4), true);
    let case = Case::random(spec.clone(), &mut rng, &[], 600.0);
    let expected = support::expected(std::slice::from_ref(&case));
    carry::pack_grid(GpuArch::Sm100a, &case, &expected, grid).expect("a kernel")
}

/// Waits for products and for loads, fences of tensor memory on both sides, columns that are taken and given back.
#[test]
fn what_is_left_out_of_tensor_memory_is_caught() {
    let (bundle, data) = in_tensor_memory();
    ptx::run(&bundle, &data);
    for begin in [
        "tcgen05.wait::ld",
        "tcgen05.fence::before",
        "tcgen05.fence::after",
        "tcgen05.commit",
        "tcgen05.alloc",
        "tcgen05.dealloc",
        "tcgen05.mma",
        "@when mbarrier.arrive",
        "mbarrier.arrive.expect_tx",
        "mbarrier.try_wait",
        "mbarrier.init",
        "bar.sync",
        "bar.warp.sync",
    ] {
        let (all, caught) = mutants_of(&bundle, &data, begin);
        assert!(caught > 0, "{begin}: none of {all} is caught");
    }
}

/// Other columns, other lanes, another kind, and fields of descriptors that the manual excludes or that say something else.
#[test]
fn what_is_wrong_in_tensor_memory_is_caught() {
    let (bundle, data) = in_tensor_memory();
    let text = meshloom_ptx::program::ptx(&meshloom_bundle::Bundle::read(&bundle).expect("a bundle")).expect("PTX");
    let run = |text: &str| check_on(&bundle, &data, &mut |bundle, memory| ptx::interpreted(bundle, text, memory));
    let found = |begin: &str, end: char| {
        let at = text.find(begin).unwrap_or_else(|| panic!("no `{begin}`")) + begin.len();
        let word = text[at..].split(end).next().expect("a word");
        (format!("{begin}{word}"), word.to_owned())
    };
    let (instruction, number) = found("mov.b32 i, ", ';');
    let number: u32 = number.parse().expect("a descriptor");
    let with = |bits: u32| (instruction.clone(), format!("mov.b32 i, {}", number ^ bits));
    // The address that a warp loads from.
    let (load, _) = found("tcgen05.ld.sync.aligned.32x32b.x32.b32 ", ']');
    let from = |more: u32| (format!("{load}]"), format!("{load}+{more}]"));
    let descriptor = |across: bool| 1u64 << 62 | 64 << 32 | if across { 512 << 16 } else { 1 << 16 } | 1 << 46;
    let without = |across: bool| {
        let (from, to) = (descriptor(across), descriptor(across) & !(1 << 46));
        (from.to_string(), to.to_string())
    };
    let changes = [
        with(1 << 7 | 1 << 10),
        with(1 << 16),
        with(1 << 13),
        with(3 << 4),
        with(12 << 24),
        with(24 << 17),
        ("kind::f16".into(), "kind::f8f6f4".into()),
        ("kind::f16".into(), "kind::tf32".into()),
        without(false),
        without(true),
        from(8),
        from(64),
        from(32 << 16),
    ];
    for (from, to) in changes {
        assert!(text.contains(&from), "no `{from}`");
        assert!(run(&text.replace(&from, &to)).is_err(), "`{to}` in place of `{from}`");
    }
}
