"""Families of Transformers, each at a published size and small enough to train in a test, and modules without Transformers.

A published config says sizes; the rest is the family's default. A small one says what differs from that.
"""

from dataclasses import dataclass, field
from typing import Any

DECODER = {"vocab_size": 64, "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
           "num_key_value_heads": 2, "head_dim": 8, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}  # fmt: skip
ENCODER = {"vocab_size": 64, "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
           "max_position_embeddings": 40, "pad_token_id": 0}  # fmt: skip
VISION = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "image_size": 16, "patch_size": 4}
SOUND = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "conv_dim": [16, 16],
         "conv_kernel": [10, 3], "conv_stride": [5, 2], "num_feat_extract_layers": 2, "num_conv_pos_embeddings": 8,
         "num_conv_pos_embedding_groups": 4, "feat_extract_norm": "layer", "classifier_proj_size": 16, "vocab_size": 32}  # fmt: skip


@dataclass
class Family:
    """A family.

    Attributes:
        published, small: configs; `small` without what it shares with the published one (type, architecture).
        seq: tokens of a sequence as it was trained, or samples of a recording.
        why: what of it is refused, where something is.
    """

    name: str
    published: dict[str, Any]
    small: dict[str, Any]
    seq: int = 4096
    small_seq: int = 16
    skip: tuple[str, ...] = field(default=())

    def small_config(self) -> dict[str, Any]:
        kept = {k: v for k, v in self.published.items() if k in ("model_type", "architectures")}
        return {**kept, **self.small}


def llama(**more: Any) -> dict[str, Any]:
    return {"model_type": "llama", "vocab_size": 128256, **more}


