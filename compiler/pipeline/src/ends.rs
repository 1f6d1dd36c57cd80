//! The two ends of a transfer, and which actions need one.
//!
//! A result goes to another rank if the stage that uses it is there: an `F` sends its output to the next stage, an `I` or
//! a `B` its gradient to the stage before. As in PyTorch, a send names the stage that made the value and a receive the
//! stage that uses it: `0SEND_F3` goes with `1RECV_F3`. Between stages of one rank nothing is sent.

use crate::action::{ActionKind, PipelineAction};
use crate::placement::StagePlacement;

/// The transfer of what an action makes: the send, its rank, the receive, its rank. `None` where nothing leaves the rank.
pub fn transfer(
    placement: &StagePlacement,
    maker: PipelineAction,
) -> Option<(PipelineAction, u32, PipelineAction, u32)> {
    let PipelineAction { stage, microbatch, .. } = maker;
    let (send, receive, to) = match maker.kind {
        ActionKind::F => (ActionKind::SendF, ActionKind::RecvF, stage + 1),
        ActionKind::I | ActionKind::B => (ActionKind::SendB, ActionKind::RecvB, stage.checked_sub(1)?),
        _ => return None,
    };
    let (here, there) = (placement.rank(stage, microbatch)?, placement.rank(to, microbatch)?);
    let ends =
        (PipelineAction::new(stage, send, microbatch), here, PipelineAction::new(to, receive, microbatch), there);
    (here != there).then_some(ends)
}

/// The send that belongs to a receive.
pub fn send_of(receive: PipelineAction) -> Option<PipelineAction> {
    match receive.kind {
        ActionKind::RecvF => {
            Some(PipelineAction::new(receive.stage.checked_sub(1)?, ActionKind::SendF, receive.microbatch))
        }
        ActionKind::RecvB => Some(PipelineAction::new(receive.stage + 1, ActionKind::SendB, receive.microbatch)),
        _ => None,
    }
}

/// The receive that belongs to a send.
pub fn receive_of(send: PipelineAction) -> Option<PipelineAction> {
    match send.kind {
        ActionKind::SendF => Some(PipelineAction::new(send.stage + 1, ActionKind::RecvF, send.microbatch)),
        ActionKind::SendB => Some(PipelineAction::new(send.stage.checked_sub(1)?, ActionKind::RecvB, send.microbatch)),
        _ => None,
    }
}
