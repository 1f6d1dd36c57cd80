//! LaunchFile files in, programs and changes out. Nothing is planned here: the command line's sessions do that.

use insta::assert_snapshot;
use meshloom_export::read::{
    Checkpoint, LaunchFile, LaunchGiven, Precision, ReadError, Zero, changes, launch, program,
};

fn example(name: &str) -> String {
    let path = format!("{}/../../examples/launch/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

fn read(name: &str, devices: Option<u64>) -> LaunchFile {
    let given = LaunchGiven { devices, ..LaunchGiven::default() };
    launch(name, &example(name), &given).unwrap_or_else(|e| panic!("{name}:{}: {}", e.line, e.message))
}

fn wrong(name: &str, text: &str, devices: Option<u64>) -> ReadError {
    launch(name, text, &LaunchGiven { devices, ..LaunchGiven::default() }).expect_err(name)
}

#[test]
fn a_dense_model_of_torchtitan() {
    let l = read("llama3_8b.toml", Some(8));
    assert_eq!((l.shard, l.replicate, l.batch, l.micro), (8, 1, 16, 2));
    assert_eq!((l.zero, l.checkpoint, l.precision), (Zero::Parameters, Checkpoint::Part(50), Precision::Bf16));
    assert!(l.unread.is_empty(), "{:?}", l.unread);
    assert_eq!(l.model.parameters() / 1_000_000, 8029);
    assert_snapshot!(program(&l).text);
}

#[test]
fn a_mixture_of_torchtitan_with_experts_over_devices() {
    let l = read("deepseek_v3_671b.toml", Some(512));
    assert_eq!((l.expert, l.shard), (64, 512));
    assert_eq!(l.model.parameters() / 1_000_000_000, 703, "experts in all 61 layers");
    assert_snapshot!(program(&l).text);
}

#[test]
fn stages_of_torchtitan() {
    let l = read("llama3_405b_pipeline.toml", Some(512));
    assert_eq!((l.pipe, l.each, l.schedule, l.tensor, l.sequence), (8, 2, "interleaved", 8, true));
    let made = program(&l);
    assert_eq!(made.schedule, Some(("interleaved", 2)));
    let stages = made.stages.expect("stages");
    assert_eq!((stages.len(), stages.iter().sum::<u64>()), (16, 126));
    assert_eq!((stages[0], stages[1], stages[15]), (7, 8, 7));
}

#[test]
fn scripts_of_megatron_are_followed() {
    let l = read("llama3_8b_fp8.sh", None);
    assert_eq!((l.devices, l.precision, l.zero, l.tensor), (8, Precision::Fp8, Zero::State, 1));
    assert_eq!((l.model.kv_heads, l.model.vocab, l.batch / l.micro), (8, 128_256, 128));
    assert!(l.unread.is_empty(), "{:?}", l.unread);
    let l = read("gpt3_175b.sh", Some(1024));
    assert_eq!((l.tensor, l.pipe, l.replicate, l.sequence), (8, 16, 8, false));
    assert_eq!(l.assumed, ["a vocabulary of 51200, which the tokenizer's file decides"]);
    let l = read("gpt_7.5b_a100.sh", None);
    assert!(l.unfused && l.checkpoint == Checkpoint::Full && l.devices == 128);
    assert_snapshot!(program(&l).text);
    let l = read("mixtral_8x7b.sh", None);
    assert_eq!((l.devices, l.pipe, l.expert, l.shard), (64, 4, 8, 16));
}

#[test]
fn what_a_script_decides_is_decided() {
    let text = "A=4\nB=${B:-\"2\"}\nN=$(($A * $B))\nif [ \"$N\" -eq 8 ]; then\n  T=2\nelse\n  T=4\nfi\nif [ -f x ]; then\n  X=1\nfi\n\
                torchrun --nproc_per_node $N pretrain.py --num-layers 2 --hidden-size 64 \\\n  --num-attention-heads 4 # --fp16\n\
                --seq-length 16 --micro-batch-size=1 --tensor-model-parallel-size $T --frobnicate 3\n";
    let l = launch("a.sh", text, &LaunchGiven::default()).expect("a launch");
    assert_eq!((l.devices, l.tensor, l.precision, l.batch), (8, 2, Precision::Fp32, 4));
    let unread: Vec<(usize, &str)> = l.unread.iter().map(|u| (u.line, u.text.as_str())).collect();
    let condition = "a condition that is not followed, and what depends on it: if [ -f x ]; then";
    assert_eq!(unread, [(9, condition), (14, "--frobnicate 3")]);
}

const CONFIG: &str = r#"{ "model_type": "mixtral", "hidden_size": 64, "num_attention_heads": 4, "num_key_value_heads": 2,
    "num_hidden_layers": 2, "vocab_size": 256, "intermediate_size": 128, "num_local_experts": 8, "num_experts_per_tok": 2 }"#;

#[test]
fn a_model_of_transformers_with_deepspeed_and_accelerate() {
    let given = LaunchGiven { config: Some(CONFIG.into()), devices: Some(64), ..LaunchGiven::default() };
    let l = launch("zero3.json", &example("zero3.json"), &given).expect("a launch");
    assert_eq!((l.zero, l.shard, l.batch, l.micro), (Zero::Parameters, 64, 128, 2));
    let unread: Vec<usize> = l.unread.iter().map(|u| u.line).collect();
    assert_eq!(unread, [9], "parameters in the host's memory are not followed: {:?}", l.unread);
    let given = LaunchGiven { config: Some(CONFIG.into()), seq: Some(128), batch: Some(64), ..LaunchGiven::default() };
    let l = launch("fsdp.yaml", &example("fsdp.yaml"), &given).expect("a launch");
    assert_eq!((l.devices, l.zero, l.checkpoint, l.micro), (32, Zero::Parameters, Checkpoint::Full, 2));
    let e = launch("fsdp.yaml", &example("fsdp.yaml"), &LaunchGiven::default()).expect_err("no model");
    assert!(e.message.contains("give --hf FOLDER"), "{e:?}");
}

#[test]
fn errors_have_their_line() {
    let toml = example("llama3_8b.toml");
    let with = |from: &str, to: &str| {
        assert!(toml.contains(from), "{from}");
        wrong("a.toml", &toml.replace(from, to), Some(8))
    };
    for (from, to, line, part) in [
        ("flavor = \"8B\"", "flavor = \"9B\"", 8, "no sizes of `llama3` `9B` are known"),
        ("tensor_parallel_degree = 1", "tensor_parallel_degree = 3", 23, "8 devices are no multiple"),
        (
            "tensor_parallel_degree = 1",
            "tensor_parallel_degree = x",
            23,
            "tensor_parallel_degree: `x` is no whole number",
        ),
        ("data_parallel_shard_degree = -1", "data_parallel_shard_degree = 4", 22, "are not the 8 devices"),
        ("steps = 1000", "steps", 17, "`steps` is neither a table nor NAME = VALUE"),
    ] {
        let e = with(from, to);
        assert!(e.line == line && e.message.contains(part), "{from}: {e:?}");
    }
    assert_eq!(wrong("a.toml", &toml, None).message, "the number of devices is not said: give --devices");
    assert_eq!(wrong("a.json", "{ \"a\": [1,\n }", None).line, 2);
    assert!(wrong("a.txt", "", None).message.contains("is no .toml of torchtitan"));
}

/// No text makes the readers panic, and what is cut off or damaged ends as an error or a launch.
#[test]
fn damaged_files_are_read_or_refused() {
    for name in ["llama3_8b.toml", "llama3_8b_fp8.sh", "zero3.json", "fsdp.yaml"] {
        let text = example(name);
        let given = LaunchGiven { config: Some(CONFIG.into()), devices: Some(8), ..LaunchGiven::default() };
        // Every seventh place is enough to cut names, values, quotes and brackets.
        for at in (0..text.len()).step_by(7).filter(|i| text.is_char_boundary(*i)) {
            let _ = launch(name, &text[..at], &given);
            for with in ["\"", "$", "99999999999999999999", "("] {
                let _ = launch(name, &format!("{}{with}{}", &text[..at], text.get(at + 1..).unwrap_or("")), &given);
            }
        }
    }
}

#[test]
fn changes_say_their_lines_and_can_be() {
    for (name, devices) in [
        ("llama3_8b.toml", Some(8)),
        ("llama3_70b.toml", Some(256)),
        ("gpt3_175b.sh", Some(1024)),
        ("mixtral_8x7b.sh", None),
    ] {
        let l = read(name, devices);
        let all = changes(&l);
        assert!(all.len() >= 3, "{name}: {}", all.len());
        for c in &all {
            assert!(c.launch != l && !c.lines.is_empty(), "{name}: {}", c.about);
            let text = example(name);
            // A line that is said to change has the setting that is written.
            for (line, new) in c.lines.iter().filter_map(|(line, new)| Some((line.as_ref()?, new))) {
                let old = text.lines().nth(line - 1).unwrap_or_default();
                let word = new.trim_start_matches(['"', '(']).split([' ', ':', '"']).next().unwrap_or_default();
                assert!(old.contains(word) || new.starts_with('('), "{name}:{line}: {old} becomes {new}");
            }
        }
    }
    let listed: Vec<String> =
        changes(&read("llama3_70b.toml", Some(256))).iter().map(|c| format!("{}: {:?}\n", c.about, c.lines)).collect();
    assert_snapshot!(listed.concat());
}