FAMILIES = [
    Family("Llama 3 8B", llama(hidden_size=4096, intermediate_size=14336, num_hidden_layers=32, num_attention_heads=32,
                               num_key_value_heads=8), DECODER),
    Family("Mistral 7B", {"model_type": "mistral", "vocab_size": 32768, "hidden_size": 4096, "intermediate_size": 14336,
                          "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8, "sliding_window": None},
           {**DECODER, "sliding_window": None}),
    Family("Qwen 2.5 7B", {"model_type": "qwen2", "vocab_size": 152064, "hidden_size": 3584, "intermediate_size": 18944,
                           "num_hidden_layers": 28, "num_attention_heads": 28, "num_key_value_heads": 4}, DECODER),
    Family("Qwen 3 8B", {"model_type": "qwen3", "vocab_size": 151936, "hidden_size": 4096, "intermediate_size": 12288,
                         "num_hidden_layers": 36, "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 128}, DECODER),
    Family("Gemma 2 9B", {"model_type": "gemma2", "vocab_size": 256000, "hidden_size": 3584, "intermediate_size": 14336,
                          "num_hidden_layers": 42, "num_attention_heads": 16, "num_key_value_heads": 8, "head_dim": 256}, DECODER),
    Family("Gemma 3 1B", {"model_type": "gemma3_text", "vocab_size": 262144, "hidden_size": 1152, "intermediate_size": 6912,
                          "num_hidden_layers": 26, "num_attention_heads": 4, "num_key_value_heads": 1, "head_dim": 256},
           {**DECODER, "sliding_window": 8}),
    Family("Phi-3 mini", {"model_type": "phi3", "vocab_size": 32064, "hidden_size": 3072, "intermediate_size": 8192,
                          "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 32, "pad_token_id": 32000}, DECODER),
    Family("OLMo 2 7B", {"model_type": "olmo2", "vocab_size": 100352, "hidden_size": 4096, "intermediate_size": 11008,
                         "num_hidden_layers": 32, "num_attention_heads": 32}, DECODER),
    Family("Granite 3 8B", {"model_type": "granite", "vocab_size": 49155, "hidden_size": 4096, "intermediate_size": 12800,
                            "num_hidden_layers": 40, "num_attention_heads": 32, "num_key_value_heads": 8, "embedding_multiplier": 12.0,
                            "attention_multiplier": 0.0078125, "residual_multiplier": 0.22, "logits_scaling": 16.0,
                            "tie_word_embeddings": True},
           {**DECODER, "embedding_multiplier": 12.0, "attention_multiplier": 0.125, "residual_multiplier": 0.22, "logits_scaling": 16.0,
            "tie_word_embeddings": True}),
    Family("GPT-2 XL", {"model_type": "gpt2", "n_embd": 1600, "n_layer": 48, "n_head": 25},
           {"vocab_size": 64, "n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 32}, 1024),
    Family("GPT-NeoX 20B", {"model_type": "gpt_neox", "vocab_size": 50432, "hidden_size": 6144, "intermediate_size": 24576,
                            "num_hidden_layers": 44, "num_attention_heads": 64}, DECODER, 1024),
    Family("OPT 6.7B", {"model_type": "opt", "vocab_size": 50272, "hidden_size": 4096, "ffn_dim": 16384, "num_hidden_layers": 32,
                        "num_attention_heads": 32},
           {"vocab_size": 64, "hidden_size": 32, "ffn_dim": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "word_embed_proj_dim": 32,
            "max_position_embeddings": 32}, 1024),
    Family("Falcon 7B", {"model_type": "falcon", "vocab_size": 65024, "hidden_size": 4544, "num_hidden_layers": 32,
                         "num_attention_heads": 71},
           {"vocab_size": 64, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4}, 1024),
    Family("BLOOM 7B", {"model_type": "bloom", "vocab_size": 250880, "hidden_size": 4096, "n_layer": 30, "n_head": 32},
           {"vocab_size": 64, "hidden_size": 32, "n_layer": 2, "n_head": 4}, 1024),
    Family("Mixtral 8x7B", {"model_type": "mixtral", "vocab_size": 32000, "hidden_size": 4096, "intermediate_size": 14336,
                            "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8, "num_local_experts": 8},
           {**DECODER, "num_local_experts": 4, "num_experts_per_tok": 2}),
    Family("Qwen 3 30B-A3B", {"model_type": "qwen3_moe", "vocab_size": 151936, "hidden_size": 2048, "intermediate_size": 6144,
                              "moe_intermediate_size": 768, "num_hidden_layers": 48, "num_attention_heads": 32,
                              "num_key_value_heads": 4, "head_dim": 128, "num_experts": 128, "num_experts_per_tok": 8,
                              "norm_topk_prob": True},
           {**DECODER, "moe_intermediate_size": 16, "num_experts": 8, "num_experts_per_tok": 2, "norm_topk_prob": True}),
    Family("GPT-OSS 20B", {"model_type": "gpt_oss", "num_hidden_layers": 24, "num_local_experts": 32},
           {**DECODER, "num_local_experts": 4, "num_experts_per_tok": 2, "sliding_window": 8, "intermediate_size": 32}),
    Family("DeepSeek-V3", {"model_type": "deepseek_v3"},
           {**DECODER, "num_key_value_heads": 4, "moe_intermediate_size": 16, "n_routed_experts": 8, "num_experts_per_tok": 2, "n_group": 2,
            "topk_group": 1, "q_lora_rank": 16, "kv_lora_rank": 16, "qk_rope_head_dim": 8, "qk_nope_head_dim": 8, "v_head_dim": 8,
            "first_k_dense_replace": 1, "num_hidden_layers": 3}),
    Family("BERT large", {"model_type": "bert", "hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 16,
                          "intermediate_size": 4096, "architectures": ["BertForMaskedLM"]}, ENCODER, 512),
    Family("RoBERTa large", {"model_type": "roberta", "vocab_size": 50265, "hidden_size": 1024, "num_hidden_layers": 24,
                             "num_attention_heads": 16, "intermediate_size": 4096, "max_position_embeddings": 514,
                             "architectures": ["RobertaForMaskedLM"]}, ENCODER, 512),
    Family("T5 large", {"model_type": "t5", "d_model": 1024, "d_ff": 4096, "num_layers": 24, "num_heads": 16},
           {"vocab_size": 64, "d_model": 32, "d_kv": 8, "d_ff": 64, "num_layers": 2, "num_heads": 4, "decoder_start_token_id": 0}, 512),
    Family("BART large", {"model_type": "bart", "architectures": ["BartForConditionalGeneration"]},
           {"vocab_size": 64, "d_model": 32, "encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": 4,
            "decoder_attention_heads": 4, "encoder_ffn_dim": 64, "decoder_ffn_dim": 64, "max_position_embeddings": 32, "pad_token_id": 1,
            "bos_token_id": 0, "eos_token_id": 2, "decoder_start_token_id": 2, "forced_eos_token_id": 2}, 1024),
    Family("Whisper small", {"model_type": "whisper", "d_model": 768, "encoder_layers": 12, "decoder_layers": 12,
                             "encoder_attention_heads": 12, "decoder_attention_heads": 12, "encoder_ffn_dim": 3072,
                             "decoder_ffn_dim": 3072},
           {"vocab_size": 64, "d_model": 32, "encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": 4,
            "decoder_attention_heads": 4, "encoder_ffn_dim": 64, "decoder_ffn_dim": 64, "num_mel_bins": 8, "max_source_positions": 16,
            "max_target_positions": 32, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 1,
            "suppress_tokens": None, "begin_suppress_tokens": None}, 448),
    Family("ViT large", {"model_type": "vit", "hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 16,
                         "intermediate_size": 4096, "architectures": ["ViTForImageClassification"]}, VISION),
    Family("CLIP ViT-B/32", {"model_type": "clip"},
           {"text_config": {**ENCODER, "eos_token_id": 2, "bos_token_id": 1}, "vision_config": {**VISION, "patch_size": 8},
            "projection_dim": 16}, 77),
    Family("SigLIP base", {"model_type": "siglip"},
           {"text_config": {**ENCODER, "projection_size": 32, "eos_token_id": 2, "bos_token_id": 1},
            "vision_config": {**VISION, "patch_size": 8}}, 64),
    Family("Swin tiny", {"model_type": "swin", "architectures": ["SwinForImageClassification"]},
           {"image_size": 32, "patch_size": 4, "embed_dim": 16, "depths": [2, 2], "num_heads": [2, 4], "window_size": 4}),
    Family("ConvNeXt tiny", {"model_type": "convnext", "architectures": ["ConvNextForImageClassification"]},
           {"image_size": 32, "hidden_sizes": [16, 32], "depths": [2, 2], "num_stages": 2}),
    Family("wav2vec 2 base", {"model_type": "wav2vec2", "architectures": ["Wav2Vec2ForSequenceClassification"]}, SOUND, 16000 * 5, 400),
    Family("HuBERT base", {"model_type": "hubert", "architectures": ["HubertForSequenceClassification"]}, SOUND, 16000 * 5, 400),
    Family("Mamba 130M", {"model_type": "mamba", "hidden_size": 768, "num_hidden_layers": 24},
           {"vocab_size": 64, "hidden_size": 16, "num_hidden_layers": 2, "state_size": 4, "time_step_rank": 2, "pad_token_id": 0}, 1024, 8),
    Family("Mamba-2 130M", {"model_type": "mamba2", "hidden_size": 768, "num_hidden_layers": 24, "num_heads": 24, "head_dim": 64,
                            "vocab_size": 50288, "n_groups": 1},
           {"vocab_size": 64, "hidden_size": 16, "num_hidden_layers": 2, "state_size": 8, "num_heads": 4, "head_dim": 8, "n_groups": 1,
            "chunk_size": 8, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}, 1024),
]  # fmt: skip

# Larger ones of families that are above, for the table of published sizes alone.
LARGER = [
    Family("Llama 3 70B", llama(hidden_size=8192, intermediate_size=28672, num_hidden_layers=80, num_attention_heads=64,
                                num_key_value_heads=8), {}),
    Family("Llama 3.1 405B", llama(hidden_size=16384, intermediate_size=53248, num_hidden_layers=126, num_attention_heads=128,
                                   num_key_value_heads=8), {}),
]  # fmt: skip
