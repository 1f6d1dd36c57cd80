#!/bin/bash
# Mixtral 8x7B by Megatron-LM with the degrees that its examples/mixtral/README.md recommends for training: TP1, EP8, PP4.
#
#     meshloom review examples/launch/mixtral_8x7b.sh

torchrun --nproc_per_node 8 --nnodes 8 pretrain_gpt.py \
    --use-mcore-models \
    --num-layers 32 \
    --hidden-size 4096 \
    --ffn-hidden-size 14336 \
    --num-attention-heads 32 \
    --group-query-attention \
    --num-query-groups 8 \
    --seq-length 4096 \
    --vocab-size 32000 \
    --normalization RMSNorm \
    --swiglu \
    --untie-embeddings-and-output-weights \
    --num-experts 8 \
    --moe-router-topk 2 \
    --moe-router-load-balancing-type aux_loss \
    --moe-grouped-gemm \
    --moe-token-dispatcher-type alltoall \
    --micro-batch-size 1 \
    --global-batch-size 256 \
    --tensor-model-parallel-size 1 \
    --pipeline-model-parallel-size 4 \
    --expert-model-parallel-size 8 \
    --use-distributed-optimizer \
    --bf16
