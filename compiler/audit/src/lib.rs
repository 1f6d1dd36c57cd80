//! The proof of executable programs: each launch, copy and collective computes what the certified local program says, on the bytes
//! where that is.
//!
//! The checker reads two things: a local program, and an executable program with the specs of its kernels. It knows nothing of
//! fusion or scheduling, and asks nobody what a schedule had in mind. It runs the instructions one after the other, loops iteration
//! by iteration, on an arena that holds for each element what it is ([`memory`]): an element of a value of the local program, or what
//! a kernel makes of such elements. What a launch writes is compared with the values of the ops that it names, symbolically,
//! over all points of its space at once ([`prove`], [`space`]). In the end every port has to hold the value that it stands for.
//!
//! A difference is an error. What the checker cannot follow is neither proved nor refused: [`Audit::unfollowed`] says what.
//!
//! Not here: whether machine code computes its spec (the tests of `kernels` and `runtime`), whether collectives deadlock
//! (all devices run these instructions, and a loop that ends early ends alike on them: `certify`), and the values of floating point: sums are compared as sums, in any order.

mod affine;
mod again;
mod apart;
mod asked;
mod bytes;
mod collective;
mod digits;
mod early;
mod exact;
mod extents;
mod index;
mod joined;
mod launch;
mod lines;
mod machine;
mod memo;
mod memory;
mod moved;
mod objection;
mod parts;
mod piece;
mod place;
mod ports;
mod prove;
mod rounds;
mod slices;
mod space;
mod special;
mod stacks;
mod state;
mod steps;
mod term;
mod turns;
mod values;
mod wires;
mod wraps;

pub use machine::ways::{KeptFloats, audit, audit_each_microbatch, audit_with};
pub use objection::{Audit, Objection};
