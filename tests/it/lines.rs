//! How many lines each crate may have, tests apart: a crate that grows takes its lines from another one, or says here why it needs more.
//! `scripts/test lines --nocapture` prints what each has.

use crate::tidy::sources;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Lines by folder, with comments and blank lines. Their sum is to come down to 165,000: it was 134,000 for all but the last nine days of
/// the first month, and 175,800 after them.
const BUDGET: &[(&str, usize)] = &[
    ("cli", 5850),
    ("cli/lsp", 3400),
    ("cli/run", 3900),
    ("cli/terminal", 700),
    ("compiler/audit", 8500),
    ("compiler/autodiff", 4100),
    ("compiler/bundle", 3100),
    ("compiler/certify", 9200),
    ("compiler/codegen", 1500),
    ("compiler/driver", 5750),
    ("compiler/export", 4200),
    ("compiler/follow", 2150),
    ("compiler/ir", 12500),
    ("compiler/llvm", 1000),
    ("compiler/lower", 7500),
    ("compiler/pipeline", 3000),
    ("compiler/plan", 20900),
    ("compiler/report", 3950),
    ("compiler/scalar", 400),
    ("compiler/source", 1400),
    ("compiler/stablehlo", 16200),
    ("compiler/stage", 1500),
    ("compiler/strategy", 6200),
    ("compiler/syntax", 15500),
    ("dialects", 200),
    ("editors/tree-sitter/check", 200),
    ("kernels", 20500),
    ("python", 500),
    ("runtime", 22500),
    ("runtime/file", 400),
    ("site", 200),
];

/// A budget that is so much above what is there is lowered, so that it says something.
const SPARE: usize = 400;

#[test]
fn crates_keep_their_budget() {
    let mut lines: BTreeMap<&str, usize> = BUDGET.iter().map(|b| (b.0, 0)).collect();
    let sources = sources();
    let mut found = Vec::new();
    for s in sources.iter().filter(|s| s.path.ends_with(".rs") && !s.is_test()) {
        // The innermost folder that has a budget: `cli/run` lies in `cli`.
        let own = BUDGET.iter().map(|b| b.0).filter(|f| s.path.strip_prefix(f).is_some_and(|p| p.starts_with('/')));
        match own.max_by_key(|f| f.len()) {
            Some(folder) => *lines.entry(folder).or_default() += s.before_tests().count(),
            None => found.push(format!("{} lies in no crate with a budget", s.path)),
        }
    }
    let (mut table, mut sum) = (String::new(), [0, 0]);
    for (folder, most) in BUDGET {
        let n = lines[folder];
        sum = [sum[0] + n, sum[1] + most];
        let _ = writeln!(table, "{n:>8} of {most:>7}  {folder}");
        if n > *most {
            found.push(format!("{folder} has {n} lines, of {most}"));
        } else if n + SPARE < *most {
            found.push(format!("{folder} has {n} lines: its budget of {most} can be lowered"));
        }
    }
    println!("{table}{:>8} of {:>7}  in all", sum[0], sum[1]);
    crate::tidy::none(found, "a crate keeps to its budget of lines");
}
