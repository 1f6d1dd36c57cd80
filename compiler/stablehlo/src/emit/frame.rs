//! What stands around the ops: the module with its mesh, the function with its ports and their shardings, and around the program
//! of one device its manual computation.
//!
//! Names of ports are written as JAX writes them (`jax.arg_info`, `jax.result_info`). A result that is the next value of an
//! argument takes its buffer (`tf.aliasing_output`).

use super::state::Emit;
use super::text::{TextValue, tensor};
use meshloom_ir::types::Scalar;
use meshloom_ir::{Axis, Constraint, DimSpec, Func, Layout, Mesh, TensorType, ValueId};
use meshloom_source::Diagnostic;

impl Emit<'_> {
    /// The module; `whole` is the global program where this one is that of each device.
    pub fn module(mut self, whole: Option<&Func>) -> Result<String, Vec<Diagnostic>> {
        let (func, mesh) = (self.func, &self.func.mesh);
        let devices = mesh.devices();
        self.out.open(&format!(
            "module @{} attributes {{mhlo.num_partitions = {devices} : i32, mhlo.num_replicas = 1 : i32}} {{",
            symbol(&func.name)
        ));
        if !mesh.axes.is_empty() {
            let axes: Vec<String> = mesh.axes.iter().map(|(name, n)| format!("{name:?}={n}")).collect();
            self.out.line(&format!("sdy.mesh @mesh = <[{}]>", axes.join(", ")));
        }
        let ports = whole.unwrap_or(func);
        let types = |all: &[ValueId]| all.iter().map(|&v| ports.ty(v).clone()).collect::<Vec<TensorType>>();
        let (inputs, outputs) = (types(&ports.body().args), types(&ports.body().yields));
        let layout = |v: ValueId| whole.and(func.value(v).layout.clone());
        let ins: Vec<Option<Layout>> = func.body().args.iter().map(|&v| layout(v)).collect();
        let outs: Vec<Option<Layout>> = func.body().yields.iter().map(|&v| layout(v)).collect();
        let args: Vec<TextValue> =
            inputs.iter().enumerate().map(|(i, t)| TextValue::new(&format!("%arg{i}"), t.clone())).collect();
        let params: Vec<String> = (0..args.len())
            .map(|i| {
                let port = &func.inputs[i];
                let mut attrs = vec![format!("jax.arg_info = {}", quoted(&port.name))];
                attrs.extend(sharding(&port.constraint, ins[i].as_ref(), mesh));
                let next = func.outputs.iter().position(|o| o.updates == Some(i));
                attrs.extend(next.map(|k| format!("tf.aliasing_output = {k} : i32")));
                format!("{}: {} {{{}}}", args[i].name, args[i].tensor(), attrs.join(", "))
            })
            .collect();
        let results: Vec<String> = (0..outputs.len())
            .map(|i| {
                let port = &func.outputs[i];
                let mut attrs = vec![format!("jax.result_info = {}", quoted(&port.name))];
                attrs.extend(sharding(&port.constraint, outs[i].as_ref(), mesh));
                format!("{} {{{}}}", tensor(&outputs[i]), attrs.join(", "))
            })
            .collect();
        self.out.open(&format!("func.func public @main({}) -> ({}) {{", params.join(", "), results.join(", ")));
        let made = match whole.is_some() && devices > 1 {
            true => self.manual(&args, [&ins, &outs], &outputs),
            false => self.region(Func::BODY, &args),
        };
        let (names, types): (Vec<&str>, Vec<String>) = made.iter().map(|v| (v.name.as_str(), v.tensor())).unzip();
        self.out.line(&match names.is_empty() {
            true => "return".to_string(),
            false => format!("return {} : {}", names.join(", "), types.join(", ")),
        });
        self.out.close("}", false);
        self.out.close("}", false);
        if self.errors.is_empty() { Ok(self.out.text) } else { Err(self.errors) }
    }

    /// The program of each device over whole tensors; its results.
    fn manual(
        &mut self,
        args: &[TextValue],
        [ins, outs]: [&[Option<Layout>]; 2],
        outputs: &[TensorType],
    ) -> Vec<TextValue> {
        let (func, mesh) = (self.func, &self.func.mesh);
        let local = |v: ValueId| func.ty(v).clone();
        let layout = |l: &Option<Layout>, ty: &TensorType| l.clone().unwrap_or_else(|| Layout::replicated(ty.rank()));
        for (i, l) in outs.iter().enumerate().filter(|(_, l)| l.as_ref().is_some_and(|l| !l.partial.is_empty())) {
            let name = &func.outputs[i].name;
            let over: Vec<&str> = l.iter().flat_map(|l| l.partial.keys()).map(|&a| mesh.name(a)).collect();
            let message = format!(
                "the result `{name}` is partial over {}, which a manual computation cannot give",
                over.join(", ")
            );
            self.errors.push(
                Diagnostic::error("mlir-unsupported", message)
                    .at(func.outputs[i].span, "")
                    .help("give it a layout without `partial`"),
            );
        }
        let in_layouts: Vec<Layout> = ins.iter().zip(args).map(|(l, a)| layout(l, &a.ty)).collect();
        let out_layouts: Vec<Layout> = outs.iter().zip(outputs).map(|(l, t)| layout(l, t)).collect();
        let padded: Vec<TextValue> = args.iter().zip(&in_layouts).map(|(a, l)| self.whole_blocks(a, l)).collect();
        let inner: Vec<TextValue> = func.body().args.iter().map(|&v| self.out.fresh(local(v))).collect();
        let given: Vec<TensorType> = outputs.iter().zip(&out_layouts).map(|(t, l)| blocks(t, l, mesh)).collect();
        let (made, names) = self.out.several(&given);
        let list = |all: &[Layout]| -> String {
            let all: Vec<String> =
                all.iter().map(|l| format!("<@mesh, {}>", constraint(&Constraint::exactly(l), mesh))).collect();
            all.join(", ")
        };
        let axes: Vec<String> = mesh.axes.iter().map(|(name, _)| format!("{name:?}")).collect();
        let params: Vec<String> = inner.iter().map(|v| format!("{}: {}", v.name, v.tensor())).collect();
        let operands: Vec<&str> = padded.iter().map(|v| v.name.as_str()).collect();
        // Without results there is nothing to name.
        let names = if made.is_empty() { String::new() } else { format!("{names} = ") };
        self.out.open(&format!(
            "{names}sdy.manual_computation({}) in_shardings=[{}] out_shardings=[{}] manual_axes={{{}}} ({}) {{",
            operands.join(", "),
            list(&in_layouts),
            list(&out_layouts),
            axes.join(", "),
            params.join(", ")
        ));
        let yields = self.region(Func::BODY, &inner);
        let (names, types): (Vec<&str>, Vec<String>) = yields.iter().map(|v| (v.name.as_str(), v.tensor())).unzip();
        self.out.line(&match names.is_empty() {
            true => "sdy.return".to_string(),
            false => format!("sdy.return {} : {}", names.join(", "), types.join(", ")),
        });
        let from: Vec<String> = padded.iter().map(TextValue::tensor).collect();
        let to: Vec<String> = given.iter().map(tensor).collect();
        let to = if let [one] = &to[..] { one.clone() } else { format!("({})", to.join(", ")) };
        self.out.close(&format!("}} : ({}) -> {to}", from.join(", ")), false);
        let mut results = Vec::new();
        for (v, ty) in made.iter().zip(outputs) {
            let mut v = v.clone();
            (0..ty.rank()).for_each(|d| v = self.out.cut(&v, d, ty.shape[d]));
            results.push(v);
        }
        results
    }

    /// A tensor whose dims are as long as all blocks of them.
    fn whole_blocks(&mut self, x: &TextValue, layout: &Layout) -> TextValue {
        let want = blocks(&x.ty, layout, &self.func.mesh);
        if want == x.ty {
            return x.clone();
        }
        let high: Vec<i64> = want.shape.iter().zip(x.shape()).map(|(a, b)| (a - b) as i64).collect();
        self.out.pad(x, &vec![0; high.len()], &high, Scalar::of(x.ty.dtype, 0.0))
    }
}

