#!/bin/bash
# Llama 3 8B by Megatron-LM on one node in fp8: the settings of its examples/llama/train_llama3_8b_h100_fp8.sh that say what is computed.
# (Megatron-Bridge 25.09 publishes 14,079 tokens a second and device of this model, batch and precision on H100, with FSDP.)
#
#     meshloom review examples/launch/llama3_8b_fp8.sh

GPUS_PER_NODE=8
NUM_NODES=${NUM_NODES:-1}
TP_SIZE=1
CP_SIZE=1
SEQ_LENGTH=8192
DTYPE="fp8"

DISTRIBUTED_ARGS=(
    --nproc_per_node $GPUS_PER_NODE
    --nnodes $NUM_NODES
)

MODEL_ARGS=(
    --use-mcore-models
    --num-layers 32
    --hidden-size 4096
    --ffn-hidden-size 14336
    --num-attention-heads 32
    --group-query-attention
    --num-query-groups 8
    --kv-channels 128
    --seq-length $SEQ_LENGTH
    --max-position-embeddings $SEQ_LENGTH
    --position-embedding-type rope
    --swiglu
    --attention-backend fused
    --untie-embeddings-and-output-weights
    --disable-bias-linear
    --vocab-size 128256
)

TRAINING_ARGS=(
    --micro-batch-size 1
    --global-batch-size 128
    --lr 0.00015
    --bf16
    --use-distributed-optimizer
    --overlap-grad-reduce
    --overlap-param-gather
)

DTYPE_ARGS=()
if [[ "$DTYPE" == "fp8" ]]; then
    DTYPE_ARGS+=(
        "--fp8-format hybrid"
        "--fp8-amax-history-len 1024"
    )
fi

torchrun ${DISTRIBUTED_ARGS[@]} pretrain_gpt.py \
    ${MODEL_ARGS[@]} \
    ${TRAINING_ARGS[@]} \
    ${DTYPE_ARGS[@]} \
    --tensor-model-parallel-size $TP_SIZE \
    --context-parallel-size $CP_SIZE
