//! A run of several processes, each with some of the mesh's devices.
//!
//! ```text
//! place        which of how many, from the launcher's environment
//! join         how a process comes to a run; from then on the run is a [`World`] (`run`)
//! rendezvous   all ranks meet at rank 0 and compare what they are going to run; `gate` lets them in, and
//! secret       keeps strangers out
//! messages     what processes say to each other over connections
//! segment      memory that processes of one host share: arenas, and
//! control      a barrier that ends by the clock, bytes handed around, where each rank is
//! link         the open connections: who ends badly takes all others along, with the reason; `hear` reads them
//! star         the same as control, over the connections, where memory is not shared or shows too little;
//! stragglers   who comes last to collectives; `tally` counts
//! watch        whom all wait for, then
//! group        those processes that have devices of one program
//! agree        what all ranks must have alike: data, weights and whatever else was loaded
//! ```
//!
//! Devices go to ranks in order, equally many to each. A program does the same as in one process, since every process
//! sees the arenas of all devices of its host ([`crate::collectives`]), or is sent what it needs in the same order. So
//! results are the same, bit for bit.
//!
//! Not here: starting processes (`meshloom launch`), and what devices exchange between hosts.

mod agree;
mod control;
mod gate;
mod group;
mod hear;
pub mod hosts;
mod join;
mod link;
mod messages;
pub mod place;
mod ranks;
mod rendezvous;
mod run;
mod secret;
mod segment;
mod spot;
mod star;
mod stragglers;
mod tally;
mod watch;

pub use agree::Fingerprint;
pub(crate) use agree::Votes;
pub use group::ProgramRanks;
pub use join::{Join, Remote};
pub use messages::count as messages_in;
pub use place::{Launcher, Place};
pub use ranks::{ranks, share};
pub use rendezvous::Master;
pub use run::{OnFailure, World};
pub use secret::JobKey;
pub use segment::{Segment, available};
pub(crate) use spot::Spot;
pub use stragglers::Straggler;
