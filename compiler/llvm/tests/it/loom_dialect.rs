//! The dialect as text: what round-trips, what its verifiers refuse, and a bundle's program on the way in.

use meshloom_bundle::*;
use meshloom_codegen::loom_mlir::emit;
use meshloom_llvm::roundtrip;

/// A program over mesh [data = 2, model = 4] with an arena of 65,536 bytes.
fn program(body: &str) -> String {
    format!(
        "loom.mesh @mesh [data = 2, model = 4]
         module @kernels {{
           func.func private @add(memref<?xf32>, memref<?xf32>, index, index, index)
         }}
         loom.program @step on @mesh arena(65536) scratch(0) {{
           {body}
         }}"
    )
}

#[test]
fn every_op_round_trips() {
    let text = program(
        r#"loom.port "blocks.*.up" parameter at(0) : memref<4x64xf32> of [4, 256] split [[], [model]]
           loom.port "x" input at(64) : memref<8xi32> of [64] split [[data, model]]
           %a = loom.view [0] : memref<1024xf32>
           %b = loom.view [4096] : memref<1024xf32>
           loom.launch @kernels::@add(%a, %b) units(4) dims (-3) writes [1] : memref<1024xf32>, memref<1024xf32>
           loom.loop 4 {
             %c = loom.view [0 + 4096 * (i)] : memref<1024xf32>
             %d = loom.view [0 + 4096 * (i + 1)] : memref<1024xf32>
             %e = loom.view [4096 + 4096 * (i - 1)] : memref<1024xf32>
             %f = loom.view [0 + 4096 * (3 - i)] : memref<1024xf32>
             %g = loom.view [0 + 4096 * (i + 1 mod 2)] : memref<1024xf32>
             %h = loom.view [0 + 4096 * (i + 1 mod 2)] : memref<512xi64>
             loom.launch @kernels::@add(%c, %d) units(4) dims (start([data, model] * 16)) writes [0, 1] certified [3, 4]
               from "gpt.loom:22:5" : memref<1024xf32>, memref<1024xf32>
             loom.copy %e into %f : memref<1024xf32>
             loom.fill %g : memref<1024xf32> with 0xFFF0000000000000 : f64
             loom.fill %h : memref<512xi64> with -9223372036854775807 : i64
           }
           loom.all_reduce sum %a into %a over [model] id(0) certified [7] from "gpt.loom:9:1" : memref<1024xf32> to memref<1024xf32>
           loom.all_reduce max %a into %b over [model, data] id(1) : memref<1024xf32> to memref<1024xf32>
           %s = loom.view [0] : memref<2x3x5xf32>
           %t = loom.view [8192] : memref<2x12x5xf32>
           loom.all_gather %s into %t dim 1 over [model] id(2) : memref<2x3x5xf32> to memref<2x12x5xf32>
           loom.reduce_scatter min %t into %s dim 1 over [model] id(3) : memref<2x12x5xf32> to memref<2x3x5xf32>
           %u = loom.view [0] : memref<8x3xf32>
           %v = loom.view [8192] : memref<2x12xf32>
           loom.all_to_all %u into %v split 0 concat 1 over [model] id(4) : memref<8x3xf32> to memref<2x12xf32>
           loom.collective_permute %a into %b pairs [0 -> 1, 1 -> 0] over [data] id(5) : memref<1024xf32> to memref<1024xf32>"#,
    );
    let printed = roundtrip(&text).unwrap();
    assert!(printed.contains("loom.view[0 + 4096 * (i + 1 mod 2)] : memref<1024xf32>"), "{printed}");
    assert!(printed.contains("loom.mesh @mesh [data = 2, model = 4]"), "{printed}");
    assert!(printed.contains("dims (start([data, model] * 16))"), "{printed}");
}