/// A type whose dims are as long as all blocks of them.
fn blocks(ty: &TensorType, layout: &Layout, mesh: &Mesh) -> TensorType {
    let dim = |(&n, axes): (&u64, &Vec<Axis>)| {
        let k = mesh.group_size(axes);
        n.div_ceil(k) * k
    };
    TensorType::new(ty.dtype, ty.shape.iter().zip(&layout.dims).map(dim).collect::<Vec<u64>>())
}

/// A port's sharding: the layout that it has, or the one that is asked for.
fn sharding(asked: &Constraint, layout: Option<&Layout>, mesh: &Mesh) -> Option<String> {
    let c = match layout {
        Some(l) => Constraint::exactly(l),
        None if asked.absent => return None,
        None => asked.clone(),
    };
    (!mesh.axes.is_empty()).then(|| format!("sdy.sharding = #sdy.sharding<@mesh, {}>", constraint(&c, mesh)))
}

/// `[{"data"}, {?}], replicated={"model"}`
pub fn constraint(c: &Constraint, mesh: &Mesh) -> String {
    let names = |axes: &[Axis]| axes.iter().map(|&a| format!("{:?}", mesh.name(a))).collect::<Vec<_>>();
    let dim = |d: &DimSpec| match d {
        DimSpec::Exactly(axes) => format!("{{{}}}", names(axes).join(", ")),
        DimSpec::AtLeast(axes) => {
            let mut all = names(axes);
            all.push("?".to_string());
            format!("{{{}}}", all.join(", "))
        }
    };
    let dims: Vec<String> = c.dims.iter().map(dim).collect();
    let replicated: Vec<Axis> = c.replicated.iter().copied().collect();
    match replicated.is_empty() {
        true => format!("[{}]", dims.join(", ")),
        false => format!("[{}], replicated={{{}}}", dims.join(", "), names(&replicated).join(", ")),
    }
}

/// A name as a symbol: quoted where it is not a word.
fn symbol(name: &str) -> String {
    let word = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if word && name.starts_with(|c: char| !c.is_ascii_digit()) { name.to_string() } else { quoted(name) }
}

fn quoted(text: &str) -> String {
    let inner: String = text
        .chars()
        .map(|c| match c {
            '"' | '\\' => format!("\\{c}"),
            c if c.is_control() => format!("\\{:02X}", c as u32 & 0xff),
            c => c.to_string(),
        })
        .collect();
    format!("\"{inner}\"")
}
