//! `gpu-stand-in BUNDLE TO`: makes of a bundle for CPUs one for a GPU that is the host. `scripts/python` tests with it what passes between
//! programs on GPUs and Python, on machines without one.

#[path = "../../cli/for_gpus.rs"]
mod for_gpus;

use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [from, to] = &args[..] else {
        eprintln!("gpu-stand-in BUNDLE TO");
        return ExitCode::from(2);
    };
    let made = std::fs::read(from).and_then(|bytes| std::fs::write(to, for_gpus::for_gpus(&bytes)));
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("gpu-stand-in: {from}, {to}: {e}");
            ExitCode::FAILURE
        }
    }
}
