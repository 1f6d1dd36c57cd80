//! The constants that steer how much is tried and how far a try may go. All are counts or parts, never seconds, so that a plan does
//! not depend on the machine that makes it.
//!
//! They stand in one table because they work together: the time of a plan is a product of some of them, and two of one meaning with
//! different values are a mistake that nobody sees in two files. Each says why it is there. Whoever changes one compares the plans of
//! `scripts/plans` before and after, and says in the commit what changed.
//!
//! Not here: bounds that a caller sets ([`crate::Limits`]), what a move has to gain ([`crate::moves`]), and figures of hardware
//! ([`crate::cost`]), which say what a plan takes and not how it is searched for.

// Forms of a program: `extend` and `saturate`. More forms are more sites, and the search takes longer by more than they are more.

/// Ops inside each other that make a mask or a number. What is more deeply nested is taken for data.
pub const MASK_OPS: usize = 16;

/// How many times smaller than the largest operand every intermediate of a composite is, for it to be written out beside the
/// composite: else it is the composite's purpose that the intermediate is never whole.
pub const INLINE_SMALLER: u64 = 8;

/// Terms of a sum that are rewritten together: each more doubles the forms of the sum.
pub const SUM_TERMS: usize = 6;

/// Ops of a body that is compared with that of an attention, and steps from an output down to an input: of longer programs too much
/// would be walked before they turn out to be something else.
pub const BODY_OPS: usize = 96;

/// Scalings, masks and transposes between a contraction and its softmax, and ops between an exchange and the attention that reads
/// it.
pub const STEPS: usize = 6;

/// Forms inside each other: enough for a chain of so many matrices.
pub const NESTED_FORMS: usize = 24;

/// Blocks of a window that may each take another part of what they have: each is one more `select`.
pub const WINDOW_BLOCKS: u64 = 16;

/// Slices, concatenations and pads that are read as one shift: `diff` of JAX nests three of them.
pub const SHIFT_DEPTH: usize = 5;

/// Blocks of a dim that is shifted: what each of them has is compared with what all others have.
pub const SHIFT_BLOCKS: u64 = 128;

/// Parts that blocks of a shift are made of, and blocks that have something else in one of them: each is an op or four of them.
pub const SHIFT_SPANS: usize = 4;

/// Operations that another order of a contraction may take, in hundredths of the best order's. Arithmetic that is dearer by more
/// than half is no way to save communication.
pub const MORE_OPERATIONS: u64 = 150;

/// Axes in one group of a collective. More are reached in several steps.
pub const GROUP_AXES: usize = 3;

/// A dim may be padded without an annotation that says so, if this part of what is stored then is padding at most.
pub const WASTE: u64 = 16;

// The search: `search`.

/// On meshes of so many axes there are more starts and each is dearer. So inputs that a start holds are let go of before the first
/// perturbation, half as many whole programs are asked about, and variants that repeat the search are left out.
pub const MANY_AXES: usize = 3;

/// Programs of fewer sites are searched to the last depth from each start; larger ones from the best of them.
pub const FEW_SITES: usize = 400;

/// Parts of all placements that one run of perturbations tries at most: at first; with pairs of dims and single sites in programs
/// of few sites; and with single sites in others.
pub const RUN_SHARE: usize = 32;
pub const RUN_SHARE_FEW_SITES: usize = 48;
pub const RUN_SHARE_SITES: usize = 64;

/// Placements that one run tries for each site there is: small programs have come to rest long before.
pub const MOVES_PER_SITE: usize = 10_000;

/// Sites with more options than this try, at a step of the descent, only those that differ in what one axis does.
pub const NEAR_OPTIONS: usize = 48;

/// Visits of the descent for each site: every accepted step lowers an exact cost, so it ends, and this keeps a bad start from taking
/// long.
pub const VISITS: usize = 40;

/// What loops can hide counts so many times less where hiding is looked for, as a power of 2: it still takes bandwidth from what it
/// is beside, and there may be less of that.
pub const HIDDEN_SHIFT: u32 = 3;

/// Surroundings of one site that are remembered to have nothing better: 16 bytes each. It changes no plan.
pub const RESTS: usize = 512;

/// Perturbations whose outcome is remembered: some 40 MiB. It changes no plan.
pub const KNOWN: usize = 1 << 18;

/// Sites that follow one that was forced: its surroundings, and not the whole program.
pub const REGION: usize = 48;

/// Dims of the model that axes are laid along, those that most of all elements have first: each is tried for each axis, in every
/// round.
pub const MODEL_DIMS: usize = 16;

/// Dims of the model that are laid two at a time, by so many axes: pairs are many.
pub const PAIRED_DIMS: usize = 12;

/// A whole program is asked about if the sum of times is longer by this part at most: times that are added up say so much, and what
/// overlaps may still be faster.
pub const ASKED_LONGER: u64 = 40;

/// A round of perturbations that gained less than this part of the time is not followed by another.
pub const ROUND_GAIN: u64 = 10_000;

/// The same of whole programs near a plan, which are dearer.
pub const POLISH_GAIN: u64 = 1000;

