//! The figures of one device in the report of a plan with pipeline stages. The plan is that of all stages, so the planner's figures
//! are sums over all ranks. In a report each is that of the rank that has most of it, and the report names the rank.
//!
//! Not here: what a rank has of a plan (`strategy::per_rank`).

use meshloom_report::{CollectiveReport, PipelineReport, PlanReport, StashReport, TensorReport, number};
use meshloom_strategy::per_rank::{CallShare, HeldOfRank, RankShare};

/// Puts the figures of ranks in the place of the sums over all of them. The report has the stages already, and of the plan's
/// tensors those that are `listed`.
pub fn told(data: &mut PlanReport, listed: &[usize], shares: &[RankShare]) {
    for (k, c) in data.collectives.iter_mut().enumerate() {
        collective(c, shares.iter().map(|s| s.collectives[k]));
    }
    number(&mut data.collectives);
    for (t, k) in data.tensors.iter_mut().zip(listed) {
        tensor(t, &shares.iter().map(|s| s.tensors[*k]).collect::<Vec<_>>());
    }
    data.totals.flops_per_device = shares.iter().map(|s| s.flops).max().unwrap_or(0);
    data.totals.wire_bytes_per_device = shares.iter().map(RankShare::wire_bytes).fold(0.0, f64::max);
    let Some(of) = &mut data.pipeline else { return };
    for (rank, share) in of.ranks.iter_mut().zip(shares) {
        rank.flops_per_device = share.flops;
        rank.wire_bytes_per_device = share.wire_bytes();
        rank.message_bytes_per_device = share.messages;
    }
    let of = &*of;
    data.stashes.iter_mut().for_each(|s| stash(s, of));
}

/// That of the rank that sends most of it, the first of equals.
fn collective(c: &mut CollectiveReport, shares: impl Iterator<Item = CallShare>) {
    let most = (0u64..).zip(shares).reduce(|best, x| if x.1.wire_bytes > best.1.wire_bytes { x } else { best });
    let Some((rank, share)) = most else { return };
    let part = if c.wire_bytes_per_device > 0.0 { share.wire_bytes / c.wire_bytes_per_device } else { 0.0 };
    c.rank = Some(rank);
    (c.wire_bytes_per_device, c.times_per_step) = (share.wire_bytes, share.times);
    c.predicted_us *= part;
    c.exposed_us *= part;
}

/// The layers that one rank has of a list, of the rank that has most.
fn tensor(t: &mut TensorReport, held: &[Option<HeldOfRank>]) {
    t.ranks = (0u64..).zip(held).filter(|x| x.1.is_some()).map(|x| x.0).collect();
    let layers = held.iter().flatten().filter_map(|h| match h {
        HeldOfRank::Layers(n) => Some(*n),
        HeldOfRank::Whole => None,
    });
    if let (Some(most), Some(all)) = (layers.max(), t.local_shape.first_mut().filter(|n| **n > 0)) {
        t.bytes_per_device = t.bytes_per_device / *all * most;
        *all = most;
    }
}

/// Of one microbatch, what a rank keeps of its layers.
fn stash(s: &mut StashReport, of: &PipelineReport) {
    let (from, to) = (s.iterations.from, s.iterations.to);
    if s.iterations.list.as_ref() != Some(&of.list) || from >= to {
        return;
    }
    let layers = |rank: u64| -> u64 {
        let own = of.stages.iter().filter(|x| x.rank == rank || x.copy == Some(rank));
        own.map(|x| (x.first_layer + x.layers).min(to).saturating_sub(x.first_layer.max(from))).sum()
    };
    let most = of.ranks.iter().map(|r| layers(r.rank)).max().unwrap_or(0);
    s.bytes_per_device = s.bytes_per_device / (to - from) * most;
}
