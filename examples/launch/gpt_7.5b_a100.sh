#!/bin/bash
# A GPT of 7.5 billion parameters on 128 A100s as Megatron-LM ran it in 2021 (arXiv 2104.04473, table 1: 142 TFLOP/s a device, with the
# recomputed forward pass).
#
#     meshloom review examples/launch/gpt_7.5b_a100.sh --target a100-80g --profile megatron-2021

torchrun --nproc_per_node 8 --nnodes 16 pretrain_gpt.py \
    --num-layers 36 \
    --hidden-size 4096 \
    --num-attention-heads 32 \
    --seq-length 2048 \
    --vocab-size 51200 \
    --attention-backend unfused \
    --micro-batch-size 16 \
    --global-batch-size 512 \
    --tensor-model-parallel-size 4 \
    --recompute-granularity full \
    --recompute-method uniform \
    --fp16