/// Ops behind a loop that are followed back to what it stacks.
pub const BEHIND_LOOP: usize = 24;

/// Of the exact solution, so many wants of a state count as one more state, since it takes as much more memory and time.
pub const FEW_WANTS: usize = 32;

/// States that may be handed on past a site for each whose options may be tried. Handing on is that much cheaper.
pub const EXACT_HANDED_ON: usize = 8;

/// Of the choices that are handed on to be timed, none costs more than the cheapest and this part of it.
pub const HANDED_ON_LONGER: u64 = 4;

/// Choices that are handed on to be timed as whole programs.
pub const TIMED: usize = 16;

/// Starts that the search goes on from once more: with what loops can hide at a part of its time, and under the rent that met a
/// budget. Of a program in parts, as many are measured as they stand.
pub const STARTS_GONE_ON: usize = 4;

/// Prices on all live bytes, as parts of a step, under which leaner choices are searched for, each from where the one before has
/// led: next to nothing, and up to an eighth of the step. Without any of them, three of 14 plans differ: Llama 3 8B on 4x4 devices in
/// stages takes 6.6 % longer, on 8x8 0.4 %.
pub const LEAN: [u128; 3] = [512, 64, 8];

/// Questions about whole programs near the choices that are handed on, round by round: how many in all, how many about each, the
/// best first, and whether single sites are changed.
pub const ROUNDS: [(usize, usize, bool); 3] = [(90, 16, false), (90, ASKED_NEAR, false), (40, ASKED_NEAR, true)];

/// Questions about whole programs near one choice: of the last rounds, and near the plan that met a budget.
pub const ASKED_NEAR: usize = 40;

/// Sites of all whole programs that are asked about: of programs with more than 1,450 sites fewer are.
pub const ASKED_SITES: usize = 320_000;

/// Questions about whole programs with a collective less. What matters to a reader is left out first.
pub const PLAIN_QUESTIONS: usize = 12;

/// Conversions of a stack that are tried for the layout of a part of it, where a loop is cut.
pub const CONVERTED: usize = 4;

// Memory: `decide` and `memory`.

/// Decisions that are too large, and are kept to be made smaller: the fastest, and the smallest.
pub const LARGE: usize = 4;

/// The part of a budget that a plan has to leave unused for its rent to be dropped.
pub const POLISH_ROOM: u64 = 8;

/// What inputs leave of a budget is little, if it is less than this part of it.
pub const LITTLE: u64 = 4;

/// Where they leave little: what a plan that was made to be small needs more than a budget, as a part of it, is so much that no
/// search makes it up.
pub const FAR: u64 = 2;

/// Rents that are tried: powers of 8 below this one, in picoseconds per KiB. Under the last a MiB costs more than a second.
pub const RENTS: u32 = 14;

/// The first rent is one under which what is too much costs this part of a step at least: less moves little.
pub const FIRST_RENT: u64 = 16;

/// How exactly a rent is found, as a part of it. Single stashes are decided after that.
pub const RENT_PART: u64 = 8;

/// Halvings between two rents where a plan fits that needs none.
pub const FEW_HALVINGS: usize = 2;

/// Stashes of which all combinations are priced, 65,536 at most. Of more, single ones are taken back.
pub const STASHES_PRICED: usize = 16;

/// The same where a loop is cut, for which pairs of combinations are priced.
pub const STASHES_MIXED: usize = 12;

/// Combinations of stashes that are solved, the cheapest first; stashes in the host's memory, and ops outside of loops, that are
/// tried one by one.
pub const TRIES: usize = 12;

/// Tries in a row that lead nowhere, after which no more are made: rents that free nothing, and where something fits already.
pub const PATIENCE: usize = 3;

/// Stashes in which two combinations may differ that should hold the same beside their stacks.
pub const ALIKE: u32 = 2;

/// Ops outside of loops up to which all combinations are tried.
pub const OPS_ENUMERATED: usize = 8;

/// Steps back from an op outside of loops to the values from which it can be recomputed.
pub const STEPS_BACK: usize = 8;

/// Ops outside of loops that are recomputed at most. Finding the next one looks at all of them.
pub const OPS_TAKEN: usize = 2048;

/// Programs in parts that are kept for whoever cuts them to choose among.
pub const PARTS_KEPT: usize = 64;

// Variants: `variants`.

/// Parts of a budget that is in the way, under which decisions are made too: a cut keeps the layouts of the whole, and those for less
/// memory leave more to the stashes.
pub const SMALLER_BUDGETS: [(u64, u64); 2] = [(15, 16), (3, 4)];

/// Plans with a cut loop that are made of a program of at most [`SMALL_PROGRAM`] ops; of larger ones the caller says how many.
pub const SPLIT_TRIES: usize = 48;
pub const SMALL_PROGRAM: usize = 600;

/// What is recomputed less often makes a step shorter by no more than so many times that work: tensors that are sent for it come
/// on top.
pub const SHORTER: u64 = 2;

/// Of programs in parts: choices of what the rest keeps, and plans that are made of them. Each takes as long as a plan of a whole.
pub const RICH: usize = 4;
pub const MIXED: usize = 6;
