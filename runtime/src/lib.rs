//! The runtime: loads a bundle and runs it. All side effects of an executing model are here, and nothing of the
//! compiler.
//!
//! ```text
//! bundle --validate--> Program --device::prepare--> segments and exchanges --device::exec--> workers
//!                                                    data, init, checkpoint --shard--> arenas
//! ```
//!
//! With several processes, [`world`] joins them before anything is loaded.

pub mod checkpoint;
pub mod collectives;
pub mod data;
pub mod device;
pub mod elastic;
mod engine;
pub mod evaluate;
mod foreign;
mod held;
mod host;
mod measured;
pub mod metrics;
pub mod named;
pub mod nonfinite;
mod origin;
mod replicas;
mod session;
mod shard;
mod stages;
mod tensorboard;
pub mod trace;
pub mod train;
pub mod world;

use meshloom_file as error;

pub use device::LateStages;
pub use host::{HostTensor, describe, describe_port};
pub use measured::MeasuredRank;
pub use meshloom_file::{self as file, ErrorKind, Result, RuntimeError};
pub use session::{DataPosition, Session, SessionOptions, StepReport};
pub use world::World;