#[test]
fn verifiers_refuse_by_name() {
    let views = "%a = loom.view [0] : memref<16xf32>\n%b = loom.view [4096] : memref<64xf32>\n";
    let cases = [
        ("loom.all_reduce sum %a into %a over [pipe] id(0) : memref<16xf32> to memref<16xf32>", "names axis \"pipe\""),
        ("loom.all_reduce sum %a into %a over [data, data] id(0) : memref<16xf32> to memref<16xf32>", "twice"),
        ("loom.all_reduce sum %a into %a over [] id(0) : memref<16xf32> to memref<16xf32>", "over no axis"),
        ("loom.all_reduce sum %a into %b over [data] id(0) : memref<16xf32> to memref<64xf32>", "changes the shape"),
        (
            "loom.all_reduce mean %a into %a over [data] id(0) : memref<16xf32> to memref<16xf32>",
            "[sum, max, min, prod, and, or]",
        ),
        ("loom.all_gather %a into %b dim 0 over [data] id(0) : memref<16xf32> to memref<64xf32>", "in groups of 2"),
        ("loom.all_gather %a into %b dim 1 over [model] id(0) : memref<16xf32> to memref<64xf32>", "has no dim 1"),
        (
            "loom.reduce_scatter sum %a into %b dim 0 over [model] id(0) : memref<16xf32> to memref<64xf32>",
            "in groups of 4",
        ),
        (
            "loom.all_to_all %a into %a split 0 concat 0 over [model] id(0) : memref<16xf32> to memref<16xf32>",
            "same dim",
        ),
        (
            "loom.collective_permute %a into %a pairs [0 -> 2] over [data] id(0) : memref<16xf32> to memref<16xf32>",
            "no rank 2",
        ),
        (
            "loom.collective_permute %a into %a pairs [0 -> 1, 1 -> 1] over [data] id(0) : memref<16xf32> to memref<16xf32>",
            "rank 1 receive twice",
        ),
        ("loom.fill %a : memref<16xf32> with 1 : i64", "fills"),
        ("%c = loom.view [65472] : memref<17xf32>", "outside of the arena"),
        ("%c = loom.view [9223372036854775807] : memref<16xf32>", "outside of the arena"),
        ("%c = loom.view [2] : memref<16xf32>", "not aligned"),
        ("%c = loom.view [0 + 64 * (i)] : memref<16xf32>", "outside of a loop"),
        ("loom.loop 4 {\n%c = loom.view [0 + 32768 * (i)] : memref<16xf32>\n}", "outside of the arena"),
        ("loom.loop 4 {\n%c = loom.view [0 + 64 * (2 - i)] : memref<16xf32>\n}", "outside of the arena"),
        ("loom.loop 2 {\n%c = loom.view [0 + 64 * (j)] : memref<16xf32>\n}", "moves with j outside of a loop"),
        (
            "loom.loop 2 {\nloom.loop 4 {\n%c = loom.view [0 + 64 * (i) + 32768 * (j)] : memref<16xf32>\n}\n}",
            "outside of the arena",
        ),
        ("loom.launch @kernels::@sub(%a) units(4) dims () writes [0] : memref<16xf32>", "is no function"),
        ("loom.launch @kernels::@add(%a) units(4) dims () writes [0] : memref<16xf32>", "gives 0 dims"),
        ("loom.launch @kernels::@add(%a) units(4) dims (1) writes [1] : memref<16xf32>", "writes buffer 1 of 1"),
        (
            "%i = loom.view [0] : memref<16xi32>\nloom.launch @kernels::@add(%a, %i) units(4) dims (1) writes [] : memref<16xf32>, memref<16xi32>",
            "as argument 1",
        ),
        (
            "loom.launch @kernels::@add(%a, %b) units(4) dims (start([pipe] * 2)) writes [] : memref<16xf32>, memref<64xf32>",
            "pipe",
        ),
        ("loom.port \"w\" parameter at(0) : memref<16xf32> of [64] split [[data]]", "in 2 blocks of 32"),
        ("loom.port \"w\" weight at(0) : memref<16xf32> of [16] split [[]]", "unknown role"),
        ("loom.port \"w\" state at(65535) : memref<16xf32> of [16] split [[]]", "outside of the arena"),
    ];
    for (body, expected) in cases {
        let error = roundtrip(&program(&format!("{views}{body}"))).expect_err(body).to_string();
        assert!(error.contains(expected), "{body}\nexpected: {expected}\nfound: {error}");
    }
    for (text, expected) in [
        ("loom.mesh @mesh [data = 2, data = 2]", "two axes"),
        ("loom.mesh @mesh [data = 0]", "size 0"),
        ("loom.mesh @mesh [a = 1048576, b = 1048576]", "more than 2^30"),
        ("loom.program @p on @mesh arena(0) scratch(0) {\n}", "which is no mesh"),
    ] {
        let error = roundtrip(text).expect_err(text).to_string();
        assert!(error.contains(expected), "{text}\nexpected: {expected}\nfound: {error}");
    }
}

