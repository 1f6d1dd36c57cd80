//! Names of tensors with places for numbers, as rename files have them: `h.{i}.attn.{*}.weight`.
//!
//! Some models count two lists of a program as one: the first 3 layers are of one kind, the others of another. `{i<3}` finds the first
//! ones, and `{i+3}` the others, whose numbers begin at 0 on the other side.

/// A name with places for numbers.
#[derive(Debug)]
pub(super) struct Pattern(pub Vec<Piece>);

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Piece {
    Text(String),
    /// The number of a layer plus `after`, where it is below `before`.
    Layer {
        after: u64,
        before: Option<u64>,
    },
    Each,
}

impl Piece {
    fn is_layer(&self) -> bool {
        matches!(self, Piece::Layer { .. })
    }

    /// What stands between braces.
    fn parse(what: &str) -> Option<Piece> {
        let number = |text: &str| text.parse::<u64>().ok();
        Some(match what.strip_prefix('i') {
            Some("") => Piece::Layer { after: 0, before: None },
            Some(bound) => match (bound.strip_prefix('+'), bound.strip_prefix('<')) {
                (Some(n), _) => Piece::Layer { after: number(n)?, before: None },
                (_, Some(n)) => Piece::Layer { after: 0, before: Some(number(n)?) },
                _ => return None,
            },
            None if what == "*" => Piece::Each,
            None => return None,
        })
    }
}

impl Pattern {
    pub fn parse(text: &str) -> Result<Pattern, String> {
        let text = text.trim();
        let wrong = || format!("`{text}` is no name; places for numbers are `{{i}}`, `{{i+3}}`, `{{i<3}}` and `{{*}}`");
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            if !before.is_empty() {
                pieces.push(Piece::Text(before.into()));
            }
            let (what, after) = after.split_once('}').ok_or_else(wrong)?;
            let piece = Piece::parse(what).ok_or_else(wrong)?;
            let again = |p: &Piece| *p == piece || (p.is_layer() && piece.is_layer());
            if pieces.iter().any(again) || pieces.last().is_some_and(|p| !matches!(p, Piece::Text(_))) {
                return Err(wrong());
            }
            pieces.push(piece);
            rest = after;
        }
        if !rest.is_empty() {
            pieces.push(Piece::Text(rest.into()));
        }
        if pieces.is_empty() || text.contains(char::is_whitespace) {
            return Err(wrong());
        }
        Ok(Pattern(pieces))
    }

    /// The numbers at `{i}` and `{*}`, if the name is of this form.
    pub fn find(&self, name: &str) -> Option<(Option<u64>, Option<u64>)> {
        let (mut layer, mut each, mut rest) = (None, None, name);
        for piece in &self.0 {
            if let Piece::Text(t) = piece {
                rest = rest.strip_prefix(t.as_str())?;
                continue;
            }
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let number: u64 = rest[..digits].parse().ok()?;
            match *piece {
                Piece::Layer { before: Some(end), .. } if number >= end => return None,
                Piece::Layer { after, .. } => layer = Some(number.checked_sub(after)?),
                _ => each = Some(number),
            }
            rest = &rest[digits..];
        }
        rest.is_empty().then_some((layer, each))
    }

    /// The name of this layer.
    pub fn with(&self, layer: Option<u64>) -> String {
        self.filled(layer, None)
    }

    /// The name with these numbers at `{i}` and `{*}`.
    pub fn filled(&self, layer: Option<u64>, each: Option<u64>) -> String {
        let number = |n: Option<u64>| n.map(|n| n.to_string()).unwrap_or_default();
        let text = |p: &Piece| match p {
            Piece::Text(t) => t.clone(),
            Piece::Layer { after, .. } => number(layer.map(|n| n.saturating_add(*after))),
            Piece::Each => number(each),
        };
        self.0.iter().map(text).collect()
    }

    /// Whether it stands for a tensor of each layer.
    pub fn is_of_layers(&self) -> bool {
        self.0.iter().any(Piece::is_layer)
    }

    /// Whether it stands for a tensor for each number at `{*}`.
    pub fn several(&self) -> bool {
        self.0.contains(&Piece::Each)
    }
}

impl std::fmt::Display for Pattern {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|p| match p {
            Piece::Text(t) => f.write_str(t),
            Piece::Layer { after: 0, before: None } => f.write_str("{i}"),
            Piece::Layer { before: Some(end), .. } => write!(f, "{{i<{end}}}"),
            Piece::Layer { after, .. } => write!(f, "{{i+{after}}}"),
            Piece::Each => f.write_str("{*}"),
        })
    }
}
