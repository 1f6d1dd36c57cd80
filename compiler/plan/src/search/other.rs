//! Choices that were made elsewhere, in the numbering of a problem: those of a search of the same program with other options,
//! and those of a program that this one is a part of or has parts of.

use super::cost::Rent;
use super::problem::{self, Problem, SiteSource};
use super::{Choices, Search, Solution, state};
use crate::PlanError;
use crate::effort;
use crate::saturate::program::SearchedProgram;
use crate::search::image::Image;
use meshloom_ir::ValueId;

/// What was decided about another program than the one at hand: the same on another mesh, one that this one is a part of, or one that
/// has parts of this one.
#[derive(Clone, Copy)]
pub struct DecidedElsewhere<'e, 'a> {
    pub solution: &'e Solution,
    /// The program that it is about.
    pub program: &'e SearchedProgram<'a>,
    /// Which of that program's ops and values are those of the program at hand.
    pub image: &'e Image,
}

impl Search<'_, '_> {
    /// What another search decided about the same program, in this one's numbering.
    pub fn translated(&self, problem: &Problem, other: &Solution) -> Choices {
        let tables = &self.saturation.tables;
        let native = |v: ValueId| other.native.get(&v).and_then(|l| tables.layouts.number(l));
        let site = |site: &problem::Site| match site.source {
            SiteSource::Op(o) => {
                let key = other.forms.get(&o).and_then(|a| tables.assignments.number(a))?;
                Some((site.source, key))
            }
            SiteSource::Output(i) => Some((site.source, other.outputs.get(&i).and_then(|l| tables.layouts.number(l))?)),
            SiteSource::Port(_) => {
                let first = site.options.first()?.natives.first()?;
                Some((site.source, native(problem.tensors[first.tensor as usize].value)?))
            }
        };
        problem.sites.iter().map(site).collect()
    }

    /// What was decided about another program, as far as its tensors and ops are found in this one.
    pub fn imagined(&self, problem: &Problem, elsewhere: &DecidedElsewhere<'_, '_>) -> Choices {
        let &DecidedElsewhere { solution: other, program, image } = elsewhere;
        let tables = &self.saturation.tables;
        let tensor = |v: ValueId| image.values[v.index()].map(|w| program.rep(w));
        let native = |t: u32| {
            let w = tensor(problem.tensors[t as usize].value)?;
            other.native.get(&w).and_then(|l| tables.layouts.number(l))
        };
        let brought = |site: &problem::Site| {
            let first = site.options.first()?.natives.first()?;
            other.sources.get(&tensor(problem.tensors[first.tensor as usize].value)?).copied()
        };
        // The part of a stack, or a stack of parts, lies as the stack does, or as it is first converted to.
        let lying = |o: &problem::Choice, level: usize| {
            let of = |n: &problem::Want| {
                let t = &problem.tensors[n.tensor as usize];
                let w = tensor(t.value)?;
                let layout = match level.checked_sub(1) {
                    None => other.native.get(&w)?,
                    Some(i) => &other.conversions.get(&w)?.get(i)?.to,
                };
                Some(tables.layouts.number(layout)? == problem.tables[t.table].layouts[n.layout as usize])
            };
            o.natives.iter().all(|n| of(n) == Some(true))
        };
        let added = |o: &problem::Choice| matches!(o.source, SiteSource::Op(op) if image.ops[op.index()].is_none());
        let site = |site: &problem::Site| {
            let chosen = brought(site);
            if site.options.first().is_some_and(added) {
                let mut levels = (0..=effort::CONVERTED).filter_map(|l| site.options.iter().find(|o| lying(o, l)));
                return levels.next().map(|o| (o.source, o.key));
            }
            let fits = |o: &&problem::Choice| match o.source {
                SiteSource::Op(op) => image.ops[op.index()].is_some_and(|old| {
                    let form = other.forms.get(&old).and_then(|a| tables.assignments.number(a));
                    form == Some(o.key)
                }),
                SiteSource::Port(_) => o.natives.first().and_then(|n| native(n.tensor)) == Some(o.key),
                SiteSource::Output(i) => other.outputs.get(&i).and_then(|l| tables.layouts.number(l)) == Some(o.key),
            };
            let same = |o: &&problem::Choice| match (o.source, chosen) {
                (SiteSource::Op(op), Some(SiteSource::Op(old))) => image.ops[op.index()] == Some(old),
                (SiteSource::Op(_), _) => false,
                _ => true,
            };
            let mut all = site.options.iter().filter(fits);
            let any = all.clone().next();
            all.find(same).or(any).map(|o| (o.source, o.key))
        };
        problem.sites.iter().map(site).collect()
    }

    /// The solution that choices which were made elsewhere are, as they stand.
    ///
    /// # Errors
    /// As [`Search::solve`].
    pub fn standing(&self, problem: &mut Problem, rent: Rent, from: &Choices) -> Result<Solution, PlanError> {
        self.chosen(problem, rent, &Search::numbers(problem, from))
    }

    /// A choice by numbers, as far as its forms are there.
    pub fn numbers(problem: &Problem, forms: &Choices) -> Vec<u32> {
        let at = |(site, c): (&problem::Site, &Option<(SiteSource, u32)>)| {
            let same = c.and_then(|c| site.options.iter().position(|o| (o.source, o.key) == c));
            same.map_or(state::UNSET, |o| o as u32)
        };
        problem.sites.iter().zip(forms).map(at).collect()
    }
}
