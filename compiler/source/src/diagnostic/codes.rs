//! The codes of diagnostics: a permanent number (`E0303`), a name for the code that reports it (`shape-mismatch`), a
//! line for the table of contents, and a page with cause, wrong and right example. A new code is one row here and one
//! page in docs/errors.
//!
//! Numbers are never reused. Hundreds are areas, and a code that nothing reports any more keeps its row.

/// A code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Code {
    /// `E0303`
    pub number: &'static str,
    /// What [`super::Diagnostic::error`] is called with.
    pub name: &'static str,
    pub title: &'static str,
    /// Markdown, as it stands in docs/errors.
    pub page: &'static str,
}

macro_rules! codes {
    ($($number:literal $name:literal $title:literal,)*) => {
        /// All codes, by number.
        pub const ALL: &[Code] = &[$(Code {
            number: $number,
            name: $name,
            title: $title,
            page: include_str!(concat!("../../../../docs/errors/", $number, ".md")),
        },)*];
    };
}

codes! {
    // The text.
    "E0101" "syntax" "the text is not Loom",
    "E0102" "bracket" "a bracket without its partner",
    "E0103" "item" "text that belongs to no item",
    "E0104" "too-deep" "brackets, expressions or calls are nested too deep",
    "E0105" "floor-division" "a comment that looks like a divisor",
    // Names.
    "E0201" "unknown-name" "no variable, dim or constant of this name",
    "E0202" "unknown-function" "no function of this name",
    "E0203" "unknown-type" "no type of this name",
    "E0204" "unknown-field" "no field of this name",
    "E0205" "unknown-dim" "`--dim` names nothing",
    "E0206" "unknown-entry" "`--entry` names nothing",
    "E0207" "duplicate" "a name stands for two things",
    "E0208" "recursion" "a function calls itself, or a struct contains itself",
    "E0209" "unused-value" "a value that goes nowhere",
    "E0210" "pattern" "a pattern of another number of parts",
    "E0211" "arguments" "arguments that do not fit the parameters",
    "E0212" "unused-generic" "a generic dim that no parameter gives",
    "E0213" "requirement" "a requirement that does not hold",
    // Types and shapes.
    "E0301" "type-mismatch" "a value of another type",
    "E0302" "dtype-mismatch" "element types differ",
    "E0303" "shape-mismatch" "shapes do not fit",
    "E0304" "dim-count" "a struct with another number of dims",
    "E0305" "dims" "dims that the tensor does not have",
    "E0306" "einsum" "an einsum that means nothing",
    "E0307" "index" "an index or slice outside of its dim",
    "E0308" "loop-type" "a variable changes its type in a loop",
    "E0309" "not-constant" "a value that must be known while compiling",
    "E0310" "number" "arithmetic without a result",
    "E0311" "division" "whole numbers that do not divide",
    "E0312" "size" "a size below 1",
    "E0313" "literal" "a number that its type cannot hold",
    // Layouts and meshes.
    "E0401" "unknown-axis" "no mesh axis of this name",
    "E0402" "layout-rank" "a layout of another number of dims",
    "E0403" "axis-twice" "an axis twice in one layout",
    "E0404" "layout-rule" "a rule that a layout block cannot have",
    "E0405" "unmatched-rule" "a rule that matches nothing",
    "E0406" "unknown-layout" "`--layout` names nothing",
    "E0407" "layout-file" "a layout file with other items in it",
    "E0408" "mesh" "a mesh that cannot be",
    "E0409" "partial" "a partial value where there can be none",
    "E0410" "layout" "layouts that cannot hold together",
    "E0411" "manual" "a manual region that cannot be",
    "E0412" "outside-manual" "a collective over an axis that is not manual",
    "E0413" "manual-uneven" "a dim that devices cannot share evenly",
    "E0414" "varies" "a result that differs between devices",
    "E0415" "manual-input" "a tensor from outside of a manual region",
    // Programs.
    "E0501" "entry" "a function that cannot be an entry",
    "E0502" "train" "a training program with wrong settings",
    "E0503" "init" "no initial value of this name",
    "E0504" "range" "a range that no data can be in",
    "E0505" "not-differentiable" "no gradient goes through this",
    "E0506" "accumulate" "microbatches that do not add up to the batch",
    "E0507" "while-gradient" "a gradient through a `while`",
    "E0508" "recompute" "recomputation or a budget that means nothing",
    "E0509" "stages" "layers that cannot be pipeline stages",
    "E0510" "schedule" "a schedule that a pipeline cannot have",
    // Plans.
    "E0601" "assert" "an assertion that means nothing",
    "E0602" "assertion" "an assertion that does not hold",
    "E0603" "reshard" "a reshard that moves more than it may",
    "E0604" "locked" "a plan that is not the locked one",
    "E0605" "does-not-fit" "no plan fits the memory of a device",
    "E0606" "target" "a target that cannot run this",
    "E0607" "gathered" "windows along a split dim are gathered",
    // Files.
    "E0701" "import-file" "an imported file that cannot be read",
    "E0702" "import-cycle" "files that import each other",
    "E0703" "import-name" "a name that the imported file does not have",
    // StableHLO.
    "E0801" "mlir-syntax" "the text is not a StableHLO module",
    "E0802" "mlir-entry" "a module without a function to run",
    "E0803" "mlir-unsupported" "an op, a type or a sharding that is not supported",
    "E0804" "not-rolled" "layers that repeat and could not be rolled into a loop",
    "E0805" "callback" "a call of Python that is left out",
    // Limits, and us.
    "E0901" "too-large" "a limit was reached",
    "E0902" "invalid" "an op that the compiler refuses",
    "E0903" "internal" "a bug of Meshloom",
}

/// The code that a diagnostic's name stands for.
pub fn named(name: &str) -> Option<&'static Code> {
    ALL.iter().find(|c| c.name == name)
}

/// The code of a number, `E0303` or `e303`, or of a name.
pub fn find(text: &str) -> Option<&'static Code> {
    let digits = text.strip_prefix(['E', 'e']).unwrap_or("");
    let number: Option<u16> = digits.parse().ok();
    ALL.iter().find(|c| c.name == text || number.is_some_and(|n| c.number[1..].parse() == Ok(n)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_found_by_number_and_name() {
        for text in ["E0303", "e0303", "E303", "shape-mismatch"] {
            assert_eq!(find(text).map(|c| c.number), Some("E0303"), "{text}");
        }
        assert_eq!((find("E9999"), find(""), find("E"), find("0303")), (None, None, None, None));
        assert!(ALL.windows(2).all(|w| w[0].number < w[1].number), "by number, none twice");
        assert!(ALL.iter().all(|c| named(c.name) == Some(c)), "no name twice");
    }
}
