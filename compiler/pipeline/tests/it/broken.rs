//! Tables that are broken by hand, one file each in `tests/broken`: the table, then what is wrong with it. The form is that of
//! the project's file tests; INSTA_UPDATE=always writes what the checks say.

use meshloom_pipeline::{Delivery, PipelineSchedule, check, csv};
use std::path::Path;

const MARK: &str = "// ----- expect\n";

fn told(name: &str, text: &str) -> String {
    let rows = match csv::parse(name, text) {
        Ok(rows) => rows,
        Err(e) => return format!("{e}\n"),
    };
    match PipelineSchedule::of_rows(name, rows) {
        Err(e) => format!("{name}: {e}\n"),
        Ok(schedule) => check(&schedule, &Delivery::ALL).iter().map(|p| format!("{p}\n")).collect(),
    }
}

#[test]
fn each_is_rejected_with_its_cause() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken");
    let mut files: Vec<_> = std::fs::read_dir(&folder).expect("a folder").flatten().map(|e| e.path()).collect();
    files.sort();
    assert!(files.len() >= 40, "{} broken tables", files.len());
    let bless = std::env::var("INSTA_UPDATE").is_ok_and(|u| u == "always");
    let mut wrong = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a table");
        let name = file.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let (table, expected) = text.split_once(MARK).unwrap_or((&text, ""));
        let found = told(&name, table);
        assert!(!found.is_empty(), "{name} is not broken");
        if bless {
            std::fs::write(&file, format!("{table}{MARK}{found}")).expect("a file");
        } else if found != expected {
            let diff = similar::TextDiff::from_lines(expected, &found);
            wrong.push(format!("{name}\n{}", diff.unified_diff().header("expected", "found")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
