//! `meshloom-codegen`: what `meshloom` starts where code is to be generated. It is the only program that loads LLVM and MLIR.
//!
//! It serves one request from its standard input, and has no options. Not here: anything else (`meshloom_llvm`).

use std::process::ExitCode;

fn main() -> ExitCode {
    meshloom_llvm::main_if_requested();
    eprintln!("meshloom-codegen generates code for `meshloom`, which starts it: run `meshloom` instead");
    ExitCode::from(2)
}
