//! `rng_bit_generator`: the bits that XLA gives, from ops on integers. `jax.random` itself prints its generator as functions of such ops.

use super::state::{Import, ImportRule};
use crate::lexer::Token;
use crate::module::TextOp;
use crate::types::Narrow;
use meshloom_ir::{DType, Op as Ir, ValueId};

type Made = Result<Vec<ValueId>, String>;

pub const RULES: &[(&str, ImportRule)] = &[("stablehlo.rng_bit_generator", generate)];

const ROTATIONS: [u32; 8] = [13, 15, 26, 6, 17, 29, 16, 24];

fn generate(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let [state] = i.exactly(op)?;
    let types = op.result_types()?;
    let [_, out] = &types[..] else { return Err("the results are a state and the bits".to_string()) };
    let element = crate::types::element(
        op.types
            .iter()
            .flat_map(|t| t.group(b'(').unwrap_or_default())
            .filter_map(|t| t.leaf(Token::Tensor))
            .next_back()
            .unwrap_or_default(),
    );
    // Of fewer bits they are the lowest of 32.
    let (words, few) = match element {
        "ui32" | "i32" => (1, None),
        "ui64" | "i64" => (2, None),
        "ui8" => (1, Some(Narrow { bits: 8, signed: false })),
        "ui16" => (1, Some(Narrow { bits: 16, signed: false })),
        other => {
            let whole = "ui8, ui16, ui32, i32, ui64 and i64";
            return Err(format!("random bits as `{other}` are not supported; as {whole} they are"));
        }
    };
    if op.elements()[0] != "ui64" {
        return Err("the state must be of ui64".to_string());
    }
    let n = i.b.shape(state).iter().product::<u64>();
    let algorithm = op.items.iter().any(|t| t.is_word("THREE_FRY"));
    let algorithm = algorithm
        || op
            .attr("rng_algorithm")
            .is_some_and(|t| t.iter().any(|t| t.group(b'<').is_some_and(|g| g.iter().any(|t| t.is_word("THREE_FRY")))));
    let part = |i: &mut Import<'_>, k: u64| -> Result<ValueId, String> {
        let one = i.range(state, 0, k, k + 1)?;
        i.reshaped(one, &[])
    };
    let (bits, state) = match (algorithm, n) {
        (true, 2) => {
            let (key, counter) = (part(i, 0)?, part(i, 1)?);
            let (bits, used) = if words == 1 {
                threefry_words(i, key, counter, &out.shape)?
            } else {
                threefry_longs(i, key, counter, &out.shape)?
            };
            let used = i.b.constant(DType::I64, &[], used as f64);
            let counter = i.elem("add", &[counter, used])?;
            (bits, vec![key, counter])
        }
        (false, 2 | 3) => {
            let (key, low) = (part(i, 0)?, part(i, 1)?);
            // Of two numbers, the key is the higher half of the counter too.
            let high = if n == 3 { part(i, 2)? } else { key };
            philox(i, key, [low, high], &out.shape, words).map(|(bits, next)| {
                let mut state = vec![key, next[0]];
                if n == 3 {
                    state.push(next[1]);
                }
                (bits, state)
            })?
        }
        _ => return Err(format!("a state of {n} numbers; there are 2 for THREE_FRY, and 2 or 3 for PHILOX")),
    };
    let bits = match few {
        Some(few) => i.wrap(bits, few)?,
        None => bits,
    };
    let bits = i.convert(bits, out.dtype)?;
    let parts: Vec<ValueId> = state.into_iter().map(|v| i.reshaped(v, &[1])).collect::<Result<_, _>>()?;
    let state = i.emit(Ir::Concatenate { dim: 0 }, &parts)?;
    Ok(vec![state, bits])
}

