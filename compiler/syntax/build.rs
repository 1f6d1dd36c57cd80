//! Generates the LALR(1) parser from `src/grammar.lalrpop`.

fn main() {
    lalrpop::process_src().expect("the Loom grammar is LALR(1)");
}
