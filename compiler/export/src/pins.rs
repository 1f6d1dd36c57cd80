//! The layouts that a stack would run, by parameter: where it lies, how it is read, and what goes in and out of the module that reads it.
//! Whoever has the program plans it again with them.

use crate::describe::{Description, Sharded};
use crate::modules::{Output, Style};
use crate::paths;
use meshloom_report::TensorReport;

/// Axes by dim.
type Dims = Vec<Vec<String>>;

/// One parameter as the stack has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pin {
    pub tensor: String,
    /// Where it lies.
    pub lies: Dims,
    /// How it is read.
    pub read: Dims,
    /// The axis that splits what it is summed with, in the dim that is summed over.
    pub takes: Option<String>,
    /// The axis that splits the result, in the dim that is the parameter's.
    pub gives: Option<String>,
    /// The axis that splits a norm's input, or a row-parallel module's result, by the sequence.
    pub sequence: Option<String>,
}

impl Description<'_> {
    /// All parameters as the stack has them, with their moments like them.
    pub fn pins(&self) -> Vec<Pin> {
        self.parameters.iter().map(|t| self.pin(t)).collect()
    }

    fn pin(&self, t: &TensorReport) -> Pin {
        let first = usize::from(paths::is_stacked(&t.name));
        let mut read: Dims = vec![Vec::new(); t.shape.len()];
        if let Some((dim, axis)) = self.split_dim(t) {
            read[dim].push(axis);
        }
        let mut lies = read.clone();
        if self.data.sharded == Sharded::Parameters && t.shape.len() > first {
            let dim = self.sharded_dim(t).unwrap_or(0) + first;
            if let Some(d) = lies.get_mut(dim) {
                d.extend(self.data.over.iter().cloned());
            }
        }
        let style = self.style(&t.name);
        let (mut takes, mut gives) = (None, None);
        match style {
            Some(Style::Column { axis, output: Output::Split | Output::Loss, .. }) => gives = Some(axis.clone()),
            Some(Style::Row { axis, .. }) => takes = Some(axis.clone()),
            _ => {}
        }
        let sequence = self.sequence.clone().filter(|_| matches!(style, Some(Style::Norm { .. } | Style::Row { .. })));
        Pin { tensor: t.name.clone(), lies, read, takes, gives, sequence }
    }

    /// The style of a parameter's module.
    fn style(&self, tensor: &str) -> Option<&Style> {
        let (path, _) = paths::split(tensor);
        let module = self.modules.iter().find(|m| m.path == path || m.path == paths::pattern(path))?;
        Some(&module.style)
    }

    /// The dim that the module's style splits, and over which axis.
    fn split_dim(&self, t: &TensorReport) -> Option<(usize, String)> {
        let first = usize::from(paths::is_stacked(&t.name));
        let style = self.style(&t.name)?;
        let matrix = t.shape.len() == first + 2;
        let dim = match style {
            Style::Column { inputs_first, .. } if matrix => usize::from(*inputs_first),
            Style::Row { inputs_first, .. } if matrix => usize::from(!*inputs_first),
            Style::Column { .. } => 0,
            Style::Vocabulary { .. } => 0,
            Style::TableColumns { .. } => 1,
            _ => return None,
        };
        Some((first + dim, style.axis()?.to_string()))
    }
}
