//! What ranks compare after loading and before the first step. Without this, a rank that has read other data or other
//! weights than the rest would train along unnoticed.
//!
//! [`TABLE`] has one entry for each thing that must be alike, causes before what follows from them. The exchange is in
//! the runtime (`world::agree`).
//!
//! Not here: options, which ranks compare when they meet (`join`).

use crate::{Result, RunArgs, status};
use meshloom_bundle::Role;
use meshloom_runtime::checkpoint::Resumed;
use meshloom_runtime::data::{self, Feed};
use meshloom_runtime::world::Fingerprint;
use meshloom_runtime::{Session, World, file};

/// All that a rank has loaded.
pub struct Loaded<'a> {
    pub session: &'a Session,
    pub args: &'a RunArgs,
    pub feed: Option<&'a Feed>,
    /// Held-out data.
    pub eval: Option<&'a Feed>,
    pub resumed: Option<&'a Resumed>,
    /// The step that an elastic run goes on after, from memory.
    pub restored: Option<u64>,
}

/// One thing that must be equal on all ranks: its name, and the function that takes its fingerprint.
struct Compared {
    what: &'static str,
    of: fn(&'static str, &Loaded<'_>) -> Result<Fingerprint>,
}

const TABLE: &[Compared] = &[
    Compared { what: "the tokenizer (--tokenizer)", of: tokenizer },
    Compared { what: "the data (--data)", of: |what, l| data(what, l.feed) },
    Compared { what: "the packing of rows (--pack)", of: packing },
    Compared { what: "the parts and orders of the data (--eval-split, --seed)", of: order },
    Compared { what: "the held-out data (--eval-data)", of: |what, l| data(what, l.eval) },
    Compared { what: "the checkpoint (--resume)", of: checkpoint },
    Compared { what: "the weights and the state", of: |what, l| Ok(values(what, l, &[Role::Parameter, Role::State])) },
    Compared { what: "the inputs (--input, --inputs)", of: |what, l| Ok(values(what, l, &[Role::Input])) },
];

/// Compares what all ranks have loaded.
///
/// # Errors
/// What differs, and on which ranks: the same sentence on all of them.
pub fn ranks_agree(world: &World, loaded: &Loaded<'_>) -> Result<()> {
    let all = TABLE.iter().map(|c| (c.of)(c.what, loaded)).collect::<Result<Vec<Fingerprint>>>()?;
    Ok(world.agree(&all)?)
}

fn nothing(what: &'static str) -> Fingerprint {
    Fingerprint::new(what, "none", 0)
}

fn tokenizer(what: &'static str, loaded: &Loaded<'_>) -> Result<Fingerprint> {
    let Some(path) = &loaded.args.tokenizer else { return Ok(nothing(what)) };
    // It was read before, so a pipe would have nothing left to say.
    let bytes = file::own(path, data::tokenizer::MOST_BYTES)?.unwrap_or_default();
    Ok(Fingerprint::of_bytes(what, path.display().to_string(), &bytes))
}

fn data(what: &'static str, feed: Option<&Feed>) -> Result<Fingerprint> {
    let Some(feed) = feed else { return Ok(nothing(what)) };
    Ok(Fingerprint::new(what, format!("{}: {}", feed.name(), feed.describe()), feed.data_hash()?))
}

fn packing(what: &'static str, loaded: &Loaded<'_>) -> Result<Fingerprint> {
    let Some(feed) = loaded.feed else { return Ok(nothing(what)) };
    Ok(Fingerprint::new(what, feed.describe(), feed.packing_hash()))
}

fn order(what: &'static str, loaded: &Loaded<'_>) -> Result<Fingerprint> {
    let both = [("--data", loaded.feed), ("held-out data", loaded.eval)];
    let both = both.iter().filter_map(|(name, feed)| Some((*name, (*feed)?)));
    let is: Vec<String> = both.clone().map(|(name, f)| format!("{} of {name}", f.part())).collect();
    let parts = both.map(|(name, f)| (name.to_owned(), f.order_hash())).collect();
    Ok(Fingerprint::of_parts(what, is.join(" and "), parts))
}

fn checkpoint(what: &'static str, loaded: &Loaded<'_>) -> Result<Fingerprint> {
    if let Some(step) = loaded.restored {
        return Ok(Fingerprint::new(what, format!("memory after step {step}"), step));
    }
    let Some(resumed) = loaded.resumed else { return Ok(nothing(what)) };
    let is = format!("{} after step {}", resumed.folder.display(), resumed.step);
    Ok(Fingerprint::of_bytes(what, is, resumed.hash.as_bytes()))
}

fn values(what: &'static str, loaded: &Loaded<'_>, roles: &[Role]) -> Fingerprint {
    let parts = loaded.session.written(roles);
    let paths: Vec<String> = loaded.args.load.iter().map(|p| p.display().to_string()).collect();
    let from = match (&paths[..], roles) {
        ([_, ..], [Role::Parameter, ..]) => format!(" with those of {}", paths.join(", ")),
        _ => String::new(),
    };
    Fingerprint::of_parts(what, format!("{}{from}", status::count(parts.len() as u64, "tensor")), parts)
}
