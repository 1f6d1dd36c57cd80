//! The programs of the stages of a cut, each as if it were alone on its rank.

use super::request::{CutError, CutRequest};
use meshloom_stage::{Boundaries, StageProgram, cut, project};

/// The programs of all stages, and how many microbatches there are.
pub fn programs(asked: &CutRequest<'_>, sizes: &[u64], weights: bool) -> Result<(Vec<StageProgram>, u64), CutError> {
    let boundaries = Boundaries { list: asked.list.into(), sizes: sizes.to_vec(), weights, ways: 1, sums: false };
    let staged = cut(asked.local, &boundaries)?;
    let alone: Vec<usize> = (0..sizes.len()).collect();
    Ok((project(&staged, &alone)?, staged.microbatches))
}
