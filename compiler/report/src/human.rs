//! Numbers for people: three digits and a unit.

/// `512 B`, `1.5 KiB`, `192 KiB`, `44.9 MiB`.
pub fn bytes(n: f64) -> String {
    let (x, unit) = scaled(n);
    format!("{x} {unit}")
}

/// The parts of a sum in the unit of the whole, without it: `12.1`, `8.1`.
pub fn bytes_like(n: f64, whole: f64) -> String {
    digits(n / unit_of(whole).1)
}

fn scaled(n: f64) -> (String, &'static str) {
    let (name, size) = unit_of(n);
    // Bytes are whole, but for one device's share of a ring.
    let x = if size == 1.0 && n.fract() == 0.0 { format!("{n}") } else { digits(n / size) };
    (x, name)
}

fn unit_of(n: f64) -> (&'static str, f64) {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut size = 1.0;
    for (i, name) in UNITS.into_iter().enumerate() {
        // 1023.96 KiB would print as 1024 KiB.
        if n < 1023.95 * size || i + 1 == UNITS.len() {
            return (name, size);
        }
        size *= 1024.0;
    }
    (UNITS[0], 1.0)
}

/// `layer 3`, or `layers 2 to 7`: so many of a list, from its layer `first` on.
pub fn layers(first: u64, layers: u64) -> String {
    match layers {
        1 => format!("layer {first}"),
        n => format!("layers {first} to {}", (first + n).saturating_sub(1)),
    }
}

/// `950`, `3.8 M`, `1.2 G`.
pub fn count(n: f64) -> String {
    const UNITS: [(f64, &str); 5] = [(1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "K")];
    match UNITS.iter().find(|u| n >= 0.9995 * u.0) {
        Some((size, unit)) => format!("{} {unit}", digits(n / size)),
        None => format!("{n}"),
    }
}

/// `850 us`, `12.3 ms`, `1.2 s`.
pub fn micros(us: f64) -> String {
    let (unit, size) = time_unit(us);
    format!("{} {unit}", digits(us / size))
}

/// Parts of a time in the unit of the whole, without it.
pub fn micros_like(us: f64, whole: f64) -> String {
    digits(us / time_unit(whole).1)
}

fn time_unit(us: f64) -> (&'static str, f64) {
    match us {
        x if x < 999.5 => ("us", 1.0),
        x if x < 999_500.0 => ("ms", 1e3),
        _ => ("s", 1e6),
    }
}

/// `+1.2 ms`, `-6.0 MiB`, `=`.
pub fn signed(x: f64, show: fn(f64) -> String) -> String {
    match x {
        0.0 => "=".into(),
        x if x < 0.0 => format!("-{}", show(-x)),
        x => format!("+{}", show(x)),
    }
}

/// One digit after the point below 100, none above.
fn digits(x: f64) -> String {
    if x < 99.95 { format!("{x:.1}") } else { format!("{x:.0}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        let cases = [
            (0.0, "0 B"),
            (512.0, "512 B"),
            (10.5, "10.5 B"),
            (1023.0, "1023 B"),
            (1024.0, "1.0 KiB"),
            (196_608.0, "192 KiB"),
            (1_048_575.0, "1.0 MiB"),
            (47_081_062.0, "44.9 MiB"),
            (8e13, "72.8 TiB"),
        ];
        for (n, s) in cases {
            assert_eq!(bytes(n), s);
        }
        assert_eq!(bytes_like(524_288.0, 47_081_062.0), "0.5");
    }

    #[test]
    fn times() {
        for (us, s) in [(0.0, "0.0 us"), (850.2, "850 us"), (999.7, "1.0 ms"), (12_300.0, "12.3 ms"), (1.25e6, "1.2 s")]
        {
            assert_eq!(micros(us), s);
        }
    }
}
