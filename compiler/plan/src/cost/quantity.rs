//! Numbers with units, as target files write them: `"80 GiB"`, `"2.5 TB/s"`, `"312 TFLOP/s"`, `"5 us"`. Exact: decimals
//! are digits and a power of ten, never floats.

/// What a key of a target file counts. The integer that stands for it is in the unit in brackets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// Bytes.
    Bytes,
    /// Bytes per second.
    BytesPerSecond,
    /// Floating point operations per second.
    FlopsPerSecond,
    /// Time, in picoseconds.
    Time,
    /// What an hour costs, in millionths of a US dollar.
    Price,
}

impl Unit {
    /// How the unit is written, for messages.
    fn example(self) -> &'static str {
        match self {
            Unit::Bytes => "bytes, such as \"80 GiB\"",
            Unit::BytesPerSecond => "bytes per second, such as \"300 GB/s\"",
            Unit::FlopsPerSecond => "operations per second, such as \"312 TFLOP/s\"",
            Unit::Time => "a time, such as \"5 us\"",
            Unit::Price => "a price, such as \"2.50 USD/h\"",
        }
    }

    /// How many of our units one of `suffix` is.
    fn scale(self, suffix: &str) -> Option<u128> {
        match self {
            Unit::Bytes => bytes(suffix),
            Unit::BytesPerSecond => bytes(suffix.strip_suffix("/s")?),
            Unit::FlopsPerSecond => decimal(suffix.strip_suffix("FLOP/s")?),
            Unit::Time => Some(match suffix {
                "ps" => 1,
                "ns" => 1_000,
                "us" | "µs" => 1_000_000,
                "ms" => 1_000_000_000,
                "s" => 1_000_000_000_000,
                _ => return None,
            }),
            Unit::Price => (suffix == "USD/h").then_some(1_000_000),
        }
    }

    /// The integer that `text` stands for.
    ///
    /// # Errors
    /// What is wrong with it, as a sentence without a place.
    pub fn parse(self, text: &str) -> Result<u64, String> {
        let text = text.trim();
        let wrong = || match text.bytes().all(|c| c.is_ascii_digit() || c == b'.') && !text.is_empty() {
            true => format!("\"{text}\" says no unit; write {}", self.example()),
            false => format!("\"{text}\" is not {}", self.example()),
        };
        let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        let (number, suffix) = (&text[..end], text[end..].trim());
        let scale = self.scale(suffix).ok_or_else(wrong)?;
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        if whole.is_empty() || fraction.contains('.') || fraction.len() > 12 {
            return Err(wrong());
        }
        let digits: u128 = format!("{whole}{fraction}").parse().map_err(|_| wrong())?;
        let value = digits.checked_mul(scale).map(|n| n / 10u128.pow(fraction.len() as u32));
        value.and_then(|n| u64::try_from(n).ok()).ok_or_else(|| format!("\"{text}\" is too large"))
    }
}

/// `B`, `kB`, `GB`, `GiB`, ..
fn bytes(suffix: &str) -> Option<u128> {
    let prefix = suffix.strip_suffix('B')?;
    match prefix.strip_suffix('i') {
        Some("K") => Some(1 << 10),
        Some("M") => Some(1 << 20),
        Some("G") => Some(1 << 30),
        Some("T") => Some(1 << 40),
        Some(_) => None,
        None => decimal(prefix),
    }
}

fn decimal(prefix: &str) -> Option<u128> {
    Some(match prefix {
        "" => 1,
        "k" | "K" => 1_000,
        "M" => 1_000_000,
        "G" => 1_000_000_000,
        "T" => 1_000_000_000_000,
        "P" => 1_000_000_000_000_000,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units() {
        assert_eq!(Unit::Bytes.parse("80 GiB"), Ok(80 << 30));
        assert_eq!(Unit::Bytes.parse("1.5kB"), Ok(1500));
        assert_eq!(Unit::BytesPerSecond.parse("2.039 TB/s"), Ok(2_039_000_000_000));
        assert_eq!(Unit::FlopsPerSecond.parse("19.5 TFLOP/s"), Ok(19_500_000_000_000));
        assert_eq!(Unit::Time.parse("2.5 us"), Ok(2_500_000));
    }

    #[test]
    fn what_is_not_a_quantity_is_refused() {
        for bad in ["", "GB", "5", "5 XB", "5 GB", "-5 GB/s", "5 KiB/ms", "1.2.3 GB/s", ". GB/s", "١ GB/s"] {
            let e = Unit::BytesPerSecond.parse(bad).unwrap_err();
            assert!(e.contains("bytes per second, such as"), "{e}");
        }
        assert_eq!(Unit::Bytes.parse("99999999 TB"), Err("\"99999999 TB\" is too large".into()));
    }
}
