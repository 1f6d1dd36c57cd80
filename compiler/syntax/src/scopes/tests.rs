//! Short programs, and what each mention of one name in them refers to.

use super::*;
use crate::ast::{Expr, ExprKind, Name};
use crate::parse::parse;
use meshloom_ir::{FileId, Span};

/// Notes what is told of one name. `layers` is an imported file.
struct Noted<'a> {
    name: &'a str,
    /// What the file declares or imports.
    declared: &'a [&'a str],
    scope: Scoped<u32>,
    /// The place of each mention, and what it is; of a name in scope also the place that binds it.
    told: Vec<(u32, String, Option<u32>)>,
}

impl Noted<'_> {
    fn note(&mut self, name: &str, span: Span, what: &str) {
        if name == self.name {
            self.told.push((span.start, what.to_string(), None));
        }
    }
}

impl Visitor for Noted<'_> {
    type Local = u32;
    type Item = String;

    fn scope(&mut self) -> &mut Scoped<u32> {
        &mut self.scope
    }

    fn is_declared(&self, name: &str) -> bool {
        self.declared.contains(&name)
    }

    fn is_file(&self, name: &str) -> bool {
        name == "layers"
    }

    fn binds(&mut self, name: &Name, what: Binds) -> u32 {
        self.note(&name.text, name.span, if what == Binds::Dim { "dim" } else { "variable" });
        name.span.start
    }

    fn keeps(&mut self, name: &Name, _: &Expr) -> Option<u32> {
        self.scope.get(&name.text).copied()
    }

    fn value(&mut self, name: &mut String, span: Span) {
        match self.scope.get(name).copied() {
            // A dim of a signature stands where it is bound.
            Some(place) if place == span.start => {}
            Some(place) if name == self.name => self.told.push((span.start, String::new(), Some(place))),
            _ => self.note(name, span, "outside"),
        }
    }

    fn function(&mut self, name: &mut String, span: Span) -> String {
        self.note(name, span, "function");
        name.clone()
    }

    fn type_name(&mut self, name: &mut Name) {
        self.note(&name.text, name.span, "type");
    }

    fn of_file(&mut self, e: &mut Expr) -> String {
        let ExprKind::Field { field, .. } = &e.kind else { return String::new() };
        self.note(&field.text, field.span, "of a file");
        field.text.clone()
    }

    fn heading(&mut self, name: &mut Name, _: Heading) {
        self.note(&name.text, name.span, "declared");
    }

    fn assigned(&mut self, name: &Name) {
        self.value(&mut name.text.clone(), name.span);
    }

    fn field(&mut self, _: &Expr, name: &Name) {
        self.note(&name.text, name.span, "field");
    }

    fn argument(&mut self, of: &String, name: &str, span: Span) {
        self.note(name, span, &format!("argument of {of}"));
    }
}

/// The mentions of a name, in the order of the text. One that refers to a name in scope is the number, from 0, of the mention that binds it.
fn mentions(name: &str, declared: &[&str], text: &str) -> String {
    let parsed = parse(FileId(0), text);
    assert!(parsed.errors.is_empty(), "{:?}", parsed.errors);
    let mut noted = Noted { name, declared, scope: Scoped::default(), told: Vec::new() };
    file(&mut noted, &mut parsed.file.clone());
    assert_eq!(noted.scope.depth(), 0);
    noted.told.sort_by_key(|t| t.0);
    let place = |at: u32| noted.told.iter().position(|t| t.0 == at).expect("a mention that binds");
    let shown = noted.told.iter().map(|(_, what, at)| at.map_or_else(|| what.clone(), |at| place(at).to_string()));
    shown.collect::<Vec<_>>().join(", ")
}

#[test]
fn blocks_hide_and_give_back() {
    let text = "fn f(x: f32[4]) -> f32[4] {\n    let x = x + x\n    for x in [x, x] { let y = x }\n    \
                if x > 1 { let x = 2\n x } else { x }\n    while x < 1, at_most: 4 { x = x * 2 }\n    x\n}\n";
    assert_eq!(mentions("x", &[], text), "variable, variable, 0, 0, variable, 1, 1, 4, 1, variable, 9, 1, 1, 1, 1, 1");
}

