//! Names of tensors with places for numbers, as rename files have them: `h.{i}.attn.{*}.weight`.

/// A name with places for numbers.
#[derive(Debug)]
pub(super) struct Pattern(pub Vec<Piece>);

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Piece {
    Text(String),
    Layer,
    Each,
}

impl Pattern {
    pub fn parse(text: &str) -> Result<Pattern, String> {
        let text = text.trim();
        let wrong = || format!("`{text}` is no name; places for numbers are `{{i}}` and `{{*}}`");
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            if !before.is_empty() {
                pieces.push(Piece::Text(before.into()));
            }
            let (what, after) = after.split_once('}').ok_or_else(wrong)?;
            let piece = match what {
                "i" => Piece::Layer,
                "*" => Piece::Each,
                _ => return Err(wrong()),
            };
            if pieces.contains(&piece) || pieces.last().is_some_and(|p| !matches!(p, Piece::Text(_))) {
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
            *(if *piece == Piece::Layer { &mut layer } else { &mut each }) = Some(number);
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
            Piece::Layer => number(layer),
            Piece::Each => number(each),
        };
        self.0.iter().map(text).collect()
    }

    /// Whether it stands for a tensor of each layer.
    pub fn is_of_layers(&self) -> bool {
        self.0.contains(&Piece::Layer)
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
            Piece::Layer => f.write_str("{i}"),
            Piece::Each => f.write_str("{*}"),
        })
    }
}
