//! Where in a run a rank is, in one word that other processes can read: program, collective, step.

use meshloom_bundle::{Collective, Instr, Program, Turn};
use std::collections::BTreeMap;

/// 8 bits for the program, 24 for the collective, 32 for the step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot(pub u64);

/// Marks turns among the numbers of a program; collectives have those below it.
const TURN: u32 = 1 << 23;

/// Meetings that are of no program, by their number.
const OUTSIDE: [&str; 7] = [
    "the start of the run",
    "the end of a step",
    "the reading of a tensor",
    "the end of the run",
    "the start of a step",
    "the comparison before the first step",
    "the comparison of copies",
];

impl Spot {
    pub const START: Spot = Spot(0);
    pub const BETWEEN: Spot = Spot(1 << 32);
    pub const READ: Spot = Spot(2 << 32);
    pub const END: Spot = Spot(3 << 32);
    pub const STEP: Spot = Spot(4 << 32);
    pub const AGREE: Spot = Spot(5 << 32);
    pub const COPIES: Spot = Spot(6 << 32);

    /// Of the program that is the `program`th of the run, from 1 on.
    pub fn new(program: usize, collective: u32) -> Spot {
        Spot((program as u64) << 56 | (u64::from(collective) & 0xff_ffff) << 32)
    }

    /// The turn of a pipeline's rank, by its place in the order of the program.
    pub fn turn(program: usize, turn: usize) -> Spot {
        Spot::new(program, TURN | (turn as u32 & (TURN - 1)))
    }

    /// Of a program, and not between two steps.
    pub fn is_collective(self) -> bool {
        self.0 >> 56 != 0 && self.0 >> 32 & u64::from(TURN) == 0
    }

    /// The steps of a program are counted from 1; 0 is none.
    pub fn at_step(self, step: u64) -> Spot {
        Spot(self.0 >> 32 << 32 | step & 0xffff_ffff)
    }
}

/// The collectives and turns of the programs of a run, in words.
#[derive(Default)]
pub struct Words(Vec<OfProgram>);

#[derive(Default)]
struct OfProgram {
    collectives: BTreeMap<u32, String>,
    /// Of a pipeline's rank: the names of actions, and which of them runs for which microbatch.
    actions: Vec<String>,
    turns: Vec<Turn>,
}

impl Words {
    /// Returns the program's number.
    pub fn add(&mut self, program: &Program) -> usize {
        let mut all = OfProgram::default();
        collect(program, &program.instrs, &mut all.collectives);
        for instr in &program.instrs {
            if let Instr::Actions(a) = instr {
                all.actions = a.bodies.iter().map(|b| b.name.clone()).collect();
                all.turns.clone_from(&a.order);
            }
        }
        self.0.push(all);
        self.0.len()
    }

    /// All collectives, the same on all ranks.
    pub fn spots(&self) -> Vec<Spot> {
        let of = |(k, all): (usize, &OfProgram)| {
            all.collectives.keys().map(move |&id| Spot::new(k + 1, id)).collect::<Vec<_>>()
        };
        self.0.iter().enumerate().flat_map(of).collect()
    }

    /// `all_reduce over data at gpt.loom:31:7, step 4`
    pub fn of(&self, spot: Spot) -> String {
        let (program, id, step) = ((spot.0 >> 56) as usize, (spot.0 >> 32 & 0xff_ffff) as u32, spot.0 & 0xffff_ffff);
        let at = match program.checked_sub(1) {
            None => OUTSIDE.get(id as usize).map_or_else(String::new, |s| (*s).to_owned()),
            Some(p) if id & TURN != 0 => self.turn(p, id & (TURN - 1)),
            Some(p) => {
                let known = self.0.get(p).and_then(|m| m.collectives.get(&id)).cloned();
                known.unwrap_or_else(|| format!("collective {id}"))
            }
        };
        if step > 0 { format!("{at}, step {step}") } else { at }
    }

    /// `action 2F of microbatch 3`
    fn turn(&self, program: usize, turn: u32) -> String {
        let found = self.0.get(program).and_then(|p| Some((p, p.turns.get(turn as usize)?)));
        let Some((p, turn)) = found else { return format!("turn {turn}") };
        let name = p.actions.get(turn.action as usize).map_or("", String::as_str);
        format!("action {name} of microbatch {}", turn.microbatch)
    }
}

fn collect(program: &Program, instrs: &[Instr], all: &mut BTreeMap<u32, String>) {
    for instr in instrs {
        match instr {
            Instr::Loop { body, .. } => collect(program, body, all),
            Instr::While(w) => collect(program, &w.body, all),
            Instr::Actions(a) => a.bodies.iter().for_each(|b| collect(program, &b.body, all)),
            _ => all.extend(instr.collectives().iter().map(|c| (c.id & 0xff_ffff, describe(program, c)))),
        }
    }
}

/// `all_reduce over data at gpt.loom:31:7`
fn describe(program: &Program, c: &Collective) -> String {
    let axes: Vec<&str> = c.axes.iter().map(|&a| program.mesh[a as usize].name.as_str()).collect();
    let over = if axes.is_empty() { String::new() } else { format!(" over {}", axes.join(", ")) };
    let at = c.source.as_ref().map_or(String::new(), |s| format!(" at {s}"));
    format!("{}{over}{at}", c.kind.name())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spots_in_words() {
        let words = Words(vec![OfProgram {
            collectives: [(7, "all_reduce over data at m.loom:3:5".to_owned())].into(),
            actions: vec!["0F".into(), "0B".into()],
            turns: vec![Turn { action: 1, microbatch: 3 }],
        }]);
        assert_eq!(words.of(Spot::turn(1, 0).at_step(2)), "action 0B of microbatch 3, step 2");
        assert!(Spot::new(1, 7).is_collective() && !Spot::turn(1, 0).is_collective());
        assert_eq!(words.of(Spot::new(1, 7).at_step(4)), "all_reduce over data at m.loom:3:5, step 4");
        assert_eq!(words.of(Spot::START), "the start of the run");
        assert_eq!(words.of(Spot::BETWEEN.at_step(2)), "the end of a step, step 2");
        assert_eq!(words.of(Spot::new(2, 9)), "collective 9");
    }
}
