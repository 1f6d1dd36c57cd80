//! The launcher of an elastic run: one generation of ranks after the other.

use super::Sizes;
use super::members::Membership;
use crate::ends::End;
use crate::launch::{HANDED, RankLaunch, Ranks, job_key, socket, stop_code, stops};
use crate::{Failed, Result, status};
use meshloom_runtime::elastic::{Handed, KeptMemory};
use meshloom_runtime::world::ranks as named;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Exit codes of ranks that fail the same way on every try: a check, a wrong option or file, too little memory.
const FINAL: [i32; 3] = [1, 2, 4];
/// The interval at which the launcher checks whether ranks have come, while there are too few.
const LOOK: Duration = Duration::from_millis(20);

/// What is run, and how much may happen to it.
pub struct Elastic {
    pub program: PathBuf,
    pub args: Vec<OsString>,
    pub sizes: Sizes,
    pub port: Option<u16>,
    /// How many times a rank that died is started again, over the whole run.
    pub max_restarts: u32,
    /// How long the first rank that died stays away before it is started again. Each later one stays away twice as long as the one
    /// before it.
    pub restart_after: Duration,
    /// How long the launcher waits for ranks if too few are left.
    pub join_timeout: Duration,
    /// Steps between two copies in memory; 0 keeps none.
    pub keep_every: u64,
}

/// One generation while it runs.
struct Running {
    /// What its ranks keep, and what those before kept, the newest first.
    kept: Vec<KeptMemory>,
    before: Vec<Vec<KeptMemory>>,
    ask: KeptMemory,
    asked: bool,
    ranks: usize,
    /// Since when no step was done, and after which generation.
    since: Option<Instant>,
}

/// Runs generations until the steps are done.
///
/// # Errors
/// Too few ranks, a rank that fails in a way that repeats itself, Ctrl-C.
pub fn launch(what: &Elastic) -> Result<()> {
    let mut members = Membership::new(what.sizes.range.max, what.max_restarts, what.restart_after);
    let pid = std::process::id();
    status::say("Elastic", &format!("{}..{} ranks; launcher {pid}", what.sizes.range.min, what.sizes.range.max));
    let (mut before, mut since, mut failed) = (Vec::new(), None, false);
    // The last step that any generation has done.
    let mut furthest = 0;
    for generation in 0.. {
        wait_for(what, &mut members)?;
        let Some((size, mesh)) = what.sizes.choose(members.there) else { continue };
        let spare = members.there - size;
        let spare = if spare > 0 { format!("; {spare} to spare") } else { String::new() };
        status::say("Generation", &format!("{generation}: {size} ranks, {mesh}{spare}"));
        let mut running = Running::new(what, size, std::mem::take(&mut before), since)?;
        let mut ranks = start(what, generation, &running)?;
        let blamed = ranks.watch(&mut || running.look(&what.sizes, &mut members));
        ranks.drain();
        let Some(blamed) = blamed else { return Ok(()) };
        if ranks.is_done() {
            // The last step is done, and everything is written.
            status::warning(&format!("after the end of the run rank {} {}", blamed.rank, blamed.end.describe()));
            return Ok(());
        }
        if stops() > 0 && blamed.end == End::Reshaped {
            let why = "the ranks had ended for others to begin when they were to stop";
            status::warning(&format!("{why}, and have saved nothing more: the checkpoint before is the newest"));
            return Err(Failed::silent(stop_code()));
        }
        // From the first of several losses between which no step was done.
        since = running.since.or(Some(blamed.at));
        if ranks.is_stopped() || matches!(blamed.end, End::Failed(code) if FINAL.contains(&code)) {
            return ranks.result(Some(blamed));
        }
        let (dead, done) = (ranks.dead(&blamed), running.ask.done().unwrap_or(0));
        if !running.asked || !dead.is_empty() {
            // What fails again before a step is done, and was not killed, is no accident.
            let killed = matches!(blamed.end, End::Killed(_) | End::Hung);
            if !killed && failed && done <= furthest {
                let help = "the generation before failed too, and no step was done since that was not done before";
                return ranks.result(Some(blamed)).map_err(|e| e.help(help));
            }
            failed = !killed;
            members.died(dead.len());
            said(generation, &dead, &members);
        }
        furthest = furthest.max(done);
        before = running.over();
    }
    Ok(())
}

fn said(generation: u64, dead: &[(usize, End)], members: &Membership) {
    let again = members.expected();
    let again = if again > 0 { format!("; {again} will be started again") } else { String::new() };
    let who = if dead.is_empty() { "no rank was lost, and all gave up".to_owned() } else { lost(dead) };
    status::warning(&format!("generation {generation}: {who}; {} left{again}", members.there));
}

