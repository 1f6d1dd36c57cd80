//! The language server: Loom in editors that speak the language server protocol (3.17), as `meshloom lsp` on standard input and
//! output.
//!
//! ```text
//! edits -> documents -> snapshot (syntax trees, types) -> hover, navigate, complete, signature, hints
//!               \-> check: all phases before the plan, at once; the plan in the background
//! ```
//!
//! A program gets the diagnostics that `meshloom check` gives it, by the same calls. Nothing here loads LLVM.
//!
//! Not here: anything about the language that compiling does not know too (`syntax`, `driver`).

mod background;
mod begin;
mod check;
mod complete;
mod documents;
mod hints;
mod hover;
mod mentions;
mod navigate;
mod notes;
mod position;
mod project;
mod reference;
mod requests;
mod server;
mod signature;
mod snapshot;
mod state;
mod transport;

/// Serves an editor on standard input and output until it ends the session; whether it did so as the protocol asks.
///
/// # Errors
/// What went wrong with the connection.
pub fn serve() -> Result<bool, String> {
    let (connection, threads) = transport::stdio().map_err(|e| e.to_string())?;
    let orderly = server::run(connection)?;
    threads.join().map_err(|e| e.to_string())?;
    Ok(orderly)
}
