//! The tests of this crate, one program: a file is a module. They plan all the time, so they have the allocator of the command.

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

mod accumulate;
mod attention;
mod budget;
mod custom;
mod cuts;
mod dropout;
#[cfg(feature = "llvm")]
mod dumps;
mod emitted;
mod examples;
mod executed_memory;
mod explain;
#[path = "../../../stablehlo/tests/it/forms/mod.rs"]
mod forms;
mod gpu;
mod held_out;
mod int8;

mod launches;
mod layouts;
mod library;
#[cfg(feature = "llvm")]
mod lint;
mod manual;
#[cfg(feature = "llvm")]
mod manual_cases;
mod microbatches;
mod nested;
mod new_ops;
mod numerics;
mod offload;
mod ops;
mod oracles;
mod parallelisms;
mod per_device;
mod phases;
mod plans;
mod precision;
mod programs;
mod ptx_steps;
mod published;
mod random_programs;
mod recognised;
mod recompute;
mod restricted;
mod ring;
mod roofline;
mod round_trips;
mod segments;
mod stablehlo;
mod stablehlo_ops;
mod stablehlo_shardings;
mod stablehlo_windows;
mod stages;
mod state;
mod storage_order;
#[cfg(feature = "llvm")]
mod support;
mod transforms;
mod types;
mod uneven;
mod while_loops;
