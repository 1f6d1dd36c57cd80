//! What a model is: its sizes, from a config.json of Transformers, from the public configurations that torchtitan calls flavors, or from
//! a launch file's own settings.
//!
//! Not here: the program of a model (`program`).

use super::pairs::Pair;

/// A decoder of equal layers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Model {
    pub name: String,
    pub layers: u64,
    pub embed: u64,
    pub heads: u64,
    pub kv_heads: u64,
    /// Width of a head.
    pub head: u64,
    /// Width of a layer's two or three matrices behind attention; of a mixture, where there are dense layers.
    pub ffn: u64,
    pub vocab: u64,
    /// Three matrices behind attention (SwiGLU) and RMS norms, or two (GELU), biases, layer norms and learned positions.
    pub gated: bool,
    pub experts: Option<Experts>,
    pub latent: Option<Latent>,
}

/// A mixture of experts in the place of the matrices behind attention.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Experts {
    pub number: u64,
    /// Experts of a token.
    pub chosen: u64,
    pub ffn: u64,
    /// Of the shared expert; 0 without one.
    pub shared: u64,
    /// Layers without experts.
    pub dense: u64,
}

/// Ranks of latent attention, and the width of a head's part that has positions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Latent {
    /// 0 where queries have no narrow form.
    pub q_rank: u64,
    pub kv_rank: u64,
    pub turn: u64,
}

impl Model {
    /// Parameters, norms and biases apart.
    pub fn parameters(&self) -> u64 {
        let attention = match &self.latent {
            Some(l) => {
                let q = if l.q_rank > 0 {
                    l.q_rank * (self.embed + self.heads * (self.head + l.turn))
                } else {
                    self.embed * self.heads * (self.head + l.turn)
                };
                q + self.embed * (l.kv_rank + l.turn)
                    + 2 * l.kv_rank * self.heads * self.head
                    + self.heads * self.head * self.embed
            }
            None => self.embed * self.head * 2 * (self.heads + self.kv_heads),
        };
        let matrices = if self.gated { 3 } else { 2 };
        let behind = match &self.experts {
            Some(e) => self.embed * (e.number + matrices * (e.number * e.ffn + e.shared)),
            None => matrices * self.embed * self.ffn,
        };
        self.layers * (attention + behind) + 2 * self.vocab * self.embed
    }
}

/// Sizes in one row: layers, embed, heads, kv_heads, head, ffn, vocab.
fn dense(s: [u64; 7]) -> Model {
    let [layers, embed, heads, kv_heads, head, ffn, vocab] = s;
    Model {
        name: String::new(),
        layers,
        embed,
        heads,
        kv_heads,
        head,
        ffn,
        vocab,
        gated: true,
        experts: None,
        latent: None,
    }
}

/// A mixture: the sizes, and experts, chosen, their width, the shared one's, dense layers.
fn mixture(s: [u64; 7], e: [u64; 5]) -> Model {
    let [number, chosen, ffn, shared, dense_layers] = e;
    Model { experts: Some(Experts { number, chosen, ffn, shared, dense: dense_layers }), ..dense(s) }
}

fn latent(m: Model, q_rank: u64, kv_rank: u64, turn: u64) -> Model {
    Model { latent: Some(Latent { q_rank, kv_rank, turn }), ..m }
}

/// What torchtitan calls `model.name` and `model.flavor`: the registries of its models, and the papers of these.
fn known() -> Vec<(&'static str, &'static str, Model)> {
    vec![
        ("llama3", "8B", dense([32, 4096, 32, 8, 128, 14336, 128_256])),
        ("llama3", "70B", dense([80, 8192, 64, 8, 128, 28672, 128_256])),
        ("llama3", "405B", dense([126, 16384, 128, 8, 128, 53248, 128_256])),
        ("qwen3", "0.6B", dense([28, 1024, 16, 8, 128, 3072, 151_936])),
        ("qwen3", "1.7B", dense([28, 2048, 16, 8, 128, 6144, 151_936])),
        ("qwen3", "4B", dense([36, 2560, 32, 8, 128, 9728, 151_936])),
        ("qwen3", "8B", dense([36, 4096, 32, 8, 128, 12288, 151_936])),
        ("qwen3", "14B", dense([40, 5120, 40, 8, 128, 17408, 151_936])),
        ("qwen3", "32B", dense([64, 5120, 64, 8, 128, 25600, 151_936])),
        ("qwen3", "30B-A3B", mixture([48, 2048, 32, 4, 128, 6144, 151_936], [128, 8, 768, 0, 0])),
        ("qwen3", "235B-A22B", mixture([94, 4096, 64, 4, 128, 12288, 151_936], [128, 8, 1536, 0, 0])),
        ("llama4", "17bx16e", mixture([48, 5120, 40, 8, 128, 16384, 202_048], [16, 1, 8192, 8192, 0])),
        (
            "deepseek_v3",
            "16B",
            latent(mixture([27, 2048, 16, 16, 128, 10944, 102_400], [64, 6, 1408, 2816, 1]), 0, 512, 64),
        ),
        (
            "deepseek_v3",
            "236B",
            latent(mixture([60, 5120, 128, 128, 128, 12288, 102_400], [160, 6, 1536, 3072, 1]), 1536, 512, 64),
        ),
        (
            "deepseek_v3",
            "671B",
            latent(mixture([61, 7168, 128, 128, 128, 18432, 129_280], [256, 8, 2048, 2048, 3]), 1536, 512, 64),
        ),
    ]
}

