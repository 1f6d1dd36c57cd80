//! Variants that plan another form of the program: attention in blocks that go round, and composites as the ops that they stand for.
//!
//! Each replaces ops by others, so whether that pays is seen by planning with it and without it.
//!
//! Not here: the forms ([`crate::extend`]).

use super::explore::{NoPlan, Planning, Proposed, Variant, explore};
use super::journal::Journal;
use super::{decisions, ring};
use crate::extend::prepared::Prepared;
use crate::extend::ring::{RING, ZIGZAG};
use crate::memory::held::PeakMemo;
use crate::saturate::program;
use crate::search::Solution;
use crate::search::followed;
use crate::write::tried::Worth;
use crate::{Mode, Plan, PlanError, PlanOptions, cost, extend, saturate};
use meshloom_ir::{Func, Op};
use std::cell::OnceCell;

/// What is planned in each form.
pub struct Programs<'a> {
    pub global: &'a Func,
    pub model: &'a cost::Model,
    pub memory: &'a PeakMemo<'a>,
    pub journal: &'a Journal,
    /// The program as it is given is too large by far for a search.
    pub far: Option<PlanError>,
    /// The program as it is given, whatever is recognised in it, as annotations alone have it. The same for all forms.
    followed: OnceCell<Option<Solution>>,
}

/// A form of the program, by the options that it is planned with.
pub struct ProgramForm {
    pub options: PlanOptions,
    prepared: OnceCell<Prepared>,
    /// It is another one than was given.
    other: bool,
}

impl ProgramForm {
    pub fn given(options: &PlanOptions) -> ProgramForm {
        ProgramForm { options: options.clone(), prepared: OnceCell::new(), other: false }
    }

    /// Without a rule.
    fn without(&self, rule: &str) -> ProgramForm {
        let mut options = self.options.clone();
        options.disabled_rules.insert(rule.to_owned());
        ProgramForm { options, prepared: OnceCell::new(), other: self.other }
    }

    fn prepared(&self, global: &Func) -> &Prepared {
        self.prepared.get_or_init(|| Prepared::new(global, &self.options))
    }
}

impl<'a> Programs<'a> {
    pub fn new(
        global: &'a Func,
        model: &'a cost::Model,
        memory: &'a PeakMemo<'a>,
        journal: &'a Journal,
        far: Option<PlanError>,
    ) -> Programs<'a> {
        Programs { global, model, memory, journal, far, followed: OnceCell::new() }
    }

    fn followed(&self, options: &PlanOptions) -> Option<&Solution> {
        let search = options.mode == Mode::Search;
        search
            .then(|| self.followed.get_or_init(|| followed::follow(self.global, options, self.model)).as_ref())
            .flatten()
    }
}

impl Planning for Programs<'_> {
    type Ask = ProgramForm;
    type Made = Plan;
    type Error = Vec<PlanError>;

    fn plan(&mut self, form: &ProgramForm) -> Result<Plan, Vec<PlanError>> {
        if let Some(far) = self.far.as_ref().filter(|_| !form.other) {
            return Err(vec![far.clone()]);
        }
        let whole = form.prepared(self.global);
        let followed = self.followed(&form.options);
        let program = program::SearchedProgram::new(&whole.ext, &form.options)?;
        let saturation = saturate::run(&program, &form.options);
        let decider = crate::decide::Decider {
            program: &program,
            saturation: &saturation,
            model: self.model,
            memory: self.memory,
            options: &form.options,
            stashes: &whole.stashes,
            given: self.global.ops.len(),
            followed,
            mixed: None,
        };
        decisions::best(self.global, whole, &decider, self.journal)
    }

    fn worth(&self, plan: &Plan) -> Worth {
        plan.worth()
    }

    fn no_plan(&self, errors: &Vec<PlanError>) -> NoPlan {
        NoPlan::of(errors)
    }
}

