//! The models of `models/`, which `meshloom new --model NAME` copies. They are compiled in, so that the command needs no other file.

/// A model: its name, and its files with what they hold. The README's first line says what it is.
pub type KnownModel = (&'static str, &'static [(&'static str, &'static str)]);

macro_rules! models {
    ($($name:literal: $($file:literal)*;)*) => {
        &[$(($name, &[$(($file, include_str!(concat!("../../../models/", $name, "/", $file)))),*])),*]
    };
}

pub const MODELS: &[KnownModel] = models! {
    "bert": "model.loom" "weights.rename" "README.md";
    "clip": "model.loom" "weights.rename" "README.md";
    "deepseek-v3": "model.loom" "weights.rename" "README.md";
    "gemma3": "model.loom" "weights.rename" "README.md";
    "gpt-oss": "model.loom" "weights.rename" "README.md";
    "gpt2": "model.loom" "weights.rename" "README.md";
    "llama3": "model.loom" "weights.rename" "weights-tied.rename" "README.md";
    "mamba2": "model.loom" "weights.rename" "README.md";
    "mistral": "model.loom" "weights.rename" "README.md";
    "mixtral": "model.loom" "weights.rename" "README.md";
    "olmo2": "model.loom" "weights.rename" "README.md";
    "qwen3": "model.loom" "weights.rename" "weights-tied.rename" "README.md";
    "resnet50": "model.loom" "weights.rename" "README.md";
    "t5": "model.loom" "weights.rename" "weights-1.0.rename" "README.md";
    "unet": "model.loom" "weights.rename" "README.md";
    "vit": "model.loom" "weights.rename" "README.md";
    "whisper": "model.loom" "weights.rename" "README.md";
};

/// What a model calls itself: the title of its README.
pub fn title(model: &KnownModel) -> &'static str {
    let readme = model.1.iter().find(|f| f.0 == "README.md").map_or("", |f| f.1);
    readme.lines().next().unwrap_or("").trim_start_matches("# ")
}