#[test]
fn parameters_are_in_scope_in_bodies_and_not_in_signatures() {
    let text = "dim n = 4\nfn f(n: i32[n] in 0..n, m: i32 = n) -> i32[n] { n }\nfn g(m: f32[n]) -> f32 { n }\n";
    let told = "declared, variable, outside, outside, outside, outside, 1, outside, outside";
    assert_eq!(mentions("n", &["n"], text), told);
}

/// A rule of a gradient sees the parameters and what it names itself, and nothing that the body binds.
#[test]
fn gradient_rules_have_scopes_of_their_own() {
    let text =
        "fn f(x: f32[n]) -> f32[n] {\n    let y = x\n    y\n} gradient(dy) {\n    let x = x * dy\n    x + y\n}\n";
    assert_eq!(mentions("x", &[], text), "variable, 0, variable, 0, 2");
    assert_eq!(mentions("y", &[], text), "variable, 0, outside");
    assert_eq!(mentions("dy", &[], text), "variable, 0");
    assert_eq!(mentions("n", &[], text), "dim, 0");
}

#[test]
fn dims_of_signatures_are_bound_where_nothing_declares_them() {
    let text = "fn f(a: f32[n + 1], b: f32[n], c: [f32[m]; n]) -> f32[n] { n }\n";
    assert_eq!(mentions("n", &["m"], text), "1, dim, 1, 1, 1");
    assert_eq!(mentions("n", &["n"], text), "outside, outside, outside, outside, outside");
    assert_eq!(mentions("m", &["m"], text), "outside");
    // A result makes no dim, and no function or struct ever is in the place of one.
    assert_eq!(mentions("n", &[], "fn f(a: f32[2]) -> f32[n] { a }\n"), "outside");
    assert_eq!(mentions("n", &["n"], "fn f<n>(a: f32[n]) -> f32[n] { a }\n"), "dim, 0, 0");
    assert_eq!(
        mentions("n", &["n"], "struct S[n] {\n    w: f32[n] = normal(n),\n}\ndim m = n\n"),
        "dim, 0, 0, outside"
    );
}

#[test]
fn variables_hide_no_functions() {
    let text = "fn f(f: f32[4]) -> f32[4] { f(f, f: f) }\n";
    assert_eq!(mentions("f", &["f"], text), "declared, variable, function, 1, argument of f, 1");
    let text = "fn g(f: f32[4], w: f32[4]) -> f32[4] { grad(f, wrt: w)(f, w: w) }\n";
    assert_eq!(mentions("f", &[], text), "variable, function, 0");
    assert_eq!(mentions("w", &[], text), "variable, argument of f, argument of f, 0");
}

#[test]
fn names_of_files_are_hidden_by_variables() {
    let text = "fn f(x: f32[layers.w]) -> f32 { let a = layers.w\n let layers = x\n layers.w }\n";
    assert_eq!(mentions("w", &[], text), "of a file, of a file, field");
    assert_eq!(mentions("w", &[], "fn f(x: f32) -> f32 { grad((layers.w))(x) }\n"), "of a file");
}

#[test]
fn inputs_of_manual_regions_are_renamed_inside_or_keep_their_names() {
    let text = "fn f(x: f32[4], y: f32[4]) -> f32[4] {\n    manual(data)(y: x @ [data], x: y @ [data]) -> [data] { x - y }\n}\n";
    assert_eq!(mentions("x", &[], text), "variable, 0, variable, 2");
    assert_eq!(mentions("y", &[], text), "variable, variable, 0, 1");
    let text = text.replace("y: x", "x").replace("x: y", "z: y");
    assert_eq!(mentions("x", &[], &text), "variable, 0, 0");
    assert_eq!(mentions("y", &[], &text), "variable, 0, 0");
}

/// What starts a parameter, and optimizers and schedules, are no functions; their arguments are values.
#[test]
fn initial_values_and_optimizers_are_no_functions() {
    let text =
        "struct S {\n    w: f32[4] = rate,\n    v: f32[4] = normal(rate),\n}\ntrain t = adam(rate, lr: rate(rate))\n";
    assert_eq!(mentions("rate", &[], text), "outside, outside, outside");
    assert_eq!(mentions("rate", &["rate"], text), "outside, outside, outside, outside");
}
