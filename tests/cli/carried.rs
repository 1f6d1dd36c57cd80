//! State of the model in pipeline stages: losses, metrics and the state itself are those of one device, under schedules that run
//! forward actions ahead, have several stages on a rank, or gradients of weights apart; and each bundle is proved.

use crate::support::{Output, Place, assert_close, meshloom, named_losses};

const FILE: &str = "carried.loom";

fn ok(place: &Place, args: &[&str]) -> Output {
    let out = meshloom(place, args);
    assert_eq!(out.code, 0, "{args:?}\n{}", out.stderr);
    out
}

fn train(place: &Place, args: &[&str]) -> (Vec<f64>, Vec<f64>) {
    let out = ok(place, &[args, &["--random-inputs", "0", "--json", "--threads", "1"]].concat());
    (named_losses(&out.stdout, "loss"), named_losses(&out.stdout, "spread"))
}

#[test]
fn state_in_stages_is_that_of_one_device() {
    let place = Place::new();
    std::fs::write(place.path().join(FILE), include_str!("fixtures/carried.loom")).expect("writes");
    let (losses, spread) = train(&place, &["run", FILE, "--steps", "5"]);
    assert!(losses.len() == 5 && spread.len() == 5 && spread[0] != spread[4], "{losses:?} {spread:?}");
    for (mesh, schedule) in
        [("pipe=2", "interleaved"), ("data=2,pipe=2", "zb-h1"), ("pipe=4", "1f1b"), ("pipe=4", "gpipe")]
    {
        let what = ["--mesh", mesh, "--schedule", schedule];
        ok(&place, &[&["compile", FILE, "-o", "m.loomx", "--cpu", "native"], &what[..]].concat());
        let out = ok(&place, &[&["verify", FILE, "m.loomx", "--kernels", "skip"], &what[2..]].concat());
        assert!(out.stderr.contains("Proved"), "{what:?}: {}", out.stderr);
        let folder = format!("{mesh}-{schedule}");
        let (found, told) = train(&place, &["run", "m.loomx", "--steps", "3", "--save", &folder]);
        assert_close(&found, &losses[..3], 1e-5);
        assert_close(&told, &spread[..3], 1e-5);
        // What is saved has the state: one device goes on from it.
        let (found, told) = train(&place, &["run", FILE, "--resume", &folder, "--steps", "5"]);
        assert_close(&found, &losses[3..], 1e-5);
        assert_close(&told, &spread[3..], 1e-5);
    }
}
