//! Megatron's `.idx` file: where the sequences and documents of the `.bin` beside it begin.
//!
//! ```text
//! "MMIDIDX\0\0"  u64 version = 1  u8 dtype  u64 sequences  u64 documents
//! i32 lengths[sequences]  i64 pointers[sequences]  i64 documents[documents]
//! ```
//!
//! `documents` are indices of sequences, the first 0 and the last the number of sequences. Sequences lie one after the other, which is how
//! Megatron writes and merges them; a file where they do not is refused.

use super::element::Element;
use meshloom_bundle::DType;

const MAGIC: &[u8] = b"MMIDIDX\0\0";
const HEADER: usize = 34;

#[derive(Debug, PartialEq)]
pub struct MegatronIndex {
    pub element: Element,
    /// Tokens of all sequences.
    pub tokens: u64,
    /// Where each document ends, in tokens.
    pub ends: Vec<u64>,
}

/// Parses an index whose data file has `data` bytes.
///
/// # Errors
/// What is wrong with it, and at which sequence.
pub fn parse(bytes: &[u8], data: u64) -> Result<MegatronIndex, String> {
    if !bytes.starts_with(MAGIC) {
        return Err("no Megatron index: it does not begin with MMIDIDX".into());
    }
    if bytes.len() < HEADER {
        return Err(format!("{} bytes, which is less than a header", bytes.len()));
    }
    let u64_at = |at: usize| bytes[at..].first_chunk().map_or(0, |b| u64::from_le_bytes(*b));
    let version = u64_at(9);
    if version != 1 {
        return Err(format!("version {version} where 1 is read"));
    }
    let element = match bytes[17] {
        1 => Element::Of(DType::U8),
        2 => Element::Of(DType::I8),
        3 => Element::I16,
        4 => Element::Of(DType::I32),
        5 => Element::Of(DType::I64),
        8 => Element::U16,
        code => return Err(format!("dtype code {code}; tokens are u8, i8, i16, i32, i64 or u16")),
    };
    let (sequences, documents) = (u64_at(18), u64_at(26));
    let due = sequences.checked_mul(12).zip(documents.checked_mul(8)).and_then(|(a, b)| a.checked_add(b));
    if due.and_then(|n| n.checked_add(HEADER as u64)) != Some(bytes.len() as u64) {
        return Err(format!("{} bytes for {sequences} sequences and {documents} documents", bytes.len()));
    }
    let (lengths, rest) = bytes[HEADER..].split_at(sequences as usize * 4);
    let (pointers, documents) = rest.split_at(sequences as usize * 8);
    let (lengths, pointers, documents) =
        (lengths.as_chunks::<4>().0, pointers.as_chunks::<8>().0, documents.as_chunks::<8>().0);
    // Where each sequence ends, which documents refer to.
    let mut tokens = 0u64;
    let mut edges = vec![0u64];
    for (k, (len, pointer)) in lengths.iter().zip(pointers).enumerate() {
        let (len, pointer) = (i32::from_le_bytes(*len), i64::from_le_bytes(*pointer));
        let due = tokens * element.size() as u64;
        if u64::try_from(pointer) != Ok(due) {
            return Err(format!("sequence {k} begins at byte {pointer} of the data, where {due} is due"));
        }
        let len = u64::try_from(len).map_err(|_| format!("sequence {k} has {len} tokens"))?;
        tokens += len;
        edges.push(tokens);
    }
    if tokens.checked_mul(element.size() as u64) != Some(data) {
        return Err(format!("{tokens} tokens of {} where the .bin file has {data} bytes", element.name()));
    }
    let mut ends = Vec::new();
    let mut last = 0;
    for (k, d) in documents.iter().enumerate() {
        let d = u64::from_le_bytes(*d);
        if d > sequences || (k == 0 && d != 0) || d < last {
            return Err(format!("document {k} begins at sequence {d} of {sequences}, after one at {last}"));
        }
        if k > 0 {
            ends.push(edges[d as usize]);
        }
        last = d;
    }
    if last != sequences {
        return Err(format!("its documents end at sequence {last} of {sequences}"));
    }
    Ok(MegatronIndex { element, tokens, ends })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(lengths: &[i32], documents: &[u64], code: u8) -> Vec<u8> {
        let mut b = MAGIC.to_vec();
        b.extend(1u64.to_le_bytes());
        b.push(code);
        b.extend((lengths.len() as u64).to_le_bytes());
        b.extend((documents.len() as u64).to_le_bytes());
        b.extend(lengths.iter().flat_map(|n| n.to_le_bytes()));
        let mut at = 0i64;
        for n in lengths {
            b.extend(at.to_le_bytes());
            at += i64::from(*n) * 2;
        }
        b.extend(documents.iter().flat_map(|n| n.to_le_bytes()));
        b
    }

    #[test]
    fn documents_of_sequences() {
        let parsed = parse(&index(&[3, 4, 5], &[0, 2, 3], 8), 24).unwrap();
        assert_eq!(parsed, MegatronIndex { element: Element::U16, tokens: 12, ends: vec![7, 12] });
        assert!(parse(&index(&[], &[0], 8), 0).unwrap().ends.is_empty());
    }

    #[test]
    fn every_damage_has_its_message() {
        let good = index(&[3, 4, 5], &[0, 2, 3], 8);
        let with = |at: usize, value: u8| {
            let mut b = good.clone();
            b[at] = value;
            parse(&b, 24).unwrap_err()
        };
        for (e, why) in [
            (with(0, 0), "no Megatron index"),
            (with(9, 2), "version 2"),
            (with(17, 6), "dtype code 6"),
            (with(18, 4), "for 4 sequences"),
            (with(25, 255), "for 18374686479671623683 sequences"),
            (with(34, 4), "sequence 1 begins at byte 6 of the data, where 8 is due"),
            (with(37, 255), "sequence 0 has -16777213 tokens"),
            (with(70, 1), "document 0 begins at sequence 1 of 3, after one at 0"),
            (with(78, 9), "document 1 begins at sequence 9 of 3"),
            (with(86, 2), "its documents end at sequence 2 of 3"),
            (parse(&good, 22).unwrap_err(), "12 tokens of u16 where the .bin file has 22 bytes"),
            (parse(&good[..20], 24).unwrap_err(), "less than a header"),
        ] {
            assert!(e.contains(why), "{e}");
        }
        for n in 0..good.len() {
            assert!(parse(&good[..n], 24).is_err());
        }
    }
}
