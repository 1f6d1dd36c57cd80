// The grammar of Loom for tree-sitter, after compiler/syntax/src/grammar.lalrpop. Editors colour and fold by it; what is wrong
// with a program, the language server says.
//
// A newline ends a statement where the compiler's lexer says so: src/scanner.c has that rule.

const comma = rule => optional(seq(rule, repeat(seq(',', rule)), optional(',')));
const comma1 = rule => seq(rule, repeat(seq(',', rule)), optional(','));

module.exports = grammar({
  name: 'loom',

  externals: $ => [$._separator],
  extras: $ => [/\s/, $.doc_comment, $.comment],
  word: $ => $.identifier,
  supertypes: $ => [$._item, $._statement, $._expression, $._type],

  rules: {
    source_file: $ => repeat($._item),

    doc_comment: _ => token(prec(1, /\/\/\/[^\n]*/)),
    comment: _ => token(/\/\/[^\n]*/),

    // ---- items

    _item: $ => choice(
      $.mesh, $.dims, $.constants, $.struct, $.function, $.entry, $.optimizer, $.train, $.layout_block, $.assertion, $.import,
    ),

    mesh: $ => seq('mesh', '[', comma($.axis), ']'),
    axis: $ => seq(field('name', $.identifier), ':', field('size', $._expression)),
    dims: $ => seq('dim', comma1($.binding)),
    constants: $ => seq('const', comma1($.binding)),
    binding: $ => seq(field('name', $.identifier), '=', field('value', $._expression)),

    struct: $ => seq(
      'struct', field('name', $.identifier), optional(seq('[', comma(field('dim', $.identifier)), ']')),
      '{', comma($.field), '}',
    ),
    field: $ => seq(
      optional(field('word', $.identifier)), field('name', $.identifier), ':', field('type', $._type), optional(seq('@', choice($.layout, $.stages))),
      optional(seq('=', field('initial', $._expression))),
    ),
    stages: $ => seq(field('axis', $.identifier), optional(seq('(', comma($._operand), ')'))),

    function: $ => seq(optional('composite'), 'fn', $._signature, field('body', $.block), optional($.gradient)),
    gradient: $ => seq(field('word', $.identifier), '(', comma(field('name', $.identifier)), ')', field('body', $.block)),
    entry: $ => seq('entry', $._signature, field('body', $.block)),
    optimizer: $ => seq('optimizer', $._signature, field('body', $.block)),
    _signature: $ => seq(
      field('name', $.identifier), optional($.generics), field('parameters', $.parameters),
      optional(seq('->', field('result', $._type), optional(seq('@', $.layout)))),
    ),
    generics: $ => seq('<', comma($.identifier), '>'),
    parameters: $ => seq('(', comma($.parameter), ')'),
    parameter: $ => seq(
      field('name', $.identifier), optional(seq(':', field('type', $._type))),
      optional(seq('in', $.range)), optional(seq('@', $.layout)), optional(seq('=', field('default', $._expression))),
    ),
    range: $ => seq($._operand, '..', $._operand),

    train: $ => seq('train', field('name', $.identifier), '=', field('optimizer', $._expression)),

    layout_block: $ => seq('layout', field('name', $.identifier), '{', repeat($.rule), '}'),
    rule: $ => seq(
      field('role', $.identifier), $.path, optional(seq($.layers, optional(seq('.', $.path)))),
      ':', choice($.layout, $.replicated, $.largest, $.like),
    ),
    // Some layers of a list: `[0..2]`, `[3]`.
    layers: $ => seq('[', $.integer, optional(seq('..', $.integer)), ']'),
    largest: $ => seq(field('function', $.identifier), '(', field('axis', $.identifier), ')'),
    like: $ => seq($.identifier, $.identifier),
    path: _ => token(prec(1, /[A-Za-z0-9_*]+(\.[A-Za-z0-9_*]+)*/)),

    assertion: $ => seq('assert', choice(
      seq(field('no', $.identifier), field('kind', $.identifier), optional(seq('(', field('axis', $.identifier), ')')),
        optional(seq('in', field('scope', $.identifier)))),
      seq(field('what', $.identifier), optional(seq('(', comma($.identifier), ')')), $._comparator, $._operand,
        optional(field('unit', $.identifier))),
      seq('layout', '(', $.path, ')', '==', $.layout),
    )),
    _comparator: _ => choice('==', '!=', '<', '<=', '>', '>='),

    import: $ => seq('import', choice(
      seq(field('path', $.string), optional(seq('as', field('alias', $.identifier)))),
      seq($.import_name, repeat(seq(',', $.import_name)), field('from', $.identifier), field('path', $.string)),
    )),
    import_name: $ => seq(field('name', $.identifier), optional(seq('as', field('alias', $.identifier)))),

    // ---- types and layouts

    _type: $ => choice($.named_type, $.list_type, $.tuple_type),
    named_type: $ => seq(
      optional(seq(field('file', $.identifier), '.')), field('name', $.identifier),
      optional(seq('[', comma(choice($._operand, $.rest)), ']')),
    ),
    rest: _ => '..',
    list_type: $ => seq('[', field('element', $._type), ';', field('count', $._operand), ']'),
    tuple_type: $ => seq('(', comma(seq($._type, optional(seq('@', $.layout)))), ')'),

    layout: $ => prec.right(seq('[', comma($.layout_dim), ']', repeat($.partial))),
    layout_dim: $ => choice('_', '?', seq(field('axis', $.identifier), optional('?')),
      seq('(', comma(field('axis', $.identifier)), ')', optional('?'))),
    partial: $ => seq('+', field('function', $.identifier), '(', field('axis', $.identifier),
      optional(seq(',', field('reduction', $.identifier))), ')'),
    replicated: _ => '_',

    // ---- statements

    block: $ => seq('{', repeat(choice(';', $._separator)), optional($._statements), '}'),
    _statements: $ => seq(
      $._statement, repeat(seq(repeat1(choice(';', $._separator)), $._statement)), repeat(choice(';', $._separator)),
    ),
    _statement: $ => choice($.let, $.assign, $.state, $.for, $.while, $._expression),
    let: $ => seq('let', field('pattern', $._pattern), optional(seq(':', field('type', $._type))), '=', field('value', $._expression)),
    assign: $ => seq(field('name', choice($.identifier, $.field_access)), '=', field('value', $._expression)),
    // `state` is no keyword: it is a common name, and layout blocks have rules for it.
    state: $ => seq(field('word', $.identifier), field('name', $.identifier), ':', field('type', $._type), '=', field('initial', $._expression)),
    for: $ => seq(
      'for', field('pattern', $._pattern), 'in', field('over', choice($._expression, $.range)), repeat($.setting),
      field('body', $.block),
    ),
    while: $ => seq('while', field('condition', $._expression), repeat($.setting), field('body', $.block)),
    setting: $ => seq(',', field('name', $.identifier), ':', $._operand),

    _pattern: $ => choice($.identifier, $.ignored, $.tuple_pattern, $.list_pattern),
    ignored: _ => '_',
    tuple_pattern: $ => seq('(', comma($._pattern), ')'),
    list_pattern: $ => seq('[', comma($._pattern), ']'),

    // ---- expressions, loosest first

    _expression: $ => choice($.constraint, $._operand),
    constraint: $ => prec.left(0, seq(field('value', $._expression), '@', $.layout)),

    // All that may be an operand: everything but a constraint outside of parentheses.
    _operand: $ => choice(
      $.binary, $.unary, $.cast, $.field_access, $.call, $.index, $.if, $.manual,
      $.integer, $.float, $.string, $.boolean, $.identifier, $.parenthesized, $.tuple, $.list,
    ),
    binary: $ => choice(
      ...[['||', 1], ['&&', 2], ['==', 3], ['!=', 3], ['<', 3], ['<=', 3], ['>', 3], ['>=', 3], ['+', 4], ['-', 4], ['*', 5], ['/', 5]]
        .map(([operator, level]) => prec.left(level, seq(field('left', $._operand), field('operator', operator), field('right', $._operand)))),
    ),
    cast: $ => prec.left(6, seq(field('value', $._operand), 'as', field('dtype', $.identifier))),
    unary: $ => prec(7, seq(field('operator', choice('-', '!')), field('operand', $._operand))),
    field_access: $ => prec.left(8, seq(field('base', $._operand), '.', field('field', $.identifier))),
    call: $ => prec.left(8, seq(field('function', $._operand), '(', comma($.argument), ')')),
    argument: $ => choice(
      field('value', $._expression),
      seq(field('name', $.identifier), ':', field('value', $._expression), optional(field('unit', $.identifier))),
    ),
    index: $ => prec.left(8, seq(field('base', $._operand), '[', comma(choice($._expression, $.slice)), ']')),
    slice: $ => seq(optional($._expression), ':', optional($._expression)),

    if: $ => seq('if', field('condition', $._expression), field('then', $.block), 'else', field('otherwise', choice($.block, $.if))),
    manual: $ => seq(
      'manual', '(', comma(field('axis', $.identifier)), ')',
      optional(seq('(', comma($.manual_input), ')')),
      optional(seq('->', choice($._manual_layout, seq('(', comma($._manual_layout), ')')))),
      field('body', $.block),
    ),
    manual_input: $ => seq(optional(seq(field('name', $.identifier), ':')), field('value', $._operand), '@', $._manual_layout),
    _manual_layout: $ => choice($.layout, $.replicated),

    parenthesized: $ => seq('(', $._expression, ')'),
    tuple: $ => choice(seq('(', ')'), seq('(', $._expression, ',', comma($._expression), ')')),
    list: $ => seq('[', comma($._expression), ']'),

    boolean: _ => choice('true', 'false'),
    integer: _ => /[0-9][0-9_]*/,
    float: _ => token(choice(/[0-9][0-9_]*\.[0-9][0-9_]*([eE][+-]?[0-9]+)?/, /[0-9][0-9_]*[eE][+-]?[0-9]+/)),
    string: _ => /"[^"\n]*"/,
    identifier: _ => /[A-Za-z][A-Za-z0-9_]*|_[A-Za-z0-9_]+/,
  },
});
