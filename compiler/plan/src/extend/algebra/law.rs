//! Names of the laws, as the certificate knows them (`meshloom_certify::laws`).

pub const CONGRUENCE: &str = "congruence";
/// Dims of operands and results of one op, named or ordered otherwise.
pub const DIMS: &str = "product-dims";
pub const ORDER: &str = "product-order";
pub const MOVES: &str = "move-move";
pub const ELEMENTWISE: &str = "move-elementwise";
pub const MOVE_PRODUCT: &str = "move-product";
pub const CONVERT: &str = "convert-convert";
pub const LINEAR: &str = "linear";
pub const SUM: &str = "product-sum";
pub const SCALE: &str = "product-scale";
pub const EXPONENTIAL: &str = "exponential-quotient";
pub const QUOTIENT: &str = "quotient";
pub const SELECT: &str = "select-constant";
pub const SUM_BLOCKS: &str = "cumulative-sum-blocks";
pub const BLOCKS: &str = "cumulative-blocks";
pub const LOG_SUM_BLOCKS: &str = "cumulative-log-sum-exp-blocks";
pub const WINDOW_BLOCKS: &str = "window-blocks";
pub const WINDOW_CUT: &str = "window-cut";
pub const SHIFTED_BLOCKS: &str = "shifted-blocks";
pub const WINDOW_PRODUCT: &str = "window-product";
pub const TOP_K_BLOCKS: &str = "top-k-blocks";
