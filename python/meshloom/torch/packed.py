"""What Transformers decides by looking at values, decided as it would be without packed sequences.

Its models ask whether the positions of a batch start anew inside of a row, which nobody knows while only shapes are known, and then make a
mask of the answer. Positions that the model makes itself do not, so there is no mask, and attention is causal by its flag.
"""

from __future__ import annotations

import contextlib
import sys
from typing import Any, Iterator


@contextlib.contextmanager
def as_made(batch: Any) -> Iterator[None]:
    """Rows hold one sequence each, unless the batch brings positions of its own."""
    masks = sys.modules.get("transformers.masking_utils")
    if masks is None or "position_ids" in batch or not hasattr(masks, "find_packed_sequence_indices"):
        yield
        return
    before = masks.find_packed_sequence_indices
    masks.find_packed_sequence_indices = lambda position_ids: None
    try:
        yield
    finally:
        masks.find_packed_sequence_indices = before
