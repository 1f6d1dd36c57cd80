//! The request for a cut, and the reasons why there may be none.

use meshloom_ir::Func;
use meshloom_pipeline::PipelineSchedule;
use meshloom_plan::cost::Target;
use std::fmt;

/// What to cut, and under which schedule, target and budget.
#[derive(Clone, Copy)]
pub struct CutRequest<'a> {
    /// The local program of a whole model on the devices of one stage.
    pub local: &'a Func,
    /// The program that it computes.
    pub global: &'a Func,
    /// The path of the layers: `blocks`.
    pub list: &'a str,
    pub schedule: &'a PipelineSchedule,
    pub target: &'a Target,
    /// Bytes that a device may hold.
    pub budget: u64,
}

/// Why there is no cut.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CutError {
    /// The program or the schedule cannot be cut into stages.
    Cannot(String),
    /// No cut was found that fits the budget; the one that comes nearest needs so much on this rank. If each rank has one
    /// stage, no cut fits.
    DoesNotFit { rank: usize, needs: u64, budget: u64 },
}

impl fmt::Display for CutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CutError::Cannot(why) => f.write_str(why),
            CutError::DoesNotFit { rank, needs, budget } => {
                write!(
                    f,
                    "no cut into stages was found that fits: rank {rank} needs {needs} bytes, and may hold {budget}"
                )
            }
        }
    }
}

impl std::error::Error for CutError {}

impl From<String> for CutError {
    fn from(why: String) -> CutError {
        CutError::Cannot(why)
    }
}
