//! What was measured of the ranks of a pipeline, beside what its table says.
//!
//! A rank waits where its table says so, and beyond that where messages, other work on the machine or turns of changing length hold
//! it up. To tell the two apart, the table is run through with the times that were measured of each turn, and messages that take no
//! time ([`replay`]). What a rank waits in that is the bubble of the schedule; the rest is noise.
//!
//! Not here: what the compiler predicts before anything runs.

use crate::device::{TurnTime, TurnTimes};
use meshloom_bundle::{Actions, Instr, Pipeline, Program};
use std::collections::BTreeMap;

/// One rank of a pipeline, in the mean of the steps that count: all but the first, where there were several.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct MeasuredRank {
    pub rank: usize,
    pub steps: u64,
    /// By kind of action (`F`, `B`, `I`, `W`): how many there are in a step, and the seconds that one takes, waits left out.
    pub kinds: Vec<(String, u64, f64)>,
    /// Seconds from the first action to the end of the last.
    pub seconds: f64,
    /// Which share of them the rank waits for other ranks.
    pub idle: f64,
    /// The same by the table, where each action takes as long as was measured.
    pub by_table: f64,
    /// The same by the table, where F, I and W take equally long, and B twice as long.
    pub at_unit_times: f64,
    /// The most bytes that were allocated for one of its devices, and what the bundle says of that.
    pub peak_bytes: u64,
    pub planned_bytes: u64,
}

fn actions(program: &Program) -> Option<&Actions> {
    program.instrs.iter().find_map(|i| match i {
        Instr::Actions(a) => Some(&**a),
        _ => None,
    })
}

fn turns(program: &Program) -> usize {
    actions(program).map_or(0, |a| a.order.len())
}

/// Steps and peak of each rank, then busy and waiting time of each of its turns: for processes to put together.
pub fn to_bytes(p: &Pipeline, own: &[(usize, TurnTimes, u64)]) -> Vec<u8> {
    let words = p.ranks.iter().enumerate().flat_map(|(k, program)| {
        let of = own.iter().find(|o| o.0 == k);
        let (runs, peak) = of.map_or((0, 0), |o| (o.1.runs, o.2));
        let turn = move |t: usize| of.and_then(|o| o.1.turns.get(t).copied()).unwrap_or_default();
        [runs, peak].into_iter().chain((0..turns(program)).map(turn).flat_map(|t| [t.busy, t.waits]))
    });
    words.flat_map(u64::to_ne_bytes).collect()
}

pub fn from_bytes(p: &Pipeline, bytes: &[u8]) -> Vec<(TurnTimes, u64)> {
    let mut words = bytes.chunks_exact(8).map(|b| b.try_into().map_or(0, u64::from_ne_bytes));
    let mut word = || words.next().unwrap_or(0);
    let one = |program: &Program| {
        let (runs, peak) = (word(), word());
        let turns = (0..turns(program)).map(|_| TurnTime { busy: word(), waits: word() }).collect();
        (TurnTimes::of(runs, turns), peak)
    };
    p.ranks.iter().map(one).collect()
}

/// By rank; nothing if a rank has not run.
pub fn ranks(p: &Pipeline, measured: &[(TurnTimes, u64)]) -> Vec<MeasuredRank> {
    if measured.iter().any(|m| m.0.runs == 0) {
        return Vec::new();
    }
    let busy = |k: usize, turn: usize| measured[k].0.turns[turn].busy as f64 / measured[k].0.runs as f64;
    let unit = |k: usize, turn: usize| kind(&p.ranks[k], turn).map_or(0.0, |n| if n == "B" { 2.0 } else { 1.0 });
    let (by_table, at_unit) = (replay(p, busy), replay(p, unit));
    let share = |(idle, all): (f64, f64)| if all > 0.0 { idle / all } else { 0.0 };
    let one = |(k, program): (usize, &Program)| {
        let (times, peak_bytes) = &measured[k];
        // What a rank waits before its first action is no wait of the table's.
        let waits = times.turns.iter().skip(1).map(|t| t.waits as f64).sum::<f64>() / times.runs as f64;
        let all = waits + (0..times.turns.len()).map(|t| busy(k, t)).sum::<f64>();
        let mut kinds: BTreeMap<&str, (u64, f64)> = BTreeMap::new();
        for t in 0..times.turns.len() {
            if let Some(name) = kind(program, t) {
                let sum = kinds.entry(name).or_default();
                *sum = (sum.0 + 1, sum.1 + busy(k, t));
            }
        }
        MeasuredRank {
            rank: k,
            steps: times.runs,
            kinds: kinds.into_iter().map(|(name, (n, sum))| (name.to_owned(), n, sum / n as f64 / 1e9)).collect(),
            seconds: all / 1e9,
            idle: share((waits, all)),
            by_table: by_table.get(k).copied().map_or(0.0, share),
            at_unit_times: at_unit.get(k).copied().map_or(0.0, share),
            peak_bytes: *peak_bytes,
            planned_bytes: program.device_bytes(),
        }
    };
    p.ranks.iter().enumerate().map(one).collect()
}

/// `F` of the action `12F` that a turn runs.
fn kind(program: &Program, turn: usize) -> Option<&str> {
    let a = actions(program)?;
    let name = &a.bodies.get(a.order.get(turn)?.action as usize)?.name;
    Some(name.trim_start_matches(|c: char| c.is_ascii_digit()))
}

/// Runs through the table: by rank, how long it waits between its first and its last action, and how long these take together. An
/// action takes the time that `takes` says of a rank and a turn; it begins when what it receives has been sent, which an action does
/// at its end.
fn replay(p: &Pipeline, takes: impl Fn(usize, usize) -> f64) -> Vec<(f64, f64)> {
    struct Rank {
        turn: usize,
        begin: Option<f64>,
        now: f64,
        idle: f64,
    }
    let mut all: Vec<Rank> = p.ranks.iter().map(|_| Rank { turn: 0, begin: None, now: 0.0, idle: 0.0 }).collect();
    // When a value is there, by its wire and microbatch.
    let mut sent: BTreeMap<(&str, u64), f64> = BTreeMap::new();
    let mut moved = true;
    while std::mem::take(&mut moved) {
        for (k, program) in p.ranks.iter().enumerate() {
            let Some(a) = actions(program) else { continue };
            while let Some(turn) = a.order.get(all[k].turn) {
                let body = a.bodies.get(turn.action as usize).map_or(&[][..], |b| &b.body);
                let wires = |sends: bool| {
                    let of = move |i: &Instr| match i {
                        Instr::Send(t) if sends => Some(t.wire),
                        Instr::Receive(t) if !sends => Some(t.wire),
                        _ => None,
                    };
                    body.iter()
                        .filter_map(of)
                        .filter_map(|w| Some((program.wires.get(w as usize)?.name.as_str(), turn.microbatch)))
                };
                let Some(there) = wires(false).map(|w| sent.get(&w).copied()).collect::<Option<Vec<f64>>>() else {
                    break;
                };
                let rank = &mut all[k];
                let begin = there.into_iter().fold(rank.now, f64::max);
                if rank.begin.is_some() {
                    rank.idle += begin - rank.now;
                }
                rank.begin.get_or_insert(begin);
                rank.now = begin + takes(k, rank.turn);
                rank.turn += 1;
                sent.extend(wires(true).map(|w| (w, rank.now)));
                moved = true;
            }
        }
    }
    all.into_iter().map(|r| (r.idle, r.now - r.begin.unwrap_or(0.0))).collect()
}
