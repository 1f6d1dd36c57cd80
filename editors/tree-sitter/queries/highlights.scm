; Colours for Loom. The names of captures are those of tree-sitter's own highlighter, which Neovim, Helix and Zed know.

(comment) @comment
(doc_comment) @comment.documentation
(string) @string
(integer) @number
(float) @number
(boolean) @constant.builtin

[
  "mesh" "dim" "const" "struct" "fn" "composite" "train" "entry" "optimizer" "layout" "assert" "import" "let" "for" "while"
  "in" "if" "else" "manual" "as"
] @keyword

["->" "@" "?" "+" "-" "*" "/" "==" "!=" "<" "<=" ">" ">=" "&&" "||" "!" "=" ".."] @operator
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
["," ";" ":" "."] @punctuation.delimiter

(import from: (identifier) @keyword)
(state word: (identifier) @keyword)
(gradient word: (identifier) @keyword)
(field word: (identifier) @keyword)
(assertion no: (identifier) @keyword)
(assertion kind: (identifier) @function)
(assertion what: (identifier) @function)
(argument unit: (identifier) @type.builtin)
(assertion unit: (identifier) @type.builtin)

(struct name: (identifier) @type)
(field name: (identifier) @property)
(named_type name: (identifier) @type)
((named_type name: (identifier) @type.builtin)
  (#match? @type.builtin "^(f32|f64|f16|bf16|f8e4m3|f8e5m2|i8|i32|i64|u8|u32|bool|float)$"))
(cast dtype: (identifier) @type.builtin)

(function name: (identifier) @function)
(entry name: (identifier) @function)
(optimizer name: (identifier) @function)
(train name: (identifier) @function)
(layout_block name: (identifier) @function)
(call function: (identifier) @function)
(call function: (field_access field: (identifier) @function))
(largest function: (identifier) @function.builtin)
(partial function: (identifier) @function.builtin)

(parameter name: (identifier) @variable.parameter)
(argument name: (identifier) @variable.parameter)
(setting name: (identifier) @variable.parameter)
(field_access field: (identifier) @property)

(axis name: (identifier) @constant)
(layout_dim axis: (identifier) @constant)
(partial axis: (identifier) @constant)
(largest axis: (identifier) @constant)
(stages axis: (identifier) @constant)
(manual axis: (identifier) @constant)
(binding name: (identifier) @constant)
(rule role: (identifier) @keyword)
(path) @property