impl Import<'_> {
    /// The low and the high word of each `ui64`.
    fn words(&mut self, x: ValueId) -> Result<[ValueId; 2], String> {
        let low = self.convert(x, DType::I32)?;
        let by = self.b.constant_like(x, 32.0);
        let high = self.elem("shift_right_logical", &[x, by])?;
        Ok([low, self.convert(high, DType::I32)?])
    }

    fn long(&mut self, [low, high]: [ValueId; 2]) -> Result<ValueId, String> {
        let (low, high) = (self.convert(low, DType::I64)?, self.convert(high, DType::I64)?);
        let (mask, by) = (self.b.constant_like(low, f64::from(u32::MAX)), self.b.constant_like(high, 32.0));
        let low = self.elem("and", &[low, mask])?;
        let high = self.elem("shift_left", &[high, by])?;
        self.elem("or", &[low, high])
    }

    /// `start`, `start` + 1 .. of row-major places in `shape`.
    fn counters(&mut self, start: ValueId, shape: &[u64]) -> Result<ValueId, String> {
        let mut sum = self.broadcast(start, shape, &[])?;
        for d in 0..shape.len() {
            let places = Ir::Iota { dtype: DType::I64, shape: shape.to_vec(), dim: d, shard: Vec::new() };
            let places = self.emit(places, &[])?;
            let stride = self.b.constant_like(places, shape[d + 1..].iter().product::<u64>() as f64);
            let places = self.elem("multiply", &[places, stride])?;
            sum = self.elem("add", &[sum, places])?;
        }
        Ok(sum)
    }

    /// Threefry-2x32 with 20 rounds, of two words each of key and counter.
    fn threefry(&mut self, key: [ValueId; 2], counter: [ValueId; 2]) -> Result<[ValueId; 2], String> {
        let shape = self.b.shape(counter[0]);
        let parity = self.b.constant_like(key[0], f64::from(0x1BD1_1BDAu32));
        let both = self.elem("xor", &[key[0], key[1]])?;
        let keys = [key[0], key[1], self.elem("xor", &[both, parity])?];
        let keys: Vec<ValueId> = keys.into_iter().map(|k| self.broadcast(k, &shape, &[])).collect::<Result<_, _>>()?;
        let mut x = self.elem("add", &[counter[0], keys[0]])?;
        let mut y = self.elem("add", &[counter[1], keys[1]])?;
        for round in 0..20usize {
            x = self.elem("add", &[x, y])?;
            let by = ROTATIONS[round % 8];
            let (up, down) = (self.b.constant_like(y, by.into()), self.b.constant_like(y, (32 - by).into()));
            let (high, low) = (self.elem("shift_left", &[y, up])?, self.elem("shift_right_logical", &[y, down])?);
            let rotated = self.elem("or", &[high, low])?;
            y = self.elem("xor", &[rotated, x])?;
            if round % 4 == 3 {
                let k = round / 4;
                x = self.elem("add", &[x, keys[(k + 1) % 3]])?;
                y = self.elem("add", &[y, keys[(k + 2) % 3]])?;
                let number = self.b.constant_like(y, (k + 1) as f64);
                y = self.elem("add", &[y, number])?;
            }
        }
        Ok([x, y])
    }
}

/// Counters of one half of the result give both halves. It is split along its first even dim; where there is none, along the
/// first of its largest, of which the last entry is then one too many.
fn threefry_words(i: &mut Import<'_>, key: ValueId, counter: ValueId, shape: &[u64]) -> Result<(ValueId, u64), String> {
    let whole = if shape.is_empty() { vec![1] } else { shape.to_vec() };
    let largest = whole.iter().max().copied();
    let even = (0..whole.len()).find(|&d| whole[d].is_multiple_of(2));
    let split = even.or_else(|| (0..whole.len()).find(|&d| Some(whole[d]) == largest)).unwrap_or(0);
    let mut half = whole.clone();
    half[split] = whole[split].div_ceil(2);
    let counters = i.counters(counter, &half)?;
    let (key, counters) = (i.words(key)?, i.words(counters)?);
    let [x, y] = i.threefry(key, counters)?;
    // The halves are neighbours: a new dim of two behind the dim that is split.
    let mut pair = half.clone();
    pair.insert(split + 1, 1);
    let (x, y) = (i.reshaped(x, &pair)?, i.reshaped(y, &pair)?);
    let both = i.emit(Ir::Concatenate { dim: split + 1 }, &[x, y])?;
    let mut both_shape = half.clone();
    both_shape[split] *= 2;
    let both = i.reshaped(both, &both_shape)?;
    let both = i.range(both, split, 0, whole[split])?;
    Ok((i.reshaped(both, shape)?, half.iter().product()))
}