pub fn table<'a>() -> [Variant<Programs<'a>>; 3] {
    [
        Variant {
            name: "as-written",
            why: "attention and other ops that were recognised run as the ops that the source has, each of which is split by itself",
            gain: 0,
            ask: as_written,
        },
        Variant {
            name: "contiguous-blocks",
            why: "keys go round in contiguous blocks and not in zigzag: more work, in fewer and larger pieces",
            gain: 0,
            ask: contiguous,
        },
        Variant {
            name: RING,
            why: "keys and values of attention go round the devices that positions are split over, and are never whole on one",
            gain: 0,
            ask: rings,
        },
    ]
}

type Made = Result<Plan, Vec<PlanError>>;

fn as_written(programs: &mut Programs<'_>, form: &ProgramForm, _: &Made) -> Proposed<ProgramForm> {
    let whole = form.prepared(programs.global);
    let composite = |&o: &meshloom_ir::OpId| matches!(whole.ext.func.op(o).op, Op::Composite { .. });
    match whole.ext.preferred.iter().any(composite) {
        true => Proposed::one(form.without(extend::RECOGNITION)),
        false => Proposed::nothing("nothing was recognised"),
    }
}

fn contiguous(programs: &mut Programs<'_>, form: &ProgramForm, best: &Made) -> Proposed<ProgramForm> {
    let options = &form.options;
    if options.ring.is_none() {
        return Proposed::nothing("no keys go round");
    }
    let mirrors = |o: &meshloom_ir::OpData| matches!(o.op, Op::CollectiveShift { mirror: true, .. });
    if best.as_ref().is_ok_and(|p| !p.local.ops.iter().any(mirrors)) {
        return Proposed::nothing("blocks go round in no zigzag");
    }
    // Without zigzag attention takes about twice as long, and what is sent takes no time at best.
    let waits = |p: &Plan| (p.totals.communication_us - p.totals.hidden_us) * 1e6;
    let more = |p: &Plan| ring::attention_ps(programs.model, &p.local) as f64;
    if best.as_ref().is_ok_and(|p| more(p) > waits(p)) {
        return Proposed::nothing("it would add more work than devices wait for now");
    }
    if options.mode != Mode::Search || [RING, ZIGZAG].iter().any(|r| options.disabled_rules.contains(*r)) {
        return Proposed::nothing("it is not searched, or a rule that it needs is off");
    }
    Proposed::one(form.without(ZIGZAG))
}

/// Attention in blocks replaces attention. If nothing fits, what follows from the annotations says where positions are split.
fn rings(programs: &mut Programs<'_>, form: &ProgramForm, best: &Made) -> Proposed<ProgramForm> {
    let options = &form.options;
    if let Some(why) = ring::off(options) {
        return Proposed::nothing(why);
    }
    let candidates = match best {
        Ok(plan) => ring::candidates(programs.global, plan, options, programs.model),
        Err(_) => {
            let follows = PlanOptions { mode: Mode::Follow, budget: None, ..options.clone() };
            let silent = Journal::default();
            let mut alone = Programs::new(programs.global, programs.model, programs.memory, &silent, None);
            let [recognised, ..] = table();
            match explore(&mut alone, &[recognised], &ProgramForm::given(&follows), &silent) {
                Ok(followed) => ring::candidates(programs.global, &followed, options, programs.model),
                Err(_) => Err("annotations alone give no plan either"),
            }
        }
    };
    match candidates {
        Ok(of) if of.is_empty() => {
            Proposed::nothing("no positions of queries are split, or attention cannot go round there")
        }
        Ok(of) => Proposed::These(
            of.into_iter()
                .take(options.limits.rings)
                .map(|axes| {
                    let with = axes.join(",");
                    let options = PlanOptions { ring: Some(axes), ..options.clone() };
                    (with, ProgramForm { other: true, ..ProgramForm::given(&options) })
                })
                .collect(),
        ),
        Err(why) => Proposed::nothing(why),
    }
}
