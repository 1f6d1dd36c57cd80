//! Fractions of unsigned integers, so that a time or a share of a bubble is exact on its way to the text.
//!
//! Not here: arithmetic. The simulator counts ticks, which are integers ([`crate::times`]).

use std::fmt;

/// A fraction in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fraction {
    pub numerator: u64,
    /// Never 0.
    pub denominator: u64,
}

impl Fraction {
    /// `numerator / denominator`; 0 where the denominator is 0 (a share of nothing).
    pub fn new(numerator: u64, denominator: u64) -> Fraction {
        match gcd(numerator, denominator) {
            0 => Fraction { numerator: 0, denominator: 1 },
            _ if denominator == 0 => Fraction { numerator: 0, denominator: 1 },
            g => Fraction { numerator: numerator / g, denominator: denominator / g },
        }
    }

    /// Reads `3`, `1.25` or `5/4`.
    ///
    /// # Errors
    /// What is not of these forms, or has more than 9 digits before or after the point.
    pub fn parse(text: &str) -> Result<Fraction, String> {
        let wrong = || format!("`{text}` is no time: 3, 1.25 or 5/4");
        let number = |s: &str| {
            let digits = !s.is_empty() && s.len() <= 9 && s.bytes().all(|b| b.is_ascii_digit());
            if digits { s.parse::<u64>().map_err(|_| wrong()) } else { Err(wrong()) }
        };
        let text_ = text.trim();
        if let Some((a, b)) = text_.split_once('/') {
            let (a, b) = (number(a)?, number(b)?);
            return if b == 0 { Err(wrong()) } else { Ok(Fraction::new(a, b)) };
        }
        let Some((whole, part)) = text_.split_once('.') else { return Ok(Fraction::new(number(text_)?, 1)) };
        let scale = 10u64.pow(u32::try_from(part.len().min(9)).unwrap_or(9));
        Ok(Fraction::new(number(whole)? * scale + number(part)?, scale))
    }

    /// As a percentage with one digit after the point, rounded to the nearest: what a person reads.
    pub fn percent(self) -> String {
        let (n, d) = (u128::from(self.numerator), u128::from(self.denominator));
        let tenths = (n * 2000 + d) / (2 * d);
        format!("{}.{}%", tenths / 10, tenths % 10)
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.denominator {
            1 => write!(f, "{}", self.numerator),
            d => write!(f, "{}/{d}", self.numerator),
        }
    }
}

/// Greatest common divisor; `gcd(0, n) = n`.
pub fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts() {
        for (text, shown) in [("3", "3"), ("1.25", "5/4"), ("5/4", "5/4"), ("10/5", "2"), ("0", "0"), ("0.5", "1/2")] {
            assert_eq!(Fraction::parse(text).map(|f| f.to_string()), Ok(shown.into()));
        }
        for bad in ["", "-1", "1/0", "1.", ".5", "1e3", "1/2/3", "1234567890", "0x1"] {
            assert!(Fraction::parse(bad).is_err(), "{bad}");
        }
        assert_eq!(Fraction::new(3, 11).percent(), "27.3%");
        assert_eq!(Fraction::new(1, 1).percent(), "100.0%");
    }
}