/// Every kind of instruction, and numbers and names that MLIR writes in ways of its own.
#[allow(clippy::too_many_lines)] // one of everything
fn every_instruction() -> Program {
    let source = Some(SourcePlace { file: "gpt \"tiny\".loom".to_owned(), line: 22, column: 5 });
    let kernel = |symbol: &str, scratch| KernelRef {
        symbol: symbol.into(),
        hash: "00".into(),
        buffers: 2,
        dims: 1,
        scratch,
        units: 4,
        touches: vec![Vec::new(); 2],
        ..KernelRef::default()
    };
    let launch = |kernel, index| {
        Instr::Launch(Launch {
            kernel,
            args: vec![BufRef::moving(0, 256, 256, index), BufRef::fixed(4096, 256)],
            writes: vec![1],
            units: 4,
            dims: vec![Dim::ShardStart { axes: vec![0, 1], block: 8 }],
            source: source.clone(),
            ops: vec![1, 2],
        })
    };
    let collective = |id, kind, src_bytes, dst_bytes| {
        let (src, dst) = (BufRef::fixed(0, src_bytes), BufRef::fixed(4096, dst_bytes));
        Instr::Collective(Collective {
            id,
            kind,
            axes: vec![1],
            dtype: DType::F32,
            src,
            dst,
            source: None,
            ops: vec![],
        })
    };
    let port = Port {
        name: "blocks.*.qkv".into(),
        role: Role::Parameter,
        dtype: DType::F32,
        global_shape: vec![4, 64],
        local_shape: vec![4, 16],
        layout: vec![vec![], vec![1]],
        offset: 0,
        bytes: 256,
        stacked: true,
        first_layer: 0,
        entries: Vec::new(),
        complex: false,
        unsigned: false,
        alias: None,
        init: Init::Zeros,
        range: None,
    };
    Program {
        version: PROGRAM_VERSION,
        entry: "generate text".into(),
        mesh: vec![MeshAxis { name: "data".into(), size: 2 }, MeshAxis { name: "model".into(), size: 4 }],
        arena_bytes: 8192,
        host_bytes: 0,
        scratch_bytes: 64,
        tokens_per_step: 0,
        kernels: vec![kernel("k0", false), kernel("k1", true)],
        ports: vec![port],
        wires: vec![],
        instrs: vec![
            Instr::Fill {
                dst: BufRef::fixed(0, 256),
                dtype: DType::F32,
                count: 64,
                value: meshloom_bundle::Number::Float(f64::NEG_INFINITY),
            },
            Instr::Fill {
                dst: BufRef::fixed(0, 256),
                dtype: DType::F32,
                count: 64,
                value: meshloom_bundle::Number::Float(-1e-5),
            },
            Instr::Loop {
                trip: 4,
                body: vec![
                    launch(0, LoopIndex::Iter { delta: 0 }),
                    launch(1, LoopIndex::IterReversed { trip: 4, delta: 0 }),
                    launch(1, LoopIndex::IterMod { delta: -1, period: 2 }),
                    Instr::Copy { src: BufRef::fixed(0, 64), dst: BufRef::fixed(4096, 64), bytes: 64 },
                ],
            },
            collective(0, CollectiveKind::AllReduce { reduction: Reduction::Sum, count: 64 }, 256, 256),
            collective(1, CollectiveKind::AllGather { outer: 2, block: 4, inner: 2 }, 64, 256),
            collective(
                2,
                CollectiveKind::ReduceScatter { reduction: Reduction::Max, outer: 2, block: 4, inner: 2 },
                256,
                64,
            ),
            collective(
                3,
                CollectiveKind::AllToAll { split_first: true, outer: 1, split: 2, middle: 2, concat: 2, inner: 1 },
                128,
                128,
            ),
            collective(
                4,
                CollectiveKind::AllToAll { split_first: false, outer: 1, split: 2, middle: 2, concat: 2, inner: 1 },
                128,
                128,
            ),
            collective(5, CollectiveKind::CollectivePermute { count: 8, pairs: vec![(0, 1), (1, 2)] }, 32, 32),
            // Ends of a type that f64 does not have.
            Instr::Fill {
                dst: BufRef::fixed(0, 512),
                dtype: DType::I64,
                count: 64,
                value: meshloom_bundle::Number::Int(i64::MAX),
            },
            Instr::Fill {
                dst: BufRef::fixed(0, 64),
                dtype: DType::Bool,
                count: 64,
                value: meshloom_bundle::Number::Int(1),
            },
        ],
    }
}

#[test]
fn a_program_enters_mlir() {
    let program = every_instruction();
    let k0 = "module {
      func.func @k0(%a: memref<1073741824xf32>, %b: memref<1073741824xi32>, %lo: index, %hi: index, %d0: index) {
        return
      }
    }";
    // k0 with its text, k1 declared.
    let text = emit(&program, &[("k0", k0)]);
    let printed = roundtrip(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert!(
        text.contains("loom.launch @kernels::@k0(%1, %2) units(4) dims (start([data, model] * 8)) writes [1]"),
        "{text}"
    );
    assert!(printed.contains("memref<64xf32>, memref<64xi32>"), "{printed}");
    assert!(printed.contains(": memref<64xi64> with 9223372036854775807 : i64"), "{printed}");
    assert_eq!(text, emit(&program, &[("k0", k0)]));
}
