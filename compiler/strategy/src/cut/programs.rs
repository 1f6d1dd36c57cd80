//! The programs of the stages of a cut, each as if it were alone on its rank.

use super::request::{CutError, CutRequest};
use super::table::StageTable;
use meshloom_stage::{Boundaries, StageProgram, cut, project};

/// The programs of all stages of all ways, one way after the other, and how many microbatches go each way.
pub fn programs(
    asked: &CutRequest<'_>,
    sizes: &[u64],
    table: &StageTable,
) -> Result<(Vec<StageProgram>, u64), CutError> {
    let (weights, ways) = (table.weights, table.ways);
    let boundaries = Boundaries { list: asked.list.into(), sizes: sizes.to_vec(), weights, ways };
    let staged = cut(asked.local, &boundaries).map_err(String::from)?;
    let alone: Vec<usize> = (0..sizes.len() * ways).collect();
    Ok((project(&staged, &alone)?, staged.microbatches))
}
