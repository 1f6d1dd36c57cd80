//! Groups of devices, as collectives list them, and what a device takes of those that are not made by axes.
//!
//! Groups whose members run through places along axes, in the order of those, are these axes, and the IR's collectives are over
//! axes. Other groups are in another order, have different sizes, leave devices out, or lie across axes. There, what all devices
//! along the axes in which members of a group differ have is gathered, and each device takes its group's entries of it: by a table
//! with a row for each place. More is moved than the group has, which is accepted: the groups of most programs are over axes.

use crate::import::state::Import;
use crate::import::written::groups;
use crate::module::TextOp;
use crate::read;
use crate::tree::Tree;
use meshloom_ir::types::{Literal, Scalar};
use meshloom_ir::{Axis, DType, Op as Ir, ValueId};
use std::collections::BTreeMap;

pub(super) enum Groups {
    /// Along axes, major first: groups of one device have none.
    Along(Vec<Axis>),
    Listed(Listed),
}

/// Groups that no axes make.
pub(super) struct Listed {
    /// The axes in which members of a group differ, major first.
    pub axes: Vec<Axis>,
    /// For each device of the module's mesh the members of its group, as their numbers along `axes`: none, where it has no group.
    pub members: Vec<Vec<u64>>,
    /// For each device its place in its group.
    own: Vec<Option<u64>>,
}

impl Listed {
    /// Members of a group, where all devices are in groups of one size.
    ///
    /// # Errors
    /// Groups of different sizes, and devices without a group.
    pub fn size(&self) -> Result<u64, String> {
        match self.most() {
            most if self.members.iter().all(|m| m.len() == most) => Ok(most as u64),
            _ => Err("its groups of devices have different sizes, or leave devices out".to_string()),
        }
    }

