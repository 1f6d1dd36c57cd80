//! What is decided around the planner: how many devices each axis of the mesh has, pipeline stages and where the layers are cut
//! into them, what of a step lies in the host's memory, and what would help where no plan fits. Trainers call all of it together a
//! parallelization strategy.
//!
//! The planner chooses layouts for one program on one mesh. Here is what changes the program or the mesh, and asks the planner again:
//! variants of a step ([`variants`]), cuts ([`cut`]), meshes ([`devices`]), remedies ([`fit`]). A candidate is a value of
//! [`settings::Settings`]. The phases before the planner are handed in ([`compiler::Compiler`]), so this crate calls no front end.
//!
//! Not here: layouts (`plan`), proofs that a plan or its stages compute the program, files and threads (`driver`).

mod by_stage;
pub mod compiler;
pub mod cut;
pub mod cut_plan;
pub mod devices;
pub mod entry;
pub mod entry_plan;
pub mod fit;
pub mod last_apart;
pub mod offload;
pub mod per_rank;
pub mod pipelining;
pub mod rank_program;
pub mod retimed;
pub mod settings;
pub mod speed;
pub mod variants;
pub mod wire;
