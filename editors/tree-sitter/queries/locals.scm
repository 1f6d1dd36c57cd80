; Scopes and what is declared in them.

[(function) (entry) (optimizer) (block) (for)] @local.scope
(parameter name: (identifier) @local.definition)
(let pattern: (identifier) @local.definition)
(let pattern: (list_pattern (identifier) @local.definition))
(let pattern: (tuple_pattern (identifier) @local.definition))
(for pattern: (identifier) @local.definition)
(identifier) @local.reference
