//! A target's file: its keys, and what is wrong with them.
//!
//! Not here: what the figures mean for time and memory.

use super::{Achievable, Arch, Host, Level, Target};
use crate::cost::gemm::{TileShape, Tiles};
use crate::cost::quantity::Unit;
use meshloom_ir::DType;
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    arch: Option<String>,
    memory: String,
    reserved: Option<String>,
    bandwidth: String,
    launch: String,
    call: Option<String>,
    overlap: bool,
    grouped: bool,
    workers: Option<u64>,
    flops: BTreeMap<String, String>,
    achievable: FileAchievable,
    tiles: Option<FileTiles>,
    price: Option<String>,
    host: Option<FileHost>,
    level: Vec<FileLevel>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileAchievable {
    contraction: f64,
    contraction8: Option<f64>,
    batched: Option<f64>,
    attention: Option<FileAttention>,
    bandwidth: f64,
    fused: f64,
    update: Option<f64>,
}

/// One rate for all heads, or rates by the width of a head (a key of TOML is a text).
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(untagged, expecting = "a number, or numbers by the width of a head: { 64 = 0.2, 128 = 0.3 }")]
pub(super) enum FileAttention {
    All(f64),
    ByWidth(BTreeMap<String, f64>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileLevel {
    name: String,
    devices: Option<u64>,
    bandwidth: String,
    latency: String,
    achievable: f64,
    reduces: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileHost {
    memory: String,
    bandwidth: String,
    achievable: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileTiles {
    processors: u64,
    fill: u64,
    shapes: Vec<FileTile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileTile {
    rows: u64,
    columns: u64,
    rate: f64,
}

impl File {
    /// Nothing is guessed: a file for a GPU that says no architecture would be compiled for CPUs.
    fn arch(&self) -> Result<Arch, String> {
        let Some(name) = &self.arch else {
            return Err(format!("arch: missing; write `arch = ..` with {}", Arch::choices()));
        };
        Arch::by_name(name).ok_or_else(|| format!("arch: there is no \"{name}\"; there are {}", Arch::choices()))
    }

    pub fn target(self, name: &str) -> Result<Target, String> {
        let (mut flops, mut tf32) = (BTreeMap::new(), None);
        for (key, text) in &self.flops {
            if key == "tf32" {
                tf32 = Some(positive("flops.tf32", Unit::FlopsPerSecond, text)?);
                continue;
            }
            let dtype = DType::from_name(key).filter(|d| d.is_float() || *d == DType::I8);
            let dtype = dtype.ok_or_else(|| format!("flops.{key}: is neither a floating point type nor `i8`"))?;
            flops.insert(dtype, positive(&format!("flops.{key}"), Unit::FlopsPerSecond, text)?);
        }
        if !flops.contains_key(&DType::F32) {
            return Err("flops.f32: missing; types that are not named run at its rate".into());
        }
        if self.workers == Some(0) {
            return Err("workers: must be more than zero".into());
        }
        let time = |key: &str, text: &str| Unit::Time.parse(text).map_err(|e| format!("{key}: {e}"));
        let reserved = self.reserved.as_ref().map(|r| Unit::Bytes.parse(r).map_err(|e| format!("reserved: {e}")));
        let a = &self.achievable;
        Ok(Target {
            name: name.into(),
            arch: self.arch()?,
            memory: positive("memory", Unit::Bytes, &self.memory)?,
            reserved: reserved.transpose()?.unwrap_or(0),
            bandwidth: positive("bandwidth", Unit::BytesPerSecond, &self.bandwidth)?,
            launch: time("launch", &self.launch)?,
            call: time("call", self.call.as_deref().unwrap_or("0 us"))?,
            overlap: self.overlap,
            profile: None,
            grouped: self.grouped,
            workers: self.workers,
            flops,
            tf32,
            rounds_f32: false,
            strict_float: false,
            achievable: Achievable {
                contraction: fraction("achievable.contraction", a.contraction)?,
                contraction8: a.contraction8.map(|x| fraction("achievable.contraction8", x)).transpose()?,
                batched: a.batched.map(|x| fraction("achievable.batched", x)).transpose()?,
                attention: match &a.attention {
                    Some(rates) => attention("achievable.attention", rates)?,
                    None => BTreeMap::from([(0, fraction("achievable.contraction", a.contraction)?)]),
                },
                bandwidth: fraction("achievable.bandwidth", a.bandwidth)?,
                fused: fraction("achievable.fused", a.fused)?,
                update: fraction("achievable.update", a.update.unwrap_or(a.fused))?,
            },
            tiles: self.tiles.as_ref().map(tiles).transpose()?,
            host: self.host.as_ref().map(host).transpose()?,
            levels: levels(&self.level)?,
            price: self.price.as_ref().map(|p| positive("price", Unit::Price, p)).transpose()?,
        })
    }
}

/// Rates by the width of a head.
pub(super) fn attention(key: &str, file: &FileAttention) -> Result<BTreeMap<u64, u64>, String> {
    match file {
        FileAttention::All(x) => Ok(BTreeMap::from([(0, fraction(key, *x)?)])),
        FileAttention::ByWidth(rates) if rates.is_empty() => Err(format!("{key}: at least one width is needed")),
        FileAttention::ByWidth(rates) => {
            let rate = |(width, x): (&String, &f64)| {
                let n =
                    width.parse().map_err(|_| format!("{key}: `{width}` is not the width of a head, such as 64"))?;
                Ok((n, fraction(&format!("{key}.{width}"), *x)?))
            };
            rates.iter().map(rate).collect()
        }
    }
}

fn host(file: &FileHost) -> Result<Host, String> {
    Ok(Host {
        memory: positive("host.memory", Unit::Bytes, &file.memory)?,
        bandwidth: positive("host.bandwidth", Unit::BytesPerSecond, &file.bandwidth)?,
        achievable: fraction("host.achievable", file.achievable)?,
    })
}

fn tiles(file: &FileTiles) -> Result<Tiles, String> {
    let mut shapes = Vec::new();
    for t in &file.shapes {
        if t.rows == 0 || t.columns == 0 {
            return Err("tiles.shapes: a tile has at least one row and one column".into());
        }
        shapes.push(TileShape { rows: t.rows, columns: t.columns, rate: fraction("tiles.shapes.rate", t.rate)? });
    }
    if file.processors == 0 || shapes.is_empty() {
        return Err("tiles: at least one processor and one shape are needed".into());
    }
    // Beyond these no product of sizes fits.
    if file.processors.max(file.fill) > 1 << 20 || shapes.iter().any(|t| t.rows.max(t.columns) > 1 << 20) {
        return Err("tiles: sizes are at most 1048576".into());
    }
    Ok(Tiles { processors: file.processors, fill: file.fill, shapes })
}

fn levels(file: &[FileLevel]) -> Result<Vec<Level>, String> {
    let mut out: Vec<Level> = Vec::new();
    for (i, l) in file.iter().enumerate() {
        let key = |k: &str| format!("level `{}`: {k}", l.name);
        match (l.devices, i + 1 == file.len()) {
            (Some(_), true) => return Err(key("the last level has no `devices`, it spans them all")),
            (None, false) => return Err(key("`devices` is missing; only the last level spans them all")),
            (Some(n), false) => {
                let inner = out.last().and_then(|l| l.devices).unwrap_or(1);
                if n <= inner || !n.is_multiple_of(inner) {
                    return Err(key(&format!("{n} devices are no multiple of the {inner} of the level inside it")));
                }
            }
            (None, true) => {}
        }
        out.push(Level {
            name: l.name.clone(),
            devices: l.devices,
            bandwidth: positive(&key("bandwidth"), Unit::BytesPerSecond, &l.bandwidth)?,
            latency: Unit::Time.parse(&l.latency).map_err(|e| format!("{}: {e}", key("latency")))?,
            achievable: fraction(&key("achievable"), l.achievable)?,
            reduces: match l.reduces.unwrap_or(1.0) {
                x if (1.0..=100.0).contains(&x) => (x * 1000.0).round() as u64,
                x => return Err(key(&format!("`reduces` is {x}, and not a number from 1 to 100"))),
            },
        });
    }
    if out.is_empty() { Err("level: at least one is needed".into()) } else { Ok(out) }
}

fn positive(key: &str, unit: Unit, text: &str) -> Result<u64, String> {
    match unit.parse(text) {
        Ok(0) => Err(format!("{key}: must be more than zero")),
        other => other.map_err(|e| format!("{key}: {e}")),
    }
}

/// A fraction as per mille, of which it has at least one.
pub(super) fn fraction(key: &str, x: f64) -> Result<u64, String> {
    if (0.001..=1.0).contains(&x) {
        Ok((x * 1000.0).round() as u64)
    } else {
        Err(format!("{key}: {x} is not a fraction between 0.001 and 1"))
    }
}

#[cfg(test)]
mod tests {
    use super::super::BUILTIN;
    use super::*;

    #[test]
    fn errors_name_the_key() {
        let cpu = BUILTIN[0].1;
        let with = |from: &str, to: &str| {
            assert!(cpu.contains(from), "{from}");
            Target::parse("mine", &cpu.replacen(from, to, 1)).unwrap_err().to_string()
        };
        for (from, to, part) in [
            (
                "arch = \"x86-64\"\n",
                "",
                "arch: missing; write `arch = ..` with \"x86-64\" for CPUs, \"sm_80\", \"sm_90a\" or",
            ),
            (
                "x86-64",
                "sm_90",
                "arch: there is no \"sm_90\"; there are \"x86-64\" for CPUs, \"sm_80\", \"sm_90a\" or \"sm_100a\"",
            ),
            ("memory =", "memori =", "unknown field `memori`"),
            ("memory = \"16 GiB\"", "", "missing field `memory`"),
            ("\"16 GiB\"", "\"16 GB/s\"", "memory: \"16 GB/s\" is not bytes, such as"),
            ("\"16 GiB\"", "\"0 GiB\"", "memory: must be more than zero"),
            ("\"5 us\"", "\"5 GB\"", "level `threads`: latency: \"5 GB\" is not a time"),
            ("overlap = false", "overlap = 3", "invalid type"),
            ("contraction = 1.0", "contraction = 1.5", "achievable.contraction: 1.5 is not a fraction"),
            (
                "bandwidth = 1.0",
                "attention = {}\nbandwidth = 1.0",
                "achievable.attention: at least one width is needed",
            ),
            (
                "bandwidth = 1.0",
                "attention = { 64 = 2 }\nbandwidth = 1.0",
                "achievable.attention.64: 2 is not a fraction",
            ),
            ("bandwidth = 1.0", "attention = { wide = 0.5 }\nbandwidth = 1.0", "`wide` is not the width of a head"),
            ("bandwidth = 1.0", "attention = true\nbandwidth = 1.0", "a number, or numbers by the width of a head"),
            ("bandwidth = 1.0", "update = 1.5\nbandwidth = 1.0", "achievable.update: 1.5 is not a fraction"),
            ("achievable = 0.5", "achievable = 1.5", "host.achievable: 1.5 is not a fraction"),
            ("f32 =", "f31 =", "flops.f31: is neither a floating point type nor `i8`"),
            ("f32 =", "f16 =", "flops.f32: missing"),
            ("name = \"threads\"", "name = \"threads\"\ndevices = 8", "the last level has no `devices`"),
            ("[[level]]", "[level", "TOML parse error"),
            ("memory =", "price = \"2.5 EUR/h\"\nmemory =", "price: \"2.5 EUR/h\" is not a price, such as"),
        ] {
            let e = with(from, to);
            assert!(e.starts_with("target mine: ") && e.contains(part), "{e}");
        }
        let twice = format!("{cpu}{}", &cpu[cpu.find("[[level]]").unwrap()..]);
        assert!(Target::parse("mine", &twice).unwrap_err().message.contains("`devices` is missing"));
    }
}
