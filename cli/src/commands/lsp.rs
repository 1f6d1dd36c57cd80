//! `meshloom lsp`: the language server, which editors start.

use meshloom_terminal::{Failed, Result};

pub fn run() -> Result<()> {
    match meshloom_lsp::serve() {
        Ok(true) => Ok(()),
        // The protocol asks for it where the client did not say that it ends.
        Ok(false) => Err(Failed::silent(1)),
        Err(why) => Err(Failed::usage(format!("the connection to the editor: {why}"))),
    }
}