/// `ranks 0, 2 were killed by signal 9 (SIGKILL; out of memory?); rank 1 was killed by ..`: ranks that ended alike are named together.
fn lost(dead: &[(usize, End)]) -> String {
    let mut alike: Vec<(String, Vec<usize>)> = Vec::new();
    for (rank, end) in dead {
        let how = end.describe();
        match alike.iter_mut().find(|a| a.0 == how) {
            Some((_, ranks)) => ranks.push(*rank),
            None => alike.push((how, vec![*rank])),
        }
    }
    let one = |(how, ranks): &(String, Vec<usize>)| format!("{} {}", named(ranks), plural(ranks, how));
    alike.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// `were killed by ..`
fn plural(ranks: &[usize], describes: &str) -> String {
    match describes.strip_prefix("was ") {
        Some(rest) if ranks.len() > 1 => format!("were {rest}"),
        _ => describes.to_owned(),
    }
}

/// Waits until enough ranks are there.
fn wait_for(what: &Elastic, members: &mut Membership) -> Result<()> {
    let start = Instant::now();
    let mut said = false;
    loop {
        members.look();
        if what.sizes.choose(members.there).is_some() {
            return Ok(());
        }
        let (there, least) = (members.there, what.sizes.least());
        let have = format!("{there} of the {least} ranks that are needed");
        if stops() > 0 {
            return Err(Failed::silent(stop_code()));
        }
        if members.expected() == 0 && start.elapsed() >= what.join_timeout {
            let waited = what.join_timeout.as_secs_f64();
            return Err(Failed::new(
                3,
                format!("only {have} are left, and no more came within --join-timeout {waited} s"),
            ));
        }
        if !said {
            status::say(
                "Waiting",
                &format!("for ranks: {have} are there; `meshloom launch --join N --to {}`", std::process::id()),
            );
            said = true;
        }
        std::thread::sleep(LOOK);
    }
}

fn start(what: &Elastic, generation: u64, running: &Running) -> Result<Ranks> {
    let descriptors = |all: &[KeptMemory]| all.iter().map(KeptMemory::descriptor).collect::<Vec<i32>>();
    let handed = Handed {
        generation,
        launcher: std::process::id(),
        ask: running.ask.descriptor(),
        keeps: descriptors(&running.kept),
        every: what.keep_every,
        before: running.before.iter().map(|g| descriptors(g)).collect(),
    };
    let handed = serde_json::to_string(&handed).map_err(|e| Failed::usage(e.to_string()))?;
    let launch = RankLaunch {
        program: what.program.clone(),
        args: what.args.clone(),
        ranks: running.ranks,
        port: what.port,
        env: vec![(HANDED.into(), handed.into())],
    };
    Ranks::start(&launch, &socket(what.port)?, &job_key()?)
}

impl Running {
    fn new(what: &Elastic, ranks: usize, before: Vec<Vec<KeptMemory>>, since: Option<Instant>) -> Result<Running> {
        let many = if what.keep_every > 0 { ranks } else { 0 };
        let kept = (0..many).map(|_| KeptMemory::new()).collect::<meshloom_runtime::Result<_>>()?;
        Ok(Running { kept, before, ask: KeptMemory::new()?, asked: false, ranks, since })
    }

    /// Looks after the ranks while they run: who has come or left, and what is not needed any more. Whether they were asked to
    /// end.
    fn look(&mut self, sizes: &Sizes, members: &mut Membership) -> bool {
        members.look();
        // Too few is no reason to end what runs: those that are there are enough.
        let better = sizes.choose(members.there).is_some_and(|(n, _)| n != self.ranks);
        if better && !self.asked {
            self.asked = true;
            let (n, now) = (members.there, self.ranks);
            status::say("Reshaping", &format!("after this step: {n} ranks are there, and {now} run"));
            if let Err(e) = self.ask.ask() {
                status::warning(&e.to_string());
            }
        }
        if let (Some(since), Some(step)) = (self.since, self.ask.done()) {
            let took = status::duration(since.elapsed().as_secs_f64());
            status::say("Going on", &format!("step {step} is done; {took} without a step"));
            self.since = None;
        }
        if !self.before.is_empty() && KeptMemory::common_step(&self.kept).is_some() {
            self.before.clear();
        }
        self.asked
    }

    /// What is handed on to the next generation.
    fn over(self) -> Vec<Vec<KeptMemory>> {
        let own = (!self.kept.is_empty()).then_some(self.kept);
        own.into_iter().chain(self.before).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_that_ended_alike_are_named_together() {
        let dead = [(0, End::Killed(9)), (1, End::Killed(4)), (3, End::Killed(9)), (4, End::Hung)];
        let text = "ranks 0, 3 were killed by signal 9 (SIGKILL; out of memory?); rank 1 was killed by signal 4 (SIGILL); \
                    rank 4 hung, and was killed";
        assert_eq!(lost(&dead), text);
    }
}
