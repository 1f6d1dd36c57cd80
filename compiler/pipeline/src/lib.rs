//! Pipeline schedules as data: tables that say which rank runs which stage of which microbatch when.
//!
//! ```text
//! schedules   a name and parameters -> a table        csv       text <-> cells
//! schedule    the table: ranks, stages, placement      check     what is wrong with a table, by rank, slot and action
//! transfers   the sends and receives that it needs     simulate  exact times, bubble, activations in flight
//! ```
//!
//! A table comes from a generator ([`schedules`]), from a search ([`schedules::search`]), or from a user's CSV file.
//! Whoever runs it treats them alike. The crate is pure: values come in, values or errors go out.
//!
//! Not here: programs and their stages, execution, devices.

mod action;
mod align;
pub mod chart;
mod check;
pub mod csv;
mod delivery;
mod ends;
mod fraction;
mod index;
mod order;
mod placement;
mod problem;
mod schedule;
pub mod schedules;
mod simulate;
mod times;
mod transfers;

pub use action::{ActionKind, Cell, PipelineAction};
pub use align::aligned;
pub use check::{check, deadlock};
pub use csv::CsvError;
pub use delivery::Delivery;
pub use fraction::Fraction;
pub use placement::StagePlacement;
pub use problem::{PipelineProblem, Waits, Where};
pub use schedule::{PipelineSchedule, TooLarge};
pub use schedules::{ScheduleEntry, ScheduleRequest};
pub use simulate::{InFlight, PipelineEvent, Simulation, Simulator, in_flight, simulate};
pub use times::{PipelineTimes, StageTimes, TimesError};
pub use transfers::{Posting, with_transfers};