    fn most(&self) -> usize {
        self.members.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// Members, as many for each device as the largest group has: the first device stands for those that are missing.
    fn padded(&self) -> Vec<Vec<u64>> {
        let filled = |m: &Vec<u64>| m.iter().copied().chain(std::iter::repeat(0)).take(self.most()).collect();
        self.members.iter().map(filled).collect()
    }

    /// Whether a group has all devices along the axes: then it has but another order.
    pub fn is_whole(&self, i: &Import<'_>) -> bool {
        self.members.iter().all(|m| m.len() as u64 == i.mesh().group_size(&self.axes))
    }

    pub fn covers(&self) -> bool {
        self.own.iter().all(Option::is_some)
    }

    /// For each device the places in its group of the devices along the axes, in the order of those.
    pub fn places(&self) -> Vec<Vec<u64>> {
        let place = |m: &Vec<u64>, n: u64| m.iter().position(|&k| k == n).map_or(0, |p| p as u64);
        self.members.iter().map(|m| (0..m.len() as u64).map(|n| place(m, n)).collect()).collect()
    }
}

/// Whether a word stands among the attributes, and is not said to be false.
pub(super) fn flag(op: &TextOp<'_>, word: &str) -> bool {
    fn has(trees: &[Tree<'_>], word: &str) -> bool {
        trees.iter().any(|t| match t {
            Tree::Group(g) if matches!(g.open, b'<' | b'{') => has(&g.trees, word),
            t => t.is_word(word),
        })
    }
    has(op.items, word) && !op.attr(word).is_some_and(|t| t.first().is_some_and(|t| t.is_word("false")))
}

impl Import<'_> {
    /// The groups of devices of a collective; `ordered` where the order of a group's members matters to it.
    pub(super) fn groups_of(&self, op: &TextOp<'_>, ordered: bool) -> Result<Groups, String> {
        let text = op.attr("replica_groups").ok_or("`replica_groups` is missing")?;
        let all = groups(text)
            .ok_or("`replica_groups` is no matrix of device numbers\nlower the step with JAX 0.4 to 0.11")?;
        let channel = op.attr("channel_handle").or_else(|| op.attr("channel_id")).map(read::ints);
        let crossing = channel.is_some_and(|c| c.first().is_some_and(|&c| c > 0));
        if self.manual.is_empty() {
            return Err(format!(
                "`{}` stands outside of a manual region\ncollectives are written in `shard_map`; of `pmap`, which is a program for each replica, JAX 0.8 and later make one",
                op.name
            ));
        }
        let alone = all.iter().all(|g| g.len() < 2);
        // Without the flag the groups are of replicas, of which there is one, each with all of its devices. The groups of these ops
        // are always of devices.
        let name = op.name.rsplit('.').next().unwrap_or_default();
        let of_devices = matches!(name, "all_to_all" | "collective_broadcast" | "collective_reduce");
        if alone && crossing && !flag(op, "use_global_device_ids") && !of_devices {
            return Ok(Groups::Along(self.manual.clone()));
        }
        let no = "its groups name a device that there is none of";
        let mut all: Vec<Vec<u64>> = all.iter().map(|g| self.meshes.positions(g)).collect::<Option<_>>().ok_or(no)?;
        let count = self.meshes.devices.count();
        let mut seen: Vec<u64> = all.concat();
        seen.sort_unstable();
        if seen.last().is_some_and(|&d| d >= count) {
            return Err(no.to_string());
        }
        if seen.windows(2).any(|w| w[0] == w[1]) {
            return Err("a device is in two of its groups".to_string());
        }
        let covered = seen.len() as u64 == count;
        if alone && (covered || !crossing) {
            return Ok(Groups::Along(Vec::new()));
        }
        if !ordered {
            all.iter_mut().for_each(|g| g.sort_unstable());
        }
        let groups = match self.along(&all).filter(|_| covered) {
            Some(axes) => Groups::Along(axes),
            None => Groups::Listed(self.listed(&all)?),
        };
        let (Groups::Along(axes) | Groups::Listed(Listed { axes, .. })) = &groups;
        if let Some(&a) = axes.iter().find(|a| !self.manual.contains(a)) {
            let name = self.mesh().name(a);
            return Err(format!(
                "`{}` is over the axis `{name}`, which is not manual here\nname it in `axis_names` of the `shard_map`",
                op.name
            ));
        }
        Ok(groups)
    }

    /// The axes, major first, that all groups run through.
    fn along(&self, all: &[Vec<u64>]) -> Option<Vec<Axis>> {
        let digits = self.meshes.digits(all.first()?)?;
        let same = all.iter().all(|g| self.meshes.digits(g).as_ref() == Some(&digits));
        self.meshes.devices.axes(&digits).filter(|_| same)
    }

    fn listed(&self, all: &[Vec<u64>]) -> Result<Listed, String> {
        let count = self.meshes.devices.count();
        let coords: Vec<Vec<u64>> = (0..count).filter_map(|d| self.meshes.devices.coords(d)).collect();
        let differ =
            |a: &Axis, g: &[u64]| g.iter().any(|&d| coords[d as usize][a.index()] != coords[g[0] as usize][a.index()]);
        let axes: Vec<Axis> = self.mesh().all_axes().filter(|a| all.iter().any(|g| differ(a, g))).collect();
        let number = |d: u64| axes.iter().fold(0, |n, a| n * self.mesh().size(*a) + coords[d as usize][a.index()]);
        let (mut members, mut own) = (vec![Vec::new(); count as usize], vec![None; count as usize]);
        for g in all {
            let numbers: Vec<u64> = g.iter().map(|&d| number(d)).collect();
            for (k, &d) in g.iter().enumerate() {
                (members[d as usize], own[d as usize]) = (numbers.clone(), Some(k as u64));
            }
        }
        Ok(Listed { axes, members, own })
    }

    /// The axes along which what devices have, each by its number in the module's mesh, differs, major first.
    ///
    /// # Errors
    /// One of them is not manual here.
    pub(super) fn differing<T: PartialEq>(&self, of: &[T]) -> Result<Vec<Axis>, String> {
        let devices = &self.meshes.devices;
        let coords: BTreeMap<Vec<u64>, usize> =
            (0..of.len()).filter_map(|d| Some((devices.coords(d as u64)?, d))).collect();
        let differs = |a: &Axis| {
            coords.iter().any(|(at, &d)| {
                let mut first = at.clone();
                first[a.index()] = 0;
                coords.get(&first).is_some_and(|&f| of[f] != of[d])
            })
        };
        let axes: Vec<Axis> = self.mesh().all_axes().filter(differs).collect();
        match axes.iter().find(|a| !self.manual.contains(a)) {
            None => Ok(axes),
            Some(&a) => Err(format!(
                "it differs along the axis `{}`, which is not manual here\nname it in `axis_names` of the `shard_map`",
                self.mesh().name(a)
            )),
        }
    }

    /// A device's number along axes, major first, as a scalar.
    pub(super) fn number_along(&mut self, axes: &[Axis]) -> Result<ValueId, String> {
        let (mut weight, mut place) = (1, Vec::new());
        for &a in axes.iter().rev() {
            place.push((a, weight));
            weight *= self.mesh().size(a);
        }
        place.reverse();
        self.place(place, DType::I32)
    }

    /// A device's row of numbers: of rows of one length, one for each device of the module's mesh.
    fn of_device(&mut self, rows: &[Vec<i64>]) -> Result<ValueId, String> {
        let axes = self.differing(rows)?;
        let length = rows.first().map_or(0, Vec::len) as u64;
        let mut table: BTreeMap<u64, &Vec<i64>> = BTreeMap::new();
        for (d, row) in rows.iter().enumerate() {
            let at = self.meshes.devices.coords(d as u64).unwrap_or_default();
            table.insert(axes.iter().fold(0, |n, a| n * self.mesh().size(*a) + at[a.index()]), row);
        }
        let all = table.values().flat_map(|r| r.iter().map(|&n| Scalar::Int(n))).collect();
        let shape = if axes.is_empty() { vec![length] } else { vec![table.len() as u64, length] };
        let table = self.emit(Ir::Constant { dtype: DType::I32, shape, value: Literal::Dense(all) }, &[])?;
        if axes.is_empty() {
            return Ok(table);
        }
        let at = self.number_along(&axes)?;
        self.row(table, at)
    }

    /// Entries of the first dim. Those that differ between devices are summed up, so truth values are numbers there.
    pub(super) fn row(&mut self, x: ValueId, at: ValueId) -> Result<ValueId, String> {
        let truth = self.b.ty(x).dtype == DType::Bool;
        let x = if truth { self.convert(x, DType::I32)? } else { x };
        let out = self.emit(Ir::Gather { shard: Vec::new(), total: None }, &[x, at])?;
        if truth { self.convert(out, DType::Bool) } else { Ok(out) }
    }

    /// For each device, by its number in the module's mesh, entries of the first dim: as many for each.
    pub(super) fn taken(&mut self, x: ValueId, numbers: &[Vec<u64>]) -> Result<ValueId, String> {
        let first = numbers.first().cloned().unwrap_or_default();
        if numbers.iter().any(|n| *n != first) {
            let all: Vec<Vec<i64>> = numbers.iter().map(|n| n.iter().map(|&k| k as i64).collect()).collect();
            let at = self.of_device(&all)?;
            return self.row(x, at);
        }
        // Runs of entries one after the other.
        let mut parts = Vec::new();
        let mut from = 0;
        while from < first.len() {
            let end = (from + 1..first.len()).find(|&k| first[k] != first[k - 1] + 1).unwrap_or(first.len());
            parts.push(self.range(x, 0, first[from], first[end - 1] + 1)?);
            from = end;
        }
        match parts[..] {
            [one] => Ok(one),
            _ => self.emit(Ir::Concatenate { dim: 0 }, &parts),
        }
    }

    /// What the members of a device's group have, in their order: a new first dim. Where groups are smaller than the largest, `none`
    /// stands for those that are missing.
    pub(super) fn of_members(&mut self, x: ValueId, groups: &Listed, none: Option<Scalar>) -> Result<ValueId, String> {
        let all = self.gathered(x, &groups.axes)?;
        let most = groups.most();
        let out = self.taken(all, &groups.padded())?;
        let none = none.filter(|_| groups.members.iter().any(|m| m.len() < most));
        let Some(none) = none else { return Ok(out) };
        let there: Vec<Vec<i64>> =
            groups.members.iter().map(|m| (0..most).map(|k| i64::from(k < m.len())).collect()).collect();
        let there = self.of_device(&there)?;
        let zero = self.b.constant_like(there, 0.0);
        let there = self.elem("compare_ne", &[there, zero])?;
        let (shape, dtype) = (self.b.shape(out), self.b.ty(out).dtype);
        let there = self.broadcast(there, &shape, &[0])?;
        let none = self.emit(Ir::Constant { dtype, shape, value: Literal::Splat(none) }, &[])?;
        self.select(there, out, none)
    }

    /// What all devices along axes have, in a new first dim.
    pub(super) fn gathered(&mut self, x: ValueId, axes: &[Axis]) -> Result<ValueId, String> {
        let mut one = vec![1];
        one.extend(self.b.shape(x));
        let x = self.reshaped(x, &one)?;
        if axes.is_empty() {
            return Ok(x);
        }
        self.emit(Ir::AllGather { axes: axes.to_vec(), dim: 0, size: None }, &[x])
    }

    /// A device's place in its group, as a scalar: -1 where it is in none.
    pub(super) fn place_in(&mut self, groups: &Groups) -> Result<ValueId, String> {
        match groups {
            Groups::Along(axes) => self.number_along(axes),
            Groups::Listed(listed) => {
                let own: Vec<Vec<i64>> = listed.own.iter().map(|k| vec![k.map_or(-1, |k| k as i64)]).collect();
                let own = self.of_device(&own)?;
                self.reshaped(own, &[])
            }
        }
    }

    /// The number along the axes of the member of a device's group that stands at `place` in it.
    pub(super) fn member(&mut self, groups: &Listed, place: ValueId) -> Result<ValueId, String> {
        let rows: Vec<Vec<i64>> = groups.padded().iter().map(|m| m.iter().map(|&n| n as i64).collect()).collect();
        let row = self.of_device(&rows)?;
        self.row(row, place)
    }
}