/// A public configuration by its name and flavor.
pub fn flavor(family: &str, flavor: &str) -> Option<Model> {
    let found = known().into_iter().find(|f| f.0 == family && f.1.eq_ignore_ascii_case(flavor));
    found.map(|f| Model { name: format!("{family} {}", f.1), ..f.2 })
}

/// The names that [`flavor`] knows, for messages.
pub fn flavors() -> String {
    known().iter().map(|f| format!("{} {}", f.0, f.1)).collect::<Vec<_>>().join(", ")
}

/// Families of Transformers that are read: their `model_type`, and whether they are gated.
const FAMILIES: &[(&str, bool)] = &[
    ("llama", true),
    ("mistral", true),
    ("qwen2", true),
    ("qwen3", true),
    ("phi3", true),
    ("gemma", true),
    ("mixtral", true),
    ("qwen2_moe", true),
    ("qwen3_moe", true),
    ("olmoe", true),
    ("deepseek_v2", true),
    ("deepseek_v3", true),
    ("gpt2", false),
    ("gpt_neox", false),
    ("gpt_bigcode", false),
    ("opt", false),
    ("mpt", false),
];

/// The model of a config.json, of which `pairs` are the keys.
///
/// # Errors
/// A family that is not read, or a size that is missing.
pub fn of_config(pairs: &[Pair]) -> Result<Model, String> {
    let get = |names: &[&str]| names.iter().find_map(|n| pairs.iter().find(|p| p.name == *n)).map(|p| p.value.as_str());
    let number = |names: &[&str]| get(names).and_then(|v| v.parse::<u64>().ok());
    let family = get(&["model_type"]).ok_or("`model_type` is missing")?;
    let Some((_, gated)) = FAMILIES.iter().find(|f| f.0 == family) else {
        let known: Vec<&str> = FAMILIES.iter().map(|f| f.0).collect();
        return Err(format!("the family `{family}` is not read here; there are {}", known.join(", ")));
    };
    let need = |names: &[&str]| number(names).ok_or_else(|| format!("`{}` is missing", names[0]));
    let embed = need(&["hidden_size", "n_embd", "d_model"])?;
    let heads = need(&["num_attention_heads", "n_head", "n_heads"])?;
    let kv_rank = number(&["kv_lora_rank"]);
    let head = match kv_rank {
        Some(_) => need(&["qk_nope_head_dim"])?,
        None => number(&["head_dim"]).unwrap_or(embed / heads.max(1)),
    };
    let experts = number(&["num_local_experts", "num_experts", "n_routed_experts"]).filter(|n| *n > 0);
    let experts = match experts {
        None => None,
        Some(n) => {
            let ffn = need(&["moe_intermediate_size", "intermediate_size"])?;
            let shared = number(&["n_shared_experts"]).map(|k| k * ffn);
            Some(Experts {
                number: n,
                chosen: need(&["num_experts_per_tok", "num_experts_per_token"])?,
                ffn,
                shared: shared.or(number(&["shared_expert_intermediate_size"])).unwrap_or(0),
                dense: number(&["first_k_dense_replace"]).unwrap_or(0),
            })
        }
    };
    Ok(Model {
        name: get(&["_name_or_path"]).filter(|n| !n.is_empty()).unwrap_or(family).to_owned(),
        layers: need(&["num_hidden_layers", "n_layer", "n_layers"])?,
        embed,
        heads,
        kv_heads: number(&["num_key_value_heads"]).unwrap_or(heads),
        head,
        ffn: number(&["intermediate_size", "n_inner", "ffn_dim"]).unwrap_or(4 * embed),
        vocab: need(&["vocab_size"])?,
        gated: *gated,
        experts,
        latent: match kv_rank {
            None => None,
            Some(kv_rank) => Some(Latent {
                q_rank: number(&["q_lora_rank"]).unwrap_or(0),
                kv_rank,
                turn: need(&["qk_rope_head_dim"])?,
            }),
        },
    })
}
