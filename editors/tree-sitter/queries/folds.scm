; What can be folded.

[(struct) (function) (entry) (optimizer) (layout_block) (for) (while) (if) (manual) (train)] @fold
