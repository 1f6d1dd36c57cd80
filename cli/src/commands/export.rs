//! `meshloom export`: weights under the names of another program.

use crate::args::ExportArgs;
use meshloom_runtime::checkpoint::{Renames, export_only};
use meshloom_terminal::{Result, status};

pub fn run(args: &ExportArgs) -> Result<()> {
    let renames = args.rename.as_deref().map(Renames::open).transpose()?.unwrap_or_default();
    let dtype = args.dtype;
    let most = args.shard_size.saturating_mul(1_000_000);
    let made = export_only(&args.from, &renames, &args.output, dtype, most, &args.only)?;
    let files = match made.files.as_slice() {
        [one] => one.clone(),
        many => status::count(many.len() as u64, "file"),
    };
    let tensors = status::count(made.tensors as u64, "tensor");
    status::say(
        "Exported",
        &format!("{tensors}, {:.1} MB, to {}: {files}", made.bytes as f64 / 1e6, args.output.display()),
    );
    Ok(())
}
