//! What kernels say of their buffers holds for random programs on random meshes, and what is changed about launches is
//! refused. Both by the check that every bundle passes before anything of it is used.

use meshloom_bundle::{BundleError, Dim, Instr, Launch, Program, validate};
use meshloom_plan::{Mode, PlanOptions};
use meshloom_random::{self as random, KINDS, Rng};

/// Calls `f` for every launch, those in loops too.
fn launches(instrs: &mut [Instr], f: &mut dyn FnMut(&mut Launch)) {
    for i in instrs {
        match i {
            Instr::Launch(l) => f(l),
            Instr::Loop { body, .. } => launches(body, f),
            Instr::While(w) => [&mut w.body, &mut w.after].into_iter().for_each(|b| launches(b, f)),
            _ => {}
        }
    }
}

/// A random program, as a device runs it; `None` where the target cannot.
fn made(seed: u64) -> Option<Program> {
    let mesh = random::mesh(&mut Rng::new(seed), 8);
    let (options, _) = random::kind(seed, mesh);
    let mut f = random::program(seed, &options);
    // Names of random ports are no names of stacked tensors.
    f.inputs.iter_mut().for_each(|p| p.stacked = false);
    f.outputs.iter_mut().for_each(|p| p.stacked = false);
    let mode = if seed.is_multiple_of(3) { Mode::Search } else { Mode::Follow };
    let plan = meshloom_plan::plan(&f, &PlanOptions { mode, ..PlanOptions::default() }).ok()?;
    let options = meshloom_lower::ScheduleOptions {
        locate: &|_| None,
        tokens_per_step: 0,
        device: Default::default(),
        tf32: false,
        rounds_each: false,
    };
    Some(meshloom_lower::schedule(&plan.local, &f, &options).ok()?.program)
}

/// A copy of a program with one launch changed, and what the check says of it.
fn changed(p: &Program, which: usize, change: impl Fn(&mut Launch)) -> Result<(), BundleError> {
    let (mut p, mut k) = (p.clone(), 0);
    launches(&mut p.instrs, &mut |l| {
        if k == which {
            change(l);
        }
        k += 1;
    });
    validate(&p)
}

/// `MESHLOOM_SEEDS=0..2000` names other programs.
#[test]
fn changed_launches_are_refused() {
    let asked = std::env::var("MESHLOOM_SEEDS").ok();
    let asked = asked.as_deref().and_then(|s| s.split_once("..")).map(|(a, b)| a.parse().unwrap()..b.parse().unwrap());
    let (mut tries, mut programs, mut starts) = (0, 0, 0);
    for seed in asked.unwrap_or(0..4 * KINDS) {
        let Some(mut p) = made(seed) else { continue };
        validate(&p).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        programs += 1;
        let mut units = Vec::new();
        launches(&mut p.instrs, &mut |l| units.push(l.units));
        let mut rng = Rng::new(seed ^ 0x7a11);
        for _ in 0..units.len().min(8) {
            let k = rng.below(units.len());
            let (which, some) = (rng.below(4), rng.below(4) as u64);
            let wrong = match which {
                0 => units[k] + 1 + some,
                1 => units[k] * 2 + 1,
                2 => some << 40 | 1 << 62,
                _ => units[k].wrapping_sub(1 + some),
            };
            let e = changed(&p, k, |l| l.units = wrong).expect_err("other units");
            assert!(e.message.contains("units"), "seed {seed}: {e}");
            // One byte less than the kernel touches of its widest buffer.
            let mut least = None;
            let mut i = 0;
            launches(&mut p.instrs.clone(), &mut |l| {
                if i == k {
                    let touches = &p.kernels[l.kernel as usize].touches;
                    let most = |t: &Vec<meshloom_bundle::Touched>| t.iter().map(|t| t.bytes).max().unwrap_or(0);
                    least = (0..l.args.len()).map(|a| (most(&touches[a]), a)).max().filter(|m| m.0 > 0);
                    starts += touches.iter().flatten().filter(|t| t.start.is_some()).count();
                }
                i += 1;
            });
            if let Some((bytes, arg)) = least {
                let e = changed(&p, k, |l| l.args[arg].bytes = bytes - 1).expect_err("too small a buffer");
                assert!(e.message.contains("touches") || e.message.contains("bytes"), "seed {seed}: {e}");
            }
            // Blocks that begin beyond the buffers are refused, or no access begins there.
            let far = changed(&p, k, |l| l.dims.iter_mut().for_each(|d| *d = Dim::Const(1 << 50)));
            let starting = p.kernels.iter().any(|k| k.touches.iter().flatten().any(|t| t.start.is_some()));
            assert!(starting || far.is_ok(), "seed {seed}");
            tries += 3;
        }
    }
    assert!(tries > 300 && programs > 20 && starts > 0, "{tries} tries on {programs} programs, {starts} starts");
    println!("{tries} changes of launches in {programs} programs; {starts} accesses that begin where the device says");
}