fn threefry_longs(i: &mut Import<'_>, key: ValueId, counter: ValueId, shape: &[u64]) -> Result<(ValueId, u64), String> {
    let counters = i.counters(counter, shape)?;
    let (key, counters) = (i.words(key)?, i.words(counters)?);
    let words = i.threefry(key, counters)?;
    Ok((i.long(words)?, shape.iter().product()))
}

/// Philox-4x32 with 10 rounds: four words for each counter of 128 bits, which come one after the other.
fn philox(
    i: &mut Import<'_>,
    key: ValueId,
    counter: [ValueId; 2],
    shape: &[u64],
    words: u64,
) -> Result<(ValueId, [ValueId; 2]), String> {
    let n = shape.iter().product::<u64>();
    let count = (n * words).div_ceil(4);
    let low = i.counters(counter[0], &[count])?;
    let start = i.broadcast(counter[0], &[count], &[])?;
    let high = i.broadcast(counter[1], &[count], &[])?;
    let high = carry(i, low, start, high)?;
    let used = i.b.constant(DType::I64, &[], count as f64);
    let next = i.elem("add", &[counter[0], used])?;
    let next_high = carry(i, next, counter[0], counter[1])?;
    let ([a, b], [c, d]) = (i.words(low)?, i.words(high)?);
    let mut state = [a, b, c, d];
    let mut key = i.words(key)?;
    for round in 0..10 {
        if round > 0 {
            for (k, step) in key.iter_mut().zip([0x9E37_79B9u32, 0xBB67_AE85]) {
                let step = i.b.constant_like(*k, f64::from(step as i32));
                *k = i.elem("add", &[*k, step])?;
            }
        }
        let [low0, high0] = product(i, state[0], 0xD251_1F53)?;
        let [low1, high1] = product(i, state[2], 0xCD9E_8D57)?;
        let keys = [i.broadcast(key[0], &[count], &[])?, i.broadcast(key[1], &[count], &[])?];
        let x = i.elem("xor", &[high1, state[1]])?;
        let y = i.elem("xor", &[high0, state[3]])?;
        state = [i.elem("xor", &[x, keys[0]])?, low1, i.elem("xor", &[y, keys[1]])?, low0];
    }
    let all =
        if words == 1 { state.to_vec() } else { vec![i.long([state[0], state[1]])?, i.long([state[2], state[3]])?] };
    let each = all.len() as u64;
    let columns: Vec<ValueId> = all.into_iter().map(|v| i.reshaped(v, &[count, 1])).collect::<Result<_, _>>()?;
    let both = i.emit(Ir::Concatenate { dim: 1 }, &columns)?;
    let both = i.reshaped(both, &[count * each])?;
    let both = i.range(both, 0, 0, n)?;
    Ok((i.reshaped(both, shape)?, [next, next_high]))
}

/// `high`, one more where a sum is less than what was added to.
fn carry(i: &mut Import<'_>, sum: ValueId, before: ValueId, high: ValueId) -> Result<ValueId, String> {
    let over = i.unsigned("compare_lt", &[sum, before])?;
    let more = i.convert(over, DType::I64)?;
    i.elem("add", &[high, more])
}

/// The words of x times a constant.
fn product(i: &mut Import<'_>, x: ValueId, by: u32) -> Result<[ValueId; 2], String> {
    let x = i.convert(x, DType::I64)?;
    let (mask, by) = (i.b.constant_like(x, f64::from(u32::MAX)), i.b.constant_like(x, f64::from(by)));
    let x = i.elem("and", &[x, mask])?;
    let all = i.elem("multiply", &[x, by])?;
    i.words(all)
}
