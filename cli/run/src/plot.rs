//! `--plot`: the losses of a run, drawn in the terminal when it ends.

use meshloom_runtime::StepReport;
use textplots::{Chart, LabelBuilder, LabelFormat, Plot, Shape};

/// Points of a chart, two of which are one column of text, four one line.
const WIDTH: u32 = 120;
const HEIGHT: u32 = 48;

/// What a run has reported.
#[derive(Default)]
pub struct Losses {
    train: Vec<(f32, f32)>,
    held_out: Vec<(f32, f32)>,
}

impl Losses {
    pub fn add(&mut self, r: &StepReport) {
        let at = r.step as f32;
        self.train.extend(r.loss.filter(|x| x.is_finite()).map(|x| (at, x as f32)));
        self.held_out.extend(r.eval_loss.filter(|x| x.is_finite()).map(|x| (at, x as f32)));
    }

    /// The chart, or why there is none. Steps that share a point are drawn as their mean.
    pub fn draw(&self) -> String {
        let [first, .., last] = self.train[..] else { return "fewer than two steps have a loss\n".into() };
        let points = means(&self.train);
        let mut chart = Chart::new(WIDTH, HEIGHT, first.0, last.0);
        let (train, held_out) = (Shape::Lines(&points), Shape::Points(&self.held_out));
        let label = |decimals: usize| LabelFormat::Custom(Box::new(move |x: f32| format!("{x:.decimals$}")));
        let chart = chart.x_label_format(label(0)).y_label_format(label(4)).lineplot(&train);
        let chart = if self.held_out.is_empty() { chart } else { chart.lineplot(&held_out) };
        chart.axis();
        chart.figures();
        let what = if self.held_out.is_empty() { "loss by step" } else { "loss by step; points: on held-out data" };
        format!("{what}\n{chart}")
    }
}

/// At most as many points as a chart has columns.
fn means(all: &[(f32, f32)]) -> Vec<(f32, f32)> {
    let each = all.len().div_ceil(WIDTH as usize).max(1);
    let mean = |c: &[(f32, f32)], of: fn(&(f32, f32)) -> f32| c.iter().map(of).sum::<f32>() / c.len() as f32;
    all.chunks(each).map(|c| (mean(c, |p| p.0), mean(c, |p| p.1))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_falling_loss_falls() {
        let mut losses = Losses::default();
        assert!(losses.draw().starts_with("fewer than two"));
        losses.train = (1..=1000).map(|i| (i as f32, 4.0 / i as f32)).collect();
        assert!(means(&losses.train).len() <= WIDTH as usize);
        let chart = losses.draw();
        assert!(chart.starts_with("loss by step\n"), "{chart}");
        let lines: Vec<&str> = chart.lines().collect();
        // Braille: the first column is high, the last low.
        let column = |at: fn(&str) -> Option<char>| {
            lines.iter().position(|l| at(l).is_some_and(|c| ('\u{2801}'..='\u{28ff}').contains(&c)))
        };
        assert!(column(|l| l.chars().nth(1)) < column(|l| l.chars().nth(58)), "{chart}");
        // A loss that stays as it is has no range.
        losses.train.iter_mut().for_each(|p| p.1 = 2.5);
        losses.held_out = vec![(500.0, 2.5)];
        assert!(losses.draw().contains("2.5000"), "{}", losses.draw());
    }
}
