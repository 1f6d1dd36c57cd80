"""Random JAX programs, each by a seed, and the tool that runs them by Meshloom and by JAX (run.py).

They share nothing with the random programs of `compiler/ir/random`: JAX traces and differentiates them, so what it prints is what
its users bring. `pool` is what a program is made of, `moves` draws programs that only move, select, sort and count (compared to
the last bit), and `smooth` draws arithmetic of floats and its gradients (compared within what rounding explains).
"""
