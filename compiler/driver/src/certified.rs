//! Proves the programs of a pipeline's ranks against the certified local program. The checker of staged programs does it, which
//! knows nothing of how they were made.
//!
//! It checks the order of the instructions: of the actions turn by turn, and of every send and receive. Not here: whether
//! the instructions of a rank compute the rank's function (`audit`).

use meshloom_bundle::Program;
use meshloom_bundle::program::Instr;
use meshloom_certify::staged::{self, Rank, RankLoop, RankStep, StagedProof};
use meshloom_ir::{Func, Port, Role};
use meshloom_source::Failure;
use meshloom_strategy::rank_program::RankProgram;

/// Proves that `programs`, the instructions of `ranks`, compute what `local` does, microbatch by microbatch, and come to an
/// end.
///
/// # Errors
/// An internal error that says what is not proved, with the programs.
pub fn certified(local: &Func, ranks: &[RankProgram], programs: &[&Program]) -> Result<StagedProof, Failure> {
    let reproducer = || {
        let printed = ranks.iter().map(|r| meshloom_ir::print::print(&r.program.func));
        std::iter::once(meshloom_ir::print::print(local)).chain(printed).collect::<Vec<_>>().join("\n")
    };
    let internal = |message: String| Failure::Internal { phase: "stages", message, reproducer: reproducer() };
    if programs.len() != ranks.len() {
        return Err(internal(format!("{} programs for {} ranks", programs.len(), ranks.len())));
    }
    let described: Option<Vec<Rank<'_>>> = ranks.iter().zip(programs).map(|(r, p)| described(r, p)).collect();
    let described = described.ok_or_else(|| internal("a transfer over no wire".into()))?;
    staged::check(local, &described)
        .map_err(|refused| internal(refused.iter().take(5).map(ToString::to_string).collect::<Vec<_>>().join("; ")))
}

/// A rank as it is described to the checker. `None` if its instructions are those of another program.
pub fn described<'a>(rank: &'a RankProgram, program: &Program) -> Option<Rank<'a>> {
    let func = &rank.program.func;
    let actions = rank.weave.actions.iter().map(|(repeat, name)| RankLoop { repeat: *repeat, name: name.clone() });
    Some(Rank {
        func,
        inputs: rank.sources.clone(),
        outputs: rank.targets.clone(),
        actions: actions.collect(),
        steps: steps(func, program)?,
    })
}

/// The steps of a rank's instructions, in their order. All receives of an action come before it, and all its sends come after
/// it. `audit` proves that transfers inside of an action are where its kernels need them.
fn steps(func: &Func, program: &Program) -> Option<Vec<RankStep>> {
    let of = |ports: &[Port], role: Role| -> Vec<usize> {
        ports.iter().enumerate().filter(|p| p.1.role == role).map(|p| p.0).collect()
    };
    let (received, sent) = (of(&func.inputs, Role::Received), of(&func.outputs, Role::Sent));
    // The wires of a program are what it receives, in the order of its inputs, and then what it sends.
    let transfer = |i: &Instr, entry: Option<u64>| match i {
        Instr::Receive(t) => Some(received.get(t.wire as usize).map(|&input| RankStep::Receive { input, entry })),
        Instr::Send(t) => {
            let output = (t.wire as usize).checked_sub(received.len()).and_then(|k| sent.get(k));
            Some(output.map(|&output| RankStep::Send { output, entry }))
        }
        _ => None,
    };
    let mut out = Vec::new();
    for i in &program.instrs {
        if let Some(step) = transfer(i, None) {
            out.push(step?);
        }
        let Instr::Actions(a) = i else { continue };
        for turn in &a.order {
            let body = &a.bodies.get(turn.action as usize)?.body;
            let all = body.iter().filter_map(|i| transfer(i, Some(turn.microbatch)));
            let all: Vec<RankStep> = all.collect::<Option<_>>()?;
            let (before, after): (Vec<_>, Vec<_>) =
                all.into_iter().partition(|s| matches!(s, RankStep::Receive { .. }));
            out.extend(before);
            out.push(RankStep::Run { action: turn.action as usize, iteration: turn.microbatch });
            out.extend(after);
        }
    }
    Some(out)
}
